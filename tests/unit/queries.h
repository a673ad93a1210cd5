/* The query of a call, for the tests of selection: 16 ranks on 16 nodes, under Open MPI. */
#ifndef BINE_TESTS_QUERIES_H
#define BINE_TESTS_QUERIES_H

#include "select/rules.h"

static inline struct bine_query query_of(enum bine_collective c, int64_t bytes) {
    return (struct bine_query){.collective = c,
                               .p = 16,
                               .bytes = bytes,
                               .commutative = 1,
                               .drop_in = 1,
                               .library = BINE_LIBRARY_OPENMPI,
                               .nodes = 16,
                               .per_node = 1};
}

#endif
