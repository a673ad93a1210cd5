/* Where machine descriptions are found: the user's folders, folders installed beside the program or
 * the library, and the source tree it was built from. */
#ifndef BINE_NETWORK_MACHINE_FOLDERS_H
#define BINE_NETWORK_MACHINE_FOLDERS_H

#include "base/files.h"

enum { BINE_MACHINE_FOLDERS = 16 };
#define BINE_MACHINE_ENDING ".machine"

/* In the order of precedence. */
struct bine_machine_folders {
    char path[BINE_MACHINE_FOLDERS][BINE_PATH_ROOM];
    int count;
};

/* `own` are the user's folders, with colons between them; `beside` is the folder of the program or
 * the library. Both may be "". */
void bine_machine_folders_find(struct bine_machine_folders *f, const char *own, const char *beside);
/* The file of a known machine, to be freed; NULL if there is none. */
char *bine_machine_locate(const char *name, const char *own, const char *beside);

#endif
