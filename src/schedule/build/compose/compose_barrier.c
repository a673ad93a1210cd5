/* Barriers: messages of no data. A rank that leaves must have heard, by way of others, that every
 * rank has come. The trees of an allgather do that in one go; a tree of one rank does it upwards,
 * then downwards, with fewer messages in more steps. */
#include "schedule/build/compose/compose.h"

/* One end of a message, in the step of this time. */
static void signal(struct bine_schedule *s, int time, int sends, int peer) {
    bine_schedule_step_at(s, time);
    bine_schedule_op(s, sends ? BINE_OP_SEND : BINE_OP_RECV, BINE_SIDE_ANY, peer);
}

/* The messages of the moves from number `begin` to `end`, which are of one time. Receives are
 * posted before sends. */
static void exchange(struct bine_schedule *s, const struct bine_moves *m, uint32_t begin,
                     uint32_t end, int time, int backwards) {
    for (int sends = 0; sends < 2; sends++)
        for (uint32_t k = begin; k < end; k++)
            if ((m->move[k].direction == BINE_TO) == (sends != backwards))
                signal(s, time, sends, m->move[k].peer);
}

static void forwards(struct bine_schedule *s, const struct bine_moves *m, int time0) {
    for (uint32_t k = 0, end; k < m->nmoves; k = end) {
        for (end = k; end < m->nmoves && m->move[end].time == m->move[k].time;)
            end++;
        exchange(s, m, k, end, time0 + m->move[k].time, 0);
    }
}

static void backwards(struct bine_schedule *s, const struct bine_moves *m) {
    for (uint32_t end = m->nmoves, k; end > 0; end = k) {
        for (k = end; k > 0 && m->move[k - 1].time == m->move[end - 1].time;)
            k--;
        exchange(s, m, k, end, m->times - 1 - m->move[k].time, 1);
    }
}

int bine_compose_barrier(struct bine_schedule *s, const struct bine_spec *spec) {
    struct bine_moves m;
    if (bine_spec_moves(&m, spec) != 0)
        return -1;
    forwards(s, &m, 0);
    bine_moves_free(&m);
    return 0;
}

int bine_compose_barrier_tree(struct bine_schedule *s, const struct bine_spec *spec) {
    struct bine_moves m;
    if (bine_spec_moves(&m, spec) != 0)
        return -1;
    s->times = 2 * m.times;
    backwards(s, &m);
    forwards(s, &m, m.times);
    bine_moves_free(&m);
    return 0;
}
