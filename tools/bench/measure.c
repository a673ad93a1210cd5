/* Rounds: every entry once, in shuffled order; after a batch of rounds the ranks put their times
 * together and rank 0 decides whether to go on. */
#include "api/last_copied.h"
#include "base/numbers.h"
#include "bench/bench.h"
#include "cli/command.h"

#include <bine.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH_MOST = 64 };
#define LATE 1e9 /* a sample that is none: a rank missed the start */

struct run {
    struct bench_cell *cell;
    struct bench_call *call;
    int *order;      /* of the active entries */
    double *local;   /* of this rank: see place_of; */
    double *slowest; /* and of the slowest */
    int figures;     /* that are measured */
    int room;        /* rounds that the entries' samples have room for */
    uint64_t random; /* the same on all ranks */
    double begin;
};

static uint64_t draw(uint64_t *x) {
    *x += 0x9e3779b97f4a7c15u;
    uint64_t z = *x;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static int everywhere(int yes) {
    int all;
    MPI_Allreduce(&yes, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    return all;
}

static struct bench_entry *entry_of(const struct run *r, int i) {
    return &r->cell->entries->entry[i];
}

/* Where the time of a figure is, in a round of the batch. */
static size_t place_of(const struct run *r, int figure, int entry, int round) {
    return ((size_t)figure * (size_t)r->cell->entries->count + (size_t)entry) * BATCH_MOST +
           (size_t)round;
}

static int call_as_wished(const struct bench_call *call, const struct bench_entry *e,
                          enum bench_figure figure) {
    int library = e->how == BENCH_LIBRARY;
    int (*function)(const struct bench_call *) = library                ? call->collective->library
                                                 : e->how == BENCH_NCCL ? bench_nccl_call
                                                                        : call->collective->own;
    if (call->wish->nonblocking)
        return bench_started_call(call, e, figure == BENCH_WITH ? e->computes : 0);
    if (!call->wish->on_device)
        return function(call);
    return library ? bench_device_staged(call, function) : bench_device_call(call, function);
}

/* One call; the seconds are this rank's. */
static int call_once(struct run *r, struct bench_entry *e, enum bench_figure figure,
                     double *seconds) {
    struct bench_call *call = r->call;
    const struct bench_wish *w = call->wish;
    int late, device = w->on_device;
    call->comm = e->comm;
    if (device && bench_device_put(call) != MPI_SUCCESS)
        return MPI_ERR_OTHER;
    bench_library_set(call->collective, e);
    double start = bench_clock_start(w->start, MPI_COMM_WORLD, call->world->crowded, &late);
    int rc = call_as_wished(call, e, figure);
    *seconds = late ? LATE : bench_now() - start;
    bench_library_reset(call->collective, e);
    if (device && rc == MPI_SUCCESS && w->check)
        rc = bench_device_get(call);
    return rc;
}

/* "allreduce bine-large:pack (reason)": the name, and the layout if it is not the usual one. */
static void name_chosen(struct run *r, struct bench_entry *e) {
    char text[200], *name, *colon;
    Bine_Last(e->comm, text, (int)sizeof text);
    name = strchr(text, ' ');
    int device = name != NULL && strncmp(name, " device ", 8) == 0;
    int mpi = name != NULL && strncmp(name, " mpi ", 5) == 0;
    if (device || mpi)
        snprintf(e->shown, sizeof e->shown, "%s", device ? "device" : "mpi");
    colon = name == NULL || device || mpi ? NULL : strchr(name, ':');
    if (colon == NULL)
        return;
    colon[strcspn(colon, " ")] = '\0';
    *colon = '\0';
    const struct bine_algorithm *a = bine_algorithm_find(r->call->collective->kind, name + 1);
    int p = r->call->world->p;
    int usual = a != NULL && strcmp(bine_layout_name(bine_algorithm_layout(a, p)), colon + 1) == 0;
    snprintf(e->shown, sizeof e->shown, "%.60s%s%.20s", name + 1, usual ? "" : ":",
             usual ? "" : colon + 1);
}

/* Calls that are started are Bine's only on communicators that a blocking call has opened, and not
 * all of them: then there is nothing of Bine's to measure. */
static int is_started_by_mpi(const struct run *r, const struct bench_entry *e) {
    static int said;
    char text[200];
    if (e->how == BENCH_LIBRARY)
        return 0;
    Bine_Last(e->comm, text, (int)sizeof text);
    const char *name = strchr(text, ' ');
    int by_mpi = name != NULL && strncmp(name, " mpi ", 5) == 0;
    if (by_mpi && !said && bench_is_speaker)
        fprintf(stderr, "bine-bench: nonblocking %s without %s: MPI makes it %s\n",
                r->call->collective->name, e->name, name + 5);
    said |= by_mpi;
    return by_mpi;
}

/* A call that is started, until the ranks have met: how long computations are at first. */
static int try_started(struct run *r, struct bench_entry *e) {
    double seconds = 0;
    r->call->comm = e->comm;
    int good = everywhere(bench_started_open(r->call, e) == MPI_SUCCESS);
    for (int i = 0; i < 2 && good; i++) {
        bench_fill(r->call, 0);
        good = everywhere(call_once(r, e, BENCH_CALL, &seconds) == MPI_SUCCESS);
    }
    seconds = seconds < LATE ? seconds : 0;
    MPI_Allreduce(&seconds, &e->computes, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return good && !is_started_by_mpi(r, e);
}

static int try_entry(struct run *r, struct bench_entry *e) {
    double seconds;
    bench_fill(r->call, 0);
    if (r->call->wish->nonblocking)
        return try_started(r, e);
    int good = everywhere(call_once(r, e, BENCH_CALL, &seconds) == MPI_SUCCESS);
    if (good && e->how == BENCH_CHOSEN) { /* the model is asked when a size comes again */
        bench_fill(r->call, 0);
        good = everywhere(call_once(r, e, BENCH_CALL, &seconds) == MPI_SUCCESS);
    }
    return good;
}

/* What the rank that copies most copies in a call like the one before. */
static int64_t count_copied(const struct bench_call *call, const struct bench_entry *e) {
    int known = e->how != BENCH_LIBRARY && e->how != BENCH_NCCL && !call->wish->nonblocking;
    int64_t mine = known ? bine_last_copied(e->comm) : -1, most;
    MPI_Allreduce(&mine, &most, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

/* The first call of each entry: whether it works at all, what `best` is, whether two are one. */
static void try_entries(struct run *r) {
    for (int i = 0; i < r->cell->entries->count; i++) {
        struct bench_entry *e = entry_of(r, i);
        e->active = try_entry(r, e);
        e->wrong = 0;
        e->copied = e->active ? count_copied(r->call, e) : -1;
        snprintf(e->shown, sizeof e->shown, "%s", e->name);
        if (e->how == BENCH_CHOSEN && e->active)
            name_chosen(r, e);
        for (int k = 0; k < i; k++)
            if (entry_of(r, k)->active && strcmp(entry_of(r, k)->shown, e->shown) == 0)
                e->active = 0;
    }
}

static int list_active(struct run *r) {
    int n = 0;
    for (int i = 0; i < r->cell->entries->count; i++)
        if (entry_of(r, i)->active)
            r->order[n++] = i;
    return n;
}

static void shuffle(struct run *r, int n) {
    for (int i = n - 1; i > 0; i--) {
        int k = (int)(draw(&r->random) % (uint64_t)(i + 1)), kept = r->order[i];
        r->order[i] = r->order[k];
        r->order[k] = kept;
    }
}

static void play_call(struct run *r, int entry, enum bench_figure figure, uint64_t round,
                      double *seconds) {
    struct bench_entry *e = entry_of(r, entry);
    if (r->call->wish->check)
        bench_fill(r->call, round);
    else if (!r->call->wish->unchanged)
        bench_write(r->call, round);
    int rc = call_once(r, e, figure, seconds);
    if (rc != MPI_SUCCESS) {
        fprintf(stderr, "bine-bench: %s %s failed on rank %d with MPI error %d\n",
                r->call->collective->name, e->shown, r->call->world->rank, rc);
        MPI_Abort(MPI_COMM_WORLD, BINE_EXIT_FAILED);
    }
    if (r->call->wish->check)
        e->wrong += !bench_verify(r->call, round);
}

static void play_round(struct run *r, int active, int number, int slot) {
    uint64_t round = (uint64_t)number + 1;
    shuffle(r, active);
    for (int i = 0; i < active; i++) {
        bench_call_aim(r->call, round);
        for (int f = 0; f < r->figures; f++)
            play_call(r, r->order[i], (enum bench_figure)f, round,
                      &r->local[place_of(r, f, r->order[i], slot)]);
    }
}

static int make_room(struct bench_entry *e, size_t rounds) {
    for (int f = 0; f < BENCH_FIGURES; f++) {
        double *more = realloc(e->sample[f], rounds * sizeof *more);
        if (more == NULL)
            return 0;
        e->sample[f] = more;
    }
    return 1;
}

/* Rank 0 keeps the slowest rank's times. */
static int keep(struct run *r, int done, int rounds) {
    int entries = r->cell->entries->count, good = 1, late = 0;
    MPI_Reduce(r->local, r->slowest, r->figures * entries * BATCH_MOST, MPI_DOUBLE, MPI_MAX, 0,
               MPI_COMM_WORLD);
    if (r->call->world->rank != 0)
        return 0;
    for (int i = 0; i < entries; i++) {
        struct bench_entry *e = entry_of(r, i);
        if (done + rounds > r->room)
            good = make_room(e, 2 * (size_t)(done + rounds)) && good;
        for (int k = 0; k < rounds && good; k++) {
            for (int f = 0; f < r->figures; f++)
                e->sample[f][done + k] = r->slowest[place_of(r, f, i, k)];
            if (r->figures > 1 && e->sample[BENCH_WITH][done + k] >= LATE)
                e->sample[BENCH_CALL][done + k] = LATE; /* both or none */
            e->sample[BENCH_COMPUTED][done + k] = e->computes;
            late += e->active && e->sample[BENCH_CALL][done + k] >= LATE;
        }
    }
    if (done + rounds > r->room)
        r->room = 2 * (done + rounds);
    if (late > 0)
        bench_clock_lengthen();
    return good ? 0 : -1;
}

/* How many of the rounds are warm-up: a share of them, or the number that was asked for, if there
 * was time for it. */
static int discarded_of(const struct bench_wish *w, int rounds) {
    int share = (int)(BENCH_WARMUP * rounds);
    if (w->warmup < 0 || (w->rounds > 0 && rounds < w->rounds + w->warmup))
        return share;
    return w->warmup < rounds / 2 || w->rounds > 0 ? w->warmup : rounds / 2;
}

/* The summary of what is kept of a figure of an entry. 0, or -1 when out of memory. */
static int summarise_figure(const struct bench_entry *e, enum bench_figure figure, int from, int to,
                            struct bine_summary *summary) {
    double *copy = malloc((size_t)(to - from + 1) * sizeof *copy);
    size_t n = 0;
    if (copy == NULL)
        return -1;
    for (int i = from; i < to; i++)
        if (e->sample[BENCH_CALL][i] < LATE)
            copy[n++] = e->sample[figure][i];
    *summary = bine_summary_of(copy, n);
    free(copy);
    return 0;
}

/* The same of all figures. */
static int summarise(const struct run *r, struct bench_entry *e, int from, int to) {
    struct bine_summary with, computed;
    if (summarise_figure(e, BENCH_CALL, from, to, &e->summary) != 0)
        return -1;
    if (r->figures == 1)
        return 0;
    if (summarise_figure(e, BENCH_WITH, from, to, &with) != 0 ||
        summarise_figure(e, BENCH_COMPUTED, from, to, &computed) != 0)
        return -1;
    e->with = with.median;
    e->computed = computed.median;
    e->overlap = bench_started_overlap(e->summary.median, e->computed, e->with);
    return 0;
}

/* On rank 0: whether every entry is known well enough. */
static int precise(struct run *r, int rounds) {
    const struct bench_wish *w = r->call->wish;
    int from = discarded_of(w, rounds);
    for (int i = 0; i < r->cell->entries->count; i++) {
        struct bench_entry *e = entry_of(r, i);
        if (e->active && (summarise(r, e, from, rounds) != 0 || e->summary.samples < 6 ||
                          bine_summary_spread(&e->summary) > w->precision))
            return 0;
    }
    return 1;
}

/* How many rounds come next, 0: enough. Rank 0 decides. */
static int next_batch(struct run *r, int done) {
    const struct bench_wish *w = r->call->wish;
    double spent = bench_now() - r->begin, budget = r->cell->budget;
    int left = (w->rounds > 0 ? w->rounds + w->warmup : w->most_rounds) - done;
    int n = done == 0 ? 1 : BATCH_MOST;
    if (done > 0 && budget > 0) {
        double each = spent / done;
        if (spent >= budget && done >= 2)
            return 0;
        /* Stay within the budget, and look at the spread often enough. */
        double fit = (budget - spent) / each, often = budget / 10 / each;
        double most = bine_min(fit, often);
        n = most < 1 ? 1 : most < BATCH_MOST ? (int)most : BATCH_MOST;
    }
    if (w->rounds == 0 && done >= BENCH_LEAST_ROUNDS && precise(r, done))
        return 0;
    return n < left ? n : left;
}

/* Computations are as long as the calls were until now. */
static void set_computations(struct run *r, int done) {
    for (int i = 0; i < r->cell->entries->count && r->figures > 1; i++) {
        struct bench_entry *e = entry_of(r, i);
        if (r->call->world->rank == 0 && e->active && done > 0 &&
            summarise(r, e, discarded_of(r->call->wish, done), done) == 0 && e->summary.samples > 0)
            e->computes = e->summary.median;
        MPI_Bcast(&e->computes, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
}

static int run_rounds(struct run *r, int active) {
    int done = 0, state[2] = {0, 0}; /* rounds to come; out of memory */
    for (;;) {
        state[0] = r->call->world->rank == 0 && state[1] == 0 ? next_batch(r, done) : 0;
        MPI_Bcast(state, 2, MPI_INT, 0, MPI_COMM_WORLD);
        if (state[0] <= 0 || state[1] != 0)
            break;
        set_computations(r, done);
        for (int k = 0; k < state[0]; k++)
            play_round(r, active, done + k, k);
        state[1] = keep(r, done, state[0]) != 0;
        done += state[0];
        bench_output_progress(r->cell->output, r->cell, done);
    }
    r->cell->rounds = done;
    r->cell->discarded = discarded_of(r->call->wish, done);
    return state[1] != 0 ? -1 : 0;
}

/* A call of an entry, or only what comes before it. */
struct action {
    struct run *run;
    struct bench_entry *entry; /* NULL: no call */
};

static void do_action(void *self) {
    struct action *d = self;
    const struct bench_call *call = d->run->call;
    double seconds;
    int late;
    if (d->entry != NULL)
        call_once(d->run, d->entry, BENCH_CALL, &seconds);
    else
        bench_clock_start(call->wish->start, MPI_COMM_WORLD, call->world->crowded, &late);
}

/* One more call of each entry, for the bytes over the uplinks. */
static void count_uplinks(struct run *r) {
    int rank = r->call->world->rank;
    struct bench_crossed none = bench_uplinks_count(rank, do_action, &(struct action){r, NULL});
    for (int i = 0; i < r->cell->entries->count; i++) {
        struct bench_entry *e = entry_of(r, i);
        if (!e->active)
            continue;
        e->crossed = bench_uplinks_count(rank, do_action, &(struct action){r, e});
        e->crossed.bytes -= none.bytes;
        e->crossed.payload -= none.payload;
    }
}

static int conclude(struct run *r) {
    int good = 1;
    for (int i = 0; i < r->cell->entries->count; i++) {
        struct bench_entry *e = entry_of(r, i);
        int wrong = e->wrong;
        MPI_Allreduce(&wrong, &e->wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        r->cell->wrong += e->active && e->wrong > 0;
        if (r->call->world->rank == 0 && e->active)
            good = summarise(r, e, r->cell->discarded, r->cell->rounds) == 0 && good;
    }
    return everywhere(good) ? 0 : -1;
}

int bench_measure(struct bench_cell *cell) {
    size_t entries = (size_t)cell->entries->count;
    struct run r = {.cell = cell, .call = cell->call, .random = cell->call->wish->seed};
    r.figures = cell->call->wish->nonblocking ? BENCH_WITH + 1 : 1;
    r.order = malloc(entries * sizeof *r.order);
    r.local = calloc((size_t)r.figures * entries * BATCH_MOST, sizeof *r.local);
    r.slowest = calloc((size_t)r.figures * entries * BATCH_MOST, sizeof *r.slowest);
    int rc = everywhere(r.order != NULL && r.local != NULL && r.slowest != NULL) ? 0 : -1;
    cell->wrong = 0;
    if (rc == 0) {
        r.random += (uint64_t)cell->call->bytes;
        if (cell->call->wish->start == BENCH_CLOCK)
            bench_clock_begin(MPI_COMM_WORLD);
        try_entries(&r);
        r.begin = bench_now();
        rc = run_rounds(&r, list_active(&r));
        if (rc == 0 && cell->call->wish->uplinks != NULL)
            count_uplinks(&r);
        if (rc == 0)
            rc = conclude(&r);
    }
    free(r.order);
    free(r.local);
    free(r.slowest);
    return rc;
}
