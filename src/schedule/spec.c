#include "schedule/spec.h"

#include "base/numbers.h"
#include "pattern/groups/relays.h"
#include "pattern/teams.h"

#include <stdio.h>

/* The fault of the dims and ports, or NULL. */
static const char *dims_error(const struct bine_spec *spec, char *why, size_t size) {
    static const char *const expected[] = {"any", "even dimensions",
                                           "dimensions that are powers of two"};
    const struct bine_algorithm *a = spec->algorithm;
    if (bine_algorithm_needs(a) != BINE_NEEDS_DIMS) {
        if (spec->ports <= 1)
            return NULL;
        snprintf(why, size, "%d ports: %s %s has one", spec->ports,
                 bine_collective_name(a->collective), a->name);
    } else if (spec->dims == NULL || bine_shape_nodes(spec->dims) != spec->p)
        snprintf(why, size, "%s %s needs the dimensions of %d ranks",
                 bine_collective_name(a->collective), a->name, spec->p);
    else if (!bine_algorithm_takes_dims(a, spec->dims))
        snprintf(why, size, "%s %s does not take these dimensions: expected %s",
                 bine_collective_name(a->collective), a->name, expected[a->ranks]);
    else if (spec->ports < 0 || spec->ports > bine_torus_ports(spec->dims))
        snprintf(why, size, "%d ports: expected 1 to %d, two for each dimension", spec->ports,
                 bine_torus_ports(spec->dims));
    else
        return NULL;
    return why;
}

/* Whether ranks are known to be on more than one node. */
static int has_many_nodes(const struct bine_spec *spec) {
    for (int r = 1; spec->node != NULL && r < spec->p; r++)
        if (spec->node[r] != spec->node[0])
            return 1;
    return spec->groups != NULL && bine_groups_count(spec->groups) > 1;
}

int bine_spec_uses_boards(const struct bine_spec *spec) {
    enum bine_collective c = spec->algorithm->collective;
    int company = 0;
    if (spec->node == NULL || bine_collective_is_uneven(c) ||
        bine_algorithm_needs(spec->algorithm) != BINE_NEEDS_GROUPS)
        return 0;
    const struct bine_groups *g = spec->groups;
    const struct bine_level *l = &g->level[g->levels > 1 ? g->levels - 2 : 0];
    for (int i = 0; i < l->sets; i++)
        for (int k = l->begin[i] + 1; k < l->begin[i + 1]; k++) {
            company = 1;
            if (spec->node[g->member[k]] != spec->node[g->member[l->begin[i]]])
                return 0;
        }
    return company;
}

/* From the first rank of a smallest set to its last. */
static int span_of(const struct bine_groups *g, const struct bine_level *l, int set) {
    return g->member[l->begin[set + 1] - 1] - g->member[l->begin[set]] + 1;
}

/* The blocks of other sets are shared out among the ranks of a set, and its own may lie between
 * the blocks of one of them. */
static int gathered_by(const struct bine_groups *g, const struct bine_level *l, int set) {
    int n = l->begin[set + 1] - l->begin[set], others = g->p - n;
    return (others + n - 1) / n + n;
}

/* All ranks on one node. In teams, one of n ranks shares p blocks out, up to p / n + 1 to each; an
 * alltoall publishes that many for each of the n. */
static int blocks_on_one_node(const struct bine_spec *spec, int blocks) {
    enum bine_collective c = spec->algorithm->collective;
    int largest = bine_team_at(spec->p, bine_teams(spec->p) - 1).size, p = spec->p;
    int own = c == BINE_GATHER || c == BINE_ALLGATHER;
    switch (spec->algorithm->composition) {
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

int bine_spec_board_blocks(const struct bine_spec *spec) {
    int blocks = bine_compositions[spec->algorithm->composition].blocks(spec), most = 1;
    if (bine_algorithm_needs(spec->algorithm) == BINE_NEEDS_BOARDS)
        return blocks_on_one_node(spec, blocks);
    const struct bine_groups *g = spec->groups;
    const struct bine_level *l = &g->level[g->levels > 1 ? g->levels - 2 : 0];
    enum bine_collective c = spec->algorithm->collective;
    if (c != BINE_SCATTER && c != BINE_ALLGATHER)
        return c == BINE_GATHER ? 1 : blocks;
    for (int i = 0; i < l->sets; i++) {
        int n = c == BINE_SCATTER ? span_of(g, l, i) : gathered_by(g, l, i);
        most = bine_max(n, most);
    }
    return most < spec->p ? most : spec->p;
}

/* Algorithms that know groups make few strands of their segments. The segments of rings are cut out
 * of every rank's block. */
int bine_segments_most(const struct bine_algorithm *a, int p) {
    int most = 1 << 20;
    if (a->trees == 0)
        return 1;
    if (bine_algorithm_needs(a) == BINE_NEEDS_GROUPS)
        return BINE_GROUP_SEGMENTS;
    int cuts_blocks = bine_compositions[a->composition].blocks == bine_blocks_rank_segments;
    return cuts_blocks && p > BINE_PIECES_MOST / most ? BINE_PIECES_MOST / p : most;
}

const char *bine_spec_error(const struct bine_spec *spec, char *why, size_t size) {
    static const char *const expected[] = {"any number", "an even number", "a power of two",
                                           "at most 4096"};
    const struct bine_algorithm *a = spec->algorithm;
    if (spec->p < 1)
        snprintf(why, size, "%d ranks: expected at least 1", spec->p);
    else if (spec->p > 1 << 24)
        snprintf(why, size, "%d ranks: expected at most %d", spec->p, 1 << 24);
    else if (spec->rank < 0 || spec->rank >= spec->p)
        snprintf(why, size, "rank %d: expected 0 to %d", spec->rank, spec->p - 1);
    else if (spec->root < 0 || spec->root >= spec->p)
        snprintf(why, size, "root %d: expected 0 to %d", spec->root, spec->p - 1);
    else if (!bine_algorithm_takes(a, spec->p))
        snprintf(why, size, "%s %s does not take %d ranks: expected %s",
                 bine_collective_name(a->collective), a->name, spec->p, expected[a->ranks]);
    else if (bine_algorithm_needs(a) == BINE_NEEDS_GROUPS &&
             (spec->groups == NULL || spec->groups->p != spec->p))
        snprintf(why, size, "%s %s needs the groups of %d ranks",
                 bine_collective_name(a->collective), a->name, spec->p);
    else if (bine_algorithm_needs(a) == BINE_NEEDS_BOARDS && has_many_nodes(spec))
        snprintf(why, size, "%s %s needs boards: expected all %d ranks on one node",
                 bine_collective_name(a->collective), a->name, spec->p);
    else if (dims_error(spec, why, size) != NULL)
        return why;
    else if (spec->order != NULL && (spec->order->p != spec->p || !bine_algorithm_reorders(a)))
        snprintf(why, size, "%s %s cannot run on %d ranks in another order",
                 bine_collective_name(a->collective), a->name, spec->p);
    else if (spec->order != NULL && (spec->layout == BINE_PERMUTE || spec->layout == BINE_SEND) &&
             !bine_cuts_a_vector(a->collective))
        snprintf(why, size, "%s %s has no layout %s for ranks in another order",
                 bine_collective_name(a->collective), a->name, bine_layout_name(spec->layout));
    else if (spec->segments < 0 || spec->segments > bine_segments_most(a, spec->p))
        snprintf(why, size, "%d segments: expected 1 to %d", spec->segments,
                 bine_segments_most(a, spec->p));
    else if (!bine_algorithm_has_layout(a, spec->layout, spec->p))
        snprintf(why, size, "%s %s has no layout %s for %d ranks",
                 bine_collective_name(a->collective), a->name, bine_layout_name(spec->layout),
                 spec->p);
    else
        return NULL;
    return why;
}

int bine_spec_segments(const struct bine_spec *spec) {
    if (spec->algorithm->trees == 0 || spec->p == 1)
        return 1;
    return spec->segments == 0 ? BINE_SEGMENTS : spec->segments;
}

int bine_spec_strands(const struct bine_spec *spec) {
    enum { EACH = 16 };
    const struct bine_algorithm *a = spec->algorithm;
    int n = 1;
    if (bine_algorithm_needs(a) != BINE_NEEDS_GROUPS || a->trees == 0 ||
        !bine_cuts_a_vector(a->collective))
        return 1;
    while (n < BINE_GROUP_STRANDS && 2 * n * EACH <= bine_spec_segments(spec))
        n *= 2;
    return n;
}

int bine_segments_for(const struct bine_algorithm *a, int p, int64_t bytes) {
    enum { SEGMENT_BYTES = 64 << 10, MOST_SEGMENTS = 256 };
    /* A segment of parts: the parts must not get too small, and a few are enough to overlap the
     * levels. */
    enum { PART_BYTES = 2 << 10, MOST_PARTS = 64 };
    int parts = bine_algorithm_needs(a) == BINE_NEEDS_GROUPS;
    int most = parts ? BINE_GROUP_SEGMENTS : MOST_SEGMENTS;
    int64_t least = parts ? (int64_t)PART_BYTES * p : SEGMENT_BYTES;
    int n = 1;
    while (n < most && bytes / n > least)
        n *= 2;
    if (parts && n < most)
        n = bine_min(n, MOST_PARTS);
    return a->trees > 0 ? n : 0;
}

int bine_algorithm_reorders(const struct bine_algorithm *a) {
    return bine_algorithm_needs(a) != BINE_NEEDS_GROUPS &&
           bine_algorithm_needs(a) != BINE_NEEDS_BOARDS &&
           (a->commutative || !bine_collective_reduces(a->collective));
}

struct bine_tree *bine_spec_tree(const struct bine_spec *spec) {
    if (bine_compositions[spec->algorithm->composition].moves->is_closed(spec) || spec->ports > 1)
        return NULL;
    return bine_algorithm_tree(spec->algorithm, spec->p, spec->dims, spec->port);
}

struct bine_trees bine_spec_plant(struct bine_spec *spec) {
    const struct bine_moves_maker *maker = bine_compositions[spec->algorithm->composition].moves;
    struct bine_trees t = {spec->tree == NULL ? bine_spec_tree(spec) : NULL, {NULL, NULL}};
    if (spec->tree == NULL)
        spec->tree = t.tree;
    for (int k = 0; k < 2 && maker->planted != NULL; k++)
        spec->planted[k] = t.planted[k] = maker->planted(spec, k);
    return t;
}

void bine_trees_fell(struct bine_trees *t) {
    bine_tree_free(t->tree);
    bine_tree_free(t->planted[0]);
    bine_tree_free(t->planted[1]);
}

int bine_blocks_one(const struct bine_spec *spec) {
    (void)spec;
    return 1;
}

int bine_blocks_ranks(const struct bine_spec *spec) {
    return spec->p;
}

int bine_blocks_board(const struct bine_spec *spec) {
    return bine_cuts_a_vector(spec->algorithm->collective) ? 1 : spec->p;
}

int bine_blocks_segments(const struct bine_spec *spec) {
    return bine_spec_segments(spec);
}

int bine_blocks_rank_segments(const struct bine_spec *spec) {
    return spec->p * bine_spec_segments(spec);
}

int bine_blocks_group_parts(const struct bine_spec *spec) {
    enum { EACH = 4, LEAST = 256 };
    int groups = bine_groups_count(spec->groups);
    int homes = groups - (groups > 1 && bine_collective_is_rooted(spec->algorithm->collective));
    int pieces = EACH * spec->p > LEAST ? EACH * spec->p : LEAST;
    return spec->p == 1 ? 1 : (pieces + homes - 1) / homes * homes;
}

int bine_spec_repeats_another(const struct bine_spec *spec) {
    return bine_compositions[spec->algorithm->composition].blocks == bine_blocks_balanced &&
           bine_relays_cut(spec->groups) == 1;
}

int bine_blocks_balanced(const struct bine_spec *spec) {
    return spec->p * (bine_spec_uses_boards(spec) ? 1 : bine_relays_cut(spec->groups));
}

int bine_blocks_members(const struct bine_spec *spec) {
    int radix = spec->algorithm->radix > 0 ? spec->algorithm->radix : 2, members = 1;
    while (members <= spec->p / radix)
        members *= radix;
    return members;
}
