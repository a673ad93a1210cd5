#include "schedule/piece_bytes.h"

#include <stdlib.h>

void bine_longer_blocks_free(struct bine_longer_blocks *x) {
    free(x->longer);
    *x = (struct bine_longer_blocks){0};
}

/* The prefix sums of a permuted space; NULL when out of memory. */
static const int32_t *places_of(const struct bine_block_bytes *c, const struct bine_schedule *s,
                                int space, struct bine_longer_blocks *x) {
    int pieces = s->space[space].pieces;
    if (x->longer != NULL && x->pieces == pieces)
        return x->longer;
    free(x->longer);
    x->longer = calloc((size_t)pieces + 1, sizeof *x->longer);
    x->pieces = pieces;
    for (int i = 0; i < pieces && x->longer != NULL; i++)
        x->longer[i + 1] = x->longer[i] + (bine_schedule_block(s, space, i) < c->rest);
    return x->longer;
}

static int64_t cut_parts(const struct bine_block_bytes *c, const struct bine_schedule *s,
                         const struct bine_run *run) {
    struct bine_seek at = {0, 0};
    int64_t bytes = 0;
    for (int k = 0; k < run->count; k++)
        bytes += bine_bytes_of_block(c, bine_schedule_seek(s, run->space, run->first + k, &at));
    return bytes;
}

int64_t bine_bytes_of_run(const struct bine_block_bytes *c, const struct bine_schedule *s,
                          const struct bine_run *run, struct bine_longer_blocks *places) {
    int64_t bytes = c->size * run->count;
    const int32_t *longer;
    struct bine_seek at = {0, 0};
    if (c->parts > 1)
        return cut_parts(c, s, run);
    if (c->rest == 0)
        return bytes;
    switch (s->space[run->space].arrangement) {
    case BINE_NATURAL:
        if (run->first < c->rest)
            bytes += run->first + run->count < c->rest ? run->count : c->rest - run->first;
        return bytes;
    case BINE_ONE:
    case BINE_SLOTS: /* all of the size of one block */
        return run->count * bine_bytes_of_block(c, s->space[run->space].base);
    case BINE_NU_PLACES:
        longer = places_of(c, s, run->space, places);
        return longer == NULL ? -1 : bytes + longer[run->first + run->count] - longer[run->first];
    case BINE_SUBSET:
    case BINE_LISTED:
        break;
    }
    for (int k = 0; k < run->count; k++)
        bytes += bine_schedule_seek(s, run->space, run->first + k, &at) < c->rest;
    return bytes;
}

int64_t bine_bytes_of_op(const struct bine_schedule *s, const struct bine_op *op, int64_t bytes,
                         struct bine_longer_blocks *places) {
    struct bine_block_bytes cut = bine_block_bytes_for(bytes, s);
    int64_t sum = 0;
    for (uint32_t i = op->runs; i < op->runs + op->nruns; i++) {
        int64_t run = bine_bytes_of_run(&cut, s, &s->run[i], places);
        if (run < 0)
            return -1;
        sum += run;
    }
    return sum;
}
