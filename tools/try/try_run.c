/* One run of the program: started, waited for, ended with this program. */
#define _GNU_SOURCE /* prctl, sigtimedwait */
#include "try/try.h"

#include "base/grow.h"
#include "cli/command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* With Bine, a run may take this many times the longest without, and some seconds. Then it hangs.
 * Seconds between asking a run to end and making it. */
enum { FAR_TOO_LONG = 10, MORE_SECONDS = 60, GRACE = 10 };

double bine_try_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void bine_try_path(const struct bine_try *t, size_t i, enum bine_try_file file, int which,
                   char path[BINE_PATH_ROOM + 64]) {
    static const char *const ends[] = {"out", "err", "json", "file"};
    snprintf(path, BINE_PATH_ROOM + 64, "%s/%zu.%s%d", t->work, i, ends[file], which);
}

void bine_try_signals(sigset_t *set) {
    static const int numbers[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigemptyset(set);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaddset(set, numbers[i]);
}

static void redirect(const char *path, int flags, int to) {
    int from = open(path, flags, 0600);
    if (from < 0 || dup2(from, to) < 0) {
        fprintf(stderr, "bine: %s: %s\n", path, strerror(errno));
        _exit(BINE_EXIT_USAGE);
    }
    close(from);
}

/* A path as BINE_PROFILE takes it: a % stands for itself. */
static void write_pattern(const char *path, char pattern[2 * BINE_PATH_ROOM + 128]) {
    char *to = pattern;
    for (; *path != '\0'; path++) {
        *to++ = *path;
        if (*path == '%')
            *to++ = '%';
    }
    *to = '\0';
}

/* In the child: becomes the program. */
static void become(const struct bine_try *t, const struct bine_try_run *run, const char *folder,
                   const sigset_t *before) {
    char path[BINE_PATH_ROOM + 64], report[2 * BINE_PATH_ROOM + 128], shims[BINE_PATH_ROOM + 64];
    int with = run->side == BINE_TRY_WITH && !t->wish.null;
    struct bine_launch x = {with || run->counted ? t->preload : NULL, !with, NULL};
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    sigprocmask(SIG_SETMASK, before, NULL);
    snprintf(path, sizeof path, "%s/stdin", t->work);
    redirect(path, O_RDONLY, 0);
    bine_try_path(t, t->runs, BINE_TRY_OUT, 0, path);
    redirect(path, O_WRONLY | O_CREAT | O_TRUNC, 1);
    bine_try_path(t, t->runs, BINE_TRY_ERR, 0, path);
    redirect(path, O_WRONLY | O_CREAT | O_TRUNC, 2);
    if (run->counted) {
        bine_try_path(t, t->runs, BINE_TRY_REPORT, 0, path);
        write_pattern(path, report);
        x.report = report;
    }
    if (folder[0] != '\0' && chdir(folder) != 0) {
        fprintf(stderr, "bine: %s: %s\n", folder, strerror(errno));
        _exit(BINE_EXIT_USAGE);
    }
    snprintf(shims, sizeof shims, "%s/bin", t->work);
    bine_launch(t->launcher, t->wish.command, &x, t->launcher == NULL ? shims : NULL);
    fprintf(stderr, "bine: %s: %s\n", t->wish.command[0], strerror(errno));
    _exit(127);
}

/* When a run with Bine hangs, judged by those without; 0: not known. */
static double limit_of(const struct bine_try *t, const struct bine_try_run *run) {
    double longest = 0;
    for (size_t i = 0; i < t->runs; i++)
        if (t->run[i].side == BINE_TRY_WITHOUT && t->run[i].seconds > longest)
            longest = t->run[i].seconds;
    return run->side == BINE_TRY_WITHOUT || longest <= 0 ? 0
                                                         : FAR_TOO_LONG * longest + MORE_SECONDS;
}

/* The share of all runs that is done. A number of runs is asked for, with two counted ones of each
 * side; or a time, which one pair and a warm-up may exceed. */
static double share_done(const struct bine_try *t) {
    double took = bine_try_clock() - t->began, each = 0, whole = t->wish.time;
    for (size_t i = 0; i < t->runs; i++)
        each += t->run[i].seconds / (double)t->runs;
    if (t->wish.runs > 0)
        whole = each * (2 * t->wish.runs + 4);
    else if (whole < 3 * each)
        whole = 3 * each;
    return whole <= 0 ? 0 : took < whole ? took / whole : 1;
}

static void show_progress(struct bine_try *t, const struct bine_try_run *run) {
    static const char *const side[] = {"without Bine", "with Bine"};
    bine_progress_show(&t->progress, share_done(t), "run %zu, %s%s", t->runs + 1,
                       side[t->wish.null ? BINE_TRY_WITHOUT : run->side],
                       run->timed                 ? ""
                       : t->runs < BINE_TRY_SIDES ? " (warm-up)"
                                                  : " (calls are counted)");
}

struct wait {
    pid_t child;
    double limit, asked; /* when to end it; when it was asked to end */
    int status, ended;
};

static void ask_to_end(struct wait *w, int number) {
    if (w->asked <= 0)
        w->asked = bine_try_clock();
    kill(-w->child, number);
}

static void wait_for(struct bine_try *t, struct bine_try_run *run, struct wait *w,
                     const sigset_t *set) {
    const struct timespec second = {1, 0};
    double began = bine_try_clock();
    while (!w->ended) {
        show_progress(t, run);
        int number = sigtimedwait(set, NULL, &second);
        run->seconds = bine_try_clock() - began;
        pid_t got = waitpid(w->child, &w->status, WNOHANG);
        w->ended = got == w->child || (got < 0 && errno != EINTR);
        if (number > 0 && number != SIGCHLD) {
            t->signal = number;
            if (!w->ended)
                ask_to_end(w, number);
        }
        if (!w->ended && !run->hung && w->limit > 0 && run->seconds > w->limit) {
            run->hung = 1;
            ask_to_end(w, SIGTERM);
        }
        if (!w->ended && w->asked > 0 && bine_try_clock() - w->asked > GRACE)
            kill(-w->child, SIGKILL);
    }
    kill(-w->child, SIGKILL); /* what a launcher may have left */
}

/* The place of a chosen file: in the run's own folder, or in this one. */
static void place_of(const char *name, const char *folder, char path[2 * BINE_PATH_ROOM + 128]) {
    int whole = name[0] == '/' || folder[0] == '\0';
    snprintf(path, 2 * BINE_PATH_ROOM + 128, "%s%s%s", whole ? "" : folder, whole ? "" : "/", name);
}

/* When chosen files were last written: one that a run leaves as it was is none of that run's. */
static void note_files(const struct bine_try *t, const char *folder,
                       struct timespec stamp[BINE_TRY_FILES]) {
    char path[2 * BINE_PATH_ROOM + 128];
    struct stat s;
    for (int k = 0; k < t->wish.files; k++) {
        place_of(t->wish.file[k], folder, path);
        stamp[k] = stat(path, &s) == 0 ? s.st_mtim : (struct timespec){0};
    }
}

static int keep_file(const char *from, const char *to) {
    size_t size;
    char *text = bine_file_is_regular(from) ? bine_file_text(from, &size) : NULL;
    if (text == NULL)
        return 0; /* said when outputs are compared */
    FILE *f = fopen(to, "wb");
    int bad = f == NULL || fwrite(text, 1, size, f) != size;
    bad |= f != NULL && fclose(f) != 0;
    free(text);
    return bad ? bine_complain("%s: %s", to, strerror(errno)) : 0;
}

/* Chosen files as this run left them. */
static int keep_files(const struct bine_try *t, const char *folder,
                      const struct timespec before[BINE_TRY_FILES]) {
    char from[2 * BINE_PATH_ROOM + 128], to[BINE_PATH_ROOM + 64];
    struct timespec after[BINE_TRY_FILES];
    int rc = 0;
    note_files(t, folder, after);
    for (int k = 0; k < t->wish.files && rc == 0; k++) {
        if (after[k].tv_sec == before[k].tv_sec && after[k].tv_nsec == before[k].tv_nsec)
            continue;
        place_of(t->wish.file[k], folder, from);
        bine_try_path(t, t->runs, BINE_TRY_COPY, k, to);
        rc = keep_file(from, to);
    }
    return rc;
}

int bine_try_once(struct bine_try *t, struct bine_try_run run) {
    char folder[BINE_PATH_ROOM + 64] = "";
    struct timespec stamp[BINE_TRY_FILES];
    sigset_t set, before;
    if (bine_grow(&t->run, &t->room, t->runs + 1, sizeof *t->run) != 0)
        return bine_complain("out of memory");
    int rc = t->wish.scratch != NULL ? bine_try_scratch(t, t->runs, folder) : 0;
    if (rc != 0)
        return rc;
    note_files(t, folder, stamp);
    bine_try_signals(&set);
    sigprocmask(SIG_BLOCK, &set, &before);
    fflush(NULL);
    struct wait w = {.limit = limit_of(t, &run), .child = fork()};
    if (w.child == 0)
        become(t, &run, folder, &before);
    if (w.child < 0)
        return bine_complain("cannot start a process: %s", strerror(errno));
    setpgid(w.child, w.child);
    wait_for(t, &run, &w, &set);
    sigprocmask(SIG_SETMASK, &before, NULL);
    run.status = WIFEXITED(w.status) ? WEXITSTATUS(w.status) : 128 + WTERMSIG(w.status);
    if (t->signal != 0) /* it may have been cut short */
        run.timed = run.counted = 0;
    rc = keep_files(t, folder, stamp);
    t->run[t->runs++] = run;
    return rc;
}
