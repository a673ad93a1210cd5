#include "mpi/process.h"

#include "base/lock.h"
#include "mpi/hooks.h"
#include "mpi/mpi_calls.h"
#include "mpi/world.h"

#include <stdatomic.h>
#include <stddef.h>

enum { BEFORE, RUNNING, FINALIZING };
static atomic_int phase;
static MPI_Comm self = MPI_COMM_NULL; /* made with the watch for MPI_Finalize */

/* The attribute stays when its key is freed. */
static int watch_finalize(void) {
    int key, rc;
    rc = PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, bine_hooks.finalize, &key, NULL);
    if (rc == MPI_SUCCESS)
        rc = PMPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    return rc == MPI_SUCCESS ? PMPI_Comm_free_keyval(&key) : rc;
}

static int find_self(void) {
    int rc = bine_comm_make_private(MPI_COMM_SELF, &self);
    if (rc != MPI_SUCCESS) {
        self = MPI_COMM_NULL;
        return rc;
    }
    rc = watch_finalize();
    if (rc != MPI_SUCCESS)
        PMPI_Comm_free(&self);
    return rc;
}

/* Threads may come here together. */
int bine_process_begin(void) {
    int rc = MPI_SUCCESS, world = bine_has_world();
    bine_lock();
    if (world && self == MPI_COMM_NULL && phase != FINALIZING)
        rc = find_self();
    if (rc == MPI_SUCCESS && phase == BEFORE)
        phase = RUNNING;
    bine_unlock();
    return rc;
}

void bine_process_finalize(void) {
    phase = FINALIZING;
}

void bine_process_end(void) {
    if (self != MPI_COMM_NULL)
        PMPI_Comm_free(&self);
}

int bine_process_is_running(void) {
    return phase == BEFORE ? bine_has_world() : phase == RUNNING;
}

int bine_process_is_finalizing(void) {
    return phase == FINALIZING;
}

MPI_Comm bine_process_self(void) {
    return self;
}

int bine_comm_make_private(MPI_Comm comm, MPI_Comm *private) {
    MPI_Group group;
    int rc = PMPI_Comm_group(comm, &group);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = bine_mpi->comm_create(comm, group, private);
    PMPI_Group_free(&group);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = PMPI_Comm_set_errhandler(*private, MPI_ERRORS_RETURN);
    if (rc != MPI_SUCCESS)
        PMPI_Comm_free(private);
    return rc;
}

int bine_can_make_comm(void) {
    MPI_Comm another;
    return self == MPI_COMM_NULL || (bine_mpi->comm_dup(self, &another) == MPI_SUCCESS &&
                                     PMPI_Comm_free(&another) == MPI_SUCCESS);
}

int bine_is_inter(MPI_Comm comm) {
    int inter = 0;
    return PMPI_Comm_test_inter(comm, &inter) == MPI_SUCCESS && inter;
}

int bine_raise(MPI_Comm comm, int code) {
    if (comm != MPI_COMM_NULL)
        PMPI_Comm_call_errhandler(comm, code);
    else if (bine_has_world())
        PMPI_Comm_call_errhandler(MPI_COMM_WORLD, code);
    return code;
}
