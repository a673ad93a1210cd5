/* Boards in the proof: each has two slots, and the ranks of a node wait for each other as they do
 * at run time (see schedule.h).
 *
 * A publication's number is 1 + time * strands + strand. A rank passes a number when it has read
 * what it reads then, in the strand concerned; what it has passed altogether is the least over its
 * strands. A publication waits until every rank of the node has passed what the slot holds; what is
 * exposed is waited for until every rank has passed it. */
#include "schedule/check/check_state.h"

#include "base/grow.h"
#include "base/numbers.h"

#include <stdlib.h>

/* A step on boards: before it has published, while it reads, and when it has passed its number. */
enum { PUBLISHES, READS, PASSED };

static int64_t number_at(const struct bine_check_state *st, int time, uint32_t strand) {
    return 1 + (int64_t)time * st->strands + strand;
}

/* The least number that a rank has not passed. */
static int64_t passed_by(const struct bine_check_state *st, int rank) {
    const struct bine_schedule *s = st->rank[rank];
    int64_t least = number_at(st, s->times, 0);
    for (uint32_t k = 0; k < st->strands; k++) {
        const struct bine_cursor *c = &st->cursor[(size_t)rank * st->strands + k];
        if (c->step == s->strand[k].nsteps)
            continue;
        int time = bine_step_of(st, rank, k)->time;
        int64_t n = number_at(st, (time < 0 ? 0 : time) + (c->phase == PASSED), k);
        least = bine_min(n, least);
    }
    return least;
}

/* The first rank of the node that has not passed a number; -1: all have. */
static int not_past(const struct bine_check_state *st, int rank, int64_t number) {
    int node = st->rank[rank]->node;
    for (int r = 0; r < st->p; r++)
        if (st->rank[r]->node == node && passed_by(st, r) <= number)
            return r;
    return -1;
}

static struct bine_post *slot_of(const struct bine_check_state *st, int rank, int64_t number) {
    return &st->post[(size_t)rank * BINE_CHECK_SLOTS + (size_t)(number % BINE_CHECK_SLOTS)];
}

/* Copy a publication into the slot, which is free. */
static int publish(struct bine_check_state *st, const struct bine_schedule *s,
                   const struct bine_op *op, int time, int64_t number) {
    struct bine_post *post = slot_of(st, s->rank, number);
    size_t count = (size_t)bine_count_pieces(s, op->runs, op->nruns);
    if (bine_grow(&post->value, &post->room, count, sizeof *post->value) != 0)
        return -1;
    post->number = number;
    post->first = op->first;
    post->count = (int)count;
    if (bine_check_hear_publish(st, s->rank, post) != 0)
        return -1;
    return bine_check_put(st, s, op, time, post->value);
}

/* Take the publication in a peer's slot. */
static int read_post(struct bine_check_state *st, const struct bine_schedule *s,
                     const struct bine_op *op, int time, const struct bine_post *post) {
    int64_t n = bine_count_pieces(s, op->runs, op->nruns);
    if (op->first != post->first)
        return bine_check_fail(st, s->rank, time,
                               "reads what rank %d publishes from block %d on, which is from "
                               "block %d on",
                               op->peer, op->first, post->first);
    if (op->block < post->first || n > post->count - (op->block - post->first))
        return bine_check_fail(st, s->rank, time,
                               "reads blocks %d to %lld of rank %d, which publishes %d to %d",
                               op->block, (long long)(op->block + n - 1), op->peer, post->first,
                               post->first + post->count - 1);
    st->met[time] = 1;
    bine_check_hear_post(st, s->rank, post);
    if (op->peer != s->rank) { /* as if it were a message */
        int early = time < s->times / 2;
        st->sent[op->peer] += (uint64_t)n;
        st->received[s->rank] += (uint64_t)n;
        st->sent_early[op->peer] += early ? (uint64_t)n : 0;
        st->received_early[s->rank] += early ? (uint64_t)n : 0;
    }
    return bine_check_take(st, s, op, time, post->value + (op->block - post->first));
}

static int read_on(struct bine_check_state *st, int rank, uint32_t strand, int64_t number) {
    const struct bine_schedule *s = st->rank[rank];
    const struct bine_step *step = bine_step_of(st, rank, strand);
    struct bine_cursor *c = &st->cursor[(size_t)rank * st->strands + strand];
    for (; c->next_op < step->ops + step->nops; c->next_op++) {
        const struct bine_op *op = &s->op[c->next_op];
        if (!bine_reads_board(op))
            continue;
        const struct bine_post *post = slot_of(st, op->peer, number);
        if (post->number > number)
            return bine_check_fail(st, rank, step->time,
                                   "rank %d has written over what this rank has yet to read",
                                   op->peer);
        if (post->number < number)
            return 0;
        int rc = read_post(st, s, op, step->time, post);
        if (rc != 0)
            return rc;
    }
    c->phase = PASSED;
    st->board_work++;
    return 0;
}

int bine_check_board_step(struct bine_check_state *st, int rank, uint32_t strand, int *ended) {
    const struct bine_schedule *s = st->rank[rank];
    const struct bine_step *step = bine_step_of(st, rank, strand);
    struct bine_cursor *c = &st->cursor[(size_t)rank * st->strands + strand];
    *ended = !s->boards || !bine_is_board_step(s, step);
    if (*ended)
        return 0;
    const struct bine_op *op = bine_publication(s, step);
    int64_t number = number_at(st, step->time, strand);
    int rc = 0;
    if (c->phase == PUBLISHES) {
        if (op != NULL && not_past(st, rank, number - BINE_CHECK_SLOTS) >= 0)
            return 0;
        if (op != NULL && (rc = publish(st, s, op, step->time, number)) != 0)
            return rc;
        st->board_work++;
        c->phase = READS;
        c->next_op = step->ops;
    }
    if (c->phase == READS && (rc = read_on(st, rank, strand, number)) != 0)
        return rc;
    if (c->phase != PASSED ||
        (op != NULL && op->kind == BINE_OP_EXPOSE && not_past(st, rank, number) >= 0))
        return 0;
    *ended = 1;
    return 0;
}

int bine_check_board_stuck(struct bine_check_state *st, int rank, uint32_t strand) {
    const struct bine_schedule *s = st->rank[rank];
    const struct bine_step *step = bine_step_of(st, rank, strand);
    const struct bine_cursor *c = &st->cursor[(size_t)rank * st->strands + strand];
    int64_t number = number_at(st, step->time, strand);
    if (!c->entered || !bine_is_board_step(s, step))
        return 0;
    if (c->phase == READS)
        return bine_check_fail(st, rank, step->time,
                               "reads what rank %d has not published at this step",
                               s->op[c->next_op].peer);
    int exposes = c->phase == PASSED;
    return bine_check_fail(st, rank, step->time, "deadlock: waits until rank %d has passed %s",
                           not_past(st, rank, exposes ? number : number - BINE_CHECK_SLOTS),
                           exposes ? "what it exposes" : "what its slot holds");
}

/* The pieces of a publication are consecutive blocks; in an alltoall all are of one size. */
static int check_publication(struct bine_check_state *st, const struct bine_schedule *s,
                             const struct bine_step *step, const struct bine_op *op) {
    int block = op->first, any = s->collective == BINE_ALLTOALL;
    if (op->peer != -1 || op->block != op->first || (any && op->first != 0))
        return bine_check_fail(st, s->rank, step->time, "a publication to rank %d from block %d on",
                               op->peer, op->first);
    if (op->kind == BINE_OP_EXPOSE && op->nruns != 1)
        return bine_check_fail(st, s->rank, step->time, "exposes %u runs of pieces", op->nruns);
    int64_t n = bine_count_pieces(s, op->runs, op->nruns);
    if (op->kind == BINE_OP_PUBLISH && n > s->board_blocks)
        return bine_check_fail(st, s->rank, step->time,
                               "publishes %lld blocks, where slots are for %d", (long long)n,
                               s->board_blocks);
    struct bine_walk w = bine_walk_runs(st, s, op->runs, op->nruns);
    for (; !any && bine_walk_more(&w); bine_walk_take(&w, 1), block++)
        if (w.x.block != block)
            return bine_check_fail(st, s->rank, step->time, "publishes block %d in place of %d",
                                   w.x.block, block);
    return 0;
}

static int check_reading(struct bine_check_state *st, const struct bine_schedule *s,
                         const struct bine_step *step, const struct bine_op *op) {
    int block = op->block, any = s->collective == BINE_ALLTOALL;
    if (op->peer < 0 || op->peer >= s->p)
        return bine_check_fail(st, s->rank, step->time, "reads from rank %d", op->peer);
    if (st->rank[op->peer]->node != s->node)
        return bine_check_fail(st, s->rank, step->time, "reads from rank %d of another node",
                               op->peer);
    struct bine_walk w = bine_walk_runs(st, s, op->runs, op->nruns);
    for (; !any && bine_walk_more(&w); bine_walk_take(&w, 1), block++)
        if (w.x.block != block)
            return bine_check_fail(st, s->rank, step->time,
                                   "reads block %d to where block %d belongs (place %d of %s)",
                                   block, w.x.block, w.x.place, bine_space_word(w.x.space));
    return 0;
}

/* What is exposed is not written by the readings of the same step: in place, `in` is written
 * through `out`. */
static int check_exposed(struct bine_check_state *st, const struct bine_schedule *s,
                         const struct bine_step *step, const struct bine_op *exposed) {
    struct bine_walk w = bine_walk_runs(st, s, exposed->runs, exposed->nruns);
    int in = s->run[exposed->runs].space == BINE_IN, rc = 0;
    for (; bine_walk_more(&w); bine_walk_take(&w, 1))
        st->mark[w.x.number] = UINT32_MAX;
    for (uint32_t j = step->ops; j < step->ops + step->nops && rc == 0; j++) {
        if (!bine_reads_board(&s->op[j]))
            continue;
        w = bine_walk_runs(st, s, s->op[j].runs, s->op[j].nruns);
        for (; rc == 0 && bine_walk_more(&w); bine_walk_take(&w, 1))
            if (st->mark[w.x.number] == UINT32_MAX ||
                (in && w.x.space == BINE_OUT && bine_out_covers_in(s)))
                rc = bine_check_fail(st, s->rank, step->time,
                                     "place %d of %s is written while it is exposed", w.x.place,
                                     bine_space_word(w.x.space));
    }
    w = bine_walk_runs(st, s, exposed->runs, exposed->nruns);
    for (; bine_walk_more(&w); bine_walk_take(&w, 1))
        st->mark[w.x.number] = 0;
    return rc;
}

int bine_check_board_form(struct bine_check_state *st, const struct bine_schedule *s,
                          const struct bine_step *step) {
    const struct bine_op *published = bine_publication(s, step);
    if (!bine_is_board_step(s, step))
        return 0;
    if (!s->boards || s->parts != 1)
        return bine_check_fail(st, s->rank, step->time,
                               "an operation on boards in a schedule without them");
    for (uint32_t j = step->ops; j < step->ops + step->nops; j++) {
        const struct bine_op *op = &s->op[j];
        if (bine_publishes(op) && op != published)
            return bine_check_fail(st, s->rank, step->time, "two publications at one step");
        if ((bine_publishes(op) && check_publication(st, s, step, op) != 0) ||
            (bine_reads_board(op) && check_reading(st, s, step, op) != 0))
            return 1;
    }
    return published != NULL && published->kind == BINE_OP_EXPOSE
               ? check_exposed(st, s, step, published)
               : 0;
}

/* The ranks of a node count alike: all of them have boards, or none. */
int bine_check_nodes(struct bine_check_state *st) {
    int32_t *first = st->values.mark; /* of each node: 1 + the first rank, where it is a number */
    for (int r = 0; r < st->p; r++) {
        int node = st->rank[r]->node;
        if (node < 0 || node >= st->p)
            return bine_check_fail(st, r, -1, "on node %d", node);
        first[node] = 0;
    }
    int rc = 0;
    for (int r = 0; r < st->p && rc == 0; r++) {
        int node = st->rank[r]->node;
        if (first[node] == 0)
            first[node] = r + 1;
        int other = first[node] - 1;
        if (st->rank[r]->boards != st->rank[other]->boards)
            rc = bine_check_fail(st, r, -1, "%s boards, rank %d of its node %s",
                                 st->rank[r]->boards ? "uses" : "does not use", other,
                                 st->rank[r]->boards ? "does not" : "does");
    }
    for (int r = 0; r < st->p; r++)
        first[st->rank[r]->node] = 0;
    for (int r = 1; r < st->p && rc == 0; r++) /* or they would go in other rounds */
        if (st->rank[r]->board_blocks != st->rank[0]->board_blocks)
            rc = bine_check_fail(st, r, -1, "slots are for %d blocks, on rank 0 for %d",
                                 st->rank[r]->board_blocks, st->rank[0]->board_blocks);
    return rc;
}
