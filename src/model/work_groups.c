/* Work items of group algorithms, without schedules: every block along its edges.
 *
 * Between the sets of a level every block has a tree of its own, over few sets; inside the smallest
 * sets, all blocks that enter by one rank go one way from there. All blocks from one rank to
 * another at one time are one message. */
#include "model/work.h"
#include "schedule/build/moves/moves.h"

#include <stdlib.h>

/* The cost of finding an edge among others, and of adding an item, in the units of model/work.h. */
static const double edge_cost = 0.5, item_cost = 2;
enum { STEPS = 16 }; /* the most of a tree; later steps share the last one */
enum { FEW = 10 };   /* edges of a way from the root */

/* A message: its blocks, and its runs of consecutive ones. */
struct edge {
    int32_t from, to, time, blocks, runs, last;
};

struct spreading {
    struct bine_spread spread;
    struct bine_spread_clock clock;
    struct edge *edge;
    uint32_t *slot; /* of a hash table: number of an edge + 1 */
    size_t count, room, slots, found;
    struct edge *enters;        /* by each rank into its smallest set */
    int32_t *seat;              /* of a tree over one of these: the rank of each node */
    uint32_t (*last)[STEPS][2]; /* into each rank, in each step, from lower and higher ones: the
 edge that was met last, + 1 */
    int failed;
};

static uint32_t *find_slot(const struct spreading *x, int from, int to, int time) {
    uint64_t h = ((uint64_t)(uint32_t)from << 32 | (uint32_t)to) * UINT64_C(0x9e3779b97f4a7c15) +
                 (uint64_t)(uint32_t)time * UINT64_C(0xc2b2ae3d27d4eb4f);
    for (size_t i = (size_t)(h >> 20) & (x->slots - 1);; i = (i + 1) & (x->slots - 1)) {
        const struct edge *e = x->slot[i] > 0 ? &x->edge[x->slot[i] - 1] : NULL;
        if (e == NULL || (e->from == from && e->to == to && e->time == time))
            return &x->slot[i];
    }
}

static int grow(struct spreading *x) {
    size_t room = x->room == 0 ? 8192 : 2 * x->room;
    struct edge *more = realloc(x->edge, room * sizeof *more);
    if (more == NULL)
        return -1;
    x->edge = more;
    free(x->slot);
    x->slots = 2 * room;
    x->slot = calloc(x->slots, sizeof *x->slot);
    if (x->slot == NULL)
        return -1;
    x->room = room;
    for (size_t i = 0; i < x->count; i++)
        *find_slot(x, x->edge[i].from, x->edge[i].to, x->edge[i].time) = (uint32_t)i + 1;
    return 0;
}

static void put_on(struct edge *e, int blocks, int runs, int first, int last) {
    e->blocks += blocks;
    e->runs += runs - (e->last + 1 == first);
    e->last = last;
}

/* Returns the edge's number + 1, or 0 when out of memory. */
static uint32_t add_blocks(struct spreading *x, int from, int to, int time, int blocks, int runs,
                           int first, int last) {
    x->failed |= x->count == x->room && grow(x) != 0;
    if (x->failed)
        return 0;
    uint32_t *slot = find_slot(x, from, to, time);
    if (*slot == 0) {
        x->edge[x->count++] = (struct edge){from, to, time, 0, 0, -2};
        *slot = (uint32_t)x->count;
    }
    put_on(&x->edge[*slot - 1], blocks, runs, first, last);
    return *slot;
}

/* All blocks that entered by one rank, in one of the last steps. To a rank in one step nearly all
 * comes from one rank on either side, by whichever rank it entered. */
static void add_entered(struct spreading *x, const struct edge *in, int step, int from, int to,
                        int time) {
    uint32_t *last = &x->last[to][step % STEPS][from > to];
    x->found++;
    struct edge *e = *last > 0 ? &x->edge[*last - 1] : NULL;
    if (e != NULL && e->from == from && e->to == to && e->time == time)
        put_on(e, in->blocks, in->runs, in->from, in->last);
    else
        *last = add_blocks(x, from, to, time, in->blocks, in->runs, in->from, in->last);
}

static void add_block(struct spreading *x, int from, int to, int time, int block) {
    x->found++;
    add_blocks(x, from, to, time, 1, 1, block, block);
}

/* The way between a block's source and the root is taken the other way round, and first. */
static int to_root(const struct spreading *x, int level, int set) {
    return x->spread.kind == BINE_SPREAD_HUNG &&
           x->spread.groups->level[level].set_of[x->spread.root] == set;
}

static void enter(struct spreading *x, int rank, int block) {
    struct edge *e = &x->enters[rank];
    e->from = e->blocks == 0 ? block : e->from;
    e->runs += e->blocks == 0 || e->last + 1 != block;
    e->blocks++;
    e->last = block;
}

/* One block over the sets inside one set, and on into these. */
static void between_sets(struct spreading *x, int block, int level, int set, int entry) {
    const struct bine_groups *g = x->spread.groups;
    const struct bine_level *l = &g->level[level];
    if (level + 2 == g->levels) {
        enter(x, entry, block);
        return;
    }
    struct bine_branch b = bine_spread_branch(&x->spread, level, set, entry);
    for (int i = l->inside[set]; i < l->inside[set + 1]; i++) {
        int step, into = bine_spread_entry(&x->spread, block, entry, level + 1, i);
        if (into != entry) {
            int upper = b.first + bine_branch_upper(&b, i - b.first, &step);
            int from = bine_spread_entry(&x->spread, block, entry, level + 1, upper);
            if (to_root(x, level + 1, i))
                add_block(x, into, from, x->clock.out[level], block);
            else
                add_block(x, from, into, x->clock.begin[level] + step, block);
        }
        between_sets(x, block, level + 1, i, into);
    }
}

/* The blocks that entered a set by one of its ranks, on to the others. */
static void inside_from(struct spreading *x, int set, int entry) {
    const struct bine_groups *g = x->spread.groups;
    int level = g->levels - 2;
    const int32_t *member = g->member + g->level[level].begin[set];
    const struct edge *in = &x->enters[entry];
    struct bine_branch b = bine_spread_branch(&x->spread, level, set, entry);
    const struct bine_tree *t = b.tree;
    for (int v = 0; v < t->p; v++)
        x->seat[v] = member[bine_branch_set(&b, v)];
    for (int v = 0; v < t->p; v++)
        if (t->parent[v] >= 0)
            add_entered(x, in, t->step[v], x->seat[t->parent[v]], x->seat[v],
                        x->clock.begin[level] + t->step[v]);
    if (b.apart >= 0 && b.apart != b.root)
        add_entered(x, in, 0, member[b.apart], entry, x->clock.out[level]);
}

static void inside_set(struct spreading *x, int set) {
    const struct bine_groups *g = x->spread.groups;
    int level = g->levels - 2, size = bine_groups_size(g, level, set);
    const int32_t *member = g->member + g->level[level].begin[set];
    for (int e = 0; e < size && !x->failed; e++)
        if (x->enters[member[e]].blocks > 0)
            inside_from(x, set, member[e]);
}

static void spread_blocks(struct spreading *x) {
    const struct bine_groups *g = x->spread.groups;
    x->enters = calloc((size_t)g->p, sizeof *x->enters);
    x->last = calloc((size_t)g->p, sizeof *x->last);
    x->seat = malloc((size_t)g->p * sizeof *x->seat);
    x->failed |= x->enters == NULL || x->last == NULL || x->seat == NULL;
    for (int b = 0; b < g->p && !x->failed; b++)
        between_sets(x, b, 0, 0, bine_spread_source(&x->spread, b));
    for (int i = 0; i < g->level[g->levels - 2].sets && !x->failed; i++)
        inside_set(x, i);
    free(x->enters);
    free(x->seat);
    free(x->last);
}

/* The block of each rank along the way to it. */
static void from_root(struct spreading *x) {
    struct bine_spread_edge from;
    for (int b = 0; b < x->spread.groups->p && !x->failed; b++)
        for (int r = b; bine_spread_arrival(&x->spread, 0, r, &from); r = from.peer)
            add_block(x, from.peer, r, x->clock.begin[from.level] + from.step, b);
}

/* Which blocks spread how, and in which directions: forwards, backwards as reductions do, or
 * backwards and then forwards. */
struct way {
    enum bine_spread_kind kind;
    int backwards, forwards;
};

static const struct way *way_of(const struct bine_spec *spec) {
    static const struct way parts = {BINE_SPREAD_PARTS, 1, 1};
    static const struct way kinds[BINE_FLOWS][2] = {
        [BINE_FLOW_GROUP_BLOCKS] = {{BINE_SPREAD_ROOT, 0, 1}, {BINE_SPREAD_ROOT, 1, 0}},
        [BINE_FLOW_GROUP_HUNG] = {{BINE_SPREAD_HUNG, 0, 1}, {BINE_SPREAD_HUNG, 1, 0}},
        [BINE_FLOW_GROUP_EVERY] = {{BINE_SPREAD_RANKS, 0, 1}, {BINE_SPREAD_RANKS, 1, 0}},
    };
    enum bine_collective c = bine_collective_kind(spec->algorithm->collective);
    enum bine_flow flow = bine_compositions[spec->algorithm->composition].flow;
    if (flow == BINE_FLOW_GROUP_PARTS)
        return &parts;
    const struct way *w = &kinds[flow][bine_collective_reduces(c) || c == BINE_GATHER];
    return w->backwards || w->forwards ? w : NULL;
}

int bine_work_list_by_groups(const struct bine_spec *spec) {
    return spec->groups != NULL && spec->groups->levels > 1 && spec->p > 1 && spec->node == NULL &&
           spec->order == NULL && bine_algorithm_needs(spec->algorithm) == BINE_NEEDS_GROUPS &&
           bine_collective_is_plain(spec->algorithm->collective) && way_of(spec) != NULL;
}

/* Every block goes into every set, and from each rank of the smallest sets to all others there; or
 * from the root, in a few steps. Of these, a few for each rank and direction are different. */
/* Of a tree over n. */
static int steps_of(int n) {
    int steps = 0;
    for (; n > 1; n = (n + 1) / 2)
        steps++;
    return steps;
}

double bine_work_list_groups_cost(const struct bine_spec *spec, double look) {
    const struct bine_groups *g = spec->groups;
    const struct way *way = way_of(spec);
    int level = g->levels - 2, segments = bine_spec_segments(spec), tree = 1;
    double edges = (double)spec->p * g->level[level].sets;
    for (int i = 0; i < g->level[level].sets; i++)
        edges += (double)bine_groups_size(g, level, i) * bine_groups_size(g, level, i);
    if (way->kind == BINE_SPREAD_ROOT)
        edges = (double)spec->p * FEW;
    else
        tree = steps_of(spec->p) + steps_of(g->level[level].sets);
    return segments *
           (edge_cost * edges +
            (item_cost + look) * 2 * (way->backwards + way->forwards) * (double)spec->p * tree);
}

/* Both ends of a message. */
static int add_ends(struct bine_work_list *d, const struct bine_spec *spec, const struct edge *e,
                    int time, int backwards, int strand, double block,
                    const struct bine_rates *rates) {
    int adds = backwards && bine_collective_reduces(spec->algorithm->collective), rc = 0;
    double share = e->blocks * block;
    float copies = spec->layout == BINE_PACK && e->runs > 1 && rates->copy > 0
                       ? (float)(share / rates->copy)
                       : 0;
    float sums = rates->reduce > 0 ? (float)(share / rates->reduce) : 0;
    struct bine_work_item x = {.rank = backwards ? e->to : e->from,
                               .peer = backwards ? e->from : e->to,
                               .time = time,
                               .strand = (uint16_t)strand,
                               .transfers = spec->layout == BINE_PACK ? 1 : (uint32_t)e->runs,
                               .share = (float)share,
                               .work = copies,
                               .copies = copies > 0};
    rc |= bine_work_list_add(d, x);
    x.rank = x.peer;
    x.peer = backwards ? e->to : e->from;
    x.receives = 1;
    x.work = adds ? sums : copies;
    x.copies = !adds && copies > 0;
    return rc | bine_work_list_add(d, x);
}

int bine_work_list_add_groups(struct bine_work_list *d, const struct bine_spec *spec,
                              const struct bine_rates *rates) {
    const struct way *way = way_of(spec);
    int segments = bine_spec_segments(spec), rc = 0;
    d->strands = segments;
    d->staggered = segments > 1;
    for (int k = 0; k < segments && rc == 0; k++) {
        struct spreading x = {.spread = {.groups = spec->groups,
                                         .kind = way->kind,
                                         .root = spec->root,
                                         .direct = way->kind == BINE_SPREAD_ROOT,
                                         .turn = k,
                                         .turns = segments > 1 ? segments : 0}};
        int end = (x.clock = bine_spread_clock_of(&x.spread)).end;
        if (way->kind == BINE_SPREAD_ROOT)
            from_root(&x);
        else
            spread_blocks(&x);
        double block = 1.0 / spec->p / segments;
        for (size_t i = 0; i < x.count && way->backwards && !x.failed && rc == 0; i++)
            rc = add_ends(d, spec, &x.edge[i], end - 1 - x.edge[i].time, 1, k, block, rates);
        for (size_t i = 0; i < x.count && way->forwards && !x.failed && rc == 0; i++)
            rc = add_ends(d, spec, &x.edge[i], x.edge[i].time + (way->backwards ? end : 0), 0, k,
                          block, rates);
        rc = x.failed ? -1 : rc;
        d->cost += edge_cost * (double)x.found +
                   item_cost * 2 * (way->backwards + way->forwards) * (double)x.count;
        free(x.edge);
        free(x.slot);
    }
    return rc;
}
