/* What the randomized tests have in common: their options, what calls are made of, and their
 * end. */
#ifndef BINE_TESTS_ROUNDS_H
#define BINE_TESTS_ROUNDS_H

#include <stdint.h>

struct rounds {
    uint64_t seed;
    long calls, only; /* --round: this one only; -1: all of them */
    int max_count;
};

/* After MPI_Init: the options, and datatypes and operators for calls. */
void rounds_begin(struct rounds *x, int argc, char **argv, long seed);
/* As many rounds as it takes. */
void rounds_run(const struct rounds *x, int calls_of_a_round, void (*round)(long number));
/* What the program returns, after MPI_Finalize. */
int rounds_end(void);

#endif
