/* The calls that the drop-in library intercepts, recorded: each goes on to where it would have gone
 * without a profile. */
#include "dropin/nonblocking.h"
#include "engine/memory/memory.h"
#include "mpi/mpi_calls.h"
#include "record/record.h"

#include <stdlib.h>
#include <string.h>

/* Where the calls of an entry go. */
static struct {
    bine_function *bine, *mpi;
    _Atomic(int) to; /* enum bine_direction */
} way[BINE_ENTRIES];

static inline bine_function *way_of(int entry, int *by_mpi) {
    int to = atomic_load_explicit(&way[entry].to, memory_order_relaxed);
    *by_mpi = to == BINE_TO_MPI || (to == BINE_TO_MPI_FROM_HOST && bine_memory_is_host_only());
    return *by_mpi ? way[entry].mpi : way[entry].bine;
}

void bine_record_redirect(int entry, enum bine_direction to) {
    atomic_store(&way[entry].to, (int)to);
}

/* The arguments of a call are looked at when it has succeeded: until then they may be wrong. */
#define RECORD(FUNCTION, ENTRY, FORM, LISTED, LEFT, THEN, ...)                                     \
    static int record_##FUNCTION(BINE_LISTED LISTED) {                                             \
        struct bine_recorded x = {.form = FORM, .site = __builtin_return_address(0)};              \
        bine_function *f = way_of(BINE_ENTRY_##ENTRY, &x.by_mpi);                                  \
        bine_recorded_begin(&x, (FORM) == BINE_FORM_BLOCKING);                                     \
        int rc = ((int (*)(BINE_LISTED LISTED))f)(BINE_LISTED LEFT);                               \
        if (rc == MPI_SUCCESS) {                                                                   \
            const struct bine_arguments a = {.drop_in = 1, __VA_ARGS__};                           \
            THEN;                                                                                  \
        }                                                                                          \
        return rc;                                                                                 \
    }
#define WITH(LIST, ...) (BINE_LISTED LIST, __VA_ARGS__)
#define HANDLE(REQUEST) ((const void *)(uintptr_t)(REQUEST))
#define RECORD_ALL(NAME, OWN, S, LARGE, FORMAL, ACTUAL, ...)                                       \
    RECORD(OWN##S, NAME##S, BINE_FORM_BLOCKING, FORMAL, ACTUAL, bine_record_call(&a, &x),          \
           .large = LARGE, .entry = BINE_ENTRY_##NAME, __VA_ARGS__)                                \
    RECORD(i##OWN##S, I##OWN##S, BINE_FORM_NONBLOCKING, WITH(FORMAL, MPI_Request *request),        \
           WITH(ACTUAL, request), bine_record_call(&a, &x), .large = LARGE, .nonblocking = 1,      \
           .entry = BINE_ENTRY_##NAME, __VA_ARGS__)                                                \
    RECORD(OWN##_init##S, NAME##_init##S, BINE_FORM_PERSISTENT,                                    \
           WITH(FORMAL, MPI_Info info, MPI_Request *request), WITH(ACTUAL, info, request),         \
           bine_record_made(&a, &x, HANDLE(*request)), .large = LARGE, .nonblocking = 1,           \
           .persistent = 1, .entry = BINE_ENTRY_##NAME, __VA_ARGS__)

#define CALL(NAME, OWN, FORMAL, ACTUAL, ...) RECORD_ALL(NAME, OWN, , 0, FORMAL, ACTUAL, __VA_ARGS__)
#include "mpi/entries.def"
#undef CALL
#define BINE_ONLY_COUNTED
#include "mpi/wide.h"
#define CALL(NAME, OWN, FORMAL, ACTUAL, ...)                                                       \
    RECORD_ALL(NAME, OWN, _c, 1, FORMAL, ACTUAL, __VA_ARGS__)
#include "mpi/entries.def"
#undef CALL
#undef BINE_ONLY_COUNTED
#include "mpi/narrow.h"

/* --- Persistent calls */

static int record_start(MPI_Request *request) {
    int by_mpi;
    int (*start)(MPI_Request *) = (int (*)(MPI_Request *))way_of(BINE_ENTRY_Start, &by_mpi);
    const void *before = request != NULL ? HANDLE(*request) : NULL;
    uint64_t begin = bine_ticks();
    int rc = start(request);
    if (rc == MPI_SUCCESS && before != NULL) {
        const void *after = HANDLE(*request);
        bine_record_started(begin, 1, &before, &after);
    }
    return rc;
}

static int record_startall(int count, MPI_Request *request) {
    int by_mpi;
    int (*start)(int, MPI_Request *) =
        (int (*)(int, MPI_Request *))way_of(BINE_ENTRY_Startall, &by_mpi);
    const void **handle = NULL;
    if (bine_record_has_persistent() && count > 0 && request != NULL)
        handle = malloc(2 * (size_t)count * sizeof *handle);
    for (int i = 0; i < count && handle != NULL; i++)
        handle[i] = HANDLE(request[i]);
    uint64_t begin = bine_ticks();
    int rc = start(count, request);
    for (int i = 0; i < count && handle != NULL; i++)
        handle[count + i] = HANDLE(request[i]);
    if (rc == MPI_SUCCESS && handle != NULL)
        bine_record_started(begin, count, handle, handle + count);
    free(handle);
    return rc;
}

static int record_request_free(MPI_Request *request) {
    int by_mpi;
    int (*release)(MPI_Request *) =
        (int (*)(MPI_Request *))way_of(BINE_ENTRY_Request_free, &by_mpi);
    if (request != NULL && bine_record_has_persistent())
        bine_record_freed(HANDLE(*request));
    return release(request);
}

/* --- Attached */

static bine_function *const recorded[BINE_ENTRIES] = {
#define CALL(NAME, OWN, ...)                                                                       \
    [BINE_ENTRY_##NAME] = (bine_function *)record_##OWN,                                           \
    [BINE_ENTRY_I##OWN] = (bine_function *)record_i##OWN,                                          \
    [BINE_ENTRY_##NAME##_init] = (bine_function *)record_##OWN##_init,
#include "mpi/entries.def"
#undef CALL
#define BINE_ONLY_COUNTED
#define CALL(NAME, OWN, ...)                                                                       \
    [BINE_ENTRY_##NAME##_c] = (bine_function *)record_##OWN##_c,                                   \
    [BINE_ENTRY_I##OWN##_c] = (bine_function *)record_i##OWN##_c,                                  \
    [BINE_ENTRY_##NAME##_init_c] = (bine_function *)record_##OWN##_init_c,
#include "mpi/entries.def"
#undef CALL
#undef BINE_ONLY_COUNTED
    [BINE_ENTRY_Start] = (bine_function *)record_start,
    [BINE_ENTRY_Startall] = (bine_function *)record_startall,
    [BINE_ENTRY_Request_free] = (bine_function *)record_request_free,
};

void bine_record_attach(const struct bine_preload *d) {
    for (int k = 0; k < BINE_ENTRIES; k++) {
        way[k].bine = d->take[k];
        way[k].mpi = d->mpi[k] != NULL ? d->mpi[k] : d->take[k];
        d->take[k] = recorded[k] != NULL ? recorded[k] : d->take[k];
    }
}
