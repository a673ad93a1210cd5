/* bine machines --merge. */
#ifndef BINE_TOOLS_MACHINES_MERGE_H
#define BINE_TOOLS_MACHINES_MERGE_H

/* The median of each speed that some files have of one machine, in the first one's description. 0,
 * or an exit code after complaining. */
int bine_machines_merge(int files, char **file, const char *output);

#endif
