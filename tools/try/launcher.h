/* How a program is started with a library preloaded into its ranks, whatever starts them. */
#ifndef BINE_TOOLS_TRY_LAUNCHER_H
#define BINE_TOOLS_TRY_LAUNCHER_H

#include "try/words.h"

struct bine_launcher;

/* What the first words of a command are: a launcher that is known (it is asked for its version), or
 * NULL: anything else, whose environment the ranks have. */
const struct bine_launcher *bine_launcher_of(char **command);
/* Whether a program of that name, in any folder, may be one. */
int bine_launcher_is_called(const char *word);
/* For people: "Open MPI's mpirun". */
const char *bine_launcher_name(const struct bine_launcher *l);

/* Become the command, its words and environment changed so that its ranks get the settings; `shims`
 * is a folder for the front of PATH, or NULL. Returns only if that fails: errno. */
void bine_launch(const struct bine_launcher *l, char **command, const struct bine_launch *x,
                 const char *shims);

/* Fill a folder with a script for each launcher on the PATH, so that those which a script or a
 * wrapper starts get the settings, too: `bine try --launch FILE` becomes the launcher. 0, or an
 * exit code after complaining. */
int bine_launch_shims(const char *folder);
/* The work of such a script. */
int bine_launch_from_shim(int argc, char **argv);

#endif
