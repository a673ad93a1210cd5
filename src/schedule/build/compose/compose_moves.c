#include "schedule/build/compose/compose_moves.h"

#include "base/numbers.h"
#include "pattern/knomial.h"

#include <stddef.h>

static int always(const struct bine_spec *spec) {
    (void)spec;
    return 1;
}

static int never(const struct bine_spec *spec) {
    (void)spec;
    return 0;
}

/* Layouts in which blocks are places. */
static int is_placed(const struct bine_spec *spec) {
    return spec->layout == BINE_PERMUTE || spec->layout == BINE_SEND;
}

static int is_on_torus(const struct bine_spec *spec) {
    return bine_algorithm_needs(spec->algorithm) == BINE_NEEDS_DIMS;
}

static struct bine_torus torus_of(const struct bine_spec *spec) {
    return bine_torus_make(bine_family_torus_kind(spec->algorithm->tree), spec->dims, spec->port);
}

static int is_ring(const struct bine_algorithm *a) {
    return a->tree == BINE_FAMILY_RING || a->tree == BINE_FAMILY_RING_BACK;
}

static int is_near(const struct bine_algorithm *a, enum bine_family tree) {
    return a->order == BINE_NEAR_FIRST && a->tree == tree;
}

/* From the root: at powers of two, the far-first Bine tree is the split tree, and all lists of
 * distances are equal. */
static int root_is_closed(const struct bine_spec *spec) {
    enum bine_family tree = spec->algorithm->tree;
    return tree == BINE_FAMILY_SPLIT ||
           ((tree == BINE_FAMILY_BINE || tree == BINE_FAMILY_BINE_PAPER) && bine_is_pow2(spec->p));
}

static int root_closed(struct bine_moves *m, const struct bine_spec *spec) {
    const struct bine_algorithm *a = spec->algorithm;
    if (a->tree != BINE_FAMILY_SPLIT && a->order == BINE_NEAR_FIRST)
        return bine_moves_near_bcast(m, spec->p, spec->rank, spec->root);
    return bine_moves_split_bcast(m, spec->p, spec->p % 2 == 0 ? BINE_MIRROR : BINE_SHIFT,
                                  spec->rank, spec->root);
}

static int root_listed(struct bine_moves *m, const struct bine_spec *spec,
                       const struct bine_tree *t) {
    return bine_moves_bcast(m, t, spec->rank, spec->root);
}

static int parts_are_closed(const struct bine_spec *spec) {
    return spec->algorithm->tree == BINE_FAMILY_SPLIT;
}

static int parts_closed(struct bine_moves *m, const struct bine_spec *spec) {
    return bine_moves_split_scatter(m, spec->p, spec->rank, spec->root);
}

static int parts_listed(struct bine_moves *m, const struct bine_spec *spec,
                        const struct bine_tree *t) {
    return bine_moves_scatter(m, t, spec->rank, spec->root);
}

static int every_is_closed(const struct bine_spec *spec) {
    const struct bine_algorithm *a = spec->algorithm;
    return is_ring(a) || is_near(a, BINE_FAMILY_BINE) || is_near(a, BINE_FAMILY_HYPERCUBE) ||
           is_placed(spec);
}

static int ring_closed(struct bine_moves *m, const struct bine_spec *spec) {
    return bine_moves_ring(m, spec->p, spec->rank, spec->algorithm->tree == BINE_FAMILY_RING_BACK);
}

static int every_closed(struct bine_moves *m, const struct bine_spec *spec) {
    const struct bine_algorithm *a = spec->algorithm;
    if (is_on_torus(spec)) {
        struct bine_torus t = torus_of(spec);
        return bine_moves_torus(m, &t, spec->rank);
    }
    if (is_near(a, BINE_FAMILY_BINE))
        return bine_moves_arcs(m, spec->p, spec->rank);
    return is_ring(a) ? ring_closed(m, spec)
                      : bine_moves_aligned(m, a->places, spec->p, spec->rank);
}

static int every_listed(struct bine_moves *m, const struct bine_spec *spec,
                        const struct bine_tree *t) {
    return bine_moves_allgather(m, t, spec->rank);
}

static int hung_is_closed(const struct bine_spec *spec) {
    return is_near(spec->algorithm, BINE_FAMILY_BINE) || is_placed(spec);
}

static int hung_closed(struct bine_moves *m, const struct bine_spec *spec) {
    const struct bine_algorithm *a = spec->algorithm;
    if (is_on_torus(spec)) {
        struct bine_torus t = torus_of(spec);
        return bine_moves_torus_hung(m, &t, spec->rank, spec->root);
    }
    if (a->order == BINE_NEAR_FIRST)
        return bine_moves_arcs_hung(m, spec->p, spec->rank, spec->root);
    return bine_moves_aligned_hung(m, a->places, spec->p, spec->rank, spec->root);
}

static int hung_listed(struct bine_moves *m, const struct bine_spec *spec,
                       const struct bine_tree *t) {
    return bine_moves_hung(m, t, spec->rank, spec->root);
}

static struct bine_tree *planted_turn(const struct bine_spec *spec, int k) {
    const struct bine_algorithm *a = spec->algorithm;
    return k < a->trees ? bine_algorithm_turn_tree(a, spec->p, k) : NULL;
}

static struct bine_tree *planted_far(const struct bine_spec *spec, int k) {
    return k == 0 ? bine_binomial_tree(spec->p, BINE_FAR_FIRST) : NULL;
}

static struct bine_tree *planted_near(const struct bine_spec *spec, int k) {
    return k == 0 ? bine_binomial_tree(spec->p, BINE_NEAR_FIRST) : NULL;
}

const struct bine_tree *bine_spec_planted(const struct bine_spec *spec, int k,
                                          struct bine_tree **own) {
    *own = NULL;
    if (spec->planted[k] != NULL)
        return spec->planted[k];
    return *own = bine_compositions[spec->algorithm->composition].moves->planted(spec, k);
}

/* Along one or two trees. */
typedef int bine_along(struct bine_moves *m, const struct bine_tree *const *t,
                       const struct bine_spec *spec);

static int along_trees(struct bine_moves *m, const struct bine_spec *spec, bine_along *along) {
    const struct bine_tree *t[2];
    struct bine_tree *own[2];
    int rc = 0;
    for (int k = 0; k < 2; k++) {
        t[k] = bine_spec_planted(spec, k, &own[k]);
        rc = k < spec->algorithm->trees && t[k] == NULL ? -1 : rc;
    }
    if (rc == 0)
        rc = along(m, t, spec);
    bine_tree_free(own[0]);
    bine_tree_free(own[1]);
    return rc;
}

static int along_pipeline(struct bine_moves *m, const struct bine_tree *const *t,
                          const struct bine_spec *spec) {
    const struct bine_algorithm *a = spec->algorithm;
    return bine_moves_pipeline(m, t, a->trees, a->stride, bine_spec_segments(spec), spec->rank,
                               spec->root);
}

static int along_halves(struct bine_moves *m, const struct bine_tree *const *t,
                        const struct bine_spec *spec) {
    return bine_moves_split_binary(m, t, spec->algorithm->stride, bine_spec_segments(spec),
                                   spec->rank, spec->root);
}

static int pipeline_closed(struct bine_moves *m, const struct bine_spec *spec) {
    return along_trees(m, spec, along_pipeline);
}

static int split_binary_closed(struct bine_moves *m, const struct bine_spec *spec) {
    return along_trees(m, spec, along_halves);
}

static int circulant_closed(struct bine_moves *m, const struct bine_spec *spec) {
    return bine_moves_circulant(m, spec->p, bine_spec_segments(spec), spec->rank, spec->root);
}

/* Inside a node whose boards are used, one step does. */
static struct bine_spread spread_of(const struct bine_spec *spec) {
    return (struct bine_spread){
        .groups = spec->groups, .root = spec->root, .flat = bine_spec_uses_boards(spec)};
}

static int group_root(struct bine_moves *m, const struct bine_spec *spec) {
    struct bine_spread x = spread_of(spec);
    return bine_moves_group_bcast(m, &x, spec->rank);
}

static int group_parts(struct bine_moves *m, const struct bine_spec *spec) {
    struct bine_spread x = spread_of(spec);
    x.direct = 1;
    return bine_moves_group_scatter(m, &x, spec->rank);
}

/* Whether ranks of the smallest group have at most twice the mean share if all groups that are
 * homes have equal ones. */
static int equal_is_fair(const struct bine_groups *g, int root) {
    int own = root >= 0 ? g->level[1].set_of[root] : -1, sets = g->level[1].sets - (own >= 0);
    int ranks = g->p - (own >= 0 ? bine_groups_size(g, 1, own) : 0), least = ranks;
    for (int set = 0; set < g->level[1].sets; set++)
        if (set != own)
            least = bine_min(least, bine_groups_size(g, 1, set));
    return ranks <= 2 * (int64_t)sets * least;
}

/* Along stretches. The numbers did best on simulated machines (docs/groups.md): inside groups more
 * steps cost more than the messages that they save, down to a radix of four; short vectors want few
 * messages between groups; longer ones go directly, and sums from two segments on, because one rank
 * would add up for several. In long vectors links between groups count, and all groups get equal
 * shares; but a small one would then add up a large part of the vector, so that groups of very
 * different sizes get equal shares of giant vectors only. On boards, some ranks would publish
 * gathered sums and others send them, at one time. */
enum {
    RADIX = 4,
    MESSAGES = 12, /* from other groups, at least, and so many a segment */
    MORE = 4,
    SUMS = 48,  /* messages of sums of one segment */
    LANES = 16, /* a segment */
    SHORT = 4,  /* segments, as all below */
    LONG = 32,
    GIANT = 1024
};

static int few_of(const struct bine_spec *spec, enum bine_stretch_kind kind, int adds) {
    int segments = bine_spec_segments(spec);
    if (adds)
        return segments == 1 && !bine_spec_uses_boards(spec) ? SUMS : 0;
    int gathers = segments <= SHORT || (segments < LONG && kind == BINE_STRETCH_HUNG);
    return gathers ? bine_max(MESSAGES, MORE * segments) : 0;
}

struct bine_stretch_way bine_request_way(const struct bine_spec *spec,
                                         enum bine_stretch_kind kind) {
    int segments = bine_spec_segments(spec), root = kind == BINE_STRETCH_HUNG ? spec->root : -1;
    int adds = bine_collective_reduces(spec->algorithm->collective);
    return (struct bine_stretch_way){
        .stretches = {.groups = spec->groups,
                      .kind = kind,
                      .root = spec->root,
                      .pieces = bine_compositions[spec->algorithm->composition].blocks(spec),
                      .even = segments >= GIANT ||
                              (segments >= LONG && equal_is_fair(spec->groups, root)),
                      .lanes = kind == BINE_STRETCH_HUNG && segments < LONG ? LANES * segments : 0,
                      .flat = bine_spec_uses_boards(spec)},
        .radix = RADIX,
        .of_class = -1,
        .few = few_of(spec, kind, adds),
        /* Where every rank is a group, the sums that come to the root must not come back to it. */
        .root_adds = adds && !spec->groups->alone};
}

static int along_stretches(struct bine_moves *m, const struct bine_spec *spec,
                           enum bine_stretch_kind kind) {
    struct bine_stretch_way way = bine_request_way(spec, kind);
    return bine_moves_stretches(m, &way, spec->rank);
}

static int group_hung(struct bine_moves *m, const struct bine_spec *spec) {
    return along_stretches(m, spec, BINE_STRETCH_HUNG);
}

static int group_every(struct bine_moves *m, const struct bine_spec *spec) {
    return along_stretches(m, spec, BINE_STRETCH_RANKS);
}

static int group_all(struct bine_moves *m, const struct bine_spec *spec) {
    return along_stretches(m, spec, BINE_STRETCH_PARTS);
}

const struct bine_moves_maker bine_moves_of_root = {root_is_closed, root_closed, root_listed, NULL};
const struct bine_moves_maker bine_moves_of_listed_root = {never, NULL, root_listed, NULL};
const struct bine_moves_maker bine_moves_of_parts = {parts_are_closed, parts_closed, parts_listed,
                                                     NULL};
const struct bine_moves_maker bine_moves_of_every = {every_is_closed, every_closed, every_listed,
                                                     NULL};
const struct bine_moves_maker bine_moves_of_hung = {hung_is_closed, hung_closed, hung_listed, NULL};
const struct bine_moves_maker bine_moves_of_pipeline = {always, pipeline_closed, NULL,
                                                        planted_turn};
const struct bine_moves_maker bine_moves_of_split_binary = {always, split_binary_closed, NULL,
                                                            planted_turn};
const struct bine_moves_maker bine_moves_of_circulant = {always, circulant_closed, NULL, NULL};
const struct bine_moves_maker bine_moves_of_ring = {always, ring_closed, NULL, NULL};
const struct bine_moves_maker bine_moves_of_group_root = {always, group_root, NULL, NULL};
const struct bine_moves_maker bine_moves_of_group_parts = {always, group_parts, NULL, NULL};
const struct bine_moves_maker bine_moves_of_group_hung = {always, group_hung, NULL, NULL};
const struct bine_moves_maker bine_moves_of_group_every = {always, group_every, NULL, NULL};
const struct bine_moves_maker bine_moves_of_group_all = {always, group_all, NULL, NULL};
const struct bine_moves_maker bine_moves_of_up_down = {never, NULL, root_listed, planted_near};
const struct bine_moves_maker bine_moves_of_around = {always, NULL, NULL, planted_far};
const struct bine_moves_maker bine_moves_of_slots = {never, NULL, NULL, NULL};
const struct bine_moves_maker bine_moves_of_its_own = {always, NULL, NULL, NULL};

static int moves_by(const struct bine_moves_maker *maker, struct bine_moves *m,
                    const struct bine_spec *spec) {
    if (maker->is_closed(spec))
        return maker->closed(m, spec);
    struct bine_tree *own =
        spec->tree == NULL ? bine_algorithm_tree(spec->algorithm, spec->p, spec->dims, spec->port)
                           : NULL;
    const struct bine_tree *t = spec->tree != NULL ? spec->tree : own;
    int rc = t == NULL ? -1 : maker->listed(m, spec, t);
    bine_tree_free(own);
    return rc;
}

int bine_spec_moves(struct bine_moves *m, const struct bine_spec *spec) {
    return moves_by(bine_compositions[spec->algorithm->composition].moves, m, spec);
}

int bine_request_moves_back(struct bine_moves *m, const struct bine_spec *spec) {
    struct bine_stretch_way way = bine_request_way(spec, BINE_STRETCH_PARTS);
    way.few = few_of(spec, BINE_STRETCH_PARTS, 0);
    return bine_moves_stretches(m, &way, spec->rank);
}

int bine_request_moves_to_owners(struct bine_moves *m, const struct bine_spec *spec) {
    if (moves_by(&bine_moves_of_hung, m, spec) != 0)
        return -1;
    m->times /= 2;
    while (m->nmoves > 0 && m->move[m->nmoves - 1].time >= m->times)
        m->nmoves--;
    return 0;
}
