/* Files that the library writes at MPI_Finalize, or leaves in parts where a program was killed. */
#ifndef BINE_TOOLS_CLI_PARTS_FILE_H
#define BINE_TOOLS_CLI_PARTS_FILE_H

#include "profile/folder.h"

#include <stdio.h>

struct bine_parts_kind {
    const char *name, *setting; /* "profile", "BINE_PROFILE" */
    bine_part_checker *check;
    int (*print)(FILE *f, const struct bine_parts *parts); /* merged; 0, or -1: no memory */
};

/* The text of a file, or of a folder of parts, or of the parts that were to become the file; to be
 * freed. NULL after complaining. */
char *bine_parts_text(const char *path, const struct bine_parts_kind *kind);

#endif
