#define _XOPEN_SOURCE 700 /* realpath */
#include "try/launcher.h"

#include "base/files.h"
#include "cli/command.h"
#include "cli/program_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct bine_launcher {
    const char *name, *says; /* what its --version says; NULL: it is not asked */
    bine_words_change *change;
};

static const struct bine_launcher launchers[] = {
    {"Open MPI's mpirun", "Open MPI", bine_words_openmpi},
    {"Open MPI's mpirun", "OpenRTE", bine_words_openmpi},
    {"PRRTE's prterun", "prte", bine_words_openmpi},
    {"MPICH's mpiexec", "HYDRA", bine_words_hydra},
    {"Intel MPI's mpirun", "Intel(R) MPI", bine_words_hydra},
    {"Slurm's srun", "slurm", bine_words_srun},
};
static const struct bine_launcher lab = {"bine lab run", NULL, bine_words_lab};
static const struct bine_launcher bare = {"the environment", NULL, bine_words_bare};

/* What launchers are called. */
static const char *const names[] = {
    "mpirun",        "mpiexec",       "mpirun.openmpi", "mpiexec.openmpi", "mpirun.mpich",
    "mpiexec.mpich", "mpiexec.hydra", "orterun",        "prterun",         "srun"};
enum { NAMES = sizeof names / sizeof *names };

/* The settings of a run, for the scripts that stand for launchers. Not BINE_...: the library knows
 * its settings, and complains of others. */
static const char preload_for_shims[] = "_BINE_TRY_PRELOAD", off_for_shims[] = "_BINE_TRY_OFF",
                  report_for_shims[] = "_BINE_TRY_REPORT";

static const char *base_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* The first part of what FILE --version prints. */
static void ask_version(const char *file, char *text, size_t size) {
    int ends[2], status;
    size_t n = 0;
    ssize_t got;
    char rest[512];
    text[0] = '\0';
    if (pipe(ends) != 0)
        return;
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        close(ends[0]);
        close(ends[1]);
        execl(file, file, "--version", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    while (child > 0 && n + 1 < size && (got = read(ends[0], text + n, size - 1 - n)) > 0)
        n += (size_t)got;
    while (child > 0 && read(ends[0], rest, sizeof rest) > 0)
        ; /* the launcher may print more */
    close(ends[0]);
    text[n] = '\0';
    if (child > 0)
        waitpid(child, &status, 0);
}

int bine_launcher_is_called(const char *word) {
    for (int i = 0; i < NAMES; i++)
        if (strcmp(base_of(word), names[i]) == 0)
            return 1;
    return 0;
}

const struct bine_launcher *bine_launcher_of(char **command) {
    char path[BINE_PROGRAM_FILE], version[2048];
    if (strcmp(base_of(command[0]), "bine") == 0 && command[1] != NULL &&
        strcmp(command[1], "lab") == 0 && command[2] != NULL && strcmp(command[2], "run") == 0)
        return &lab;
    if (!bine_launcher_is_called(command[0]) || bine_program_file(command[0], path) != 0)
        return NULL;
    ask_version(path, version, sizeof version);
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        if (strstr(version, launchers[i].says) != NULL)
            return &launchers[i];
    return NULL;
}

const char *bine_launcher_name(const struct bine_launcher *l) {
    return l == NULL ? bare.name : l->name;
}

static void set(const char *name, const char *value) {
    if (value == NULL || *value == '\0')
        unsetenv(name);
    else
        setenv(name, value, 1);
}

static void put_in_front(const char *folder) {
    char path[2 * BINE_PROGRAM_FILE];
    const char *old = getenv("PATH");
    snprintf(path, sizeof path, "%s:%s", folder, old != NULL ? old : "/usr/bin:/bin");
    setenv("PATH", path, 1);
}

void bine_launch(const struct bine_launcher *l, char **command, const struct bine_launch *x,
                 const char *shims) {
    struct bine_words out = {0};
    const char *preload = getenv("LD_PRELOAD");
    char file[BINE_PROGRAM_FILE];
    int found = bine_program_file(command[0], file);
    (l != NULL ? l->change : bare.change)(&out, command, x);
    preload = preload != NULL ? preload : "";
    /* A launcher itself runs without Bine's library. */
    set("LD_PRELOAD", l != NULL ? bine_words_theirs(preload) : bine_words_preload(preload, x));
    set("BINE_OFF", x->off ? "1" : NULL);
    set("BINE_PROFILE", x->report);
    if (shims != NULL) {
        put_in_front(shims);
        set(preload_for_shims, x->preload);
        set(off_for_shims, x->off ? "1" : NULL);
        set(report_for_shims, x->report);
    }
    if (found == 0)
        execv(file, out.word);
    else
        errno = ENOENT;
}

int bine_launch_from_shim(int argc, char **argv) {
    const char *off = getenv(off_for_shims);
    struct bine_launch x = {getenv(preload_for_shims), off != NULL, getenv(report_for_shims)};
    if (argc < 1)
        return bine_complain("--launch: expected the file of a launcher");
    bine_launch(bine_launcher_of(argv), argv, &x, NULL);
    return bine_complain("%s: %s", argv[0], strerror(errno));
}

/* A word of a shell's, in single quotes. */
static void write_quoted(FILE *f, const char *word) {
    fputc('\'', f);
    for (; *word != '\0'; word++)
        if (*word == '\'')
            fputs("'\\''", f);
        else
            fputc(*word, f);
    fputc('\'', f);
}

static int write_shim(const char *folder, const char *name, const char *file, const char *bine) {
    char path[2 * BINE_PROGRAM_FILE];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    if (f == NULL)
        return bine_complain("%s: %s", path, strerror(errno));
    fprintf(f, "#!/bin/sh\nexec ");
    write_quoted(f, bine);
    fprintf(f, " try --launch -- ");
    write_quoted(f, file);
    fprintf(f, " \"$@\"\n");
    if (fclose(f) != 0 || chmod(path, 0700) != 0)
        return bine_complain("%s: %s", path, strerror(errno));
    return 0;
}

int bine_launch_shims(const char *folder) {
    char bine[BINE_PROGRAM_FILE], file[BINE_PROGRAM_FILE];
    int rc = 0;
    ssize_t n = readlink("/proc/self/exe", bine, sizeof bine - 1);
    if (n <= 0)
        return bine_complain("/proc/self/exe: %s", strerror(errno));
    bine[n] = '\0';
    for (int i = 0; i < NAMES && rc == 0; i++)
        if (bine_program_file(names[i], file) == 0)
            rc = write_shim(folder, names[i], file, bine);
    return rc;
}
