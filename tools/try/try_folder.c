/* The folder that runs leave their outputs in; standard input, stored; folders to run in. */
#define _GNU_SOURCE /* nftw, mkdtemp */
#include "try/try.h"

#include "cli/command.h"
#include "cli/libraries.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The most that is copied for each run. */
enum { SCRATCH_MIB = 1024 };

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *f) {
    (void)s;
    (void)kind;
    (void)f;
    return remove(path);
}

void bine_try_close(struct bine_try *t) {
    if (t->work[0] != '\0')
        nftw(t->work, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    t->work[0] = '\0';
    free(t->run);
    t->run = NULL;
    t->runs = t->room = 0;
}

/* Something that stays open, as under ssh or cron, would be waited for without a word. */
static void say_input_is_waited_for(void) {
    struct pollfd in = {.fd = 0, .events = POLLIN};
    if (poll(&in, 1, 2000) == 0)
        fprintf(stderr,
                "bine: standard input is read to its end first, for all runs (a program that "
                "reads none: < /dev/null)\n");
}

/* Standard input to a file, until it ends or a signal asks this program to end. The signal is
 * noted: the folder must go first. Returns whether the file could not be written. */
static int copy_input(struct bine_try *t, int to, int signals) {
    char part[65536];
    struct signalfd_siginfo info;
    struct pollfd from[] = {{.fd = 0, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
    ssize_t got = 1;
    int bad = 0;
    while (!bad && got > 0 && t->signal == 0) {
        if (poll(from, 2, -1) < 0)
            continue;
        if (from[1].revents != 0 && read(signals, &info, sizeof info) == (ssize_t)sizeof info)
            t->signal = (int)info.ssi_signo;
        else if (from[0].revents != 0 && (got = read(0, part, sizeof part)) > 0)
            bad = write(to, part, (size_t)got) != got;
    }
    return bad;
}

/* Standard input into a file, which every run reads. A terminal has nothing for them. */
static int store_input(struct bine_try *t) {
    char path[BINE_PATH_ROOM + 64];
    sigset_t asking, before;
    int bad = 0;
    snprintf(path, sizeof path, "%s/stdin", t->work);
    int to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (to < 0)
        return bine_complain("%s: %s", path, strerror(errno));
    if (!isatty(0)) {
        say_input_is_waited_for();
        bine_try_signals(&asking);
        sigdelset(&asking, SIGCHLD);
        sigprocmask(SIG_BLOCK, &asking, &before);
        int signals = signalfd(-1, &asking, SFD_CLOEXEC);
        bad = copy_input(t, to, signals);
        close(signals);
        sigprocmask(SIG_SETMASK, &before, NULL);
    }
    if (t->signal != 0) {
        close(to);
        return 128 + t->signal;
    }
    if (close(to) != 0 || bad)
        return bine_complain("standard input cannot be stored in %s: %s", path, strerror(errno));
    return 0; /* a closed one counts as empty */
}

/* A folder that rank 0 can write to: with srun that is on another node, which shares the current
 * folder with this one. */
static int make_work(struct bine_try *t) {
    const char *temporary = getenv("TMPDIR");
    char here[BINE_PATH_ROOM];
    int far = strcmp(bine_launcher_name(t->launcher), "Slurm's srun") == 0;
    if (far && getcwd(here, sizeof here) == NULL)
        return bine_complain("the current folder cannot be found: %s", strerror(errno));
    const char *in = far ? here : temporary != NULL && *temporary == '/' ? temporary : "/tmp";
    if (snprintf(t->work, sizeof t->work, "%s/%sbine-try.XXXXXX", in, far ? "." : "") >=
        (int)sizeof t->work - 1) {
        t->work[0] = '\0';
        return bine_complain("%s: the name is too long", in);
    }
    if (mkdtemp(t->work) == NULL) {
        int reason = errno;
        t->work[0] = '\0';
        return bine_complain("no folder can be made in %s: %s", in, strerror(reason));
    }
    return 0;
}

int bine_try_open(struct bine_try *t) {
    char path[BINE_PATH_ROOM + 64];
    if (bine_library_path("libbine-preload.so", t->preload) != 0)
        return bine_complain("libbine-preload.so is not where it was installed");
    if (strpbrk(t->preload, ": ") != NULL)
        return bine_complain("%s: LD_PRELOAD takes no blank or colon in a path: install Bine "
                             "elsewhere",
                             t->preload);
    int rc = make_work(t);
    snprintf(path, sizeof path, "%s/bin", t->work);
    if (rc == 0 && t->launcher == NULL) {
        if (mkdir(path, 0700) != 0)
            return bine_complain("%s: %s", path, strerror(errno));
        rc = bine_launch_shims(path);
    }
    return rc != 0 ? rc : store_input(t);
}

static int64_t counted;

static int count_one(const char *path, const struct stat *s, int kind, struct FTW *f) {
    (void)path;
    (void)f;
    counted += kind == FTW_F ? s->st_size : 0;
    return counted > (int64_t)SCRATCH_MIB << 20;
}

/* Whether an entry of the current folder is, or holds, the folder of folders. */
static int holds_scratch(const char *name, const char *scratch) {
    char entry[BINE_PATH_ROOM], folder[BINE_PATH_ROOM];
    size_t n;
    if (realpath(name, entry) == NULL || realpath(scratch, folder) == NULL)
        return 0;
    n = strlen(entry);
    return strncmp(entry, folder, n) == 0 && (folder[n] == '/' || folder[n] == '\0');
}

static int is_dots(const char *name) {
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

int bine_try_scratch_check(const struct bine_try *t) {
    const char *scratch = t->wish.scratch;
    if (mkdir(scratch, 0777) != 0 && errno != EEXIST)
        return bine_complain("--scratch %s: %s", scratch, strerror(errno));
    DIR *d = opendir(".");
    counted = 0;
    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
        if (!is_dots(e->d_name) && !holds_scratch(e->d_name, scratch) &&
            nftw(e->d_name, count_one, 16, FTW_PHYS) != 0)
            break;
    if (d != NULL)
        closedir(d);
    if (counted > (int64_t)SCRATCH_MIB << 20)
        return bine_complain("--scratch: the current folder holds more than %d MiB, and each run "
                             "gets a copy of it: expected a folder with the program's input alone",
                             SCRATCH_MIB);
    return 0;
}

static int copy_entry(const char *name, const char *to) {
    int status;
    pid_t child = fork();
    if (child == 0) {
        execlp("cp", "cp", "-a", "--reflink=auto", "--", name, to, (char *)NULL);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
        return bine_complain("--scratch: %s cannot be copied to %s", name, to);
    return 0;
}

int bine_try_scratch(const struct bine_try *t, size_t i, char folder[BINE_PATH_ROOM + 64]) {
    char whole[BINE_PATH_ROOM];
    int rc = 0;
    if (realpath(t->wish.scratch, whole) == NULL)
        return bine_complain("--scratch %s: %s", t->wish.scratch, strerror(errno));
    snprintf(folder, BINE_PATH_ROOM + 64, "%s/run-%zu", whole, i + 1);
    if (mkdir(folder, 0777) != 0)
        return bine_complain("--scratch: %s: %s: expected a folder without earlier runs", folder,
                             strerror(errno));
    DIR *d = opendir(".");
    for (struct dirent *e; d != NULL && rc == 0 && (e = readdir(d)) != NULL;)
        if (!is_dots(e->d_name) && !holds_scratch(e->d_name, t->wish.scratch))
            rc = copy_entry(e->d_name, folder);
    if (d != NULL)
        closedir(d);
    return rc;
}
