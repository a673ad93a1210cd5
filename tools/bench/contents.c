/* What is sent, and whether the right thing was received.
 *
 * Every vector repeats a pattern of 61 elements (a prime, so that blocks of different ranks start
 * at different places of it), which depends on the rank that it comes from and on the round. So
 * the expected result is a pattern too, however long the vector, and what an earlier round left
 * behind is not mistaken for a result. */
#include "bench/bench.h"

#include "base/numbers.h"

#include <stdlib.h>
#include <string.h>

enum { PERIOD = 61, MOST_SIZE = 8, POISON = 0xa5 };

struct pattern {
    char byte[PERIOD * MOST_SIZE];
    size_t size; /* of an element */
};

/* What rank r puts into place k of the pattern of a reduction. Sums and bits stay exact in every
 * type; exactly one rank in 61 has a factor other than 1. */
static int64_t value_at(enum bench_operation action, int r, int k, uint64_t round) {
    int mixed = (int)(((uint64_t)r * 13 + (uint64_t)k * 7 + round * 5) % 101);
    if (action == BENCH_PROD)
        return r % PERIOD == (k + (int)(round % PERIOD)) % PERIOD ? 2 : 1;
    if (action == BENCH_LAND || action == BENCH_LOR)
        return mixed % 2;
    return mixed + 1;
}

static int64_t combine(enum bench_operation action, int64_t a, int64_t b) {
    switch (action) {
    case BENCH_SUM:
        return a + b;
    case BENCH_PROD:
        return a * b;
    case BENCH_MAX:
        return a > b ? a : b;
    case BENCH_MIN:
        return a < b ? a : b;
    case BENCH_BAND:
        return a & b;
    case BENCH_BOR:
        return a | b;
    case BENCH_BXOR:
        return a ^ b;
    case BENCH_LAND:
        return a && b;
    case BENCH_LOR:
        return a || b;
    default:
        return a;
    }
}

static void encode(struct pattern *to, int k, int64_t value, enum bench_kind kind) {
    union {
        char c;
        int i;
        unsigned u;
        long l;
        float f;
        double d;
    } x;
    memset(&x, 0, sizeof x);
    if (kind == BENCH_FLOAT)
        x.f = (float)value;
    else if (kind == BENCH_DOUBLE)
        x.d = (double)value;
    else if (kind == BENCH_LONG)
        x.l = (long)value;
    else if (kind == BENCH_INT)
        x.i = (int)value;
    else if (kind == BENCH_UNSIGNED)
        x.u = (unsigned)value;
    else
        x.c = (char)value;
    memcpy(to->byte + (size_t)k * to->size, &x, to->size);
}

/* What rank r contributes to a reduction. */
static void make_numbers(const struct bench_call *call, int r, uint64_t round, struct pattern *to) {
    for (int k = 0; k < PERIOD; k++)
        encode(to, k, value_at(call->wish->op.action, r, k, round), call->wish->type.kind);
}

/* How many ranks are added up, from the first on. */
static int ranks_of_sum(const struct bench_call *call) {
    int rank = call->world->rank;
    enum bine_collective kind = call->collective->kind;
    return kind == BINE_SCAN ? rank + 1 : kind == BINE_EXSCAN ? rank : call->world->p;
}

/* What the reduction over these ranks should give. */
static void make_result(const struct bench_call *call, uint64_t round, struct pattern *to) {
    enum bench_operation action = call->wish->op.action;
    for (int k = 0; k < PERIOD; k++) {
        int64_t all = value_at(action, 0, k, round);
        for (int r = 1; r < ranks_of_sum(call); r++)
            all = combine(action, all, value_at(action, r, k, round));
        encode(to, k, all, call->wish->type.kind);
    }
}

/* What rank r has where data is only moved: any bits will do. */
static void make_bits(int r, uint64_t round, struct pattern *to) {
    uint64_t x = (uint64_t)r * 0x9e3779b97f4a7c15u + round * 0xd1b54a32d192ed03u + 1;
    for (size_t i = 0; i < PERIOD * to->size; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        to->byte[i] = (char)(x >> 32);
    }
}

static struct pattern pattern_of(const struct bench_call *call, int r, uint64_t round) {
    struct pattern to = {.size = call->wish->type.size};
    if (bine_collective_reduces(call->collective->kind))
        make_numbers(call, r, round, &to);
    else
        make_bits(r, round, &to);
    return to;
}

/* Write so many elements of the pattern, or compare with them, from its place `phase` on. */
static int walk(char *at, size_t elements, const struct pattern *p, size_t phase, int write) {
    size_t from = phase % PERIOD;
    while (elements > 0) {
        size_t n = bine_min(PERIOD - from, elements);
        if (write)
            memcpy(at, p->byte + from * p->size, n * p->size);
        else if (memcmp(at, p->byte + from * p->size, n * p->size) != 0)
            return 0;
        at += n * p->size;
        elements -= n;
        from = 0;
    }
    return 1;
}

static int in_place_here(const struct bench_call *call) {
    return call->send == MPI_IN_PLACE;
}

/* Where a rank's own contribution is in its receive buffer, in place. */
static char *own_place(const struct bench_call *call) {
    enum bine_collective kind = bine_collective_kind(call->collective->kind);
    int blocks = kind == BINE_GATHER || kind == BINE_ALLGATHER;
    return call->out + (blocks ? call->in_bytes * (size_t)call->world->rank : 0);
}

void bench_write(const struct bench_call *call, uint64_t round) {
    struct pattern mine = pattern_of(call, call->world->rank, round);
    if (call->collective->kind == BINE_BCAST) {
        if (call->world->rank == call->wish->root)
            walk(call->out, (size_t)call->count, &mine, 0, 1);
        return;
    }
    walk(in_place_here(call) ? own_place(call) : call->in, call->in_bytes / mine.size, &mine, 0, 1);
}

void bench_fill(const struct bench_call *call, uint64_t round) {
    memset(call->out, POISON, call->out_bytes + BENCH_GUARD);
    bench_write(call, round);
}

/* Blocks from all ranks, in `out`: the pattern of each, from `phase` on. */
static int verify_blocks(const struct bench_call *call, uint64_t round, size_t phase) {
    for (int r = 0; r < call->world->p; r++) {
        struct pattern theirs = pattern_of(call, r, round);
        size_t at = (size_t)r * (size_t)call->block * theirs.size;
        if (!walk(call->out + at, (size_t)call->block, &theirs, phase, 0))
            return 0;
    }
    return 1;
}

static int verify_result(const struct bench_call *call, uint64_t round) {
    struct pattern all = {.size = call->wish->type.size};
    size_t phase = (size_t)call->world->rank * (size_t)call->block;
    int blocks = call->collective->kind == BINE_REDUCE_SCATTER;
    if (ranks_of_sum(call) == 0) /* anything will do */
        return 1;
    make_result(call, round, &all);
    return walk(call->out, (size_t)(blocks ? call->block : call->count), &all, blocks ? phase : 0,
                0);
}

/* What was received. */
static int verify_out(const struct bench_call *call, uint64_t round) {
    size_t phase = (size_t)call->world->rank * (size_t)call->block;
    struct pattern root = pattern_of(call, call->wish->root, round);
    switch (bine_collective_kind(call->collective->kind)) {
    case BINE_BCAST:
        return walk(call->out, (size_t)call->count, &root, 0, 0);
    case BINE_SCATTER:
        return call->receive == MPI_IN_PLACE ||
               walk(call->out, (size_t)call->block, &root, phase, 0);
    case BINE_GATHER:
        return call->out_bytes == 0 || verify_blocks(call, round, 0);
    case BINE_ALLGATHER:
        return verify_blocks(call, round, 0);
    case BINE_ALLTOALL:
        return verify_blocks(call, round, phase);
    default:
        return call->out_bytes == 0 || verify_result(call, round);
    }
}

int bench_verify(const struct bench_call *call, uint64_t round) {
    struct pattern mine = pattern_of(call, call->world->rank, round);
    for (int i = 0; i < BENCH_GUARD; i++)
        if ((unsigned char)call->out[call->out_bytes + (size_t)i] != POISON)
            return 0;
    if (!in_place_here(call) && call->collective->kind != BINE_BCAST &&
        !walk(call->in, call->in_bytes / mine.size, &mine, 0, 0))
        return 0;
    return verify_out(call, round);
}
