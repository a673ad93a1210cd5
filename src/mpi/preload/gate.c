/* The drop-in library: takes over MPI's collectives in a program that knows nothing of Bine.
 *
 * It defines MPI_X and PMPI_X of the collectives, because C programs call the first, and
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
#define ONE() (word a), (a)
#define TWO() (word a, word b), (a, b)
#define THREE() (word a, word b, word c), (a, b, c)
#define FOUR() (word a, word b, word c, word d), (a, b, c, d)
#define FIVE() (word a, word b, word c, word d, word e), (a, b, c, d, e)
#define SIX() (word a, word b, word c, word d, word e, word f), (a, b, c, d, e, f)
#define SEVEN() (word a, word b, word c, word d, word e, word f, word g), (a, b, c, d, e, f, g)
#define EIGHT()                                                                                    \
    (word a, word b, word c, word d, word e, word f, word g, word h), (a, b, c, d, e, f, g, h)
#define NINE()                                                                                     \
    (word a, word b, word c, word d, word e, word f, word g, word h, word i),                      \
        (a, b, c, d, e, f, g, h, i)
#define TEN()                                                                                      \
    (word a, word b, word c, word d, word e, word f, word g, word h, word i, word j),              \
        (a, b, c, d, e, f, g, h, i, j)
#define ELEVEN()                                                                                   \
    (word a, word b, word c, word d, word e, word f, word g, word h, word i, word j, word k),      \
        (a, b, c, d, e, f, g, h, i, j, k)

/* Besides what is taken over, in the order of enum bine_entry: what is needed to begin; other names
 * that Open MPI has for persistent collectives; and what is only counted. */
#define EACH_GATE(X)                                                                               \
    BINE_EACH_TAKEN(X)                                                                             \
    X(MPI_, Init, , TWO)                                                                           \
    X(MPI_, Init_thread, , FOUR)                                                                   \
    BINE_EACH_OF(BINE_PERSISTENT, X, MPIX_)                                                        \
    EACH_OTHER(X)

#define EACH_OTHER(X)                                                                              \
    X(MPI_, Neighbor_allgather, , SEVEN)                                                           \
    X(MPI_, Neighbor_allgatherv, , EIGHT)                                                          \
    X(MPI_, Neighbor_alltoall, , SEVEN)                                                            \
    X(MPI_, Neighbor_alltoallv, , NINE)                                                            \
    X(MPI_, Neighbor_alltoallw, , NINE)

/* Numbers of all of them. */
#define NUMBER(M, NAME, S, SHAPE) K_##M##NAME##S,
enum {
    EACH_GATE(NUMBER) GATES,
    OTHER = K_MPI_Neighbor_allgather,
    OTHERS = GATES - OTHER,
    TWIN = K_MPIX_Bcast_init, /* those of MPIX_: each has one of MPI_ */
    TWINS = OTHER - TWIN
};
_Static_assert((int)K_MPI_Init == (int)BINE_ENTRIES, "in the order of enum bine_entry");

#define NAME_OF(M, NAME, S, SHAPE) "P" #M #NAME #S,
static const char *const names[GATES] = {EACH_GATE(NAME_OF)};

#define COUNTER(M, NAME, S, SHAPE) {.name = #M #NAME},
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

/* Of those with two names, MPI may have one alone. */
static void find_all(const struct bine_mpi *mpi) {
    for (int k = 0; k < GATES; k++) {
        real[k] = bine_mpi_function(mpi, names[k]);
        tool[k] = bine_mpi_tool(mpi, names[k] + 1);
    }
    for (int i = 0; i < TWINS; i++) {
        bine_function **one = &real[BINE_ENTRY_Bcast_init + i], **two = &real[TWIN + i];
        *one = *one != NULL ? *one : *two;
        *two = *two != NULL ? *two : *one;
    }
    memcpy(bine.mpi, real, sizeof bine.mpi);
    for (int k = 0; k < GATES; k++)
        real[k] = real[k] != NULL ? real[k] : (bine_function *)no_mpi;
}

static void attach(const struct bine_mpi *mpi) {
    char why[300];
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
    return begun(((int (*)(int *, char ***))real[K_MPI_Init])(argc, argv));
}

static int init_thread(int *argc, char ***argv, int required, int *provided) {
    return begun(((int (*)(int *, char ***, int, int *))real[K_MPI_Init_thread])(
        argc, argv, required, provided));
}

#define EXPANDED(MACRO, ...) MACRO(__VA_ARGS__)

#define COUNT_AS(K, FORMAL, ACTUAL)                                                                \
    JUMPS static int count_##K FORMAL {                                                            \
        atomic_fetch_add_explicit(&other[K - OTHER].calls, 1, memory_order_relaxed);               \
        JUMP((int(*) FORMAL)real[K]) ACTUAL;                                                       \
    }
#define COUNT(M, NAME, S, SHAPE) EXPANDED(COUNT_AS, K_##M##NAME, SHAPE())
EACH_OTHER(COUNT)

#define COUNTING(M, NAME, S, SHAPE) (bine_function *)count_K_##M##NAME,
static bine_function *const counting[OTHERS] = {EACH_OTHER(COUNTING)};

/* --- Opening them */

static bine_function *behind(int k) {
    if (k < BINE_ENTRIES)
        return bine.take[k];
    if (k == K_MPI_Init)
        return (bine_function *)init;
    if (k == K_MPI_Init_thread)
        return (bine_function *)init_thread;
    if (k < OTHER)
        return bine.take[BINE_ENTRY_Bcast_init + k - TWIN];
    return bine.count_others ? counting[k - OTHER] : real[k];
}

/* The caller's address leads to its MPI where nothing else does. */
static void open_gates(const void *caller) {
    struct bine_mpi mpi;
    pthread_mutex_lock(&lock);
    if (!ready && bine_mpi_find(caller, &mpi) == 0) {
        find_all(&mpi);
        attach(&mpi);
        for (int k = 0; k < GATES; k++)
            direct(k, behind(k));
        atomic_store_explicit(&ready, 1, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
}

/* Where the first calls go. */
#define FIRST_AS(K, SIDE, FORMAL, ACTUAL)                                                          \
    JUMPS static int first_##SIDE##_##K FORMAL {                                                   \
        open_gates(__builtin_return_address(0));                                                   \
        if (!atomic_load_explicit(&ready, memory_order_acquire))                                   \
            return no_mpi();                                                                       \
        JUMP((int(*) FORMAL)atomic_load_explicit(&gates[K].SIDE, memory_order_relaxed)) ACTUAL;    \
    }
#define FIRST(M, NAME, S, SHAPE)                                                                   \
    EXPANDED(FIRST_AS, K_##M##NAME##S, outer, SHAPE())                                             \
    EXPANDED(FIRST_AS, K_##M##NAME##S, inner, SHAPE())
EACH_GATE(FIRST)

#define CLOSED(M, NAME, S, SHAPE)                                                                  \
    {(bine_function *)first_outer_K_##M##NAME##S, (bine_function *)first_inner_K_##M##NAME##S},
static struct gate gates[GATES] = {EACH_GATE(CLOSED)};

/* --- The gates themselves: a load and a jump */

#define GATE_AS(NAME, K, SIDE, FORMAL, ACTUAL)                                                     \
    EXPORT int NAME FORMAL;                                                                        \
    JUMPS int NAME FORMAL {                                                                        \
        JUMP((int(*) FORMAL)atomic_load_explicit(&gates[K].SIDE, memory_order_acquire)) ACTUAL;    \
    }
#define GATE(M, NAME, S, SHAPE)                                                                    \
    EXPANDED(GATE_AS, M##NAME##S, K_##M##NAME##S, outer, SHAPE())                                  \
    EXPANDED(GATE_AS, P##M##NAME##S, K_##M##NAME##S, inner, SHAPE())
EACH_GATE(GATE)

/* What stands behind the gates. */
const struct bine_preload *bine_attached(void) {
    return &bine;
}

/* The function of this library that stands for one of these names, or NULL. */
bine_function *bine_gate_of(const char *name) {
#define PAIR(M, NAME, S, SHAPE) {(bine_function *)M##NAME##S, (bine_function *)P##M##NAME##S},
    static bine_function *const function[GATES][2] = {EACH_GATE(PAIR)};
    int inner = name[0] == 'P';
    for (int k = 0; k < GATES; k++)
        if (strcmp(name, names[k] + !inner) == 0)
            return function[k][inner];
    return NULL;
}
