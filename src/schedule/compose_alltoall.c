/* Alltoall: the block from i to j travels along the tree of i.
 *
 * At every rank and time there is exactly one block in each slot w: the one whose destination is
 * node w of its source's tree. Slot w makes as many hops as node w is deep; at each, the rank sends
 * the block it has in slot w and receives another into slot w. A block is first sent from `in`; it
 * is received alternately into tmp and into its final place in `out`, such that the last hop ends
 * in `out`: nothing is copied at the beginning or at the end, and no message overwrites one that is
 * being sent. In place, the caller's data moves to the second half of tmp first. */
#include "schedule/compose.h"

#include <stdlib.h>

struct slots {
    const struct bine_tree *tree;
    int32_t *depth; /* hops that a slot makes in all */
    int32_t *done;  /* hops received so far */
    int in_place;
};

/* Where slot w lies after `hops` of its hops. */
static struct bine_run slot_place(const struct slots *x, int rank, int w, int hops) {
    int p = x->tree->p;
    if (hops == 0) {
        int j = bine_tree_rank(x->tree, rank, w);
        return x->in_place ? (struct bine_run){p + j, 1, BINE_TMP}
                           : (struct bine_run){j, 1, BINE_IN};
    }
    if ((x->depth[w] - hops) % 2 == 0)
        return (struct bine_run){bine_tree_root(x->tree, rank, w), 1, BINE_OUT};
    return (struct bine_run){w, 1, BINE_TMP};
}

static void slot_message(struct bine_schedule *s, const struct bine_moves *m,
                         const struct bine_move *mv, const struct slots *x, int receives) {
    bine_schedule_op(s, receives ? BINE_OP_RECV : BINE_OP_SEND, BINE_SIDE_ANY, mv->peer);
    for (uint32_t i = 0; i < mv->nspans; i++)
        for (int w = m->span[mv->spans + i].first;
             w < m->span[mv->spans + i].first + m->span[mv->spans + i].count; w++) {
            struct bine_run r = slot_place(x, s->rank, w, x->done[w] + receives);
            bine_schedule_run(s, r.space, r.first, 1, s->layout == BINE_PACK);
        }
}

static void slot_steps(struct bine_schedule *s, const struct bine_moves *m, struct slots *x) {
    for (uint32_t k = 0, end; k < m->nmoves; k = end) {
        bine_schedule_step(s, m->move[k].time);
        for (end = k; end < m->nmoves && m->move[end].time == m->move[k].time; end++)
            if (m->move[end].direction == BINE_FROM)
                slot_message(s, m, &m->move[end], x, 1);
        for (uint32_t i = k; i < end; i++)
            if (m->move[i].direction == BINE_TO)
                slot_message(s, m, &m->move[i], x, 0);
        for (uint32_t i = k; i < end; i++)
            for (uint32_t j = 0; j < m->move[i].nspans && m->move[i].direction == BINE_FROM; j++) {
                const struct bine_span *span = &m->span[m->move[i].spans + j];
                for (int w = span->first; w < span->first + span->count; w++)
                    x->done[w]++;
            }
    }
}

static void emit(struct bine_schedule *s, const struct bine_request *rq, const struct bine_moves *m,
                 struct slots *x) {
    const struct bine_tree *t = x->tree;
    int deep = 0;
    /* Slots were numbered depth-first: parents before children. */
    for (int v = 0; v < t->p; v++)
        x->done[t->enter[v]] = v;
    x->depth[0] = 0;
    for (int i = 1; i < t->p; i++) {
        int v = x->done[i];
        x->depth[v] = x->depth[t->parent[v]] + 1;
        deep = x->depth[v] > deep ? x->depth[v] : deep;
    }
    for (int v = 0; v < t->p; v++)
        x->done[v] = 0;
    bine_space_set(s, BINE_TMP, (deep > 1 || rq->in_place ? t->p : 0) + (rq->in_place ? t->p : 0),
                   BINE_SLOTS, 0);
    if (rq->in_place && t->p > 1) {
        bine_schedule_step(s, -1);
        bine_schedule_op(s, BINE_OP_COPY, BINE_SIDE_ANY, -1);
        bine_schedule_run(s, BINE_TMP, t->p, t->p, 0);
        bine_schedule_with(s, BINE_IN, 0, t->p);
    }
    slot_steps(s, m, x);
    if (!rq->in_place)
        bine_emit_copy(s, BINE_OUT, rq->rank, BINE_IN, rq->rank);
}

int bine_compose_alltoall(struct bine_schedule *s, const struct bine_request *rq) {
    struct bine_tree *own = rq->tree == NULL ? bine_request_tree(rq) : NULL;
    struct slots x = {rq->tree != NULL ? rq->tree : own, malloc((size_t)rq->p * 4),
                      malloc((size_t)rq->p * 4), rq->in_place};
    struct bine_moves m = {0};
    struct bine_request with_tree = *rq;
    with_tree.tree = x.tree;
    int rc = -1;
    s->blocks = rq->p;
    bine_space_set(s, BINE_IN, rq->p, BINE_NATURAL, 0);
    bine_space_set(s, BINE_OUT, rq->p, BINE_NATURAL, 0);
    if (x.tree != NULL && x.depth != NULL && x.done != NULL &&
        bine_request_moves(&m, &with_tree) == 0) {
        emit(s, rq, &m, &x);
        rc = 0;
    }
    bine_moves_free(&m);
    bine_tree_free(own);
    free(x.depth);
    free(x.done);
    return rc;
}
