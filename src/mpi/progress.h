/* What is under way, and how it goes on.
 *
 * A call that was started goes on whenever MPI looks for messages, in whatever function the program
 * is: Open MPI lets others register with what it does then, and of MPICH the function of UCX is
 * taken over by which it looks. Where there is neither, nothing is ever under way: nonblocking
 * calls are handed on to MPI. So nobody waits for a rank that is somewhere else in MPI. */
#ifndef BINE_MPI_PROGRESS_H
#define BINE_MPI_PROGRESS_H

#include <stdatomic.h>

/* A call under way. */
struct bine_under_way {
    struct bine_under_way *next, *previous;
    int listed;                                     /* others take it further */
    int (*advance)(struct bine_under_way *w);       /* whether it has come to its end; */
    void (*end)(struct bine_under_way *w);          /* then this is called */
    int (*is_left)(const struct bine_under_way *w); /* whether nobody will ask for its end */
};

extern atomic_int bine_under_way; /* calls */

/* Whether MPI calls us when it looks for messages, as far as is known until now. */
int bine_progress_is_hooked(void);
/* Whether one thread at a time is in MPI, and so takes calls further. */
int bine_progress_is_by_one(void);
/* MPI has looked for messages through somebody who then calls bine_progress_looked. */
extern atomic_int bine_polled;
/* Take all calls under way as far as they go, unless somebody is at it. Returns how many have come
 * to their ends. */
int bine_progress_poll(void);
/* The same, from within MPI: not where it may hold locks, as calls that MPI makes itself may be
 * under way there, too. */
int bine_progress_looked(void);

/* A call is under way; or is no longer: whoever was at it has left it. Returns whether it was
 * still: otherwise it has come to its end. */
void bine_progress_add(struct bine_under_way *w);
int bine_progress_remove(struct bine_under_way *w);

/* At MPI_Finalize: calls that nobody will ask for come to their ends, as other ranks may wait for
 * this one's part of them. Then nothing goes on any more, and what is left is forgotten. */
void bine_progress_finish(void);
void bine_progress_end(void);

#endif
