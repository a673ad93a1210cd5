#include "schedule/request.h"

#include "base/numbers.h"
#include "pattern/teams.h"

#include <stdio.h>

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

int bine_request_uses_boards(const struct bine_request *rq) {
    enum bine_collective c = rq->algorithm->collective;
    int company = 0;
    if (rq->node == NULL || bine_collective_is_uneven(c) ||
        bine_algorithm_needs(rq->algorithm) != BINE_NEEDS_GROUPS ||
        (!bine_cuts_a_vector(c) && bine_request_segments(rq) > 1))
        return 0;
    const struct bine_groups *g = rq->groups;
    const struct bine_level *l = &g->level[g->levels > 1 ? g->levels - 2 : 0];
    for (int i = 0; i < l->sets; i++)
        for (int k = l->begin[i] + 1; k < l->begin[i + 1]; k++) {
            company = 1;
            if (rq->node[g->member[k]] != rq->node[g->member[l->begin[i]]])
                return 0;
        }
    return company;
}

/* From the first rank of a smallest set to its last. */
static int span_of(const struct bine_groups *g, const struct bine_level *l, int set) {
    return g->member[l->begin[set + 1] - 1] - g->member[l->begin[set]] + 1;
}

/* The blocks of other sets are shared out among the ranks of a set, and its own may lie between
 * those of one of them. */
static int gathered_by(const struct bine_groups *g, const struct bine_level *l, int set) {
    int n = l->begin[set + 1] - l->begin[set], others = g->p - n;
    return (others + n - 1) / n + n;
}

/* All ranks on one node. In teams, one of n ranks shares p blocks out, up to p / n + 1 to each; an
 * alltoall publishes that many for each of the n. */
static int blocks_on_one_node(const struct bine_request *rq, int blocks) {
    enum bine_collective c = rq->algorithm->collective;
    int largest = bine_team_at(rq->p, bine_teams(rq->p) - 1).size, p = rq->p;
    int own = c == BINE_GATHER || c == BINE_ALLGATHER;
    switch (rq->algorithm->composition) {
    case BINE_MAKE_BOARD_DIRECT:
        return 0;
    case BINE_MAKE_BOARD_SHARED:
        return blocks;
    case BINE_MAKE_BOARD_LEVELS:
        return bine_cuts_a_vector(c) ? 1 : own ? largest : c == BINE_ALLTOALL ? p + largest : p;
    default:
        return bine_cuts_a_vector(c) || own ? 1 : p;
    }
}

int bine_request_board_blocks(const struct bine_request *rq) {
    int blocks = bine_compositions[rq->algorithm->composition].blocks(rq), most = 1;
    if (bine_algorithm_needs(rq->algorithm) == BINE_NEEDS_BOARDS)
        return blocks_on_one_node(rq, blocks);
    const struct bine_groups *g = rq->groups;
    const struct bine_level *l = &g->level[g->levels > 1 ? g->levels - 2 : 0];
    enum bine_collective c = rq->algorithm->collective;
    if (c != BINE_SCATTER && c != BINE_ALLGATHER)
        return c == BINE_GATHER ? 1 : blocks;
    for (int i = 0; i < l->sets; i++) {
        int n = c == BINE_SCATTER ? span_of(g, l, i) : gathered_by(g, l, i);
        most = n > most ? n : most;
    }
    return most < rq->p ? most : rq->p;
}

/* Segments of algorithms that know groups are strands, of which there are few. The segments of
 * rings are cut out of every rank's block. */
int bine_segments_most(const struct bine_algorithm *a, int p) {
    int most = 1 << 20;
    if (a->trees == 0)
        return 1;
    if (bine_algorithm_needs(a) == BINE_NEEDS_GROUPS)
        return BINE_GROUP_SEGMENTS;
    int cuts_blocks = bine_compositions[a->composition].blocks == bine_blocks_rank_segments;
    return cuts_blocks && p > BINE_PIECES_MOST / most ? BINE_PIECES_MOST / p : most;
}

const char *bine_request_error(const struct bine_request *rq, char *why, size_t size) {
    static const char *const expected[] = {"any number", "an even number", "a power of two",
                                           "at most 4096"};
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
                 bine_collective_name(a->collective), a->name, rq->p, expected[a->ranks]);
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

int bine_algorithm_reorders(const struct bine_algorithm *a) {
    return bine_algorithm_needs(a) != BINE_NEEDS_GROUPS &&
           bine_algorithm_needs(a) != BINE_NEEDS_BOARDS &&
           (a->commutative || !bine_collective_reduces(a->collective));
}

struct bine_tree *bine_request_tree(const struct bine_request *rq) {
    if (bine_compositions[rq->algorithm->composition].moves->is_closed(rq) || rq->ports > 1)
        return NULL;
    return bine_algorithm_tree(rq->algorithm, rq->p, rq->dims, rq->port);
}

struct bine_trees bine_request_plant(struct bine_request *rq) {
    const struct bine_moves_maker *maker = bine_compositions[rq->algorithm->composition].moves;
    struct bine_trees t = {bine_request_tree(rq), {NULL, NULL}};
    rq->tree = t.tree;
    for (int k = 0; k < 2 && maker->planted != NULL; k++)
        rq->planted[k] = t.planted[k] = maker->planted(rq, k);
    return t;
}

void bine_trees_fell(struct bine_trees *t) {
    bine_tree_free(t->tree);
    bine_tree_free(t->planted[0]);
    bine_tree_free(t->planted[1]);
}

int bine_blocks_one(const struct bine_request *rq) {
    (void)rq;
    return 1;
}

int bine_blocks_ranks(const struct bine_request *rq) {
    return rq->p;
}

int bine_blocks_board(const struct bine_request *rq) {
    return bine_cuts_a_vector(rq->algorithm->collective) ? 1 : rq->p;
}

int bine_blocks_segments(const struct bine_request *rq) {
    return bine_request_segments(rq);
}

int bine_blocks_rank_segments(const struct bine_request *rq) {
    return rq->p * bine_request_segments(rq);
}

int bine_blocks_members(const struct bine_request *rq) {
    return 1 << bine_log_floor(rq->p, 2);
}
