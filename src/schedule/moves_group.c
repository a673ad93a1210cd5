/* Moves between and inside groups: every block spreads as pattern/groups.h says.
 *
 * The levels follow each other in time, from the outermost in. A pipeline repeats all of it for
 * each segment, `stride` later: while one segment spreads inside the groups, the next one crosses.
 */
#include "schedule/moves_sink.h"

#include <string.h>

/* At most one edge for each step of each level. */
enum { EDGES = 32 * (BINE_LEVELS_MOST + 1) };

/* When each level's steps begin. */
struct clock {
    int begin[BINE_LEVELS_MOST + 2];
    int end;
};

static struct clock clock_of(const struct bine_spread *x) {
    struct clock c;
    memset(&c, 0, sizeof c);
    for (int l = 0; l + 1 < x->groups->levels; l++) {
        c.begin[l] = c.end;
        c.end += bine_spread_steps(x, l);
    }
    return c;
}

static int time_of(const struct clock *c, const struct bine_spread_edge *e) {
    return c->begin[e->level] + e->step;
}

static void add_kids(struct bine_sink *sink, const struct bine_spread_edge *kid, int kids,
                     const struct clock *c, int delay, int skip, int block, int last) {
    for (int k = 0, seen = 0; k < kids; k++) {
        int time = delay + time_of(c, &kid[k]);
        if (kid[k].peer == skip)
            continue;
        bine_sink_add(sink, time, BINE_TO, kid[k].peer, block, !seen && time == last);
        seen |= time == last;
    }
}

/* One block at one rank, as it spreads from its source. */
static void spread_block(struct bine_sink *sink, const struct bine_spread *x, const struct clock *c,
                         int delay, int rank, int block) {
    struct bine_spread_edge from, kid[EDGES];
    int kids = bine_spread_kids(x, block, rank, kid);
    if (bine_spread_arrival(x, block, rank, &from))
        bine_sink_add(sink, delay + time_of(c, &from), BINE_FROM, from.peer, block, kids == 0);
    add_kids(sink, kid, kids, c, delay, -1, block,
             kids == 0 ? -1 : delay + time_of(c, &kid[kids - 1]));
}

static int spread_all(struct bine_moves *m, const struct bine_spread *x, int rank) {
    struct clock c = clock_of(x);
    struct bine_sink sink;
    int p = x->groups->p;
    if (bine_sink_open(&sink, p, c.end, 2 * (size_t)p) != 0)
        return -1;
    for (int b = 0; b < p; b++)
        spread_block(&sink, x, &c, 0, rank, b);
    return bine_sink_close(&sink, m);
}

int bine_moves_group_allgather(struct bine_moves *m, const struct bine_groups *g, int rank) {
    struct bine_spread x = {g, BINE_SPREAD_RANKS, 0, 0};
    return spread_all(m, &x, rank);
}

int bine_moves_group_parts(struct bine_moves *m, const struct bine_groups *g, int rank) {
    struct bine_spread x = {g, BINE_SPREAD_PARTS, 0, 0};
    return spread_all(m, &x, rank);
}

int bine_moves_group_bcast(struct bine_moves *m, const struct bine_groups *g, int rank, int root) {
    struct bine_spread x = {g, BINE_SPREAD_ROOT, root, 0};
    struct clock c = clock_of(&x);
    struct bine_sink sink;
    if (bine_sink_open(&sink, g->p, c.end, EDGES) != 0)
        return -1;
    spread_block(&sink, &x, &c, 0, rank, 0);
    return bine_sink_close(&sink, m);
}

int bine_moves_group_scatter(struct bine_moves *m, const struct bine_groups *g, int rank,
                             int root) {
    struct bine_spread x = {g, BINE_SPREAD_ROOT, root, 1};
    struct clock c = clock_of(&x);
    struct bine_sink sink;
    if (bine_sink_open(&sink, g->p, c.end, 2 * (size_t)g->p) != 0)
        return -1;
    for (int b = 0; b < g->p; b++) {
        struct bine_spread_edge from;
        for (int r = b; bine_spread_arrival(&x, 0, r, &from); r = from.peer) {
            if (r == rank)
                bine_sink_add(&sink, time_of(&c, &from), BINE_FROM, from.peer, b, 0);
            if (from.peer == rank)
                bine_sink_add(&sink, time_of(&c, &from), BINE_TO, r, b, 0);
        }
    }
    return bine_sink_close(&sink, m);
}

/* Where a rank stands on the way between a block's source and the root: from below it comes the
 * block (-1 at the root), and it has gone up at `up` (at the source: -1). */
struct station {
    int on_path, below, below_time, above, up;
};

/* The way from the root to the source is taken first, its last edge first: an edge of time t at
 * `end - 1 - t`. */
static struct station find_station(const struct bine_spread *x, const struct clock *c, int block,
                                   int rank) {
    struct station s = {0, -1, -1, -1, -1};
    struct bine_spread_edge from;
    int r = x->root, more = bine_spread_arrival(x, block, r, &from);
    while (r != rank && more) {
        s.below = r;
        s.below_time = c->end - 1 - time_of(c, &from);
        r = from.peer;
        more = bine_spread_arrival(x, block, r, &from);
    }
    s.on_path = r == rank;
    if (s.on_path && more) {
        s.above = from.peer;
        s.up = c->end - 1 - time_of(c, &from);
    }
    return s;
}

static void hung_block(struct bine_sink *sink, const struct bine_spread *x, const struct clock *c,
                       int delay, int rank, int block) {
    struct station s = find_station(x, c, block, rank);
    struct bine_spread_edge kid[EDGES];
    if (!s.on_path) {
        spread_block(sink, x, c, delay + c->end, rank, block);
        return;
    }
    int kids = bine_spread_kids(x, block, rank, kid), last = s.above < 0 ? -1 : delay + s.up;
    for (int k = 0; k < kids; k++)
        if (kid[k].peer != s.below)
            last = delay + c->end + time_of(c, &kid[k]);
    if (s.below >= 0)
        bine_sink_add(sink, delay + s.below_time, BINE_FROM, s.below, block, last < 0);
    if (s.above >= 0)
        bine_sink_add(sink, delay + s.up, BINE_TO, s.above, block, last == delay + s.up);
    add_kids(sink, kid, kids, c, delay + c->end, s.below, block, last);
}

/* Steps at the beginning that no block of the root's needs: those of levels, or of trees, that are
 * deeper elsewhere. */
static int idle_steps(const struct bine_spread *x, const struct clock *c) {
    struct bine_spread_edge from;
    int last = -1;
    for (int b = 0; b < x->groups->p; b++)
        if (bine_spread_arrival(x, b, x->root, &from) && time_of(c, &from) > last)
            last = time_of(c, &from);
    return c->end - 1 - last;
}

int bine_moves_group_hung(struct bine_moves *m, const struct bine_groups *g, int rank, int root) {
    struct bine_spread x = {g, BINE_SPREAD_PARTS, root, 0};
    struct clock c = clock_of(&x);
    struct bine_sink sink;
    int idle = idle_steps(&x, &c);
    if (bine_sink_open(&sink, g->p, 2 * c.end - idle, 2 * (size_t)g->p) != 0)
        return -1;
    for (int b = 0; b < g->p; b++)
        hung_block(&sink, &x, &c, -idle, rank, b);
    return bine_sink_close(&sink, m);
}
