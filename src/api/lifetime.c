/* The order in which layers begin and end. */
#include "api/lifetime.h"

#include "call/opening.h"
#include "call/pass_through.h"
#include "comm/location.h"
#include "comm/node.h"
#include "comm/tuning/wisdom.h"
#include "comm/waiting.h"
#include "dropin/persistent.h"
#include "mpi/halves.h"
#include "mpi/world.h"
#include "record/job.h"
#include "report/verbose.h"

/* Warnings should come early. Rank 0 may never be asked where it is, if it is alone. */
void bine_begin(void) {
    struct bine_policy p;
    struct bine_process_location w;
    if (bine_process_begin() != MPI_SUCCESS)
        return;
    bine_policy_read(&p);
    if (bine_world_rank() == 0)
        bine_location_find(&w);
    bine_pass_through_begin();
    bine_record_begin();
    bine_opening_begin();
}

/* MPI_Finalize frees the attributes of MPI_COMM_SELF before anything else. */
static int finalize(MPI_Comm comm, int key, void *value, void *extra) {
    (void)comm;
    (void)key;
    (void)value;
    (void)extra;
    bine_progress_finish();
    bine_process_finalize();
    bine_communicators_end();
    bine_types_end();
    bine_tell_of_tools();
    bine_verbose_end();
    bine_record_end();
    bine_progress_end();
    bine_persistent_end();
    bine_contexts_end();
    bine_waiting_end();
    bine_wisdom_end();
    bine_policy_end();
    bine_location_end();
    bine_node_end();
    bine_operators_end();
    bine_requests_end();
    bine_ipc_end();
    bine_halves_end();
    bine_workspace_end();
    bine_process_end();
    return bine_contexts_end_key();
}

const struct bine_hooks bine_hooks = {
    .finalize = finalize,
    .redirect = bine_redirect,
    .redirect_nonblocking = bine_redirect_nonblocking,
    .forget_requests = bine_requests_forget,
    .records = bine_record_is_wanted,
    .meet = bine_record_meet,
};
