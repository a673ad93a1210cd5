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
 * message in ascending order: the messages are opened first, then each slot in turn goes up its
 * path to the root and is entered into the messages that it meets. */
#include "base/sort.h"
#include "schedule/build/compose/compose.h"

#include <stdlib.h>
#include <string.h>

/* Where a slot lies. The order is such that a hop goes from FINAL to SPARE and back. */
enum { START, FINAL, SPARE, LAIRS };

/* The end of a hop that the rank is not at: where it receives from, where it sends to. */
enum { SOURCE, DESTINATION, ENDS };

struct slots {
    const struct bine_tree *tree;
    int rank;
    int32_t *room;      /* of all that follows */
    int32_t *root;      /* in whose tree the rank stands at a node */
    int32_t *by_step;   /* nodes, in the order of their steps */
    int32_t *begin;     /* of a step, in `by_step` */
    int32_t *hop[ENDS]; /* that ends in a node: the number of its message */
    int32_t *at;        /* where the next run of a message goes */
    int messages;
    int32_t *peer, *count; /* of a message of the step in hand: its slots */
    int32_t *number;       /* 1 + the number of the message of a peer, or 0 */
};

static int slots_open(struct slots *x, const struct bine_tree *t, const struct bine_spec *spec) {
    size_t n = (size_t)t->p + 1;
    *x = (struct slots){.tree = t, .rank = spec->rank};
    int32_t **const part[] = {&x->root, &x->by_step, &x->hop[SOURCE], &x->hop[DESTINATION],
                              &x->peer, &x->count,   &x->number};
    size_t parts = sizeof part / sizeof *part;
    x->room = malloc(((parts + ENDS) * n + (size_t)t->steps + 2) * sizeof *x->room);
    if (x->room == NULL)
        return -1;
    for (size_t i = 0; i < parts; i++)
        *part[i] = x->room + i * n;
    x->at = x->room + parts * n;
    x->begin = x->at + ENDS * n;
    memset(x->number, 0, n * sizeof *x->number);
    for (int v = 0; v < t->p; v++)
        x->root[v] = bine_tree_root(t, x->rank, v);
    bine_sort_by(t->step, 1, t->p, t->steps, x->begin, x->by_step);
    return 0;
}

static int hop_peer(const struct slots *x, int c, int end) {
    const struct bine_tree *t = x->tree;
    int v = t->parent[c];
    return end == SOURCE ? bine_tree_rank(t, x->root[c], v) : bine_tree_rank(t, x->root[v], c);
}

/* Group the hops of a step by one end: the messages from number x->messages on. Returns how many.
 */
static int group(struct slots *x, int step, int end) {
    const struct bine_tree *t = x->tree;
    int n = 0;
    for (int i = x->begin[step]; i < x->begin[step + 1]; i++) {
        int c = x->by_step[i], q = hop_peer(x, c, end);
        if (x->number[q] == 0) {
            x->peer[n] = q;
            x->count[n] = 0;
            x->number[q] = ++n;
        }
        x->hop[end][c] = x->messages + x->number[q] - 1;
        x->count[x->number[q] - 1] += t->leave[c] - t->enter[c];
    }
    for (int k = 0; k < n; k++)
        x->number[x->peer[k]] = 0;
    return n;
}

/* The operations of one end of a step, with room for their runs. */
static void open_messages(struct bine_schedule *s, struct slots *x, int step, int end) {
    int n = group(x, step, end);
    for (int k = 0; k < n; k++) {
        bine_schedule_op(s, end == SOURCE ? BINE_OP_RECV : BINE_OP_SEND, BINE_SIDE_ANY, x->peer[k]);
        x->at[x->messages++] = (int32_t)s->nruns;
        if (bine_schedule_room(s, (uint32_t)x->count[k]) != NULL)
            bine_schedule_took(s, (uint32_t)x->count[k], 0);
    }
}

/* Enter every slot into the messages of its hops, from the last to the first. */
static void put_slots(struct bine_run *run, const struct slots *x, int in_place) {
    const struct bine_tree *t = x->tree;
    const int32_t *parent = t->parent, *source = x->hop[SOURCE], *destination = x->hop[DESTINATION];
    int32_t *at = x->at;
    for (int w = 1; w < t->p; w++) {
        int rank = bine_tree_rank(t, x->rank, w), to = FINAL;
        struct bine_run lair[LAIRS] = {[START] = in_place ? bine_pieces(BINE_TMP, rank + t->p, 1)
                                                          : bine_pieces(BINE_IN, rank, 1),
                                       [FINAL] = bine_pieces(BINE_OUT, x->root[w], 1),
                                       [SPARE] = bine_pieces(BINE_TMP, w, 1)};
        for (int c = w; c != 0; c = parent[c]) {
            int from = parent[c] == 0 ? START : FINAL + SPARE - to;
            run[at[source[c]]++] = lair[to];
            run[at[destination[c]]++] = lair[from];
            to = from;
        }
    }
}

/* Layout pack: join the runs that continue each other, in the operations from `first` on. */
static void join_runs(struct bine_schedule *s, uint32_t first) {
    if (s->failed || first == s->nops)
        return;
    s->nruns = s->op[first].runs;
    for (struct bine_op *op = &s->op[first]; op < s->op + s->nops; op++) {
        const struct bine_run *r = &s->run[op->runs], *end = r + op->nruns;
        op->runs = s->nruns;
        op->nruns = 0;
        for (; r < end; r++) {
            struct bine_run *last = &s->run[s->nruns - 1];
            if (op->nruns > 0 && last->space == r->space && last->first + last->count == r->first) {
                last->count += r->count;
            } else {
                s->run[s->nruns++] = *r;
                op->nruns++;
            }
        }
        op->with = s->nruns;
    }
}

static void slot_steps(struct bine_schedule *s, struct slots *x, uint32_t hops, int in_place) {
    uint32_t first = s->nops;
    bine_schedule_room(s, 2 * hops + 2);
    for (int t = 0; t < x->tree->steps; t++) {
        bine_schedule_step(s, t);
        for (int end = 0; end < ENDS; end++)
            open_messages(s, x, t, end);
    }
    if (!s->failed)
        put_slots(s->run, x, in_place);
    if (s->layout == BINE_PACK)
        join_runs(s, first);
}

static void emit(struct bine_schedule *s, const struct bine_spec *spec, struct slots *x) {
    const struct bine_tree *t = x->tree;
    int p = spec->p, deep = 0;
    uint32_t hops = 0;
    for (int v = 1; v < p; v++) {
        hops += (uint32_t)(t->leave[v] - t->enter[v]);
        deep |= t->parent[v] != 0;
    }
    bine_schedule_space(s, BINE_TMP, (deep || spec->in_place ? p : 0) + (spec->in_place ? p : 0),
                        BINE_SLOTS, 0);
    if (spec->in_place && p > 1) {
        bine_schedule_step(s, -1);
        bine_schedule_op(s, BINE_OP_COPY, BINE_SIDE_ANY, -1);
        bine_schedule_run(s, BINE_TMP, p, p, 0);
        bine_schedule_with(s, BINE_IN, 0, p);
    }
    slot_steps(s, x, hops, spec->in_place);
    if (!spec->in_place)
        bine_emit_copy(s, BINE_OUT, spec->rank, BINE_IN, spec->rank);
}

int bine_compose_alltoall(struct bine_schedule *s, const struct bine_spec *spec) {
    struct bine_tree *own = spec->tree == NULL ? bine_spec_tree(spec) : NULL;
    const struct bine_tree *t = spec->tree != NULL ? spec->tree : own;
    struct slots x;
    int rc = t == NULL ? -1 : slots_open(&x, t, spec);
    bine_schedule_space(s, BINE_IN, spec->p, BINE_NATURAL, 0);
    bine_schedule_space(s, BINE_OUT, spec->p, BINE_NATURAL, 0);
    if (rc == 0) {
        emit(s, spec, &x);
        free(x.room);
    }
    bine_tree_free(own);
    return rc;
}
