/* Calls on the tape of a timeline: which are kept. */
#ifndef BINE_RECORD_TAPE_CALL_H
#define BINE_RECORD_TAPE_CALL_H

#include "record/kinds.h"
#include "timeline/tape.h"

/* Read which calls are asked for. */
void bine_record_tape_begin(void);
/* A call has returned, on a communicator that the part of the profile has, too: count it, and keep
 * it if it is asked for. */
void bine_record_tape_call(const struct bine_recorded_comm *c, const struct bine_part_comm *comm,
                           const struct bine_recorded_call *call);

#endif
