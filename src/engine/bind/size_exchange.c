#include "engine/bind/size_exchange.h"

#include "engine/bind/bind_parts.h"
#include "engine/bind/uneven.h"
#include "schedule/piece_bytes.h"

#include <string.h>

/* A block that stays with the root goes nowhere. */
static int64_t word_of(int64_t bytes, int stays) {
    return 2 * bytes + (bytes >= BINE_DIRECT_BYTES && !stays);
}

/* Fill in the known sizes: the root of a scatter knows all, the other ranks their own. The last
 * word is the rank's own block. */
static void fill_words(const struct bine_call *call, const struct bine_schedule *s,
                       int64_t *words) {
    int kind = (int)s->collective, all = kind == BINE_SCATTER && s->rank == s->root;
    for (int k = 0; k < s->p; k++)
        words[k] = all || (kind == BINE_GATHER && k == s->rank)
                       ? word_of(bine_uneven_block(call, kind, BINE_IN, k), k == s->root)
                       : 0;
    words[s->p] = words[s->rank];
}

int bine_size_exchange_bind(struct bine_bound *b, const struct bine_plan *plan,
                            const struct bine_call *call, struct bine_channel *channel,
                            size_t segment, struct bine_workspace *w) {
    static const struct bine_type byte = {BINE_BYTE, 1, 1, 0, 1, 1};
    const struct bine_schedule *s = plan->schedule;
    int64_t *words = bine_workspace_words(w, (size_t)s->p + 1);
    if (words == NULL)
        return BINE_ERR_NO_MEM;
    int gathers = s->collective == BINE_GATHER;
    struct bine_call first = {.collective = call->collective,
                              .sendbuf = gathers ? &words[s->p] : words,
                              .recvbuf = gathers ? words : &words[s->p],
                              .in_place = call->in_place,
                              .sendtype = byte,
                              .recvtype = byte,
                              .op = BINE_NO_OP,
                              .commutative = 1,
                              .root = call->root,
                              .exchanges_sizes = 1};
    b->wanted = *call;
    fill_words(call, s, words);
    int rc = bine_bind_run(b, plan, &first, channel, segment, w);
    b->announcing = rc == BINE_OK;
    return rc;
}

void bine_size_exchange_keep(struct bine_bound *b) {
    const struct bine_execution *x = &b->execution;
    const struct bine_schedule *s = x->plan->schedule;
    int64_t *words = bine_workspace_words(b->workspace, (size_t)s->p + 1);
    for (int space = BINE_OUT; space <= BINE_TMP; space++) {
        struct bine_seek at = {0, 0};
        const struct bine_map *m = &x->map[space];
        for (int k = 0; k < s->space[space].pieces; k++) {
            int block = bine_schedule_seek(s, space, k, &at);
            if (block % s->parts == 0)
                memmove(&words[block / s->parts], bine_at(m->base, bine_map_at(m, k, 0, 1)),
                        sizeof *words);
        }
    }
}

int bine_size_exchange_bind_blocks(struct bine_bound *b) {
    const struct bine_plan *plan = b->execution.plan;
    struct bine_call second = b->wanted;
    second.announced = bine_workspace_words(b->workspace, (size_t)plan->schedule->p + 1);
    b->announcing = 0;
    return bine_bind_run(b, plan, &second, b->channel, b->segment, b->workspace);
}
