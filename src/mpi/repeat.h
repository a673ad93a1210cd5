/* A call like one that is remembered, which differs from it by nothing but addresses: what is the
 * same for blocking ones and those that are started. */
#ifndef BINE_MPI_REPEAT_H
#define BINE_MPI_REPEAT_H

#include "mpi/call.h"
#include "mpi/collectives.h"

/* Whether a call is like one of Bine's, and nothing is learnt from it or told of it. Then what is
 * remembered gets its addresses. */
static inline int bine_repeats(const struct bine_context *c, struct bine_memo *m,
                               const struct bine_arguments *a) {
    if (!m->quick || c->next_name[0] != '\0' || !bine_memo_fits(m, a, c->p))
        return 0;
    bine_call_address(a, c->rank, &m->call);
    return !bine_call_is_aliased(&m->call);
}

/* It is made: count it, and note what runs. */
static inline void bine_repeat_count(struct bine_context *c, const struct bine_memo *m,
                                     enum bine_collective collective) {
    *m->used = ++c->calls;
    bine_channel_count(&c->channel);
    bine_shortcuts_note(&c->shortcuts, collective, NULL);
    c->last = m->choice;
}

#endif
