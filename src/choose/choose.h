/* Which algorithm a call gets: one that is forced, or that the first rule names which holds and
 * whose algorithm can serve the call: rules of the user's file first, then the built-in ones. The
 * choice depends only on what is equal on all ranks. */
#ifndef BINE_CHOOSE_CHOOSE_H
#define BINE_CHOOSE_CHOOSE_H

#include "choose/rules.h"

struct bine_choice {
    const struct bine_algorithm *algorithm; /* NULL: the MPI library's own */
    enum bine_layout layout;
    int segments;       /* of a pipeline; 0 where it is none */
    const char *reason; /* the rule or setting that says so */
};

/* Why a call that was taken over on one rank is left to MPI, whatever is forced. */
#define BINE_REASON_ALONE "one rank: nothing to send"

/* "forced by BINE_ALLREDUCE" */
const char *bine_forced_reason(enum bine_collective c);

/* 0, or -1 with the reason if what was forced cannot serve the call. The choice then has the
 * algorithm that cannot. A layout that is forced without an algorithm is taken where there is one
 * such. `rules` are the user's, or NULL. */
int bine_choose(const struct bine_question *q, const struct bine_forced *forced,
                const struct bine_rules *rules, struct bine_choice *choice, char *why, size_t size);

/* Whether the algorithm that was chosen cannot take the layout that is forced, and a line that says
 * so. */
int bine_layout_missed(const struct bine_question *q, const struct bine_forced *forced,
                       const struct bine_choice *choice, char *why, size_t size);

/* The number of the first rule that holds and can serve, or -1. */
int bine_rules_match(const struct bine_rules *rules, const struct bine_question *q);
/* NULL, or why an algorithm cannot serve the call. */
const char *bine_forced_fails(const struct bine_forced *f, const struct bine_question *q);

#endif
