/* NCCL beside the others, on vectors in the memory of devices. It is found at run time; a rank may
 * have none, and NCCL may not take the ranks: then it is left out, and a line says why. */
#include "bench/bench.h"

#include <dlfcn.h>
#include <string.h>

enum { FLOAT32 = 7, FLOAT64 = 8, ID_BYTES = 128, REFUSED = -1 };

struct id {
    char bytes[ID_BYTES];
};

static struct {
    int (*make_id)(struct id *id);
    int (*begin)(void **comm, int ranks, struct id id, int rank);
    const char *(*error)(void *comm);
    int (*allreduce)(const void *, void *, size_t, int type, int op, void *comm, void *stream);
    int (*reduce)(const void *, void *, size_t, int type, int op, int root, void *, void *stream);
    int (*bcast)(const void *, void *, size_t, int type, int root, void *comm, void *stream);
    int (*allgather)(const void *, void *, size_t, int type, void *comm, void *stream);
    int (*reduce_scatter)(const void *, void *, size_t, int type, int op, void *, void *stream);
} nccl;

static const char *const names[] = {"ncclGetUniqueId", "ncclCommInitRank", "ncclGetLastError",
                                    "ncclAllReduce",   "ncclReduce",       "ncclBroadcast",
                                    "ncclAllGather",   "ncclReduceScatter"};
enum { NAMES = sizeof names / sizeof *names };

/* NCCL's numbers. */
static const int types[] = {[BENCH_CHAR] = 0, [BENCH_INT] = 2,         [BENCH_UNSIGNED] = 3,
                            [BENCH_LONG] = 4, [BENCH_FLOAT] = FLOAT32, [BENCH_DOUBLE] = FLOAT64};
static const int operators[] = {
    [BENCH_SUM] = 0,        [BENCH_PROD] = 1,       [BENCH_MAX] = 2,        [BENCH_MIN] = 3,
    [BENCH_BAND] = REFUSED, [BENCH_BOR] = REFUSED,  [BENCH_BXOR] = REFUSED, [BENCH_LAND] = REFUSED,
    [BENCH_LOR] = REFUSED,  [BENCH_FIRST] = REFUSED};

static void *comm;

static int load(void) {
    void *library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    void **function = (void **)(void *)&nccl;
    for (int i = 0; i < NAMES && library != NULL; i++)
        if ((function[i] = dlsym(library, names[i])) == NULL)
            library = NULL;
    return library != NULL;
}

static int everywhere(int yes) {
    int all;
    MPI_Allreduce(&yes, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    return all;
}

/* All ranks together. NULL, or why there is no communicator of NCCL's. */
static const char *begin(const struct bench_world *world) {
    static char why[200];
    struct id id;
    memset(&id, 0, sizeof id);
    if (!everywhere(load()))
        return "libnccl.so.2 was not found";
    int good = world->rank != 0 || nccl.make_id(&id) == 0;
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (!everywhere(good))
        return "ncclGetUniqueId failed";
    good = nccl.begin(&comm, world->p, id, world->rank) == 0;
    if (!good) {
        snprintf(why, sizeof why, "ncclCommInitRank: %s", nccl.error(NULL));
        why[strcspn(why, "\n")] = '\0';
    }
    return everywhere(good) ? NULL : why[0] != '\0' ? why : "ncclCommInitRank failed elsewhere";
}

const char *bench_nccl_refuses(const struct bench_wish *w, const struct bench_collective *c,
                               const struct bench_world *world) {
    static int asked;
    static const char *answer;
    if (!w->on_device)
        return "it takes vectors in the memory of devices alone: -d cuda:TYPE";
    if (c->kind == BINE_GATHER || c->kind == BINE_SCATTER || c->kind == BINE_ALLTOALL)
        return "it has no such collective";
    if (bine_collective_reduces(c->kind) && operators[w->op.action] == REFUSED)
        return "it has no such operator";
    if (w->in_place)
        return "it is not measured in place";
    if (!asked)
        answer = begin(world);
    asked = 1;
    return answer;
}

int bench_nccl_call(const struct bench_call *x) {
    const struct bench_wish *w = x->wish;
    int type = types[w->type.kind], op = operators[w->op.action], rc;
    size_t n = (size_t)x->count, block = (size_t)x->block;
    switch (x->collective->kind) {
    case BINE_BCAST:
        rc = nccl.bcast(x->receive, x->receive, n, type, w->root, comm, NULL);
        break;
    case BINE_REDUCE:
        rc = nccl.reduce(x->send, x->receive, n, type, op, w->root, comm, NULL);
        break;
    case BINE_ALLGATHER:
        rc = nccl.allgather(x->send, x->receive, block, type, comm, NULL);
        break;
    case BINE_REDUCE_SCATTER:
        rc = nccl.reduce_scatter(x->send, x->receive, block, type, op, comm, NULL);
        break;
    default:
        rc = nccl.allreduce(x->send, x->receive, n, type, op, comm, NULL);
    }
    return rc == 0 ? bench_device_wait() : MPI_ERR_OTHER;
}
