/* Threads that start calls at the same time, each on communicators of its own, and wait for them,
 * ask for them or free their requests: calls of one thread also go on and end in the others.
 * Communicators come and go. Nothing may be wrong, hang or be lost.
 *
 *     request-threads [--seconds N] */
#include "../check.h"

#include "bine.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 3, AT_ONCE = 6, ROUNDS = 20, MOST = 16 };

struct scene {
    int in[MOST], out[MOST];
    int n, reduces, freed;
    Bine_Request request;
};

struct worker {
    pthread_t thread;
    MPI_Comm comm;
    struct rng common; /* the same on all ranks */
};

static int rank, p;
static double until;
static atomic_long wrong;

static void expect(int ok) {
    if (!ok)
        atomic_fetch_add(&wrong, 1);
}

/* Those with a type of the program's own are not kept ready for the next, but take a place of one
 * that was. */
static int start_bcast(struct scene *x, MPI_Comm comm) {
    MPI_Datatype two;
    memcpy(x->out, x->in, rank == 0 ? sizeof x->out : 0);
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_commit(&two);
    int rc = Bine_Ibcast(x->out, x->n / 2, two, 0, comm, &x->request);
    MPI_Type_free(&two);
    return rc;
}

static void start(struct worker *w, struct scene *x, MPI_Comm comm, int key) {
    x->reduces = !rng_once_in(&w->common, 3);
    x->n = 4 + 2 * rng_below(&w->common, 3);
    x->freed = rng_once_in(&w->common, 3);
    for (int i = 0; i < x->n; i++) {
        x->in[i] = rank + key + i;
        x->out[i] = -1;
    }
    int rc = x->reduces ? Bine_Iallreduce(x->in, x->out, x->n, MPI_INT, MPI_SUM, comm, &x->request)
                        : start_bcast(x, comm);
    expect(rc == MPI_SUCCESS);
    if (x->freed)
        expect(Bine_Request_free(&x->request) == MPI_SUCCESS);
}

static void complete(struct scene *x, int wait, int key) {
    int over = 0, rc = wait ? Bine_Wait(&x->request) : MPI_SUCCESS;
    while (!wait && !over && rc == MPI_SUCCESS)
        rc = Bine_Test(&x->request, &over);
    expect(rc == MPI_SUCCESS);
    for (int i = 0; i < x->n; i++)
        expect(x->out[i] == (x->reduces ? p * (p - 1) / 2 + p * (key + i) : key + i));
}

/* Nobody says when a request that was freed is over: what it uses stays to the end. */
static void use(struct worker *w, struct scene *scene, MPI_Comm comm) {
    for (int round = 0; round < ROUNDS; round++, scene += AT_ONCE) {
        for (int i = 0; i < AT_ONCE; i++)
            start(w, &scene[i], comm, i);
        for (int i = AT_ONCE - 1; i >= 0; i--)
            if (!scene[i].freed)
                complete(&scene[i], i % 2, i);
    }
}

static void *work(void *arg) {
    struct worker *w = arg;
    MPI_Comm comm;
    for (int more = 1; more;) {
        int here = MPI_Wtime() < until;
        struct scene *scene = malloc(ROUNDS * AT_ONCE * sizeof *scene);
        if (scene == NULL)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Comm_dup(w->comm, &comm);
        Bine_Allreduce(&here, &more, 1, MPI_INT, MPI_LAND, comm); /* which opens it */
        use(w, scene, comm);
        MPI_Comm_free(&comm);
    }
    return NULL;
}

int main(int argc, char **argv) {
    struct worker w[THREADS];
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    if (!check_threads_work()) {
        if (rank == 0)
            puts("skipped: threads stand still in MPI_Waitall of this Open MPI");
        MPI_Finalize();
        return 0;
    }
    until = MPI_Wtime() + (double)check_option(argc, argv, "seconds", 2);
    check_that(level == MPI_THREAD_MULTIPLE, "no threads: level %d", level);
    for (int i = 0; i < THREADS; i++) {
        w[i].common = rng_make(11, (uint64_t)i, 0);
        MPI_Comm_dup(MPI_COMM_WORLD, &w[i].comm);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_create(&w[i].thread, NULL, work, &w[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(w[i].thread, NULL);
    check_that(atomic_load(&wrong) == 0, "%ld wrong", atomic_load(&wrong));
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&w[i].comm);
    int failed = check_end();
    MPI_Finalize();
    return failed;
}
