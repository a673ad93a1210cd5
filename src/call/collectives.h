/* The common part of all entry points. */
#ifndef BINE_CALL_COLLECTIVES_H
#define BINE_CALL_COLLECTIVES_H

#include "comm/context.h"

#include "bine.h"

int bine_call_now(const struct bine_arguments *a);
int bine_call_init(const struct bine_arguments *a, Bine_Plan *plan);

/* A blocking call on a communicator that has a context. */
int bine_call_run(struct bine_context *c, const struct bine_arguments *a);

/* The call and the algorithm that serves it. Returns an MPI error class. */
int bine_prepare(struct bine_context *c, const struct bine_arguments *a, struct bine_call *call,
                 struct bine_choice *choice);

/* Which way a call goes. */
enum bine_way { BINE_WAY_MPI, BINE_WAY_AS_BEFORE, BINE_WAY_NEW };

struct bine_resolved {
    enum bine_way way;
    int once;                            /* not to be remembered */
    int64_t bytes;                       /* 0 where they could not be told */
    int counts;                          /* towards opening a tuning session; of a blocking call */
    struct bine_tuning_session *session; /* that the call belongs to, or NULL */
    const struct bine_prediction *prediction; /* of the model, or NULL */
    struct bine_choice choice;                /* the algorithm is NULL if MPI makes the call */
    struct bine_memo *memo;                   /* BINE_WAY_AS_BEFORE */
    struct bine_call call;                    /* BINE_WAY_NEW */
};

/* The one place that says it. Returns an MPI error class. */
int bine_resolve(struct bine_context *c, const struct bine_arguments *a, struct bine_resolved *r);
/* Remember a call that went well, for the next call like it. */
void bine_remember(struct bine_context *c, const struct bine_arguments *a,
                   const struct bine_resolved *r);
/* This rank has no memory for the call: peers that wait for it at boards get an error. (A
 * persistent one has boards of its own: request/own_boards.h.) */
void bine_refuse(struct bine_context *c, const struct bine_arguments *a,
                 const struct bine_choice *choice, const struct bine_call *call);
/* Likewise where an argument of a call of Bine's own is wrong on this rank. */
void bine_refuse_wrong(struct bine_context *c);
/* Note the choice, for Bine_Last. */
void bine_note(struct bine_context *c, const struct bine_arguments *a,
               const struct bine_choice *choice);

/* The context for a call of Bine's own, or the reason why MPI makes it. All ranks make a context
 * together, so errors found before that are returned at once: a rank that made a mistake must not
 * wait for peers, which need not come. Returns an MPI error code. */
int bine_context_for(const struct bine_arguments *a, struct bine_context **c, const char **reason);

/* The context of a communicator, made by all its ranks if there is none. */
int bine_context_make_for(MPI_Comm comm, struct bine_context **c);

#endif
