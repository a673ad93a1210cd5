/* MPI's types and operators that src/board reduces: only pairs for which its results equal the MPI
 * library's. That is found out once for each pair, because libraries have faults (MPICH 4.0
 * compares unsigned numbers as if they were signed), and a program must not see two kinds of sums.
 */
#include "engine/boards.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

/* Enough for every way in which a library may take several at a time. */
enum { SAMPLES = 67 };

/* Numbers of all sizes and signs; no zeros, whose signs MPI does not promise. */
static void draw_samples(int class, uint64_t seed, char *to) {
    size_t size = bine_reduce_size((enum bine_reduce_type) class);
    for (size_t i = 0; i < SAMPLES; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        double d = ((double)(seed >> 40) + 1) * (seed >> 20 & 1 ? -1 : 1) / 4096;
        float f = (float)d;
        uint64_t n = i % 2 == 0 ? seed : seed >> (seed >> 58);
        const void *from = class == BINE_REDUCE_F64   ? (const void *)&d
                           : class == BINE_REDUCE_F32 ? (const void *)&f
                                                      : (const void *)&n;
        memcpy(to + i * size, from, size);
    }
}

static int agrees_with_mpi(bine_reduce_pass *pass, int class, bine_type_handle type,
                           bine_op_handle op) {
    _Alignas(64) char a[SAMPLES * sizeof(double)], b[sizeof a], mine[sizeof a];
    const void *from[] = {a, b};
    draw_samples(class, 1, a);
    draw_samples(class, 2, b);
    pass(mine, from, 2, SAMPLES);
    return bine_transport.reduce(a, b, SAMPLES, type, op) == BINE_OK &&
           memcmp(mine, b, SAMPLES * bine_reduce_size((enum bine_reduce_type) class)) == 0;
}

int bine_pass_name(bine_type_handle type, bine_op_handle op, int *class, int *operation) {
    int found =
        bine_pass_find(type, op) != NULL && bine_transport.match(type, op, class, operation) >= 0;
    return found ? 0 : -1;
}

/* Threads may test one pair at once. */
bine_reduce_pass *bine_pass_find(bine_type_handle type, bine_op_handle op) {
    enum { UNKNOWN, GOOD, BAD };
    static atomic_int known[BINE_MATCHES][BINE_REDUCE_OPERATORS];
    int class, operation, row = bine_transport.match(type, op, &class, &operation);
    if (row < 0)
        return NULL;
    bine_reduce_pass *pass =
        bine_reduce_find((enum bine_reduce_type) class, (enum bine_reduce_operator)operation);
    if (pass == NULL)
        return NULL;
    int state = atomic_load_explicit(&known[row][operation], memory_order_relaxed);
    if (state == UNKNOWN) {
        state = agrees_with_mpi(pass, class, type, op) ? GOOD : BAD;
        atomic_store_explicit(&known[row][operation], state, memory_order_relaxed);
    }
    return state == GOOD ? pass : NULL;
}
