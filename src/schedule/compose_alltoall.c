/* Alltoall: the block from i to j travels along the tree of i.
 *
 * At every rank and time there is exactly one block in each slot w: the one whose destination is
 * node w of its source's tree. Slot w makes as many hops as node w is deep; at each, the rank sends
 * the block it has in slot w and receives another into slot w. A block is first sent from `in`; it
 * is received alternately into tmp and into its final place in `out`, such that the last hop ends
 * in `out`: nothing is copied at the beginning or at the end, and no message overwrites one that is
 * being sent. In place, the caller's data moves to the second half of tmp first.
 *
 * At step t the slots below every node c with step[c] = t hop along the edge that ends in c: the
 * rank that sends stands at the upper end of that edge in the tree of the block's source, the rank
 * that receives at the lower end. So the peers depend on c alone. Both ends list the slots of a
 * message in ascending order. */
#include "schedule/compose.h"

#include <stdlib.h>
#include <string.h>

/* Where a slot lies. The order is such that a hop goes from FINAL to SPARE and back. */
enum { START, FINAL, SPARE, LAIRS };

/* Which end of a hop a message is grouped by. */
enum { SOURCE, DESTINATION, ENDS };

struct slots {
    const struct bine_tree *tree;
    int rank;
    int32_t *room;         /* of all that follows */
    int32_t *place[LAIRS]; /* of a slot that lies there */
    int32_t *now, *next;   /* where a slot lies, and where its next hop ends */
    int32_t *top_down;     /* nodes, depth-first */
    int32_t *by_step;      /* nodes, in the order of their steps */
    int32_t *message;      /* 1 + the number of the message that takes a slot in this step, or 0 */
    int32_t *order;        /* slots: those that stay, then message by message */
    int32_t *peer[ENDS];   /* of a message */
    int32_t *end;          /* in `order`: of those that stay, then of each message */
    int32_t *number[ENDS]; /* 1 + the number of the message of a peer in this step, or 0 */
    int32_t *begin;        /* of a step, in `by_step` */
    int space[LAIRS];
};

static int slots_open(struct slots *x, const struct bine_tree *t, const struct bine_request *rq) {
    size_t n = (size_t)t->p + 1;
    *x = (struct slots){.tree = t, .rank = rq->rank};
    int32_t **const part[] = {&x->place[START],
                              &x->place[FINAL],
                              &x->place[SPARE],
                              &x->now,
                              &x->next,
                              &x->top_down,
                              &x->by_step,
                              &x->message,
                              &x->order,
                              &x->peer[SOURCE],
                              &x->peer[DESTINATION],
                              &x->end,
                              &x->number[SOURCE],
                              &x->number[DESTINATION],
                              &x->begin};
    size_t parts = sizeof part / sizeof *part;
    x->room = malloc((parts * n + (size_t)t->steps + 1) * sizeof *x->room);
    if (x->room == NULL)
        return -1;
    for (size_t i = 0; i < parts; i++)
        *part[i] = x->room + i * n;
    memset(x->number[SOURCE], 0, 2 * n * sizeof *x->room);
    return 0;
}

/* Where every slot begins and goes; returns how many hops the deepest makes. */
static int slots_place(struct slots *x, int in_place) {
    const struct bine_tree *t = x->tree;
    int deep = 0;
    x->space[START] = in_place ? BINE_TMP : BINE_IN;
    x->space[FINAL] = BINE_OUT;
    x->space[SPARE] = BINE_TMP;
    for (int v = 0; v < t->p; v++) {
        x->top_down[t->enter[v]] = v;
        x->place[START][v] = bine_tree_rank(t, x->rank, v) + (in_place ? t->p : 0);
        x->place[FINAL][v] = bine_tree_root(t, x->rank, v);
        x->place[SPARE][v] = v;
        x->now[v] = START;
    }
    x->message[0] = 0;               /* depths, until the first step */
    for (int i = 1; i < t->p; i++) { /* parents come before children */
        int v = x->top_down[i], depth = x->message[t->parent[v]] + 1;
        x->message[v] = depth;
        x->next[v] = depth % 2 == 1 ? FINAL : SPARE;
        deep = depth > deep ? depth : deep;
    }
    return deep;
}

/* Nodes by step, by counting. */
static void slots_by_step(struct slots *x) {
    const struct bine_tree *t = x->tree;
    memset(x->begin, 0, ((size_t)t->steps + 2) * sizeof *x->begin);
    for (int v = 1; v < t->p; v++)
        x->begin[t->step[v] + 2]++;
    for (int s = 2; s <= t->steps + 1; s++)
        x->begin[s] += x->begin[s - 1];
    for (int v = 1; v < t->p; v++)
        x->by_step[x->begin[t->step[v] + 1]++] = v;
}

static int hop_peer(const struct slots *x, int c, int end) {
    const struct bine_tree *t = x->tree;
    int v = t->parent[c];
    return end == SOURCE ? bine_tree_rank(t, bine_tree_root(t, x->rank, c), v)
                         : bine_tree_rank(t, bine_tree_root(t, x->rank, v), c);
}

/* Give the slots of a step their messages, by one end of their hops. Returns how many messages
 * there are. *both: whether the other end would have grouped them alike. */
static int number(struct slots *x, int step, int by, int *both) {
    const struct bine_tree *t = x->tree;
    int messages = 0;
    *both = 1;
    memset(x->message, 0, (size_t)t->p * sizeof *x->message);
    for (int i = x->begin[step]; i < x->begin[step + 1]; i++) {
        int c = x->by_step[i], q = hop_peer(x, c, by), other = hop_peer(x, c, !by);
        if (x->number[by][q] == 0) {
            *both &= x->number[!by][other] == 0;
            x->number[by][q] = x->number[!by][other] = ++messages;
            x->peer[by][messages] = q;
            x->peer[!by][messages] = other;
            x->end[messages] = 0;
        }
        int k = x->number[by][q];
        *both &= x->number[!by][other] == k;
        x->end[k] += t->leave[c] - t->enter[c]; /* counts, for now */
        for (int j = t->enter[c]; j < t->leave[c]; j++)
            x->message[x->top_down[j]] = k;
    }
    for (int k = 1; k <= messages; k++)
        x->number[by][x->peer[by][k]] = x->number[!by][x->peer[!by][k]] = 0;
    return messages;
}

/* The slots of a step by message, ascending in each. Slots that stay are sorted too, to the front:
 * cheaper than asking. */
static int group(struct slots *x, int step, int by, int *both) {
    int messages = number(x, step, by, both), total = x->tree->p;
    for (int k = messages; k > 0; k--) { /* from counts to where each begins */
        total -= x->end[k];
        x->end[k] = total;
    }
    x->end[0] = 0;
    for (int w = 0; w < x->tree->p; w++)
        x->order[x->end[x->message[w]]++] = w;
    return messages;
}

/* The places of one message's slots, before the hop or after it. */
static void slot_runs(struct bine_schedule *s, const struct slots *x, const int32_t *slot,
                      int count, const int32_t *lair) {
    if (s->layout == BINE_PACK) {
        for (int i = 0; i < count; i++)
            bine_schedule_run(s, x->space[lair[slot[i]]], x->place[lair[slot[i]]][slot[i]], 1, 1);
        return;
    }
    struct bine_run *r = bine_schedule_runs(s, (uint32_t)count);
    for (int i = 0; i < count && r != NULL; i++) {
        int w = slot[i], at = lair[w];
        r[i] = (struct bine_run){x->place[at][w], 1, x->space[at]};
    }
}

static void slot_messages(struct bine_schedule *s, const struct slots *x, int messages, int end) {
    const int32_t *lair = end == SOURCE ? x->next : x->now;
    for (int k = 1; k <= messages; k++) {
        bine_schedule_op(s, end == SOURCE ? BINE_OP_RECV : BINE_OP_SEND, BINE_SIDE_ANY,
                         x->peer[end][k]);
        slot_runs(s, x, x->order + x->end[k - 1], x->end[k] - x->end[k - 1], lair);
    }
}

static void slot_steps(struct bine_schedule *s, struct slots *x) {
    for (int t = 0; t < x->tree->steps; t++) {
        int both, messages = group(x, t, SOURCE, &both);
        bine_schedule_step(s, t);
        slot_messages(s, x, messages, SOURCE);
        if (!both)
            messages = group(x, t, DESTINATION, &both);
        slot_messages(s, x, messages, DESTINATION);
        for (int i = x->end[0]; i < x->tree->p; i++) {
            int w = x->order[i];
            x->now[w] = x->next[w];
            x->next[w] = FINAL + SPARE - x->next[w];
        }
    }
}

static void emit(struct bine_schedule *s, const struct bine_request *rq, struct slots *x) {
    int p = rq->p, deep = slots_place(x, rq->in_place);
    slots_by_step(x);
    bine_space_set(s, BINE_TMP, (deep > 1 || rq->in_place ? p : 0) + (rq->in_place ? p : 0),
                   BINE_SLOTS, 0);
    if (rq->in_place && p > 1) {
        bine_schedule_step(s, -1);
        bine_schedule_op(s, BINE_OP_COPY, BINE_SIDE_ANY, -1);
        bine_schedule_run(s, BINE_TMP, p, p, 0);
        bine_schedule_with(s, BINE_IN, 0, p);
    }
    slot_steps(s, x);
    if (!rq->in_place)
        bine_emit_copy(s, BINE_OUT, rq->rank, BINE_IN, rq->rank);
}

int bine_compose_alltoall(struct bine_schedule *s, const struct bine_request *rq) {
    struct bine_tree *own = rq->tree == NULL ? bine_request_tree(rq) : NULL;
    const struct bine_tree *t = rq->tree != NULL ? rq->tree : own;
    struct slots x;
    int rc = t == NULL ? -1 : slots_open(&x, t, rq);
    bine_space_set(s, BINE_IN, rq->p, BINE_NATURAL, 0);
    bine_space_set(s, BINE_OUT, rq->p, BINE_NATURAL, 0);
    if (rc == 0) {
        emit(s, rq, &x);
        free(x.room);
    }
    bine_tree_free(own);
    return rc;
}
