/* The drop-in library: takes over MPI's collectives in a program that knows nothing of Bine.
 *
 * It defines MPI_X and PMPI_X of the blocking collectives, because C programs call the first, and
 * Open MPI's Fortran the second. It is the same for every MPI library: it has none of their types
 * and is linked with none, so that nothing but the program's own MPI comes into the process.
 * Arguments are passed on as words, which is what integers, pointers and handles of all of them
 * are. At the first call it finds out which MPI this is, loads the library of Bine for it, and from
 * then on jumps there. Where anything is missing, it jumps to MPI. So it does for collectives that
 * Bine does not have: they are here to be counted, if somebody wants to know.
 *
 * A tool that profiles the program by defining MPI_X is passed the calls that it would have got: it
 * calls PMPI_X, which comes back here. */
#include "mpi/preload/find.h"
#include "mpi/preload/jump.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef uintptr_t word;
#define ONE (word a), (a)
#define TWO (word a, word b), (a, b)
#define FOUR (word a, word b, word c, word d), (a, b, c, d)
#define FIVE (word a, word b, word c, word d, word e), (a, b, c, d, e)
#define SIX (word a, word b, word c, word d, word e, word f), (a, b, c, d, e, f)
#define SEVEN (word a, word b, word c, word d, word e, word f, word g), (a, b, c, d, e, f, g)
#define EIGHT                                                                                      \
    (word a, word b, word c, word d, word e, word f, word g, word h), (a, b, c, d, e, f, g, h)
#define NINE                                                                                       \
    (word a, word b, word c, word d, word e, word f, word g, word h, word i),                      \
        (a, b, c, d, e, f, g, h, i)
#define TEN                                                                                        \
    (word a, word b, word c, word d, word e, word f, word g, word h, word i, word j),              \
        (a, b, c, d, e, f, g, h, i, j)

/* What is taken over, in the order of enum bine_entry; then what is needed to begin. */
#define EACH_TAKEN(X)                                                                              \
    BINE_EACH_ENTRY(X)                                                                             \
    X(Comm_free, ONE)                                                                              \
    BINE_EACH_STARTED(X)                                                                           \
    X(Op_free, ONE)                                                                                \
    X(Init, TWO)                                                                                   \
    X(Init_thread, FOUR)

/* What is only counted. */
#define EACH_OTHER(X)                                                                              \
    X(Neighbor_allgather, SEVEN)                                                                   \
    X(Neighbor_allgatherv, EIGHT)                                                                  \
    X(Neighbor_alltoall, SEVEN)                                                                    \
    X(Neighbor_alltoallv, NINE)                                                                    \
    X(Neighbor_alltoallw, NINE)

/* Numbers of all of them. */
#define NUMBER(NAME, SHAPE) K_##NAME,
enum { EACH_TAKEN(NUMBER) EACH_OTHER(NUMBER) GATES, OTHERS = GATES - K_Neighbor_allgather };
_Static_assert((int)K_Comm_free == (int)BINE_ENTRY_Comm_free &&
                   (int)K_Op_free == (int)BINE_ENTRY_Op_free && (int)K_Init == (int)BINE_ENTRIES,
               "in the order of enum bine_entry");

#define NAME_OF(NAME, SHAPE) "PMPI_" #NAME,
static const char *const names[GATES] = {EACH_TAKEN(NAME_OF) EACH_OTHER(NAME_OF)};

#define COUNTER(NAME, SHAPE) {.name = "MPI_" #NAME},
static struct bine_other_call other[OTHERS + 1] = {EACH_OTHER(COUNTER){.name = NULL}};

/* Where calls go. */
struct gate {
    _Atomic(bine_function *) outer; /* of MPI_X: a tool's, or the same as inner */
    _Atomic(bine_function *) inner; /* of PMPI_X */
};
static struct gate gates[GATES];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static bine_function *real[GATES];
static bine_function *tool[GATES];
static struct bine_preload bine;

/* Before MPI has begun only the launcher's variables tell ranks apart. */
static int is_first(void) {
    static const char *const variables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                            "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (getenv(variables[i]) != NULL)
            return strcmp(getenv(variables[i]), "0") == 0;
    return 1;
}

/* In a program without MPI nobody calls this. */
static int no_mpi(void) {
    fprintf(stderr, "bine: an MPI function was called, but there is no MPI library that has it\n");
    return -1;
}

static void direct(int k, bine_function *f) {
    atomic_store_explicit(&gates[k].inner, f, memory_order_release);
    atomic_store_explicit(&gates[k].outer, tool[k] != NULL ? tool[k] : f, memory_order_release);
}

static void redirect(int entry, int to_mpi) {
    direct(entry, to_mpi ? real[entry] : bine.take[entry]);
}

static void attach(const struct bine_mpi *mpi) {
    char why[300];
    memcpy(bine.mpi, real, sizeof bine.mpi);
    memcpy(bine.take, real, sizeof bine.take);
    bine.redirect = redirect;
    bine.other = other;
    if (bine_mpi_attach(mpi, &bine, why, sizeof why) != 0 && is_first())
        fprintf(stderr, "bine: %s; collectives are left to MPI\n", why);
}

/* --- What stands behind the gates */

static int begun(int rc) {
    if (rc == 0 && bine.begin != NULL)
        bine.begin();
    return rc;
}

static int init(int *argc, char ***argv) {
    return begun(((int (*)(int *, char ***))real[K_Init])(argc, argv));
}

static int init_thread(int *argc, char ***argv, int required, int *provided) {
    return begun(((int (*)(int *, char ***, int, int *))real[K_Init_thread])(argc, argv, required,
                                                                             provided));
}

#define EXPANDED(MACRO, ...) MACRO(__VA_ARGS__)

#define COUNT_AS(NAME, FORMAL, ACTUAL)                                                             \
    JUMPS static int count_##NAME FORMAL {                                                         \
        atomic_fetch_add_explicit(&other[K_##NAME - K_Neighbor_allgather].calls, 1,                \
                                  memory_order_relaxed);                                           \
        JUMP((int(*) FORMAL)real[K_##NAME]) ACTUAL;                                                \
    }
#define COUNT(NAME, SHAPE) EXPANDED(COUNT_AS, NAME, SHAPE)
EACH_OTHER(COUNT)

#define COUNTING(NAME, SHAPE) (bine_function *)count_##NAME,
static bine_function *const counting[OTHERS] = {EACH_OTHER(COUNTING)};

/* --- Opening them */

static bine_function *behind(int k) {
    if (k < BINE_ENTRIES)
        return bine.take[k];
    if (k == K_Init)
        return (bine_function *)init;
    if (k == K_Init_thread)
        return (bine_function *)init_thread;
    return bine.count_others ? counting[k - K_Neighbor_allgather] : real[k];
}

/* The caller's address leads to its MPI where nothing else does. */
static void open_gates(const void *caller) {
    struct bine_mpi mpi;
    pthread_mutex_lock(&lock);
    if (!ready && bine_mpi_find(caller, &mpi) == 0) {
        for (int k = 0; k < GATES; k++) {
            real[k] = bine_mpi_function(&mpi, names[k]);
            real[k] = real[k] != NULL ? real[k] : (bine_function *)no_mpi;
            tool[k] = bine_mpi_tool(&mpi, names[k] + 1);
        }
        attach(&mpi);
        for (int k = 0; k < GATES; k++)
            direct(k, behind(k));
        atomic_store_explicit(&ready, 1, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
}

/* Where the first calls go. */
#define FIRST_AS(NAME, K, SIDE, FORMAL, ACTUAL)                                                    \
    JUMPS static int first_##SIDE##_##NAME FORMAL {                                                \
        open_gates(__builtin_return_address(0));                                                   \
        if (!atomic_load_explicit(&ready, memory_order_acquire))                                   \
            return no_mpi();                                                                       \
        JUMP((int(*) FORMAL)atomic_load_explicit(&gates[K].SIDE, memory_order_relaxed)) ACTUAL;    \
    }
#define FIRST(NAME, SHAPE)                                                                         \
    EXPANDED(FIRST_AS, NAME, K_##NAME, outer, SHAPE)                                               \
    EXPANDED(FIRST_AS, NAME, K_##NAME, inner, SHAPE)
EACH_TAKEN(FIRST)
EACH_OTHER(FIRST)

#define CLOSED(NAME, SHAPE)                                                                        \
    {(bine_function *)first_outer_##NAME, (bine_function *)first_inner_##NAME},
static struct gate gates[GATES] = {EACH_TAKEN(CLOSED) EACH_OTHER(CLOSED)};

/* --- The gates themselves: a load and a jump */

#define GATE_AS(NAME, K, SIDE, FORMAL, ACTUAL)                                                     \
    EXPORT int NAME FORMAL;                                                                        \
    JUMPS int NAME FORMAL {                                                                        \
        JUMP((int(*) FORMAL)atomic_load_explicit(&gates[K].SIDE, memory_order_acquire)) ACTUAL;    \
    }
#define GATE(NAME, SHAPE)                                                                          \
    EXPANDED(GATE_AS, MPI_##NAME, K_##NAME, outer, SHAPE)                                          \
    EXPANDED(GATE_AS, PMPI_##NAME, K_##NAME, inner, SHAPE)
EACH_TAKEN(GATE)
EACH_OTHER(GATE)

/* What stands behind the gates. */
const struct bine_preload *bine_attached(void) {
    return &bine;
}

/* The function of this library that stands for one of these names, or NULL. */
bine_function *bine_gate_of(const char *name) {
#define PAIR(NAME, SHAPE) {(bine_function *)MPI_##NAME, (bine_function *)PMPI_##NAME},
    static bine_function *const function[GATES][2] = {EACH_TAKEN(PAIR) EACH_OTHER(PAIR)};
    int inner = name[0] == 'P';
    for (int k = 0; k < GATES; k++)
        if (strcmp(name, names[k] + !inner) == 0)
            return function[k][inner];
    return NULL;
}
