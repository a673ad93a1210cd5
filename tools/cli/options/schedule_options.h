/* The options that say which schedules are meant: those that show, draw, export and explore share.
 */
#ifndef BINE_TOOLS_CLI_SCHEDULE_OPTIONS_H
#define BINE_TOOLS_CLI_SCHEDULE_OPTIONS_H

#include "cli/options/place.h"

struct bine_schedule_options {
    struct bine_place_words where;
    const char *root, *layout, *segments, *ports; /* as typed; NULL: not given */
    int in_place, boards;                         /* of those that have rows for them */
};

/* Their rows in a table of options; `o` points to a struct bine_schedule_options. */
#define BINE_SCHEDULE_OPTIONS(o)                                                                   \
    {.name = "ranks", .read = bine_take_word, .to = &(o)->where.ranks},                            \
        {.name = "root", .read = bine_take_word, .to = &(o)->root},                                \
        {.name = "layout", .read = bine_take_word, .to = &(o)->layout},                            \
        {.name = "segments", .read = bine_take_word, .to = &(o)->segments},                        \
        {.name = "ports", .read = bine_take_word, .to = &(o)->ports},                              \
        BINE_PLACE_OPTIONS(&(o)->where)

/* The algorithm that two arguments name, as in "allreduce bine-large". 0, or BINE_EXIT_USAGE after
 * complaining. */
int bine_word_pair(char **names, const struct bine_algorithm **a);
/* The words of --ports, --segments and --layout, of those that were given; without --layout, the
 * layout that a call would take. The request knows its algorithm and its ranks. Each returns 0, or
 * BINE_EXIT_USAGE after complaining. */
int bine_schedule_ports(const struct bine_schedule_options *o, struct bine_spec *spec);
int bine_schedule_segments(const struct bine_schedule_options *o, struct bine_spec *spec);
int bine_schedule_layout(const struct bine_schedule_options *o, struct bine_spec *spec);
/* All of it: `rq` has its algorithm, and gets everything else but the rank. The place must be freed
 * in either case, and not before the request is done with. */
int bine_schedule_spec(const struct bine_schedule_options *o, struct bine_spec *spec,
                       struct bine_place *place);

#endif
