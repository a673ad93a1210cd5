/* bine lab run: enters a lab and launches a program there. */
#include "base/grow.h"
#include "cli/command.h"
#include "cli/input_file.h"
#include "cli/options/hosts_option.h"
#include "cli/program_file.h"
#include "lab/lab.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The ranks' hosts, a word for each rank. */
struct order {
    char *words;
    size_t length, room;
    long ranks;
};

static int add_rank(struct order *o, const char *host) {
    size_t length = strlen(host);
    if (bine_grow(&o->words, &o->room, o->length + length + 2, 1) != 0)
        return bine_complain("out of memory");
    memcpy(o->words + o->length, host, length);
    memcpy(o->words + o->length + length, " ", 2);
    o->length += length + 1;
    o->ranks++;
    return 0;
}

/* Hosts of a lab are h and a number. */
static int check_host(const struct bine_lab *lab, const char *host) {
    char again[16];
    int number = host[0] == 'h' ? atoi(host + 1) : -1;
    snprintf(again, sizeof again, "h%d", number);
    if (strcmp(host, again) == 0 && number >= 0 && number < lab->hosts)
        return 0;
    return bine_complain("--hosts: '%.60s' is not in lab '%s': expected h0 to h%d", host, lab->name,
                         lab->hosts - 1);
}

/* Each host so many times, one after the other. */
static int fill_order(struct order *o, const struct bine_lab *lab, const struct bine_lab_run *run,
                      const struct bine_hosts *hosts) {
    for (int i = 0; i < hosts->p; i++) {
        const char *host = bine_hosts_text(hosts, i);
        if (check_host(lab, host) != 0)
            return BINE_EXIT_USAGE;
        for (long k = 0; k < run->each && (run->ranks == 0 || o->ranks < run->ranks); k++)
            if (add_rank(o, host) != 0)
                return BINE_EXIT_USAGE;
    }
    if (o->ranks < run->ranks)
        return bine_complain("-n %ld: there is room for %ld ranks: expected fewer, or more with "
                             "--ranks-per-host",
                             run->ranks, o->ranks);
    return 0;
}

static int make_order(const struct bine_lab *lab, const struct bine_lab_run *run) {
    struct order o = {0};
    struct bine_hosts hosts = {0};
    char all[32];
    snprintf(all, sizeof all, "h[0-%d]", lab->hosts - 1);
    int rc = bine_word_hosts(run->hosts == NULL ? all : run->hosts, &hosts);
    if (rc == 0)
        rc = fill_order(&o, lab, run, &hosts);
    if (rc == 0)
        setenv("LAB_ORDER", o.words, 1);
    bine_hosts_free(&hosts);
    free(o.words);
    return rc;
}

/* The program's file: as typed, or found on the PATH, on which this program's folder is first. */
static int find_program(const char *word, const char *programs, char file[BINE_PROGRAM_FILE]) {
    bine_program_path(programs);
    if (bine_program_file(word, file) == 0)
        return 0;
    return strchr(word, '/') != NULL ? bine_complain("%s: %s", word, strerror(errno))
                                     : bine_complain("the program '%s' was not found", word);
}

static void read_libraries(int from, const char **mpi) {
    char line[1024];
    FILE *f = fdopen(from, "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        if (strstr(line, "libmpich.so") != NULL || strstr(line, "libmpi.so.12") != NULL)
            *mpi = "mpich";
        else if (strstr(line, "libmpi.so.") != NULL)
            *mpi = "openmpi";
    }
    if (f != NULL)
        fclose(f);
}

/* The MPI library that a program is linked with; NULL if it does not show. */
static const char *library_of(const char *file) {
    const char *mpi = NULL;
    int ends[2], status;
    if (pipe(ends) != 0)
        return NULL;
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        close(ends[0]);
        close(ends[1]);
        execlp("ldd", "ldd", file, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    read_libraries(ends[0], &mpi);
    if (child > 0)
        waitpid(child, &status, 0);
    return mpi;
}

static int choose_mpi(const struct bine_lab *lab, const struct bine_lab_run *run,
                      const char *file) {
    const char *linked = library_of(file);
    if (run->mpi != NULL && linked != NULL && strcmp(run->mpi, linked) != 0)
        return bine_complain("--mpi %s: %s is linked with %s", run->mpi, file, linked);
    setenv("LAB_MPI", run->mpi != NULL ? run->mpi : linked != NULL ? linked : lab->mpi, 1);
    return 0;
}

/* A file's full name: inside, other folders may be in the way. */
static int set_path(const char *name, const char *file) {
    char full[PATH_MAX], folder[PATH_MAX];
    if (file == NULL || file[0] == '/')
        return setenv(name, file == NULL ? "" : file, 1);
    if (getcwd(folder, sizeof folder) == NULL)
        return bine_complain("the folder cannot be found: %s", strerror(errno));
    if (snprintf(full, sizeof full, "%s/%s", folder, file) >= (int)sizeof full)
        return bine_complain("%s: the name is too long", file);
    return setenv(name, full, 1);
}

static int set_environment(const struct bine_lab *lab, const struct bine_lab_run *run,
                           const char *scripts) {
    char number[32], folder[PATH_MAX];
    if (run->preload != NULL && access(run->preload, R_OK) != 0)
        return bine_complain("--preload %s: %s", run->preload, strerror(errno));
    if (getcwd(folder, sizeof folder) == NULL)
        return bine_complain("the folder cannot be found: %s", strerror(errno));
    snprintf(number, sizeof number, "%ld", run->timeout);
    setenv("LAB_DIR", lab->folder, 1);
    setenv("LAB_HERE", scripts, 1);
    setenv("LAB_CWD", folder, 1);
    setenv("LAB_TIMEOUT", number, 1);
    snprintf(number, sizeof number, "%ld", run->level > 0 ? run->level : 1);
    setenv("LAB_LEVEL", number, 1);
    return set_path("LAB_CSV", run->csv) != 0 || set_path("LAB_PRELOAD", run->preload) != 0
               ? BINE_EXIT_USAGE
               : 0;
}

/* Becomes nsenter: whoever ends this process ends the run, because everything in it is bound to its
 * parent's life. */
static int enter(const struct bine_lab *lab, const struct bine_lab_run *run, const char *scripts,
                 const char *file) {
    char target[32], launch[BINE_LAB_PATH + 16];
    static const char *const inside[] = {
        "--mount", "--net",   "--pid", "--uts",   "--ipc",  "setpriv",     "--pdeathsig",
        "KILL",    "unshare", "--pid", "--mount", "--fork", "--kill-child"};
    size_t arguments = 0, n = 0;
    while (run->program[arguments] != NULL)
        arguments++;
    const char **words = calloc(arguments + 32, sizeof *words);
    if (words == NULL)
        return bine_complain("out of memory");
    snprintf(target, sizeof target, "--target=%ld", (long)lab->keeper);
    snprintf(launch, sizeof launch, "%s/launch", scripts);
    words[n++] = "nsenter";
    words[n++] = target;
    if (lab->user) {
        words[n++] = "--user";
        words[n++] = "--preserve-credentials";
    }
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
        words[n++] = inside[i];
    words[n++] = launch;
    words[n++] = file;
    for (size_t i = 1; i < arguments; i++)
        words[n++] = run->program[i];
    fflush(NULL);
    execvp("nsenter", (char **)(uintptr_t)words);
    free(words);
    return bine_complain("nsenter: %s", strerror(errno));
}

int bine_lab_run(const struct bine_lab *lab, const struct bine_lab_run *run) {
    char scripts[BINE_LAB_PATH], programs[BINE_LAB_PATH], file[BINE_PROGRAM_FILE];
    if (bine_lab_scripts(scripts, programs) != 0 ||
        find_program(run->program[0], programs, file) != 0 || choose_mpi(lab, run, file) != 0 ||
        make_order(lab, run) != 0 || set_environment(lab, run, scripts) != 0)
        return BINE_EXIT_USAGE;
    return enter(lab, run, scripts, file);
}
