/* Alltoall of blocks with sizes of their own: only the two ends know a block's size,
 * so each goes directly from one to the other. They differ in the number of messages that are
 * pending at once, and in their order.
 *
 *     flat    step t: to the ranks t k + 1, ..., t k + k further on, from ranks as far before
 *     groups  number x of group a sends at step (s, t) to number x + s of group a + x + t: at every
 *             step the ranks of a group send to different groups, and each rank to one other.
 *             Numbers are modulo the size of the largest group; absent numbers are passed
 *             over, and so are steps in which no rank sends
 *
 * Correctness condition: for every s and t, (a, x) -> (a + x + t, x + s) is one to one, and for two
 * ranks there is one such s and t. */
#include "schedule/build/compose/compose.h"

#include "base/numbers.h"

#include <stdlib.h>

/* Where the caller's blocks are sent from: in place, from a copy. */
static int begin(struct bine_schedule *s, const struct bine_spec *spec) {
    int p = spec->p, copies = spec->in_place && p > 1;
    bine_schedule_space(s, BINE_IN, p, BINE_NATURAL, 0);
    bine_schedule_space(s, BINE_OUT, p, BINE_NATURAL, 0);
    bine_schedule_space(s, BINE_TMP, copies ? p : 0, BINE_NATURAL, 0);
    if (copies) {
        bine_schedule_step(s, -1);
        bine_schedule_op(s, BINE_OP_COPY, BINE_SIDE_ANY, -1);
        bine_schedule_run(s, BINE_TMP, 0, p, 0);
        bine_schedule_with(s, BINE_IN, 0, p);
    }
    return copies ? BINE_TMP : BINE_IN;
}

static void receive(struct bine_schedule *s, int from) {
    bine_schedule_op(s, BINE_OP_RECV, BINE_SIDE_ANY, from);
    bine_schedule_run(s, BINE_OUT, from, 1, 0);
}

static void send(struct bine_schedule *s, int to, int space) {
    bine_schedule_op(s, BINE_OP_SEND, BINE_SIDE_ANY, to);
    bine_schedule_run(s, space, to, 1, 0);
}

static void keep_own(struct bine_schedule *s, const struct bine_spec *spec) {
    if (!spec->in_place)
        bine_emit_copy(s, BINE_OUT, spec->rank, BINE_IN, spec->rank);
}

int bine_compose_direct(struct bine_schedule *s, const struct bine_spec *spec) {
    int p = spec->p, r = spec->rank, from = begin(s, spec);
    int width = spec->algorithm->radix > 0 ? spec->algorithm->radix : p;
    for (int first = 1, time = 0; first < p; first += width, time++) {
        int end = bine_min(first + width, p);
        bine_schedule_step(s, time);
        for (int i = first; i < end; i++)
            receive(s, bine_mod_sub(r, i, p));
        for (int i = first; i < end; i++)
            send(s, bine_mod_add(r, i, p), from);
    }
    keep_own(s, spec);
    return 0;
}

/* --- Groups */

struct crossing {
    const struct bine_groups *groups;
    const struct bine_level *level;
    int sets, largest;
};

static struct crossing crossing_of(const struct bine_groups *g) {
    struct crossing x = {.groups = g, .level = &g->level[g->levels > 2 ? 1 : 0]};
    x.sets = x.level->sets;
    for (int i = 0; i < x.sets; i++) {
        int size = x.level->begin[i + 1] - x.level->begin[i];
        x.largest = bine_max(size, x.largest);
    }
    return x;
}

/* Number x of a set, or -1 if it has fewer. */
static int rank_of(const struct crossing *c, int set, int x) {
    const int32_t *begin = c->level->begin;
    return x < begin[set + 1] - begin[set] ? c->groups->member[begin[set] + x] : -1;
}

static int number_of(const struct crossing *c, int rank) {
    int set = c->level->set_of[rank], x = 0;
    while (rank_of(c, set, x) != rank)
        x++;
    return x;
}

/* Whom number x of a set sends to at (s, t), or -1. */
static int receiver(const struct crossing *c, int set, int x, int s, int t) {
    int to = rank_of(c, (set + x + t) % c->sets, (x + s) % c->largest);
    return rank_of(c, set, x) == to ? -1 : to;
}

/* From whom it receives then. */
static int sender(const struct crossing *c, int set, int x, int s, int t) {
    int y = (x - s + c->largest) % c->largest, back = (y + t) % c->sets;
    int from = rank_of(c, (set - back + c->sets) % c->sets, y);
    return rank_of(c, set, x) == from ? -1 : from;
}

/* After (0, 0) somebody always does: at (0, t) number 0 of any set, and at (s, t) number 0 of one,
 * to number s of the largest set. */
static int somebody_sends(const struct crossing *c, int s, int t) {
    if (s > 0 || t > 0)
        return 1;
    for (int set = 0; set < c->sets; set++)
        for (int x = 0; rank_of(c, set, x) >= 0; x++)
            if (receiver(c, set, x, s, t) >= 0)
                return 1;
    return 0;
}

int bine_compose_direct_groups(struct bine_schedule *s, const struct bine_spec *spec) {
    struct crossing c = crossing_of(spec->groups);
    int set = c.level->set_of[spec->rank], x = number_of(&c, spec->rank), from = begin(s, spec);
    s->times = 0;
    for (int k = 0; k < c.largest; k++)
        for (int t = 0; t < c.sets; t++) {
            int in = sender(&c, set, x, k, t), to = receiver(&c, set, x, k, t);
            if (!somebody_sends(&c, k, t))
                continue;
            if (in >= 0 || to >= 0)
                bine_schedule_step(s, s->times);
            if (in >= 0)
                receive(s, in);
            if (to >= 0)
                send(s, to, from);
            s->times++;
        }
    keep_own(s, spec);
    return 0;
}
