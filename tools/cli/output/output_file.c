#include "cli/output/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A temporary file is private; the finished one has the permissions of any new file. */
static void open_to_others(int fd) {
    mode_t mask = umask(0);
    umask(mask);
    (void)!fchmod(fd, 0666 & ~mask);
}

/* Write it all and close the file; returns errno of the first thing that went wrong, or 0. */
static int write_all(int fd, const char *text, size_t size) {
    int why = 0;
    for (size_t at = 0; at < size && why == 0;) {
        ssize_t n = write(fd, text + at, size - at);
        if (n >= 0)
            at += (size_t)n;
        else if (errno != EINTR)
            why = errno;
    }
    if (close(fd) != 0 && why == 0)
        why = errno;
    return why;
}

/* The draft that a signal which ends the program must not leave behind. */
static const char *volatile unfinished;

static const int endings[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU};
enum { ENDINGS = sizeof endings / sizeof *endings };

static void drop_draft(int number) {
    if (unfinished != NULL)
        unlink(unfinished);
    raise(number); /* the handler is reset: this ends the program */
}

/* Drop the draft at every signal that would end the program. What they did before is kept. */
static void watch(struct sigaction before[ENDINGS]) {
    struct sigaction action = {.sa_handler = drop_draft, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < ENDINGS; i++) {
        sigaction(endings[i], NULL, &before[i]);
        if (before[i].sa_handler == SIG_DFL)
            sigaction(endings[i], &action, NULL);
    }
}

static void stop_watching(const struct sigaction before[ENDINGS]) {
    unfinished = NULL;
    for (int i = 0; i < ENDINGS; i++)
        sigaction(endings[i], &before[i], NULL);
}

/* mkstemp, after which no signal comes before it is known that there is a draft. */
static int open_draft(char *draft) {
    sigset_t set, before;
    sigemptyset(&set);
    for (int i = 0; i < ENDINGS; i++)
        sigaddset(&set, endings[i]);
    sigprocmask(SIG_BLOCK, &set, &before);
    int fd = mkstemp(draft), why = errno;
    unfinished = fd >= 0 ? draft : NULL;
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = why;
    return fd;
}

/* Write to a new file beside the named one, and put it there when it is complete. */
static int replace(const char *name, const char *text, size_t content) {
    struct sigaction before[ENDINGS];
    size_t size = strlen(name) + sizeof ".XXXXXX";
    char *draft = malloc(size);
    if (draft == NULL)
        return ENOMEM;
    snprintf(draft, size, "%s.XXXXXX", name);
    watch(before);
    int fd = open_draft(draft), why = fd < 0 ? errno : 0;
    if (fd >= 0) {
        open_to_others(fd);
        why = write_all(fd, text, content);
        if (why == 0 && rename(draft, name) != 0)
            why = errno;
        if (why != 0)
            unlink(draft);
    }
    stop_watching(before);
    free(draft);
    return why;
}

/* The file that a name leads to, through links, whether it is there or not; to be freed. NULL with
 * errno set. */
static char *follow(const char *name) {
    enum { MOST_LINKS = 40 };
    char *path = strdup(name), link[PATH_MAX];
    for (int i = 0; i < MOST_LINKS && path != NULL; i++) {
        ssize_t n = readlink(path, link, sizeof link - 1);
        if (n < 0)
            return path;
        link[n] = '\0';
        /* A link is seen from the folder that it is in. */
        const char *slash = link[0] == '/' ? NULL : strrchr(path, '/');
        int folder = slash == NULL ? 0 : (int)(slash - path) + 1;
        size_t size = (size_t)folder + (size_t)n + 1;
        char *next = malloc(size);
        if (next != NULL)
            snprintf(next, size, "%.*s%s", folder, path, link);
        free(path);
        path = next;
    }
    errno = path == NULL ? ENOMEM : ELOOP;
    free(path);
    return NULL;
}

/* A pipe or a device is written to; a plain file is replaced, not the link that leads to it. */
int bine_output_file_write(const char *name, const char *text, size_t size) {
    struct stat s;
    if (stat(name, &s) == 0 && !S_ISREG(s.st_mode)) {
        int fd = open(name, O_WRONLY | O_CLOEXEC);
        return fd < 0 ? errno : write_all(fd, text, size);
    }
    char *path = follow(name);
    int why = path == NULL ? errno : replace(path, text, size);
    free(path);
    return why;
}
