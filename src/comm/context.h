/* The context of a communicator: settings, place in the network, a private communicator over its
 * ranks, plans and workspace. All ranks make it together at the first call, and make sure that they
 * will choose alike. It is freed with the communicator, or at MPI_Finalize. */
#ifndef BINE_COMM_CONTEXT_H
#define BINE_COMM_CONTEXT_H

#include "comm/memo.h"
#include "comm/policy.h"
#include "comm/shortcuts.h"
#include "comm/tuning/prediction.h"

/* Plans kept for each communicator; the one not used for the longest time makes room. Roots rotate,
 * so it is bounded. */
#define BINE_PLANS 32

/* Calls that are kept bound for the next one of their kind to be started. */
#define BINE_READY 4

struct bine_request;

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

struct bine_device_levels;

struct bine_context {
    MPI_Comm comm;  /* private; MPI_COMM_NULL as long as only MPI's own algorithms have run */
    int finalizing; /* MPI_Finalize has begun */
    int rank, p;
    int reports;                  /* this rank reports warnings that all ranks share */
    int nodes, per_node, groups;  /* as in struct bine_query */
    int hosts;                    /* as in struct bine_agreement */
    int cores;                    /* the fewest that the ranks of a node may use; 0: not known */
    int crowded;                  /* as in struct bine_query */
    int none_grouped;             /* no rank knows its group */
    struct bine_shape dims;       /* likewise */
    int wired;                    /* likewise */
    struct bine_groups *levels;   /* or NULL */
    struct bine_lineup *order;    /* of the ranks for flat algorithms, or NULL */
    struct bine_lineup *seats;    /* of the ranks for torus algorithms, or NULL */
    int boards_untried;           /* boards have not been tried for, and could be had */
    struct bine_node_card *cards; /* memory to make them with, until then */
    int32_t *node;                /* of each rank, where several have several ranks; or NULL */
    int devices;                  /* some rank has a device: calls may be for devices */
    struct bine_device_levels *device_levels; /* between nodes; or NULL */
    const char *forward_reason; /* why all calls go to the MPI library, on all ranks; or NULL */
    struct bine_predictor *predictor; /* or NULL */
    struct bine_tuning learning;
    struct bine_policy policy;
    struct bine_selection forced[BINE_COLLECTIVES]; /* set for this communicator */
    char next_name[80];      /* for the next call only: NAME or NAME:LAYOUT */
    struct bine_choice last; /* the algorithm of Bine's that ran last */
    enum bine_collective
        on_device; /* the last collective that devices made, if devices made the last call */
    struct bine_shortcuts shortcuts; /* to MPI's own functions; and the last call that MPI made */
    uint64_t calls;
    struct bine_plan_entry plan[BINE_PLANS];
    struct bine_plan_entry *recent;
    struct bine_channel channel; /* on `comm` */
    struct bine_workspace workspace;
    struct bine_bound bound;
    struct bine_memo memo[BINE_MEMOS];
    struct bine_memo *bound_to; /* the one whose call `bound` is, or NULL */
    uint64_t stamps;            /* see memo.h */
    atomic_int orphaned;        /* its communicator was freed */
    int progresses;             /* calls can be left under way, on all ranks, */
    int one_at_a_time;          /* and nowhere by two threads at once */
    atomic_int pending; /* number of pending calls, and of requests kept to be started again */
    _Atomic(struct bine_request *) ready[BINE_READY]; /* and more, bound for the next calls */
    atomic_int busy[BINE_READY];                      /* of which these are under way */
    struct bine_context *older, *newer;               /* all of them, to be freed at MPI_Finalize */
};

/* Whether Bine_Next names the algorithm of this call. Intercepted calls are not the next call that
 * a program means. */
static inline int bine_context_has_next(const struct bine_context *c,
                                        const struct bine_arguments *a) {
    return c->next_name[0] != '\0' && !a->drop_in;
}

/* The context of a communicator if it has one already, or NULL. Returns an MPI error code: there is
 * no such communicator, and its error handler has been called. */
int bine_context_find(MPI_Comm comm, struct bine_context **context);
/* Whether a communicator connects two groups. Such a communicator never has a context: MPI does its
 * collectives. */
int bine_is_inter(MPI_Comm comm);
/* The context of a communicator, made now if it has none. Returns an MPI error code, without
 * calling an error handler; MPI_ERR_COMM for an intercommunicator. */
int bine_context_get(MPI_Comm comm, struct bine_context **context);
/* Make the private communicator, if there is none: all ranks together. Where MPI has none left to
 * give, the context becomes plain. */
void bine_context_open(struct bine_context *c, MPI_Comm comm);

/* Whether the ranks are on one node and have boards with this many bytes for each peer, as far as
 * is known; *exposes: and can read each other's memory. */
int bine_context_has_boards(const struct bine_context *c, int64_t bytes, int *exposes);
/* Make the boards if that has not been tried, all ranks together, as soon as an algorithm wants
 * them. Returns whether it has been tried now: then more is known. */
int bine_context_make_boards(struct bine_context *c, MPI_Comm comm);

/* Let the ranks of each node use its boards in an algorithm that knows nodes, if they can and the
 * call fits: `block` is the bytes of the largest block, or of an element where a vector is cut. As
 * above, boards are made if that has not been tried. */
void bine_context_node_boards(struct bine_context *c, MPI_Comm comm, int64_t block,
                              struct bine_choice *choice);

/* Some communicator may take nonblocking calls over from MPI: otherwise all are MPI's. */
extern atomic_int bine_intercepts_nonblocking;
/* Say so; and who is told of it the first time, or NULL. */
void bine_taken_begin(void);
extern void (*bine_taken_begins)(void);

/* Called as a context goes, and at MPI_Finalize with NULL; or NULL. */
extern void (*bine_context_goes)(struct bine_context *c);
/* Called as MPI_Finalize begins, before contexts go; or NULL. */
extern void (*bine_context_ends)(void);

/* A pending call retains the context: if its communicator is freed meanwhile, the context stays.
 * The release may happen inside MPI, so the context is freed later, by a sweep. Ready requests
 * count as busy instead. */
static inline void bine_context_retain(struct bine_context *c) {
    atomic_fetch_add(&c->pending, 1);
}
static inline void bine_context_release(struct bine_context *c) {
    atomic_fetch_sub(&c->pending, 1);
}
void bine_contexts_sweep_orphaned(void);
extern atomic_int bine_contexts_orphaned; /* there are some */
static inline void bine_contexts_sweep(void) {
    if (atomic_load_explicit(&bine_contexts_orphaned, memory_order_relaxed))
        bine_contexts_sweep_orphaned();
}

/* Set the watch for MPI_Finalize. */
int bine_context_begin(void);
/* Whether MPI has begun and is not ending. */
int bine_context_is_running(void);

/* A communicator of this rank alone that returns its errors, or MPI_COMM_NULL. */
MPI_Comm bine_context_self(void);

/* Through the user's error handler, on MPI_COMM_WORLD where there is no communicator. Returns the
 * code. */
int bine_raise(MPI_Comm comm, int code);

/* Forget calls that were remembered: something has changed that they depend on. */
void bine_context_forget(struct bine_context *c);

/* The spec of the plan for a choice. */
struct bine_spec bine_context_spec(const struct bine_context *c, const struct bine_choice *choice,
                                   int root, int in_place);

/* The plan of a call for a choice, from the cache or made anew. NULL when out of memory. */
struct bine_plan *bine_context_plan(struct bine_context *c, const struct bine_choice *choice,
                                    const struct bine_arguments *a, int in_place);

/* By messages alone, a rank without memory for a call could not tell the ranks that wait for it. So
 * all ranks come here with the result of binding a blocking call. For the first call of a kind, and
 * for each larger one, they agree whether to begin. Returns an MPI error code. */
int bine_context_agree(struct bine_context *c, const struct bine_choice *choice, int64_t bytes,
                       int rc);

/* Whether `has` is true on all ranks. Collective. */
int bine_context_all(const struct bine_context *c, int has);

#endif
