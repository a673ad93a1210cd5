#include "schedule/schedule.h"
#include "base/grow.h"
#include "base/numbers.h"

#include "pattern/negabinary.h"

#include <stdlib.h>

struct bine_schedule *bine_schedule_new(void) {
    struct bine_schedule *s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->strand = calloc(1, sizeof *s->strand);
    if (s->strand == NULL) {
        free(s);
        return NULL;
    }
    s->nstrands = 1;
    s->parts = 1;
    return s;
}

void bine_schedule_free(struct bine_schedule *s) {
    if (s == NULL)
        return;
    free(s->strand);
    free(s->step);
    free(s->op);
    free(s->run);
    free(s);
}

size_t bine_schedule_bytes(const struct bine_schedule *s) {
    return sizeof *s + s->nstrands * sizeof *s->strand + s->nsteps * sizeof *s->step +
           s->nops * sizeof *s->op + s->nruns * sizeof *s->run;
}

void bine_schedule_drop_runs(struct bine_schedule *s) {
    free(s->run);
    s->run = NULL;
    s->nruns = s->run_room = 0;
}

/* Room for `more` elements of the given size; 0 when out of memory. */
static int grow(struct bine_schedule *s, void *array, uint32_t count, uint32_t more, uint32_t *room,
                size_t size) {
    if (s->failed)
        return 0;
    if (more <= *room - count)
        return 1;
    size_t wider = *room;
    s->failed = bine_grow(array, &wider, (size_t)count + more, size) != 0 || wider > UINT32_MAX;
    *room = s->failed ? *room : (uint32_t)wider;
    return !s->failed;
}

void bine_schedule_step(struct bine_schedule *s, int time) {
    if (!grow(s, &s->step, s->nsteps, 1, &s->step_room, sizeof *s->step))
        return;
    s->step[s->nsteps++] = (struct bine_step){time, s->nops, 0};
    s->strand[s->nstrands - 1].nsteps++;
}

void bine_schedule_step_at(struct bine_schedule *s, int time) {
    if (s->strand[s->nstrands - 1].nsteps == 0 || s->step[s->nsteps - 1].time != time)
        bine_schedule_step(s, time);
}

void bine_schedule_op(struct bine_schedule *s, enum bine_op_kind kind, enum bine_side side,
                      int peer) {
    if (!grow(s, &s->op, s->nops, 1, &s->op_room, sizeof *s->op))
        return;
    s->op[s->nops++] =
        (struct bine_op){(uint8_t)kind, (uint8_t)side, peer, 0, 0, s->nruns, 0, s->nruns, 0};
    s->step[s->nsteps - 1].nops++;
}

static void board_op(struct bine_schedule *s, enum bine_op_kind kind, enum bine_side side, int peer,
                     int first, int block) {
    bine_schedule_op(s, kind, side, peer);
    if (s->failed)
        return;
    s->op[s->nops - 1].first = first;
    s->op[s->nops - 1].block = block;
    s->boards = 1;
}

void bine_schedule_publish(struct bine_schedule *s, int first) {
    board_op(s, BINE_OP_PUBLISH, BINE_SIDE_ANY, -1, first, first);
}

void bine_schedule_expose(struct bine_schedule *s, int first) {
    board_op(s, BINE_OP_EXPOSE, BINE_SIDE_ANY, -1, first, first);
}

void bine_schedule_read(struct bine_schedule *s, int peer, int first, int block) {
    board_op(s, BINE_OP_READ, BINE_SIDE_ANY, peer, first, block);
}

void bine_schedule_read_reduce(struct bine_schedule *s, enum bine_side side, int peer, int first,
                               int block) {
    board_op(s, BINE_OP_READ_REDUCE, side, peer, first, block);
}

struct bine_run *bine_schedule_room(struct bine_schedule *s, uint32_t count) {
    return grow(s, &s->run, s->nruns, count, &s->run_room, sizeof *s->run) ? &s->run[s->nruns]
                                                                           : NULL;
}

void bine_schedule_took(struct bine_schedule *s, uint32_t count, int with) {
    struct bine_op *op = &s->op[s->nops - 1];
    s->nruns += count;
    if (with) {
        op->nwith += count;
    } else {
        op->nruns += count;
        op->with = s->nruns;
    }
}

/* Append a run to one of the open operation's lists, or join it to the last one if that is allowed.
 */
static void append(struct bine_schedule *s, struct bine_run run, int join, int with) {
    if (s->failed || run.count == 0)
        return;
    const struct bine_op *op = &s->op[s->nops - 1];
    if (join && (with ? op->nwith : op->nruns) > 0) {
        struct bine_run *last = &s->run[s->nruns - 1];
        if (last->space == run.space && last->first + last->count == run.first) {
            last->count += run.count;
            return;
        }
    }
    struct bine_run *r = bine_schedule_room(s, 1);
    if (r == NULL)
        return;
    *r = run;
    bine_schedule_took(s, 1, with);
}

void bine_schedule_run(struct bine_schedule *s, int space, int first, int count, int merge) {
    append(s, bine_pieces(space, first, count), merge, 0);
}

void bine_schedule_with(struct bine_schedule *s, int space, int first, int count) {
    append(s, bine_pieces(space, first, count), 1, 1);
}

void bine_schedule_space(struct bine_schedule *s, int space, int pieces,
                         enum bine_arrangement arrangement, int base) {
    s->space[space] = (struct bine_space){pieces, arrangement, base, 0};
}

void bine_schedule_strand(struct bine_schedule *s) {
    struct bine_strand *more = realloc(s->strand, (s->nstrands + 1) * sizeof *more);
    if (more == NULL) {
        s->failed = 1;
        return;
    }
    s->strand = more;
    more[s->nstrands++] = (struct bine_strand){s->nsteps, 0};
}

void bine_schedule_subset(struct bine_schedule *s, int space, int first, int count) {
    struct bine_space *x = &s->space[space];
    struct bine_run *r = bine_schedule_room(s, 1);
    if (r == NULL)
        return;
    if (x->runs++ == 0)
        x->base = (int32_t)s->nruns;
    *r = bine_pieces(space, first, count);
    s->nruns++;
    x->pieces += count;
}

const char *bine_space_word(int space) {
    static const char *const words[] = {"in", "out", "tmp"};
    return words[space];
}

int bine_subset_block(const struct bine_schedule *s, int space, int place, struct bine_seek *at,
                      int *more) {
    const struct bine_space *x = &s->space[space];
    if (place < at->before)
        *at = (struct bine_seek){0, 0};
    for (; at->run < x->runs; at->run++) {
        const struct bine_run *r = &s->run[x->base + at->run];
        *more = at->before + (int)r->count - 1 - place;
        if (*more >= 0)
            return r->first + place - at->before;
        at->before += (int)r->count;
    }
    *more = 0;
    return -1;
}

int bine_subset_place(const struct bine_schedule *s, int space, int block, struct bine_seek *at) {
    const struct bine_space *x = &s->space[space];
    if (at->run == x->runs || block < s->run[x->base + at->run].first)
        *at = (struct bine_seek){0, 0};
    for (; at->run < x->runs; at->run++) {
        const struct bine_run *r = &s->run[x->base + at->run];
        if (block >= r->first && block < r->first + (int)r->count)
            return at->before + block - r->first;
        at->before += (int)r->count;
    }
    return -1;
}

int bine_schedule_seek(const struct bine_schedule *s, int space, int place, struct bine_seek *at) {
    const struct bine_space *x = &s->space[space];
    int bits, more;
    switch (x->arrangement) {
    case BINE_ONE:
        return x->base + place;
    case BINE_SLOTS:
        return x->base + place / (x->pieces / s->parts);
    case BINE_LISTED:
        return s->run[x->base + place].first;
    case BINE_SUBSET:
        return bine_subset_block(s, space, place, at, &more);
    case BINE_NU_PLACES:
        bits = bine_log2_ceil(x->pieces);
        return bine_nu_inverse(bine_bits_reverse((uint32_t)place, bits), x->pieces);
    case BINE_NATURAL:
        break;
    }
    return place;
}

int bine_schedule_block(const struct bine_schedule *s, int space, int place) {
    struct bine_seek at = {0, 0};
    return bine_schedule_seek(s, space, place, &at);
}
