#include "schedule/build/build.h"
#include "base/numbers.h"

#include "pattern/bine.h"
#include "schedule/build/compose.h"
#include "schedule/build/fold.h"
#include "schedule/build/parts.h"

#include <stdio.h>
#include <stdlib.h>

/* What is wrong with the dims and ports, or NULL. */
static const char *dims_error(const struct bine_request *rq, char *why, size_t size) {
    static const char *const expected[] = {"any", "even dimensions",
                                           "dimensions that are powers of two"};
    const struct bine_algorithm *a = rq->algorithm;
    if (bine_algorithm_needs(a) != BINE_NEEDS_DIMS) {
        if (rq->ports <= 1)
            return NULL;
        snprintf(why, size, "%d ports: %s %s has one", rq->ports,
                 bine_collective_name(a->collective), a->name);
    } else if (rq->dims == NULL || bine_shape_nodes(rq->dims) != rq->p)
        snprintf(why, size, "%s %s needs the dimensions of %d ranks",
                 bine_collective_name(a->collective), a->name, rq->p);
    else if (!bine_algorithm_takes_dims(a, rq->dims))
        snprintf(why, size, "%s %s does not take these dimensions: expected %s",
                 bine_collective_name(a->collective), a->name, expected[a->ranks]);
    else if (rq->ports < 0 || rq->ports > bine_torus_ports(rq->dims))
        snprintf(why, size, "%d ports: expected 1 to %d, two for each dimension", rq->ports,
                 bine_torus_ports(rq->dims));
    else
        return NULL;
    return why;
}

/* Whether ranks are known to be on more than one node. */
static int has_many_nodes(const struct bine_request *rq) {
    for (int r = 1; rq->node != NULL && r < rq->p; r++)
        if (rq->node[r] != rq->node[0])
            return 1;
    return rq->groups != NULL && bine_groups_count(rq->groups) > 1;
}

/* Segments of algorithms that know groups are strands, of which there are few. The segments of
 * rings are cut out of every rank's block. */
int bine_segments_most(const struct bine_algorithm *a, int p) {
    int most = 1 << 20;
    if (a->trees == 0)
        return 1;
    if (bine_algorithm_needs(a) == BINE_NEEDS_GROUPS)
        return BINE_GROUP_SEGMENTS;
    return a->composition == BINE_MAKE_RINGS && p > BINE_PIECES_MOST / most ? BINE_PIECES_MOST / p
                                                                            : most;
}

const char *bine_request_error(const struct bine_request *rq, char *why, size_t size) {
    const struct bine_algorithm *a = rq->algorithm;
    if (rq->p < 1)
        snprintf(why, size, "%d ranks: expected at least 1", rq->p);
    else if (rq->p > 1 << 24)
        snprintf(why, size, "%d ranks: expected at most %d", rq->p, 1 << 24);
    else if (rq->rank < 0 || rq->rank >= rq->p)
        snprintf(why, size, "rank %d: expected 0 to %d", rq->rank, rq->p - 1);
    else if (rq->root < 0 || rq->root >= rq->p)
        snprintf(why, size, "root %d: expected 0 to %d", rq->root, rq->p - 1);
    else if (!bine_algorithm_takes(a, rq->p))
        snprintf(why, size, "%s %s does not take %d ranks: expected %s",
                 bine_collective_name(a->collective), a->name, rq->p,
                 a->ranks == BINE_RANKS_EVEN ? "an even number" : "a power of two");
    else if (bine_algorithm_needs(a) == BINE_NEEDS_GROUPS &&
             (rq->groups == NULL || rq->groups->p != rq->p))
        snprintf(why, size, "%s %s needs the groups of %d ranks",
                 bine_collective_name(a->collective), a->name, rq->p);
    else if (bine_algorithm_needs(a) == BINE_NEEDS_BOARDS && has_many_nodes(rq))
        snprintf(why, size, "%s %s needs boards: expected all %d ranks on one node",
                 bine_collective_name(a->collective), a->name, rq->p);
    else if (dims_error(rq, why, size) != NULL)
        return why;
    else if (rq->order != NULL && (rq->order->p != rq->p || !bine_algorithm_reorders(a)))
        snprintf(why, size, "%s %s cannot run on %d ranks in another order",
                 bine_collective_name(a->collective), a->name, rq->p);
    else if (rq->order != NULL && (rq->layout == BINE_PERMUTE || rq->layout == BINE_SEND) &&
             !bine_cuts_a_vector(a->collective))
        snprintf(why, size, "%s %s has no layout %s for ranks in another order",
                 bine_collective_name(a->collective), a->name, bine_layout_name(rq->layout));
    else if (rq->segments < 0 || rq->segments > bine_segments_most(a, rq->p))
        snprintf(why, size, "%d segments: expected 1 to %d", rq->segments,
                 bine_segments_most(a, rq->p));
    else if (!bine_algorithm_has_layout(a, rq->layout, rq->p))
        snprintf(why, size, "%s %s has no layout %s for %d ranks",
                 bine_collective_name(a->collective), a->name, bine_layout_name(rq->layout), rq->p);
    else
        return NULL;
    return why;
}

/* A Bine tree of whole vectors that is known by closed form: at powers of two, far-first is the
 * split tree, and all lists of distances are the same. */
static int is_closed_tree(const struct bine_request *rq) {
    enum bine_family tree = rq->algorithm->tree;
    return tree == BINE_FAMILY_SPLIT ||
           ((tree == BINE_FAMILY_BINE || tree == BINE_FAMILY_BINE_PAPER) && bine_is_pow2(rq->p));
}

static int is_ring(const struct bine_algorithm *a) {
    return a->tree == BINE_FAMILY_RING || a->tree == BINE_FAMILY_RING_BACK;
}

/* Whether the moves are made by closed form. */
static int is_closed(const struct bine_request *rq) {
    const struct bine_algorithm *a = rq->algorithm;
    switch (a->composition) {
    case BINE_MAKE_BCAST:
    case BINE_MAKE_REDUCE:
        return is_closed_tree(rq);
    case BINE_MAKE_SCATTER:
    case BINE_MAKE_GATHER:
        return a->tree == BINE_FAMILY_SPLIT;
    case BINE_MAKE_ALLGATHER:
    case BINE_MAKE_REDUCE_SCATTER:
    case BINE_MAKE_ALLREDUCE:
        if (is_ring(a) || (a->order == BINE_NEAR_FIRST &&
                           (a->tree == BINE_FAMILY_BINE || a->tree == BINE_FAMILY_HYPERCUBE)))
            return 1;
        return rq->layout == BINE_PERMUTE || rq->layout == BINE_SEND;
    case BINE_MAKE_BCAST_HUNG:
    case BINE_MAKE_REDUCE_HUNG:
        return (a->order == BINE_NEAR_FIRST && a->tree == BINE_FAMILY_BINE) ||
               rq->layout == BINE_PERMUTE || rq->layout == BINE_SEND;
    case BINE_MAKE_ALLTOALL:
    case BINE_MAKE_REDUCE_THEN_BCAST:
        return 0;
    default:
        return 1;
    }
}

static enum bine_torus_kind torus_kind(const struct bine_request *rq) {
    static const enum bine_torus_kind kinds[] = {BINE_TORUS_BINE, BINE_TORUS_PAPER,
                                                 BINE_TORUS_HYPERCUBE, BINE_TORUS_BUCKET};
    return kinds[rq->algorithm->tree - BINE_FAMILY_TORUS];
}

struct bine_torus bine_request_torus(const struct bine_request *rq) {
    return bine_torus_make(torus_kind(rq), rq->dims, rq->port);
}

struct bine_tree *bine_request_tree(const struct bine_request *rq) {
    if (is_closed(rq) || rq->ports > 1)
        return NULL;
    if (bine_algorithm_needs(rq->algorithm) == BINE_NEEDS_DIMS)
        return bine_torus_tree(torus_kind(rq), rq->dims, rq->algorithm->order, rq->port);
    return bine_family_tree(rq->algorithm->tree, rq->p, rq->algorithm->order, rq->algorithm->radix);
}

int bine_request_segments(const struct bine_request *rq) {
    if (rq->algorithm->trees == 0 || rq->p == 1)
        return 1;
    return rq->segments == 0 ? BINE_SEGMENTS : rq->segments;
}

int bine_segments_for(const struct bine_algorithm *a, int p, int64_t bytes) {
    enum { SEGMENT_BYTES = 64 << 10, MOST_SEGMENTS = 256 };
    /* A segment of parts: the parts must not get too small, and a few are enough to overlap the
     * levels. */
    enum { PART_BYTES = 2 << 10 };
    int parts = bine_algorithm_needs(a) == BINE_NEEDS_GROUPS;
    int most = parts ? BINE_GROUP_SEGMENTS : MOST_SEGMENTS;
    int64_t least = parts ? (int64_t)PART_BYTES * p : SEGMENT_BYTES;
    int n = 1;
    while (n < most && bytes / n > least)
        n *= 2;
    return a->trees > 0 ? n : 0;
}

static int group_moves(struct bine_moves *m, const struct bine_request *rq,
                       enum bine_spread_kind kind) {
    struct bine_spread x = {.groups = rq->groups, .kind = kind, .root = rq->root};
    if (rq->segment > 0) {
        x.turn = rq->segment - 1;
        x.turns = bine_request_segments(rq);
    }
    return bine_moves_group(m, &x, rq->rank);
}

/* One or two trees, made for the occasion. */
static int pipeline_moves(struct bine_moves *m, const struct bine_request *rq) {
    const struct bine_algorithm *a = rq->algorithm;
    struct bine_tree *t[2] = {NULL, NULL};
    int rc = 0;
    for (int k = 0; k < a->trees; k++) {
        t[k] = bine_family_tree((enum bine_family)((int)a->tree + k), rq->p, a->order, a->radix);
        rc = t[k] == NULL ? -1 : rc;
    }
    const struct bine_tree *const *trees = (const struct bine_tree *const *)t;
    if (rc == 0 && a->composition == BINE_MAKE_SPLIT_BINARY)
        rc = bine_moves_split_binary(m, trees, a->stride, bine_request_segments(rq), rq->rank,
                                     rq->root);
    else if (rc == 0)
        rc = bine_moves_pipeline(m, trees, a->trees, a->stride, bine_request_segments(rq), rq->rank,
                                 rq->root);
    bine_tree_free(t[0]);
    bine_tree_free(t[1]);
    return rc;
}

/* Blocks by place, dimensions that are powers of two. */
static int torus_moves(struct bine_moves *m, const struct bine_request *rq) {
    struct bine_torus t = bine_request_torus(rq);
    int hung = rq->algorithm->composition == BINE_MAKE_BCAST_HUNG ||
               rq->algorithm->composition == BINE_MAKE_REDUCE_HUNG;
    return hung ? bine_moves_torus_hung(m, &t, rq->rank, rq->root)
                : bine_moves_torus(m, &t, rq->rank);
}

static int closed_moves(struct bine_moves *m, const struct bine_request *rq) {
    const struct bine_algorithm *a = rq->algorithm;
    if (bine_algorithm_needs(a) == BINE_NEEDS_DIMS)
        return torus_moves(m, rq);
    switch (a->composition) {
    case BINE_MAKE_BCAST:
    case BINE_MAKE_REDUCE:
        if (a->tree != BINE_FAMILY_SPLIT && a->order == BINE_NEAR_FIRST)
            return bine_moves_near_bcast(m, rq->p, rq->rank, rq->root);
        return bine_moves_split_bcast(m, rq->p, rq->p % 2 == 0 ? BINE_MIRROR : BINE_SHIFT, rq->rank,
                                      rq->root);
    case BINE_MAKE_SCATTER:
    case BINE_MAKE_GATHER:
        return bine_moves_split_scatter(m, rq->p, rq->rank, rq->root);
    case BINE_MAKE_BCAST_HUNG:
    case BINE_MAKE_REDUCE_HUNG:
        if (a->order == BINE_NEAR_FIRST)
            return bine_moves_arcs_hung(m, rq->p, rq->rank, rq->root);
        return bine_moves_aligned_hung(m, a->places, rq->p, rq->rank, rq->root);
    case BINE_MAKE_PIPELINE:
    case BINE_MAKE_PIPELINE_REDUCE:
    case BINE_MAKE_SPLIT_BINARY:
    case BINE_MAKE_REDUCE_BCAST:
        return pipeline_moves(m, rq);
    case BINE_MAKE_CIRCULANT:
    case BINE_MAKE_CIRCULANT_REDUCE:
        return bine_moves_circulant(m, rq->p, bine_request_segments(rq), rq->rank, rq->root);
    case BINE_MAKE_GROUP_BCAST:
    case BINE_MAKE_GROUP_REDUCE:
        return bine_moves_group_bcast(m, rq->groups, rq->rank, rq->root);
    case BINE_MAKE_GROUP_BCAST_HUNG:
    case BINE_MAKE_GROUP_REDUCE_HUNG:
        return group_moves(m, rq, BINE_SPREAD_HUNG);
    case BINE_MAKE_GROUP_SCATTER:
    case BINE_MAKE_GROUP_GATHER:
        return bine_moves_group_scatter(m, rq->groups, rq->rank, rq->root);
    case BINE_MAKE_GROUP_ALLGATHER:
    case BINE_MAKE_GROUP_REDUCE_SCATTER:
        return group_moves(m, rq, BINE_SPREAD_RANKS);
    case BINE_MAKE_GROUP_ALLREDUCE:
        return group_moves(m, rq, BINE_SPREAD_PARTS);
    default:
        if (a->tree == BINE_FAMILY_BINE && a->order == BINE_NEAR_FIRST)
            return bine_moves_arcs(m, rq->p, rq->rank);
        if (is_ring(a))
            return bine_moves_ring(m, rq->p, rq->rank, a->tree == BINE_FAMILY_RING_BACK);
        return bine_moves_aligned(m, a->places, rq->p, rq->rank);
    }
}

static int tree_moves(struct bine_moves *m, const struct bine_request *rq,
                      const struct bine_tree *t) {
    switch (rq->algorithm->composition) {
    case BINE_MAKE_BCAST:
    case BINE_MAKE_REDUCE:
    case BINE_MAKE_REDUCE_THEN_BCAST:
        return bine_moves_bcast(m, t, rq->rank, rq->root);
    case BINE_MAKE_SCATTER:
    case BINE_MAKE_GATHER:
        return bine_moves_scatter(m, t, rq->rank, rq->root);
    case BINE_MAKE_BCAST_HUNG:
    case BINE_MAKE_REDUCE_HUNG:
        return bine_moves_hung(m, t, rq->rank, rq->root);
    default:
        return bine_moves_allgather(m, t, rq->rank);
    }
}

int bine_request_moves(struct bine_moves *m, const struct bine_request *rq) {
    if (is_closed(rq))
        return closed_moves(m, rq);
    struct bine_tree *own = rq->tree == NULL ? bine_request_tree(rq) : NULL;
    const struct bine_tree *t = rq->tree != NULL ? rq->tree : own;
    int rc = t == NULL ? -1 : tree_moves(m, rq, t);
    bine_tree_free(own);
    return rc;
}

static int (*const composers[BINE_COMPOSITIONS])(struct bine_schedule *,
                                                 const struct bine_request *) = {
    [BINE_MAKE_BCAST] = bine_compose_bcast,
    [BINE_MAKE_REDUCE] = bine_compose_reduce,
    [BINE_MAKE_SCATTER] = bine_compose_scatter,
    [BINE_MAKE_GATHER] = bine_compose_gather,
    [BINE_MAKE_ALLGATHER] = bine_compose_allgather,
    [BINE_MAKE_REDUCE_SCATTER] = bine_compose_reduce_scatter,
    [BINE_MAKE_ALLREDUCE] = bine_compose_allreduce,
    [BINE_MAKE_BCAST_HUNG] = bine_compose_bcast,
    [BINE_MAKE_REDUCE_HUNG] = bine_compose_reduce,
    [BINE_MAKE_ALLTOALL] = bine_compose_alltoall,
    [BINE_MAKE_PIPELINE] = bine_compose_bcast,
    [BINE_MAKE_PIPELINE_REDUCE] = bine_compose_reduce,
    [BINE_MAKE_SPLIT_BINARY] = bine_compose_bcast,
    [BINE_MAKE_CIRCULANT] = bine_compose_bcast,
    [BINE_MAKE_CIRCULANT_REDUCE] = bine_compose_reduce,
    [BINE_MAKE_SCATTER_ALLGATHER] = bine_compose_scatter_allgather,
    [BINE_MAKE_REDUCE_BCAST] = bine_compose_allreduce,
    [BINE_MAKE_REDUCE_THEN_BCAST] = bine_compose_reduce_then_bcast,
    [BINE_MAKE_HALVING_REDUCE] = bine_compose_halving,
    [BINE_MAKE_HALVING_ALLREDUCE] = bine_compose_halving,
    [BINE_MAKE_HALVES_REDUCE] = bine_compose_halving,
    [BINE_MAKE_HALVES_ALLREDUCE] = bine_compose_halving,
    [BINE_MAKE_RINGS] = bine_compose_rings,
    [BINE_MAKE_MULTIPLYING] = bine_compose_multiplying,
    [BINE_MAKE_REDUCE_SCATTER_DOUBLING] = bine_compose_reduce_scatter_doubling,
    [BINE_MAKE_BUTTERFLY] = bine_compose_butterfly,
    [BINE_MAKE_REDUCE_ORDERED] = bine_compose_reduce_ordered,
    [BINE_MAKE_ALLREDUCE_ORDERED] = bine_compose_allreduce_ordered,
    [BINE_MAKE_REDUCE_SCATTER_ORDERED] = bine_compose_reduce_scatter_ordered,
    [BINE_MAKE_GROUP_BCAST] = bine_compose_bcast,
    [BINE_MAKE_GROUP_REDUCE] = bine_compose_reduce,
    [BINE_MAKE_GROUP_BCAST_HUNG] = bine_compose_bcast,
    [BINE_MAKE_GROUP_REDUCE_HUNG] = bine_compose_reduce,
    [BINE_MAKE_GROUP_SCATTER] = bine_compose_scatter,
    [BINE_MAKE_GROUP_GATHER] = bine_compose_gather,
    [BINE_MAKE_GROUP_ALLGATHER] = bine_compose_allgather,
    [BINE_MAKE_GROUP_REDUCE_SCATTER] = bine_compose_reduce_scatter,
    [BINE_MAKE_GROUP_ALLREDUCE] = bine_compose_allreduce,
    [BINE_MAKE_GROUP_ALLTOALL] = bine_compose_group_alltoall,
    [BINE_MAKE_BOARD_FLAT] = bine_compose_board_flat,
    [BINE_MAKE_BOARD_DIRECT] = bine_compose_board_direct,
    [BINE_MAKE_BOARD_SHARED] = bine_compose_board_shared,
    [BINE_MAKE_BOARD_LEVELS] = bine_compose_board_levels,
};

/* The blocks that the vector is cut into. */
static int request_blocks(const struct bine_request *rq) {
    switch (rq->algorithm->composition) {
    case BINE_MAKE_BCAST:
    case BINE_MAKE_REDUCE:
    case BINE_MAKE_BUTTERFLY:
    case BINE_MAKE_MULTIPLYING:
    case BINE_MAKE_REDUCE_THEN_BCAST:
    case BINE_MAKE_REDUCE_ORDERED:
    case BINE_MAKE_ALLREDUCE_ORDERED:
    case BINE_MAKE_GROUP_BCAST:
    case BINE_MAKE_GROUP_REDUCE:
        return 1;
    case BINE_MAKE_PIPELINE:
    case BINE_MAKE_PIPELINE_REDUCE:
    case BINE_MAKE_SPLIT_BINARY:
    case BINE_MAKE_CIRCULANT:
    case BINE_MAKE_CIRCULANT_REDUCE:
    case BINE_MAKE_REDUCE_BCAST:
        return bine_request_segments(rq);
    case BINE_MAKE_RINGS:
        return rq->p * bine_request_segments(rq);
    case BINE_MAKE_BOARD_FLAT:
    case BINE_MAKE_BOARD_DIRECT:
    case BINE_MAKE_BOARD_LEVELS:
        return bine_cuts_a_vector(rq->algorithm->collective) ? 1 : rq->p;
    case BINE_MAKE_HALVING_REDUCE:
    case BINE_MAKE_HALVING_ALLREDUCE:
    case BINE_MAKE_HALVES_REDUCE:
    case BINE_MAKE_HALVES_ALLREDUCE:
        return bine_fold_of(rq->p, 0).members;
    default:
        return rq->p;
    }
}

int bine_algorithm_reorders(const struct bine_algorithm *a) {
    return bine_algorithm_needs(a) != BINE_NEEDS_GROUPS &&
           bine_algorithm_needs(a) != BINE_NEEDS_BOARDS &&
           (a->commutative || !bine_collective_reduces(a->collective));
}

static struct bine_schedule *build_virtual(const struct bine_request *rq) {
    struct bine_request at = *rq;
    const struct bine_lineup *o = rq->order;
    at.order = NULL;
    at.rank = o->place_of[rq->rank];
    at.root = bine_collective_is_rooted(rq->algorithm->collective) ? o->place_of[rq->root] : 0;
    struct bine_schedule *s = bine_schedule_build(&at);
    if (s != NULL && bine_schedule_rename(s, o) != 0) {
        bine_schedule_free(s);
        return NULL;
    }
    if (s != NULL)
        s->root = rq->root;
    return s;
}

/* One strand for each port, each a schedule of its own. */
static struct bine_schedule *build_ports(const struct bine_request *rq) {
    struct bine_schedule *port[2 * BINE_DIMS_MOST] = {NULL}, *s = NULL;
    struct bine_request one = *rq;
    int good = 1;
    one.ports = 0;
    one.tree = NULL;
    for (one.port = 0; one.port < rq->ports; one.port++) {
        port[one.port] = bine_schedule_build(&one);
        good &= port[one.port] != NULL;
    }
    if (good)
        s = bine_schedule_join(port, rq->ports);
    for (int i = 0; i < rq->ports; i++)
        bine_schedule_free(port[i]);
    return s;
}

/* One strand for each segment. Messages between two ranks are in the order of segments, so that the
 * first segments cross between groups while the next ones are still inside. */
static struct bine_schedule *build_segments(const struct bine_request *rq, int segments) {
    struct bine_schedule *part[BINE_GROUP_SEGMENTS], *s = NULL;
    struct bine_request one = *rq;
    int built = 0;
    for (; built < segments; built++) {
        one.segment = built + 1;
        if ((part[built] = bine_schedule_build(&one)) == NULL)
            break;
    }
    if (built == segments)
        s = bine_schedule_join(part, segments);
    while (built > 0)
        bine_schedule_free(part[--built]);
    if (s != NULL)
        s->staggered = 1;
    return s;
}

struct bine_schedule *bine_schedule_build(const struct bine_request *rq) {
    int groups = bine_algorithm_needs(rq->algorithm) == BINE_NEEDS_GROUPS;
    int strands = groups && rq->segment == 0 ? bine_request_segments(rq) : 1;
    if (strands > 1)
        return build_segments(rq, strands);
    if (rq->ports > 1 && rq->p > 1)
        return build_ports(rq);
    if (rq->order != NULL)
        return build_virtual(rq);
    struct bine_schedule *s = bine_schedule_new();
    if (s == NULL)
        return NULL;
    if (bine_algorithm_needs(rq->algorithm) == BINE_NEEDS_DIMS)
        s->dims = *rq->dims;
    s->collective = rq->algorithm->collective;
    s->layout = rq->layout;
    s->p = rq->p;
    s->rank = rq->rank;
    s->root = rq->root;
    s->in_place = rq->in_place;
    s->times = bine_algorithm_steps_on(rq->algorithm, rq->p, rq->dims, rq->layout);
    s->blocks = request_blocks(rq);
    if (composers[rq->algorithm->composition](s, rq) != 0 || s->failed) {
        bine_schedule_free(s);
        return NULL;
    }
    return s;
}
