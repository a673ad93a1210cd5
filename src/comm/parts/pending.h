/* The pending calls of a communicator. */
#ifndef BINE_COMM_PARTS_PENDING_H
#define BINE_COMM_PARTS_PENDING_H

#include <stdatomic.h>

struct bine_request;

/* Calls that are kept bound for the next one of their kind to be started. */
#define BINE_READY 4

struct bine_context_pending {
    int progresses;    /* calls can be left pending, on all ranks, */
    int one_at_a_time; /* and nowhere by two threads at once */
    atomic_int count;  /* number of pending calls, and of requests kept to be started again */
    _Atomic(struct bine_request *) ready[BINE_READY]; /* and more, bound for the next calls */
    atomic_int busy[BINE_READY];                      /* of which these are pending */
};

#endif
