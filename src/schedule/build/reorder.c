#include "schedule/build/reorder.h"

#include <stdlib.h>

/* Whether the pieces of a space are the blocks of ranks, numbered by rank. */
static int is_of_ranks(const struct bine_schedule *s, int space) {
    return !bine_cuts_a_vector(s->collective) && s->space[space].arrangement == BINE_NATURAL;
}

struct renaming {
    const struct bine_schedule *s;
    const struct bine_lineup *order;
    struct bine_run *run;
    uint32_t nruns;
};

/* The number of a block, or of a part of one, among the blocks of the renamed ranks. */
static int32_t renamed(const struct bine_schedule *s, const struct bine_lineup *o, int block) {
    return o->rank_at[block / s->parts] * s->parts + block % s->parts;
}

/* One run, piece by piece where they are renamed; those that still follow each other are joined
 * where that is free. */
static void rename_run(struct renaming *x, const struct bine_run *r, int join, uint32_t first) {
    if (!is_of_ranks(x->s, r->space)) {
        x->run[x->nruns++] = *r;
        return;
    }
    for (int k = 0; k < r->count; k++) {
        int32_t place = renamed(x->s, x->order, r->first + k);
        struct bine_run *last = &x->run[x->nruns - 1];
        if (join && x->nruns > first && last->space == r->space &&
            last->first + last->count == place)
            last->count++;
        else
            x->run[x->nruns++] = bine_pieces(r->space, place, 1);
    }
}

/* Where there is one transfer for each run, both ends must cut messages alike: into single pieces.
 */
static void split_run(struct renaming *x, const struct bine_run *r) {
    for (int k = 0; k < r->count; k++) {
        struct bine_run one = bine_pieces(r->space, r->first + k, 1);
        rename_run(x, &one, 0, x->nruns);
    }
}

static void rename_list(struct renaming *x, uint32_t *first, uint32_t *count, int split) {
    uint32_t begin = x->nruns;
    for (uint32_t i = *first; i < *first + *count; i++)
        if (split)
            split_run(x, &x->s->run[i]);
        else
            rename_run(x, &x->s->run[i], 1, begin);
    *first = begin;
    *count = x->nruns - begin;
}

/* A subset lists blocks. */
static void rename_subset(struct renaming *x, struct bine_space *space) {
    uint32_t begin = x->nruns;
    for (int i = space->base; i < space->base + space->runs; i++)
        for (int k = 0; k < x->s->run[i].count; k++)
            x->run[x->nruns++] =
                bine_pieces(x->s->run[i].space, renamed(x->s, x->order, x->s->run[i].first + k), 1);
    space->base = (int32_t)begin;
    space->runs = (int32_t)(x->nruns - begin);
}

static size_t count_pieces(const struct bine_schedule *s) {
    size_t n = 1;
    for (uint32_t i = 0; i < s->nruns; i++)
        n += (size_t)s->run[i].count;
    return n;
}

int bine_schedule_rename(struct bine_schedule *s, const struct bine_lineup *o) {
    struct renaming x = {s, o, malloc(count_pieces(s) * sizeof *x.run), 0};
    int by_rank = !bine_cuts_a_vector(s->collective);
    if (x.run == NULL)
        return -1;
    for (int k = 0; k < BINE_SPACES; k++) {
        struct bine_space *space = &s->space[k];
        if (space->arrangement == BINE_SUBSET && space->pieces > 0)
            rename_subset(&x, space);
        else if (space->arrangement == BINE_ONE && by_rank)
            space->base = renamed(s, o, space->base);
    }
    for (uint32_t i = 0; i < s->nops; i++) {
        struct bine_op *op = &s->op[i];
        int message = op->kind <= BINE_OP_RECV_REDUCE;
        rename_list(&x, &op->runs, &op->nruns, message && by_rank && s->layout != BINE_PACK);
        rename_list(&x, &op->with, &op->nwith, 0);
        op->peer = message ? o->rank_at[op->peer] : op->peer;
    }
    free(s->run);
    s->run = x.run;
    s->nruns = s->run_room = x.nruns;
    s->rank = o->rank_at[s->rank];
    s->root = o->rank_at[s->root];
    return 0;
}
