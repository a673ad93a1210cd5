/* Collectives on the boards of one node (see schedule.h), in one or two steps.
 *
 *     flat    everyone who has something publishes it; who needs it reads it
 *     direct  likewise, and the data read lies in the owner's own memory: one copy, not two
 *     shared  reductions: everyone adds up its block from all boards and publishes the sum
 *
 * Operands are read in rank order, the own contribution too (from the own board, so that
 * `out` may lie on top of `in`): any operator, and equal bits everywhere. Data that only moves is
 * read from the next rank on, so that not all begin at one board. */
#include "schedule/build/compose/compose_board.h"

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
static int pieces_of(const struct bine_spec *spec, int is_root_only, int is_own, int blocks) {
    if (is_root_only && spec->rank != spec->root)
        return 0;
    return is_own ? 1 : blocks;
}

void bine_board_spaces(struct bine_schedule *s, const struct bine_spec *spec) {
    enum bine_collective c = s->collective;
    int own_in = c == BINE_GATHER || c == BINE_ALLGATHER;
    int own_out = c == BINE_SCATTER || c == BINE_REDUCE_SCATTER;
    int in = pieces_of(spec, c == BINE_BCAST || c == BINE_SCATTER, own_in, s->blocks);
    int out = pieces_of(spec, c == BINE_REDUCE || c == BINE_GATHER, own_out, s->blocks);
    if (c == BINE_BCAST && spec->rank == spec->root)
        out = 0;
    if (c == BINE_BARRIER)
        in = out = 0;
    if (c == BINE_EXSCAN && spec->rank == 0)
        out = 0;
    bine_schedule_space(s, BINE_IN, in, own_in ? BINE_ONE : BINE_NATURAL, own_in ? spec->rank : 0);
    bine_schedule_space(s, BINE_OUT, out, own_out ? BINE_ONE : BINE_NATURAL,
                        own_out ? spec->rank : 0);
    s->boards = spec->p > 1;
}

void bine_board_keep(struct bine_schedule *s, const struct bine_spec *spec) {
    int r = spec->rank, in = s->space[BINE_IN].arrangement == BINE_ONE ? 0 : r,
        out = s->space[BINE_OUT].arrangement == BINE_ONE ? 0 : r;
    if (!spec->in_place && s->space[BINE_IN].pieces > 0 && s->space[BINE_OUT].pieces > 0)
        bine_emit_copy(s, BINE_OUT, out, BINE_IN, in);
}

/* Of one rank there is nothing to publish: its data is the result. */
static int is_alone(struct bine_schedule *s, const struct bine_spec *spec) {
    if (spec->p > 1)
        return 0;
    bine_board_keep(s, spec);
    return 1;
}

static void flat_bcast(struct bine_schedule *s, const struct bine_spec *spec, int exposes) {
    if (spec->rank == spec->root)
        bine_board_show(s, 0, exposes, 0, (struct bine_lot){BINE_IN, 0, 1});
    else
        bine_board_read(s, 0, spec->root, 0, 0, (struct bine_lot){BINE_OUT, 0, 1});
}

static void flat_scatter(struct bine_schedule *s, const struct bine_spec *spec, int exposes) {
    if (spec->rank == spec->root)
        bine_board_show(s, 0, exposes, 0, (struct bine_lot){BINE_IN, 0, spec->p});
    else
        bine_board_read(s, 0, spec->root, 0, spec->rank, (struct bine_lot){BINE_OUT, 0, 1});
    bine_board_keep(s, spec);
}

/* Gather, and allgather: everyone reads. */
static void flat_gather(struct bine_schedule *s, const struct bine_spec *spec, int exposes) {
    int all = s->collective == BINE_ALLGATHER, at_root = spec->rank == spec->root;
    if (all || !at_root)
        bine_board_show(s, 0, exposes, spec->rank, (struct bine_lot){BINE_IN, 0, 1});
    for (int i = 1; i < spec->p && (all || at_root); i++) {
        int q = bine_mod_add(spec->rank, i, spec->p);
        bine_board_read(s, 0, q, q, q, (struct bine_lot){BINE_OUT, q, 1});
    }
    bine_board_keep(s, spec);
}

/* In place, exposed blocks must not be written. */
static void flat_alltoall(struct bine_schedule *s, const struct bine_spec *spec, int exposes) {
    int moves = exposes && spec->in_place, from = moves ? BINE_TMP : BINE_IN;
    if (moves) {
        bine_schedule_space(s, BINE_TMP, spec->p, BINE_NATURAL, 0);
        bine_schedule_step(s, -1);
        bine_schedule_op(s, BINE_OP_COPY, BINE_SIDE_ANY, -1);
        bine_schedule_run(s, BINE_TMP, 0, spec->p, 0);
        bine_schedule_with(s, BINE_IN, 0, spec->p);
    }
    bine_board_show(s, 0, exposes, 0, (struct bine_lot){from, 0, spec->p});
    for (int i = 1; i < spec->p; i++) {
        int q = bine_mod_add(spec->rank, i, spec->p);
        bine_board_read(s, 0, q, 0, spec->rank, (struct bine_lot){BINE_OUT, q, 1});
    }
    bine_board_keep(s, spec);
}

/* Everyone looks whether the others have come. */
static void flat_barrier(struct bine_schedule *s, const struct bine_spec *spec, int exposes) {
    (void)exposes;
    bine_board_show(s, 0, 0, 0, (struct bine_lot){BINE_IN, 0, 0});
    for (int i = 1; i < spec->p; i++)
        bine_board_read(s, 0, bine_mod_add(spec->rank, i, spec->p), 0, 0,
                        (struct bine_lot){BINE_OUT, 0, 0});
}

/* Reduce, allreduce and scans of one block, reduce-scatter of one for each rank. */
static void flat_sum(struct bine_schedule *s, const struct bine_spec *spec, int exposes) {
    int scatters = s->collective == BINE_REDUCE_SCATTER;
    int reads = s->collective != BINE_REDUCE || spec->rank == spec->root;
    int last = s->collective == BINE_SCAN     ? spec->rank + 1
               : s->collective == BINE_EXSCAN ? spec->rank
                                              : spec->p;
    (void)exposes; /* sums are made from boards alone */
    bine_board_show(s, 0, 0, 0, (struct bine_lot){BINE_IN, 0, s->blocks});
    for (int q = 0; q < last && reads; q++)
        bine_board_add(s, 0, q == 0, q, 0, scatters ? spec->rank : 0,
                       (struct bine_lot){BINE_OUT, 0, 1});
}

static void (*const flat[BINE_COLLECTIVES])(struct bine_schedule *, const struct bine_spec *,
                                            int) = {
    [BINE_BCAST] = flat_bcast,       [BINE_REDUCE] = flat_sum,
    [BINE_ALLREDUCE] = flat_sum,     [BINE_GATHER] = flat_gather,
    [BINE_SCATTER] = flat_scatter,   [BINE_ALLGATHER] = flat_gather,
    [BINE_ALLTOALL] = flat_alltoall, [BINE_REDUCE_SCATTER] = flat_sum,
    [BINE_BARRIER] = flat_barrier,   [BINE_SCAN] = flat_sum,
    [BINE_EXSCAN] = flat_sum,
};

int bine_compose_board_flat(struct bine_schedule *s, const struct bine_spec *spec) {
    bine_board_spaces(s, spec);
    if (!is_alone(s, spec))
        flat[s->collective](s, spec, 0);
    return 0;
}

int bine_compose_board_direct(struct bine_schedule *s, const struct bine_spec *spec) {
    bine_board_spaces(s, spec);
    if (!is_alone(s, spec))
        flat[s->collective](s, spec, 1);
    return 0;
}

/* Reduce and allreduce of a block for each rank: step 0, everyone's sum of its own block; step 1,
 * the sums to where they belong. */
int bine_compose_board_shared(struct bine_schedule *s, const struct bine_spec *spec) {
    int r = spec->rank, all = s->collective == BINE_ALLREDUCE, at_root = !all && r == spec->root;
    bine_board_spaces(s, spec);
    if (is_alone(s, spec))
        return 0;
    if (!all && !at_root)
        bine_schedule_space(s, BINE_TMP, 1, BINE_ONE, r);
    struct bine_lot sum = {all || at_root ? BINE_OUT : BINE_TMP, all || at_root ? r : 0, 1};
    bine_board_show(s, 0, 0, 0, (struct bine_lot){BINE_IN, 0, s->blocks});
    for (int q = 0; q < spec->p; q++)
        bine_board_add(s, 0, q == 0, q, 0, r, sum);
    if (!at_root)
        bine_board_show(s, 1, 0, r, sum);
    for (int i = 1; i < spec->p && (all || at_root); i++) {
        int q = bine_mod_add(r, i, spec->p);
        bine_board_read(s, 1, q, q, q, (struct bine_lot){BINE_OUT, q, 1});
    }
    return 0;
}
