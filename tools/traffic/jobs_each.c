#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "traffic/jobs_each.h"
#include "cli/command.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* In front of the results. */
struct shared {
    atomic_size_t next, done;
};

static size_t shared_bytes(const struct bine_jobs_each *e) {
    return sizeof(struct shared) + e->jobs * e->bytes;
}

static struct shared *shared_of(void *results) {
    return (struct shared *)(void *)((char *)results - sizeof(struct shared));
}

void *bine_jobs_each_open(const struct bine_jobs_each *e) {
    void *memory =
        mmap(NULL, shared_bytes(e), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : (char *)memory + sizeof(struct shared);
}

void bine_jobs_each_close(const struct bine_jobs_each *e, void *results) {
    if (results != NULL)
        munmap(shared_of(results), shared_bytes(e));
}

static void work(const struct bine_jobs_each *e, struct shared *s) {
    size_t job;
    while ((job = atomic_fetch_add(&s->next, 1)) < e->jobs) {
        e->job(e->self, job);
        atomic_fetch_add(&s->done, 1);
    }
}

/* A bar on a terminal; width 0 clears it. */
static void show_progress(size_t done, size_t total, int width) {
    if (!isatty(STDERR_FILENO))
        return;
    fprintf(stderr, "\r\033[K");
    if (width == 0 || total == 0)
        return;
    int full = (int)(done * (size_t)width / total);
    fprintf(stderr, "[");
    for (int i = 0; i < width; i++)
        fputc(i < full ? '#' : '.', stderr);
    fprintf(stderr, "] %zu of %zu jobs", done, total);
}

/* Wait for the workers; -1 if one was lost. */
static int watch(const struct bine_jobs_each *e, struct shared *s, int workers) {
    int status, lost = 0;
    while (workers > 0) {
        pid_t pid = waitpid(-1, &status, isatty(STDERR_FILENO) ? WNOHANG : 0);
        if (pid < 0 && errno == EINTR)
            continue;
        if (pid < 0)
            break;
        if (pid > 0) {
            workers--;
            lost |= !WIFEXITED(status) || WEXITSTATUS(status) != 0;
            continue;
        }
        show_progress(atomic_load(&s->done), e->jobs, 40);
        nanosleep(&(struct timespec){0, 50000000}, NULL);
    }
    show_progress(0, 0, 0);
    return lost ? -1 : 0;
}

int bine_jobs_each_run(const struct bine_jobs_each *e, void *results) {
    struct shared *s = shared_of(results);
    int workers = 0;
    fflush(stdout);
    for (; workers < e->workers && (size_t)workers < e->jobs; workers++) {
        pid_t pid = fork();
        if (pid < 0)
            break;
        if (pid == 0) {
            work(e, s);
            _exit(0);
        }
    }
    if (workers == 0)
        work(e, s);
    if (watch(e, s, workers) != 0)
        return bine_complain("a worker was lost (out of memory?): try fewer --workers");
    return 0;
}
