#include "network/cut.h"

int64_t bine_cut_run(const struct bine_cut *c, const struct bine_schedule *s,
                     const struct bine_run *run) {
    int64_t bytes = c->size * run->count;
    if (c->rest == 0)
        return bytes;
    switch (s->space[run->space].arrangement) {
    case BINE_NATURAL:
        if (run->first < c->rest)
            bytes += run->first + run->count < c->rest ? run->count : c->rest - run->first;
        return bytes;
    case BINE_ONE:
    case BINE_SLOTS: /* all of the size of one block */
        return run->count * bine_cut_block(c, s->space[run->space].base);
    default:
        for (int k = 0; k < run->count; k++)
            bytes += bine_schedule_block(s, run->space, run->first + k) < c->rest;
        return bytes;
    }
}
