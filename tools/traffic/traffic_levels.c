/* One job, level by level: a row for each algorithm and level. */
#include "cli/command.h"
#include "cli/options/bytes.h"
#include "traffic/command_traffic.h"
#include "traffic/levels.h"

#include <inttypes.h>
#include <stdio.h>

static const struct bine_column columns[] = {
    {"collective", BINE_COLUMN_WORDS},    {"algorithm", BINE_COLUMN_WORDS},
    {"ranks", BINE_COLUMN_NUMBER},        {"level", BINE_COLUMN_NUMBER},
    {"groups", BINE_COLUMN_NUMBER},       {"bytes", BINE_COLUMN_NUMBER},
    {"level_bytes", BINE_COLUMN_NUMBER},  {"lower_bound_bytes", BINE_COLUMN_NUMBER},
    {"uplink_bytes", BINE_COLUMN_NUMBER}, {"uplink_bound_bytes", BINE_COLUMN_NUMBER},
    {"pair_bytes", BINE_COLUMN_NUMBER},   {"pair_bound_bytes", BINE_COLUMN_NUMBER},
};

static const struct bine_column text_columns[] = {
    {"algorithm", BINE_COLUMN_WORDS},     {"level", BINE_COLUMN_NUMBER},
    {"groups", BINE_COLUMN_NUMBER},       {"between them", BINE_COLUMN_NUMBER},
    {"of the bound", BINE_COLUMN_NUMBER}, {"uplink", BINE_COLUMN_NUMBER},
    {"of the bound", BINE_COLUMN_NUMBER}, {"pair", BINE_COLUMN_NUMBER},
    {"of the bound", BINE_COLUMN_NUMBER},
};

static const char legend[] =
    "level 0: nodes; 1: groups; 2 and more: larger groups, each of groups of the level below.\n"
    "uplink: the most bytes out of one of them, or into one; pair: from one of the largest to\n"
    "another; of the bound: over the least possible\n";

static void add_number(struct bine_table *t, int64_t x) {
    if (x >= 0)
        bine_table_add(t, "%" PRId64, x);
    else
        bine_table_add(t, "%s", "");
}

/* Bytes for people, and how far they are from the bound. */
static void add_text(struct bine_table *t, int64_t bytes, int64_t bound) {
    char text[BINE_BYTES_TEXT];
    bine_table_add(t, "%s", bytes < 0 ? "" : bine_bytes_text(bytes, text));
    if (bytes >= 0 && bound > 0)
        bine_table_add(t, "%.2f x", (double)bytes / (double)bound);
    else
        bine_table_add(t, "%s", "");
}

static void add_row(struct bine_table *t, const struct bine_traffic_wish *w,
                    const struct bine_spec *spec, const struct bine_level_traffic *l) {
    if (w->format == BINE_FORMAT_TEXT) {
        bine_table_add(t, "%s", spec->algorithm->name);
        bine_table_add(t, "%d", l->level);
        bine_table_add(t, "%d", l->groups);
        add_text(t, l->bytes, l->least);
        add_text(t, l->busiest.uplink, l->bound.uplink);
        add_text(t, l->busiest.pair, l->bound.pair);
        return;
    }
    bine_table_add(t, "%s", bine_collective_name(spec->algorithm->collective));
    bine_table_add(t, "%s", spec->algorithm->name);
    bine_table_add(t, "%d", spec->p);
    bine_table_add(t, "%d", l->level);
    bine_table_add(t, "%d", l->groups);
    bine_table_add(t, "%" PRId64, w->bytes);
    add_number(t, l->bytes);
    add_number(t, l->least);
    add_number(t, l->busiest.uplink);
    add_number(t, l->bound.uplink);
    add_number(t, l->busiest.pair);
    add_number(t, l->bound.pair);
}

static int count(struct bine_table *t, const struct bine_traffic_wish *w,
                 const struct bine_allocation *a, const struct bine_spec *spec) {
    struct bine_level_traffic level[BINE_TRAFFIC_LEVELS_MOST];
    char why[200];
    int levels;
    if (bine_spec_error(spec, why, sizeof why) != NULL)
        return w->asked.named ? bine_spec_complain(spec) : 0;
    enum bine_flow_result rc = bine_traffic_levels(spec, w->bytes, a, level, &levels);
    if (rc != BINE_FLOWS_GOOD)
        return bine_traffic_complain(rc, spec);
    for (int k = 0; k < levels; k++)
        add_row(t, w, spec, &level[k]);
    return 0;
}

int bine_traffic_by_levels(const struct bine_traffic_wish *w, const struct bine_allocation *a) {
    int text = w->format == BINE_FORMAT_TEXT;
    struct bine_table t = {.column = text ? text_columns : columns,
                           .columns = text ? sizeof text_columns / sizeof *text_columns
                                           : sizeof columns / sizeof *columns};
    struct bine_place place;
    char bytes[BINE_BYTES_TEXT];
    int rc = bine_traffic_fits(w, a->p);
    if (rc != 0)
        return rc;
    if (bine_traffic_place(w, a, &place) != 0)
        return bine_complain("out of memory");
    for (int i = 0; i < w->asked.count && rc == 0; i++) {
        struct bine_spec spec = bine_traffic_spec(w, w->asked.algorithm[i], &place);
        rc = count(&t, w, a, &spec);
    }
    if (rc == 0 && text)
        printf("%s of %s, %d rank%s\n%s\n", bine_collective_name(w->asked.collective),
               bine_bytes_text(w->bytes, bytes), a->p, bine_plural(a->p), legend);
    if (rc == 0)
        rc = bine_table_print(&t, w->format);
    bine_table_free(&t);
    bine_place_free(&place);
    return rc;
}
