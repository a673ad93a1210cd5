/* The parts of the life-cycle test. */
#ifndef BINE_TESTS_LIFECYCLE_H
#define BINE_TESTS_LIFECYCLE_H

#include "../check.h"

/* One allreduce, checked; and one of several collectives, chosen by `r`, equal on all ranks. */
int agree(MPI_Comm comm, const char *what);
int calls(MPI_Comm comm, struct rng *r, const char *what);

/* Every kind of communicator. */
void test_kinds(void);
/* The user's attributes, and calls from inside their functions. */
void test_attributes(void);
void attributes_before_finalize(void);
int attributes_after_finalize(void); /* the number of failures */
/* Several threads, each with communicators of its own. */
void test_threads(long seconds);

#endif
