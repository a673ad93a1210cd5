/* A file that is written in one piece, for this user alone. */
#ifndef BINE_PROFILE_PRIVATE_FILE_H
#define BINE_PROFILE_PRIVATE_FILE_H

#include <stdio.h>

/* 0, or -1 and errno; then a file that was there is as it was. */
int bine_private_file_write(const char *path, void (*print)(FILE *f, const void *with),
                            const void *with);

#endif
