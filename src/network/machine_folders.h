/* Where machine descriptions are found: the folders of BINE_MACHINES,
 * those installed beside the program or the library, and those of the source tree it was built
 * from. */
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

/* `beside` is the folder of the program or the library, or "". */
void bine_machine_folders_find(struct bine_machine_folders *f, const char *beside);
/* The file of a known machine, to be freed; NULL if there is none. */
char *bine_machine_locate(const char *name, const char *beside);

#endif
