/* Calls that are started, measured as IMB-NBC does: waited for at once, and with a computation as
 * long between start and wait. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "bench/bench.h"

#include "base/numbers.h"

#include <bine.h>
#include <sched.h>
#include <time.h>

/* A computation is cut into so many parts; after each it asks after the call. */
enum { PARTS = 16 };
#define LEAST_SLEEP 200e-6 /* seconds: systems sleep up to half of that too long */

struct pending {
    const struct bench_entry *entry;
    Bine_Request own;
    MPI_Request library;
};

static int start(struct pending *u, const struct bench_call *call) {
    const struct bench_collective *c = call->collective;
    return u->entry->how == BENCH_LIBRARY ? c->start_library(call, &u->library)
                                          : c->start_own(call, &u->own);
}

static int ask(struct pending *u) {
    int over;
    return u->entry->how == BENCH_LIBRARY ? MPI_Test(&u->library, &over, MPI_STATUS_IGNORE)
                                          : Bine_Test(&u->own, &over);
}

static int wait_for(struct pending *u) {
    return u->entry->how == BENCH_LIBRARY ? MPI_Wait(&u->library, MPI_STATUS_IGNORE)
                                          : Bine_Wait(&u->own);
}

static void rest(double seconds) {
    struct timespec t = {.tv_sec = (time_t)seconds};
    t.tv_nsec = (long)(1e9 * (seconds - (double)t.tv_sec));
    nanosleep(&t, NULL);
}

/* Arithmetic until the clock says so. Where ranks have no core of their own, they leave it to
 * others: a computation of one would hold up the messages of all. */
static void work(double end, int crowded) {
    static volatile double sink;
    double x = sink, left;
    while ((left = end - bench_now()) > 0) {
        if (crowded && left > LEAST_SLEEP)
            rest(left - LEAST_SLEEP / 2);
        else if (crowded)
            sched_yield();
        for (int i = 0; i < 20; i++)
            x = x * 0.9999999 + 1e-9;
    }
    sink = x;
}

int bench_started_call(const struct bench_call *call, const struct bench_entry *e, double seconds) {
    struct pending u = {e, NULL, MPI_REQUEST_NULL};
    int rc = start(&u, call);
    for (int i = 0; i < PARTS && seconds > 0 && rc == MPI_SUCCESS; i++) {
        work(bench_now() + seconds / PARTS, call->world->crowded);
        rc = ask(&u);
    }
    return rc == MPI_SUCCESS ? wait_for(&u) : rc;
}

int bench_started_open(const struct bench_call *call, const struct bench_entry *e) {
    return e->how == BENCH_LIBRARY ? MPI_SUCCESS : call->collective->own(call);
}

double bench_started_overlap(double call, double computed, double with) {
    double shorter = bine_min(call, computed);
    double hidden = shorter > 0 ? 100 * (call + computed - with) / shorter : 0;
    return hidden < 0 ? 0 : hidden > 100 ? 100 : hidden;
}
