/* The tables, on the terminal and in files. */
#include "report/report.h"

#include "cli/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

FILE *bine_report_create(const char *folder, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    if (f == NULL)
        bine_complain("%s: %s", path, strerror(errno));
    return f;
}

int bine_report_close(FILE *f, const char *folder, const char *name) {
    int bad = ferror(f);
    if (fclose(f) != 0 || bad)
        return bine_complain("%s/%s: it cannot be written", folder, name);
    return 0;
}

const char *bine_report_side_name(const struct bine_report *r, enum bine_report_side side) {
    return side == BINE_SIDE_OTHERS ? "best" : r->baseline;
}

static const struct bine_column columns[] = {
    {"mpi", BINE_COLUMN_WORDS},
    {"collective", BINE_COLUMN_WORDS},
    {"baseline", BINE_COLUMN_WORDS},
    {"cells", BINE_COLUMN_NUMBER},
    {"win_percent", BINE_COLUMN_NUMBER},
    {"avg_gain_percent", BINE_COLUMN_NUMBER},
    {"max_gain_percent", BINE_COLUMN_NUMBER},
    {"loss_percent", BINE_COLUMN_NUMBER},
    {"avg_drop_percent", BINE_COLUMN_NUMBER},
    {"max_drop_percent", BINE_COLUMN_NUMBER},
    {"tie_percent", BINE_COLUMN_NUMBER},
    {"avg_traffic_reduction_percent", BINE_COLUMN_NUMBER},
    {"max_traffic_reduction_percent", BINE_COLUMN_NUMBER},
};
/* On the terminal the table must be narrow: it has no first column, and the last two, of traffic,
 * only where it is known. People read ratios there, not percentages of more than a hundred. */
static const char *const titles[] = {"collective", "against", "cells", "win%", "faster",    "max",
                                     "loss%",      "slower",  "max",   "tie%", "traffic-%", "max"};
enum { COLUMNS = sizeof columns / sizeof *columns, COLUMNS_OF_TRAFFIC = 2 };

static double percent(size_t part, size_t whole) {
    return whole == 0 ? 0 : 100.0 * (double)part / (double)whole;
}

/* A number, or nothing where there is none. */
static void add_number(struct bine_table *t, double number, int known) {
    if (known)
        bine_table_add(t, "%.2f", number);
    else
        bine_table_add(t, "%s", "");
}

static void add_row(struct bine_table *t, const struct bine_report *r, int system, int collective,
                    enum bine_report_side side) {
    struct bine_score s = bine_report_score(r, system, collective, side);
    int csv = t->columns == COLUMNS;
    if (csv)
        bine_table_add(t, "%s", bine_names_text(&r->systems, system));
    bine_table_add(t, "%s", bine_report_collectives[collective].name);
    bine_table_add(t, "%s", bine_report_side_name(r, side));
    bine_table_add(t, "%zu", s.cells);
    add_number(t, percent(s.wins, s.cells), s.cells > 0);
    add_number(t, csv ? s.gain : 1 + s.gain / 100, csv ? s.cells > 0 : s.wins > 0);
    add_number(t, csv ? s.most_gain : 1 + s.most_gain / 100, csv ? s.cells > 0 : s.wins > 0);
    add_number(t, percent(s.losses, s.cells), s.cells > 0);
    add_number(t, csv ? s.drop : 1 + s.drop / 100, csv ? s.cells > 0 : s.losses > 0);
    add_number(t, csv ? s.most_drop : 1 + s.most_drop / 100, csv ? s.cells > 0 : s.losses > 0);
    add_number(t, percent(s.ties, s.cells), s.cells > 0);
    if (t->columns + 1 + COLUMNS_OF_TRAFFIC == COLUMNS)
        return;
    add_number(t, s.saving, s.counted > 0);
    add_number(t, s.most_saving, s.counted > 0);
}

static void fill_system(struct bine_table *t, const struct bine_report *r, int system, int sides) {
    for (int side = 0; side < sides; side++)
        for (int c = 0; c < BINE_REPORT_COLLECTIVES; c++)
            if (bine_report_has(r, system, c))
                add_row(t, r, system, c, side == 0 ? BINE_SIDE_BASELINE : BINE_SIDE_OTHERS);
}

static void fill(struct bine_table *t, const struct bine_report *r) {
    for (int system = 0; system < r->systems.count; system++)
        fill_system(t, r, system, strcmp(r->baseline, "best") == 0 ? 1 : 2);
}

static const char legend[] =
    "win%, loss%, tie%: of the cells, Bine's fastest against the fastest of the other side\n"
    "faster: Bine is so many times as fast, mean of the wins, then the most; slower: it takes so\n"
    "many times as long, mean of the losses, then the most\n";
static const char legend_of_traffic[] =
    "traffic-%: bytes between groups that Bine saves, mean, then the most; empty: not known\n";

/* A table for each MPI library, without its name in each row. */
static int print_text(const struct bine_report *r) {
    int rc = 0, traffic = 0;
    for (int system = 0; system < r->systems.count; system++)
        traffic |= bine_report_has_traffic(r, system);
    for (int system = 0; system < r->systems.count && rc == 0; system++) {
        struct bine_table t = {.column = columns + 1,
                               .columns = COLUMNS - 1 - (traffic ? 0 : COLUMNS_OF_TRAFFIC),
                               .title = titles};
        const char *mpi = bine_names_text(&r->systems, system);
        if (mpi[0] != '\0')
            printf("%s%s\n", system == 0 ? "" : "\n", mpi);
        fill_system(&t, r, system, bine_report_sides(r, system));
        rc = bine_table_print(&t, BINE_FORMAT_TEXT);
        bine_table_free(&t);
    }
    if (rc == 0)
        printf("\n%s%s", legend, traffic ? legend_of_traffic : "");
    return rc;
}

int bine_report_print(const struct bine_report *r, enum bine_format format) {
    struct bine_table t = {.column = columns, .columns = COLUMNS};
    if (format == BINE_FORMAT_TEXT)
        return print_text(r);
    fill(&t, r);
    int rc = bine_table_print(&t, format);
    bine_table_free(&t);
    return rc;
}

/* Quoted where RFC 4180 asks for it. */
static void write_csv_text(FILE *f, const char *text) {
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, f);
        return;
    }
    fputc('"', f);
    for (; *text != '\0'; text++)
        fprintf(f, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', f);
}

static void write_csv(FILE *f, const struct bine_table *t) {
    for (size_t i = 0; i < COLUMNS; i++)
        fprintf(f, "%s%s", columns[i].name, i + 1 == COLUMNS ? "\n" : ",");
    for (size_t i = 0; i < t->cells; i++) {
        write_csv_text(f, t->cell[i]);
        fputc((i + 1) % COLUMNS == 0 ? '\n' : ',', f);
    }
}

/* LaTeX's own characters. */
static void write_tex_text(FILE *f, const char *text) {
    for (; *text != '\0'; text++)
        fprintf(f, strchr("_%&#$", *text) != NULL ? "\\%c" : "%c", *text);
}

static void write_tex_row(FILE *f, const struct bine_score *s, const char *title) {
    fprintf(f, "%s & ", title);
    if (s->cells == 0)
        fprintf(f, "-- & -- & -- & -- & ");
    else
        fprintf(f, "%.0f\\%% & %.0f\\%%/%.0f\\%% & %.0f\\%% & %.0f\\%%/%.0f\\%% & ",
                percent(s->wins, s->cells), s->gain, s->most_gain, percent(s->losses, s->cells),
                s->drop, s->most_drop);
    if (s->counted > 0)
        fprintf(f, "%.0f\\%%/%.0f\\%% \\\\\n", s->saving, s->most_saving);
    else
        fprintf(f, "-- \\\\\n");
}

/* A table as in section 5 of the paper. */
static void write_tex_table(FILE *f, const struct bine_report *r, int system,
                            enum bine_report_side side) {
    fprintf(f, "\\begin{table}[htpb]\n\\footnotesize\n\\centering\n\\caption{Bine against ");
    write_tex_text(f, strcmp(bine_report_side_name(r, side), "best") == 0
                          ? "the best of all other algorithms"
                          : bine_report_side_name(r, side));
    fprintf(f, "%s, ", strcmp(bine_report_side_name(r, side), "binomial") == 0 ? " trees" : "");
    write_tex_text(f, bine_names_text(&r->systems, system));
    fprintf(f, "}\n\\begin{tabular}{lccccc}\n\\toprule\n\\textbf{Coll.} & \\textbf{\\%% Win} & "
               "\\textbf{Avg/Max Gain} & \\textbf{\\%% Loss} & \\textbf{Avg/Max Drop} & "
               "\\textbf{Avg/Max Traffic Red.} \\\\\n\\midrule\n");
    for (int c = 0; c < BINE_REPORT_COLLECTIVES; c++)
        if (bine_report_has(r, system, c)) {
            struct bine_score s = bine_report_score(r, system, c, side);
            write_tex_row(f, &s, bine_report_collectives[c].title);
        }
    fprintf(f, "\\bottomrule\n\\end{tabular}\n\\end{table}\n");
}

static void write_tex(FILE *f, const struct bine_report *r) {
    fprintf(f,
            "%% Needs \\usepackage{booktabs}. Averages are geometric means of time ratios. A tie "
            "is neither win nor loss:\n%% the 95 %% intervals of the medians overlap, or the "
            "medians differ by less than 1 %%.\n");
    for (int system = 0; system < r->systems.count; system++) {
        write_tex_table(f, r, system, BINE_SIDE_BASELINE);
        if (strcmp(r->baseline, "best") != 0)
            write_tex_table(f, r, system, BINE_SIDE_OTHERS);
    }
}

/* Every cell; 'bine report' reads this again. */
static void write_cells(FILE *f, const struct bine_report *r) {
    int told_apart = r->conditions.count > 1;
    fprintf(f, "collective,algorithm,mpi,ranks,nodes,bytes,samples,seconds,low,high,family%s\n",
            told_apart ? ",setup" : "");
    for (size_t i = 0; i < r->cells; i++) {
        const struct bine_cell *c = &r->cell[i];
        for (size_t k = c->first; k < c->first + c->count; k++) {
            const struct bine_measure *m = &r->measure[k];
            fprintf(f, "%s%s,", m->refused ? "# wrong: " : "",
                    bine_report_collectives[c->collective].name);
            write_csv_text(f, bine_measure_name(r, m));
            fputc(',', f);
            write_csv_text(f, bine_names_text(&r->systems, c->system));
            fprintf(f, ",%d,%d,%lld", c->ranks, c->nodes, (long long)c->bytes);
            if (!m->refused)
                fprintf(f, ",%zu,%.6g,%.6g,%.6g,%s", m->summary.samples, m->summary.median,
                        m->summary.low, m->summary.high, m->family);
            fputc(told_apart ? ',' : '\n', f);
            if (told_apart) {
                write_csv_text(f, bine_names_text(&r->conditions, c->conditions));
                fputc('\n', f);
            }
        }
    }
}

int bine_report_tables(const struct bine_report *r, const char *folder) {
    struct bine_table t = {.column = columns, .columns = COLUMNS};
    int rc = 0;
    fill(&t, r);
    FILE *csv = t.failed ? NULL : bine_report_create(folder, "tables.csv");
    if (csv != NULL)
        write_csv(csv, &t);
    rc = csv == NULL ? BINE_EXIT_USAGE : bine_report_close(csv, folder, "tables.csv");
    bine_table_free(&t);
    FILE *tex = rc != 0 ? NULL : bine_report_create(folder, "tables.tex");
    if (tex != NULL)
        write_tex(tex, r);
    rc = tex == NULL ? BINE_EXIT_USAGE : bine_report_close(tex, folder, "tables.tex");
    FILE *cells = rc != 0 ? NULL : bine_report_create(folder, "cells.csv");
    if (cells != NULL)
        write_cells(cells, r);
    return cells == NULL ? BINE_EXIT_USAGE : bine_report_close(cells, folder, "cells.csv");
}
