/* The kernels of a device: whether they are right, and how fast they are beside a copy.
 *
 *     bench-kernels [MIB]     vectors of so many MiB (256)
 *
 * Every kernel is first held against what the host gets, on vectors of all alignments. Then each
 * line has bytes read and written per second, and the share of what a copy on the device reaches in
 * the same run. Needs a device; without one it says so and ends with 77. */
#include "device/cuda.h"
#include "device/launch.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void *context;

static int begin(void) {
    int (*init)(unsigned), (*retain)(void **, int), (*use)(void *);
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    void **function = (void **)(void *)&bine_cuda;
    if (library == NULL)
        return -1;
    for (int i = 0; i < BINE_CUDA_FUNCTIONS; i++)
        if ((function[i] = dlsym(library, bine_cuda_names[i])) == NULL)
            return -1;
    *(void **)&init = dlsym(library, "cuInit");
    *(void **)&retain = dlsym(library, "cuDevicePrimaryCtxRetain");
    *(void **)&use = dlsym(library, "cuCtxSetCurrent");
    return init(0) == 0 && retain(&context, 0) == 0 && use(context) == 0 ? 0 : -1;
}

static char *device_new(size_t bytes) {
    uintptr_t address = 0;
    if (bine_cuda.allocate(&address, bytes) != 0) {
        fprintf(stderr, "no memory on the device for %zu bytes\n", bytes);
        exit(1);
    }
    return (char *)address;
}

static void copy(const void *to, const void *from, size_t bytes) {
    if (bine_cuda.copy((uintptr_t)to, (uintptr_t)from, bytes) != 0 ||
        bine_cuda.stream_wait(NULL) != 0)
        exit(1);
}

/* --- Right */

enum { ROOM = 20000, OPERANDS = 5 };

static uint64_t seed = 1;

/* Numbers that are exact in every type of floats, as are their sums. */
static void draw(int type, size_t n, char *to) {
    for (size_t i = 0; i < n; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        double d = (double)(seed >> 60) - 8;
        float f = (float)d;
        const void *from = type == BINE_REDUCE_F64   ? (const void *)&d
                           : type == BINE_REDUCE_F32 ? (const void *)&f
                                                     : (const void *)&seed;
        memcpy(to + i * bine_device_size(type), from, bine_device_size(type));
    }
}

/* One kernel, with operands that begin so many elements behind a vector's begin. */
static int check_one(int type, int op, size_t n, const size_t skip[OPERANDS + 1], char *there) {
    static char host[OPERANDS][ROOM], mine[ROOM], back[2][ROOM];
    size_t size = bine_device_size(type);
    const void *from[OPERANDS];
    struct bine_job job = {.k = OPERANDS, .m = 2, .n = (long long)n};
    for (int i = 0; i < OPERANDS; i++) {
        draw(type, n, host[i]);
        from[i] = host[i];
        job.from[i] = there + i * ROOM + skip[i] * size;
        copy(job.from[i], host[i], n * size);
    }
    bine_reduce_find((enum bine_reduce_type)type, (enum bine_reduce_operator)op)(mine, from,
                                                                                 OPERANDS, n);
    job.to[0] = there + OPERANDS * ROOM + skip[OPERANDS] * size;
    job.to[1] = there + skip[0] * size; /* the first operand's place */
    if (bine_launch_reduce(context, type, op, &job) != 0 || bine_launch_wait(context) != 0)
        return 0;
    copy(back[0], job.to[0], n * size);
    copy(back[1], job.to[1], n * size);
    return memcmp(mine, back[0], n * size) == 0 && memcmp(mine, back[1], n * size) == 0;
}

/* Floats of 16 bits, by whole numbers: their sums, products and extremes are whole numbers too. */
static uint16_t encode(int type, float f) {
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    if (type == BINE_DEVICE_BF16 || f == 0)
        return (uint16_t)(bits >> 16);
    int exponent = (int)(bits >> 23 & 255) - 127 + 15;
    return (uint16_t)((bits >> 16 & 0x8000) | (uint32_t)exponent << 10 | (bits >> 13 & 1023));
}

static int check_short(int type, int op, size_t n, char *there) {
    static uint16_t host[2][ROOM], mine[ROOM], back[ROOM];
    struct bine_job job = {.k = 2, .m = 1, .n = (long long)n, .from = {there, there + 2 * ROOM}};
    for (size_t i = 0; i < n; i++) {
        float a = (float)(i % 13) - 6, b = (float)(i % 7) - 3;
        float x[] = {a + b, a * b, a < b ? a : b, a > b ? a : b};
        host[0][i] = encode(type, a);
        host[1][i] = encode(type, b);
        mine[i] = encode(type, x[op]);
    }
    job.to[0] = there + 4 * ROOM;
    copy(job.from[0], host[0], 2 * n);
    copy(job.from[1], host[1], 2 * n);
    if (bine_launch_reduce(context, type, op, &job) != 0 || bine_launch_wait(context) != 0)
        return 0;
    copy(back, job.to[0], 2 * n);
    for (size_t i = 0; i < n; i++) /* 0 may have a sign */
        if (back[i] != mine[i] && ((back[i] | mine[i]) & 0x7fff) != 0)
            return 0;
    return 1;
}

static int check_all(void) {
    static const size_t skips[][OPERANDS + 1] = {{0}, {1, 1, 1, 1, 1, 1}, {3, 0, 1, 2, 0, 5}};
    static const size_t lengths[] = {1, 7, 64, 2049};
    char *there = device_new((OPERANDS + 2) * ROOM);
    int wrong = 0, kernels = 0;
    for (int op = 0; op < BINE_REDUCE_OPERATORS; op++)
        for (int type = 0; type < BINE_DEVICE_TYPES; type++) {
            int is_short = type >= BINE_REDUCE_TYPES;
            if (is_short ? op > BINE_REDUCE_MAX
                         : bine_reduce_find((enum bine_reduce_type)type,
                                            (enum bine_reduce_operator)op) == NULL)
                continue;
            kernels++;
            for (int i = 0; i < 12; i++) {
                size_t n = lengths[i % 4];
                int good = is_short ? check_short(type, op, n, there)
                                    : check_one(type, op, n, skips[i / 4], there);
                if (!good)
                    fprintf(stderr, "operator %d, type %d, %zu elements: wrong\n", op, type, n);
                wrong += !good;
            }
        }
    bine_cuda.release((uintptr_t)there);
    printf("%d kernels checked, %d wrong\n", kernels, wrong);
    return wrong;
}

/* --- Fast */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum { TIMES = 20 };

/* Bytes a second of copies of n bytes, read and written. */
static double copy_rate(char *to, char *from, size_t n) {
    double begin = 0;
    for (int i = -2; i < TIMES; i++) {
        if (i == 0) {
            bine_cuda.stream_wait(NULL);
            begin = now();
        }
        if (bine_cuda.copy_async((uintptr_t)to, (uintptr_t)from, n, NULL) != 0)
            exit(1);
    }
    bine_cuda.stream_wait(NULL);
    return 2.0 * TIMES * (double)n / (now() - begin);
}

static double reduce_rate(int type, int op, char *const at[], int k, int m, size_t n) {
    struct bine_job job = {.k = k, .m = m, .n = (long long)(n / bine_device_size(type))};
    double begin = 0;
    for (int i = 0; i < k; i++)
        job.from[i] = at[i];
    for (int i = 0; i < m; i++)
        job.to[i] = at[k + i];
    for (int i = -2; i < TIMES; i++) {
        if (i == 0) {
            bine_launch_wait(context);
            begin = now();
        }
        if (bine_launch_reduce(context, type, op, &job) != 0)
            exit(1);
    }
    if (bine_launch_wait(context) != 0)
        exit(1);
    return (k + m) * (double)TIMES * (double)n / (now() - begin);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        int type, op, k, m;
    } row[] = {
        {"sum f32 2 to 1", BINE_REDUCE_F32, BINE_REDUCE_SUM, 2, 1},
        {"sum f64 2 to 1", BINE_REDUCE_F64, BINE_REDUCE_SUM, 2, 1},
        {"sum f16 2 to 1", BINE_DEVICE_F16, BINE_REDUCE_SUM, 2, 1},
        {"sum bf16 2 to 1", BINE_DEVICE_BF16, BINE_REDUCE_SUM, 2, 1},
        {"sum i32 2 to 1", BINE_REDUCE_I32, BINE_REDUCE_SUM, 2, 1},
        {"max i64 2 to 1", BINE_REDUCE_I64, BINE_REDUCE_MAX, 2, 1},
        {"max i8 2 to 1", BINE_REDUCE_I8, BINE_REDUCE_MAX, 2, 1},
        {"sum f32 2 to 2", BINE_REDUCE_F32, BINE_REDUCE_SUM, 2, 2},
        {"sum f32 8 to 1", BINE_REDUCE_F32, BINE_REDUCE_SUM, 8, 1},
        {"sum f32 8 to 8", BINE_REDUCE_F32, BINE_REDUCE_SUM, 8, 8},
    };
    size_t n = (argc > 1 ? strtoul(argv[1], NULL, 10) : 256) << 20;
    char *at[16];
    if (begin() != 0) {
        puts("skipped: there is no CUDA device");
        return 77;
    }
    int wrong = check_all();
    for (int i = 0; i < 16; i++)
        at[i] = device_new(n);
    double best = copy_rate(at[1], at[0], n);
    printf("%-16s %8.1f GB/s\n", "copy", best / 1e9);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        double rate = reduce_rate(row[i].type, row[i].op, at, row[i].k, row[i].m, n);
        printf("%-16s %8.1f GB/s  %5.1f %% of a copy\n", row[i].name, rate / 1e9,
               100 * rate / best);
    }
    return wrong > 0;
}
