/* Ranks without the drop-in library take no part in what those with it do together: a message to
 * them would come to the program, and a collective would wait for ever. So they are found without
 * MPI: by /proc, which shows the processes of this computer that the launcher has started, their
 * variables and their libraries. */
#define _GNU_SOURCE /* dladdr */
#include "dropin/preload/peers.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 64, DEEPEST = 8 };

/* The file of /proc, which has no size; to be freed. NULL: it cannot be read. */
static char *read_file(const char *path, size_t *size) {
    size_t room = 1 << 14;
    ssize_t got = 1;
    char *text = malloc(room);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    for (*size = 0; file >= 0 && text != NULL && got > 0; *size += got > 0 ? (size_t)got : 0) {
        if (*size + 1 == room) {
            char *more = realloc(text, 2 * room);
            if (more == NULL)
                break;
            text = more;
            room *= 2;
        }
        got = read(file, text + *size, room - 1 - *size);
    }
    if (file >= 0)
        close(file);
    if (file < 0 || text == NULL) {
        free(text);
        return NULL;
    }
    text[*size] = '\0';
    return text;
}

static char *read_of(long process, const char *what, size_t *size) {
    char path[PATH];
    snprintf(path, sizeof path, "/proc/%ld/%s", process, what);
    return read_file(path, size);
}

/* The variable's value in an environment: strings, each with a zero behind it. */
static const char *value_in(const char *text, size_t size, const char *name) {
    size_t length = strlen(name);
    for (const char *s = text; s < text + size; s += strlen(s) + 1)
        if (strncmp(s, name, length) == 0 && s[length] == '=')
            return s + length + 1;
    return NULL;
}

const char *bine_peers_variable(void) {
    static const char *const variables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                            "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (getenv(variables[i]) != NULL)
            return variables[i];
    return NULL;
}

/* What all processes are compared with. */
struct search {
    const char *variable, *job; /* the job's name, or NULL */
    const char *library;        /* the name of this file */
    long first;                 /* rank that has it */
    int lacking;
};

/* A process that the launcher has started for a rank of this job; its rank, or -1. */
static long rank_of(const struct search *x, const char *environment, size_t size) {
    const char *rank = value_in(environment, size, x->variable);
    const char *job = value_in(environment, size, "PMIX_NAMESPACE");
    int same = x->job == NULL || (job != NULL && strcmp(job, x->job) == 0);
    return rank != NULL && same ? atol(rank) : -1;
}

/* Preloaded, or linked; a process without any MPI library, such as a shell, tells nothing. */
static void judge(struct search *x, long process, long rank, const char *preloaded) {
    size_t size;
    int has = preloaded != NULL && strstr(preloaded, x->library) != NULL;
    char *maps = has ? NULL : read_of(process, "maps", &size);
    if (maps != NULL) {
        has = strstr(maps, x->library) != NULL;
        x->lacking += !has && strstr(maps, "/libmpi") != NULL;
        free(maps);
    }
    if (has && (x->first < 0 || rank < x->first))
        x->first = rank;
}

static void look_below(struct search *x, long process, int depth);

static void look_at(struct search *x, long process, int depth) {
    size_t size;
    char *environment = read_of(process, "environ", &size);
    if (environment == NULL)
        return;
    long rank = rank_of(x, environment, size);
    if (rank >= 0) {
        judge(x, process, rank, value_in(environment, size, "LD_PRELOAD"));
        if (depth < DEEPEST)
            look_below(x, process, depth + 1);
    }
    free(environment);
}

/* Each thread has children of its own. */
static void look_below(struct search *x, long process, int depth) {
    char path[PATH];
    size_t size;
    snprintf(path, sizeof path, "/proc/%ld/task", process);
    DIR *threads = opendir(path);
    struct dirent *thread;
    while (threads != NULL && (thread = readdir(threads)) != NULL) {
        if (atol(thread->d_name) == 0)
            continue;
        snprintf(path, sizeof path, "task/%ld/children", atol(thread->d_name));
        char *children = read_of(process, path, &size), *at = children, *end;
        for (long child; at != NULL && (child = strtol(at, &end, 10)) > 0; at = end)
            look_at(x, child, depth);
        free(children);
    }
    if (threads != NULL)
        closedir(threads);
}

static long parent_of(long process) {
    size_t size;
    char *text = read_of(process, "stat", &size), state;
    const char *behind = text != NULL ? strrchr(text, ')') : NULL; /* the command's name */
    long parent = 0;
    if (behind == NULL || sscanf(behind + 1, " %c %ld", &state, &parent) != 2)
        parent = 0;
    free(text);
    return parent;
}

/* The launcher's process on this computer: the first above this one that is no rank itself, as a
 * shell between them is. */
static long find_launcher(const struct search *x) {
    long process = (long)getppid();
    for (int i = 0; i < DEEPEST && process > 1; i++) {
        size_t size;
        char *environment = read_of(process, "environ", &size);
        long rank = environment != NULL ? rank_of(x, environment, size) : -1;
        free(environment);
        if (environment == NULL)
            return 0;
        if (rank < 0)
            return process;
        process = parent_of(process);
    }
    return 0;
}

struct bine_peers bine_peers_find(void) {
    static const char here;
    Dl_info info;
    struct search x = {bine_peers_variable(), getenv("PMIX_NAMESPACE"), NULL, -1, 0};
    if (x.variable == NULL || dladdr(&here, &info) == 0)
        return (struct bine_peers){0, 1};
    const char *slash = strrchr(info.dli_fname, '/'), *rank = getenv(x.variable);
    x.library = slash != NULL ? slash + 1 : info.dli_fname;
    long launcher = find_launcher(&x);
    if (launcher > 0)
        look_below(&x, launcher, 0);
    return (struct bine_peers){x.lacking, x.first < 0 || rank == NULL || atol(rank) == x.first};
}
