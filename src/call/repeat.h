/* Repeated calls, which differ from a remembered one by nothing but addresses: the part that
 * blocking and nonblocking calls share. */
#ifndef BINE_CALL_REPEAT_H
#define BINE_CALL_REPEAT_H

#include "call/call.h"
#include "call/collectives.h"

/* Whether a call repeats one of Bine's that is neither timed nor reported. Then the remembered call
 * gets its addresses. */
static inline int bine_repeats(const struct bine_context *c, struct bine_memo *m,
                               const struct bine_arguments *a) {
    if (!m->quick || c->choosing.next_name[0] != '\0' || !bine_memo_fits(m, a, c->id.p))
        return 0;
    bine_call_address(a, c->id.rank, &m->call);
    return !bine_call_is_aliased(&m->call);
}

/* Count a repeated call, and note its choice. */
static inline void bine_repeat_count(struct bine_context *c, const struct bine_memo *m,
                                     enum bine_collective collective) {
    *m->used = ++c->caches.calls;
    bine_channel_count(&c->channel);
    bine_shortcuts_note(&c->caches.shortcuts, collective, NULL);
    c->choosing.last = m->choice;
}

#endif
