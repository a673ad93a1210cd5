/* Allgather of blocks of which one may be much larger than the others. Along a tree, a block is
 * sent as often as the tree has levels, and a large one keeps one rank busy at a time. So every
 * block is cut into p parts, and its owner hands them out, part q to rank q: then every rank has as
 * much as every other, and an allgather of these shares spreads them. A huge block takes the time
 * of its scatter and of an even allgather, as in a large broadcast.
 *
 * Part q of block b has the number b p + q. The owner of a block is never sent what it has. */
#include "schedule/build/compose/compose.h"

/* Step 0: part q of the own block to rank q. */
static void hand_out(struct bine_schedule *s, const struct bine_spec *spec) {
    int p = spec->p, r = spec->rank;
    bine_schedule_step(s, 0);
    for (int i = 1; i < p; i++) {
        int from = bine_mod_sub(r, i, p);
        bine_schedule_op(s, BINE_OP_RECV, BINE_SIDE_ANY, from);
        bine_schedule_run(s, BINE_OUT, from * p + r, 1, 0);
    }
    for (int i = 1; i < p; i++) {
        int to = bine_mod_add(r, i, p);
        bine_schedule_op(s, BINE_OP_SEND, BINE_SIDE_ANY, to);
        bine_schedule_run(s, BINE_IN, to, 1, 0);
    }
}

/* The shares of a message: equal parts of every block but the receiver's. */
static void put_shares(struct bine_schedule *s, const struct bine_moves *m,
                       const struct bine_move *mv, int receiver) {
    for (int b = 0; b < s->p; b++)
        for (uint32_t i = 0; b != receiver && i < mv->nspans; i++) {
            const struct bine_span *x = &m->span[mv->spans + i];
            bine_schedule_run(s, BINE_OUT, b * s->p + x->first, x->count, 1);
        }
}

static void spread_shares(struct bine_schedule *s, const struct bine_moves *m, int rank) {
    for (uint32_t k = 0, end; k < m->nmoves; k = end) {
        for (end = k; end < m->nmoves && m->move[end].time == m->move[k].time;)
            end++;
        bine_schedule_step(s, 1 + m->move[k].time);
        for (int sends = 0; sends < 2; sends++)
            for (uint32_t i = k; i < end; i++) {
                const struct bine_move *mv = &m->move[i];
                if ((mv->direction == BINE_TO) != sends)
                    continue;
                bine_schedule_op(s, sends ? BINE_OP_SEND : BINE_OP_RECV, BINE_SIDE_ANY, mv->peer);
                put_shares(s, m, mv, sends ? mv->peer : rank);
            }
    }
}

int bine_compose_spread(struct bine_schedule *s, const struct bine_spec *spec) {
    struct bine_moves m;
    int p = spec->p, r = spec->rank;
    s->parts = p;
    s->blocks = p * p;
    bine_schedule_space(s, BINE_IN, p, BINE_ONE, r * p);
    bine_schedule_space(s, BINE_OUT, p * p, BINE_NATURAL, 0);
    if (bine_spec_moves(&m, spec) != 0)
        return -1;
    if (p > 1)
        hand_out(s, spec);
    else
        bine_schedule_step(s, -1);
    if (!spec->in_place) {
        bine_schedule_op(s, BINE_OP_COPY, BINE_SIDE_ANY, -1);
        bine_schedule_run(s, BINE_OUT, r * p, p, 0);
        bine_schedule_with(s, BINE_IN, 0, p);
    }
    spread_shares(s, &m, r);
    bine_moves_free(&m);
    return 0;
}
