/* The plans that a context keeps: the schedules of choices, ready for any buffer. */
#include "comm/context.h"
#include "mpi/mpi_calls.h"

void bine_context_forget(struct bine_context *c) {
    for (int k = 0; k < BINE_MEMOS; k++)
        c->caches.memo[k].valid = 0;
    for (int k = 0; k < BINE_DECISIONS; k++)
        c->caches.decision[k].valid = 0;
    c->caches.bound_to = NULL;
}

static int entry_fits(const struct bine_plan_entry *e, const struct bine_choice *choice, int root) {
    return e->algorithm == choice->algorithm && e->layout == choice->layout &&
           e->segments == choice->segments && e->boards == choice->boards && e->root == root;
}

struct bine_spec bine_context_spec(const struct bine_context *c, const struct bine_choice *choice,
                                   int root, int in_place) {
    struct bine_spec spec = {.algorithm = choice->algorithm,
                             .layout = choice->layout,
                             .p = c->id.p,
                             .rank = c->id.rank,
                             .root = root,
                             .in_place = in_place,
                             .segments = choice->segments};
    if (bine_algorithm_needs(choice->algorithm) == BINE_NEEDS_GROUPS)
        spec.groups = c->place.levels;
    if (choice->boards)
        spec.node = c->boards.node;
    if (bine_algorithm_needs(choice->algorithm) == BINE_NEEDS_DIMS) {
        int most = bine_torus_ports(&c->place.dims), ports = c->choosing.policy.settings.ports;
        spec.dims = &c->place.dims;
        spec.ports = ports < most ? ports : most;
        spec.order = c->place.seats;
    } else if (bine_algorithm_reorders(choice->algorithm)) {
        spec.order = c->place.order;
    }
    return spec;
}

/* The library refuses where a forced algorithm of its allreduce does not take one element. It does
 * so on all ranks; then each rank goes by its own value. */
int bine_context_all(const struct bine_context *c, int has) {
    int all = has;
    int rc = bine_mpi->allreduce(&has, &all, 1, MPI_INT, MPI_MIN, c->id.comm);
    return rc == MPI_SUCCESS ? all : has;
}

/* Where a choice has its plans, or will have them: there the ones go that were not used for the
 * longest time. */
static struct bine_plan_entry *find_entry(struct bine_context *c, const struct bine_choice *choice,
                                          int root) {
    struct bine_plan_entry *oldest = &c->caches.plan[0];
    if (c->caches.recent != NULL && entry_fits(c->caches.recent, choice, root))
        return c->caches.recent;
    for (int i = 0; i < BINE_PLANS; i++) {
        struct bine_plan_entry *e = &c->caches.plan[i];
        if (entry_fits(e, choice, root))
            return e;
        if (oldest->algorithm != NULL && (e->algorithm == NULL || e->used < oldest->used))
            oldest = e;
    }
    if (oldest->algorithm != NULL)
        bine_context_forget(c);
    /* A plan that takes the place of another fits into its memory: rotating roots need no agreement
     * each time. */
    int64_t agreed_to = oldest->algorithm != NULL ? oldest->agreed_to : -1;
    bine_plan_free(oldest->plan[0]);
    bine_plan_free(oldest->plan[1]);
    *oldest = (struct bine_plan_entry){.algorithm = choice->algorithm,
                                       .layout = choice->layout,
                                       .segments = choice->segments,
                                       .boards = choice->boards,
                                       .root = root,
                                       .agreed_to = agreed_to};
    return oldest;
}

int bine_context_agree(struct bine_context *c, const struct bine_choice *choice, int64_t bytes,
                       int rc) {
    struct bine_plan_entry *e = c->caches.recent;
    if (choice->boards || bine_algorithm_needs(choice->algorithm) == BINE_NEEDS_BOARDS ||
        bytes <= e->agreed_to)
        return rc;
    if (bine_context_all(c, rc == MPI_SUCCESS)) {
        e->agreed_to = bytes;
        return rc;
    }
    return rc != MPI_SUCCESS ? rc : MPI_ERR_NO_MEM;
}

/* On boards and by messages, a rank without a plan could not even tell the ranks that wait for it.
 * So all ranks agree, once, before any rank begins; a nonblocking call cannot. */
struct bine_plan *bine_context_plan(struct bine_context *c, const struct bine_choice *choice,
                                    const struct bine_arguments *a, int in_place) {
    struct bine_plan_entry *e = find_entry(c, choice, a->root);
    struct bine_plan **plan = &e->plan[in_place != 0];
    e->used = ++c->caches.calls;
    c->caches.recent = e;
    if (*plan == NULL) {
        struct bine_spec spec = bine_context_spec(c, choice, a->root, in_place);
        *plan = bine_plan_new(&spec);
    }
    if (choice->boards && !e->agreed && !a->nonblocking) {
        e->agreed = bine_context_all(c, *plan != NULL);
        return e->agreed ? *plan : NULL;
    }
    return *plan;
}
