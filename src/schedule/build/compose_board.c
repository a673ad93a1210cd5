/* Collectives on the boards of one node (see schedule.h), in one or two steps.
 *
 *     flat    everyone who has something publishes it; who needs it reads it
 *     direct  the same, and what is read lies in the owner's own memory: one copy, not two
 *     shared  reductions: everyone adds up its block from all boards and publishes the sum
 *
 * What is added up is read in rank order, the own contribution too (from the own board, so that
 * `out` may lie on top of `in`): any operator, and the same bits everywhere. What is only moved is
 * read from the next rank on, so that not all begin at the same board. */
#include "schedule/build/compose_board.h"

#include "pattern/tree.h"

void bine_board_show(struct bine_schedule *s, int time, int exposes, int first,
                     struct bine_lot lot) {
    bine_schedule_step_at(s, time);
    if (exposes)
        bine_schedule_expose(s, first);
    else
        bine_schedule_publish(s, first);
    bine_schedule_run(s, lot.space, lot.place, lot.count, 0);
}

void bine_board_read(struct bine_schedule *s, int time, int peer, int first, int block,
                     struct bine_lot lot) {
    bine_schedule_step_at(s, time);
    bine_schedule_read(s, peer, first, block);
    bine_schedule_run(s, lot.space, lot.place, lot.count, 0);
}

void bine_board_add(struct bine_schedule *s, int time, int is_first, int peer, int first, int block,
                    struct bine_lot lot) {
    if (is_first) {
        bine_board_read(s, time, peer, first, block, lot);
        return;
    }
    bine_schedule_step_at(s, time);
    bine_schedule_read_reduce(s, BINE_SIDE_RIGHT, peer, first, block);
    bine_schedule_run(s, lot.space, lot.place, lot.count, 0);
    bine_schedule_with(s, lot.space, lot.place, lot.count);
}

/* Blocks of a rank's buffer: all of them, its own one, or none. */
static int pieces_of(const struct bine_request *rq, int is_root_only, int is_own, int blocks) {
    if (is_root_only && rq->rank != rq->root)
        return 0;
    return is_own ? 1 : blocks;
}

void bine_board_spaces(struct bine_schedule *s, const struct bine_request *rq) {
    enum bine_collective c = s->collective;
    int own_in = c == BINE_GATHER || c == BINE_ALLGATHER;
    int own_out = c == BINE_SCATTER || c == BINE_REDUCE_SCATTER;
    int in = pieces_of(rq, c == BINE_BCAST || c == BINE_SCATTER, own_in, s->blocks);
    int out = pieces_of(rq, c == BINE_REDUCE || c == BINE_GATHER, own_out, s->blocks);
    if (c == BINE_BCAST && rq->rank == rq->root)
        out = 0;
    bine_schedule_space(s, BINE_IN, in, own_in ? BINE_ONE : BINE_NATURAL, own_in ? rq->rank : 0);
    bine_schedule_space(s, BINE_OUT, out, own_out ? BINE_ONE : BINE_NATURAL,
                        own_out ? rq->rank : 0);
    s->boards = rq->p > 1;
}

void bine_board_keep(struct bine_schedule *s, const struct bine_request *rq) {
    int r = rq->rank, in = s->space[BINE_IN].arrangement == BINE_ONE ? 0 : r,
        out = s->space[BINE_OUT].arrangement == BINE_ONE ? 0 : r;
    if (!rq->in_place && s->space[BINE_IN].pieces > 0 && s->space[BINE_OUT].pieces > 0)
        bine_emit_copy(s, BINE_OUT, out, BINE_IN, in);
}

/* Of one rank there is nothing to publish: its data is the result. */
static int is_alone(struct bine_schedule *s, const struct bine_request *rq) {
    if (rq->p > 1)
        return 0;
    bine_board_keep(s, rq);
    return 1;
}

static void flat_bcast(struct bine_schedule *s, const struct bine_request *rq, int exposes) {
    if (rq->rank == rq->root)
        bine_board_show(s, 0, exposes, 0, (struct bine_lot){BINE_IN, 0, 1});
    else
        bine_board_read(s, 0, rq->root, 0, 0, (struct bine_lot){BINE_OUT, 0, 1});
}

static void flat_scatter(struct bine_schedule *s, const struct bine_request *rq, int exposes) {
    if (rq->rank == rq->root)
        bine_board_show(s, 0, exposes, 0, (struct bine_lot){BINE_IN, 0, rq->p});
    else
        bine_board_read(s, 0, rq->root, 0, rq->rank, (struct bine_lot){BINE_OUT, 0, 1});
    bine_board_keep(s, rq);
}

/* Gather, and allgather: everyone reads. */
static void flat_gather(struct bine_schedule *s, const struct bine_request *rq, int exposes) {
    int all = s->collective == BINE_ALLGATHER, at_root = rq->rank == rq->root;
    if (all || !at_root)
        bine_board_show(s, 0, exposes, rq->rank, (struct bine_lot){BINE_IN, 0, 1});
    for (int i = 1; i < rq->p && (all || at_root); i++) {
        int q = bine_mod_add(rq->rank, i, rq->p);
        bine_board_read(s, 0, q, q, q, (struct bine_lot){BINE_OUT, q, 1});
    }
    bine_board_keep(s, rq);
}

/* In place, what is exposed must not be what is written. */
static void flat_alltoall(struct bine_schedule *s, const struct bine_request *rq, int exposes) {
    int moves = exposes && rq->in_place, from = moves ? BINE_TMP : BINE_IN;
    if (moves) {
        bine_schedule_space(s, BINE_TMP, rq->p, BINE_SLOTS, 0);
        bine_schedule_step(s, -1);
        bine_schedule_op(s, BINE_OP_COPY, BINE_SIDE_ANY, -1);
        bine_schedule_run(s, BINE_TMP, 0, rq->p, 0);
        bine_schedule_with(s, BINE_IN, 0, rq->p);
    }
    bine_board_show(s, 0, exposes, 0, (struct bine_lot){from, 0, rq->p});
    for (int i = 1; i < rq->p; i++) {
        int q = bine_mod_add(rq->rank, i, rq->p);
        bine_board_read(s, 0, q, 0, rq->rank, (struct bine_lot){BINE_OUT, q, 1});
    }
    bine_board_keep(s, rq);
}

/* Reduce and allreduce of one block, reduce-scatter of one for each rank. */
static void flat_sum(struct bine_schedule *s, const struct bine_request *rq, int exposes) {
    int scatters = s->collective == BINE_REDUCE_SCATTER;
    int reads = s->collective != BINE_REDUCE || rq->rank == rq->root;
    (void)exposes; /* sums are made from boards alone */
    bine_board_show(s, 0, 0, 0, (struct bine_lot){BINE_IN, 0, s->blocks});
    for (int q = 0; q < rq->p && reads; q++)
        bine_board_add(s, 0, q == 0, q, 0, scatters ? rq->rank : 0,
                       (struct bine_lot){BINE_OUT, 0, 1});
}

static void (*const flat[BINE_COLLECTIVES])(struct bine_schedule *, const struct bine_request *,
                                            int) = {
    [BINE_BCAST] = flat_bcast,       [BINE_REDUCE] = flat_sum,
    [BINE_ALLREDUCE] = flat_sum,     [BINE_GATHER] = flat_gather,
    [BINE_SCATTER] = flat_scatter,   [BINE_ALLGATHER] = flat_gather,
    [BINE_ALLTOALL] = flat_alltoall, [BINE_REDUCE_SCATTER] = flat_sum,
};

/* Whether a rank publishes a block for every rank; else one block is all of a vector, or the own
 * one. */
static int publishes_all(enum bine_collective c) {
    return c == BINE_SCATTER || c == BINE_ALLTOALL || c == BINE_REDUCE_SCATTER;
}

int bine_compose_board_flat(struct bine_schedule *s, const struct bine_request *rq) {
    bine_board_spaces(s, rq);
    s->board_blocks = publishes_all(s->collective) ? rq->p : 1;
    if (!is_alone(s, rq))
        flat[s->collective](s, rq, 0);
    return 0;
}

int bine_compose_board_direct(struct bine_schedule *s, const struct bine_request *rq) {
    bine_board_spaces(s, rq);
    if (!is_alone(s, rq))
        flat[s->collective](s, rq, 1);
    return 0;
}

/* Reduce and allreduce of a block for each rank: step 0, everyone's sum of its own block; step 1,
 * the sums to where they belong. */
int bine_compose_board_shared(struct bine_schedule *s, const struct bine_request *rq) {
    int r = rq->rank, all = s->collective == BINE_ALLREDUCE, at_root = !all && r == rq->root;
    bine_board_spaces(s, rq);
    s->board_blocks = s->blocks;
    if (is_alone(s, rq))
        return 0;
    if (!all && !at_root)
        bine_schedule_space(s, BINE_TMP, 1, BINE_ONE, r);
    struct bine_lot sum = {all || at_root ? BINE_OUT : BINE_TMP, all || at_root ? r : 0, 1};
    bine_board_show(s, 0, 0, 0, (struct bine_lot){BINE_IN, 0, s->blocks});
    for (int q = 0; q < rq->p; q++)
        bine_board_add(s, 0, q == 0, q, 0, r, sum);
    if (!at_root)
        bine_board_show(s, 1, 0, r, sum);
    for (int i = 1; i < rq->p && (all || at_root); i++) {
        int q = bine_mod_add(r, i, rq->p);
        bine_board_read(s, 1, q, q, q, (struct bine_lot){BINE_OUT, q, 1});
    }
    return 0;
}
