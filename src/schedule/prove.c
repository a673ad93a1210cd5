#include "schedule/prove.h"

#include "schedule/build/build.h"

#include <stdlib.h>

/* The schedules of all ranks of a request, and the trees they share. */
struct team {
    struct bine_spec spec;
    struct bine_tree *tree;
    struct bine_schedule **member;
};

static int team_build(struct team *t, int rank, int in_place) {
    struct bine_spec one = t->spec;
    one.rank = rank;
    one.in_place = in_place;
    bine_schedule_free(t->member[rank]);
    t->member[rank] = bine_schedule_build(&one);
    return t->member[rank] == NULL ? -1 : 0;
}

static int team_open(struct team *t, const struct bine_spec *spec) {
    int rc = 0, rooted = bine_collective_is_rooted(spec->algorithm->collective);
    *t = (struct team){.spec = *spec, .member = calloc((size_t)spec->p, sizeof *t->member)};
    if (t->member == NULL)
        return -1;
    if (spec->tree == NULL)
        t->spec.tree = t->tree = bine_spec_tree(spec);
    for (int r = 0; r < spec->p && rc == 0; r++)
        rc = team_build(t, r, spec->in_place && (!rooted || r == spec->root));
    return rc;
}

static void team_close(struct team *t) {
    for (int r = 0; r < t->spec.p && t->member != NULL; r++)
        bine_schedule_free(t->member[r]);
    free(t->member);
    bine_tree_free(t->tree);
}

int bine_check_spec(const struct bine_spec *spec, struct bine_verdict *verdict) {
    struct team t;
    int rc = team_open(&t, spec);
    if (rc == 0)
        rc = bine_check(t.member, spec->algorithm, verdict);
    team_close(&t);
    return rc;
}

int bine_check_both(const struct bine_spec *spec, struct bine_verdict *verdict, int *in_place) {
    struct bine_spec one = *spec;
    struct team t;
    one.in_place = *in_place = 0;
    int rc = team_open(&t, &one), rooted = bine_collective_is_rooted(spec->algorithm->collective);
    if (rc == 0)
        rc = bine_check(t.member, spec->algorithm, verdict);
    if (rc == 0 && bine_collective_has_in_place(spec->algorithm->collective)) {
        *in_place = 1;
        for (int r = 0; r < spec->p && rc == 0; r++)
            if (!rooted || r == spec->root)
                rc = team_build(&t, r, 1);
        if (rc == 0)
            rc = bine_check(t.member, spec->algorithm, verdict);
    }
    team_close(&t);
    return rc;
}
