/* Instructions that need no other rank: copies and permutations, and the bases of their places. */
#ifndef BINE_ENGINE_LOCAL_H
#define BINE_ENGINE_LOCAL_H

#include "engine/execution.h"

#include <string.h>

static inline void bine_code_bases(const struct bine_execution *x,
                                   const struct bine_strand_state *strand, char **base) {
    base[BINE_IN] = x->map[BINE_IN].base;
    base[BINE_OUT] = x->map[BINE_OUT].base;
    base[BINE_TMP] = x->map[BINE_TMP].base;
    base[BINE_BASE_SCRATCH] = strand->scratch;
    base[BINE_BASE_STAGING] = strand->send_staging;
}

int bine_code_permute(struct bine_execution *x, const struct bine_op *op);

static inline int bine_code_copy(struct bine_execution *x, char *to, const char *from, int64_t n) {
    const struct bine_type *t = &x->type;
    if (!t->dense)
        return bine_type_copy(t, from, to, (ptrdiff_t)n, x->comm, x->plan->schedule->rank);
    size_t bytes = (size_t)(n * t->size);
    uint64_t word;
    if (bytes == sizeof word) { /* one number: the most common small call */
        memcpy(&word, from, sizeof word);
        memcpy(to, &word, sizeof word);
    } else {
        memmove(to, from, bytes);
    }
    return BINE_OK;
}

#endif
