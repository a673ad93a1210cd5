#include "call/pass_through.h"

#include "call/query.h"
#include "comm/progress.h"
#include "mpi/hooks.h"
#include "report/verbose.h"

#include <stdatomic.h>

static _Atomic(const char *) reasons[BINE_COLLECTIVES];
static atomic_int set_by_program[BINE_COLLECTIVES];

static const char off[] = BINE_REASON_OFF; /* on all ranks */

const char *bine_pass_through(enum bine_collective c) {
    return atomic_load_explicit(&reasons[c], memory_order_relaxed);
}

/* Past Bine; but it looks at calls whose buffers MPI may not be able to touch. */
static enum bine_direction to_mpi(void) {
    return bine_memory_is_foreign() ? BINE_TO_MPI_FROM_HOST : BINE_TO_MPI;
}

void bine_pass_through_except(enum bine_collective c) {
    atomic_store(&set_by_program[c], 1);
    bine_hooks.redirect(c, BINE_TO_BINE);
}

static void forward(enum bine_collective c, const char *reason, enum bine_direction to) {
    atomic_store(&reasons[c], reason);
    if (!atomic_load(&set_by_program[c]) && !bine_verbose_is_on())
        bine_hooks.redirect(c, to);
}

int bine_pass_through_is_off(void) {
    return bine_pass_through(BINE_BARRIER) == off;
}

/* All of them, started or not, whatever the program sets. */
static void forward_all(void) {
    for (int k = 0; k < BINE_COLLECTIVES; k++)
        forward((enum bine_collective)k, off, BINE_TO_MPI);
    if (!bine_verbose_is_on())
        bine_hooks.redirect_nonblocking(BINE_TO_MPI);
}

/* The first context over all ranks that can tell decides: later ones may have other settings. An
 * algorithm that the program sets is looked at as it is set. */
void bine_pass_through_find(const struct bine_context *c) {
    static atomic_int found;
    struct bine_query q = bine_query_make(c, &(struct bine_arguments){.drop_in = 1}, 0, 1);
    int world, is_off = c->id.forward_reason == bine_settings_forward(&c->choosing.policy.settings);
    if (c->id.p == 0 || (c->id.forward_reason != NULL && !is_off) || found ||
        PMPI_Comm_size(MPI_COMM_WORLD, &world) != MPI_SUCCESS || c->id.p != world ||
        !bine_progress_is_by_one())
        return;
    found = 1;
    if (c->id.forward_reason != NULL) {
        forward_all();
        return;
    }
    for (int k = 0; k < BINE_COLLECTIVES; k++) {
        struct bine_selector s = bine_selector_make(c, (enum bine_collective)k);
        s.program = bine_selection_none();
        s.setting = c->choosing.policy.settings.forced[k];
        q.collective = (enum bine_collective)k;
        const char *reason = bine_select_never(&s, &q, c->place.none_grouped, c->place.cores);
        if (reason != NULL)
            forward(q.collective, reason, to_mpi());
    }
}

/* A rank that is alone in its world shares communicators with others of another world only, and
 * calls there are forwarded to MPI. */
void bine_pass_through_begin(void) {
    int world;
    if (!atomic_load(&bine_intercepts_nonblocking) && !bine_verbose_is_on())
        bine_hooks.redirect_nonblocking(to_mpi());
    if (PMPI_Comm_size(MPI_COMM_WORLD, &world) != MPI_SUCCESS || bine_ranks_forward(world) == NULL)
        return;
    for (int k = 0; k < BINE_COLLECTIVES; k++)
        forward((enum bine_collective)k, bine_ranks_forward(world), to_mpi());
}
