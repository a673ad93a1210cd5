/* Moves between and inside groups: every block spreads as pattern/groups.h says. The levels follow
 * each other in time, from the outermost in. */
#include "schedule/build/moves/moves_collector.h"

#include <stdlib.h>
#include <string.h>

/* At most one edge for each step of each level; where they are flat, more at the last one. */
enum { EDGES = 32 * (BINE_LEVELS_MOST + 1) };

struct bine_spread_clock bine_spread_clock_of(const struct bine_spread *x) {
    const struct bine_groups *g = x->groups;
    struct bine_spread_clock c;
    memset(&c, 0, sizeof c);
    for (int l = g->levels - 2; l >= 0 && x->kind == BINE_SPREAD_HUNG; l--) {
        int set = g->level[l].set_of[x->root];
        c.out[l] = c.end;
        c.end += g->level[l].inside[set + 1] - g->level[l].inside[set] > 1;
    }
    for (int l = 0; l + 1 < g->levels; l++) {
        c.begin[l] = c.end;
        c.end += bine_spread_steps(x, l);
    }
    return c;
}

static int time_of(const struct bine_spread_clock *c, const struct bine_spread_edge *e) {
    return c->begin[e->level] + e->step;
}

/* How a block comes to a rank and goes on from it. */
struct edges {
    int entry; /* of the smallest set that holds the rank and others */
    int late;  /* see bine_spread_is_late */
    int arrives, kids;
    struct bine_spread_edge from, *kid;
};

/* The moves of one rank. */
struct group_moves {
    struct bine_collector collector;
    const struct bine_spread *x;
    struct bine_spread_clock clock;
    int rank;
    struct edges edges; /* of the block in hand */
};

/* Inside the smallest set, all blocks that enter it by one rank go one way. */
static void find_edges(struct group_moves *y, const struct bine_chain *at) {
    struct edges *e = &y->edges;
    int entry = at->entry[y->x->groups->levels - 2];
    int late = bine_spread_is_late(y->x, at->block, y->rank);
    if (entry == e->entry && late == e->late && entry != y->rank)
        return;
    e->entry = entry;
    e->late = late;
    e->arrives = at->entry[0] != y->rank;
    e->kids = bine_chain_edges(y->x, at, &e->from, e->kid);
}

/* The rank sends a block to those below it. Backwards, its own data first meets that of the last
 * one, or of one of those that are last. */
static void add_kids(struct group_moves *y, int block) {
    const struct edges *e = &y->edges;
    int last = e->kids > 0 ? time_of(&y->clock, &e->kid[e->kids - 1]) : 0;
    int contested = e->kids > 1 && time_of(&y->clock, &e->kid[e->kids - 2]) == last;
    y->collector.contested |= contested;
    for (int k = 0; k < e->kids; k++) {
        int time = time_of(&y->clock, &e->kid[k]);
        bine_collector_add(&y->collector, time, BINE_TO, e->kid[k].peer, block,
                           time < last ? BINE_TOUCHED
                           : contested ? BINE_CONTESTED
                                       : BINE_FRESH);
    }
}

/* One block, as it spreads from its source. */
static void spread_block(struct group_moves *y, int block, int source) {
    struct bine_chain at;
    const struct edges *e = &y->edges;
    bine_spread_chain(y->x, block, source, y->rank, &at);
    find_edges(y, &at);
    add_kids(y, block);
    if (e->arrives)
        bine_collector_add(&y->collector, time_of(&y->clock, &e->from), BINE_FROM, e->from.peer,
                           block, e->kids == 0);
}

/* And where it is hung, on the way from the root to its source. */
static void hung_block(struct group_moves *y, int block) {
    const struct bine_spread_clock *c = &y->clock;
    int source = bine_spread_source(y->x, block), rank = y->rank;
    struct bine_chain root, at;
    int l = y->x->groups->levels - 1, below = -1, came = -1;
    bine_spread_chain(y->x, block, source, y->x->root, &root);
    while (l > 0 && root.entry[l] != rank) {
        l--;
        if (root.entry[l] != root.entry[l + 1]) {
            below = root.entry[l + 1];
            came = c->out[l];
        }
    }
    if (root.entry[l] != rank) {
        spread_block(y, block, source);
        return;
    }
    while (l > 0 && root.entry[l - 1] == rank)
        l--;
    bine_spread_chain(y->x, block, source, rank, &at);
    find_edges(y, &at);
    add_kids(y, block);
    int more = y->edges.kids > 0;
    if (l > 0)
        bine_collector_add(&y->collector, c->out[l - 1], BINE_TO, root.entry[l - 1], block, !more);
    if (below >= 0)
        bine_collector_add(&y->collector, came, BINE_FROM, below, block, !more && l == 0);
}

static int group_moves_open(struct group_moves *y, const struct bine_spread *x, int rank,
                            size_t expected) {
    y->x = x;
    y->clock = bine_spread_clock_of(x);
    y->rank = rank;
    y->edges.entry = -1;
    y->edges.kid = malloc((EDGES + (x->flat ? (size_t)x->groups->p : 0)) * sizeof *y->edges.kid);
    if (y->edges.kid == NULL)
        return -1;
    if (bine_collector_open(&y->collector, y->clock.end, expected) == 0)
        return 0;
    free(y->edges.kid);
    return -1;
}

static int group_moves_close(struct group_moves *y, struct bine_moves *m) {
    free(y->edges.kid);
    return bine_collector_close(&y->collector, m);
}

int bine_moves_group(struct bine_moves *m, const struct bine_spread *x, int rank) {
    struct group_moves y;
    int p = x->groups->p;
    if (group_moves_open(&y, x, rank, 2 * (size_t)p) != 0)
        return -1;
    for (int b = 0; b < p && p > 1; b++)
        if (x->kind == BINE_SPREAD_HUNG)
            hung_block(&y, b);
        else
            spread_block(&y, b, bine_spread_source(x, b));
    return group_moves_close(&y, m);
}

int bine_moves_group_bcast(struct bine_moves *m, const struct bine_spread *x, int rank) {
    struct group_moves y;
    if (group_moves_open(&y, x, rank, EDGES) != 0)
        return -1;
    if (x->groups->p > 1)
        spread_block(&y, 0, x->root);
    return group_moves_close(&y, m);
}

/* Where the way from b back to the root can meet another rank first: not inside a smallest set that
 * the rank is not in. */
static int way_begins(const struct bine_spread *x, int rank, int b) {
    const struct bine_groups *g = x->groups;
    int l = g->levels - 2;
    struct bine_chain c;
    if (g->level[l].set_of[b] == g->level[l].set_of[rank])
        return b;
    bine_spread_chain(x, 0, x->root, b, &c);
    return c.entry[l];
}

int bine_moves_group_scatter(struct bine_moves *m, const struct bine_spread *x, int rank) {
    struct group_moves y;
    int p = x->groups->p;
    if (group_moves_open(&y, x, rank, 2 * (size_t)p) != 0)
        return -1;
    for (int b = 0; b < p && p > 1; b++) {
        struct bine_spread_edge from;
        int r = way_begins(x, rank, b);
        for (; bine_spread_arrival(x, 0, r, &from); r = from.peer) {
            if (r == rank)
                bine_collector_add(&y.collector, time_of(&y.clock, &from), BINE_FROM, from.peer, b,
                                   0);
            if (from.peer == rank)
                bine_collector_add(&y.collector, time_of(&y.clock, &from), BINE_TO, r, b, 0);
        }
    }
    return group_moves_close(&y, m);
}
