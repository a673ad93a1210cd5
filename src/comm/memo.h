/* The last calls of a few kinds on a communicator, ready to be made again.
 *
 * Programs repeat small calls again and again, perhaps with other buffers. The facts found the
 * first time (datatypes, algorithm, plan) still hold then. */
#ifndef BINE_COMM_MEMO_H
#define BINE_COMM_MEMO_H

#include "comm/tuning/tuning.h"
#include "engine/bind/bind.h"
#include "mpi/arguments.h"
#include "select/selection.h"

/* Kinds that are told apart, a power of two: see bine_memo_index. */
#define BINE_MEMOS 8

struct bine_memo {
    int valid;
    struct bine_arguments arguments;
    struct bine_call call;
    struct bine_choice choice;
    struct bine_plan *plan;
    uint64_t *used; /* the plan's place in the cache: the call that used it last */
    uint64_t stamp; /* unique among all memos that were ever made */
    struct bine_tuning_session *session; /* that the choice comes from, or NULL */
    int quick;                           /* nothing is learnt from such calls, nor told of them */
};

/* Where calls with such arguments are remembered: calls that take turns in a program should mostly
 * have places of their own. */
static inline int bine_memo_index(const struct bine_arguments *a) {
    uintptr_t type = (uintptr_t)a->recvtype; /* an address or a number */
    uintptr_t mix = (type >> 9) ^ type ^ (uintptr_t)a->collective * 3 ^ (uintptr_t)a->recvcount ^
                    (uintptr_t)a->nonblocking * 5;
    return (int)(mix & (BINE_MEMOS - 1));
}

/* Where every rank has a count of its own: whether all counts equal the remembered ones. */
int bine_memo_has_counts(const struct bine_memo *m, const struct bine_arguments *a, int p);

/* Addresses with a meaning of their own are only like themselves. */
static inline int bine_buffer_is_ordinary(const void *buffer) {
    return buffer != MPI_BOTTOM && buffer != MPI_IN_PLACE && buffer != NULL;
}

static inline int bine_buffer_is_like(const void *a, const void *b) {
    return a == b || (bine_buffer_is_ordinary(a) && bine_buffer_is_ordinary(b));
}

/* Whether the arguments of a call of p ranks differ from the remembered ones by nothing but the
 * addresses of buffers. The entry says which collective it is, and how it has its counts. */
static inline int bine_memo_fits(const struct bine_memo *m, const struct bine_arguments *a, int p) {
    const struct bine_arguments *b = &m->arguments;
    return m->valid && a->entry == b->entry && a->drop_in == b->drop_in &&
           a->nonblocking == b->nonblocking && a->recvcount == b->recvcount &&
           a->sendcount == b->sendcount && a->recvtype == b->recvtype &&
           a->sendtype == b->sendtype && a->op == b->op && a->root == b->root &&
           (a->sendbuf != a->recvbuf || a->collective == BINE_BARRIER) &&
           bine_buffer_is_like(a->sendbuf, b->sendbuf) &&
           bine_buffer_is_like(a->recvbuf, b->recvbuf) &&
           (!a->by_counts || bine_memo_has_counts(m, a, p));
}

/* Whether equal arguments will mean an equal call later. The handle of a datatype or an operator
 * that the program made may by then stand for another one. */
int bine_memo_is_lasting(const struct bine_arguments *a, const struct bine_call *call, int p);
/* The remembered form of a call: without pointers that the caller may change or free. */
struct bine_call bine_memo_call(const struct bine_arguments *a, const struct bine_call *call);

#endif
