/* Measuring what is missing: a run of bine-bench for each collective that no file has yet;
 * nonblocking calls are not asked for. */
#define _XOPEN_SOURCE 700 /* readlink */

#include "tune/tune.h"

#include "base/files.h"
#include "cli/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Too little to tell anything. */
enum { LEAST_SECONDS = 2 };

static int is_measured(const struct bine_report *r, int collective) {
    for (size_t i = 0; i < r->cells; i++)
        if (r->cell[i].collective == collective && bine_tune_measure(r, &r->cell[i], -1) != NULL &&
            r->cell[i].count > 1)
            return 1;
    return 0;
}

static int find_bench(const char *mpi, char path[BINE_PATH_ROOM]) {
    ssize_t n = readlink("/proc/self/exe", path, BINE_PATH_ROOM - 64);
    path[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (slash == NULL)
        return bine_complain("bine-bench cannot be found");
    snprintf(slash, 64, "/bine-bench%s%.40s", mpi != NULL ? "-" : "", mpi != NULL ? mpi : "");
    return bine_file_is_regular(path) ? 0 : bine_complain("%s: not there", path);
}

static int append(const char *from, const char *to) {
    size_t size;
    char *text = bine_file_text(from, &size);
    FILE *f = text != NULL ? fopen(to, "a") : NULL;
    int bad = f == NULL || fwrite(text, 1, size, f) != size;
    bad |= f != NULL && fclose(f) != 0;
    free(text);
    return bad ? bine_complain("%s: cannot be added to %s", from, to) : 0;
}

/* One collective, for so many seconds. */
static int measure(const struct bine_tune_run *x, const char *bench, const char *collective,
                   long seconds) {
    char line[3 * BINE_PATH_ROOM], part[BINE_PATH_ROOM];
    snprintf(part, sizeof part, "%s.part", x->measured);
    snprintf(
        line, sizeof line,
        "%s '%s' %s -a best,bine,binomial,ring,mpi -m %s --total %ld --summary '%s' > /dev/null",
        x->command, bench, collective, x->sizes, seconds, part);
    int status = system(line), rc = 0;
    if (status != 0)
        rc = bine_complain("%s: status %d", line, WIFEXITED(status) ? WEXITSTATUS(status) : status);
    rc = rc != 0 ? rc : append(part, x->measured);
    remove(part);
    return rc;
}

int bine_tune_run(const struct bine_tune_run *x, const struct bine_report *r) {
    char bench[BINE_PATH_ROOM];
    time_t begin = time(NULL);
    int missing = 0, done = 0, rc = find_bench(x->mpi, bench);
    for (int c = 0; c < BINE_REPORT_BLOCKING; c++)
        missing += !is_measured(r, c);
    for (int c = 0; c < BINE_REPORT_BLOCKING && rc == 0; c++) {
        long spent = (long)(time(NULL) - begin), left = x->budget - spent;
        const char *name = bine_report_collectives[c].name;
        if (is_measured(r, c))
            continue;
        if (left / (missing - done) < LEAST_SECONDS) {
            fprintf(stderr, "note: the time is up: %d of %d collectives measured\n", done, missing);
            break;
        }
        fprintf(stderr, "%s: %d of %d, %ld of %ld s\n", name, ++done, missing, spent, x->budget);
        rc = measure(x, bench, name, left / (missing - done + 1));
    }
    return rc;
}
