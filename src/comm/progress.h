/* Pending calls, and their progress.
 *
 * A nonblocking call makes progress whenever MPI polls for messages, in whatever function the
 * program is: Open MPI lets callbacks register with its progress engine, and MPICH polls through a
 * function of UCX, which is intercepted. Where there is neither, no call is ever pending:
 * nonblocking calls are forwarded to MPI. So no rank waits for a peer that is elsewhere in MPI. */
#ifndef BINE_COMM_PROGRESS_H
#define BINE_COMM_PROGRESS_H

#include <stdatomic.h>

/* A pending call. */
struct bine_pending {
    struct bine_pending *next, *previous;
    int listed;                             /* others take it further */
    int (*advance)(struct bine_pending *w); /* whether it has come to its end; */
    void (*end)(struct bine_pending *w);    /* then this is called */
    int (*is_detached)(
        const struct bine_pending *w); /* whether the program will never ask for its end */
};

extern atomic_int bine_pending_calls; /* calls */

/* Whether MPI calls us when it looks for messages, as far as is known until now. */
int bine_progress_is_hooked(void);
/* Whether one thread at a time is in MPI, and so takes calls further. */
int bine_progress_is_by_one(void);
/* MPI has polled through an intercepted function, which then calls bine_progress_from_mpi. */
extern atomic_int bine_progress_hooked;
/* Advance all pending calls as far as they go, unless another thread does. Returns the number of
 * calls that have completed. */
int bine_progress_poll(void);
/* Like bine_progress_poll, from within MPI: not where MPI may hold locks, as MPI's own calls may be
 * pending there, too. */
int bine_progress_from_mpi(void);

/* Add a pending call; remove it, once its last user has left it. Returns whether it was still
 * pending: otherwise it has completed. */
void bine_progress_add(struct bine_pending *w);
int bine_progress_remove(struct bine_pending *w);

/* left on a channel: the messages that may still use it */
void bine_progress_finish(void);
void bine_progress_end(void);

#endif
