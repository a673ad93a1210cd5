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
                    const struct bine_chain *at) {
    struct bine_spread_edge kid[EDGES];
    int kids = bine_chain_kids(x, at, kid);
    for (int k = 0; k < kids; k++)
        bine_sink_add(sink, time_of(c, &kid[k]), BINE_TO, kid[k].peer, at->block, k == kids - 1);
    return kids > 0;
}

/* One block at one rank, as it spreads from its source. */
static void spread_block(struct bine_sink *sink, const struct bine_spread *x, const struct clock *c,
                         int rank, int block) {
    struct bine_spread_edge from;
    struct bine_chain at = bine_spread_chain(x, block, rank);
    int more = add_kids(sink, x, c, &at);
    if (bine_chain_arrival(x, &at, &from))
        bine_sink_add(sink, time_of(c, &from), BINE_FROM, from.peer, block, !more);
}

/* And where it is hung, on the way from the root to its source. */
static void hung_block(struct bine_sink *sink, const struct bine_spread *x, const struct clock *c,
                       int rank, int block) {
    struct bine_chain root = bine_spread_chain(x, block, x->root);
    int l = x->groups->levels - 1, below = -1, came = -1;
    while (l > 0 && root.entry[l] != rank) {
        l--;
        if (root.entry[l] != root.entry[l + 1]) {
            below = root.entry[l + 1];
            came = c->out[l];
        }
    }
    if (root.entry[l] != rank) {
        spread_block(sink, x, c, rank, block);
        return;
    }
    while (l > 0 && root.entry[l - 1] == rank)
        l--;
    struct bine_chain at = bine_spread_chain(x, block, rank);
    int more = add_kids(sink, x, c, &at);
    if (l > 0)
        bine_sink_add(sink, c->out[l - 1], BINE_TO, root.entry[l - 1], block, !more);
    if (below >= 0)
        bine_sink_add(sink, came, BINE_FROM, below, block, !more && l == 0);
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

/* Where the way from b back to the root can meet another rank first: not inside a smallest set that
 * the rank is not in. */
static int way_begins(const struct bine_spread *x, int rank, int b) {
    const struct bine_groups *g = x->groups;
    const int32_t *set_of = g->level[g->levels - 2].set_of;
    return set_of[b] == set_of[rank] ? b : bine_spread_chain(x, 0, b).entry[g->levels - 2];
}

int bine_moves_group_scatter(struct bine_moves *m, const struct bine_groups *g, int rank,
                             int root) {
    struct bine_spread x = {.groups = g, .kind = BINE_SPREAD_ROOT, .root = root, .direct = 1};
    struct clock c = clock_of(&x);
    struct bine_sink sink;
    if (bine_sink_open(&sink, c.end, 2 * (size_t)g->p) != 0)
        return -1;
    for (int b = 0; b < g->p && g->p > 1; b++) {
        struct bine_spread_edge from;
        int r = way_begins(&x, rank, b);
        for (; bine_spread_arrival(&x, 0, r, &from); r = from.peer) {
            if (r == rank)
                bine_sink_add(&sink, time_of(&c, &from), BINE_FROM, from.peer, b, 0);
            if (from.peer == rank)
                bine_sink_add(&sink, time_of(&c, &from), BINE_TO, r, b, 0);
        }
    }
    return bine_sink_close(&sink, m);
}
