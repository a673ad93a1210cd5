/* bine list: the rows of the catalogue. */
#include "cli/command.h"
#include "cli/options/option_table.h"
#include "cli/output/table.h"

#include <stdio.h>

static const char help[] =
    "usage: bine list [COLLECTIVE] [--format text|csv|json]\n\n"
    "Every algorithm, of one collective or of all: its family, the numbers of ranks it takes "
    "(any,\n"
    "even, pow2) and what else it must know of them (groups, dims), whether its operator must be\n"
    "commutative, its layouts (the preferred one first; permute and send are for powers of two, "
    "and\n"
    "for tori) and what it does.\n\n"
    "options:\n"
    "  --format F  text (default), csv or json\n"
    "  --help      this page\n\n"
    "examples:\n"
    "  bine list\n"
    "  bine list allgather\n"
    "  bine list reduce_scatter --format csv\n";

static const struct bine_column columns[] = {
    {"collective", BINE_COLUMN_WORDS},  {"algorithm", BINE_COLUMN_WORDS},
    {"family", BINE_COLUMN_WORDS},      {"ranks", BINE_COLUMN_WORDS},
    {"commutative", BINE_COLUMN_WORDS}, {"layouts", BINE_COLUMN_WORDS},
    {"about", BINE_COLUMN_WORDS},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

static const char *const needs[] = {[BINE_NEEDS_NOTHING] = "",
                                    [BINE_NEEDS_GROUPS] = " groups",
                                    [BINE_NEEDS_DIMS] = " dims",
                                    [BINE_NEEDS_BOARDS] = " boards"};

static const char legend[] =
    "\nranks: any, even or pow2 (a power of two), and what else must be known of them (groups, "
    "dims,\n"
    "boards: all on one node)\n"
    "commutative: required of the operator, or any; layouts: the preferred one first; permute and\n"
    "send are for powers of two, and for tori\n";

static void add_row(struct bine_table *t, const struct bine_algorithm *a) {
    char layouts[64] = "";
    int at = 0;
    for (int i = 0; a->layouts[i] >= 0; i++)
        at += snprintf(layouts + at, sizeof layouts - (size_t)at, "%s%s", i == 0 ? "" : " ",
                       bine_layout_name((enum bine_layout)a->layouts[i]));
    if (t->columns == COLUMNS)
        bine_table_add(t, "%s", bine_collective_name(a->collective));
    bine_table_add(t, "%s", a->name);
    bine_table_add(t, "%s", a->family);
    bine_table_add(t, "%s%s", bine_ranks_name(a->ranks), needs[bine_algorithm_needs(a)]);
    bine_table_add(t, "%s", a->commutative ? "required" : "any");
    bine_table_add(t, "%s", layouts);
    if (a->alias != NULL)
        bine_table_add(t, "%s (also: %s)", a->about, a->alias);
    else
        bine_table_add(t, "%s", a->about);
}

static void add_rows(struct bine_table *t, const enum bine_collective *only) {
    for (size_t i = 0; i < bine_catalogue_size; i++)
        if (only == NULL || bine_catalogue[i].collective == *only)
            add_row(t, &bine_catalogue[i]);
}

/* A table for each collective, without its name in each row. */
static int print_text(const enum bine_collective *only) {
    int rc = 0, some = 0;
    for (int k = 0; k < BINE_COLLECTIVES && rc == 0; k++) {
        enum bine_collective c = (enum bine_collective)k;
        struct bine_table t = {.column = columns + 1, .columns = COLUMNS - 1};
        if (only != NULL && *only != c)
            continue;
        printf("%s%s\n", some++ == 0 ? "" : "\n", bine_collective_name(c));
        add_rows(&t, &c);
        rc = bine_table_print(&t, BINE_FORMAT_TEXT);
        bine_table_free(&t);
    }
    if (rc == 0)
        printf("%s", legend);
    return rc;
}

static int print_list(const enum bine_collective *only, enum bine_format format) {
    struct bine_table t = {.column = columns, .columns = COLUMNS};
    if (format == BINE_FORMAT_TEXT)
        return print_text(only);
    add_rows(&t, only);
    int rc = bine_table_print(&t, format);
    bine_table_free(&t);
    return rc;
}

int bine_command_list(int argc, char **argv) {
    enum bine_format format = BINE_FORMAT_TEXT;
    enum bine_collective c;
    const struct bine_option rows[] = {{.name = "format", .read = bine_take_format, .to = &format},
                                       {0}};
    int rc = bine_options_read(argc, argv, rows);
    if (rc != 0)
        return rc == BINE_OPTIONS_HELP ? bine_options_help(help) : rc;
    if (bine_arguments_count(argc, argv, 0, 1, "[COLLECTIVE]") != 0)
        return BINE_EXIT_USAGE;
    if (optind == argc)
        return print_list(NULL, format);
    return bine_word_collective(argv[optind], &c) != 0 ? BINE_EXIT_USAGE : print_list(&c, format);
}
