#include "schedule/build/build.h"

#include "schedule/build/join.h"
#include "schedule/build/onto_boards.h"
#include "schedule/build/reorder.h"

static struct bine_schedule *build_virtual(const struct bine_request *rq) {
    struct bine_request at = *rq;
    const struct bine_lineup *o = rq->order;
    at.order = NULL;
    at.rank = o->place_of[rq->rank];
    at.root = bine_collective_is_rooted(rq->algorithm->collective) ? o->place_of[rq->root] : 0;
    struct bine_schedule *s = bine_schedule_build(&at);
    if (s != NULL && bine_schedule_rename(s, o) != 0) {
        bine_schedule_free(s);
        return NULL;
    }
    if (s != NULL)
        s->root = rq->root;
    return s;
}

/* One strand for each port, each a schedule of its own. */
static struct bine_schedule *build_ports(const struct bine_request *rq) {
    struct bine_schedule *port[2 * BINE_DIMS_MOST] = {NULL}, *s = NULL;
    struct bine_request one = *rq;
    int good = 1;
    one.ports = 0;
    one.tree = NULL;
    for (one.port = 0; one.port < rq->ports; one.port++) {
        port[one.port] = bine_schedule_build(&one);
        good &= port[one.port] != NULL;
    }
    if (good)
        s = bine_schedule_join(port, rq->ports);
    for (int i = 0; i < rq->ports; i++)
        bine_schedule_free(port[i]);
    return s;
}

/* One strand for each segment. Messages between two ranks are in the order of segments, so that the
 * first segments cross between groups while the next ones are still inside. */
static struct bine_schedule *build_segments(const struct bine_request *rq, int segments) {
    struct bine_schedule *part[BINE_GROUP_SEGMENTS], *s = NULL;
    struct bine_request one = *rq;
    int built = 0;
    for (; built < segments; built++) {
        one.segment = built + 1;
        if ((part[built] = bine_schedule_build(&one)) == NULL)
            break;
    }
    if (built == segments)
        s = bine_schedule_join(part, segments);
    while (built > 0)
        bine_schedule_free(part[--built]);
    if (s != NULL)
        s->staggered = 1;
    return s;
}

/* Gather and scatter of blocks whose sizes are announced: two strands, the first along the tree of
 * the algorithm, the second directly to or from the root. */
static struct bine_schedule *build_announced(const struct bine_request *rq) {
    struct bine_algorithm tree = *rq->algorithm,
                          direct = *bine_algorithm_find(tree.collective, BINE_ALGORITHM_DIRECT);
    struct bine_request one = *rq, two = *rq;
    tree.announces = 0;
    one.algorithm = &tree;
    two.algorithm = &direct;
    two.tree = NULL;
    two.groups = NULL;
    struct bine_schedule *part[2] = {bine_schedule_build(&one), bine_schedule_build(&two)};
    struct bine_schedule *s =
        part[0] != NULL && part[1] != NULL ? bine_schedule_join(part, 2) : NULL;
    bine_schedule_free(part[0]);
    bine_schedule_free(part[1]);
    if (s != NULL)
        s->announces = 1;
    return s;
}

/* Of one strand, with messages alone but for compositions on boards. */
static struct bine_schedule *compose(const struct bine_request *rq) {
    const struct bine_composition_row *how = &bine_compositions[rq->algorithm->composition];
    struct bine_schedule *s = bine_schedule_new();
    if (s == NULL)
        return NULL;
    if (bine_algorithm_needs(rq->algorithm) == BINE_NEEDS_DIMS)
        s->dims = *rq->dims;
    s->collective = bine_collective_kind(rq->algorithm->collective);
    s->uneven = bine_collective_is_uneven(rq->algorithm->collective);
    s->layout = rq->layout;
    s->p = rq->p;
    s->rank = rq->rank;
    s->root = rq->root;
    s->in_place = rq->in_place;
    s->node = rq->node != NULL ? rq->node[rq->rank] : 0;
    s->boards = bine_request_uses_boards(rq);
    s->times = bine_algorithm_steps_on(rq->algorithm, rq->p, rq->dims, rq->layout);
    s->blocks = how->blocks(rq);
    if (s->boards || bine_algorithm_needs(rq->algorithm) == BINE_NEEDS_BOARDS)
        s->board_blocks = bine_request_board_blocks(rq);
    if (how->compose(s, rq) != 0 || s->failed) {
        bine_schedule_free(s);
        return NULL;
    }
    return s;
}

struct bine_schedule *bine_schedule_build(const struct bine_request *rq) {
    int groups = bine_algorithm_needs(rq->algorithm) == BINE_NEEDS_GROUPS;
    if (rq->algorithm->announces && rq->p > 1)
        return build_announced(rq);
    int strands = groups && rq->segment == 0 ? bine_request_segments(rq) : 1;
    if (strands > 1)
        return build_segments(rq, strands);
    if (rq->ports > 1 && rq->p > 1)
        return build_ports(rq);
    if (rq->order != NULL)
        return build_virtual(rq);
    struct bine_schedule *s = compose(rq);
    return s != NULL && bine_request_uses_boards(rq) ? bine_schedule_onto_boards(s, rq, compose)
                                                     : s;
}
