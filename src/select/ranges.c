/* Over which calls a choice holds: so that it need not be made for each of them. */
#include "select/selection.h"

#include <stddef.h>

static int is_for(const struct bine_rule *r, enum bine_collective c) {
    return r->collectives == 0 || (r->collectives >> c & 1) != 0;
}

static void narrow(const struct bine_rules *rules, enum bine_collective c, int64_t bytes,
                   struct bine_byte_range *range) {
    for (size_t i = 0; rules != NULL && i < rules->count; i++) {
        const int64_t bound[] = {rules->rule[i].from, rules->rule[i].below};
        for (int k = 0; k < 2 && is_for(&rules->rule[i], c); k++) {
            if (bound[k] <= bytes && bound[k] > range->from)
                range->from = bound[k];
            if (bound[k] > bytes && bound[k] < range->below)
                range->below = bound[k];
        }
    }
}

struct bine_byte_range bine_rules_range(const struct bine_rules *rules, enum bine_collective c,
                                        int64_t bytes) {
    struct bine_byte_range range = {0, INT64_MAX};
    narrow(rules, c, bytes, &range);
    narrow(bine_rules_built_in(), c, bytes, &range);
    return range;
}

/* --- Whether no communicator takes a collective */

/* Does some number of an interval fit; do all? No intervals: any number fits. */
static int some_fit(const struct bine_intervals *s, int64_t low, int64_t high) {
    int fits = s->n == 0;
    for (int i = 0; i < s->n; i++)
        fits = fits || (s->interval[i].low <= high && s->interval[i].high >= low);
    return fits;
}

static int all_fit(const struct bine_intervals *s, int64_t low, int64_t high) {
    int fit = s->n == 0;
    for (int i = 0; i < s->n; i++)
        fit = fit || (s->interval[i].low <= low && s->interval[i].high >= high);
    return fit;
}

/* A condition on a property of some calls, and of all. */
static int may_agree(int condition, int some, int all) {
    return condition == 0 || (condition == BINE_IF_YES ? some : !all);
}

static int must_agree(int condition, int some, int all) {
    return condition == 0 || (condition == BINE_IF_YES ? all : !some);
}

/* The calls on all communicators of some ranks. */
struct calls {
    struct bine_query q;         /* of all these ranks */
    struct bine_interval groups; /* that a communicator may have */
    int enough;                  /* the most ranks that a communicator has cores enough for */
};

static int may_hold(const struct bine_rule *r, const struct calls *c) {
    const struct bine_query *q = &c->q;
    const struct bine_interval *groups = &c->groups;
    int drop_in = q->drop_in && !q->always;
    int ranks = r->cores_suffice == BINE_IF_YES ? c->enough : q->p;
    return is_for(r, q->collective) && may_agree(r->drop_in, drop_in, drop_in) &&
           may_agree(r->nonblocking, q->nonblocking, q->nonblocking) &&
           (r->library == BINE_LIBRARY_ANY || r->library == q->library) &&
           /* where there are cores enough for all ranks, there are for some of them */
           may_agree(r->crowded_left, q->leaves_crowded, q->leaves_crowded) &&
           may_agree(r->cores_suffice, 1, !q->crowded) && some_fit(&r->ranks, 2, ranks) &&
           some_fit(&r->nodes, q->nodes, q->nodes) && some_fit(&r->per_node, 1, q->per_node) &&
           may_agree(r->groups_known, groups->high > 0, groups->low > 0) &&
           may_agree(r->groups_several, groups->high > 1, groups->low > 1) &&
           some_fit(&r->groups, groups->low, groups->high);
}

static int must_hold(const struct bine_rule *r, const struct calls *c) {
    const struct bine_query *q = &c->q;
    const struct bine_interval *groups = &c->groups;
    int unasked = r->from == 0 && r->below == 0 && r->ranks_class == 0 && r->commutative == 0 &&
                  r->uneven == 0 && r->torus_known == 0 && r->torus_wired == 0 &&
                  r->torus_in_order == 0 && r->torus_bends == 0 && r->dims.n == 0 &&
                  r->ports.n == 0;
    return unasked && may_hold(r, c) && must_agree(r->cores_suffice, 1, !q->crowded) &&
           all_fit(&r->ranks, 2, q->p) && all_fit(&r->per_node, 1, q->per_node) &&
           must_agree(r->groups_known, groups->high > 0, groups->low > 0) &&
           must_agree(r->groups_several, groups->high > 1, groups->low > 1) &&
           all_fit(&r->groups, groups->low, groups->high);
}

/* The rule of MPI that is met in any case before one that may name another algorithm: 1 and its
 * reason; 0: there is none; -1: look at the next rules. */
static int leaves(const struct bine_rules *rules, const struct calls *c, const char **reason) {
    for (size_t i = 0; rules != NULL && i < rules->count; i++) {
        const struct bine_rule *r = &rules->rule[i];
        if (!may_hold(r, c))
            continue;
        if (rules->found[i * BINE_COLLECTIVES + c->q.collective].algorithm != BINE_SELECTION_MPI)
            return 0;
        *reason = r->reason;
        if (must_hold(r, c))
            return 1;
    }
    return -1;
}

const char *bine_rules_never_intercept(const struct bine_rules *rules,
                                       const struct bine_query *most, int none_grouped, int cores) {
    struct calls c = {*most, {1, most->groups}, most->p};
    const char *reason = NULL;
    if (most->groups == 0)
        c.groups = (struct bine_interval){0, none_grouped ? 0 : INT64_MAX};
    if (most->nodes == 1 && most->crowded && cores > 0 && cores < most->p)
        c.enough = cores;
    for (c.q.nodes = 1; c.q.nodes <= most->nodes; c.q.nodes++) {
        int left = leaves(rules, &c, &reason);
        if (left < 0)
            left = leaves(bine_rules_built_in(), &c, &reason);
        if (left != 1)
            return NULL;
    }
    return reason;
}
