/* Threads that call collectives at the same time, each on communicators of its own, four of them:
 * random ones, checked; communicators come and go. Nothing may be wrong, hang or be lost.
 * Meanwhile, another thread sets the error handler of MPI_COMM_WORLD, and finds it as it was set.
 *
 *     threads [--seconds N] [--seed N] */
#include "../check.h"

#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS = 4, COMMS = 4, MOST = 3000, ROUND = 40 };

struct worker {
    pthread_t thread;
    int number;
    MPI_Comm comm[COMMS];
    struct rng common; /* the same on all ranks */
    int *in, *out;
    long calls;
    double until;
};

static atomic_long wrong;

static void expect(int ok) {
    if (!ok)
        atomic_fetch_add(&wrong, 1);
}

static void bcast(struct worker *w, MPI_Comm comm, int rank, int p, int n) {
    int root = rng_below(&w->common, p), key = rng_below(&w->common, 1000), ok = 1;
    for (int i = 0; i < n; i++)
        w->in[i] = rank == root ? key + i : -1;
    MPI_Bcast(w->in, n, MPI_INT, root, comm);
    for (int i = 0; i < n; i++)
        ok = ok && w->in[i] == key + i;
    expect(ok);
}

static void reduce(struct worker *w, MPI_Comm comm, int rank, int p, int n) {
    int root = rng_below(&w->common, p), ok = 1;
    for (int i = 0; i < n; i++)
        w->in[i] = rank + i;
    MPI_Reduce(w->in, w->out, n, MPI_INT, MPI_SUM, root, comm);
    for (int i = 0; i < n && rank == root; i++)
        ok = ok && w->out[i] == p * (p - 1) / 2 + p * i;
    expect(ok);
}

static void allreduce(struct worker *w, MPI_Comm comm, int rank, int p, int n) {
    int ok = 1;
    for (int i = 0; i < n; i++)
        w->out[i] = rank + i;
    MPI_Allreduce(MPI_IN_PLACE, w->out, n, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < n; i++)
        ok = ok && w->out[i] == p * (p - 1) / 2 + p * i;
    expect(ok);
}

static void gather(struct worker *w, MPI_Comm comm, int rank, int p, int n) {
    int root = rng_below(&w->common, p), ok = 1;
    n = n / p + 1;
    for (int i = 0; i < n; i++)
        w->in[i] = rank * MOST + i;
    MPI_Gather(w->in, n, MPI_INT, w->out, n, MPI_INT, root, comm);
    for (int i = 0; i < n * p && rank == root; i++)
        ok = ok && w->out[i] == i / n * MOST + i % n;
    expect(ok);
}

static void scatter(struct worker *w, MPI_Comm comm, int rank, int p, int n) {
    int root = rng_below(&w->common, p), ok = 1;
    n = n / p + 1;
    for (int i = 0; i < n * p; i++)
        w->in[i] = root + i;
    MPI_Scatter(w->in, n, MPI_INT, w->out, n, MPI_INT, root, comm);
    for (int i = 0; i < n; i++)
        ok = ok && w->out[i] == root + rank * n + i;
    expect(ok);
}

static void allgather(struct worker *w, MPI_Comm comm, int rank, int p, int n) {
    int ok = 1;
    n = n / p + 1;
    for (int i = 0; i < n; i++)
        w->in[i] = rank * MOST + i;
    MPI_Allgather(w->in, n, MPI_INT, w->out, n, MPI_INT, comm);
    for (int i = 0; i < n * p; i++)
        ok = ok && w->out[i] == i / n * MOST + i % n;
    expect(ok);
}

static void allgatherv(struct worker *w, MPI_Comm comm, int rank, int p, int n) {
    int ok = 1, counts[64], displs[64];
    n = n / p + 1;
    for (int i = 0; i < p; i++) {
        counts[i] = i % 2 == 0 ? n : n / 2;
        displs[i] = i * n;
    }
    for (int i = 0; i < n; i++)
        w->in[i] = rank * MOST + i;
    MPI_Allgatherv(w->in, counts[rank], MPI_INT, w->out, counts, displs, MPI_INT, comm);
    for (int i = 0; i < n * p; i++)
        ok = ok && (i % n >= counts[i / n] || w->out[i] == i / n * MOST + i % n);
    expect(ok);
}

static void alltoall(struct worker *w, MPI_Comm comm, int rank, int p, int n) {
    int ok = 1;
    n = n / p + 1;
    for (int i = 0; i < n * p; i++)
        w->in[i] = rank * MOST + i;
    MPI_Alltoall(w->in, n, MPI_INT, w->out, n, MPI_INT, comm);
    for (int i = 0; i < n * p; i++)
        ok = ok && w->out[i] == i / n * MOST + rank * n + i % n;
    expect(ok);
}

static void reduce_scatter(struct worker *w, MPI_Comm comm, int rank, int p, int n) {
    int ok = 1, counts[64];
    n = n / p + 1;
    for (int i = 0; i < n * p; i++)
        w->in[i] = rank + i;
    for (int i = 0; i < p; i++)
        counts[i] = n;
    if (rng_once_in(&w->common, 2))
        MPI_Reduce_scatter(w->in, w->out, counts, MPI_INT, MPI_SUM, comm);
    else
        MPI_Reduce_scatter_block(w->in, w->out, n, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < n; i++)
        ok = ok && w->out[i] == p * (p - 1) / 2 + p * (rank * n + i);
    expect(ok);
}

static void any_call(struct worker *w) {
    static void (*const calls[])(struct worker *, MPI_Comm, int, int, int) = {
        bcast, reduce, allreduce, gather, scatter, allgather, allgatherv, alltoall, reduce_scatter};
    int rank, p, k = rng_below(&w->common, COMMS), which = rng_below(&w->common, 9);
    int n = rng_once_in(&w->common, 4) ? rng_below(&w->common, MOST) : rng_below(&w->common, 64);
    MPI_Comm_rank(w->comm[k], &rank);
    MPI_Comm_size(w->comm[k], &p);
    calls[which](w, w->comm[k], rank, p, n + 1);
    w->calls++;
}

/* One of the communicators is replaced by a new one like it. */
static void replace(struct worker *w) {
    MPI_Comm fresh;
    int k = 1 + rng_below(&w->common, COMMS - 1);
    MPI_Comm_dup(w->comm[k], &fresh);
    MPI_Comm_free(&w->comm[k]);
    w->comm[k] = fresh;
}

/* Rank 0's clock says when it is over, for all. */
static void *work(void *argument) {
    struct worker *w = argument;
    for (int more = 1; more;) {
        for (int i = 0; i < ROUND; i++)
            any_call(w);
        if (rng_once_in(&w->common, 10))
            replace(w);
        more = MPI_Wtime() < w->until;
        MPI_Bcast(&more, 1, MPI_INT, 0, w->comm[0]);
    }
    return NULL;
}

static void start(struct worker *w, int number, long seed) {
    int rank, p;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    w->number = number;
    w->common = rng_make((uint64_t)seed, (uint64_t)number, 7);
    w->in = malloc(2 * MOST * sizeof *w->in);
    w->out = malloc(2 * MOST * sizeof *w->out);
    if (w->in == NULL || w->out == NULL)
        abort();
    MPI_Comm_dup(MPI_COMM_WORLD, &w->comm[0]);
    MPI_Comm_split(MPI_COMM_WORLD, rank < p / 2, rank, &w->comm[1]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, p - rank, &w->comm[2]);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &w->comm[3]);
}

static void handle(MPI_Comm *comm, int *code, ...) {
    (void)comm;
    (void)code;
}

static void set_handlers(double until) {
    const struct timespec pause = {.tv_nsec = 500000};
    MPI_Errhandler handler[2] = {MPI_ERRORS_ARE_FATAL, MPI_ERRHANDLER_NULL}, found;
    long changed = 0;
    MPI_Comm_create_errhandler(handle, &handler[1]);
    for (int k = 1; k % 2 == 1 || MPI_Wtime() < until; k++) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler[k % 2]);
        nanosleep(&pause, NULL);
        MPI_Comm_get_errhandler(MPI_COMM_WORLD, &found);
        changed += found != handler[k % 2];
        MPI_Errhandler_free(&found);
    }
    MPI_Errhandler_free(&handler[1]);
    check_that(changed == 0, "the handler of MPI_COMM_WORLD was another one %ld times", changed);
}

static void run(struct worker *w, double seconds) {
    double until = MPI_Wtime() + seconds;
    for (int i = 0; i < THREADS; i++) {
        w[i].until = until;
        if (pthread_create(&w[i].thread, NULL, work, &w[i]) != 0)
            abort();
    }
    set_handlers(until);
    for (int i = 0; i < THREADS; i++)
        pthread_join(w[i].thread, NULL);
}

int main(int argc, char **argv) {
    struct worker w[THREADS] = {0};
    int provided, rank;
    long calls = 0, seconds = check_option(argc, argv, "seconds", 5),
         seed = check_option(argc, argv, "seed", 1);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!check_threads_work()) {
        if (rank == 0)
            puts("skipped: threads stand still in MPI_Waitall of this Open MPI");
        MPI_Finalize();
        return 0;
    }
    check_that(provided == MPI_THREAD_MULTIPLE, "threads: %d", provided);
    for (int i = 0; i < THREADS; i++)
        start(&w[i], i, seed);
    run(w, (double)seconds / 4);
    long early = check_memory();
    run(w, (double)seconds * 3 / 4);
    long late = check_memory();
    check_that(atomic_load(&wrong) == 0, "%ld wrong results", atomic_load(&wrong));
    if (seconds >= 20) /* in a few seconds the MPI libraries themselves are still growing */
        check_that(late - early < 4096, "from %ld to %ld KiB", early, late);
    for (int i = 0; i < THREADS; i++) {
        calls += w[i].calls;
        for (int k = 0; k < COMMS; k++)
            MPI_Comm_free(&w[i].comm[k]);
        free(w[i].in);
        free(w[i].out);
    }
    if (rank == 0)
        printf("%ld calls, %ld KiB more in the last three quarters\n", calls, late - early);
    int status = check_end();
    MPI_Finalize();
    return status;
}
