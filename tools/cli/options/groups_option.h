/* The option --groups of several subcommands. */
#ifndef BINE_TOOLS_CLI_GROUPS_OPTION_H
#define BINE_TOOLS_CLI_GROUPS_OPTION_H

#include "network/allocation.h"

/* Sizes, as in 5,5,6, or a file with the name of a group for each rank. 0, or BINE_EXIT_USAGE after
 * complaining. */
int bine_word_groups(const char *word, struct bine_allocation *a);
/* The same, as algorithms know them. If `p` is not 0 there must be so many ranks. */
int bine_word_levels(const char *word, int p, struct bine_groups **groups);

#endif
