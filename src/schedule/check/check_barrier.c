/* Barriers in the proof: there is no data: a rank counts the ranks of whose coming it has heard. A
 * message tells all that its sender had heard of when it came to the step. */
#include "schedule/check/check_state.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

enum { BITS = 32 };

static int is_barrier(const struct bine_check_state *st) {
    return st->rank[0]->collective == BINE_BARRIER;
}

static size_t words_of(const struct bine_check_state *st) {
    return ((size_t)st->p + BITS - 1) / BITS;
}

static uint32_t *heard_by(const struct bine_check_state *st, int rank) {
    return st->heard + (size_t)rank * 2 * words_of(st);
}

/* The ranks it had heard of at the beginning of its step. */
static uint32_t *told_by(const struct bine_check_state *st, int rank) {
    return heard_by(st, rank) + words_of(st);
}

int bine_check_hearing_open(struct bine_check_state *st) {
    if (!is_barrier(st))
        return 0;
    st->heard = calloc((size_t)st->p * 2 * words_of(st), sizeof *st->heard);
    for (int r = 0; r < st->p && st->heard != NULL; r++)
        heard_by(st, r)[r / BITS] |= UINT32_C(1) << r % BITS;
    return st->heard != NULL ? 0 : -1;
}

void bine_check_hearing_enter(struct bine_check_state *st, int rank) {
    if (st->heard != NULL)
        memcpy(told_by(st, rank), heard_by(st, rank), words_of(st) * sizeof *st->heard);
}

static void hear(struct bine_check_state *st, int rank, const uint32_t *told) {
    for (size_t i = 0; i < words_of(st); i++)
        heard_by(st, rank)[i] |= told[i];
}

void bine_check_hear_message(struct bine_check_state *st, int from, int to) {
    if (st->heard != NULL)
        hear(st, to, told_by(st, from));
}

int bine_check_hear_publish(struct bine_check_state *st, int rank, struct bine_post *post) {
    size_t n = words_of(st);
    if (st->heard == NULL)
        return 0;
    if (bine_grow(&post->value, &post->room, n, sizeof *post->value) != 0)
        return -1;
    memcpy(post->value, told_by(st, rank), n * sizeof *post->value);
    return 0;
}

void bine_check_hear_post(struct bine_check_state *st, int rank, const struct bine_post *post) {
    if (st->heard != NULL)
        hear(st, rank, post->value);
}

int bine_check_hearing(struct bine_check_state *st, int rank) {
    for (int r = 0; r < st->p; r++)
        if ((heard_by(st, rank)[r / BITS] >> r % BITS & 1) == 0)
            return bine_check_fail(st, rank, -1, "leaves without having heard of rank %d", r);
    return 0;
}
