#include "mpi/mpi_calls.h"

#include <stddef.h>

/* Where the drop-in library intercepts these names, it has a table of its own. */
static const struct bine_mpi_calls by_name = {
#define CALL(NAME, OWN, ...) PMPI_##NAME,
#include "mpi/entries.def"
#undef CALL
    PMPI_Comm_free,
    PMPI_Comm_disconnect,
#define CALL(NAME, OWN, ...) PMPI_I##OWN,
#include "mpi/entries.def"
#undef CALL
    .op_free = PMPI_Op_free,
#define MAKER(NAME, OWN, ...) .OWN = PMPI_##NAME,
#include "mpi/makers.def"
#undef MAKER
};

const struct bine_mpi_calls *bine_mpi = &by_name;
const struct bine_preload *bine_drop_in;

void bine_mpi_attach(const struct bine_preload *d) {
    _Static_assert(sizeof by_name == BINE_ENTRIES * sizeof *d->mpi, "one pointer for each call");
#define CALL(NAME, OWN, ...)                                                                       \
    _Static_assert(offsetof(struct bine_mpi_calls, OWN) ==                                         \
                       BINE_ENTRY_##NAME * sizeof(bine_function *),                                \
                   "in the order of enum bine_entry");
#include "mpi/entries.def"
#undef CALL
#define BINE_ONLY_COUNTED
#define CALL(NAME, OWN, ...)                                                                       \
    _Static_assert(offsetof(struct bine_mpi_calls, OWN##_init_c) ==                                \
                       BINE_ENTRY_##NAME##_init_c * sizeof(bine_function *),                       \
                   "and so are the last");
#include "mpi/entries.def"
#undef CALL
#undef BINE_ONLY_COUNTED
    bine_mpi = (const void *)d->mpi;
    bine_drop_in = d;
}

/* The arguments of a call under MPI's names for them, for the lists of mpi/entries.def. Types are
 * int or large counts. */
#define NAMED __attribute__((unused))
#define ARGUMENTS(COUNT_TYPE, ARRAY_TYPE, ARRAY)                                                   \
    NAMED const void *sendbuf = a->sendbuf;                                                        \
    NAMED void *recvbuf = a->recvbuf, *buffer = a->recvbuf;                                        \
    NAMED COUNT_TYPE sendcount = (COUNT_TYPE)a->sendcount, recvcount = (COUNT_TYPE)a->recvcount;   \
    NAMED COUNT_TYPE count = recvcount;                                                            \
    NAMED ARRAY_TYPE *sendcounts = a->sendcounts.ARRAY, *recvcounts = a->recvcounts.ARRAY;         \
    NAMED ARRAY_TYPE *sdispls = a->senddispls.ARRAY, *rdispls = a->recvdispls.ARRAY;               \
    NAMED MPI_Datatype sendtype = a->sendtype, recvtype = a->recvtype, datatype = recvtype;        \
    NAMED const MPI_Datatype *sendtypes = a->sendtypes, *recvtypes = a->recvtypes;                 \
    NAMED MPI_Op op = a->op;                                                                       \
    NAMED int root = a->root;                                                                      \
    MPI_Comm comm = a->comm

#define BY_MPI(NAME, OWN, S, ACTUAL, COUNT_TYPE, ARRAY_TYPE, ARRAY)                                \
    static int by_mpi_##NAME##S(const struct bine_arguments *a, MPI_Request *request) {            \
        ARGUMENTS(COUNT_TYPE, ARRAY_TYPE, ARRAY);                                                  \
        return request == NULL ? bine_mpi->OWN##S ACTUAL                                           \
                               : bine_mpi->i##OWN##S(BINE_LISTED ACTUAL, request);                 \
    }

#define CALL(NAME, OWN, FORMAL, ACTUAL, ...) BY_MPI(NAME, OWN, , ACTUAL, int, const int, narrow)
#include "mpi/entries.def"
#undef CALL
#define BINE_ONLY_COUNTED
#define CALL(NAME, OWN, FORMAL, ACTUAL, ...)                                                       \
    BY_MPI(NAME, OWN, _c, ACTUAL, MPI_Count, const void, wide)
#include "mpi/entries.def"
#undef CALL
#undef BINE_ONLY_COUNTED

typedef int by_mpi_function(const struct bine_arguments *a, MPI_Request *request);

/* Functions with large counts are NULL where MPI has none. */
static by_mpi_function *find(const struct bine_arguments *a) {
    static by_mpi_function *const by_mpi[] = {
#define CALL(NAME, ...) [BINE_ENTRY_##NAME] = by_mpi_##NAME,
#include "mpi/entries.def"
#undef CALL
    };
#define BINE_ONLY_COUNTED
    static by_mpi_function *const by_mpi_c[] = {
#define CALL(NAME, ...) [BINE_ENTRY_##NAME] = by_mpi_##NAME##_c,
#include "mpi/entries.def"
#undef CALL
    };
#undef BINE_ONLY_COUNTED
    if (!a->large)
        return by_mpi[a->entry];
    return bine_mpi->bcast_c != NULL ? by_mpi_c[a->entry] : NULL;
}

/* `request` is NULL for a blocking call. */
static int call(const struct bine_arguments *a, MPI_Request *request) {
    by_mpi_function *by_mpi = find(a);
    if (by_mpi == NULL) {
        PMPI_Comm_call_errhandler(a->comm, MPI_ERR_COUNT);
        return MPI_ERR_COUNT;
    }
    return by_mpi(a, request);
}

int bine_call_mpi(const struct bine_arguments *a) {
    return call(a, NULL);
}

int bine_call_mpi_start(const struct bine_arguments *a, MPI_Request *request) {
    return call(a, request);
}
