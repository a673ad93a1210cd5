/* The recording of this process, from MPI_Init to MPI_Finalize. */
#ifndef BINE_RECORD_JOB_H
#define BINE_RECORD_JOB_H

#include "profile/recorder.h"

#include <mpi.h>

struct bine_record_job {
    struct bine_recorder recorder;
    int sites;   /* where calls come from is asked for */
    int threads; /* several may call MPI at once */
    int taped;   /* a timeline is asked for */
    int over;    /* nothing is recorded any more, or ever */
};
extern struct bine_record_job bine_record_job;

/* Whether BINE_PROFILE or BINE_TIMELINE is set: asked once. */
int bine_record_is_wanted(void);
/* MPI has begun: make the parts of this rank, and from now on record. */
void bine_record_begin(void);
/* A communicator may get its context, or a plan be bound, before the first call. */
void bine_record_expect(void);
/* All ranks of MPI_COMM_WORLD are known to record one. Collective, over all of them. */
void bine_record_meet(MPI_Comm comm);
/* At MPI_Finalize. */
void bine_record_end(void);

#endif
