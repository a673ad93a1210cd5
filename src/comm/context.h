/* The context of a communicator: settings, place in the network, a private communicator over its
 * ranks, plans and workspace. All ranks make it together at the first call, and make sure that they
 * will choose alike. It is freed with the communicator, or at MPI_Finalize. */
#ifndef BINE_COMM_CONTEXT_H
#define BINE_COMM_CONTEXT_H

#include "comm/parts/boards.h"
#include "comm/parts/caches.h"
#include "comm/parts/choosing.h"
#include "comm/parts/devices.h"
#include "comm/parts/identity.h"
#include "comm/parts/pending.h"
#include "comm/parts/place.h"
#include "mpi/process.h"

struct bine_agreement;

struct bine_context {
    struct bine_identity id;
    struct bine_place place;
    struct bine_board_means boards;
    struct bine_devices devices;
    struct bine_choosing choosing;
    struct bine_caches caches;
    struct bine_context_pending pending;
    struct bine_channel channel; /* on the private communicator */
};

/* Whether Bine_Next names the algorithm of this call. Intercepted calls are not the next call that
 * a program means. */
static inline int bine_context_has_next(const struct bine_context *c,
                                        const struct bine_arguments *a) {
    return c->choosing.next_name[0] != '\0' && !a->drop_in;
}

/* The context of a communicator if it has one already, or NULL. Returns an MPI error code: there is
 * no such communicator, and its error handler has been called. */
int bine_context_find(MPI_Comm comm, struct bine_context **context);
/* The context of a communicator, made now if it has none. Returns an MPI error code, without
 * calling an error handler; MPI_ERR_COMM for an intercommunicator. */
int bine_context_get(MPI_Comm comm, struct bine_context **context);
/* All ranks together: as if it had none. */
void bine_context_discard(MPI_Comm comm);
/* Make the private communicator, if there is none: all ranks together. Where MPI has none left to
 * give, the context becomes plain. */
void bine_context_open(struct bine_context *c, MPI_Comm comm);

/* The torus that the settings give for this number of ranks, or the torus of a Cartesian
 * communicator, which is row-major too. The latter says how the program sees its ranks, not how
 * they are wired. */
void bine_context_find_torus(struct bine_context *c, MPI_Comm comm);

/* Take the machine's torus, unless there is one already; if both are equal, the torus is known to
 * be wired. */
void bine_context_settle_torus(struct bine_context *c, struct bine_agreement *agreed);

/* The model, where ranks on several nodes know their places: their groups, or a torus whose nodes
 * they occupy in order. All ranks ask it or none does: they are not alike where one has no memory
 * for a context. */
void bine_context_find_predictor(struct bine_context *c, MPI_Comm comm, int p,
                                 const struct bine_agreement *agreed);

/* Whether the ranks are on one node and have boards with this many bytes for each peer, as far as
 * is known; *exposes: and can read each other's memory. */
int bine_context_has_boards(const struct bine_context *c, int64_t bytes, int *exposes);
/* Make the boards if that has not been tried, all ranks together, as soon as an algorithm wants
 * them. Returns whether it has been tried now: then more is known. */
int bine_context_make_boards(struct bine_context *c, MPI_Comm comm);

/* Boards for one call that is started again and again, apart from those that other calls share: its
 * starts count by themselves, in whatever order ranks start such calls. Whether they can be had
 * (known to all ranks alike: they are on one node, and have boards); and to make them, all ranks
 * together. A shape without slots: this rank does without. NULL: all ranks do. */
int bine_context_can_make_own(const struct bine_context *c);
struct bine_node *bine_context_make_own(struct bine_context *c,
                                        const struct bine_board_shape *shape);

/* Let the ranks of each node use its boards in an algorithm that knows nodes, if they can and the
 * call fits: `block` is the bytes of the largest block, or of an element where a vector is cut. As
 * above, boards are made if that has not been tried. */
void bine_context_node_boards(struct bine_context *c, MPI_Comm comm, int64_t block,
                              struct bine_choice *choice);

/* Some communicator may take nonblocking calls over from MPI: otherwise all are MPI's. */
extern atomic_int bine_intercepts_nonblocking;
/* Say so. */
void bine_intercept_nonblocking(void);

/* A pending call retains the context: if its communicator is freed meanwhile, the context stays.
 * The release may happen inside MPI, so the context is freed later, by a sweep. Ready requests
 * count as busy instead. */
static inline void bine_context_retain(struct bine_context *c) {
    atomic_fetch_add(&c->pending.count, 1);
}
static inline void bine_context_release(struct bine_context *c) {
    atomic_fetch_sub(&c->pending.count, 1);
}
void bine_contexts_sweep_orphaned(void);
extern _Atomic(struct bine_context *) bine_contexts_orphaned; /* without a communicator */
static inline void bine_contexts_sweep(void) {
    if (atomic_load_explicit(&bine_contexts_orphaned, memory_order_relaxed) != NULL)
        bine_contexts_sweep_orphaned();
}

/* At MPI_Finalize: empty all contexts; and forget where they are. Returns an MPI error code. */
void bine_contexts_end(void);
int bine_contexts_end_key(void);

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
