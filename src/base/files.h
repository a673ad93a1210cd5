/* Whole files in memory. */
#ifndef BINE_BASE_FILES_H
#define BINE_BASE_FILES_H

#include <stddef.h>

enum { BINE_PATH_ROOM = 4096 };

int bine_file_is_regular(const char *path);
/* All of it, with a zero behind it, to be freed; NULL, and errno, on failure. */
char *bine_file_text(const char *path, size_t *size);

#endif
