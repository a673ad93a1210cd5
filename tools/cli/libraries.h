/* The libraries that were built or installed with this program. */
#ifndef BINE_TOOLS_CLI_LIBRARIES_H
#define BINE_TOOLS_CLI_LIBRARIES_H

#include "base/files.h"
#include "cli/input_file.h"

/* The path of a library file, such as libbine-preload.so: 0, or -1 if it is not there. */
int bine_library_path(const char *file, char path[BINE_PATH_ROOM]);

/* The MPI libraries that Bine was built for, ending with a NULL name. */
struct bine_mpi_build {
    const char *name, *version; /* "openmpi", "4.1.4"; the version may be empty */
};
extern const struct bine_mpi_build bine_mpi_builds[];
/* By name; NULL after complaining. */
const struct bine_mpi_build *bine_word_mpi(const char *word);

#endif
