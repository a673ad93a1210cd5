/* The entry points. Each names its arguments once; everything else is common. */
#include "api/lifetime.h"
#include "call/collectives.h"
#include "comm/communicators.h"
#include "comm/progress.h"
#include "dropin/nonblocking.h"
#include "engine/memory/memory.h"
#include "mpi/mpi_calls.h"
#include "mpi/process.h"
#include "record/job.h"
#include "record/own.h"
#include "record/record.h"
#include "report/verbose.h"
#include "request/requests.h"

#include "bine.h"

#include <stddef.h>

/* A list of parameters with one more. */
#define BINE_AND_PLAN(...) (__VA_ARGS__, Bine_Plan * plan)

/* Four forms of every collective: blocking, intercepted from MPI, as a plan, and nonblocking. */
#define CALL(NAME, OWN, FORMAL, ACTUAL, ...)                                                       \
    int Bine_##NAME FORMAL {                                                                       \
        struct bine_arguments a = {.entry = BINE_ENTRY_##NAME, __VA_ARGS__};                       \
        return bine_own.now(&a);                                                                   \
    }                                                                                              \
    BINE_INTERCEPT(NAME, OWN, , 0, FORMAL, ACTUAL, __VA_ARGS__)                                    \
    int Bine_##NAME##_init BINE_AND_PLAN FORMAL {                                                  \
        struct bine_arguments a = {.entry = BINE_ENTRY_##NAME, __VA_ARGS__};                       \
        return bine_call_init(&a, plan);                                                           \
    }                                                                                              \
    int Bine_I##OWN(BINE_LISTED FORMAL, Bine_Request *request) {                                   \
        const struct bine_arguments a = {                                                          \
            .nonblocking = 1, .entry = BINE_ENTRY_##NAME, __VA_ARGS__};                            \
        return bine_own.start(&a, request);                                                        \
    }
#include "mpi/entries.def"
#undef CALL

/* --- Attached to the drop-in library */

/* Of a communicator that is freed, nothing is remembered: its handle may be used again. */
static int take_leave(MPI_Comm *comm, int (*forward)(MPI_Comm *)) {
    struct bine_leaving_communicator l = {.comm = comm != NULL ? *comm : MPI_COMM_NULL};
    bine_communicators_leave(&l);
    int rc = forward(comm);
    bine_communicators_left(&l);
    return rc;
}

static int take_comm_free(MPI_Comm *comm) {
    return take_leave(comm, bine_mpi->comm_free);
}

static int take_comm_disconnect(MPI_Comm *comm) {
    return take_leave(comm, bine_mpi->comm_disconnect);
}

/* Where a profile is recorded, calls go there first. */
static void redirect_entry(int entry, enum bine_direction to) {
    if (bine_record_is_wanted())
        bine_record_redirect(entry, to);
    else
        bine_drop_in->redirect(entry, to);
}

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
void bine_redirect(enum bine_collective c, enum bine_direction to) {
    for (int entry = 0; bine_drop_in != NULL && entry < BINE_ENTRY_Comm_free; entry++) {
        if (of_entry[entry].collective != c)
            continue;
        redirect_entry(entry, to);
        if (entry < BINE_ENTRY_Barrier)
            redirect_entry(BINE_ENTRY_Bcast_c + entry, to);
    }
}

void bine_redirect_nonblocking(enum bine_direction to) {
    for (int entry = 0; bine_drop_in != NULL && entry < BINE_ENTRY_Comm_free; entry++) {
        redirect_entry(BINE_ENTRY_Ibcast + entry, to);
        redirect_entry(BINE_ENTRY_Bcast_init + entry, to);
        if (entry == BINE_ENTRY_Barrier)
            continue;
        redirect_entry(BINE_ENTRY_Ibcast_c + entry, to);
        redirect_entry(BINE_ENTRY_Bcast_init_c + entry, to);
    }
}

/* A tool that calls the MPI library's own MPI_X, and not PMPI_X, passes Bine by. */
void bine_tell_of_tools(void) {
    static const char *const name[] = {
#define CALL(NAME, ...) [BINE_ENTRY_##NAME] = "MPI_" #NAME,
#include "mpi/entries.def"
#undef CALL
    };
    int first = -1, more = 0;
    if (bine_drop_in == NULL)
        return;
    for (int entry = 0; entry < BINE_ENTRY_Comm_free; entry++) {
        if (bine_drop_in->tool(entry) == NULL || bine_verbose_saw(of_entry[entry].collective))
            continue;
        more += first >= 0;
        first = first < 0 ? entry : first;
    }
    if (first >= 0)
        bine_verbose_remark("saw no call of %s and %d other functions: %s gets them first, and may "
                            "call MPI past Bine; name Bine behind it in LD_PRELOAD",
                            name[first], more, bine_drop_in->tool(first));
}

#ifndef BINE_BUILT_FOR
#define BINE_BUILT_FOR ""
#endif
const char bine_preload_built_for[] = BINE_BUILT_FOR;

static const struct bine_preload_library library = {
    .begin = bine_begin,
    .counts_others = bine_verbose_is_on,
    .has_ended = bine_process_is_finalizing,
    .last = &bine_memory_last,
    .pending = &bine_pending_calls,
    .poll = bine_progress_from_mpi,
    .polled = &bine_progress_hooked,
};

const struct bine_preload_library *bine_preload_attach_8(const struct bine_preload *d) {
    bine_mpi_attach(d);
#define CALL(NAME, OWN, ...) d->take[BINE_ENTRY_##NAME] = (bine_function *)take_##OWN;
#include "mpi/entries.def"
#undef CALL
    d->take[BINE_ENTRY_Comm_free] = (bine_function *)take_comm_free;
    d->take[BINE_ENTRY_Comm_disconnect] = (bine_function *)take_comm_disconnect;
    bine_dropin_attach(d);
    bine_large_attach(d);
    bine_making_attach(d);
    if (bine_record_is_wanted())
        bine_record_attach(d);
    return &library;
}
