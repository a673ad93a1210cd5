/* Moves between and inside groups from a root, as pattern/groups.h says. The levels follow each
 * other in time, from the outermost in. */
#include "schedule/build/moves/moves_collector.h"

#include <stdlib.h>
#include <string.h>

/* At most one edge for each step of each level; where they are flat, more at the last one. */
enum { EDGES = 32 * (BINE_LEVELS_MOST + 1) };

struct bine_spread_clock bine_spread_clock_of(const struct bine_spread *x) {
    struct bine_spread_clock c;
    memset(&c, 0, sizeof c);
    for (int l = 0; l + 1 < x->groups->levels; l++) {
        c.begin[l] = c.end;
        c.end += bine_spread_steps(x, l);
    }
    return c;
}

static int time_of(const struct bine_spread_clock *c, const struct bine_spread_edge *e) {
    return c->begin[e->level] + e->step;
}

/* Backwards, a rank's own data first meets that of the last one below it, or of one of those that
 * are last. */
int bine_moves_group_bcast(struct bine_moves *m, const struct bine_spread *x, int rank) {
    struct bine_spread_clock clock = bine_spread_clock_of(x);
    struct bine_collector collector;
    struct bine_spread_edge from,
        *kid = malloc((EDGES + (x->flat ? (size_t)x->groups->p : 0)) * sizeof *kid);
    struct bine_chain at;
    if (kid == NULL || bine_collector_open(&collector, clock.end, EDGES) != 0) {
        free(kid);
        return -1;
    }
    bine_spread_chain(x, rank, &at);
    int kids = x->groups->p > 1 ? bine_chain_edges(x, &at, &from, kid) : 0;
    int last = kids > 0 ? time_of(&clock, &kid[kids - 1]) : 0;
    int contested = kids > 1 && time_of(&clock, &kid[kids - 2]) == last;
    collector.contested |= contested;
    for (int k = 0; k < kids; k++) {
        int time = time_of(&clock, &kid[k]);
        bine_collector_add(&collector, time, BINE_TO, kid[k].peer, 0,
                           time < last ? BINE_TOUCHED
                           : contested ? BINE_CONTESTED
                                       : BINE_FRESH);
    }
    if (rank != x->root)
        bine_collector_add(&collector, time_of(&clock, &from), BINE_FROM, from.peer, 0, kids == 0);
    free(kid);
    return bine_collector_close(&collector, m);
}

/* Where the way from b back to the root can meet another rank first: not inside a smallest set that
 * the rank is not in. */
static int way_begins(const struct bine_spread *x, int rank, int b) {
    const struct bine_groups *g = x->groups;
    int l = g->levels - 2;
    struct bine_chain c;
    if (g->level[l].set_of[b] == g->level[l].set_of[rank])
        return b;
    bine_spread_chain(x, b, &c);
    return c.entry[l];
}

int bine_moves_group_scatter(struct bine_moves *m, const struct bine_spread *x, int rank) {
    struct bine_spread_clock clock = bine_spread_clock_of(x);
    struct bine_collector collector;
    int p = x->groups->p;
    if (bine_collector_open(&collector, clock.end, 2 * (size_t)p) != 0)
        return -1;
    for (int b = 0; b < p && p > 1; b++) {
        struct bine_spread_edge from;
        int r = way_begins(x, rank, b);
        for (; bine_spread_arrival(x, r, &from); r = from.peer) {
            if (r == rank)
                bine_collector_add(&collector, time_of(&clock, &from), BINE_FROM, from.peer, b, 0);
            if (from.peer == rank)
                bine_collector_add(&collector, time_of(&clock, &from), BINE_TO, r, b, 0);
        }
    }
    return bine_collector_close(&collector, m);
}
