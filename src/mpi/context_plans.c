/* The plans that a context keeps: the schedules of choices, ready for any buffer. */
#include "mpi/context.h"

void bine_context_forget(struct bine_context *c) {
    for (int k = 0; k < BINE_MEMOS; k++)
        c->memo[k].valid = 0;
    c->bound_to = NULL;
}

static int entry_fits(const struct bine_plan_entry *e, const struct bine_choice *choice, int root,
                      int in_place) {
    return e->plan != NULL && e->algorithm == choice->algorithm && e->layout == choice->layout &&
           e->segments == choice->segments && e->boards == choice->boards && e->root == root &&
           e->in_place == in_place;
}

struct bine_request bine_context_request(const struct bine_context *c,
                                         const struct bine_choice *choice, int root, int in_place) {
    struct bine_request rq = {.algorithm = choice->algorithm,
                              .layout = choice->layout,
                              .p = c->p,
                              .rank = c->rank,
                              .root = root,
                              .in_place = in_place,
                              .segments = choice->segments};
    if (bine_algorithm_needs(choice->algorithm) == BINE_NEEDS_GROUPS)
        rq.groups = c->levels;
    if (choice->boards)
        rq.node = c->node;
    if (bine_algorithm_needs(choice->algorithm) == BINE_NEEDS_DIMS) {
        int most = bine_torus_ports(&c->dims), ports = c->policy.settings.ports;
        rq.dims = &c->dims;
        rq.ports = ports < most ? ports : most;
        rq.order = c->seats;
    } else if (bine_algorithm_reorders(choice->algorithm)) {
        rq.order = c->order;
    }
    return rq;
}

struct bine_plan *bine_context_plan(struct bine_context *c, const struct bine_choice *choice,
                                    int root, int in_place) {
    struct bine_plan_entry *oldest = &c->plan[0];
    c->calls++;
    if (c->recent != NULL && entry_fits(c->recent, choice, root, in_place)) {
        c->recent->used = c->calls;
        return c->recent->plan;
    }
    for (int i = 0; i < BINE_PLANS; i++) {
        struct bine_plan_entry *e = &c->plan[i];
        if (entry_fits(e, choice, root, in_place)) {
            e->used = c->calls;
            c->recent = e;
            return e->plan;
        }
        if (e->plan == NULL || e->used < oldest->used)
            oldest = oldest->plan == NULL ? oldest : e;
    }
    struct bine_request rq = bine_context_request(c, choice, root, in_place);
    struct bine_plan *plan = bine_plan_new(&rq);
    if (plan == NULL)
        return NULL;
    if (oldest->plan != NULL)
        bine_context_forget(c);
    bine_plan_free(oldest->plan);
    *oldest = (struct bine_plan_entry){choice->algorithm,
                                       choice->layout,
                                       choice->segments,
                                       choice->boards,
                                       root,
                                       in_place,
                                       c->calls,
                                       plan};
    c->recent = oldest;
    return plan;
}
