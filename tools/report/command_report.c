/* bine report: tables and pictures from measurements. */
#include "base/words.h"
#include "cli/command.h"
#include "cli/options/option_table.h"
#include "report/report_page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char help[] =
    "usage: bine report FILE... [-o DIR] [--baseline binomial|best|ALGORITHM]\n\n"
    "From measurements, as bine-bench --csv writes them or with at least the columns\n"
    "collective,algorithm,ranks,bytes,seconds in any order: win and loss tables, heat maps, box\n"
    "plots, layouts and curves, in one page that needs nothing but itself (DIR/report.html), with\n"
    "tables.csv, tables.tex, cells.csv and the plots' sources beside it. Prints the tables.\n\n"
    "What OSU's benchmarks, Intel's IMB and nccl-tests print is read, too. The file's name "
    "without\n"
    "its ending is the algorithm: bine-group.txt, mpi.txt.\n\n"
    "Bine's fastest algorithm in a cell is compared with the fastest of the baseline and of all\n"
    "others, by medians. A tie: the 95 % intervals overlap, or the medians differ by less than 1 "
    "%.\n\n"
    "options:\n"
    "  -o DIR        where it is written (bine-report)\n"
    "  --baseline B  binomial: the fastest of that family (default); best: of all others; or the\n"
    "                name of an algorithm\n"
    "  --map FILE    foreign algorithms, a line each: FOREIGN-NAME FAMILY [NAME]\n"
    "  --ranks P     of OSU's files, which do not say it\n"
    "  --groups G, --machine M [--hosts H]\n"
    "                where the ranks were, for the traffic between groups: as in 'bine traffic';\n"
    "                without --hosts, the hosts that the files name\n"
    "  --format F    text (default), csv or json\n"
    "  --help        this page\n\n"
    "examples:\n"
    "  bine report allreduce.csv\n"
    "  bine report leonardo/*.csv -o leonardo --baseline best\n"
    "  bine report osu.csv --map osu.map --baseline ring\n"
    "  bine report bine-group.txt mpi.txt --ranks 16 --baseline mpi\n";

static int read_options(int argc, char **argv, struct bine_report_options *w) {
    const struct bine_option rows[] = {
        {.name = "baseline", .read = bine_take_word, .to = &w->baseline},
        {.name = "map", .read = bine_take_word, .to = &w->map},
        {.name = "ranks",
         .read = bine_take_int,
         .to = &w->ranks,
         .low = 1,
         .high = BINE_RANKS_MOST},
        {.name = "groups", .read = bine_take_word, .to = &w->groups},
        {.name = "machine", .read = bine_take_word, .to = &w->machine},
        {.name = "hosts", .read = bine_take_word, .to = &w->hosts},
        {.name = "format", .read = bine_take_format, .to = &w->format},
        {.name = "output", .letter = 'o', .read = bine_take_word, .to = &w->folder},
        {0}};
    return bine_options_read(argc, argv, rows);
}

/* The folder and those above it. */
static int make_folder(const char *path) {
    char part[4096];
    if (strlen(path) >= sizeof part - 64)
        return bine_complain("-o %.60s...: the name is too long", path);
    for (size_t i = 1; i <= strlen(path); i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        snprintf(part, sizeof part, "%.*s", (int)i, path);
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return bine_complain("%s: %s", part, strerror(errno));
    }
    return 0;
}

/* Complain of a baseline that no file measured. */
static int check_baseline(const struct bine_report *r) {
    const char *names[256];
    size_t n = 0;
    if (strcmp(r->baseline, "binomial") == 0 || strcmp(r->baseline, "best") == 0 ||
        bine_names_find(&r->algorithms, r->baseline, strlen(r->baseline)) >= 0)
        return 0;
    for (int i = 0; i < r->algorithms.count && n < 256; i++)
        names[n++] = bine_names_text(&r->algorithms, i);
    return bine_complain_near(bine_nearest_word(r->baseline, names, n),
                              "baseline '%s': expected binomial, best or an algorithm that was "
                              "measured",
                              r->baseline);
}

/* Complain if no file has a Bine algorithm: then there is nothing to compare. */
static int check_bine(const struct bine_report *r) {
    for (size_t i = 0; i < r->measures; i++)
        if (strcmp(r->measure[i].family, "bine") == 0)
            return 0;
    return bine_complain(
        "%s%s: no algorithm of family bine, so nothing to compare; --map says which "
        "foreign ones are of it",
        r->file[0].path, r->files > 1 ? ", ..." : "");
}

static int check_setups(const struct bine_report *r) {
    struct bine_report_setup setup[BINE_SETUPS_MOST];
    for (int system = 0; system < r->systems.count; system++)
        if (bine_report_setups(r, system, -1, setup) == BINE_SETUPS_MOST)
            return bine_complain("%s: expected fewer than %d setups (ranks, nodes, conditions) in "
                                 "one report",
                                 bine_names_text(&r->systems, system), BINE_SETUPS_MOST);
    return 0;
}

static void warn_of_cells(const struct bine_report *r) {
    size_t without = 0;
    for (size_t i = 0; i < r->cells; i++)
        without += bine_cell_best(r, &r->cell[i], BINE_SIDE_BINE) == NULL;
    if (without > 0)
        fprintf(stderr, "note: %zu of %zu cells %s no algorithm of family bine: not compared\n",
                without, r->cells, without == 1 ? "has" : "have");
    if (r->conditions.count > 1)
        fprintf(
            stderr,
            "note: measured under %d conditions, which are kept apart: report.html lists them\n",
            r->conditions.count);
}

/* Print notes that the reader of the tables should know. */
static void warn(const struct bine_report *r) {
    size_t refused = 0;
    for (size_t i = 0; i < r->files; i++)
        if (r->file[i].incomplete || r->file[i].cut)
            fprintf(stderr, "note: %s: the run ended early; what was measured is reported\n",
                    r->file[i].path);
    for (size_t i = 0; i < r->measures; i++)
        refused += (size_t)r->measure[i].refused;
    if (refused > 0)
        fprintf(stderr, "note: %zu measurement%s %s refused, because the results were wrong\n",
                refused, bine_plural((int64_t)refused), refused == 1 ? "is" : "are");
    warn_of_cells(r);
    for (int i = 0; i < r->algorithms.count; i++)
        for (size_t k = 0; k < r->measures; k++)
            if (r->measure[k].algorithm == i && strcmp(r->measure[k].family, "other") == 0) {
                fprintf(stderr, "note: the family of '%s' is not known; see --map\n",
                        bine_names_text(&r->algorithms, i));
                break;
            }
}

static int report(struct bine_report *r, const struct bine_report_options *w, int files,
                  char **file) {
    int rc = w->map == NULL ? 0 : bine_mapping_read(&r->mapping, w->map);
    r->foreign_ranks = w->ranks;
    for (int i = 0; i < files && rc == 0; i++)
        rc = bine_report_read(r, file[i]);
    rc = rc != 0 ? rc : bine_report_gather(r);
    rc = rc != 0 ? rc : check_bine(r);
    rc = rc != 0 ? rc : check_setups(r);
    rc = rc != 0 ? rc : check_baseline(r);
    rc = rc != 0 ? rc : bine_report_count_traffic(r, w);
    rc = rc != 0 ? rc : make_folder(w->folder);
    if (rc != 0)
        return rc;
    warn(r);
    rc = bine_report_tables(r, w->folder);
    rc = rc != 0 ? rc : bine_report_page(r, w->folder);
    rc = rc != 0 ? rc : bine_report_print(r, w->format);
    if (rc == 0 && w->format == BINE_FORMAT_TEXT)
        printf("\n%s/report.html\n", w->folder);
    return rc;
}

int bine_command_report(int argc, char **argv) {
    struct bine_report_options w = {.folder = "bine-report", .baseline = "binomial"};
    char command[4096] = "bine";
    size_t at = strlen(command);
    for (int i = 0; i < argc && at < sizeof command; i++)
        at += (size_t)snprintf(command + at, sizeof command - at, " %s", argv[i]);
    int rc = read_options(argc, argv, &w);
    if (rc != 0)
        return rc == BINE_OPTIONS_HELP ? bine_options_help(help) : rc;
    if (bine_arguments_count(argc, argv, 1, argc, "FILE.csv...") != 0)
        return BINE_EXIT_USAGE;
    if (w.hosts != NULL && w.machine == NULL)
        return bine_complain("--hosts needs --machine, to tell which groups the hosts are in");
    struct bine_report r = {.baseline = w.baseline, .command = command};
    rc = report(&r, &w, argc - optind, argv + optind);
    bine_report_free(&r);
    return rc;
}
