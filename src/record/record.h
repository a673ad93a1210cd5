/* Recording a profile (BINE_PROFILE): calls of MPI that the drop-in library intercepts, and calls
 * of Bine_*. Where none is asked for, no call comes here.
 *
 * Records lie in the part of this rank (profile/part.h). All ranks merge their parts in
 * MPI_Finalize, if a collective call on all of them has shown before that all record one. Otherwise
 * the parts stay, and `bine profile` merges them. */
#ifndef BINE_RECORD_RECORD_H
#define BINE_RECORD_RECORD_H

#include "mpi/arguments.h"
#include "mpi/preload_interface.h"
#include "record/job.h"
#include "select/selection.h"

/* A call that has returned MPI_SUCCESS. */
struct bine_recorded {
    enum bine_form form;
    int by_mpi;                       /* for sure: it went past Bine */
    uint64_t begin;                   /* ticks before it; it has just returned */
    int taped;                        /* its steps are on the tape of a timeline */
    const void *site;                 /* where the program called it */
    const struct bine_choice *choice; /* which made it; NULL: the one that its communicator noted */
};
void bine_record_call(const struct bine_arguments *a, const struct bine_recorded *x);

/* A call begins, one that `runs` to its end. */
void bine_record_open(void);
static inline void bine_recorded_begin(struct bine_recorded *x, int runs) {
    x->taped = runs && bine_record_job.taped;
    if (x->taped)
        bine_record_open();
    x->begin = bine_ticks();
}

/* A persistent call was made ready, by this request; it is started; it is freed. */
void bine_record_made(const struct bine_arguments *a, const struct bine_recorded *x,
                      const void *request);
/* Of `requests` requests, by their handles before and after they were started. Handles are words.
 */
void bine_record_started(uint64_t begin, int requests, const void *const *before,
                         const void *const *after);
void bine_record_freed(const void *request);
/* Whether there have been such calls. */
int bine_record_has_persistent(void);

/* Let all collectives that the drop-in library intercepts come here first. Called last. From then
 * on, calls are redirected by the second. */
void bine_record_attach(const struct bine_preload *d);
void bine_record_redirect(int entry, enum bine_direction to);

#endif
