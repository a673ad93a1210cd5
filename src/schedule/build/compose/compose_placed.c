/* Layouts permute and send: where blocks lie so that every message is one run.
 *
 * All trees at once (allgather, reduce-scatter and compositions of them), powers of two: by closed
 * form, see moves.h. One tree (scatter and gather on a torus), any p: by the depth-first post-order
 * of the tree, children in the order of time, where every subtree is one run that ends with its
 * root.
 *
 * In the layout send nothing is permuted: the rank at place x takes part for block x, and one
 * more exchange, after a scatter or before a gather, brings every block where it belongs. */
#include "schedule/build/compose/compose.h"

#include <stdlib.h>

int bine_spec_place(const struct bine_spec *spec, int rank) {
    return bine_algorithm_place(spec->algorithm, spec->p, spec->dims, spec->port, rank);
}

int bine_spec_rank_at(const struct bine_spec *spec, int place) {
    return bine_algorithm_rank_at(spec->algorithm, spec->p, spec->dims, spec->port, place);
}

void bine_space_permuted(struct bine_schedule *s, const struct bine_spec *spec) {
    if (spec->algorithm->places != BINE_PLACE_TORUS) {
        bine_schedule_space(s, BINE_TMP, spec->p, BINE_NU_PLACES, 0);
        return;
    }
    struct bine_torus t =
        bine_torus_make(bine_family_torus_kind(spec->algorithm->tree), spec->dims, spec->port);
    bine_schedule_space(s, BINE_TMP, 0, BINE_LISTED, 0);
    for (int place = 0; place < spec->p; place++)
        bine_schedule_subset(s, BINE_TMP, bine_torus_rank_at(&t, place), 1);
}

/* The tree of the root, as a rank sees it. */
struct subtree {
    const struct bine_tree *tree;
    int root;
    int32_t *rank_at; /* of each place */
    int place;        /* of the rank's own node */
    int first;        /* its subtree is the places first .. place */
    int begin, end;   /* its children */
    int node, fix;    /* fix: the exchange takes a step */
};

static int depth(const struct bine_tree *t, int v) {
    int n = 0;
    for (; v != 0; v = t->parent[v])
        n++;
    return n;
}

/* Of the nodes entered up to the last below v, all but the nodes above v are left before it. */
static int post_order(const struct bine_tree *t, int v) {
    return t->leave[v] - 1 - depth(t, v);
}

static int first_below(const struct bine_tree *t, int v) {
    return post_order(t, v) - (t->leave[v] - t->enter[v]) + 1;
}

static int subtree_open(struct subtree *x, const struct bine_spec *spec,
                        const struct bine_tree *t) {
    int v = bine_tree_node(t, spec->root, spec->rank);
    *x = (struct subtree){.tree = t, .root = spec->root, .node = v};
    x->rank_at = malloc((size_t)t->p * sizeof *x->rank_at);
    if (x->rank_at == NULL)
        return -1;
    for (int w = 0; w < t->p; w++)
        x->rank_at[post_order(t, w)] = bine_tree_rank(t, spec->root, w);
    x->place = post_order(t, v);
    x->first = first_below(t, v);
    x->begin = t->kids_at[v];
    x->end = t->kids_at[v + 1];
    x->fix = spec->layout == BINE_SEND && t->p > 1;
    return 0;
}

static int kid_rank(const struct subtree *x, int k) {
    return bine_tree_rank(x->tree, x->root, x->tree->kids[k]);
}

static int parent_rank(const struct subtree *x) {
    return bine_tree_rank(x->tree, x->root, x->tree->parent[x->node]);
}

/* tmp holds the blocks of the rank's subtree, in their order: in the layout send, those of the same
 * numbers. */
static void subtree_tmp(struct bine_schedule *s, const struct subtree *x) {
    bine_schedule_space(s, BINE_TMP, 0, s->layout == BINE_SEND ? BINE_SUBSET : BINE_LISTED, 0);
    if (s->layout == BINE_SEND)
        bine_schedule_subset(s, BINE_TMP, x->first, x->place - x->first + 1);
    else
        for (int k = x->first; k <= x->place; k++)
            bine_schedule_subset(s, BINE_TMP, x->rank_at[k], 1);
}

static void message(struct bine_schedule *s, enum bine_op_kind kind, int peer, int space, int first,
                    int count) {
    bine_schedule_op(s, kind, BINE_SIDE_ANY, peer);
    bine_schedule_run(s, space, first, count, 0);
}

/* To or from a child, whose blocks begin at `first - base` of the space. */
static void with_kid(struct bine_schedule *s, const struct subtree *x, int k,
                     enum bine_op_kind kind, int space, int base) {
    int c = x->tree->kids[k];
    message(s, kind, kid_rank(x, k), space, first_below(x->tree, c) - base,
            x->tree->leave[c] - x->tree->enter[c]);
}

static void scatter_root(struct bine_schedule *s, const struct subtree *x, int in_place) {
    int permuted = s->layout == BINE_PERMUTE && s->p > 1;
    bine_schedule_space(s, BINE_IN, s->p, BINE_NATURAL, 0);
    if (permuted) {
        subtree_tmp(s, x);
        bine_emit_permute(s, BINE_TMP, BINE_IN, s->p);
    }
    for (int k = x->begin; k < x->end; k++) {
        bine_schedule_step_at(s, x->tree->step[x->tree->kids[k]]);
        with_kid(s, x, k, BINE_OP_SEND, permuted ? BINE_TMP : BINE_IN, 0);
    }
    if (x->fix && x->place != s->rank) {
        bine_schedule_step(s, s->times - 1);
        message(s, BINE_OP_SEND, x->place, BINE_IN, x->place, 1);
    }
    if (!in_place)
        bine_emit_copy(s, BINE_OUT, 0, BINE_IN, s->rank);
}

/* The block at the end of tmp is of rank `place`; our own comes from the rank at our place. The
 * root has its own. */
static void scatter_fix(struct bine_schedule *s, const struct subtree *x, int last) {
    if (x->place == s->rank) {
        bine_emit_copy(s, BINE_OUT, 0, BINE_TMP, last);
        return;
    }
    bine_schedule_step(s, s->times - 1);
    message(s, BINE_OP_RECV, x->rank_at[s->rank], BINE_OUT, 0, 1);
    if (x->place != x->root)
        message(s, BINE_OP_SEND, x->place, BINE_TMP, last, 1);
}

static void scatter_below(struct bine_schedule *s, const struct subtree *x) {
    int count = x->place - x->first + 1, direct = count == 1 && !x->fix;
    if (!direct)
        subtree_tmp(s, x);
    bine_schedule_step(s, x->tree->step[x->node]);
    message(s, BINE_OP_RECV, parent_rank(x), direct ? BINE_OUT : BINE_TMP, 0, count);
    for (int k = x->begin; k < x->end; k++) {
        bine_schedule_step_at(s, x->tree->step[x->tree->kids[k]]);
        with_kid(s, x, k, BINE_OP_SEND, BINE_TMP, x->first);
    }
    if (x->fix)
        scatter_fix(s, x, count - 1);
    else if (!direct)
        bine_emit_copy(s, BINE_OUT, 0, BINE_TMP, count - 1);
}

static int with_subtree(struct bine_schedule *s, const struct bine_spec *spec,
                        void (*emit)(struct bine_schedule *, const struct subtree *, int)) {
    struct bine_tree *own = spec->tree == NULL ? bine_spec_tree(spec) : NULL;
    const struct bine_tree *t = spec->tree != NULL ? spec->tree : own;
    struct subtree x;
    int rc = t == NULL ? -1 : subtree_open(&x, spec, t);
    if (rc == 0) {
        emit(s, &x, spec->in_place);
        free(x.rank_at);
    }
    bine_tree_free(own);
    return rc;
}

static void scatter_emit(struct bine_schedule *s, const struct subtree *x, int in_place) {
    bine_schedule_space(s, BINE_OUT, 1, BINE_ONE, s->rank);
    if (s->rank == x->root)
        scatter_root(s, x, in_place);
    else
        scatter_below(s, x);
}

int bine_compose_scatter_placed(struct bine_schedule *s, const struct bine_spec *spec) {
    return with_subtree(s, spec, scatter_emit);
}

/* Backwards; behind the exchange where there is one. */
static int gather_time(const struct subtree *x, int v) {
    return x->fix + x->tree->steps - 1 - x->tree->step[v];
}

static void from_kids(struct bine_schedule *s, const struct subtree *x, int space, int base) {
    for (int k = x->end; k > x->begin; k--) {
        bine_schedule_step_at(s, gather_time(x, x->tree->kids[k - 1]));
        with_kid(s, x, k - 1, BINE_OP_RECV, space, base);
    }
}

/* Our own block goes to the rank at our place; the block of our place comes from its rank. */
static void gather_fix(struct bine_schedule *s, const struct subtree *x, int space, int place) {
    bine_schedule_step(s, 0);
    message(s, BINE_OP_RECV, x->place, space, place, 1);
    message(s, BINE_OP_SEND, x->rank_at[s->rank], BINE_IN, 0, 1);
}

static void gather_root(struct bine_schedule *s, const struct subtree *x, int in_place) {
    int permuted = s->layout == BINE_PERMUTE && s->p > 1;
    bine_schedule_space(s, BINE_OUT, s->p, BINE_NATURAL, 0);
    if (permuted) {
        subtree_tmp(s, x);
        bine_emit_copy(s, BINE_TMP, x->place, BINE_IN, 0);
    } else if (x->fix && x->place != s->rank) {
        gather_fix(s, x, BINE_OUT, x->place);
    } else if (!in_place) {
        bine_emit_copy(s, BINE_OUT, s->rank, BINE_IN, 0);
    }
    from_kids(s, x, permuted ? BINE_TMP : BINE_OUT, 0);
    if (permuted)
        bine_emit_permute(s, BINE_OUT, BINE_TMP, s->p);
}

static void gather_below(struct bine_schedule *s, const struct subtree *x) {
    int count = x->place - x->first + 1, fix = x->fix && x->place != s->rank;
    int direct = count == 1 && !fix;
    if (!direct)
        subtree_tmp(s, x);
    if (fix)
        gather_fix(s, x, BINE_TMP, count - 1);
    else if (!direct)
        bine_emit_copy(s, BINE_TMP, count - 1, BINE_IN, 0);
    from_kids(s, x, BINE_TMP, x->first);
    bine_schedule_step_at(s, gather_time(x, x->node));
    message(s, BINE_OP_SEND, parent_rank(x), direct ? BINE_IN : BINE_TMP, 0, count);
}

static void gather_emit(struct bine_schedule *s, const struct subtree *x, int in_place) {
    bine_schedule_space(s, BINE_IN, 1, BINE_ONE, s->rank);
    if (s->rank == x->root)
        gather_root(s, x, in_place);
    else
        gather_below(s, x);
}

int bine_compose_gather_placed(struct bine_schedule *s, const struct bine_spec *spec) {
    return with_subtree(s, spec, gather_emit);
}
