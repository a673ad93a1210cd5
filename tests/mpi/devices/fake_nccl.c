/* NCCL as far as bine-bench asks for it, on the fake device: it takes one rank, and refuses more as
 * the real one refuses two ranks on one device. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

struct id {
    char bytes[128];
};

int ncclGetUniqueId(struct id *id);
int ncclCommInitRank(void **comm, int ranks, struct id id, int rank);
const char *ncclGetLastError(void *comm);
int ncclAllReduce(const void *in, void *out, size_t n, int type, int op, void *comm, void *stream);
int ncclReduce(void);
int ncclBroadcast(void);
int ncclAllGather(void);
int ncclReduceScatter(void);

static int comm_of_one;

int ncclGetUniqueId(struct id *id) {
    id->bytes[0] = 7;
    return 0;
}

int ncclCommInitRank(void **comm, int ranks, struct id id, int rank) {
    *comm = &comm_of_one;
    return ranks == 1 && rank == 0 && id.bytes[0] == 7 ? 0 : 5;
}

const char *ncclGetLastError(void *comm) {
    (void)comm;
    return "Duplicate GPU detected : rank 1 and rank 0\nmore";
}

/* The type is float. */
int ncclAllReduce(const void *in, void *out, size_t n, int type, int op, void *comm, void *stream) {
    int (*copy)(uintptr_t to, uintptr_t from, size_t bytes);
    *(void **)&copy = dlsym(RTLD_DEFAULT, "cuMemcpy");
    if (copy == NULL || type != 7 || op != 0 || comm != &comm_of_one || stream != NULL)
        return 1;
    return copy((uintptr_t)out, (uintptr_t)in, n * 4);
}

int ncclReduce(void) {
    return 1;
}

int ncclBroadcast(void) {
    return 1;
}

int ncclAllGather(void) {
    return 1;
}

int ncclReduceScatter(void) {
    return 1;
}
