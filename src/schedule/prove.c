#include "schedule/prove.h"

#include "schedule/build/build.h"

#include <stdlib.h>

/* The schedules of all ranks of a request, and what they share. */
struct team {
    struct bine_request rq;
    struct bine_tree *tree;
    struct bine_schedule **member;
};

static int team_build(struct team *t, int rank, int in_place) {
    struct bine_request one = t->rq;
    one.rank = rank;
    one.in_place = in_place;
    bine_schedule_free(t->member[rank]);
    t->member[rank] = bine_schedule_build(&one);
    return t->member[rank] == NULL ? -1 : 0;
}

static int team_open(struct team *t, const struct bine_request *rq) {
    int rc = 0, rooted = bine_collective_is_rooted(rq->algorithm->collective);
    *t = (struct team){.rq = *rq, .member = calloc((size_t)rq->p, sizeof *t->member)};
    if (t->member == NULL)
        return -1;
    if (rq->tree == NULL)
        t->rq.tree = t->tree = bine_request_tree(rq);
    for (int r = 0; r < rq->p && rc == 0; r++)
        rc = team_build(t, r, rq->in_place && (!rooted || r == rq->root));
    return rc;
}

static void team_close(struct team *t) {
    for (int r = 0; r < t->rq.p && t->member != NULL; r++)
        bine_schedule_free(t->member[r]);
    free(t->member);
    bine_tree_free(t->tree);
}

int bine_check_request(const struct bine_request *rq, struct bine_verdict *verdict) {
    struct team t;
    int rc = team_open(&t, rq);
    if (rc == 0)
        rc = bine_check(t.member, rq->algorithm, verdict);
    team_close(&t);
    return rc;
}

int bine_check_both(const struct bine_request *rq, struct bine_verdict *verdict, int *in_place) {
    struct bine_request one = *rq;
    struct team t;
    one.in_place = *in_place = 0;
    int rc = team_open(&t, &one), rooted = bine_collective_is_rooted(rq->algorithm->collective);
    if (rc == 0)
        rc = bine_check(t.member, rq->algorithm, verdict);
    if (rc == 0 && bine_collective_has_in_place(rq->algorithm->collective)) {
        *in_place = 1;
        for (int r = 0; r < rq->p && rc == 0; r++)
            if (!rooted || r == rq->root)
                rc = team_build(&t, r, 1);
        if (rc == 0)
            rc = bine_check(t.member, rq->algorithm, verdict);
    }
    team_close(&t);
    return rc;
}
