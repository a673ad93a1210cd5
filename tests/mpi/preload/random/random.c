/* Random MPI programs that know nothing of Bine: each from its seed (random.h).
 *
 *     random [--seed N] [--programs N] [--steps N] [--taken 0|1]
 *
 * Not taken: some calls may be MPI's, and what MPI libraries fail in by themselves is not drawn.
 * A program that comes to no end within a minute (times BINE_TEST_SLOW) names its seed and the call
 * of each rank. `--programs 1 --seed N` runs one again. */
#include "random.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LIMIT = 60 };

static long seed;
static int step, rank, taken = 1, shares, is_mpich;
static const char *doing = "begins";
static char place[TEXT + 100];

/* --- Hanging */

static void note(const char *what, const struct scene *x) {
    doing = what;
    snprintf(place, sizeof place, "rank %d, seed %ld, step %d: %s%s%s\n", rank, seed, step, what,
             x != NULL ? ": " : "", x != NULL ? scene_text(x) : "");
}

static void stop(int number) {
    static const char text[] = "random program hangs: ";
    (void)number;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0 ||
        write(STDERR_FILENO, place, strlen(place)) < 0)
        _exit(3);
    sleep(2); /* the others say where they are, too */
    _exit(3);
}

static void watch(void) {
    const char *slow = getenv("BINE_TEST_SLOW");
    alarm(LIMIT * (unsigned)(slow != NULL && atoi(slow) > 0 ? atoi(slow) : 1));
}

/* --- What may be drawn
 *
 * MPI libraries have faults of their own, which are no fault of Bine's:
 * - Open MPI 4.1 crashes when a communicator is freed on which its nonblocking calls are pending;
 *   it waits for ever in an allgatherv of blocks that are typed differently; its persistent scatter
 *   fails where the two types of the root differ.
 *   Its MPI_Comm_idup, and its nonblocking calls in place with uneven blocks, wait for ever, crash
 *   or fail beside other pending calls.
 * - MPICH 4.0 crashes in a reduce in place. It loses data in nonblocking scatters of structs with
 *   gaps, and in an alltoallw in place of types with gaps. Several persistent calls at a time hang,
 *   fail, or give wrong results.
 * - Debian's MPICH 5.0 finds no two ranks with shared memory: MPI_Comm_split_type leaves each
 *   alone. */

int opens_by_barrier(void) {
    return taken;
}

/* Alone, a rank's calls are MPI's. */
int persistent_works(int p) {
    return taken && p > 1;
}

int types_work(void) {
    return taken;
}

int in_place_works(enum kind_of_call k, int started, int p) {
    int mine = taken && p > 1;
    return mine || (is_mpich ? k != REDUCE : !started);
}

int idup_works(void) {
    return is_mpich;
}

int split_type_works(void) {
    return shares;
}

int freeing_works(void) {
    return taken || is_mpich;
}

/* Whether all ranks of the world say that they share memory, as those on one computer do. */
static void find_sharing(void) {
    int p, together, all;
    MPI_Comm node;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &together);
    MPI_Comm_free(&node);
    all = together == p;
    MPI_Allreduce(&all, &shares, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
}

/* --- Steps */

static void call(struct rng *all) {
    struct scene *x = scene_draw(all);
    if (x == NULL)
        return;
    if (!scene_is_mine(x)) {
        x->used = x->form != BLOCKING;
        return;
    }
    scene_make_buffers(x);
    scene_fill(x);
    note("calls", x);
    scene_issue(x);
    if (x->form != BLOCKING)
        return;
    scene_compare(x);
    scene_free_buffers(x);
    x->used = 0;
}

static void start(struct scene *x) {
    if (x->active) {
        note("completes, to start again", x);
        complete_one(x);
    }
    x->starts++;
    scene_fill(x);
    note("starts", x);
    scene_start(x);
}

/* Persistent calls, each rank in an order of its own. */
static void start_some(struct rng *all, struct rng *own) {
    int which[SCENES], n = 0;
    for (int i = 0; i < SCENES; i++)
        if (scenes[i].used && scenes[i].form == PERSISTENT && !rng_once_in(all, 3))
            which[n++] = i;
    int turn = n > 0 ? rng_below(own, n) : 0;
    for (int i = 0; i < n; i++)
        if (scene_is_mine(&scenes[which[(i + turn) % n]]))
            start(&scenes[which[(i + turn) % n]]);
}

/* Everything is completed, and no call is pending; some persistent ones stay. */
static void drain(struct rng *all, struct rng *own, int at_end) {
    note("completes all", NULL);
    complete_all(own);
    for (int i = 0; i < SCENES; i++) {
        struct scene *x = &scenes[i];
        int lasts = x->form == PERSISTENT && !at_end && !rng_once_in(all, 3);
        if (!x->used || lasts)
            continue;
        x->used = 0;
        if (scene_is_mine(x) && x->form == PERSISTENT) {
            MPI_Request_free(&x->request);
            scene_free_buffers(x);
        }
    }
}

static void take_step(struct rng *all, struct rng *own) {
    int what = rng_below(all, 20);
    if (rng_once_in(own, 10))
        nanosleep(&(struct timespec){.tv_nsec = 1000L * rng_below(own, 300)}, NULL);
    if (what < 10)
        call(all);
    else if (what < 13)
        start_some(all, own);
    else if (what < 15) {
        note("makes a communicator", NULL);
        comms_make(all);
    } else if (what < 16) {
        note("frees a communicator", NULL);
        comms_free(all);
    } else if (what < 17)
        drain(all, own, 0);
    else {
        note("completes some", NULL);
        complete_some(own);
    }
}

static void run_program(int steps) {
    struct rng all = rng_make((uint64_t)seed, 1, 0);
    struct rng own = rng_make((uint64_t)seed, 2, (uint64_t)rank);
    int before = check_failures();
    watch();
    comms_begin();
    memset(scenes, 0, sizeof scenes);
    for (step = 0; step < steps; step++)
        take_step(&all, &own);
    drain(&all, &own, 1);
    comms_end();
    types_forget();
    if (check_failures() > before)
        fprintf(stderr, "  rank %d: in the program of seed %ld\n", rank, seed);
}

int main(int argc, char **argv) {
    signal(SIGALRM, stop);
    watch();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    is_mpich = !check_is_openmpi();
    find_sharing();
    types_make();
    operators_make();
    operators_take_any();
    long first = check_option(argc, argv, "seed", 1), n = check_option(argc, argv, "programs", 10);
    taken = (int)check_option(argc, argv, "taken", 1);
    for (seed = first; seed < first + n; seed++)
        run_program((int)check_option(argc, argv, "steps", 60));
    note("ends", NULL);
    operators_free();
    types_free();
    int failed = check_end();
    MPI_Finalize();
    return failed;
}
