/* Proving on all cores. Workers are processes, so that one that runs out of memory takes no other
 * with it, and share one row of work: numbers are taken from its end, where p is large, while
 * memory lasts, and otherwise from its beginning, where p is small. Failures come back through one
 * pipe. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "check/proofs.h"

#include "base/grow.h"
#include "cli/command.h"
#include "cli/output/progress.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* In memory that all workers see. */
struct shared {
    atomic_flag lock;
    size_t begin, end;     /* the work that nobody has taken yet */
    double in_use, budget; /* bytes */
    atomic_size_t done;
    _Atomic uint64_t weight; /* of what is done */
};

struct failure_list {
    struct bine_failure *item;
    size_t count, room;
};

struct crew {
    pid_t *worker; /* 0: has ended */
    int count, left;
};

/* Bytes that a proof may need at p: the largest (allreduce on a ring, alltoall) were measured to
 * need 190 to 240 p^2 with the usual number of segments. */
static double bytes_needed(int p, int segments) {
    double more = segments > BINE_SEGMENTS ? (double)segments / BINE_SEGMENTS : 1;
    return 300.0 * p * p * more + 1e6;
}

/* About how long a proof takes, for the progress: it has p^2 values. */
static uint64_t weight_of(const struct bine_proofs *all, size_t i) {
    uint64_t p = (uint64_t)bine_proofs_request(all, bine_proofs_number(all, i)).p;
    return p * p;
}

static double weight_of_all(const struct bine_proofs *all) {
    double sum = 0;
    for (size_t k = 0; all->pick != NULL && k < all->picks; k++)
        sum += (double)weight_of(all, k);
    for (size_t g = 0; all->pick == NULL && g < all->ngroups; g++) {
        size_t end = g + 1 < all->ngroups ? all->group[g + 1].first : all->count;
        sum += (double)(end - all->group[g].first) * all->group[g].p * all->group[g].p;
    }
    return sum;
}

static void lock(struct shared *s) {
    while (atomic_flag_test_and_set(&s->lock))
        nanosleep(&(struct timespec){0, 20000}, NULL);
}

static void unlock(struct shared *s) {
    atomic_flag_clear(&s->lock);
}

/* Whether a proof of this size may begin now. One always may, however large. */
static int fits(const struct shared *s, double bytes) {
    return s->in_use == 0 || s->in_use + bytes <= s->budget;
}

static double bytes_of(const struct bine_proofs *all, size_t i) {
    size_t number = bine_proofs_number(all, i);
    struct bine_torus_case torus = {.ports = 1};
    bine_proofs_torus(all, number, &torus);
    return bytes_needed(bine_proofs_request(all, number).p, all->segments) * torus.ports;
}

/* Take one: 1, and its index and size; 0: nothing fits now; -1: there is no more. */
static int take(const struct bine_proofs *all, struct shared *s, size_t *i, double *bytes) {
    int rc = -1;
    lock(s);
    if (s->begin < s->end) {
        rc = 1;
        if (fits(s, *bytes = bytes_of(all, s->end - 1)))
            *i = --s->end;
        else if (fits(s, *bytes = bytes_of(all, s->begin)))
            *i = s->begin++;
        else
            rc = 0;
        s->in_use += rc == 1 ? *bytes : 0;
    }
    unlock(s);
    return rc;
}

static void give_back(struct shared *s, double bytes) {
    lock(s);
    s->in_use -= bytes;
    unlock(s);
}

/* The smallest groups as nodes; NULL where the algorithm knows none. */
static const int32_t *nodes_of(const struct bine_spec *spec) {
    const struct bine_groups *g = spec->groups;
    if (bine_algorithm_needs(spec->algorithm) != BINE_NEEDS_GROUPS || g == NULL)
        return NULL;
    return bine_groups_smallest(g);
}

/* All forms must hold: in place and not, and pipelines of one segment and of several. The first
 * that fails is reported. */
static void prove(const struct bine_proofs *all, size_t number, int pipe_end) {
    struct bine_spec spec = bine_proofs_request(all, number);
    struct bine_groups *made;
    struct bine_torus_case torus;
    int shaped = bine_proofs_shape(all, number, &spec, &made, &torus);
    int segments[2], forms = bine_proofs_segments(all, &spec, segments);
    for (int form = 0, good = 1; form < 2 * forms && good; form++) {
        struct bine_failure f;
        memset(&f, 0, sizeof f);
        f.number = number;
        f.segments = spec.segments = segments[form / 2];
        f.nodes = form % 2;
        spec.node = f.nodes && shaped == 0 ? nodes_of(&spec) : NULL;
        if (f.nodes && (spec.node == NULL || !bine_spec_uses_boards(&spec)))
            continue;
        f.rc = shaped != 0 ? -1 : bine_check_both(&spec, &f.verdict, &f.in_place);
        good = f.rc == 0;
        if (!good && write(pipe_end, &f, sizeof f) != (ssize_t)sizeof f)
            _exit(1);
    }
    bine_groups_free(made);
}

/* What a worker does, until the work or its parent has ended. */
static void work(const struct bine_proofs *all, struct shared *s, int pipe_end, pid_t parent) {
    size_t i;
    double bytes;
    int taken;
    while (getppid() == parent && (taken = take(all, s, &i, &bytes)) >= 0) {
        if (taken == 0) {
            nanosleep(&(struct timespec){0, 2000000}, NULL);
            continue;
        }
        prove(all, bine_proofs_number(all, i), pipe_end);
        give_back(s, bytes);
        atomic_fetch_add(&s->weight, weight_of(all, i));
        atomic_fetch_add(&s->done, 1);
    }
    _exit(0);
}

static int keep(struct failure_list *list, const struct bine_failure *f) {
    if (bine_grow(&list->item, &list->room, list->count + 1, sizeof *list->item) != 0)
        return -1;
    list->item[list->count++] = *f;
    return 0;
}

/* Note the workers that have ended; all of them if `wait`. Once one is lost so is the proof (its
 * share of the memory is never given back): -1, and the others are stopped. */
static int reap(struct crew *crew, int wait) {
    int status, lost = 0;
    while (crew->left > 0) {
        pid_t pid = waitpid(-1, &status, wait ? 0 : WNOHANG);
        if (pid == 0 || (pid < 0 && errno != EINTR))
            break;
        crew->left -= pid > 0;
        int bad = pid > 0 && (!WIFEXITED(status) || WEXITSTATUS(status) != 0);
        for (int i = 0; i < crew->count; i++) {
            if (crew->worker[i] == pid)
                crew->worker[i] = 0;
            if (bad && !lost && crew->worker[i] > 0)
                kill(crew->worker[i], SIGKILL);
        }
        lost |= bad;
    }
    return lost ? -1 : 0;
}

/* Read failures until every worker has closed its end. A failure is written in one piece, but may
 * arrive in two. */
static int gather(const struct bine_proofs *all, const struct shared *s, int pipe_end,
                  struct crew *crew, struct failure_list *list, struct bine_progress *progress) {
    struct bine_failure f;
    double weight = weight_of_all(all);
    size_t have = 0;
    for (;;) {
        struct pollfd ready = {pipe_end, POLLIN, 0};
        bine_progress_show(progress, (double)atomic_load(&s->weight) / weight,
                           "checked %zu of %zu schedules", atomic_load(&s->done),
                           bine_proofs_total(all));
        int waiting = poll(&ready, 1, 200);
        if (reap(crew, 0) != 0)
            return -1;
        if (waiting <= 0)
            continue;
        ssize_t n = read(pipe_end, (char *)&f + have, sizeof f - have);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return (int)n;
        have += (size_t)n;
        if (have == sizeof f && keep(list, &f) != 0)
            return -1;
        have %= sizeof f;
    }
}

static int by_place(const void *a, const void *b) {
    const struct bine_failure *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static void start(const struct bine_proofs *all, struct shared *s, const int ends[2],
                  struct crew *crew, int jobs) {
    pid_t parent = getpid();
    fflush(stdout);
    for (crew->count = 0; crew->count < jobs; crew->count++) {
        pid_t pid = fork();
        if (pid < 0)
            break;
        if (pid == 0) {
            close(ends[0]);
            work(all, s, ends[1], parent);
        }
        crew->worker[crew->count] = pid;
    }
    crew->left = crew->count;
    close(ends[1]);
}

static struct shared *share(size_t total) {
    double pages = (double)sysconf(_SC_PHYS_PAGES), size = (double)sysconf(_SC_PAGESIZE);
    struct shared *s =
        mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s == MAP_FAILED)
        return NULL;
    atomic_flag_clear(&s->lock);
    atomic_init(&s->done, 0);
    atomic_init(&s->weight, 0);
    s->begin = 0;
    s->end = total;
    s->in_use = 0;
    s->budget = pages * size / 2;
    return s;
}

int bine_proofs_run(const struct bine_proofs *all, int jobs, struct bine_failure **failures,
                    size_t *nfailures) {
    struct shared *s = share(bine_proofs_total(all));
    struct failure_list list = {0};
    struct bine_progress progress = {0};
    struct crew crew = {calloc((size_t)jobs, sizeof *crew.worker), 0, 0};
    int ends[2], rc = -1;
    if (s != NULL && crew.worker != NULL && pipe(ends) == 0) {
        start(all, s, ends, &crew, jobs);
        rc = crew.count == 0 ? -1 : gather(all, s, ends[0], &crew, &list, &progress);
        close(ends[0]);
        rc = reap(&crew, 1) != 0 ? -1 : rc;
        bine_progress_end(&progress);
    }
    if (s != NULL)
        munmap(s, sizeof *s);
    free(crew.worker);
    if (list.count > 0)
        qsort(list.item, list.count, sizeof *list.item, by_place);
    *failures = list.item;
    *nfailures = list.count;
    return rc == 0 ? 0 : bine_complain("a worker was lost (out of memory?): try fewer --jobs");
}
