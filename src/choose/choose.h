/* Which algorithm a call gets. The choice depends only on what is equal on all ranks: the
 * collective, the number of ranks, the bytes of the whole vector, whether the operator commutes,
 * and the settings. */
#ifndef BINE_CHOOSE_CHOOSE_H
#define BINE_CHOOSE_CHOOSE_H

#include "choose/settings.h"

struct bine_choice {
    const struct bine_algorithm *algorithm;
    enum bine_layout layout;
    int segments;       /* of a pipeline; 0 where it is none */
    const char *reason; /* the rule or setting that says so */
};

struct bine_question {
    enum bine_collective collective;
    int p;
    int64_t bytes;
    int commutative;
};

/* 0, or -1 with the reason if what was forced cannot serve the call. The choice then has the
 * algorithm that cannot, or NULL. */
int bine_choose(const struct bine_question *q, const struct bine_forced *forced,
                struct bine_choice *choice, char *why, size_t size);

#endif
