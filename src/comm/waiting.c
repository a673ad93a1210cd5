#include "comm/waiting.h"

#include "comm/progress.h"

#include <stdatomic.h>
#include <stdint.h>

static atomic_int key =
    MPI_KEYVAL_INVALID; /* on communicators that wait: how many calls they have made */

static int names_algorithms(const struct bine_policy *p) {
    int named = p->rules != NULL;
    for (int k = 0; k < BINE_COLLECTIVES; k++)
        named |= p->settings.forced[k].algorithm >= 0;
    return named;
}

void bine_waiting_find(const struct bine_policy *policy, int p) {
    int world, made;
    if (key != MPI_KEYVAL_INVALID || policy->settings.always ||
        policy->settings.reproducible == BINE_REPRODUCIBLE_PLACEMENT || names_algorithms(policy) ||
        bine_policy_has_nonblocking_rules(policy) ||
        PMPI_Comm_size(MPI_COMM_WORLD, &world) != MPI_SUCCESS || p != world ||
        !bine_progress_is_by_one())
        return;
    if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &made, NULL) !=
        MPI_SUCCESS)
        return;
    key = made;
}

static int calls_of(MPI_Comm comm) {
    void *value = NULL;
    int found = 0;
    if (PMPI_Comm_get_attr(comm, key, &value, &found) != MPI_SUCCESS || !found)
        return 0;
    return (int)(intptr_t)value;
}

int bine_waiting(MPI_Comm comm) {
    return key != MPI_KEYVAL_INVALID && calls_of(comm) < BINE_CALLS_WAITED;
}

void bine_waiting_count(MPI_Comm comm) {
    PMPI_Comm_set_attr(comm, key, (void *)(intptr_t)(calls_of(comm) + 1));
}

void bine_waiting_end(void) {
    int last = key;
    key = MPI_KEYVAL_INVALID;
    if (last != MPI_KEYVAL_INVALID)
        PMPI_Comm_free_keyval(&last);
}
