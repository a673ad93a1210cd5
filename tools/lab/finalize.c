/* Preloaded into the ranks of a lab under MPICH: lets MPI_Finalize end.
 *
 * MPICH 4.0 over UCX closes its connections there, then waits for the launcher. Closing one may
 * need the other side to answer, and a rank that waits for the launcher does not: over TCP, 16
 * ranks hardly ever come to an end. So all that is pending is sent first, while every rank still
 * answers; then connections are left to close with the process. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

/* As in ucp.h: a request is NULL when it is done at once, a small negative number when it failed.
 */
typedef int create_function(void *context, const void *params, void **worker);
typedef void *flush_function(void *worker, unsigned flags, void (*done)(void *, int));
typedef unsigned progress_function(void *worker);
typedef int status_function(void *request);
typedef void free_function(void *request);
typedef int barrier_function(MPI_Comm comm);
typedef int finalize_function(void);

create_function ucp_worker_create;
void *ucp_disconnect_nb(void *endpoint);

enum { IN_PROGRESS = 1, WORKERS_MOST = 64 };

static void *workers[WORKERS_MOST];
static int count;

/* RTLD_NEXT does not see libraries that a program loads late, as Python does: these are found by
 * their names. */
static void *find(const char *name) {
    static const char *const late[] = {"libucp.so.0", "libmpich.so.12", "libmpi.so.12"};
    void *f = dlsym(RTLD_NEXT, name);
    for (size_t i = 0; i < sizeof late / sizeof *late && f == NULL; i++) {
        void *library = dlopen(late[i], RTLD_LAZY | RTLD_NOLOAD);
        f = library != NULL ? dlsym(library, name) : NULL;
    }
    return f;
}

int ucp_worker_create(void *context, const void *params, void **worker) {
    create_function *real;
    *(void **)&real = find("ucp_worker_create");
    int rc = real(context, params, worker);
    if (rc == 0 && count < WORKERS_MOST)
        workers[count++] = *worker;
    return rc;
}

void *ucp_disconnect_nb(void *endpoint) {
    (void)endpoint;
    return NULL;
}

static void ignore(void *request, int status) {
    (void)request;
    (void)status;
}

static void flush_worker(void *worker) {
    flush_function *flush;
    progress_function *progress;
    status_function *status;
    free_function *release;
    *(void **)&flush = find("ucp_worker_flush_nb");
    *(void **)&progress = find("ucp_worker_progress");
    *(void **)&status = find("ucp_request_check_status");
    *(void **)&release = find("ucp_request_free");
    void *request = flush(worker, 0, ignore);
    if (request == NULL || (intptr_t)request < 0)
        return;
    while (status(request) == IN_PROGRESS)
        progress(worker);
    release(request);
}

int MPI_Finalize(void) {
    barrier_function *barrier;
    finalize_function *finalize;
    *(void **)&barrier = find("PMPI_Barrier");
    *(void **)&finalize = find("PMPI_Finalize");
    barrier(MPI_COMM_WORLD);
    for (int i = 0; i < count; i++)
        flush_worker(workers[i]);
    barrier(MPI_COMM_WORLD);
    return finalize();
}
