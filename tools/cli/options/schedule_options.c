#include "cli/options/schedule_options.h"

#include "cli/command.h"
#include "cli/options/shapes.h"

int bine_word_pair(char **names, const struct bine_algorithm **a) {
    enum bine_collective c;
    if (bine_word_collective(names[0], &c) != 0)
        return BINE_EXIT_USAGE;
    return bine_word_algorithm(c, names[1], a);
}

int bine_schedule_ports(const struct bine_schedule_options *o, struct bine_spec *spec) {
    return o->ports == NULL ? 0 : bine_word_ports(o->ports, &spec->ports);
}

int bine_schedule_segments(const struct bine_schedule_options *o, struct bine_spec *spec) {
    return o->segments == NULL ? 0
                               : bine_word_segments(o->segments, spec->algorithm, &spec->segments);
}

int bine_schedule_layout(const struct bine_schedule_options *o, struct bine_spec *spec) {
    if (o->layout != NULL)
        return bine_word_layout(o->layout, &spec->layout);
    if (bine_algorithm_takes(spec->algorithm, spec->p))
        spec->layout = bine_algorithm_layout(spec->algorithm, spec->p);
    return 0;
}

static int read_root(const struct bine_schedule_options *o, struct bine_spec *spec) {
    enum bine_collective c = spec->algorithm->collective;
    if (o->root == NULL)
        return 0;
    if (!bine_collective_is_rooted(c))
        return bine_complain("--root: %s has no root", bine_collective_name(c));
    return bine_word_int("root", o->root, 0, spec->p - 1, &spec->root);
}

static int read_in_place(const struct bine_schedule_options *o, struct bine_spec *spec) {
    enum bine_collective c = spec->algorithm->collective;
    spec->in_place = o->in_place;
    return !o->in_place || bine_collective_has_in_place(c)
               ? 0
               : bine_complain("--in-place: %s has no in-place form", bine_collective_name(c));
}

int bine_schedule_spec(const struct bine_schedule_options *o, struct bine_spec *spec,
                       struct bine_place *place) {
    if (bine_place_find(&o->where, bine_algorithm_needs(spec->algorithm), place) != 0)
        return BINE_EXIT_USAGE;
    bine_place_tell(place, spec);
    if (bine_schedule_ports(o, spec) != 0 || read_root(o, spec) != 0 ||
        bine_schedule_segments(o, spec) != 0 || read_in_place(o, spec) != 0 ||
        (o->boards && bine_place_boards(spec) != 0) || bine_schedule_layout(o, spec) != 0)
        return BINE_EXIT_USAGE;
    return bine_spec_complain(spec);
}
