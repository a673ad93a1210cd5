/* Moves between and inside groups: every block spreads as pattern/groups.h says. The levels follow
 * each other in time, from the outermost in. */
#include "schedule/moves_sink.h"

#include <string.h>

/* At most one edge for each step of each level. */
enum { EDGES = 32 * (BINE_LEVELS_MOST + 1) };

/* When each level's steps begin; and, where blocks are hung, when they leave the root's set of a
 * level on their way out, which comes before. */
struct clock {
    int begin[BINE_LEVELS_MOST + 2], out[BINE_LEVELS_MOST + 2];
    int end;
};

static struct clock clock_of(const struct bine_spread *x) {
    const struct bine_groups *g = x->groups;
    struct clock c;
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

static int time_of(const struct clock *c, const struct bine_spread_edge *e) {
    return c->begin[e->level] + e->step;
}

/* A rank sends a block to those below it; 0 if there are none. */
static int add_kids(struct bine_sink *sink, const struct bine_spread *x, const struct clock *c,
                    int rank, int block) {
    struct bine_spread_edge kid[EDGES];
    int kids = bine_spread_kids(x, block, rank, kid);
    for (int k = 0; k < kids; k++)
        bine_sink_add(sink, time_of(c, &kid[k]), BINE_TO, kid[k].peer, block, k == kids - 1);
    return kids > 0;
}

/* One block at one rank, as it spreads from its source. */
static void spread_block(struct bine_sink *sink, const struct bine_spread *x, const struct clock *c,
                         int rank, int block) {
    struct bine_spread_edge from;
    int more = add_kids(sink, x, c, rank, block);
    if (bine_spread_arrival(x, block, rank, &from))
        bine_sink_add(sink, time_of(c, &from), BINE_FROM, from.peer, block, !more);
}

/* And where it is hung, on the way from the root to its source. */
static void hung_block(struct bine_sink *sink, const struct bine_spread *x, const struct clock *c,
                       int rank, int block) {
    struct bine_spread_edge out;
    int below = -1, came = -1, at = x->root, goes = bine_spread_arrival(x, block, at, &out);
    while (at != rank && goes) {
        below = at;
        came = c->out[out.level];
        at = out.peer;
        goes = bine_spread_arrival(x, block, at, &out);
    }
    if (at != rank) {
        spread_block(sink, x, c, rank, block);
        return;
    }
    int more = add_kids(sink, x, c, rank, block);
    if (goes)
        bine_sink_add(sink, c->out[out.level], BINE_TO, out.peer, block, !more);
    if (below >= 0)
        bine_sink_add(sink, came, BINE_FROM, below, block, !more && !goes);
}

int bine_moves_group(struct bine_moves *m, const struct bine_spread *x, int rank) {
    struct clock c = clock_of(x);
    struct bine_sink sink;
    int p = x->groups->p;
    if (bine_sink_open(&sink, c.end, 2 * (size_t)p) != 0)
        return -1;
    for (int b = 0; b < p; b++)
        if (x->kind == BINE_SPREAD_HUNG)
            hung_block(&sink, x, &c, rank, b);
        else
            spread_block(&sink, x, &c, rank, b);
    return bine_sink_close(&sink, m);
}

int bine_moves_group_bcast(struct bine_moves *m, const struct bine_groups *g, int rank, int root) {
    struct bine_spread x = {.groups = g, .kind = BINE_SPREAD_ROOT, .root = root};
    struct clock c = clock_of(&x);
    struct bine_sink sink;
    if (bine_sink_open(&sink, c.end, EDGES) != 0)
        return -1;
    spread_block(&sink, &x, &c, rank, 0);
    return bine_sink_close(&sink, m);
}

int bine_moves_group_scatter(struct bine_moves *m, const struct bine_groups *g, int rank,
                             int root) {
    struct bine_spread x = {.groups = g, .kind = BINE_SPREAD_ROOT, .root = root, .direct = 1};
    struct clock c = clock_of(&x);
    struct bine_sink sink;
    if (bine_sink_open(&sink, c.end, 2 * (size_t)g->p) != 0)
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
