#include "schedule/build/build.h"

#include "schedule/build/join.h"
#include "schedule/build/onto_boards.h"
#include "schedule/build/reorder.h"

static struct bine_schedule *build_virtual(const struct bine_spec *spec) {
    struct bine_spec at = *spec;
    const struct bine_lineup *o = spec->order;
    at.order = NULL;
    at.rank = o->place_of[spec->rank];
    at.root = bine_collective_is_rooted(spec->algorithm->collective) ? o->place_of[spec->root] : 0;
    struct bine_schedule *s = bine_schedule_build(&at);
    if (s != NULL && bine_schedule_rename(s, o) != 0) {
        bine_schedule_free(s);
        return NULL;
    }
    if (s != NULL)
        s->root = spec->root;
    return s;
}

/* One strand for each port, each a schedule of its own. */
static struct bine_schedule *build_ports(const struct bine_spec *spec) {
    struct bine_schedule *port[2 * BINE_DIMS_MOST] = {NULL}, *s = NULL;
    struct bine_spec one = *spec;
    int good = 1;
    one.ports = 0;
    one.tree = NULL;
    for (one.port = 0; one.port < spec->ports; one.port++) {
        port[one.port] = bine_schedule_build(&one);
        good &= port[one.port] != NULL;
    }
    if (good)
        s = bine_schedule_join(port, spec->ports);
    for (int i = 0; i < spec->ports; i++)
        bine_schedule_free(port[i]);
    return s;
}

/* One strand for each of a few parts of the vector. Messages between two ranks are in the order of
 * parts, so that the first ones cross between groups while the next ones are still inside. */
static struct bine_schedule *build_parts(const struct bine_spec *spec, int parts) {
    struct bine_schedule *part[BINE_GROUP_STRANDS], *s = NULL;
    struct bine_spec one = *spec;
    int built = 0;
    for (; built < parts; built++) {
        one.segment = built + 1;
        if ((part[built] = bine_schedule_build(&one)) == NULL)
            break;
    }
    if (built == parts)
        s = bine_schedule_join(part, parts);
    while (built > 0)
        bine_schedule_free(part[--built]);
    if (s != NULL)
        s->staggered = 1;
    return s;
}

/* Gather and scatter of blocks whose sizes are exchanged: two strands, the first along the tree of
 * the algorithm, the second directly to or from the root. */
static struct bine_schedule *build_size_exchange(const struct bine_spec *spec) {
    struct bine_algorithm tree = *spec->algorithm,
                          direct = *bine_algorithm_find(tree.collective, BINE_ALGORITHM_DIRECT);
    struct bine_spec one = *spec, two = *spec;
    tree.exchanges_sizes = 0;
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
        s->exchanges_sizes = 1;
    return s;
}

/* Of one strand, with messages alone but for compositions on boards. */
static struct bine_schedule *compose(const struct bine_spec *spec) {
    const struct bine_composition_row *how = &bine_compositions[spec->algorithm->composition];
    struct bine_schedule *s = bine_schedule_new();
    if (s == NULL)
        return NULL;
    if (bine_algorithm_needs(spec->algorithm) == BINE_NEEDS_DIMS)
        s->dims = *spec->dims;
    s->collective = bine_collective_kind(spec->algorithm->collective);
    s->uneven = bine_collective_is_uneven(spec->algorithm->collective);
    s->layout = spec->layout;
    s->p = spec->p;
    s->rank = spec->rank;
    s->root = spec->root;
    s->in_place = spec->in_place;
    s->node = spec->node != NULL ? spec->node[spec->rank] : 0;
    s->boards = bine_spec_uses_boards(spec);
    s->times = bine_algorithm_steps_on(spec->algorithm, spec->p, spec->dims, spec->layout);
    s->blocks = how->blocks(spec);
    if (s->boards || bine_algorithm_needs(spec->algorithm) == BINE_NEEDS_BOARDS)
        s->board_blocks = bine_spec_board_blocks(spec);
    if (how->compose(s, spec) != 0 || s->failed) {
        bine_schedule_free(s);
        return NULL;
    }
    return s;
}

struct bine_schedule *bine_schedule_build(const struct bine_spec *spec) {
    if (spec->algorithm->exchanges_sizes && spec->p > 1)
        return build_size_exchange(spec);
    int strands = spec->segment == 0 ? bine_spec_strands(spec) : 1;
    if (strands > 1)
        return build_parts(spec, strands);
    if (spec->ports > 1 && spec->p > 1)
        return build_ports(spec);
    if (spec->order != NULL)
        return build_virtual(spec);
    struct bine_schedule *s = compose(spec);
    return s != NULL && bine_spec_uses_boards(spec) ? bine_schedule_onto_boards(s, spec, compose)
                                                    : s;
}
