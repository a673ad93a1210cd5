/* Shared between the files of the loopback. */
#ifndef BINE_ENGINE_LOOPBACK_PARTS_H
#define BINE_ENGINE_LOOPBACK_PARTS_H

#include "engine/transport/loopback.h"

#include <pthread.h>
#include <ucontext.h>

/* Short messages are copied when they are sent, where a draw says so. */
enum { BINE_LOOPBACK_SHORT = 256 };

/* A send or a receive. */
struct bine_loopback_message {
    struct bine_loopback_message *next; /* of its list: unused; unmatched of a rank; on the way */
    struct bine_loopback_message *sent; /* of a receive on the way: the send */
    bine_comm_handle owner;
    const char *from;
    char *to;
    int n, peer, tag;
    bine_type_handle type;
    int users; /* the owner's request, and the loopback */
    int done, rc;
    int broken;    /* it never will be done */
    size_t copied; /* bytes in `copy`, of a send that was complete at once */
    char copy[BINE_LOOPBACK_SHORT];
};

struct bine_loopback_rank {
    struct bine_loopback *world;
    int self;
    struct bine_loopback_message *sends, *receives; /* to this rank; posted: without a partner */
    ucontext_t context;                             /* by turns */
    char *stack;
    int over;
    pthread_t thread;
};

struct bine_loopback {
    struct bine_loopback_setup setup;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t moved;
    uint64_t draws;
    uint64_t events; /* messages posted and delivered */
    int idle, stuck; /* turns without an event; too many */
    int delivered;
    int used; /* messages */
    struct bine_loopback_message *message, *unused, *on_the_way;
    struct bine_loopback_rank *rank;
    ucontext_t scheduler;
    void (*function)(bine_comm_handle comm, void *with);
    void *with;
};

uint64_t bine_loopback_draw_of(struct bine_loopback *w);
/* Let others go on, while the lock is held before and after. */
void bine_loopback_give_turn(bine_comm_handle rank);

/* Bytes of n elements; and as many of them as fit from elements of one type to those of another. */
size_t bine_loopback_bytes(bine_type_handle type, ptrdiff_t n);
void bine_loopback_move(const char *from, bine_type_handle type, char *to, bine_type_handle to_type,
                        size_t bytes);
int bine_loopback_describe(bine_type_handle handle, struct bine_type *t);
int bine_loopback_size(bine_type_handle handle, int *size);
int bine_loopback_pack(const struct bine_type *t, const void *from, ptrdiff_t n, char *to,
                       bine_comm_handle comm);
int bine_loopback_unpack(const struct bine_type *t, const char *from, ptrdiff_t n, void *to,
                         bine_comm_handle comm);
int bine_loopback_copy(const void *from, int n, bine_type_handle type, void *to, int m,
                       bine_type_handle to_type, bine_comm_handle comm, int self);
int bine_loopback_reduce(const void *from, void *to, int n, bine_type_handle type,
                         bine_op_handle op);
int bine_loopback_match(bine_type_handle type, bine_op_handle op, int *class, int *operation);

#endif
