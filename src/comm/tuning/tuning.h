/* The collective part of tuning sessions (select/tuning.h): the ranks of a communicator open a
 * session and agree on times. */
#ifndef BINE_COMM_TUNING_H
#define BINE_COMM_TUNING_H

#include "select/tuning.h"

#include <mpi.h>

/* Before a call of an open session: all ranks come together. */
void bine_tuning_synchronize(const struct bine_tuning_session *l, MPI_Comm comm);
/* After a call of a session that took this long here, or a call that counts towards one (NULL).
 * Collective. Returns whether cached calls must be forgotten, because a winner is tried again. */
int bine_tuning_record(struct bine_tuning *x, struct bine_tuning_session *l,
                       const struct bine_query *q, const struct bine_prediction *prediction,
                       const struct bine_settings *s, MPI_Comm comm, double seconds);

#endif
