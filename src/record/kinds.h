/* The kind of a call for the profile: its communicator, collective, size, datatype and root. */
#ifndef BINE_RECORD_KINDS_H
#define BINE_RECORD_KINDS_H

#include "mpi/arguments.h"
#include "profile/recorder.h"

/* A communicator in the profile of this rank. */
struct bine_recorded_comm {
    MPI_Comm comm;
    unsigned place;     /* in the part */
    int rank, local, p; /* ranks of the local group; p: of the remote one between two groups */
    int inter, used;
};

/* Found by its handle; of a new one, MPI is asked. NULL: MPI has no place for an attribute. */
const struct bine_recorded_comm *bine_recorded_comm_of(struct bine_recorder *r, MPI_Comm comm);
/* At MPI_Finalize. */
void bine_recorded_comms_end(void);

/* The bytes of a call that has succeeded (docs/profile.md), and the kind of its elements. */
int64_t bine_recorded_bytes(const struct bine_arguments *a, const struct bine_recorded_comm *c,
                            enum bine_datatype *kind);

#endif
