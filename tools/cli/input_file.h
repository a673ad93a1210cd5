/* Files that are named on the command line, and read whole. */
#ifndef BINE_TOOLS_CLI_INPUT_FILE_H
#define BINE_TOOLS_CLI_INPUT_FILE_H

#include <stddef.h>

/* The contents of a file, to be freed, with a zero behind them; NULL after complaining. */
char *bine_file_read(const char *path, size_t *size);
/* A name as complaints show it: as it is, or '' if there is nothing in it. */
const char *bine_file_shown(const char *path);
int bine_file_is_folder(const char *path);

#endif
