#include "gnuplot.h"

#include "command.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int bine_gnuplot_run(const char *folder, const char *script) {
    int status;
    pid_t pid = fork();
    if (pid < 0)
        return bine_complain("gnuplot cannot be started: %s", strerror(errno));
    if (pid == 0) {
        if (chdir(folder) == 0)
            execlp("gnuplot", "gnuplot", script, (char *)NULL);
        _exit(127);
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return bine_complain("gnuplot is not there: expected it on the PATH to draw %s/%s", folder,
                             script);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return bine_complain("gnuplot failed on %s/%s", folder, script);
    return 0;
}
