#include "device/launch.h"

#include "device/cuda.h"
#include "device/image.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 512, BLOCKS_MOST = 2048, VECTOR = 16, AT_ONCE = 4 };
enum { NON_BLOCKING = 1 };

/* The names of the kernels' operators and types. */
static const char *const operators[BINE_REDUCE_OPERATORS] = {"sum", "prod", "min",  "max", "band",
                                                             "bor", "bxor", "land", "lor", "lxor"};

static const struct {
    const char *name, *unsigned_name;
    size_t size;
} types[BINE_DEVICE_TYPES] = {
    [BINE_REDUCE_I8] = {"i8", "u8", 1},    [BINE_REDUCE_U8] = {"u8", "u8", 1},
    [BINE_REDUCE_I16] = {"i16", "u16", 2}, [BINE_REDUCE_U16] = {"u16", "u16", 2},
    [BINE_REDUCE_I32] = {"i32", "u32", 4}, [BINE_REDUCE_U32] = {"u32", "u32", 4},
    [BINE_REDUCE_I64] = {"i64", "u64", 8}, [BINE_REDUCE_U64] = {"u64", "u64", 8},
    [BINE_REDUCE_F32] = {"f32", "f32", 4}, [BINE_REDUCE_F64] = {"f64", "f64", 8},
    [BINE_DEVICE_F16] = {"f16", "f16", 2}, [BINE_DEVICE_BF16] = {"bf16", "bf16", 2},
};

/* Bine's module and stream in a context. Programs have one context for each device. */
enum { CONTEXTS = 16 };

struct loaded {
    void *context, *stream;
    void *module, *pairs; /* or NULL: copies need none */
    void *kernel[BINE_REDUCE_OPERATORS][BINE_DEVICE_TYPES];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct loaded table[CONTEXTS];

size_t bine_device_size(int type) {
    return types[type].size;
}

int bine_launch_can_copy(void) {
    return bine_cuda.launch != NULL;
}

int bine_launch_is_possible(void) {
    return bine_device_image() != NULL && bine_launch_can_copy();
}

/* In the context, which is current. */
static int load(struct loaded *x, void *context) {
    memset(x, 0, sizeof *x);
    if (bine_cuda.stream_new(&x->stream, NON_BLOCKING) != 0)
        return -1;
    x->context = context;
    return 0;
}

static int load_kernels(struct loaded *x) {
    void *module = NULL;
    if (x->module != NULL)
        return 0;
    if (bine_cuda.module_load(&module, bine_device_image()) != 0 ||
        bine_cuda.module_function(&x->pairs, module, "pairs") != 0)
        return -1;
    x->module = module;
    return 0;
}

/* The context becomes current. NULL: it did not, or has no kernels where they are wanted. */
static struct loaded *enter(void *context, int kernels) {
    void *popped;
    struct loaded *found = NULL;
    if (!(kernels ? bine_launch_is_possible() : bine_launch_can_copy()) ||
        bine_cuda.push(context) != 0)
        return NULL;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < CONTEXTS && found == NULL; i++)
        if (table[i].context == context ||
            (table[i].context == NULL && load(&table[i], context) == 0))
            found = &table[i];
        else if (table[i].context == NULL)
            break;
    if (found != NULL && kernels && load_kernels(found) != 0)
        found = NULL;
    pthread_mutex_unlock(&lock);
    if (found == NULL)
        bine_cuda.pop(&popped);
    return found;
}

static void leave(void) {
    void *popped;
    bine_cuda.pop(&popped);
}

/* Comparisons alone know signs. */
static void *find_kernel(struct loaded *x, int type, int op) {
    char name[32];
    void **kernel = &x->kernel[op][type];
    int compares = op == BINE_REDUCE_MIN || op == BINE_REDUCE_MAX;
    snprintf(name, sizeof name, "%s_%s", operators[op],
             compares ? types[type].name : types[type].unsigned_name);
    pthread_mutex_lock(&lock);
    if (*kernel == NULL && bine_cuda.module_function(kernel, x->module, name) != 0)
        *kernel = NULL;
    pthread_mutex_unlock(&lock);
    return *kernel;
}

/* Elements up to the first vector, where all buffers have vectors at equal elements; else all. */
static void find_body(struct bine_job *job, size_t size) {
    uintptr_t first = (uintptr_t)job->from[0];
    int alike = first % size == 0;
    for (int i = 1; i < job->k; i++)
        alike &= ((uintptr_t)job->from[i] - first) % VECTOR == 0;
    for (int i = 0; i < job->m; i++)
        alike &= ((uintptr_t)job->to[i] - first) % VECTOR == 0;
    long long head = (long long)((VECTOR - first % VECTOR) % VECTOR / size);
    job->head = alike && head < job->n ? head : 0;
    job->body = alike && head < job->n ? (job->n - head) / (long long)(VECTOR / size) : 0;
}

static int launch(struct loaded *x, void *kernel, struct bine_job *job, long long threads,
                  unsigned rows) {
    void *arguments[] = {job};
    long long blocks = (threads + THREADS - 1) / THREADS, most = BLOCKS_MOST / rows + 1;
    blocks = blocks < 1 ? 1 : blocks < most ? blocks : most;
    return bine_cuda.launch(kernel, (unsigned)blocks, rows, 1, THREADS, 1, 1, 0, x->stream,
                            arguments, NULL) == 0
               ? 0
               : -1;
}

int bine_launch_reduce(void *context, int type, int op, struct bine_job *job) {
    struct loaded *x = enter(context, 1);
    if (x == NULL)
        return -1;
    find_body(job, types[type].size);
    void *kernel = find_kernel(x, type, op);
    long long threads = job->body > 0 ? (job->body + AT_ONCE - 1) / AT_ONCE : job->n;
    int rc = kernel != NULL ? launch(x, kernel, job, threads, 1) : -1;
    leave();
    return rc;
}

int bine_launch_spread(void *context, struct bine_job *job) {
    job->k = 1;
    return bine_launch_reduce(context, BINE_REDUCE_U8, BINE_REDUCE_BOR, job);
}

int bine_launch_pairs(void *context, struct bine_job *job) {
    struct loaded *x = enter(context, 1);
    if (x == NULL)
        return -1;
    int rc = launch(x, x->pairs, job, job->n / VECTOR + 1, (unsigned)job->m);
    leave();
    return rc;
}

int bine_launch_copy(void *context, void *to, const void *from, size_t bytes) {
    struct loaded *x = enter(context, 0);
    if (x == NULL)
        return -1;
    int rc = bine_cuda.copy_async((uintptr_t)to, (uintptr_t)from, bytes, x->stream);
    leave();
    return rc == 0 ? 0 : -1;
}

int bine_launch_wait(void *context) {
    struct loaded *x = enter(context, 0);
    if (x == NULL)
        return -1;
    int rc = bine_cuda.stream_wait(x->stream);
    leave();
    return rc == 0 ? 0 : -1;
}
