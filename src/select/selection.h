/* Selections, and the choices that they come to: the common part of the selector's sources. */
#ifndef BINE_SELECT_SELECTION_H
#define BINE_SELECT_SELECTION_H

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

/* Why calls are forwarded, whatever is set: switched off; and one rank. */
#define BINE_REASON_OFF "switched off by BINE_OFF"
#define BINE_REASON_ALONE "one rank: nothing to send"
/* The first, where the settings say so; or NULL. */
static inline const char *bine_settings_forward(const struct bine_settings *s) {
    return s->off ? BINE_REASON_OFF : NULL;
}
/* The second, for an intercepted call of p ranks; or NULL. */
static inline const char *bine_ranks_forward(int p) {
    return p == 1 ? BINE_REASON_ALONE : NULL;
}

static inline struct bine_selection bine_selection_none(void) {
    return (struct bine_selection){BINE_SELECTION_NONE, -1};
}
/* "forced by BINE_ALLREDUCE" */
const char *bine_selection_reason(enum bine_collective c);
/* The forced selection, as far as a nonblocking call without boards follows it. */
struct bine_selection bine_selection_nonblocking(struct bine_selection f);
/* NULL, or why an algorithm cannot serve the call. */
const char *bine_selection_fails(const struct bine_selection *f, const struct bine_query *q);
/* The choice of a selection that serves the call, without a reason. */
struct bine_choice bine_selection_choice(const struct bine_selection *f,
                                         const struct bine_query *q);

/* The number of the first rule that holds and can serve, or -1. */
int bine_rules_match(const struct bine_rules *rules, const struct bine_query *q);
/* The selection of a rule. */
static inline struct bine_selection bine_rule_selection(const struct bine_rules *rules, int rule,
                                                        enum bine_collective c) {
    return rules->found[(size_t)rule * BINE_COLLECTIVES + c];
}
/* Sizes over which no rule for the collective changes: these bytes, and all up to the next bound on
 * either side. `rules` are the user's, or NULL. */
struct bine_byte_range {
    int64_t from, below; /* INT64_MAX: no end */
};
struct bine_byte_range bine_rules_range(const struct bine_rules *rules, enum bine_collective c,
                                        int64_t bytes);
/* bine_select_never, as far as the rules decide. */
const char *bine_rules_never_intercept(const struct bine_rules *rules,
                                       const struct bine_query *most, int none_grouped, int cores);

#endif
