/* The caches of a communicator: plans, remembered calls, the bound last call, forwarded calls. */
#ifndef BINE_COMM_PARTS_CACHES_H
#define BINE_COMM_PARTS_CACHES_H

#include "comm/memo.h"
#include "comm/shortcuts.h"

/* Plans kept for each communicator; the one not used for the longest time makes room. Roots rotate,
 * so it is bounded. */
#define BINE_PLANS 32

/* A place in the cache of plans. All ranks have equal entries, whichever of the two plans each of
 * them needs. */
struct bine_plan_entry {
    const struct bine_algorithm *algorithm; /* NULL: a free one */
    enum bine_layout layout;
    int segments, boards, root;
    int agreed;        /* with boards: all ranks have made a plan */
    int64_t agreed_to; /* by messages: all ranks have bound a call of up to this many bytes */
    uint64_t used;     /* the call that used it last */
    struct bine_plan *plan[2]; /* in place or not; or NULL */
};

/* Decisions kept for each communicator, so that calls whose datatypes are new each time are not
 * decided anew. */
#define BINE_DECISIONS 8

/* A decision of this rank's for intercepted blocking calls that will be the same next time, with
 * the facts of a query that differ from call to call. */
struct bine_known_decision {
    int valid, collective, commutative, uneven, root, boards, exposes;
    int64_t bytes;
    struct bine_choice choice;
};

struct bine_caches {
    struct bine_shortcuts shortcuts; /* to MPI's own functions; and the last call that MPI made */
    uint64_t calls;
    struct bine_plan_entry plan[BINE_PLANS];
    struct bine_plan_entry *recent;
    struct bine_memo memo[BINE_MEMOS];
    struct bine_known_decision decision[BINE_DECISIONS];
    uint64_t stamps; /* see memo.h */
    struct bine_workspace workspace;
    struct bine_bound bound;
    struct bine_memo *bound_to; /* the one whose call `bound` is, or NULL */
};

#endif
