/* What all MPI tests share: random numbers that every rank can repeat, and counting. */
#ifndef BINE_TESTS_CHECK_H
#define BINE_TESTS_CHECK_H

#include <mpi.h>
#include <stdint.h>

struct rng {
    uint64_t state;
};

/* A stream of its own for every (seed, a, b), so that one round can be repeated without the others.
 */
struct rng rng_make(uint64_t seed, uint64_t a, uint64_t b);
uint64_t rng_next(struct rng *r);
int rng_below(struct rng *r, int n); /* 0 .. n-1 */
int rng_once_in(struct rng *r, int n);

/* Count a check; print it, on the rank where it fails, as far as a few failures. Returns `ok`. */
int check_that(int ok, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The number of checks that have failed on this rank. */
int check_failures(void);
/* Collective over MPI_COMM_WORLD: rank 0 prints "N passed, M failed". Returns the exit status. */
int check_end(void);

/* The value of `--NAME VALUE`, or what is given. */
long check_option(int argc, char **argv, const char *name, long otherwise);
/* The error class of a code. */
int check_class(int code);
/* Whether this is Open MPI, with whatever ABI. */
int check_is_openmpi(void);
/* Whether several threads can wait in MPI: in Open MPI 6.0.0rc2 they stand still in MPI_Waitall, in
 * programs without Bine as well. */
int check_threads_work(void);
/* Whether MPI finds MPI_DATATYPE_NULL in a reduction: MPICH 5 fails an assertion. */
int check_null_types_are_found(void);
/* Kilobytes of memory in use by this process. */
long check_memory(void);

#endif
