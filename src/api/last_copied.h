/* For bine-bench, whose version equals the library's: not for programs. */
#ifndef BINE_API_LAST_COPIED_H
#define BINE_API_LAST_COPIED_H

#include <mpi.h>
#include <stdint.h>

/* The bytes that this rank packed, unpacked and permuted (schedule/copies.h) in the last blocking
 * call on a communicator; -1 if Bine made none, or made it on boards, or sizes travelled first. The
 * packed form of data with gaps is not counted. Asks no other rank. */
int64_t bine_last_copied(MPI_Comm comm);

#endif
