/* Where machine descriptions are found: the folders of BINE_MACHINES, those installed with the
 * program, and those of the source tree it was built from. */
#ifndef BINE_TOOLS_CLI_MACHINES_H
#define BINE_TOOLS_CLI_MACHINES_H

#include "network/machine.h"

/* By name, or the description in a file; "addresses" takes the groups from the hosts' names. Level:
 * see network/machine.h. NULL after complaining. */
struct bine_machine *bine_machine_load(const char *word, int level);

/* The names of all machines found, sorted, each once. 0, or BINE_EXIT_USAGE after complaining. */
int bine_machine_list(struct bine_names *names);
/* The file of a known machine, to be freed; NULL if there is none. */
char *bine_machine_path(const char *name);

#endif
