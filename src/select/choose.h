/* Which algorithm a call gets: a forced one, or the algorithm of the first rule that holds and can
 * serve the call: rules of the user's file first, then the built-in ones. The choice depends only
 * on values that are equal on all ranks. */
#ifndef BINE_SELECT_CHOOSE_H
#define BINE_SELECT_CHOOSE_H

#include "select/rules.h"

struct bine_choice {
    const struct bine_algorithm *algorithm; /* NULL: the MPI library's own */
    enum bine_layout layout;
    int segments;       /* of a pipeline; 0 where it is none */
    int boards;         /* inside nodes, where the algorithm can also do with messages */
    const char *reason; /* the rule or setting that says so */
};

/* To stand behind the reason. */
static inline const char *bine_choice_more(const struct bine_choice *c) {
    return c->boards ? "; boards inside nodes" : "";
}

/* Why a call is left to MPI, whatever is forced: taken over on one rank; and any. */
#define BINE_REASON_ALONE "one rank: nothing to send"
#define BINE_REASON_OFF "switched off by BINE_OFF"

/* "forced by BINE_ALLREDUCE" */
const char *bine_selection_reason(enum bine_collective c);

/* 0, or -1 with the reason if the forced algorithm cannot serve the call. The choice then has that
 * algorithm. A layout that is forced without an algorithm is taken where the algorithm has it.
 * `rules` are the user's, or NULL. */
int bine_choose(const struct bine_query *q, const struct bine_selection *forced,
                const struct bine_rules *rules, struct bine_choice *choice, char *why, size_t size);

/* Whether the algorithm that was chosen cannot take the layout that is forced, and a line that says
 * so. */
int bine_layout_missed(const struct bine_query *q, const struct bine_selection *forced,
                       const struct bine_choice *choice, char *why, size_t size);

/* The number of the first rule that holds and can serve, or -1. */
int bine_rules_match(const struct bine_rules *rules, const struct bine_query *q);
/* Sizes over which no rule for the collective changes: these bytes, and all up to the next bound on
 * either side. `rules` are the user's, or NULL. */
struct bine_byte_range {
    int64_t from, below; /* INT64_MAX: no end */
};
struct bine_byte_range bine_rules_range(const struct bine_rules *rules, enum bine_collective c,
                                        int64_t bytes);
/* Why every call of a collective is left to MPI, on every communicator of some of the ranks that
 * the question is about, whatever its size; or NULL if one may not be. `none_grouped`: no rank
 * knows its group, where their number is not known. `cores`: of a node, or 0. */
const char *bine_rules_never_intercept(const struct bine_rules *rules,
                                       const struct bine_query *most, int none_grouped, int cores);
/* The forced selection, as far as a nonblocking call without boards follows it. */
struct bine_selection bine_selection_nonblocking(struct bine_selection f);
/* NULL, or why an algorithm cannot serve the call. */
const char *bine_selection_fails(const struct bine_selection *f, const struct bine_query *q);

#endif
