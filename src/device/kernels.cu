/* The kernels: adding up several operands in one pass over memory, into any number of places.
 *
 * Operands are taken in their order, and every step is rounded to the type, so that the bits equal a
 * sum of one operand after the other. A thread has read all operands of an element before it writes
 * the sum, so that a place may be one of the operands. No kernel waits for anything. */
#include "job.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdint.h>

/* Vectors of 16 bytes that a thread has under way. */
constexpr int AT_ONCE = 4;

template <class T> union pack {
    uint4 bits;
    T value[16 / sizeof(T)];
    __device__ pack() {}
};

/* --- Operators */

struct sum {
    template <class T> __device__ static T of(T a, T b) { return (T)(a + b); }
};
struct prod {
    template <class T> __device__ static T of(T a, T b) { return (T)(a * b); }
};
struct min_ {
    template <class T> __device__ static T of(T a, T b) { return b < a ? b : a; }
};
struct max_ {
    template <class T> __device__ static T of(T a, T b) { return a < b ? b : a; }
};
struct band {
    template <class T> __device__ static T of(T a, T b) { return (T)(a & b); }
};
struct bor {
    template <class T> __device__ static T of(T a, T b) { return (T)(a | b); }
};
struct bxor {
    template <class T> __device__ static T of(T a, T b) { return (T)(a ^ b); }
};
struct land {
    template <class T> __device__ static T of(T a, T b) { return (T)(a && b); }
};
struct lor {
    template <class T> __device__ static T of(T a, T b) { return (T)(a || b); }
};
struct lxor {
    template <class T> __device__ static T of(T a, T b) { return (T)(!a != !b); }
};

/* Numbers of 16 bits are worked on as floats: one operation on them, rounded, is exact enough to
 * be the operation on the short ones, rounded. */
template <class T> struct short_float {
    T x;
    __device__ short_float() {}
    __device__ explicit short_float(float f) : x(f) {}
    __device__ operator float() const { return (float)x; }
};
typedef short_float<__half> f16;
typedef short_float<__nv_bfloat16> bf16;
typedef float f32;
typedef double f64;
typedef int8_t i8;
typedef uint8_t u8;
typedef int16_t i16;
typedef uint16_t u16;
typedef int32_t i32;
typedef uint32_t u32;
typedef int64_t i64;
typedef uint64_t u64;

/* --- One pass */

template <class T, class OP> __device__ void one_by_one(const bine_job &job, long long i) {
    T x = static_cast<const T *>(job.from[0])[i];
    for (int s = 1; s < job.k; s++)
        x = OP::of(x, static_cast<const T *>(job.from[s])[i]);
    for (int d = 0; d < job.m; d++)
        static_cast<T *>(job.to[d])[i] = x;
}

template <class T, class OP>
__device__ void add(pack<T> (&x)[AT_ONCE], const pack<T> (&y)[AT_ONCE]) {
#pragma unroll
    for (int u = 0; u < AT_ONCE; u++)
#pragma unroll
        for (int e = 0; e < (int)(16 / sizeof(T)); e++)
            x[u].value[e] = OP::of(x[u].value[e], y[u].value[e]);
}

template <class T>
__device__ void load(pack<T> (&x)[AT_ONCE], const void *from, const bine_job &job, long long at,
                     long long step) {
    const T *first = static_cast<const T *>(from) + job.head;
#pragma unroll
    for (int u = 0; u < AT_ONCE; u++)
        if (at + u * step < job.body)
            x[u].bits = reinterpret_cast<const uint4 *>(first)[at + u * step];
}

template <class T, class OP> __device__ void reduce(const bine_job &job) {
    const long long first = blockIdx.x * (long long)blockDim.x + threadIdx.x,
                    step = gridDim.x * (long long)blockDim.x;
    for (long long at = first; at < job.body; at += AT_ONCE * step) {
        pack<T> x[AT_ONCE], y[AT_ONCE];
        load(x, job.from[0], job, at, step);
        for (int s = 1; s < job.k; s++) {
            load(y, job.from[s], job, at, step);
            add<T, OP>(x, y);
        }
        for (int d = 0; d < job.m; d++) {
            uint4 *to = reinterpret_cast<uint4 *>(static_cast<T *>(job.to[d]) + job.head);
#pragma unroll
            for (int u = 0; u < AT_ONCE; u++)
                if (at + u * step < job.body)
                    to[at + u * step] = x[u].bits;
        }
    }
    const long long behind = job.body * (long long)(16 / sizeof(T));
    for (long long i = first; i < job.n - behind; i += step)
        one_by_one<T, OP>(job, i < job.head ? i : i + behind);
}

#define KERNEL(OP, CLASS, TYPE)                                                                    \
    extern "C" __global__ void OP##_##TYPE(const __grid_constant__ bine_job job) {                 \
        reduce<TYPE, CLASS>(job);                                                                  \
    }
/* Of integers, the sign is of no account but in comparisons. */
#define INTEGERS(OP, CLASS)                                                                        \
    KERNEL(OP, CLASS, u8)                                                                          \
    KERNEL(OP, CLASS, u16) KERNEL(OP, CLASS, u32) KERNEL(OP, CLASS, u64)
#define FLOATS(OP, CLASS)                                                                          \
    KERNEL(OP, CLASS, f16)                                                                         \
    KERNEL(OP, CLASS, bf16) KERNEL(OP, CLASS, f32) KERNEL(OP, CLASS, f64)
#define SIGNED(OP, CLASS)                                                                          \
    KERNEL(OP, CLASS, i8)                                                                          \
    KERNEL(OP, CLASS, i16) KERNEL(OP, CLASS, i32) KERNEL(OP, CLASS, i64)

INTEGERS(sum, sum)
FLOATS(sum, sum)
INTEGERS(prod, prod)
FLOATS(prod, prod)
INTEGERS(min, min_)
SIGNED(min, min_)
FLOATS(min, min_)
INTEGERS(max, max_)
SIGNED(max, max_)
FLOATS(max, max_)
INTEGERS(band, band)
INTEGERS(bor, bor)
INTEGERS(bxor, bxor)
INTEGERS(land, land)
INTEGERS(lor, lor)
INTEGERS(lxor, lxor)

/* --- Copies, one for each row of blocks */

template <class T>
__device__ void copy(const char *from, char *to, long long n, long long first, long long step) {
    long long whole = n / (long long)sizeof(T);
    for (long long i = first; i < whole; i += step)
        reinterpret_cast<T *>(to)[i] = reinterpret_cast<const T *>(from)[i];
    for (long long i = whole * (long long)sizeof(T) + first; i < n; i += step)
        to[i] = from[i];
}

extern "C" __global__ void pairs(const __grid_constant__ bine_job job) {
    const char *from = static_cast<const char *>(job.from[blockIdx.y]);
    char *to = static_cast<char *>(job.to[blockIdx.y]);
    const long long first = blockIdx.x * (long long)blockDim.x + threadIdx.x,
                    step = gridDim.x * (long long)blockDim.x;
    const uintptr_t apart = reinterpret_cast<uintptr_t>(from) ^ reinterpret_cast<uintptr_t>(to);
    const int word = apart % 16 == 0 ? 16 : apart % 4 == 0 ? 4 : 1;
    long long head = -reinterpret_cast<uintptr_t>(from) & (uintptr_t)(word - 1);
    head = head < job.n ? head : job.n;
    if (first < head)
        to[first] = from[first];
    if (word == 16)
        copy<uint4>(from + head, to + head, job.n - head, first, step);
    else if (word == 4)
        copy<uint32_t>(from + head, to + head, job.n - head, first, step);
    else
        copy<char>(from + head, to + head, job.n - head, first, step);
}
