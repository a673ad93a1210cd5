/* gnuplot, as a program. */
#ifndef BINE_TOOLS_CLI_GNUPLOT_H
#define BINE_TOOLS_CLI_GNUPLOT_H

/* Run n scripts that lie in a folder, in that folder. 0, or BINE_EXIT_USAGE after complaining. */
int bine_gnuplot_run(const char *folder, char *const *script, int n);

#endif
