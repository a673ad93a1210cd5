#include "call/argument_copy.h"

#include <stdlib.h>

enum { ARRAYS = 6, WIDEST = 8 };

/* Copy an array of `bytes` bytes to *at, which moves on. */
static const void *copy(const void *array, size_t bytes, char **at) {
    if (array == NULL)
        return NULL;
    void *to = memcpy(*at, array, bytes);
    *at += (bytes + WIDEST - 1) / WIDEST * WIDEST;
    return to;
}

static void copy_counts(struct bine_counts *c, size_t p, char **at) {
    c->narrow = copy(c->narrow, p * sizeof *c->narrow, at);
    c->wide = copy(c->wide, p * sizeof(int64_t), at);
}

/* Only the root of these has arrays; other ranks may pass anything. */
static int has_arrays(const struct bine_arguments *a, int rank) {
    return rank == a->root || (a->collective != BINE_GATHERV && a->collective != BINE_SCATTERV);
}

int bine_arguments_have_arrays(const struct bine_arguments *a) {
    return a->by_counts || bine_collective_is_uneven(a->collective);
}

int bine_arguments_copy(struct bine_arguments *a, int rank, int p, void **memory) {
    size_t n = has_arrays(a, rank) ? (size_t)p : 0;
    struct bine_counts *const counts[] = {&a->sendcounts, &a->recvcounts, &a->senddispls,
                                          &a->recvdispls};
    _Static_assert(sizeof(MPI_Datatype) <= WIDEST, "a number or an address");
    *memory = malloc(ARRAYS * (n + 1) * WIDEST);
    if (*memory == NULL)
        return MPI_ERR_NO_MEM;
    char *at = *memory;
    if (a->sendbuf == MPI_IN_PLACE) { /* then these may be anything, too */
        a->sendcounts = a->senddispls = (struct bine_counts){.narrow = NULL};
        a->sendtypes = NULL;
    }
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        copy_counts(counts[i], n, &at);
    a->sendtypes = copy(a->sendtypes, n * sizeof *a->sendtypes, &at);
    a->recvtypes = copy(a->recvtypes, n * sizeof *a->recvtypes, &at);
    return MPI_SUCCESS;
}
