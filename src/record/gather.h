/* The parts of all ranks, merged by rank 0 at MPI_Finalize. */
#ifndef BINE_RECORD_GATHER_H
#define BINE_RECORD_GATHER_H

#include "profile/folder.h"

#include <mpi.h>

/* A kind of parts. */
struct bine_gathering {
    const char *setting, *reader; /* that asks for it; the command that reads parts, too */
    bine_part_checker *check;
    /* Merge parts into a file: 0, or -1 and errno. */
    int (*write)(const struct bine_parts *parts, const char *file);
};
extern const struct bine_gathering bine_gather_profile, bine_gather_timeline;

/* Merge the parts of the ranks of a communicator (MPI_COMM_NULL: of this process alone), none of
 * which has more bytes than `most`, into a file; a rank without one has NULL. Collective. Returns
 * whether the file was written. */
int bine_record_gather(MPI_Comm everyone, const struct bine_gathering *g, size_t most,
                       const struct bine_part *part, const char *file);

#endif
