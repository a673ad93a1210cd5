#include "explore/explore_options.h"

#include "base/words.h"
#include "cli/command.h"
#include "cli/options/bytes.h"
#include "cli/options/shapes.h"
#include "traffic/traffic.h"

#include <limits.h>
#include <string.h>

int bine_explore_read(int argc, char **argv, struct bine_explore_options *o) {
    const struct bine_option rows[] = {
        BINE_SCHEDULE_OPTIONS(&o->schedule),
        {.name = "against", .read = bine_take_word, .to = &o->against},
        {.name = "block", .read = bine_take_word, .to = &o->block},
        {.name = "bytes", .read = bine_take_word, .to = &o->bytes},
        {.name = "view", .read = bine_take_word, .to = &o->view},
        {.name = "negabinary", .read = bine_take_flag, .to = &o->negabinary},
        {.name = "timeline", .read = bine_take_word, .to = &o->timeline},
        {.name = "call", .read = bine_take_int, .to = &o->call, .low = 0, .high = INT_MAX},
        {.name = "output", .letter = 'o', .read = bine_take_word, .to = &o->file},
        {0}};
    int rc = bine_options_read(argc, argv, rows);
    if (rc == 0)
        rc = bine_arguments_count(argc, argv, 0, 2, "[COLLECTIVE [ALGORITHM]]");
    if (rc == 0) {
        o->collective = optind < argc ? argv[optind] : NULL;
        o->algorithm = optind + 1 < argc ? argv[optind + 1] : NULL;
    }
    return rc;
}

/* The groups that are shown if nothing is said of the ranks. */
static void set_usual_place(struct bine_place_words *where) {
    if (where->machine != NULL || where->groups != NULL || where->dims != NULL ||
        where->ranks != NULL)
        return;
    where->ranks = BINE_EXPLORE_RANKS;
    where->groups = BINE_EXPLORE_GROUPS;
}

/* The algorithm that stands first where none is named: the first of the collective, but for the
 * collective that is shown if none is named either. */
static const char *usual_algorithm(enum bine_collective c) {
    if (c == (enum bine_collective)bine_collective_find(BINE_EXPLORE_COLLECTIVE))
        return BINE_EXPLORE_ALGORITHM;
    for (size_t i = 0; i < bine_catalogue_size; i++)
        if (bine_catalogue[i].collective == c)
            return bine_catalogue[i].name;
    return "";
}

static int read_root(const char *word, struct bine_spec *spec) {
    int root = 0;
    if (word != NULL && bine_word_int("root", word, 0, spec->p - 1, &root) != 0)
        return BINE_EXIT_USAGE;
    if (bine_collective_is_rooted(spec->algorithm->collective))
        spec->root = root;
    return 0;
}

/* What only some algorithms have: the other one, which stands beside it, may have it. */
static int read_shape(const struct bine_explore_options *o, struct bine_spec *spec) {
    int takes_dims = bine_algorithm_needs(spec->algorithm) == BINE_NEEDS_DIMS, ports = 0;
    if (o->schedule.ports != NULL && bine_word_ports(o->schedule.ports, &ports) != 0)
        return BINE_EXIT_USAGE;
    spec->ports = takes_dims ? ports : 0;
    if (o->schedule.segments == NULL || bine_segments_most(spec->algorithm, spec->p) <= 1)
        return 0;
    return bine_word_segments(o->schedule.segments, spec->algorithm, &spec->segments);
}

int bine_explore_ask(const struct bine_explore_options *o, const char *algorithm,
                     struct bine_explore_spec *x) {
    const char *collective = o->collective != NULL ? o->collective : BINE_EXPLORE_COLLECTIVE;
    const char *bytes = o->bytes != NULL ? o->bytes : BINE_EXPLORE_BYTES;
    struct bine_place_words where = o->schedule.where;
    struct bine_spec *spec = &x->request;
    enum bine_collective c;
    *x = (struct bine_explore_spec){0};
    set_usual_place(&where);
    if (bine_word_collective(collective, &c) != 0 ||
        bine_word_algorithm(c, algorithm != NULL ? algorithm : usual_algorithm(c),
                            &spec->algorithm) != 0 ||
        bine_place_find(&where, bine_algorithm_needs(spec->algorithm), &x->place) != 0)
        return BINE_EXIT_USAGE;
    bine_place_tell(&x->place, spec);
    if (spec->p > BINE_EXPLORE_MOST)
        return bine_complain("%d ranks: the explorer shows at most %d", spec->p, BINE_EXPLORE_MOST);
    if (read_root(o->schedule.root, spec) != 0 || bine_schedule_layout(&o->schedule, spec) != 0 ||
        read_shape(o, spec) != 0 ||
        bine_word_bytes("bytes", bytes, bine_traffic_most_bytes(spec->p), &x->bytes) != 0)
        return BINE_EXIT_USAGE;
    return bine_spec_complain(spec);
}

void bine_explore_free(struct bine_explore_spec *x) {
    bine_place_free(&x->place);
    *x = (struct bine_explore_spec){0};
}
