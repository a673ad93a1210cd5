/* Allocations that fail: what the files of this test have in common. */
#ifndef BINE_TESTS_MEMORY_H
#define BINE_TESTS_MEMORY_H

#include <mpi.h>

extern long alive;   /* allocations of Bine's that are not freed */
extern long fail_at; /* the allocation that fails, counted from now; -1: none */
extern int fail_all;

/* A call of each kind. */
enum { CALLS = 9 };
int call(int which, MPI_Comm comm);
/* A communicator that nothing is known of. */
MPI_Comm fresh(MPI_Comm of);

/* Where one rank of several has no memory (memory_ranks.c). */
void memory_test_ranks(int rank);

#endif
