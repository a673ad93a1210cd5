#include "select/choose.h"

#include "schedule/build/build.h"

#include <stdio.h>

/* NULL, or the need that the ranks do not meet. */
static const char *cannot_serve(const struct bine_algorithm *a, const struct bine_query *q) {
    if (!bine_algorithm_takes(a, q->p))
        return "does not take this number of ranks";
    if (bine_algorithm_needs(a) == BINE_NEEDS_GROUPS && !q->levels)
        return "needs groups, and none are known";
    if (bine_algorithm_needs(a) == BINE_NEEDS_BOARDS && !q->boards)
        return "needs boards: all ranks on one node, which share memory";
    if (a->composition == BINE_MAKE_BOARD_DIRECT && !q->exposes)
        return "needs ranks that can read each other's memory";
    if (bine_algorithm_needs(a) != BINE_NEEDS_DIMS)
        return NULL;
    if (q->dims.dims == 0)
        return "needs a torus: BINE_DIMS, a Cartesian communicator or BINE_MACHINE";
    return bine_algorithm_takes_dims(a, &q->dims) ? NULL : "does not take this torus";
}

const char *bine_selection_fails(const struct bine_selection *f, const struct bine_query *q) {
    if (f->algorithm == BINE_SELECTION_MPI)
        return NULL;
    if (f->algorithm < 0)
        return "is no algorithm of this collective";
    const struct bine_algorithm *a = &bine_catalogue[f->algorithm];
    if (cannot_serve(a, q) != NULL)
        return cannot_serve(a, q);
    if (a->commutative && !q->commutative)
        return "needs a commutative operator";
    if (f->layout >= 0 && !bine_algorithm_has_layout(a, (enum bine_layout)f->layout, q->p))
        return "has no such layout for this number of ranks";
    return NULL;
}

struct bine_selection bine_selection_nonblocking(struct bine_selection f) {
    int boards =
        f.algorithm >= 0 && bine_algorithm_needs(&bine_catalogue[f.algorithm]) == BINE_NEEDS_BOARDS;
    return boards ? (struct bine_selection){BINE_SELECTION_NONE, -1} : f;
}

int bine_rules_match(const struct bine_rules *rules, const struct bine_query *q) {
    for (size_t i = 0; i < rules->count; i++)
        if (bine_rule_misses(&rules->rule[i], q) == NULL &&
            bine_selection_fails(&rules->found[i * BINE_COLLECTIVES + q->collective], q) == NULL)
            return (int)i;
    return -1;
}

/* The selection of the first rule that holds. */
static struct bine_selection follow_rules(const struct bine_query *q,
                                          const struct bine_rules *rules, const char **reason) {
    int i = rules == NULL ? -1 : bine_rules_match(rules, q);
    if (i < 0) {
        rules = bine_rules_built_in();
        i = bine_rules_match(rules, q);
    }
    *reason = rules->rule[i].reason;
    return rules->found[(size_t)i * BINE_COLLECTIVES + q->collective];
}

/* In another order of the ranks, the blocks of ranks cannot be permuted to be one run. */
static enum bine_layout reordered(const struct bine_algorithm *a, enum bine_layout l,
                                  const struct bine_query *q) {
    int reorders = bine_algorithm_needs(a) == BINE_NEEDS_DIMS ? q->seats : q->reorders;
    if ((l != BINE_PERMUTE && l != BINE_SEND) || bine_cuts_a_vector(a->collective) || !reorders ||
        !bine_algorithm_reorders(a))
        return l;
    return bine_algorithm_has_layout(a, BINE_PACK, q->p) ? BINE_PACK : BINE_BLOCKS;
}

static void make_choice(const struct bine_selection *f, const struct bine_query *q,
                        struct bine_choice *choice) {
    const struct bine_algorithm *a =
        f->algorithm == BINE_SELECTION_MPI ? NULL : &bine_catalogue[f->algorithm];
    choice->algorithm = a;
    choice->layout = BINE_BLOCKS;
    choice->segments = choice->boards = 0;
    if (a == NULL)
        return;
    choice->segments = bine_segments_for(a, q->p, q->bytes);
    choice->layout =
        f->layout >= 0 ? (enum bine_layout)f->layout : bine_algorithm_layout_at(a, q->p, q->bytes);
    choice->layout = reordered(a, choice->layout, q);
}

const char *bine_selection_reason(enum bine_collective c) {
    static const char *const reasons[BINE_COLLECTIVES] = {
#define COLLECTIVE(NAME, ...) "forced by BINE_" #NAME,
#include "schedule/collectives.def"
#undef COLLECTIVE
    };
    return reasons[c];
}

int bine_choose(const struct bine_query *q, const struct bine_selection *forced,
                const struct bine_rules *rules, struct bine_choice *choice, char *why,
                size_t size) {
    struct bine_selection f = *forced;
    if (q->off || (q->drop_in && q->p == 1)) {
        *choice = (struct bine_choice){.reason = q->off ? BINE_REASON_OFF : BINE_REASON_ALONE};
        return 0;
    }
    choice->reason = "forced";
    if (f.algorithm != BINE_SELECTION_NONE) {
        const char *fails = bine_selection_fails(&f, q);
        if (fails != NULL) {
            choice->algorithm = &bine_catalogue[f.algorithm];
            snprintf(why, size, "%s %s %s", bine_collective_name(q->collective),
                     choice->algorithm->name, fails);
            return -1;
        }
    } else {
        f = follow_rules(q, rules, &choice->reason);
        if (forced->layout >= 0 && f.algorithm >= 0 &&
            bine_algorithm_has_layout(&bine_catalogue[f.algorithm],
                                      (enum bine_layout)forced->layout, q->p))
            f.layout = forced->layout;
    }
    make_choice(&f, q, choice);
    return 0;
}

int bine_layout_missed(const struct bine_query *q, const struct bine_selection *forced,
                       const struct bine_choice *choice, char *why, size_t size) {
    const struct bine_algorithm *a = choice->algorithm;
    enum bine_layout l = (enum bine_layout)forced->layout;
    if (a == NULL || forced->layout < 0 || bine_algorithm_has_layout(a, l, q->p))
        return 0;
    snprintf(why, size, "%s %s cannot take the layout %s: %s is not followed there (%d ranks)",
             bine_collective_name(q->collective), a->name, bine_layout_name(l),
             bine_setting_table[BINE_SETTING_LAYOUTS + (int)q->collective].name, q->p);
    return 1;
}
