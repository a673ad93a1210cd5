/* The algorithms that an MPI library and Bine both have. */
#ifndef BINE_TESTS_LIBRARY_CASES_H
#define BINE_TESTS_LIBRARY_CASES_H

#include <stddef.h>

enum collective {
    BCAST,
    REDUCE,
    ALLREDUCE,
    GATHER,
    SCATTER,
    ALLGATHER,
    ALLTOALL,
    REDUCE_SCATTER,
    REDUCE_SCATTER_BLOCK
};

/* The numbers of ranks at which they are compared. */
enum ranks { ANY, EVEN, POW2 };

struct library_case {
    const char *library, *ours; /* `ours`: as for Bine_Next */
    enum collective collective;
    enum ranks ranks;
    int segments;       /* of the vector (ring-segmented: of a block); 0: not in segments */
    const char *theirs; /* control variables that force the library's algorithm */
};

extern const struct library_case library_cases[];
extern const size_t library_case_count;

#endif
