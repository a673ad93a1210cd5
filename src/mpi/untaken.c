#include "mpi/untaken.h"

#include "mpi/progress.h"
#include "mpi/verbose.h"

#include <stdatomic.h>

static _Atomic(const char *) untaken[BINE_COLLECTIVES];
static atomic_int set_by_program[BINE_COLLECTIVES];
static void (*redirect)(enum bine_collective c, int to_mpi);

const char *bine_untaken(enum bine_collective c) {
    return atomic_load_explicit(&untaken[c], memory_order_relaxed);
}

void bine_untaken_attach(void (*how)(enum bine_collective c, int to_mpi)) {
    redirect = how;
}

void bine_untaken_except(enum bine_collective c) {
    atomic_store(&set_by_program[c], 1);
    if (redirect != NULL)
        redirect(c, 0);
}

static void leave(enum bine_collective c, const char *reason) {
    atomic_store(&untaken[c], reason);
    if (redirect != NULL && !atomic_load(&set_by_program[c]) && !bine_verbose_is_on())
        redirect(c, 1);
}

static const char *reason_for(const struct bine_context *c, const struct bine_question *any,
                              enum bine_collective k) {
    struct bine_question q = *any;
    q.collective = k;
    const struct bine_forced *f = &c->policy.settings.forced[k];
    if (q.off)
        return BINE_REASON_OFF;
    if (f->algorithm == BINE_FORCED_MPI)
        return bine_forced_reason(k);
    if (c->policy.settings.learn && c->nodes != 1) /* on some communicator it may be tried */
        return NULL;
    return f->algorithm != BINE_FORCED_NOTHING
               ? NULL
               : bine_rules_never_take(c->policy.rules, &q, c->none_grouped);
}

/* The first that is over all ranks and can tell: later ones may have other settings. */
void bine_untaken_find(const struct bine_context *c, const struct bine_question *any) {
    static atomic_int found;
    int world;
    if (c->p == 0 || c->plain != NULL || found ||
        PMPI_Comm_size(MPI_COMM_WORLD, &world) != MPI_SUCCESS || c->p != world ||
        !bine_progress_is_by_one())
        return;
    found = 1;
    for (int k = 0; k < BINE_COLLECTIVES; k++) {
        const char *reason = reason_for(c, any, (enum bine_collective)k);
        if (reason != NULL)
            leave((enum bine_collective)k, reason);
    }
}

/* A rank that is alone in its world shares communicators with others of another world only, and
 * those are left to MPI: but for buffers that MPI cannot touch. */
void bine_untaken_begin(void) {
    int world;
    if (PMPI_Comm_size(MPI_COMM_WORLD, &world) != MPI_SUCCESS || world > 1 ||
        bine_memory_is_foreign())
        return;
    for (int k = 0; k < BINE_COLLECTIVES; k++)
        leave((enum bine_collective)k, BINE_REASON_ALONE);
}
