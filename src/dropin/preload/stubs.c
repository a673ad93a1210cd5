/* The drop-in library: intercepts MPI's collectives in a program that knows nothing of Bine.
 *
 * It defines MPI_X and PMPI_X of the collectives, because C programs call the first, and
 * Open MPI's Fortran the second. One library serves every MPI: it has none of their types and is
 * linked with none, so that nothing but the program's own MPI comes into the process. Arguments are
 * passed on as words: integers, pointers and handles of all MPI libraries are words. At the first
 * call it finds out which MPI this is, loads the library of Bine for it, and from then on jumps
 * there. Where anything is missing, it jumps to MPI. So it does for collectives that Bine does not
 * have: their stubs count calls for BINE_VERBOSE.
 *
 * A tool that profiles the program by defining MPI_X is passed the calls that it would have got: it
 * calls PMPI_X, which comes back here. */
#define _GNU_SOURCE /* struct link_map */
#include "dropin/preload/find.h"
#include "dropin/preload/jump.h"
#include "dropin/preload/peers.h"

#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* Where the first six travel in registers, the others are not named: they lie where the caller put
 * them, and stay there, since a jump leaves the stack as it came. */
typedef uintptr_t word;
#define ONE() (word a), (a)
#define TWO() (word a, word b), (a, b)
#define THREE() (word a, word b, word c), (a, b, c)
#define FOUR() (word a, word b, word c, word d), (a, b, c, d)
#define FIVE() (word a, word b, word c, word d, word e), (a, b, c, d, e)
#define SIX() (word a, word b, word c, word d, word e, word f), (a, b, c, d, e, f)
#ifdef __x86_64__
#define SEVEN SIX
#define EIGHT SIX
#define NINE SIX
#define TEN SIX
#define ELEVEN SIX
#else
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
#endif

/* Numbers of the stubs. */
enum {
#define ENTRY(M, NAME, S, SHAPE) K_##M##NAME##S,
#include "dropin/preload/stubs.def"
#undef ENTRY
    STUBS,
    OTHER = K_MPI_Neighbor_allgather,
    OTHERS = STUBS - OTHER,
    TWIN = K_MPIX_Bcast_init, /* names with MPIX_: each has one with MPI_ */
    TWINS = OTHER - TWIN
};
_Static_assert((int)K_MPI_Init == (int)BINE_ENTRIES, "in the order of enum bine_entry");

static const char *const names[STUBS] = {
#define ENTRY(M, NAME, S, SHAPE) "P" #M #NAME #S,
#include "dropin/preload/stubs.def"
#undef ENTRY
};

static struct bine_other_call other[OTHERS + 1] = {
#define ONLY_COUNTED
#define ENTRY(M, NAME, S, SHAPE) {.name = #M #NAME},
#include "dropin/preload/stubs.def"
#undef ENTRY
#undef ONLY_COUNTED
};

/* Where calls go. */
struct stub {
    _Atomic(bine_function *) outer; /* of MPI_X: a tool's, or equal to inner */
    _Atomic(bine_function *) inner; /* of PMPI_X */
};
static struct stub stubs[STUBS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* The library behind the stubs, once they are open. */
static _Atomic(const struct bine_preload_library *) library;
static bine_function *real[STUBS];        /* MPI's own; NULL: it has none */
static bine_function *tool[STUBS];        /* of a tool that gets the calls first, or NULL */
static bine_function *take[BINE_ENTRIES]; /* Bine's */

const struct bine_preload_library *bine_attached(void) {
    return atomic_load_explicit(&library, memory_order_acquire);
}

/* Before MPI has begun only the launcher's variables tell ranks apart. */
static int is_first(void) {
    const char *variable = bine_peers_variable();
    return variable == NULL || strcmp(getenv(variable), "0") == 0;
}

/* A program without MPI never calls this. */
static int no_mpi(void) {
    fprintf(stderr, "bine: an MPI function was called, but there is no MPI library that has it\n");
    return -1;
}

static void direct(int k, bine_function *f) {
    f = f != NULL ? f : (bine_function *)no_mpi;
    atomic_store_explicit(&stubs[k].inner, f, memory_order_release);
    atomic_store_explicit(&stubs[k].outer, tool[k] != NULL ? tool[k] : f, memory_order_release);
}

/* Of functions with two names, MPI may have one alone. */
static void find_all(const struct bine_mpi *mpi) {
    for (int k = 0; k < STUBS; k++) {
        real[k] = bine_mpi_function(mpi, names[k]);
        tool[k] = bine_mpi_tool(mpi, names[k] + 1);
    }
    for (int i = 0; i < TWINS; i++) {
        bine_function **one = &real[BINE_ENTRY_Bcast_init + i], **two = &real[TWIN + i];
        *one = *one != NULL ? *one : *two;
        *two = *two != NULL ? *two : *one;
    }
}

/* --- Attaching the library behind the stubs */

static struct bine_mpi found;
static const struct bine_preload_library none; /* of no function: calls are MPI's */

static const struct bine_preload_library *refuse(const char *why, int tells) {
    if (tells)
        fprintf(stderr, "bine: %s; collectives are forwarded to MPI\n", why);
    return &none;
}

static void forward_all(const char *why, int tells) {
    atomic_store_explicit(&library, refuse(why, tells), memory_order_release);
    for (int k = 0; k < STUBS; k++)
        direct(k, real[k]);
}

/* All ranks of the job come here, so all have Bine's algorithms or none: unless one has no drop-in
 * library. Where one is seen, the others do not wait for it. */
static int begun(int rc) {
    const struct bine_preload_library *l = bine_attached();
    if (rc != 0 || l == NULL)
        return rc;
    int lacks = l->begin == NULL;
    struct bine_peers peers = bine_peers_find();
    if (peers.lacking > 0 && !lacks)
        forward_all("a rank of this job has no drop-in library, which all must have or none",
                    peers.first);
    if (peers.lacking > 0)
        return rc;
    if (bine_mpi_any(&found, real[BINE_ENTRY_Allreduce], lacks, peers.first) && !lacks)
        forward_all("a rank of this job has no library of Bine beside its drop-in library that "
                    "fits its MPI",
                    is_first());
    else if (!lacks)
        l->begin();
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
#define ONLY_COUNTED
#define ENTRY(M, NAME, S, SHAPE) EXPANDED(COUNT_AS, K_##M##NAME, SHAPE())
#include "dropin/preload/stubs.def"
#undef ENTRY

static bine_function *const counting[OTHERS] = {
#define ENTRY(M, NAME, S, SHAPE) (bine_function *)count_K_##M##NAME,
#include "dropin/preload/stubs.def"
#undef ENTRY
};
#undef ONLY_COUNTED

/* MPI's own function, as long as nothing was loaded since Bine looked for devices' runtimes. */
#define PASS_AS(K, FORMAL, ACTUAL)                                                                 \
    JUMPS static int pass_##K FORMAL {                                                             \
        const struct bine_preload_library *l = bine_attached();                                    \
        struct link_map *last = atomic_load_explicit(l->last, memory_order_acquire);               \
        int same = last != NULL && __atomic_load_n(&last->l_next, __ATOMIC_RELAXED) == NULL;       \
        JUMP((int(*) FORMAL)(same ? real[K] : take[K])) ACTUAL;                                    \
    }
#define ENTRY(M, NAME, S, SHAPE) EXPANDED(PASS_AS, K_##M##NAME##S, SHAPE())
#include "mpi/intercepted.def"
#undef ENTRY

static bine_function *const passing[BINE_ENTRIES] = {
#define ENTRY(M, NAME, S, SHAPE) (bine_function *)pass_K_##M##NAME##S,
#include "mpi/intercepted.def"
#undef ENTRY
};

/* --- Opening them */

static void redirect(int entry, enum bine_direction to) {
    bine_function *const way[] = {take[entry], real[entry],
                                  real[entry] != NULL ? passing[entry] : NULL};
    int twin = entry - BINE_ENTRY_Bcast_init;
    direct(entry, way[to]);
    if (twin >= 0 && twin < TWINS)
        direct(TWIN + twin, way[to]);
}

static const char *tool_of(int entry) {
    return bine_mpi_file(tool[entry]);
}

static const struct bine_preload_library *attach(const struct bine_mpi *mpi) {
    static const struct bine_preload bine = {real, take, redirect, tool_of, other};
    char why[300];
    memcpy(take, real, sizeof take);
    const struct bine_preload_library *l = bine_mpi_attach(mpi, &bine, why, sizeof why);
    return l != NULL ? l : refuse(why, is_first());
}

static int is_verbose(void) {
    static const char *const yes[] = {"1", "on", "yes", "true"};
    const char *value = getenv("BINE_VERBOSE");
    int on = 0;
    for (size_t i = 0; i < sizeof yes / sizeof *yes && value != NULL; i++)
        on |= strcmp(value, yes[i]) == 0;
    return on;
}

/* BINE_VERBOSE=1, and the library of Bine has had no occasion to say anything: why. */
__attribute__((destructor)) static void tell_of_no_call(void) {
    struct bine_mpi mpi;
    const struct bine_preload_library *l = bine_attached();
    const char *init = bine_mpi_file(tool[K_MPI_Init]);
    int was_told = l != NULL && (l->has_ended == NULL || l->has_ended());
    if (was_told || !is_verbose() || !is_first())
        return;
    if (init == NULL)
        init = bine_mpi_file(tool[K_MPI_Init_thread]);
    if (init != NULL)
        fprintf(stderr,
                "bine: loaded, but saw no call: %s gets MPI_Init first, and calls MPI past Bine; "
                "name Bine behind it in LD_PRELOAD\n",
                init);
    else if (l == NULL && bine_mpi_find(&library, &mpi) == 0)
        fprintf(stderr, "bine: loaded, but saw no call: the program has called no function that "
                        "Bine takes over, or is bound to its MPI library\n");
}

static bine_function *behind(const struct bine_preload_library *l, int k) {
    int counts = l->counts_others != NULL && l->counts_others() && real[k] != NULL;
    if (k < BINE_ENTRIES)
        return take[k];
    if (k == K_MPI_Init)
        return (bine_function *)init;
    if (k == K_MPI_Init_thread)
        return (bine_function *)init_thread;
    if (k < OTHER)
        return take[BINE_ENTRY_Bcast_init + k - TWIN];
    return counts ? counting[k - OTHER] : real[k];
}

/* The caller's address leads to its MPI where nothing else does. */
static void open_stubs(const void *caller) {
    pthread_mutex_lock(&lock);
    if (library == NULL && bine_mpi_find(caller, &found) == 0) {
        find_all(&found);
        const struct bine_preload_library *l = attach(&found);
        for (int k = 0; k < STUBS; k++)
            direct(k, behind(l, k));
        atomic_store_explicit(&library, l, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
}

/* Where the first calls go. */
#define FIRST_AS(K, SIDE, FORMAL, ACTUAL)                                                          \
    JUMPS static int first_##SIDE##_##K FORMAL {                                                   \
        open_stubs(__builtin_return_address(0));                                                   \
        if (atomic_load_explicit(&library, memory_order_acquire) == NULL)                          \
            return no_mpi();                                                                       \
        JUMP((int(*) FORMAL)atomic_load_explicit(&stubs[K].SIDE, memory_order_relaxed)) ACTUAL;    \
    }
#define ENTRY(M, NAME, S, SHAPE)                                                                   \
    EXPANDED(FIRST_AS, K_##M##NAME##S, outer, SHAPE())                                             \
    EXPANDED(FIRST_AS, K_##M##NAME##S, inner, SHAPE())
#include "dropin/preload/stubs.def"
#undef ENTRY

static struct stub stubs[STUBS] = {
#define ENTRY(M, NAME, S, SHAPE)                                                                   \
    {(bine_function *)first_outer_K_##M##NAME##S, (bine_function *)first_inner_K_##M##NAME##S},
#include "dropin/preload/stubs.def"
#undef ENTRY
};

/* --- The stubs themselves: a load and a jump */

#define STUB_AS(NAME, K, SIDE, FORMAL, ACTUAL)                                                     \
    EXPORT int NAME FORMAL;                                                                        \
    JUMPS int NAME FORMAL {                                                                        \
        JUMP((int(*) FORMAL)atomic_load_explicit(&stubs[K].SIDE, memory_order_acquire)) ACTUAL;    \
    }
#define ENTRY(M, NAME, S, SHAPE)                                                                   \
    EXPANDED(STUB_AS, M##NAME##S, K_##M##NAME##S, outer, SHAPE())                                  \
    EXPANDED(STUB_AS, P##M##NAME##S, K_##M##NAME##S, inner, SHAPE())
#include "dropin/preload/stubs.def"
#undef ENTRY

/* The function of this library that stands for one of these names, or NULL. */
bine_function *bine_stub_of(const char *name) {
    static bine_function *const function[STUBS][2] = {
#define ENTRY(M, NAME, S, SHAPE) {(bine_function *)M##NAME##S, (bine_function *)P##M##NAME##S},
#include "dropin/preload/stubs.def"
#undef ENTRY
    };
    int inner = name[0] == 'P';
    for (int k = 0; k < STUBS; k++)
        if (strcmp(name, names[k] + !inner) == 0)
            return function[k][inner];
    return NULL;
}
