/* bine tune: rules from measurements. */
#include "tune/tune.h"

#include "base/files.h"
#include "cli/command.h"
#include "cli/libraries.h"
#include "cli/options/option_table.h"

#include <stdlib.h>

static const char help[] =
    "usage: bine tune FILE.csv... -o RULES.json\n"
    "       bine tune [FILE.csv...] --run 'mpirun -n 64' -o RULES.json\n"
    "       bine tune FILE.csv... --cross\n\n"
    "Rules for BINE_RULES from measurements, as bine-bench --csv and --summary write them. For "
    "each\n"
    "collective, library, number of nodes and ranks: the algorithm that was fastest at each size, "
    "in\n"
    "few intervals; mpi stays unless another one is faster beyond the noise (the 95 % intervals "
    "of\n"
    "the medians do not touch, and 3 % or more) in some cell and slower by 3 % or more in none.\n"
    "Where measurements differ in what rules cannot tell apart (hosts, shapes), all of them "
    "count.\n"
    "Nothing is decided for numbers of ranks and sizes that were not measured, nor where mpi was\n"
    "not. Prints what is expected of the rules.\n\n"
    "options:\n"
    "  -o FILE      where the rules go; use them with BINE_RULES=FILE\n"
    "  --cross      write nothing: make rules from every second size and judge them by the "
    "others,\n"
    "               both ways\n"
    "  --run C      measure first what the files do not have, collective by collective: C starts "
    "the\n"
    "               ranks of bine-bench\n"
    "  --budget S   at most about so many seconds for that (600)\n"
    "  --sizes R    of the whole vector, as for bine-bench -m (1K:8M)\n"
    "  --mpi M      openmpi or mpich: which bine-bench\n"
    "  --measured F where measurements are added to (measured.csv); what is there already is not\n"
    "               measured again\n"
    "  --format F   text (default), csv or json\n"
    "  --help       this page\n\n"
    "columns: collective; cells that the rules speak of; cells that get another algorithm than "
    "mpi;\n"
    "gain: mpi's time over that of the choice, geometric mean, and the least; best: mpi's time "
    "over\n"
    "that of the fastest of each cell; share of the cells within 5 % and within 20 % of that "
    "one.\n\n"
    "examples:\n"
    "  bine tune measured.csv -o rules.json\n"
    "  bine tune lab.csv lab-slow.csv --cross\n"
    "  bine tune --run 'srun -n 64' --budget 1800 -o rules.json\n";

static const struct bine_column columns[] = {
    {"collective", BINE_COLUMN_WORDS}, {"cells", BINE_COLUMN_NUMBER},
    {"own", BINE_COLUMN_NUMBER},       {"gain", BINE_COLUMN_NUMBER},
    {"least", BINE_COLUMN_NUMBER},     {"best", BINE_COLUMN_NUMBER},
    {"within_5", BINE_COLUMN_NUMBER},  {"within_20", BINE_COLUMN_NUMBER},
};

/* Rules, and the cells to judge them by. */
struct trial {
    struct bine_tune rules;
    int judged; /* half of the sizes; -1: all */
};

static void add_scores(struct bine_tune_score *sum, const struct bine_tune_score *s) {
    double all = (double)(sum->cells + s->cells);
    if (s->cells == 0)
        return;
    sum->least = sum->cells == 0 || s->least < sum->least ? s->least : sum->least;
    sum->gain = bine_tune_mean(sum->gain, sum->cells, s->gain, s->cells);
    sum->best = bine_tune_mean(sum->best, sum->cells, s->best, s->cells);
    sum->cells = (size_t)all;
    sum->own += s->own;
    sum->within5 += s->within5;
    sum->within20 += s->within20;
}

static void add_row(struct bine_table *t, const char *name, const struct bine_tune_score *s) {
    if (s->cells == 0)
        return;
    bine_table_add(t, "%s", name);
    bine_table_add(t, "%zu", s->cells);
    bine_table_add(t, "%zu", s->own);
    bine_table_add(t, "%.2f", s->gain);
    bine_table_add(t, "%.2f", s->least);
    bine_table_add(t, "%.2f", s->best);
    bine_table_add(t, "%.0f", 100.0 * (double)s->within5 / (double)s->cells);
    bine_table_add(t, "%.0f", 100.0 * (double)s->within20 / (double)s->cells);
}

static int print(const struct trial *trial, int trials, enum bine_format format) {
    struct bine_table t = {.column = columns, .columns = sizeof columns / sizeof *columns};
    struct bine_tune_score all = {0};
    for (int c = 0; c < BINE_REPORT_COLLECTIVES; c++) {
        struct bine_tune_score sum = {0}, s;
        for (int i = 0; i < trials; i++) {
            bine_tune_judge(&trial[i].rules, c, trial[i].judged, &s);
            add_scores(&sum, &s);
        }
        add_row(&t, bine_report_collectives[c].name, &sum);
        add_scores(&all, &sum);
    }
    add_row(&t, "all", &all);
    int rc = bine_table_print(&t, format);
    bine_table_free(&t);
    return rc;
}

static void note_undecided(const struct bine_tune *t) {
    if (t->undecided > 0)
        fprintf(
            stderr,
            "note: %zu cell%s not decided: mpi, or everything but mpi, was not measured there\n",
            t->undecided, bine_plural((int64_t)t->undecided));
}

static int tune(struct bine_report *r, const char *output, enum bine_format format) {
    struct trial all = {.judged = -1};
    int rc = bine_tune_make(&all.rules, r, -1);
    if (rc == 0 && all.rules.rules == 0)
        rc = bine_complain("nothing to decide: expected cells with mpi and with other algorithms");
    if (rc == 0)
        rc = bine_tune_write(&all.rules, output);
    if (rc == 0) {
        note_undecided(&all.rules);
        rc = print(&all, 1, format);
    }
    if (rc == 0 && format == BINE_FORMAT_TEXT)
        printf("\n%s: %zu rules\n", output, all.rules.rules);
    bine_tune_free(&all.rules);
    return rc;
}

static int cross(struct bine_report *r, enum bine_format format) {
    struct trial trial[2] = {{.judged = 1}, {.judged = 0}};
    int rc = bine_tune_make(&trial[0].rules, r, 0);
    rc = rc != 0 ? rc : bine_tune_make(&trial[1].rules, r, 1);
    rc = rc != 0 ? rc : print(trial, 2, format);
    bine_tune_free(&trial[0].rules);
    bine_tune_free(&trial[1].rules);
    return rc;
}

/* All files, that of earlier measurements among them where more are to come. */
static int read_all(int argc, char **argv, const struct bine_tune_run *x, struct bine_report *r) {
    int rc = 0, files = optind < argc;
    for (int i = optind; i < argc && rc == 0; i++)
        rc = bine_report_read(r, argv[i]);
    if (rc == 0 && x->command != NULL && bine_file_is_regular(x->measured)) {
        rc = bine_report_read(r, x->measured);
        files = 1;
    }
    return rc != 0 || !files ? rc : bine_report_gather(r);
}

static int measure(int argc, char **argv, const struct bine_tune_run *x) {
    struct bine_report have = {0};
    int rc = x->command == NULL ? 0 : read_all(argc, argv, x, &have);
    if (rc == 0 && x->command != NULL)
        rc = bine_tune_run(x, &have);
    bine_report_free(&have);
    return rc;
}

int bine_command_tune(int argc, char **argv) {
    const char *output = NULL;
    enum bine_format format = BINE_FORMAT_TEXT;
    struct bine_tune_run run = {.measured = "measured.csv", .sizes = "1K:8M", .budget = 600};
    int crosses = 0;
    const struct bine_option rows[] = {
        {.name = "output", .letter = 'o', .read = bine_take_word, .to = &output},
        {.name = "cross", .read = bine_take_flag, .to = &crosses},
        {.name = "run", .read = bine_take_word, .to = &run.command},
        {.name = "budget", .read = bine_take_long, .to = &run.budget, .low = 1, .high = 1000000},
        {.name = "sizes", .read = bine_take_word, .to = &run.sizes},
        {.name = "mpi", .read = bine_take_word, .to = &run.mpi},
        {.name = "measured", .read = bine_take_word, .to = &run.measured},
        {.name = "format", .read = bine_take_format, .to = &format},
        {0}};
    int rc = bine_options_read(argc, argv, rows);
    if (rc != 0)
        return rc == BINE_OPTIONS_HELP ? bine_options_help(help) : rc;
    if (run.mpi != NULL && bine_word_mpi(run.mpi) == NULL)
        return BINE_EXIT_USAGE;
    if (bine_arguments_count(argc, argv, run.command == NULL, argc, "FILE.csv...") != 0)
        return BINE_EXIT_USAGE;
    if ((output == NULL) == (crosses == 0))
        return bine_complain("expected either -o RULES.json or --cross");
    struct bine_report r = {0};
    rc = measure(argc, argv, &run);
    rc = rc != 0 ? rc : read_all(argc, argv, &run, &r);
    rc = rc != 0 ? rc : crosses ? cross(&r, format) : tune(&r, output, format);
    bine_report_free(&r);
    return rc;
}
