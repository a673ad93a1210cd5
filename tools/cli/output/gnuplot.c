#include "cli/output/gnuplot.h"

#include "cli/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the new process: never returns. */
static void become(const char *folder, char **words) {
    /* Its warnings are harmless: a curve of one point, for example. */
    int quiet = open("/dev/null", O_WRONLY);
    if (quiet >= 0 && dup2(quiet, STDERR_FILENO) >= 0 && chdir(folder) == 0)
        execvp(words[0], words);
    _exit(127);
}

int bine_gnuplot_run(const char *folder, char *const *script, int n) {
    static char program[] = "gnuplot";
    char **words = calloc((size_t)n + 2, sizeof *words);
    int status;
    if (words == NULL)
        return bine_complain("out of memory");
    words[0] = program;
    for (int i = 0; i < n; i++)
        words[i + 1] = script[i];
    pid_t pid = fork();
    if (pid == 0)
        become(folder, words);
    free(words);
    if (pid < 0)
        return bine_complain("gnuplot cannot be started: %s", strerror(errno));
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return bine_complain("gnuplot is not there: expected it on the PATH, to draw the plots");
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return bine_complain("gnuplot failed in %s: run 'gnuplot %s%s' there to see why", folder,
                             script[0], n > 1 ? " ..." : "");
    return 0;
}
