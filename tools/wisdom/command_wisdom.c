/* bine wisdom: what programs have learnt (BINE_WISDOM), shown, merged and forgotten. */
#include "base/files.h"
#include "base/words.h"
#include "cli/command.h"
#include "cli/input_file.h"
#include "cli/options/option_table.h"
#include "cli/output/table.h"
#include "select/wisdom.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: bine wisdom show FILE...\n"
    "       bine wisdom merge FILE... -o OUT\n"
    "       bine wisdom forget FILE... --all | [--collective C] [--library L] [--ranks P]\n"
    "                          [--nodes N] [--older DAYS] [--due]\n\n"
    "What programs have learnt, in files that BINE_WISDOM names: a lesson for each collective, "
    "size\n"
    "class and shape of communicator.\n\n"
    "  show     the lessons, with what stands behind each, and whether it is due: older than 30\n"
    "           days, or by a lead that is less than the times scatter; programs try it again\n"
    "  merge    lessons of all files into OUT, with those that OUT has; of two for the same calls\n"
    "           the one learnt later stays, or the one of more tries\n"
    "  forget   lessons go for which all conditions hold; programs learn these calls anew\n\n"
    "Programs that are running may add to a file meanwhile: nothing of theirs is lost.\n\n"
    "options:\n"
    "  -o, --output OUT  of merge: the file, which need not be there yet\n"
    "  --all             of forget: every lesson\n"
    "  --collective C    of forget: lessons for this collective\n"
    "  --library L       openmpi or mpich\n"
    "  --ranks P         for communicators of so many ranks\n"
    "  --nodes N         on so many nodes\n"
    "  --older DAYS      learnt more days ago\n"
    "  --due             those that programs would try again\n"
    "  --format F        of show: text (default), csv or json\n"
    "  --help            this page\n\n"
    "columns of show: collective, library, ranks, nodes, ranks_per_node, groups, bytes,\n"
    "algorithm, date, tries, lead and spread in per cent, gain (times as fast as the\n"
    "MPI library's own), state: good, due, or given for a rule that no program learnt\n\n"
    "examples:\n"
    "  bine wisdom show wisdom.json\n"
    "  bine wisdom merge monday.json tuesday.json -o wisdom.json\n"
    "  bine wisdom forget wisdom.json --older 90\n";

struct wisdom_options {
    const char *output, *collective, *library;
    int all, due;
    long ranks, nodes, older; /* -1: not asked for */
    enum bine_format format;
};

static const struct bine_column columns[] = {
    {"collective", BINE_COLUMN_WORDS},
    {"library", BINE_COLUMN_WORDS},
    {"ranks", BINE_COLUMN_NUMBER},
    {"nodes", BINE_COLUMN_NUMBER},
    {"ranks_per_node", BINE_COLUMN_NUMBER},
    {"groups", BINE_COLUMN_NUMBER},
    {"bytes", BINE_COLUMN_WORDS},
    {"algorithm", BINE_COLUMN_WORDS},
    {"date", BINE_COLUMN_WORDS},
    {"tries", BINE_COLUMN_NUMBER},
    {"lead", BINE_COLUMN_NUMBER},
    {"spread", BINE_COLUMN_NUMBER},
    {"gain", BINE_COLUMN_NUMBER},
    {"state", BINE_COLUMN_WORDS},
};
static const char *const titles[] = {"collective", "library", "ranks",     "nodes", "each",
                                     "grps",       "bytes",   "algorithm", "date",  "tries",
                                     "lead",       "sprd",    "gain",      "state"};

/* One number of a lesson; nothing where it speaks of several or of any. */
static void add_number(struct bine_table *t, const struct bine_intervals *s) {
    if (s->n == 1 && s->interval[0].low == s->interval[0].high)
        bine_table_add(t, "%" PRId64, s->interval[0].low);
    else
        bine_table_add(t, "%s", "");
}

static enum bine_collective collective_of(const struct bine_rule *r) {
    int c = 0;
    while (c + 1 < BINE_COLLECTIVES && (r->collectives >> c & 1) == 0)
        c++;
    return (enum bine_collective)c;
}

static const char *state_of(const struct bine_evidence *e, int64_t today) {
    return e->tries <= 0 ? "given" : bine_evidence_is_due(e, today) ? "due" : "good";
}

/* A number with so many digits behind its point, or nothing. */
static void add_digits(struct bine_table *t, int known, int digits, double x) {
    if (known)
        bine_table_add(t, "%.*f", digits, x);
    else
        bine_table_add(t, "%s", "");
}

static void add_evidence(struct bine_table *t, const struct bine_evidence *e, int64_t today) {
    char day[BINE_DAY_TEXT];
    int known = e->tries > 0;
    bine_table_add(t, "%s", known ? bine_day_text(e->day, day) : "");
    add_digits(t, known, 0, e->tries);
    add_digits(t, known, 1, 100 * e->lead);
    add_digits(t, known, 1, 100 * e->spread);
    add_digits(t, known && e->gain > 0, 2, e->gain);
    bine_table_add(t, "%s", state_of(e, today));
}

/* 65536 as 64K. */
static const char *power_text(int64_t n, char text[24]) {
    static const char units[] = " KMGTP";
    int u = 0;
    for (; n > 0 && n % 1024 == 0 && u < 5; u++)
        n /= 1024;
    snprintf(text, 24, "%" PRId64 "%.*s", n, u > 0, &units[u]);
    return text;
}

static void add_lesson(struct bine_table *t, const struct bine_rule *r, int64_t today) {
    char from[24], below[24];
    bine_table_add(t, "%s", bine_collective_name(collective_of(r)));
    bine_table_add(t, "%s", bine_library_name(r->library));
    add_number(t, &r->ranks);
    add_number(t, &r->nodes);
    add_number(t, &r->per_node);
    add_number(t, &r->groups);
    bine_table_add(t, "%s-%s", power_text(r->from, from), power_text(r->below, below));
    bine_table_add(t, "%s", r->algorithm);
    add_evidence(t, &r->learnt, today);
}

static int load(const char *path, struct bine_rules *rules) {
    char why[600];
    return bine_wisdom_load(path, rules, why, sizeof why) < 0 ? bine_complain("%s", why) : 0;
}

static int show(struct wisdom_options *o, int files, char **file) {
    struct bine_table t = {
        .column = columns, .title = titles, .columns = sizeof columns / sizeof *columns};
    int64_t today = bine_day_today();
    size_t lessons = 0, due = 0;
    int rc = 0;
    for (int i = 0; i < files && rc == 0; i++) {
        struct bine_rules rules = {0};
        rc = load(file[i], &rules);
        for (size_t k = 0; k < rules.count && rc == 0; k++) {
            add_lesson(&t, &rules.rule[k], today);
            lessons++;
            due += strcmp(state_of(&rules.rule[k].learnt, today), "due") == 0;
        }
        bine_rules_free(&rules);
    }
    if (rc == 0)
        rc = bine_table_print(&t, o->format);
    if (rc == 0 && o->format == BINE_FORMAT_TEXT)
        printf("%s%zu lesson%s, %zu due\n", lessons > 0 ? "\n" : "", lessons,
               bine_plural((int64_t)lessons), due);
    bine_table_free(&t);
    return rc;
}

static int merge(struct wisdom_options *o, int files, char **file) {
    char why[600];
    size_t changed = 0;
    if (o->output == NULL)
        return bine_complain("missing -o: expected the file that lessons are merged into");
    for (int i = 0; i < files; i++) { /* nothing is written unless all of them can be read */
        struct bine_rules rules = {0};
        int rc = load(file[i], &rules);
        bine_rules_free(&rules);
        if (rc != 0)
            return rc;
    }
    for (int i = 0; i < files; i++)
        if (bine_wisdom_merge(o->output, file[i], &changed, why, sizeof why) != 0)
            return bine_complain("%s", why);
    struct bine_rules rules = {0};
    int rc = load(o->output, &rules);
    if (rc == 0)
        printf("%s: %zu lesson%s%s\n", o->output, rules.count, bine_plural((int64_t)rules.count),
               changed == 0 ? ", none new" : "");
    bine_rules_free(&rules);
    return rc;
}

/* Whether a lesson is to go. */
static int goes(void *context, const struct bine_rule *r) {
    const struct wisdom_options *o = context;
    int64_t today = bine_day_today();
    if (o->collective != NULL && strcmp(o->collective, bine_collective_name(collective_of(r))) != 0)
        return 0;
    if (o->library != NULL && strcmp(o->library, bine_library_name(r->library)) != 0)
        return 0;
    if (o->ranks >= 0 && (r->ranks.n != 1 || r->ranks.interval[0].low != o->ranks))
        return 0;
    if (o->nodes >= 0 && (r->nodes.n != 1 || r->nodes.interval[0].low != o->nodes))
        return 0;
    if (o->older >= 0 && today - r->learnt.day <= o->older)
        return 0;
    return !o->due || strcmp(state_of(&r->learnt, today), "due") == 0;
}

static int forget(struct wisdom_options *o, int files, char **file) {
    char why[600];
    enum bine_collective c;
    int conditions = o->collective != NULL || o->library != NULL || o->ranks >= 0 ||
                     o->nodes >= 0 || o->older >= 0 || o->due;
    if (conditions == o->all)
        return bine_complain(o->all ? "--all: not together with conditions"
                                    : "forget: expected a condition, or --all");
    if (o->collective != NULL && bine_word_collective(o->collective, &c) != 0)
        return BINE_EXIT_USAGE;
    if (o->library != NULL && bine_library_find(o->library) < 0)
        return bine_complain("--library '%s': expected openmpi or mpich", o->library);
    for (int i = 0; i < files; i++) {
        size_t gone = 0, left = 0;
        if (bine_wisdom_forget(file[i], goes, o, &gone, &left, why, sizeof why) != 0)
            return bine_complain("%s", why);
        printf("%s: %zu lesson%s forgotten, %zu left\n", file[i], gone, bine_plural((int64_t)gone),
               left);
    }
    return 0;
}

static int check_there(int files, char **file) {
    for (int i = 0; i < files; i++)
        if (!bine_file_is_regular(file[i]))
            return bine_complain("%s: expected a file that BINE_WISDOM made",
                                 bine_file_shown(file[i]));
    return 0;
}

static const struct deed {
    const char *name;
    int (*run)(struct wisdom_options *o, int files, char **file);
} subcommands[] = {{"show", show}, {"merge", merge}, {"forget", forget}};
enum { SUBCOMMANDS = sizeof subcommands / sizeof *subcommands };

static int perform(struct wisdom_options *o, int words, char **word) {
    const char *names[SUBCOMMANDS];
    for (int i = 0; i < SUBCOMMANDS; i++) {
        names[i] = subcommands[i].name;
        if (strcmp(word[0], names[i]) == 0)
            return check_there(words - 1, word + 1) != 0
                       ? BINE_EXIT_USAGE
                       : subcommands[i].run(o, words - 1, word + 1);
    }
    return bine_complain_near(bine_nearest_word(word[0], names, SUBCOMMANDS),
                              "unknown word '%s': expected show, merge or forget", word[0]);
}

int bine_command_wisdom(int argc, char **argv) {
    struct wisdom_options o = {.ranks = -1, .nodes = -1, .older = -1};
    const struct bine_option rows[] = {
        {.name = "output", .letter = 'o', .read = bine_take_word, .to = &o.output},
        {.name = "all", .read = bine_take_flag, .to = &o.all},
        {.name = "collective", .read = bine_take_word, .to = &o.collective},
        {.name = "library", .read = bine_take_word, .to = &o.library},
        {.name = "ranks", .read = bine_take_long, .to = &o.ranks, .low = 1, .high = 1 << 24},
        {.name = "nodes", .read = bine_take_long, .to = &o.nodes, .low = 1, .high = 1 << 24},
        {.name = "older", .read = bine_take_long, .to = &o.older, .low = 0, .high = 100000},
        {.name = "due", .read = bine_take_flag, .to = &o.due},
        {.name = "format", .read = bine_take_format, .to = &o.format},
        {0}};
    int rc = bine_options_read(argc, argv, rows);
    if (rc != 0)
        return rc == BINE_OPTIONS_HELP ? bine_options_help(help) : rc;
    if (bine_arguments_count(argc, argv, 2, argc, "show|merge|forget FILE...") != 0)
        return BINE_EXIT_USAGE;
    return perform(&o, argc - optind, argv + optind);
}
