/* bine choose: which algorithm a call would get, and why. */
#include "choose/choose_learn.h"
#include "choose/choose_model.h"
#include "choose/choose_place.h"
#include "cli/command.h"
#include "cli/libraries.h"
#include "cli/options/bytes.h"
#include "cli/options/option_table.h"
#include "cli/output/table.h"
#include "select/predictions.h"
#include "select/select.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: bine choose COLLECTIVE --ranks P --bytes N [options]\n"
    "       bine choose --list [--rules FILE]\n\n"
    "Which algorithm a call would get with the settings and rules that are in force here, and\n"
    "which of them says so. The rules before it that are for this collective are listed with the\n"
    "condition that did not hold. Bytes are those of the whole vector. docs/choosing.md has the\n"
    "rules.\n\n"
    "options:\n"
    "  --ranks P          of the communicator\n"
    "  --bytes N          4096, 64K, 1M, ...\n"
    "  --nodes N          that the ranks are on (1 unless said otherwise)\n"
    "  --ranks-per-node N the most on a node (as even as can be); with --machine: on each host\n"
    "  --cores N          that the ranks of a node may use (enough)\n"
    "  --groups G         of the network that are known (none): how many, or sizes, as in 5,5,6,\n"
    "                     or a file with the name of a group for each rank, each on a node of its\n"
    "                     own\n"
    "  --dims 4x4x8       the network is a torus of the ranks, row-major, each on a node of its "
    "own\n"
    "  --cartesian        the dims are those of a Cartesian communicator, not of the network\n"
    "  --machine M        a machine or its file, and\n"
    "  --hosts H          the hosts of the ranks on it, a file or a list, as in h[0-15] or\n"
    "                     h[0-3]*4: these say how many ranks, nodes and groups there are, and\n"
    "                     whether they are a torus. Inside a Slurm job they may be left out\n"
    "  --busy X           other jobs leave a share X of the links between groups, as in\n"
    "                     0.05\n"
    "  --non-commutative  the operator does not commute\n"
    "  --nonblocking      the call is started: MPI_Iallreduce and so on, on a communicator that "
    "is\n"
    "                     open, with boards where the ranks are on one node\n"
    "  --uneven           allgatherv: one block has more than a quarter of all bytes\n"
    "  --mpi M            openmpi or mpich: the program's MPI library\n"
    "  --explicit         the program calls Bine_Allreduce and so on, not MPI_Allreduce\n"
    "  --rules FILE       these rules instead of those of BINE_RULES\n"
    "  --list             all rules, in their order\n"
    "  --format F         text (default), csv or json\n"
    "  --help             this page\n\n"
    "examples:\n"
    "  bine choose allreduce --ranks 16 --bytes 1M\n"
    "  bine choose bcast --ranks 256 --bytes 64K --nodes 64\n"
    "  bine choose allreduce --groups 5,5,6 --bytes 1M\n"
    "  bine choose allreduce --dims 4x4x8 --bytes 1M\n"
    "  bine choose --list --rules mine.json\n";

struct choose_options {
    struct bine_query q;
    struct bine_choose_where where;
    const char *rules_path;
    int cores; /* 0: enough */
    int list;
    enum bine_format format;
};

static void complain(void *unused, const char *text) {
    (void)unused;
    bine_complain("%s", text);
}

/* --- All rules */

static const struct bine_column list_columns[] = {
    {"rule", BINE_COLUMN_WORDS},      {"collectives", BINE_COLUMN_WORDS}, {"if", BINE_COLUMN_WORDS},
    {"algorithm", BINE_COLUMN_WORDS}, {"why", BINE_COLUMN_WORDS},
};

/* Text that grows, cut to fit. */
struct text {
    char at[400];
    size_t n;
};

static void append(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void append(struct text *t, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vsnprintf(t->at + t->n, sizeof t->at - t->n, format, list);
    va_end(list);
    t->n += n > 0 ? (size_t)n : 0;
    if (t->n >= sizeof t->at)
        t->n = sizeof t->at - 1;
}

static void append_intervals(struct text *t, const char *name, const struct bine_intervals *s) {
    if (s->n == 0)
        return;
    append(t, "%s%s ", t->n > 0 ? ", " : "", name);
    for (int i = 0; i < s->n; i++) {
        const struct bine_interval *x = &s->interval[i];
        append(t, "%s%lld", i > 0 ? "," : "", (long long)x->low);
        if (x->high == INT64_MAX)
            append(t, "-");
        else if (x->high > x->low)
            append(t, "-%lld", (long long)x->high);
    }
}

static void append_words(struct text *t, int holds, const char *words) {
    if (holds)
        append(t, "%s%s", t->n > 0 ? ", " : "", words);
}

static void append_bytes(struct text *t, const struct bine_rule *r) {
    char size[BINE_BYTES_TEXT];
    if (r->from > 0)
        append(t, "%sfrom %s", t->n > 0 ? ", " : "", bine_bytes_text(r->from, size));
    if (r->below > 0)
        append(t, "%sbelow %s", t->n > 0 ? ", " : "", bine_bytes_text(r->below, size));
}

static const char *conditions(const struct bine_rule *r, struct text *t) {
    static const char *const classes[] = {"", "pow2", "even", "odd"};
    *t = (struct text){.n = 0};
    append_words(t, r->drop_in == BINE_IF_YES, "drop-in");
    append_words(t, r->nonblocking == BINE_IF_YES, "nonblocking");
    append_words(t, r->nonblocking == BINE_IF_NO, "blocking");
    append_words(t, r->library > 0, bine_library_name(r->library));
    append_intervals(t, "ranks", &r->ranks);
    append_words(t, r->ranks_class > 0, classes[r->ranks_class]);
    append_intervals(t, "nodes", &r->nodes);
    append_intervals(t, "ranks per node", &r->per_node);
    append_words(t, r->cores_suffice == BINE_IF_YES, "enough cores");
    append_words(t, r->cores_suffice == BINE_IF_NO, "more ranks than cores");
    append_words(t, r->crowded_left == BINE_IF_YES, "BINE_CROWDED=0");
    append_intervals(t, "groups", &r->groups);
    append_words(t, r->groups_known == BINE_IF_YES, "groups known");
    append_words(t, r->groups_known == BINE_IF_NO, "groups unknown");
    append_words(t, r->groups_several == BINE_IF_NO, "not several groups");
    append_words(t, r->torus_known == BINE_IF_YES, "torus known");
    append_words(t, r->torus_known == BINE_IF_NO, "torus unknown");
    append_words(t, r->torus_wired == BINE_IF_YES, "torus wired");
    append_words(t, r->torus_bends == BINE_IF_YES, "not suited to flat Bine");
    append_words(t, r->torus_in_order == BINE_IF_NO, "ranks not in its order");
    append_intervals(t, "dims", &r->dims);
    append_intervals(t, "ports", &r->ports);
    append_words(t, r->commutative == BINE_IF_YES, "commutative");
    append_words(t, r->commutative == BINE_IF_NO, "not commutative");
    append_words(t, r->uneven == BINE_IF_YES, "uneven");
    append_words(t, r->uneven == BINE_IF_NO, "not uneven");
    append_bytes(t, r);
    return t->at;
}

static const char *collectives(const struct bine_rule *r, struct text *t) {
    *t = (struct text){.n = 0};
    for (int c = 0; c < BINE_COLLECTIVES; c++)
        if (r->collectives >> c & 1)
            append(t, "%s%s", t->n > 0 ? " " : "", bine_collective_name((enum bine_collective)c));
    append_words(t, r->collectives == 0, "all");
    return t->at;
}

static void list_rules(struct bine_table *t, const char *name, const struct bine_rules *rules) {
    struct text text;
    for (size_t i = 0; rules != NULL && i < rules->count; i++) {
        const struct bine_rule *r = &rules->rule[i];
        bine_table_add(t, "%s %zu", name, i + 1);
        bine_table_add(t, "%s", collectives(r, &text));
        bine_table_add(t, "%s", conditions(r, &text));
        bine_table_add(t, "%s", r->algorithm);
        bine_table_add(t, "%s", r->reason);
    }
}

static int print_rules(const struct bine_rules *rules, enum bine_format format) {
    struct bine_table t = {.column = list_columns,
                           .columns = sizeof list_columns / sizeof *list_columns};
    list_rules(&t, "file", rules);
    list_rules(&t, "built-in", bine_rules_built_in());
    int rc = bine_table_print(&t, format);
    bine_table_free(&t);
    return rc;
}

/* --- One choice */

static const struct bine_column columns[] = {
    {"collective", BINE_COLUMN_WORDS}, {"ranks", BINE_COLUMN_NUMBER},
    {"nodes", BINE_COLUMN_NUMBER},     {"bytes", BINE_COLUMN_NUMBER},
    {"algorithm", BINE_COLUMN_WORDS},  {"layout", BINE_COLUMN_WORDS},
    {"source", BINE_COLUMN_WORDS},     {"reason", BINE_COLUMN_WORDS},
};

/* The setting or rule that made the choice: "BINE_ALLREDUCE (environment)", "built-in rule 5". */
enum { SOURCE_TEXT = BINE_ORIGIN_TEXT + 100 };

static const char *source_text(const struct bine_query *q, const struct bine_decision *d,
                               char text[SOURCE_TEXT]) {
    static const struct {
        const char *form;
        int by_setting; /* the form takes its name and origin; else the number of a rule, if any */
    } form[BINE_SOURCES] = {
        [BINE_SOURCE_NEVER] = {"%s (%s)", 1},
        [BINE_SOURCE_HANDED_BACK] = {"%s (%s)", 1},
        [BINE_SOURCE_ALONE] = {"always", 0},
        [BINE_SOURCE_SETTING] = {"%s (%s)", 1},
        [BINE_SOURCE_RULES] = {"rule %d of the file", 0},
        [BINE_SOURCE_WISDOM] = {"BINE_WISDOM, once the size has come again", 0},
        [BINE_SOURCE_MODEL] = {"BINE_MODEL, once the size has come again", 0},
        [BINE_SOURCE_BUILT_IN] = {"built-in rule %d", 0},
    };
    char origin[BINE_ORIGIN_TEXT];
    int row = d->source == BINE_SOURCE_NEVER         ? BINE_SETTING_OFF
              : d->source == BINE_SOURCE_HANDED_BACK ? BINE_SETTING_NONBLOCKING
                                                     : (int)q->collective;
    if (form[d->source].by_setting) {
        bine_setting_value(row, origin);
        snprintf(text, SOURCE_TEXT, form[d->source].form, bine_setting_table[row].name, origin);
    } else {
        snprintf(text, SOURCE_TEXT, form[d->source].form, d->rule + 1);
    }
    return text;
}

/* Rules for the collective that were not followed, and why. */
static void print_missed(const char *name, const struct bine_rules *rules, int end,
                         const struct bine_query *q, int *lines) {
    for (int i = 0; rules != NULL && i < end; i++) {
        const struct bine_rule *r = &rules->rule[i];
        const char *misses = bine_rule_misses(r, q);
        if (r->collectives != 0 && !(r->collectives >> q->collective & 1))
            continue;
        if ((*lines)++ == 0)
            printf("before it:\n");
        if (misses != NULL)
            printf("  %s %d, %s: not for this: %s\n", name, i + 1, r->algorithm, misses);
        else
            printf(
                "  %s %d, %s: %s\n", name, i + 1, r->algorithm,
                bine_selection_fails(&rules->found[i * BINE_COLLECTIVES + (int)q->collective], q));
    }
}

/* What the choice promises (BINE_REPRODUCIBLE), or NULL. */
static const char *promise_text(const struct bine_decision *d) {
    static const char *const text[BINE_REPRODUCIBLES] = {
        [BINE_REPRODUCIBLE_RUN] = "the same bits in every run on a job of this shape",
        [BINE_REPRODUCIBLE_PLACEMENT] = "the same bits in every run, wherever the ranks are"};
    return text[d->same];
}

/* `seen`: the query as the sources saw it. */
static int print_text(const struct choose_options *o, const struct bine_query *seen,
                      const struct bine_decision *d, const struct bine_rules *rules) {
    const struct bine_query *q = &o->q;
    const struct bine_choice *c = &d->choice;
    char size[BINE_BYTES_TEXT], dims[BINE_SHAPE_TEXT], text[SOURCE_TEXT];
    printf("%s%s%s\n", c->algorithm != NULL ? c->algorithm->name : "mpi",
           c->algorithm != NULL ? ":" : "",
           c->algorithm != NULL ? bine_layout_name(c->layout) : "");
    printf("for %s%s of %s, %d rank%s on %d node%s%s%s, %s, %s operator, %s\n",
           q->nonblocking ? "nonblocking " : "", bine_collective_name(q->collective),
           bine_bytes_text(q->bytes, size), q->p, bine_plural(q->p), q->nodes,
           bine_plural(q->nodes),
           q->dims.dims == 0 ? ""
           : q->wired        ? ", torus of "
                             : ", Cartesian of ",
           q->dims.dims == 0 ? "" : bine_shape_text(&q->dims, dims), bine_library_name(q->library),
           q->commutative ? "commutative" : "non-commutative",
           q->drop_in ? "taken over from MPI" : "called as Bine's own");
    printf("by %s: %s\n", source_text(q, d, text), c->reason);
    if (promise_text(d) != NULL)
        printf("%s\n", promise_text(d));
    int lines = 0;
    if (d->rules != NULL)
        print_missed("file", rules,
                     d->rules == rules ? d->rule
                     : rules != NULL   ? (int)rules->count
                                       : 0,
                     seen, &lines);
    if (d->rules != NULL && d->rules != rules)
        print_missed("built-in", d->rules, d->rule, seen, &lines);
    if (d->counts)
        bine_choose_print_candidates(q, d->prediction);
    return BINE_EXIT_GOOD;
}

static int print_row(const struct choose_options *o, const struct bine_decision *d) {
    struct bine_table t = {.column = columns, .columns = sizeof columns / sizeof *columns};
    const struct bine_choice *c = &d->choice;
    char text[SOURCE_TEXT];
    bine_table_add(&t, "%s", bine_collective_name(o->q.collective));
    bine_table_add(&t, "%d", o->q.p);
    bine_table_add(&t, "%d", o->q.nodes);
    bine_table_add(&t, "%lld", (long long)o->q.bytes);
    bine_table_add(&t, "%s", c->algorithm != NULL ? c->algorithm->name : "mpi");
    bine_table_add(&t, "%s", c->algorithm != NULL ? bine_layout_name(c->layout) : "");
    bine_table_add(&t, "%s", source_text(&o->q, d, text));
    bine_table_add(&t, "%s", c->reason);
    int rc = bine_table_print(&t, o->format);
    bine_table_free(&t);
    return rc;
}

/* The library's selector, on a communicator whose size has come again. The file of wisdom is read
 * where a program would open a tuning session, the model asked where one would. */
static int select_again(const struct choose_options *o, struct bine_selector *s,
                        struct bine_predictions *predictions, struct bine_rules *wisdom,
                        struct bine_decision *d) {
    struct bine_prediction p;
    bine_select(s, &o->q, d);
    if (d->why[0] != '\0')
        bine_complain("%s", d->why);
    if (d->wants_prediction) {
        if (bine_choose_model(&o->q, &o->where, &p) != 0)
            return BINE_EXIT_USAGE;
        predictions->least = bine_predictions_least(p.assumed);
        bine_predictions_add(predictions, &o->q, &p);
        bine_select(s, &o->q, d);
    }
    if (d->counts && bine_choose_wisdom(wisdom)) {
        s->wisdom = wisdom;
        bine_select(s, &o->q, d);
    }
    return 0;
}

static int print_choice(const struct choose_options *o, const struct bine_settings *settings,
                        const struct bine_rules *rules) {
    static const struct bine_tuning none;
    static struct bine_predictions predictions;
    predictions.least = bine_predictions_least(0); /* until the model says how it answers */
    struct bine_selection f = settings->forced[o->q.collective];
    struct bine_rules wisdom = {0};
    struct bine_decision d;
    struct bine_selector s = {
        .forward_reason = bine_settings_forward(settings),
        .program = bine_selection_none(),
        .setting = o->q.nonblocking && !o->q.boards ? bine_selection_nonblocking(f) : f,
        .rules = rules,
        .reproducible = (enum bine_reproducible)settings->reproducible,
        .tuning = settings->learn ? &none : NULL,
        .predictions = settings->model ? &predictions : NULL};
    int rc = select_again(o, &s, &predictions, &wisdom, &d);
    const struct bine_query seen = bine_select_query(&s, &o->q);
    if (rc == 0)
        rc = o->format == BINE_FORMAT_TEXT ? print_text(o, &seen, &d, rules) : print_row(o, &d);
    bine_predictions_free(&predictions);
    bine_rules_free(&wisdom);
    return rc;
}

/* A file that is named here must be good; that of BINE_RULES is left out if it is not. */
static int load_rules(const struct choose_options *o, struct bine_rules *rules, int *have) {
    char why[600];
    const char *path = o->rules_path;
    if (path == NULL)
        path = bine_setting_value(BINE_SETTING_RULES, NULL);
    *have = 0;
    if (*path == '\0')
        return BINE_EXIT_GOOD;
    *have = bine_rules_load(path, rules, why, sizeof why) == 0;
    if (*have)
        return BINE_EXIT_GOOD;
    if (o->rules_path != NULL)
        return bine_complain("%s", why);
    bine_complain("%s; none of its rules are followed (BINE_RULES)", why);
    return BINE_EXIT_GOOD;
}

static int run(struct choose_options *o) {
    struct bine_settings settings;
    struct bine_rules rules;
    int have;
    bine_settings_check_names(complain, NULL);
    bine_settings_read(&settings, complain, NULL);
    int rc = load_rules(o, &rules, &have);
    if (rc != BINE_EXIT_GOOD)
        return rc;
    o->q.always = settings.always != 0;
    o->q.handed_back = !settings.nonblocking;
    o->q.leaves_crowded = !settings.crowded;
    bine_choose_settings(&o->q, &o->where, &settings);
    const struct bine_rules *mine = have ? &rules : NULL;
    rc = o->list ? print_rules(mine, o->format) : print_choice(o, &settings, mine);
    if (have)
        bine_rules_free(&rules);
    return rc;
}

/* --- The words */

/* A row of an option that is a number of ranks, nodes or cores. */
#define NUMBER(option, where)                                                                      \
    {                                                                                              \
        .name = option, .read = bine_take_int, .to = where, .low = 1, .high = BINE_RANKS_MOST,     \
        .what = "--" option                                                                        \
    }

static int read_options(int argc, char **argv, struct choose_options *o) {
    int explicit = 0, ordered = 0, library = o->q.library;
    const struct bine_option rows[] = {
        NUMBER("ranks", &o->q.p),
        {.name = "bytes",
         .read = bine_take_bytes,
         .to = &o->q.bytes,
         .high = INT64_C(1) << 50,
         .what = "--bytes"},
        NUMBER("nodes", &o->q.nodes),
        NUMBER("ranks-per-node", &o->q.per_node),
        NUMBER("cores", &o->cores),
        {.name = "groups", .read = bine_take_word, .to = &o->where.groups},
        {.name = "dims", .read = bine_take_word, .to = &o->where.dims},
        {.name = "cartesian", .read = bine_take_flag, .to = &o->where.cartesian},
        {.name = "machine", .read = bine_take_word, .to = &o->where.machine},
        {.name = "hosts", .read = bine_take_word, .to = &o->where.hosts},
        {.name = "busy", .read = bine_take_share, .to = &o->where.busy, .what = "--busy"},
        {.name = "non-commutative", .read = bine_take_flag, .to = &ordered},
        {.name = "nonblocking", .read = bine_take_flag, .to = &o->q.nonblocking},
        {.name = "uneven", .read = bine_take_flag, .to = &o->q.uneven},
        {.name = "mpi", .read = bine_take_library, .to = &library},
        {.name = "explicit", .read = bine_take_flag, .to = &explicit},
        {.name = "rules", .read = bine_take_word, .to = &o->rules_path},
        {.name = "list", .read = bine_take_flag, .to = &o->list},
        {.name = "format", .read = bine_take_format, .to = &o->format},
        {0}};
    int rc = bine_options_read(argc, argv, rows);
    o->q.library = library;
    o->q.commutative = !ordered;
    o->q.drop_in = !explicit;
    o->where.per_node = o->q.per_node;
    return rc;
}

int bine_command_choose(int argc, char **argv) {
    struct choose_options o = {.q = {.bytes = -1}};
    int k = bine_mpi_builds[0].name ? bine_library_find(bine_mpi_builds[0].name) : 0;
    o.q.library = k > 0 ? k : BINE_LIBRARY_OPENMPI;
    int rc = read_options(argc, argv, &o);
    if (rc != 0)
        return rc == BINE_OPTIONS_HELP ? bine_options_help(help) : rc;
    if (bine_arguments_count(argc, argv, !o.list, !o.list, o.list ? "--list" : "COLLECTIVE") != 0)
        return BINE_EXIT_USAGE;
    if (!o.list && (bine_word_collective(argv[optind], &o.q.collective) != 0 ||
                    bine_choose_place(&o.q, &o.where) != 0))
        return BINE_EXIT_USAGE;
    o.q.crowded = o.cores > 0 && o.q.per_node > o.cores;
    return run(&o);
}
