/* The permutation of a whole space: one instruction. */
#include "engine/code.h"

#include <string.h>

static int is_even(const struct bine_map *m) {
    return m->table == NULL && m->extra == 0;
}

/* Dense blocks of one size. Small ones are worth an instruction or two instead of a call. */
static void permute_even(const struct bine_execution *x, int to, int from, const int32_t *to_place,
                         const int32_t *from_place, int pieces) {
    size_t size = (size_t)(x->map[to].block * x->type.extent);
    char *out = x->map[to].base;
    const char *in = x->map[from].base;
    for (int k = 0; k < pieces; k++) {
        char *a = out + size * (size_t)(to_place != NULL ? to_place[k] : k);
        const char *b = in + size * (size_t)(from_place != NULL ? from_place[k] : k);
        if (size == sizeof(int64_t))
            memcpy(a, b, sizeof(int64_t));
        else
            memcpy(a, b, size);
    }
}

/* One of the two spaces is in natural order: its place is the number of the block that the plan has
 * for the other's. */
int bine_code_permute(struct bine_execution *x, const struct bine_op *op) {
    const struct bine_schedule *s = x->plan->schedule;
    int to = s->run[op->runs].space, from = s->run[op->with].space, pieces = s->space[to].pieces;
    const int32_t *list = x->plan->permuted;
    const int32_t *to_place = to == bine_plan_permuted_space(s, op) ? NULL : list;
    const int32_t *from_place = to_place == NULL ? list : NULL;
    int rc = MPI_SUCCESS;
    int away = x->away.device != NULL;
    if (x->type.dense && !away && is_even(&x->map[to]) && is_even(&x->map[from])) {
        if (x->map[to].block > 0) /* there may be no buffers otherwise */
            permute_even(x, to, from, to_place, from_place, pieces);
        return rc;
    }
    for (int k = 0; k < pieces && rc == MPI_SUCCESS; k++) {
        struct bine_run a = bine_pieces(to, to_place != NULL ? to_place[k] : k, 1),
                        b = bine_pieces(from, from_place != NULL ? from_place[k] : k, 1);
        char *there = bine_address_of_run(x, &a, 0), *here = bine_address_of_run(x, &b, 0);
        int64_t n = bine_elements_of_run(x, &a);
        rc = away ? bine_away_copy(&x->away, there, here, n)
                  : bine_type_copy(&x->type, here, there, (MPI_Aint)n, x->comm, s->rank);
    }
    return rc;
}
