#include "cli/schedule_options.h"

#include "cli/command.h"
#include "cli/shapes.h"

int bine_word_pair(char **names, const struct bine_algorithm **a) {
    enum bine_collective c;
    if (bine_word_collective(names[0], &c) != 0)
        return BINE_EXIT_USAGE;
    return bine_word_algorithm(c, names[1], a);
}

int bine_schedule_ports(const struct bine_schedule_options *o, struct bine_request *rq) {
    return o->ports == NULL ? 0 : bine_word_ports(o->ports, &rq->ports);
}

int bine_schedule_segments(const struct bine_schedule_options *o, struct bine_request *rq) {
    return o->segments == NULL ? 0 : bine_word_segments(o->segments, rq->algorithm, &rq->segments);
}

int bine_schedule_layout(const struct bine_schedule_options *o, struct bine_request *rq) {
    if (o->layout != NULL)
        return bine_word_layout(o->layout, &rq->layout);
    if (bine_algorithm_takes(rq->algorithm, rq->p))
        rq->layout = bine_algorithm_layout(rq->algorithm, rq->p);
    return 0;
}

static int read_root(const struct bine_schedule_options *o, struct bine_request *rq) {
    enum bine_collective c = rq->algorithm->collective;
    if (o->root == NULL)
        return 0;
    if (!bine_collective_is_rooted(c))
        return bine_complain("--root: %s has no root", bine_collective_name(c));
    return bine_word_int("root", o->root, 0, rq->p - 1, &rq->root);
}

static int read_in_place(const struct bine_schedule_options *o, struct bine_request *rq) {
    enum bine_collective c = rq->algorithm->collective;
    rq->in_place = o->in_place;
    return !o->in_place || bine_collective_has_in_place(c)
               ? 0
               : bine_complain("--in-place: %s has no in-place form", bine_collective_name(c));
}

int bine_schedule_request(const struct bine_schedule_options *o, struct bine_request *rq,
                          struct bine_place *place) {
    if (bine_place_find(&o->where, bine_algorithm_needs(rq->algorithm), place) != 0)
        return BINE_EXIT_USAGE;
    bine_place_tell(place, rq);
    if (bine_schedule_ports(o, rq) != 0 || read_root(o, rq) != 0 ||
        bine_schedule_segments(o, rq) != 0 || read_in_place(o, rq) != 0 ||
        (o->boards && bine_place_boards(rq) != 0) || bine_schedule_layout(o, rq) != 0)
        return BINE_EXIT_USAGE;
    return bine_request_complain(rq);
}
