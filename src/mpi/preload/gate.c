/* The drop-in library: takes over MPI's collectives in a program that knows nothing of Bine.
 *
 * It defines MPI_X and PMPI_X of the nine collectives, because C programs call the first, and Open
 * MPI's Fortran the second. It is the same for every MPI library: it has none of their types and is
 * linked with none, so that nothing but the program's own MPI comes into the process. Arguments are
 * passed on as words, which is what integers, pointers and handles of all of them are. At the first
 * call it finds out which MPI this is, loads the library of Bine for it, and from then on jumps
 * there. Where anything is missing, it jumps to MPI.
 *
 * A tool that profiles the program by defining MPI_X is passed the calls that it would have got: it
 * calls PMPI_X, which comes back here. */
#include "mpi/preload/find.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

static const char *const names[BINE_GATES] = {
    "PMPI_Bcast",    "PMPI_Reduce",         "PMPI_Allreduce",
    "PMPI_Gather",   "PMPI_Scatter",        "PMPI_Allgather",
    "PMPI_Alltoall", "PMPI_Reduce_scatter", "PMPI_Reduce_scatter_block",
    "PMPI_Init",     "PMPI_Init_thread",
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static bine_drop_function *outer[BINE_GATES]; /* for MPI_X: a tool's, or the same as inner */
static bine_drop_function *inner[BINE_GATES]; /* for PMPI_X */
static bine_drop_function *real[BINE_GATES];
static struct bine_drop drop;

/* Before MPI has begun only the launcher's variables tell ranks apart. */
static int is_first(void) {
    static const char *const variables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                            "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (getenv(variables[i]) != NULL)
            return strcmp(getenv(variables[i]), "0") == 0;
    return 1;
}

static void attach(const struct bine_mpi *mpi) {
    char why[300];
    memcpy(drop.real, real, sizeof drop.real);
    memcpy(drop.take, real, sizeof drop.take);
    if (bine_mpi_attach(mpi, &drop, why, sizeof why) != 0 && is_first())
        fprintf(stderr, "bine: %s; collectives are left to MPI\n", why);
}

static int init(int *argc, char ***argv);
static int init_thread(int *argc, char ***argv, int required, int *provided);

/* The caller's address leads to its MPI where nothing else does. */
static void open_gate(const void *caller) {
    struct bine_mpi mpi;
    pthread_mutex_lock(&lock);
    if (!ready && bine_mpi_find(caller, &mpi) == 0) {
        for (int k = 0; k < BINE_GATES; k++)
            real[k] = bine_mpi_function(&mpi, names[k]);
        attach(&mpi);
        memcpy(inner, drop.take, sizeof drop.take);
        inner[BINE_GATE_INIT] = (bine_drop_function *)init;
        inner[BINE_GATE_INIT_THREAD] = (bine_drop_function *)init_thread;
        for (int k = 0; k < BINE_GATES; k++) {
            bine_drop_function *tool = bine_mpi_tool(&mpi, names[k] + 1);
            outer[k] = tool != NULL ? tool : inner[k];
        }
        atomic_store_explicit(&ready, 1, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
}

/* In a program without MPI nobody calls this. */
static int no_mpi(void) {
    fprintf(stderr, "bine: an MPI function was called, but there is no MPI library\n");
    return -1;
}

static bine_drop_function *pass(bine_drop_function *const *through, int k, const void *caller) {
    if (!atomic_load_explicit(&ready, memory_order_acquire)) {
        open_gate(caller);
        if (!atomic_load_explicit(&ready, memory_order_acquire))
            return (bine_drop_function *)no_mpi;
    }
    return through[k];
}

static int init(int *argc, char ***argv) {
    int rc = ((int (*)(int *, char ***))real[BINE_GATE_INIT])(argc, argv);
    if (rc == 0 && drop.begin != NULL)
        drop.begin();
    return rc;
}

static int init_thread(int *argc, char ***argv, int required, int *provided) {
    int rc = ((int (*)(int *, char ***, int, int *))real[BINE_GATE_INIT_THREAD])(
        argc, argv, required, provided);
    if (rc == 0 && drop.begin != NULL)
        drop.begin();
    return rc;
}

/* GATE(NAME, NUMBER, FORMAL, ACTUAL): both names of a function. */
#define GATE_AS(NAME, THROUGH, K, FORMAL, ACTUAL)                                                  \
    EXPORT int NAME FORMAL;                                                                        \
    int NAME FORMAL {                                                                              \
        return ((int(*) FORMAL)pass(THROUGH, K, __builtin_return_address(0)))ACTUAL;               \
    }
#define GATE(NAME, K, FORMAL, ACTUAL)                                                              \
    GATE_AS(MPI_##NAME, outer, K, FORMAL, ACTUAL)                                                  \
    GATE_AS(PMPI_##NAME, inner, K, FORMAL, ACTUAL)

typedef uintptr_t word;
#define FIVE (word a, word b, word c, word d, word e)
#define SIX (word a, word b, word c, word d, word e, word f)
#define SEVEN (word a, word b, word c, word d, word e, word f, word g)
#define EIGHT (word a, word b, word c, word d, word e, word f, word g, word h)

GATE(Bcast, BINE_DROP_BCAST, FIVE, (a, b, c, d, e))
GATE(Reduce, BINE_DROP_REDUCE, SEVEN, (a, b, c, d, e, f, g))
GATE(Allreduce, BINE_DROP_ALLREDUCE, SIX, (a, b, c, d, e, f))
GATE(Gather, BINE_DROP_GATHER, EIGHT, (a, b, c, d, e, f, g, h))
GATE(Scatter, BINE_DROP_SCATTER, EIGHT, (a, b, c, d, e, f, g, h))
GATE(Allgather, BINE_DROP_ALLGATHER, SEVEN, (a, b, c, d, e, f, g))
GATE(Alltoall, BINE_DROP_ALLTOALL, SEVEN, (a, b, c, d, e, f, g))
GATE(Reduce_scatter, BINE_DROP_REDUCE_SCATTER, SIX, (a, b, c, d, e, f))
GATE(Reduce_scatter_block, BINE_DROP_REDUCE_SCATTER_BLOCK, SIX, (a, b, c, d, e, f))
GATE(Init, BINE_GATE_INIT, (int *argc, char ***argv), (argc, argv))
GATE(Init_thread, BINE_GATE_INIT_THREAD, (int *argc, char ***argv, int required, int *provided),
     (argc, argv, required, provided))

/* The function of this library that stands for one of these names, or NULL. */
bine_drop_function *bine_gate_of(const char *name) {
#define ROW(NAME)                                                                                  \
    {"MPI_" #NAME, (bine_drop_function *)MPI_##NAME}, {                                            \
        "PMPI_" #NAME, (bine_drop_function *)PMPI_##NAME                                           \
    }
    static const struct {
        const char *name;
        bine_drop_function *function;
    } gates[] = {
        ROW(Bcast),    ROW(Reduce),         ROW(Allreduce),
        ROW(Gather),   ROW(Scatter),        ROW(Allgather),
        ROW(Alltoall), ROW(Reduce_scatter), ROW(Reduce_scatter_block),
        ROW(Init),     ROW(Init_thread),
    };
    for (size_t i = 0; i < sizeof gates / sizeof *gates; i++)
        if (strcmp(name, gates[i].name) == 0)
            return gates[i].function;
    return NULL;
}
