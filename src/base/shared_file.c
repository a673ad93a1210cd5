/* The lock is a file of its own that only one process can create (O_EXCL): this works on network
 * file systems whose servers know no other locks, too. A process that was killed leaves it behind:
 * a lock older than any process may hold it is taken away. Ages are differences between times that
 * the file server set, because clocks of hosts differ. */
#define _POSIX_C_SOURCE 200809L /* mkstemp, readlink, futimens, st_mtim */

#include "base/shared_file.h"

#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Seconds: the longest wait for a lock, the longest time to hold one, and the age of a lock whose
 * process is gone. */
static const double patience = 0.8, longest = 1, abandoned = 3;
enum { PAUSE_NS = 2000000, LINKS_MOST = 40 };

struct revising {
    char path[BINE_PATH_ROOM], draft[BINE_PATH_ROOM + 16], lock[BINE_PATH_ROOM + 16];
    int fd;          /* of the draft */
    double since;    /* when the lock was taken */
    struct stat own; /* the lock as it was taken */
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double time_of(const struct stat *s) {
    return (double)s->st_mtim.tv_sec + 1e-9 * (double)s->st_mtim.tv_nsec;
}

/* The file that a path stands for: links are followed, also one to a file that is not there yet. */
static int follow_links(const char *path, char target[BINE_PATH_ROOM]) {
    char link[BINE_PATH_ROOM];
    if (snprintf(target, BINE_PATH_ROOM, "%s", path) >= BINE_PATH_ROOM) {
        errno = ENAMETOOLONG;
        return -1;
    }
    for (int i = 0; i < LINKS_MOST; i++) {
        ssize_t n = readlink(target, link, sizeof link - 1);
        if (n < 0)
            return 0;
        link[n] = '\0';
        char *slash = link[0] == '/' ? NULL : strrchr(target, '/');
        size_t folder = slash == NULL ? 0 : (size_t)(slash + 1 - target);
        if (folder + (size_t)n >= BINE_PATH_ROOM) {
            errno = ENAMETOOLONG;
            return -1;
        }
        memcpy(target + folder, link, (size_t)n + 1);
    }
    errno = ELOOP;
    return -1;
}

static int is_same(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && time_of(a) == time_of(b);
}

/* Take a lock away whose process is gone. The draft's time is the file server's "now". */
static void remove_abandoned(struct revising *r) {
    struct stat lock, draft;
    if (futimens(r->fd, NULL) == 0 && fstat(r->fd, &draft) == 0 && stat(r->lock, &lock) == 0 &&
        time_of(&draft) - time_of(&lock) > abandoned)
        unlink(r->lock);
}

/* 0, or -1 and errno. */
static int take_lock(struct revising *r) {
    const struct timespec pause = {0, PAUSE_NS};
    double begin = now();
    for (;;) {
        int fd = open(r->lock, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0) {
            r->since = now();
            int rc = fstat(fd, &r->own);
            close(fd);
            return rc;
        }
        if (errno != EEXIST)
            return -1;
        remove_abandoned(r);
        if (now() - begin > patience) {
            errno = EBUSY;
            return -1;
        }
        nanosleep(&pause, NULL);
    }
}

static void give_lock(const struct revising *r) {
    struct stat lock;
    if (stat(r->lock, &lock) == 0 && is_same(&lock, &r->own))
        unlink(r->lock);
}

static int write_draft(const struct revising *r, const char *text) {
    size_t length = strlen(text), done = 0;
    if (ftruncate(r->fd, 0) != 0)
        return -1;
    while (done < length) {
        ssize_t n = pwrite(r->fd, text + done, length - done, (off_t)done);
        if (n < 0 && errno != EINTR)
            return -1;
        done += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

/* Under the lock. A new file gets the permissions that the process gives to new files, which the
 * lock has. */
static int replace(struct revising *r, bine_revision *revise, void *context) {
    size_t size;
    struct stat old;
    char *text = bine_file_text(r->path, &size);
    if (text == NULL && errno != ENOENT)
        return -1;
    if (text == NULL)
        old = r->own;
    else if (access(r->path, W_OK) != 0 || stat(r->path, &old) != 0) {
        free(text);
        return -1;
    }
    char *revised = revise(context, text != NULL ? text : "");
    errno = 0;
    int rc = revised == NULL ? -1 : write_draft(r, revised);
    free(revised);
    free(text);
    if (rc == 0)
        rc = fchmod(r->fd, old.st_mode & 0777);
    if (rc == 0 && now() - r->since > longest) { /* another process may have the lock by now */
        errno = EBUSY;
        rc = -1;
    }
    return rc == 0 ? rename(r->draft, r->path) : -1;
}

int bine_file_revise(const char *path, bine_revision *revise, void *context) {
    struct revising r;
    if (follow_links(path, r.path) != 0)
        return -1;
    snprintf(r.draft, sizeof r.draft, "%s.XXXXXX", r.path);
    snprintf(r.lock, sizeof r.lock, "%s.lock", r.path);
    r.fd = mkstemp(r.draft);
    if (r.fd < 0)
        return -1;
    int rc = take_lock(&r);
    if (rc == 0) {
        rc = replace(&r, revise, context);
        int error = errno;
        give_lock(&r);
        errno = error;
    }
    int error = errno;
    if (rc != 0)
        unlink(r.draft);
    close(r.fd);
    errno = error;
    return rc;
}
