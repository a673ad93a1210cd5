/* The permutation of a whole space: one instruction. */
#include "engine/local.h"

#include <string.h>

static int is_even(const struct bine_map *m) {
    return m->table == NULL && m->extra == 0;
}

/* Blocks of one word, of which there is one list: small calls are made for these. */
static inline void permute_words(char *out, const char *in, const int32_t *place, int gathers,
                                 int n) {
    for (int k = 0; k < n; k++) {
        const char *from = in + sizeof(int64_t) * (size_t)(gathers ? place[k] : k);
        memcpy(out + sizeof(int64_t) * (size_t)(gathers ? k : place[k]), from, sizeof(int64_t));
    }
}

/* Dense blocks of one size. */
static void permute_even(const struct bine_execution *x, int to, int from, const int32_t *place,
                         int gathers, int n) {
    size_t size = (size_t)(x->map[to].block * x->type.extent);
    char *out = x->map[to].base;
    const char *in = x->map[from].base;
    if (size == sizeof(int64_t)) {
        if (gathers)
            permute_words(out, in, place, 1, n);
        else
            permute_words(out, in, place, 0, n);
        return;
    }
    for (int k = 0; k < n; k++)
        memcpy(out + size * (size_t)(gathers ? k : place[k]),
               in + size * (size_t)(gathers ? place[k] : k), size);
}

/* One of the two spaces is in natural order: its place is the number of the block that the plan has
 * for the other's. */
int bine_code_permute(struct bine_execution *x, const struct bine_op *op) {
    const struct bine_schedule *s = x->plan->schedule;
    int to = s->run[op->runs].space, from = s->run[op->with].space, pieces = s->space[to].pieces;
    int gathers = to == bine_plan_permuted_space(s, op);
    const int32_t *place = x->plan->permuted;
    int rc = BINE_OK;
    int on_device = x->on_device.device != NULL;
    if (x->type.dense && !on_device && is_even(&x->map[to]) && is_even(&x->map[from])) {
        if (x->map[to].block > 0) /* there may be no buffers otherwise */
            permute_even(x, to, from, place, gathers, pieces);
        return rc;
    }
    for (int k = 0; k < pieces && rc == BINE_OK; k++) {
        struct bine_run a = bine_pieces(to, gathers ? k : place[k], 1),
                        b = bine_pieces(from, gathers ? place[k] : k, 1);
        char *there = bine_address_of_run(x, &a, 0), *here = bine_address_of_run(x, &b, 0);
        int64_t n = bine_elements_of_run(x, &a);
        rc = on_device ? bine_on_device_copy(&x->on_device, there, here, n)
                       : bine_type_copy(&x->type, here, there, (ptrdiff_t)n, x->comm, s->rank);
    }
    return rc;
}
