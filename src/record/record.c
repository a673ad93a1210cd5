#include "record/record.h"

#include "comm/context.h"
#include "mpi/world.h"
#include "record/job.h"
#include "record/kinds.h"
#include "record/site.h"
#include "record/tape_call.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) {
    if (bine_record_job.threads)
        pthread_mutex_lock(&lock);
}

static void leave(void) {
    if (bine_record_job.threads)
        pthread_mutex_unlock(&lock);
}

/* --- The kind of a call */

/* Not every communicator is in the table of these. */
static const struct bine_shortcuts *shortcuts_of(MPI_Comm comm) {
    const struct bine_shortcuts *s = bine_shortcuts_of(comm);
    struct bine_context *c;
    if (s == NULL && bine_context_find(comm, &c) == MPI_SUCCESS && c != NULL)
        s = &c->caches.shortcuts;
    return s;
}

/* The choice that the communicator noted for its last call, or NULL: MPI made it. Started calls are
 * noted there only if Bine takes some. */
static const struct bine_choice *noted(const struct bine_arguments *a,
                                       const struct bine_recorded *x) {
    int asked = !x->by_mpi && (x->form == BINE_FORM_BLOCKING || !a->drop_in ||
                               atomic_load(&bine_intercepts_nonblocking));
    const struct bine_shortcuts *s = asked ? shortcuts_of(a->comm) : NULL;
    return s == NULL || s->last_reason != NULL ? NULL : &s->context->choosing.last;
}

static void find_algorithm(const struct bine_arguments *a, const struct bine_recorded *x,
                           struct bine_call_kind *k) {
    const struct bine_choice *c = x->choice != NULL ? x->choice : noted(a, x);
    k->algorithm = BINE_PART_BY_MPI;
    if (c != NULL && c->algorithm != NULL) {
        k->algorithm = (unsigned)(c->algorithm - bine_catalogue);
        k->layout = (unsigned)c->layout;
    } else if (c != NULL && x->choice == NULL && c->reason != NULL)
        k->algorithm = BINE_PART_BY_DEVICE;
}

static unsigned class_of(enum bine_collective c, int64_t bytes) {
    return bine_collective_is_uneven(c) && c != BINE_ALLGATHERV ? BINE_CLASS_NONE
                                                                : bine_recorded_class(bytes);
}

/* The communicator, or NULL: there is none to name. */
static const struct bine_recorded_comm *describe(const struct bine_arguments *a,
                                                 const struct bine_recorded *x,
                                                 struct bine_recorded_call *call) {
    struct bine_recorder *r = &bine_record_job.recorder;
    const struct bine_recorded_comm *c = bine_recorded_comm_of(r, a->comm);
    struct bine_call_kind k = {.collective = a->collective, .form = x->form};
    enum bine_datatype kind;
    if (c == NULL)
        return NULL;
    int64_t bytes = bine_recorded_bytes(a, c, &kind);
    k.comm = c->place;
    k.datatype = kind;
    k.class = class_of(a->collective, bytes);
    if (bine_record_job.sites)
        k.site = bine_record_site(r, x->site);
    find_algorithm(a, x, &k);
    call->key = bine_call_kind_pack(&k);
    call->root = bine_collective_is_rooted(a->collective) ? a->root : BINE_ROOT_NONE;
    if (call->root < 0) /* MPI_ROOT and MPI_PROC_NULL are negative */
        call->root = BINE_ROOT_NONE;
    call->bytes = bytes > 0 ? (double)bytes : 0;
    return c;
}

void bine_record_call(const struct bine_arguments *a, const struct bine_recorded *x) {
    struct bine_recorded_call call = {.begin = x->begin, .end = bine_ticks()};
    const struct bine_recorded_comm *c = NULL;
    if (bine_record_job.recorder.part == NULL && !bine_record_job.over)
        bine_record_begin();
    enter();
    if (bine_record_job.recorder.part != NULL)
        c = describe(a, x, &call);
    if (c != NULL)
        bine_record(&bine_record_job.recorder, &call);
    if (c != NULL && bine_tape.part != NULL) {
        if (!x->taped)
            bine_tape_open(&bine_tape);
        bine_record_tape_call(c, &bine_record_job.recorder.part->comm[c->place], &call);
    }
    leave();
}

void bine_record_open(void) {
    if (bine_record_job.recorder.part == NULL && !bine_record_job.over)
        bine_record_begin();
    enter();
    bine_tape_open(&bine_tape);
    leave();
}

/* --- Persistent calls, by request. A request that finds no room is not recorded. */

enum { REQUESTS = 1024 };

static struct request {
    const void *handle; /* NULL: free */
    struct bine_recorded_call call;
} * requests;

int bine_record_has_persistent(void) {
    return requests != NULL;
}

static struct request *request_of(const void *handle) {
    unsigned at = bine_hash_number((uint64_t)(uintptr_t)handle) % REQUESTS;
    for (unsigned i = 0; requests != NULL && i < 8; i++)
        if (requests[(at + i) % REQUESTS].handle == handle)
            return &requests[(at + i) % REQUESTS];
    return NULL;
}

static struct request *free_place(const void *handle) {
    unsigned at = bine_hash_number((uint64_t)(uintptr_t)handle) % REQUESTS;
    for (unsigned i = 0; requests != NULL && i < 8; i++)
        if (requests[(at + i) % REQUESTS].handle == NULL)
            return &requests[(at + i) % REQUESTS];
    return NULL;
}

static void keep(const void *handle, const struct bine_recorded_call *call) {
    if (requests == NULL)
        requests = calloc(REQUESTS, sizeof *requests);
    struct request *q = request_of(handle);
    q = q != NULL ? q : free_place(handle);
    if (q != NULL)
        *q = (struct request){handle, *call};
}

void bine_record_made(const struct bine_arguments *a, const struct bine_recorded *x,
                      const void *request) {
    struct bine_recorded_call call = {.begin = 0};
    if (bine_record_job.recorder.part == NULL && !bine_record_job.over)
        bine_record_begin();
    enter();
    if (bine_record_job.recorder.part != NULL && describe(a, x, &call) != NULL)
        keep(request, &call);
    leave();
}

/* MPI may give the program another handle as it starts a request. Several that are started together
 * share the time. */
static void start(const void *before, const void *after, uint64_t begin, uint64_t end) {
    struct request *q = request_of(before);
    if (q == NULL || before == NULL)
        return;
    struct bine_recorded_call call = q->call;
    call.begin = begin;
    call.end = end;
    if (bine_record_job.recorder.part != NULL)
        bine_record(&bine_record_job.recorder, &call);
    if (after != before) {
        q->handle = NULL;
        keep(after, &call);
    }
}

void bine_record_started(uint64_t begin, int n, const void *const *before,
                         const void *const *after) {
    uint64_t end = bine_ticks(), ours = 0, step;
    enter();
    for (int i = 0; i < n; i++)
        ours += before[i] != NULL && request_of(before[i]) != NULL;
    step = ours > 0 && end > begin ? (end - begin) / ours : 0;
    for (int i = 0; i < n && ours > 0; i++)
        start(before[i], after[i], begin, begin + step);
    leave();
}

void bine_record_freed(const void *request) {
    enter();
    struct request *q = request != NULL ? request_of(request) : NULL;
    if (q != NULL)
        q->handle = NULL;
    leave();
}
