/* The entry points. Each names its arguments once; everything else is common. */
#include "mpi/collectives.h"
#include "mpi/context.h"
#include "mpi/location.h"
#include "mpi/mpi_calls.h"
#include "mpi/preload_interface.h"
#include "mpi/requests.h"
#include "mpi/taken.h"
#include "mpi/untaken.h"
#include "mpi/verbose.h"
#include "mpi/warn.h"
#include "mpi/world.h"

#include "bine.h"

#include <stddef.h>
#include <string.h>

/* A list of parameters with one more. */
#define BINE_AND_PLAN(...) (__VA_ARGS__, Bine_Plan * plan)

/* Four forms of every collective: now, taken over from MPI, as a plan, and started. */
#define CALL(NAME, OWN, FORMAL, ACTUAL, ...)                                                       \
    int Bine_##NAME FORMAL {                                                                       \
        struct bine_arguments a = {.entry = BINE_ENTRY_##NAME, __VA_ARGS__};                       \
        return bine_call_now(&a);                                                                  \
    }                                                                                              \
    BINE_TAKE_NOW(NAME, OWN, , 0, FORMAL, ACTUAL, __VA_ARGS__)                                     \
    int Bine_##NAME##_init BINE_AND_PLAN FORMAL {                                                  \
        struct bine_arguments a = {.entry = BINE_ENTRY_##NAME, __VA_ARGS__};                       \
        return bine_call_init(&a, plan);                                                           \
    }                                                                                              \
    int Bine_I##OWN(BINE_LISTED FORMAL, Bine_Request *request) {                                   \
        const struct bine_arguments a = {                                                          \
            .nonblocking = 1, .entry = BINE_ENTRY_##NAME, __VA_ARGS__};                            \
        return bine_call_start(&a, request);                                                       \
    }
#include "mpi/entries.def"
#undef CALL

/* Warnings should come early. Rank 0 may never be asked where it is, if it is alone. */
static void begin(void) {
    struct bine_policy p;
    struct bine_process_location w;
    if (bine_context_begin() != MPI_SUCCESS)
        return;
    bine_policy_read(&p);
    if (bine_world_rank() == 0)
        bine_location_find(&w);
    bine_untaken_begin();
}

/* --- Attached to the drop-in library */

/* Of a communicator that is freed, nothing is remembered: its handle may be used again. */
static int take_comm_free(MPI_Comm *comm) {
    MPI_Comm freed = comm != NULL ? *comm : MPI_COMM_NULL;
    int rc = bine_mpi.comm_free(comm);
    if (rc == MPI_SUCCESS)
        bine_communicators_removed(freed);
    return rc;
}

static void (*redirect_entry)(int entry, int to_mpi);

/* The collective of each entry: the first field of its arguments. */
static const struct bine_arguments of_entry[BINE_ENTRY_Comm_free] = {
#define FIRST(FIELD, ...)                                                                          \
    { FIELD }
#define CALL(NAME, OWN, FORMAL, ACTUAL, ...) [BINE_ENTRY_##NAME] = FIRST(__VA_ARGS__, ),
#include "mpi/entries.def"
#undef CALL
#undef FIRST
};

/* With int, and with large counts. */
static void redirect(enum bine_collective c, int to_mpi) {
    for (int entry = 0; entry < BINE_ENTRY_Comm_free; entry++) {
        if (of_entry[entry].collective != c)
            continue;
        redirect_entry(entry, to_mpi);
        if (entry < BINE_ENTRY_Barrier)
            redirect_entry(BINE_ENTRY_Bcast_c + entry, to_mpi);
    }
}

void bine_preload_attach_5(struct bine_preload *d) {
    _Static_assert(sizeof bine_mpi == sizeof d->mpi, "one pointer for each call");
#define CALL(NAME, OWN, ...)                                                                       \
    _Static_assert(offsetof(struct bine_mpi_calls, OWN) ==                                         \
                       BINE_ENTRY_##NAME * sizeof(bine_function *),                                \
                   "in the order of enum bine_entry");
#include "mpi/entries.def"
#undef CALL
    _Static_assert(offsetof(struct bine_mpi_calls, exscan_init_c) ==
                       BINE_ENTRY_Exscan_init_c * sizeof(bine_function *),
                   "and so are the last");
    memcpy(&bine_mpi, d->mpi, sizeof bine_mpi);
#define CALL(NAME, OWN, ...) d->take[BINE_ENTRY_##NAME] = (bine_function *)take_##OWN;
#include "mpi/entries.def"
#undef CALL
    d->take[BINE_ENTRY_Comm_free] = (bine_function *)take_comm_free;
    bine_taken_attach(d);
    bine_large_attach(d);
    d->begin = begin;
    d->count_others = bine_verbose_is_on();
    redirect_entry = d->redirect;
    bine_untaken_attach(redirect);
    bine_verbose_attach(d->other);
}
