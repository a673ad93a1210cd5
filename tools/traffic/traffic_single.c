/* One job: a table of algorithms. */
#include "cli/command.h"
#include "cli/options/bytes.h"
#include "traffic/busiest.h"
#include "traffic/command_traffic.h"
#include "traffic/copied.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct bine_column sum_columns[] = {
    {"collective", BINE_COLUMN_WORDS},
    {"algorithm", BINE_COLUMN_WORDS},
    {"ranks", BINE_COLUMN_NUMBER},
    {"groups", BINE_COLUMN_NUMBER},
    {"bytes", BINE_COLUMN_NUMBER},
    {"total_bytes", BINE_COLUMN_NUMBER},
    {"global_bytes", BINE_COLUMN_NUMBER},
    {"baseline_global_bytes", BINE_COLUMN_NUMBER},
    {"reduction_percent", BINE_COLUMN_NUMBER},
    {"lower_bound_bytes", BINE_COLUMN_NUMBER},
    {"nodes", BINE_COLUMN_NUMBER},
    {"internode_bytes", BINE_COLUMN_NUMBER},
    {"internode_lower_bound_bytes", BINE_COLUMN_NUMBER},
};
enum { SUMS_OF_NODES = 3 }; /* columns that are there only if ranks share nodes */

/* For people: sizes that can be read, and how far it is from the bound. */
static const struct bine_column text_columns[] = {
    {"algorithm", BINE_COLUMN_WORDS},       {"total", BINE_COLUMN_NUMBER},
    {"between groups", BINE_COLUMN_NUMBER}, {"saving", BINE_COLUMN_NUMBER},
    {"of the bound", BINE_COLUMN_NUMBER},   {"between nodes", BINE_COLUMN_NUMBER},
    {"of the bound", BINE_COLUMN_NUMBER},
};
enum { TEXTS_OF_NODES = 2 };

static const struct bine_column plain_columns[] = {
    {"algorithm", BINE_COLUMN_WORDS},       {"total", BINE_COLUMN_NUMBER},
    {"between groups", BINE_COLUMN_NUMBER}, {"of the bound", BINE_COLUMN_NUMBER},
    {"between nodes", BINE_COLUMN_NUMBER},  {"of the bound", BINE_COLUMN_NUMBER},
};

/* The last one of the tables of sums. */
static const struct bine_column copied_column = {"copied_bytes", BINE_COLUMN_NUMBER},
                                copied_text_column = {"copied", BINE_COLUMN_NUMBER};
enum { COLUMNS_MOST = 16 };

static const struct bine_column pair_columns[] = {
    {"collective", BINE_COLUMN_WORDS}, {"algorithm", BINE_COLUMN_WORDS},
    {"from", BINE_COLUMN_WORDS},       {"to", BINE_COLUMN_WORDS},
    {"bytes", BINE_COLUMN_NUMBER},
};

static const struct bine_column busiest_columns[] = {
    {"collective", BINE_COLUMN_WORDS},
    {"algorithm", BINE_COLUMN_WORDS},
    {"ranks", BINE_COLUMN_NUMBER},
    {"groups", BINE_COLUMN_NUMBER},
    {"bytes", BINE_COLUMN_NUMBER},
    {"uplink_bytes", BINE_COLUMN_NUMBER},
    {"uplink_bound_bytes", BINE_COLUMN_NUMBER},
    {"pair_bytes", BINE_COLUMN_NUMBER},
    {"pair_bound_bytes", BINE_COLUMN_NUMBER},
};

static const struct bine_column busiest_text_columns[] = {
    {"algorithm", BINE_COLUMN_WORDS},     {"busiest uplink", BINE_COLUMN_NUMBER},
    {"of the bound", BINE_COLUMN_NUMBER}, {"busiest pair", BINE_COLUMN_NUMBER},
    {"of the bound", BINE_COLUMN_NUMBER},
};
static const char busiest_legend[] =
    "busiest uplink: the most bytes out of a group, or into one; busiest pair: from one group to\n"
    "another; of the bound: over the least that the busiest one must carry\n";

static const struct bine_column link_columns[] = {
    {"collective", BINE_COLUMN_WORDS},   {"algorithm", BINE_COLUMN_WORDS},
    {"ranks", BINE_COLUMN_NUMBER},       {"dims", BINE_COLUMN_WORDS},
    {"bytes", BINE_COLUMN_NUMBER},       {"total_bytes", BINE_COLUMN_NUMBER},
    {"hop_bytes", BINE_COLUMN_NUMBER},   {"mean_hops", BINE_COLUMN_NUMBER},
    {"most_hops", BINE_COLUMN_NUMBER},   {"links_used", BINE_COLUMN_NUMBER},
    {"busiest_link", BINE_COLUMN_WORDS}, {"busiest_link_bytes", BINE_COLUMN_NUMBER},
};

static const struct bine_column link_text_columns[] = {
    {"algorithm", BINE_COLUMN_WORDS},    {"total", BINE_COLUMN_NUMBER},
    {"byte-hops", BINE_COLUMN_NUMBER},   {"hops", BINE_COLUMN_NUMBER},
    {"most", BINE_COLUMN_NUMBER},        {"links", BINE_COLUMN_NUMBER},
    {"busiest link", BINE_COLUMN_WORDS}, {"on it", BINE_COLUMN_NUMBER},
};
static const char link_legend[] =
    "byte-hops: bytes times the links on their way; hops: of a byte, mean and most; links: how "
    "many\n"
    "are used; busiest link: its node, dimension and direction, and the bytes on it\n";

#define COPIED_LEGEND "copied: what a rank packs, unpacks and permutes, at most\n"

struct bine_spec bine_traffic_spec(const struct bine_traffic_wish *w,
                                   const struct bine_algorithm *a, const struct bine_place *place) {
    int p = place->p;
    struct bine_spec spec = {.algorithm = a,
                             .layout = w->layout >= 0 ? (enum bine_layout)w->layout
                                                      : bine_algorithm_layout(a, p),
                             .root = w->root,
                             .segments = bine_segments_for(a, p, w->bytes),
                             .ports = bine_algorithm_needs(a) == BINE_NEEDS_DIMS ? w->ports : 0};
    bine_place_tell(place, &spec);
    return spec;
}

static int needs_groups(const struct bine_algorithm *a) {
    return a != NULL && bine_algorithm_needs(a) == BINE_NEEDS_GROUPS;
}

int bine_traffic_place(const struct bine_traffic_wish *w, const struct bine_allocation *job,
                       struct bine_place *place) {
    int needed = needs_groups(w->baseline);
    for (int i = 0; i < w->asked.count; i++)
        needed |= needs_groups(w->asked.algorithm[i]);
    *place = (struct bine_place){.p = job->p, .node = job->inner != NULL ? job->inner : job->group};
    place->groups = needed ? bine_allocation_levels(job) : NULL;
    if (needed && place->groups == NULL)
        return -1;
    if (bine_place_dims(&w->where, job, &place->dims) == 0)
        return 0;
    bine_place_free(place);
    return -1;
}

int bine_traffic_fits(const struct bine_traffic_wish *w, int p) {
    if (w->root >= p)
        return bine_complain("root %d: expected 0 to %d", w->root, p - 1);
    if (w->bytes > bine_traffic_most_bytes(p))
        return bine_complain("bytes %" PRId64 ": expected at most %" PRId64 " with %d rank%s",
                             w->bytes, bine_traffic_most_bytes(p), p, bine_plural(p));
    return 0;
}

int bine_traffic_complain(enum bine_flow_result rc, const struct bine_spec *spec) {
    if (rc == BINE_FLOWS_TOO_LARGE)
        return bine_complain("%s %s on %d ranks: expected a multiple of %d bytes",
                             bine_collective_name(spec->algorithm->collective),
                             spec->algorithm->name, spec->p, spec->p);
    return bine_complain("out of memory");
}

const char *bine_saving_text(int64_t saving, char text[BINE_SAVING_TEXT]) {
    int64_t size = saving < 0 ? -saving : saving;
    snprintf(text, BINE_SAVING_TEXT, "%s%" PRId64 ".%02d", saving < 0 ? "-" : "", size / 100,
             (int)(size % 100));
    return text;
}

/* Everything that the rows of one job have in common. */
struct job {
    const struct bine_traffic_wish *wish;
    const struct bine_allocation *allocation;
    struct bine_place place;
    struct bine_table table;
    int64_t bound, baseline; /* the baseline's bytes between groups, or -1 */
    int nodes;               /* that several ranks are on, or 0: every rank has its own */
    int64_t node_bound;
    struct bine_column column[COLUMNS_MOST];
    struct bine_busiest busiest; /* the least possible */
};

static void add_saving(struct job *j, int64_t global, const char *unit) {
    char text[BINE_SAVING_TEXT];
    if (j->baseline > 0)
        bine_table_add(&j->table, "%s%s",
                       bine_saving_text(bine_traffic_saving(global, j->baseline), text), unit);
    else
        bine_table_add(&j->table, "%s", "");
}

static void add_sums(struct job *j, const struct bine_spec *spec, const struct bine_traffic *t) {
    struct bine_table *x = &j->table;
    bine_table_add(x, "%s", bine_collective_name(spec->algorithm->collective));
    bine_table_add(x, "%s", spec->algorithm->name);
    bine_table_add(x, "%d", spec->p);
    bine_table_add(x, "%d", bine_allocation_groups(j->allocation));
    bine_table_add(x, "%" PRId64, j->wish->bytes);
    bine_table_add(x, "%" PRId64, t->total);
    bine_table_add(x, "%" PRId64, t->global);
    if (j->baseline >= 0)
        bine_table_add(x, "%" PRId64, j->baseline);
    else
        bine_table_add(x, "%s", "");
    add_saving(j, t->global, "");
    bine_table_add(x, "%" PRId64, j->bound);
    if (j->nodes == 0)
        return;
    bine_table_add(x, "%d", j->nodes);
    bine_table_add(x, "%" PRId64, t->nodes);
    bine_table_add(x, "%" PRId64, j->node_bound);
}

static void add_ratio(struct bine_table *x, int64_t bytes, int64_t bound) {
    if (bound > 0)
        bine_table_add(x, "%.2f x", (double)bytes / (double)bound);
    else
        bine_table_add(x, "%s", "");
}

static void add_text(struct job *j, const struct bine_spec *spec, const struct bine_traffic *t) {
    char text[BINE_BYTES_TEXT];
    bine_table_add(&j->table, "%s", spec->algorithm->name);
    bine_table_add(&j->table, "%s", bine_bytes_text(t->total, text));
    bine_table_add(&j->table, "%s", bine_bytes_text(t->global, text));
    if (j->wish->baseline != NULL)
        add_saving(j, t->global, " %");
    add_ratio(&j->table, t->global, j->bound);
    if (j->nodes == 0)
        return;
    bine_table_add(&j->table, "%s", bine_bytes_text(t->nodes, text));
    add_ratio(&j->table, t->nodes, j->node_bound);
}

static void add_pairs(struct job *j, const struct bine_spec *spec, const struct bine_traffic *t) {
    int groups = bine_allocation_groups(j->allocation);
    for (int from = 0; from < groups; from++)
        for (int to = 0; to < groups; to++) {
            int64_t bytes = t->pair[(size_t)from * (size_t)groups + (size_t)to];
            if (from == to || bytes == 0)
                continue;
            bine_table_add(&j->table, "%s", bine_collective_name(spec->algorithm->collective));
            bine_table_add(&j->table, "%s", spec->algorithm->name);
            bine_table_add(&j->table, "%s", bine_names_text(&j->allocation->names, from));
            bine_table_add(&j->table, "%s", bine_names_text(&j->allocation->names, to));
            bine_table_add(&j->table, "%" PRId64, bytes);
        }
}

static void add_links(struct job *j, const struct bine_spec *spec, const struct bine_traffic *t) {
    struct bine_table *x = &j->table;
    const struct bine_link_loads *l = t->links;
    struct bine_link_summary s = bine_link_loads_sum(l);
    double hops = l->bytes > 0 ? (double)l->hop_bytes / (double)l->bytes : 0;
    const char *direction = s.direction == 0 ? "up" : "down";
    char dims[BINE_SHAPE_TEXT], bytes[BINE_BYTES_TEXT];
    if (j->wish->format == BINE_FORMAT_TEXT) {
        bine_table_add(x, "%s", spec->algorithm->name);
        bine_table_add(x, "%s", bine_bytes_text(t->total, bytes));
        bine_table_add(x, "%s", bine_bytes_text(l->hop_bytes, bytes));
        bine_table_add(x, "%.2f", hops);
        bine_table_add(x, "%d", l->most_hops);
        bine_table_add(x, "%" PRId64, s.used);
        bine_table_add(x, "%d, dim %d, %s", s.node, s.dimension, direction);
        bine_table_add(x, "%s", bine_bytes_text(s.busiest, bytes));
        return;
    }
    bine_table_add(x, "%s", bine_collective_name(spec->algorithm->collective));
    bine_table_add(x, "%s", spec->algorithm->name);
    bine_table_add(x, "%d", spec->p);
    bine_table_add(x, "%s", bine_shape_text(&l->shape, dims));
    bine_table_add(x, "%" PRId64, j->wish->bytes);
    bine_table_add(x, "%" PRId64, t->total);
    bine_table_add(x, "%" PRId64, l->hop_bytes);
    bine_table_add(x, "%.4f", hops);
    bine_table_add(x, "%d", l->most_hops);
    bine_table_add(x, "%" PRId64, s.used);
    bine_table_add(x, "node %d, dimension %d, %s", s.node, s.dimension, direction);
    bine_table_add(x, "%" PRId64, s.busiest);
}

/* What a rank copies at most, in the layout that a call of so many bytes gets. */
static int add_copied(struct job *j, const struct bine_spec *counted) {
    const struct bine_traffic_wish *w = j->wish;
    struct bine_spec spec = *counted;
    char text[BINE_BYTES_TEXT];
    if (w->layout < 0)
        spec.layout = bine_algorithm_layout_at(spec.algorithm, spec.p, w->bytes);
    int64_t copied = bine_copied_most(&spec, w->bytes);
    if (copied < 0)
        return bine_complain("out of memory");
    if (w->format == BINE_FORMAT_TEXT)
        bine_table_add(&j->table, "%s", bine_bytes_text(copied, text));
    else
        bine_table_add(&j->table, "%" PRId64, copied);
    return 0;
}

static void add_busiest(struct job *j, const struct bine_spec *spec, const struct bine_traffic *t) {
    struct bine_table *x = &j->table;
    struct bine_busiest b = bine_traffic_busiest(t, bine_allocation_groups(j->allocation));
    int64_t loads[2] = {b.uplink, b.pair}, bounds[2] = {j->busiest.uplink, j->busiest.pair};
    char text[BINE_BYTES_TEXT];
    int plain = j->wish->format == BINE_FORMAT_TEXT;
    if (!plain)
        bine_table_add(x, "%s", bine_collective_name(spec->algorithm->collective));
    bine_table_add(x, "%s", spec->algorithm->name);
    if (!plain) {
        bine_table_add(x, "%d", spec->p);
        bine_table_add(x, "%d", bine_allocation_groups(j->allocation));
        bine_table_add(x, "%" PRId64, j->wish->bytes);
    }
    for (int i = 0; i < 2; i++) {
        if (plain) {
            bine_table_add(x, "%s", bine_bytes_text(loads[i], text));
            add_ratio(x, loads[i], bounds[i]);
            continue;
        }
        bine_table_add(x, "%" PRId64, loads[i]);
        if (bounds[i] >= 0)
            bine_table_add(x, "%" PRId64, bounds[i]);
        else
            bine_table_add(x, "%s", "");
    }
}

/* Count one algorithm and add its rows. */
static int count(struct job *j, const struct bine_algorithm *a) {
    const struct bine_traffic_wish *w = j->wish;
    struct bine_spec spec = bine_traffic_spec(w, a, &j->place);
    struct bine_traffic_options options = {BINE_FLOWS_BEST, w->pairs || w->busiest, w->links};
    struct bine_traffic t;
    char why[200];
    if (bine_spec_error(&spec, why, sizeof why) != NULL)
        return w->asked.named ? bine_spec_complain(&spec) : 0;
    enum bine_flow_result rc = bine_traffic_count(&t, &spec, w->bytes, j->allocation, &options);
    if (rc != BINE_FLOWS_GOOD)
        return bine_traffic_complain(rc, &spec);
    if (w->pairs)
        add_pairs(j, &spec, &t);
    else if (w->busiest)
        add_busiest(j, &spec, &t);
    else if (w->links)
        add_links(j, &spec, &t);
    else if (w->format == BINE_FORMAT_TEXT)
        add_text(j, &spec, &t);
    else
        add_sums(j, &spec, &t);
    bine_traffic_free(&t);
    return w->pairs || w->links || w->busiest ? 0 : add_copied(j, &spec);
}

static int count_baseline(struct job *j) {
    const struct bine_traffic_wish *w = j->wish;
    struct bine_traffic_options options = {BINE_FLOWS_BEST, 0, 0};
    struct bine_traffic t;
    if (w->baseline == NULL)
        return 0;
    struct bine_spec spec = bine_traffic_spec(w, w->baseline, &j->place);
    if (bine_spec_complain(&spec) != 0)
        return BINE_EXIT_USAGE;
    enum bine_flow_result rc = bine_traffic_count(&t, &spec, w->bytes, j->allocation, &options);
    if (rc != BINE_FLOWS_GOOD)
        return bine_traffic_complain(rc, &spec);
    j->baseline = t.global;
    bine_traffic_free(&t);
    return 0;
}

static void print_head(const struct job *j) {
    const struct bine_traffic_wish *w = j->wish;
    char bytes[BINE_BYTES_TEXT], bound[BINE_BYTES_TEXT];
    if (w->format != BINE_FORMAT_TEXT)
        return;
    printf("%s of %s, %d rank%s in %d group%s%s%s; at least %s must cross between groups\n",
           bine_collective_name(w->asked.collective), bine_bytes_text(w->bytes, bytes),
           j->allocation->p, bine_plural(j->allocation->p), bine_allocation_groups(j->allocation),
           bine_plural(bine_allocation_groups(j->allocation)),
           w->where.machine != NULL ? " of " : "", w->where.machine != NULL ? w->where.machine : "",
           bine_bytes_text(j->bound, bound));
    if (j->nodes > 0)
        printf("the ranks are on %d node%s; at least %s must cross between nodes\n", j->nodes,
               bine_plural(j->nodes), bine_bytes_text(j->node_bound, bound));
    if (j->allocation->wider > 0)
        printf("the groups are in larger ones: --levels shows each level\n");
    if (w->baseline != NULL)
        printf("saving: over %s\n", w->baseline->name);
    printf("%s\n",
           w->links     ? link_legend
           : w->busiest ? busiest_legend
           : w->pairs   ? ""
           : j->nodes > 0
               ? "of the bound: bytes over those that must cross\n" COPIED_LEGEND
               : "of the bound: bytes between groups over those that must cross\n" COPIED_LEGEND);
}

static void choose_columns(struct job *j) {
    const struct bine_traffic_wish *w = j->wish;
    struct bine_table *t = &j->table;
    size_t texts = j->nodes > 0 ? 0 : TEXTS_OF_NODES, sums = j->nodes > 0 ? 0 : SUMS_OF_NODES;
#define COLUMNS(x, less)                                                                           \
    (memcpy(j->column, x, sizeof x), t->column = j->column,                                        \
     t->columns = sizeof x / sizeof *x - (less))
    if (w->pairs)
        COLUMNS(pair_columns, 0);
    else if (w->busiest && w->format == BINE_FORMAT_TEXT)
        COLUMNS(busiest_text_columns, 0);
    else if (w->busiest)
        COLUMNS(busiest_columns, 0);
    else if (w->links && w->format == BINE_FORMAT_TEXT)
        COLUMNS(link_text_columns, 0);
    else if (w->links)
        COLUMNS(link_columns, 0);
    else if (w->format == BINE_FORMAT_TEXT && w->baseline == NULL)
        COLUMNS(plain_columns, texts);
    else if (w->format == BINE_FORMAT_TEXT)
        COLUMNS(text_columns, texts);
    else
        COLUMNS(sum_columns, sums);
#undef COLUMNS
    if (!w->pairs && !w->links && !w->busiest)
        j->column[t->columns++] =
            w->format == BINE_FORMAT_TEXT ? copied_text_column : copied_column;
}

/* The least bytes between groups, and between nodes where several ranks are on some. */
static int find_bounds(struct job *j) {
    const struct bine_traffic_wish *w = j->wish;
    const struct bine_allocation *a = j->allocation;
    int most;
    j->bound = bine_traffic_bound(w->asked.collective, w->bytes, w->root, a);
    if (a->inner != NULL) {
        j->nodes = bine_allocation_nodes(a, &most);
        j->node_bound = bine_traffic_node_bound(w->asked.collective, w->bytes, w->root, a);
    }
    if (bine_busiest_bound(w->asked.collective, w->bytes, w->root, a, &j->busiest) != 0)
        return -1;
    return j->bound < 0 || j->nodes < 0 || j->node_bound < 0 ? -1 : 0;
}

static int tabulate(const struct bine_traffic_wish *w, const struct bine_allocation *a) {
    struct job j = {.wish = w, .allocation = a, .baseline = -1};
    int rc = bine_traffic_fits(w, a->p);
    if (rc == 0 && w->links && a->node == NULL)
        rc = bine_complain("--links: expected a torus (--dims, or a machine that is one)");
    if (rc != 0)
        return rc;
    if (find_bounds(&j) != 0 || bine_traffic_place(w, a, &j.place) != 0)
        return bine_complain("out of memory");
    choose_columns(&j);
    rc = count_baseline(&j);
    for (int i = 0; i < w->asked.count && rc == 0; i++)
        rc = count(&j, w->asked.algorithm[i]);
    if (rc == 0) {
        print_head(&j);
        rc = bine_table_print(&j.table, w->format);
    }
    bine_table_free(&j.table);
    bine_place_free(&j.place);
    return rc;
}

int bine_traffic_single(const struct bine_traffic_wish *w) {
    struct bine_allocation a;
    if (bine_place_job(&w->where, &a, NULL) != 0)
        return BINE_EXIT_USAGE;
    int rc = w->levels ? bine_traffic_by_levels(w, &a) : tabulate(w, &a);
    bine_allocation_free(&a);
    return rc;
}
