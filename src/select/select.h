/* The selector: which algorithm a call gets. One ordered table of sources (select.c) is asked; the
 * first source with an answer decides. The answer depends only on values that are equal on all
 * ranks, and selecting changes none of them: the decision says how its caller goes on. */
#ifndef BINE_SELECT_SELECT_H
#define BINE_SELECT_SELECT_H

#include "select/selection.h"

struct bine_tuning;
struct bine_tuning_session;
struct bine_prediction;
struct bine_predictions;

/* The sources, in the order in which they are asked. */
enum bine_source {
    BINE_SOURCE_NEVER, /* every call is forwarded: Bine is off, or cannot serve the communicator */
    BINE_SOURCE_HANDED_BACK, /* an intercepted nonblocking call, with BINE_NONBLOCKING=0 */
    BINE_SOURCE_ALONE,       /* an intercepted call of one rank */
    BINE_SOURCE_PROGRAM,     /* Bine_Next and Bine_Set */
    BINE_SOURCE_SETTING,     /* BINE_ALLREDUCE and so on */
    BINE_SOURCE_RULES,       /* BINE_RULES */
    BINE_SOURCE_WISDOM,      /* BINE_WISDOM */
    BINE_SOURCE_TUNING,      /* measurements of this program */
    BINE_SOURCE_MODEL,
    BINE_SOURCE_BUILT_IN,
    BINE_SOURCES
};
/* "never", "alone", "program", ... */
const char *bine_source_name(enum bine_source s);

/* The knowledge that the sources draw on: settings, rules, and the memory of a communicator. */
struct bine_selector {
    const char *forward_reason; /* why every call is forwarded, or NULL */
    enum bine_reproducible reproducible;
    struct bine_selection program, setting;
    const struct bine_rules *rules;             /* of the user's file, or NULL */
    const struct bine_rules *wisdom;            /* or NULL: ranks hear of it in tuning sessions */
    const struct bine_tuning *tuning;           /* or NULL: calls are not tuned */
    const struct bine_predictions *predictions; /* or NULL: the model cannot be asked */
};

struct bine_decision {
    struct bine_choice choice;
    enum bine_source source;
    const struct bine_rules *rules; /* in which the rule stands, or NULL */
    int rule;
    enum bine_reproducible same; /* of the bits of a reduction: the promise of the choice */
    int fails;            /* the program's selection, which is the choice, cannot serve the call */
    int lasts;            /* the next call like this one gets it, too: it may be cached */
    int wants_prediction; /* ask the model for the size class, then select again */
    int counts;           /* the call counts towards opening a tuning session */
    struct bine_tuning_session *session;      /* that the call belongs to, or NULL */
    const struct bine_prediction *prediction; /* of the model for the size class, or NULL */
    char why[240];                            /* a setting that cannot be followed; or "" */
};

void bine_select(const struct bine_selector *s, const struct bine_query *q,
                 struct bine_decision *d);

/* The query as the sources see it: without facts that the choice must not depend on. */
struct bine_query bine_select_query(const struct bine_selector *s, const struct bine_query *q);

/* Why every call of a collective is forwarded on this communicator, or NULL. */
const char *bine_select_every(const struct bine_selector *s, const struct bine_query *q);
/* Why every call of a collective is forwarded on every communicator of some of the ranks that the
 * query is about, whatever its size; or NULL if one may not be. `none_grouped`: no rank knows its
 * group, where their number is not known. `cores`: of a node, or 0. */
const char *bine_select_never(const struct bine_selector *s, const struct bine_query *most,
                              int none_grouped, int cores);

/* How devices make a call on vectors in their memory. */
enum bine_device_way {
    BINE_DEVICE_NONE,    /* they do not: vectors are staged through the host's memory */
    BINE_DEVICE_WORKERS, /* one rank for each device of the node */
    BINE_DEVICE_LEVELS   /* in the nodes, then between them */
};
/* `devices`: of the node, or 1 where their number is not known yet. */
enum bine_device_way bine_select_device(const struct bine_selector *s, const struct bine_query *q,
                                        int devices);

#endif
