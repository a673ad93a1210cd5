/* Alltoall between groups: every block crosses once, and blocks that come from one group and go to
 * one rank cross together.
 *
 * The block from i to j goes to the rank of i's group that collects for j (the entry of the group
 * for block j, see pattern/groups.h), in step 0, and from there to j, in step 1. Inside a group
 * blocks go straight to where they belong, in step 0. The group is the smallest set of ranks that
 * is known: a node, if nodes are.
 *
 * Blocks collected for other ranks j lie in tmp: for each j, the blocks of the other ranks of
 * the group, in their order. In place, the caller's data moves to tmp first, behind that. */
#include "base/sort.h"
#include "schedule/build/compose/compose.h"

#include <stdlib.h>

struct crossing {
    const struct bine_groups *groups;
    const struct bine_spec *request;
    int level, set, first, size; /* of the rank's own set */
    int mine;                    /* its place there */
    int32_t *memory;             /* of the arrays below */
    int32_t *begin;              /* the k-th rank of the set collects for receiver[begin[k]] .. */
    int32_t *receiver;           /* receiver[begin[k + 1] - 1], ascending, itself among them */
    int collected;               /* blocks of others that pass through */
    int in_space, in_place_at;   /* where the caller's data lies */
};

static int is_inside(const struct crossing *x, int rank) {
    return x->groups->level[x->level].set_of[rank] == x->set;
}

/* The collector of the set for each destination. */
static int share_receivers(struct crossing *x) {
    const struct bine_groups *g = x->groups;
    const int32_t *place = g->level[g->levels - 1].set_of;
    size_t p = (size_t)g->p, size = (size_t)x->size;
    x->memory = malloc((2 * p + size + 2) * sizeof *x->memory);
    if (x->memory == NULL)
        return -1;
    x->receiver = x->memory + p;
    x->begin = x->receiver + p;
    for (int j = 0; j < g->p; j++)
        x->memory[j] =
            place[is_inside(x, j) ? j : bine_groups_entry(g, x->level, x->set, j)] - x->first;
    bine_sort_by(x->memory, 0, g->p, x->size, x->begin, x->receiver);
    x->collected = (x->begin[x->mine + 1] - x->begin[x->mine] - 1) * (x->size - 1);
    return 0;
}

static int open_crossing(struct crossing *x, const struct bine_spec *spec) {
    const struct bine_groups *g = spec->groups;
    int level = bine_groups_last(g), set = g->level[level].set_of[spec->rank];
    *x = (struct crossing){.groups = g, .request = spec, .level = level, .set = set};
    x->first = g->level[level].begin[set];
    x->size = bine_groups_size(g, level, set);
    x->mine = g->level[g->levels - 1].set_of[spec->rank] - x->first;
    if (share_receivers(x) != 0)
        return -1;
    x->in_space = spec->in_place ? BINE_TMP : BINE_IN;
    x->in_place_at = spec->in_place ? x->collected : 0;
    return 0;
}

/* The place of the block that the k-th rank of the set gave this one for the n-th of the others
 * that it collects for. */
static int slot_of(const struct crossing *x, int n, int k) {
    return n * (x->size - 1) + (k < x->mine ? k : k - 1);
}

static void put(struct bine_schedule *s, int space, int place) {
    bine_schedule_run(s, space, place, 1, s->layout == BINE_PACK);
}

/* Step 0: with every other rank of the set. */
static void exchange_inside(struct bine_schedule *s, const struct crossing *x) {
    int r = x->request->rank;
    for (int k = 0; k < x->size; k++) {
        int q = x->groups->member[x->first + k];
        if (q == r)
            continue;
        bine_schedule_op(s, BINE_OP_RECV, BINE_SIDE_ANY, q);
        for (int i = x->begin[x->mine], n = 0; i < x->begin[x->mine + 1]; i++)
            if (x->receiver[i] == r)
                put(s, BINE_OUT, q);
            else
                put(s, BINE_TMP, slot_of(x, n++, k));
    }
    for (int k = 0; k < x->size; k++) {
        int q = x->groups->member[x->first + k];
        if (q == r)
            continue;
        bine_schedule_op(s, BINE_OP_SEND, BINE_SIDE_ANY, q);
        for (int i = x->begin[k]; i < x->begin[k + 1]; i++)
            put(s, x->in_space, x->in_place_at + x->receiver[i]);
    }
}

/* Step 1: from the rank that collects for this one in each other set, and to all that it collects
 * for. */
static void cross(struct bine_schedule *s, const struct crossing *x) {
    const struct bine_groups *g = x->groups;
    const struct bine_level *l = &g->level[x->level];
    int r = x->request->rank;
    for (int set = 0; set < l->sets; set++) {
        if (set == x->set)
            continue;
        bine_schedule_op(s, BINE_OP_RECV, BINE_SIDE_ANY, bine_groups_entry(g, x->level, set, r));
        for (int i = l->begin[set]; i < l->begin[set + 1]; i++)
            put(s, BINE_OUT, g->member[i]);
    }
    for (int i = x->begin[x->mine], n = 0; i < x->begin[x->mine + 1]; i++) {
        int j = x->receiver[i];
        if (j == r)
            continue;
        bine_schedule_op(s, BINE_OP_SEND, BINE_SIDE_ANY, j);
        for (int k = 0; k < x->size; k++)
            if (k == x->mine)
                put(s, x->in_space, x->in_place_at + j);
            else
                put(s, BINE_TMP, slot_of(x, n, k));
        n++;
    }
}

static void emit(struct bine_schedule *s, const struct crossing *x) {
    const struct bine_spec *spec = x->request;
    const struct bine_level *l = &x->groups->level[x->level];
    int p = spec->p, inside = l->sets < p, time = 0;
    bine_schedule_space(s, BINE_IN, p, BINE_NATURAL, 0);
    bine_schedule_space(s, BINE_OUT, p, BINE_NATURAL, 0);
    bine_schedule_space(s, BINE_TMP, x->collected + (spec->in_place && p > 1 ? p : 0), BINE_SLOTS,
                        0);
    s->times = p == 1 ? 0 : inside + (l->sets > 1);
    if (spec->in_place && p > 1) {
        bine_schedule_step(s, -1);
        bine_schedule_op(s, BINE_OP_COPY, BINE_SIDE_ANY, -1);
        bine_schedule_run(s, BINE_TMP, x->collected, p, 0);
        bine_schedule_with(s, BINE_IN, 0, p);
    }
    if (inside && x->size > 1) {
        bine_schedule_step(s, time);
        exchange_inside(s, x);
    }
    time += inside;
    if (l->sets > 1) {
        bine_schedule_step(s, time);
        cross(s, x);
    }
    if (!spec->in_place)
        bine_emit_copy(s, BINE_OUT, spec->rank, BINE_IN, spec->rank);
}

int bine_compose_group_alltoall(struct bine_schedule *s, const struct bine_spec *spec) {
    struct crossing x;
    if (open_crossing(&x, spec) != 0)
        return -1;
    emit(s, &x);
    free(x.memory);
    return 0;
}
