/* Buffers in the memory of a device: copies of those on the host, which are written and checked
 * there. The driver is found at run time; every rank takes a device in turn. */
#include "bench/bench.h"
#include "cli/command.h"

#include <dlfcn.h>
#include <stdlib.h>

static struct {
    int (*init)(unsigned flags);
    int (*count)(int *devices);
    int (*retain)(void **context, int device);
    int (*use)(void *context);
    int (*allocate)(uintptr_t *address, size_t bytes);
    int (*release)(uintptr_t address);
    int (*allocate_host)(void **address, size_t bytes, unsigned flags);
    int (*release_host)(void *address);
    int (*copy)(uintptr_t to, uintptr_t from, size_t bytes);
    int (*wait)(void *stream);
} cuda;

static const char *const names[] = {
    "cuInit",        "cuDeviceGetCount",   "cuDevicePrimaryCtxRetain", "cuCtxSetCurrent",
    "cuMemAlloc_v2", "cuMemFree_v2",       "cuMemHostAlloc",           "cuMemFreeHost",
    "cuMemcpy",      "cuStreamSynchronize"};
enum { NAMES = sizeof names / sizeof *names };

static int load(void) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    void **function = (void **)(void *)&cuda;
    for (int i = 0; i < NAMES && library != NULL; i++)
        if ((function[i] = dlsym(library, names[i])) == NULL)
            library = NULL;
    return library != NULL ? 0 : -1;
}

/* The number of this rank among those of its node. */
static int local_rank(void) {
    MPI_Comm node;
    int rank;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &rank);
    MPI_Comm_free(&node);
    return rank;
}

/* All ranks together. 0, or an exit code after complaining. */
int bench_device_begin(const struct bench_wish *w) {
    void *context;
    int devices = 0, all, mine = local_rank();
    if (!w->on_device)
        return 0;
    int good = load() == 0 && cuda.init(0) == 0 && cuda.count(&devices) == 0 && devices > 0 &&
               cuda.retain(&context, mine % devices) == 0 && cuda.use(context) == 0;
    MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    return all ? 0
               : bine_complain("-d cuda:%s: expected a CUDA device and its driver on every rank",
                               w->type.name);
}

/* Memory of the host that the device copies from and to by itself; NULL if there is none. */
char *bench_device_host(size_t bytes) {
    void *memory;
    return cuda.allocate_host(&memory, bytes, 0) == 0 ? memory : NULL;
}

void bench_device_host_free(char *memory) {
    if (memory != NULL)
        cuda.release_host(memory);
}

char *bench_device_new(size_t bytes) {
    uintptr_t address;
    return cuda.allocate(&address, bytes) == 0 ? (char *)address : NULL;
}

void bench_device_free(char *memory) {
    if (memory != NULL)
        cuda.release((uintptr_t)memory);
}

int bench_device_wait(void) {
    return cuda.wait(NULL) == 0 ? MPI_SUCCESS : MPI_ERR_OTHER;
}

static int copy(const void *to, const void *from, size_t bytes) {
    int rc = bytes > 0 ? cuda.copy((uintptr_t)to, (uintptr_t)from, bytes) : 0;
    return rc == 0 ? bench_device_wait() : MPI_ERR_OTHER;
}

/* Where the device has what is at an address in the host's buffers. */
static void *there(const struct bench_call *call, const void *here) {
    const char *x = here;
    if (here == MPI_IN_PLACE)
        return MPI_IN_PLACE;
    return x == call->in ? call->in_there + (call->in - call->in_arena)
                         : call->out_there + (call->out - call->out_arena);
}

static char *in_there(const struct bench_call *call) {
    return there(call, call->in);
}

static char *out_there(const struct bench_call *call) {
    return there(call, call->out);
}

/* The results of a rank and the guard behind them, if they are copied: where results are checked,
 * or in place. A rank without results copies no guard just before the clock starts: devices do such
 * short copies themselves, and processes take turns on them. */
static size_t out_bytes(const struct bench_call *call) {
    int needed = call->wish->check || call->wish->in_place || call->collective->kind == BINE_BCAST;
    return needed && call->out_bytes > 0 ? call->out_bytes + BENCH_GUARD : 0;
}

int bench_device_put(const struct bench_call *call) {
    int rc = copy(in_there(call), call->in, call->in_bytes);
    return rc == MPI_SUCCESS ? copy(out_there(call), call->out, out_bytes(call)) : rc;
}

int bench_device_get(const struct bench_call *call) {
    int rc = copy(call->in, in_there(call), call->in_bytes);
    return rc == MPI_SUCCESS ? copy(call->out, out_there(call), out_bytes(call)) : rc;
}

/* The call with the device's buffers. */
int bench_device_call(const struct bench_call *call, int (*function)(const struct bench_call *)) {
    struct bench_call x = *call;
    x.send = there(call, call->send);
    x.receive = there(call, call->receive);
    return function(&x);
}

/* The way of programs whose MPI takes no such buffers: what is sent is copied to the host, what was
 * received to the device. */
int bench_device_staged(const struct bench_call *call, int (*function)(const struct bench_call *)) {
    int bcast = call->collective->kind == BINE_BCAST, root = call->world->rank == call->wish->root;
    int sends_out = call->send == MPI_IN_PLACE || (bcast && root), rc;
    rc = sends_out ? copy(call->out, out_there(call), call->out_bytes)
                   : copy(call->in, in_there(call), call->in_bytes);
    if (rc == MPI_SUCCESS)
        rc = function(call);
    return rc == MPI_SUCCESS && !(bcast && root) ? copy(out_there(call), call->out, call->out_bytes)
                                                 : rc;
}
