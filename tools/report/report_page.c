/* report.html: one page that needs nothing but itself. */
#include "report/report_page.h"

#include "cli/command.h"
#include "cli/output/html.h"

#include <stdlib.h>
#include <string.h>

static const char style[] =
    "table.score th,table.score td{padding:.25em .7em;text-align:right;border-bottom:1px solid "
    "var(--line);white-space:nowrap}\n"
    "table.score th{border-bottom:2px solid var(--rule);vertical-align:bottom}\n"
    "table.score td:first-child,table.score th:first-child{text-align:left;position:sticky;left:0;"
    "background:var(--page)}\n"
    "table.score tr.all td{font-weight:600;border-top:2px solid var(--rule)}\n"
    ".sw{display:inline-block;min-width:2.2em;text-align:center;padding:0 .3em;border-radius:3px}\n"
    "p.key{font-size:.92em}.maps{display:flex;flex-wrap:wrap;gap:0 2em}.maps>div{max-width:100%}\n"
    ".pair{display:grid;grid-template-columns:1fr 1fr;gap:1em}.pair>*{min-width:0}\n"
    ".pair figure svg{min-width:440px}\n"
    "@media(max-width:800px){.pair{grid-template-columns:1fr}}\n";

static const char tie_rule[] = "two algorithms are called equally fast if the 95&nbsp;% intervals "
                               "of their medians overlap, or "
                               "if the medians differ by less than 1&nbsp;%";

static const char *side_words(const struct bine_report *r, enum bine_report_side side) {
    const char *name = bine_report_side_name(r, side);
    if (strcmp(name, "binomial") == 0)
        return "binomial trees";
    return strcmp(name, "best") == 0 ? "the best of all other algorithms" : name;
}

static void write_score(FILE *f, const struct bine_score *s, const char *title, int traffic,
                        const char *class) {
    double cells = s->cells > 0 ? (double)s->cells : 1;
    fprintf(f, "<tr%s><td>%s</td><td>%zu</td>", class, title, s->cells);
    fprintf(f, "<td>%.0f&nbsp;%%</td>", 100 * (double)s->wins / cells);
    fprintf(f, s->wins > 0 ? "<td>%.2f / %.2f</td>" : "<td>&ndash;</td>", 1 + s->gain / 100,
            1 + s->most_gain / 100);
    fprintf(f, "<td>%.0f&nbsp;%%</td>", 100 * (double)s->losses / cells);
    fprintf(f, s->losses > 0 ? "<td>%.2f / %.2f</td>" : "<td>&ndash;</td>", 1 + s->drop / 100,
            1 + s->most_drop / 100);
    fprintf(f, "<td>%.0f&nbsp;%%</td>", 100 * (double)s->ties / cells);
    if (traffic)
        fprintf(f, s->counted > 0 ? "<td>%.1f&nbsp;%% / %.1f&nbsp;%%</td>" : "<td>&ndash;</td>",
                s->saving, s->most_saving);
    fprintf(f, "</tr>\n");
}

static void write_scores(FILE *f, const struct bine_report *r, int system,
                         enum bine_report_side side) {
    int traffic = bine_report_has_traffic(r, system);
    fprintf(f,
            "<div class=wide><table class=score><thead><tr><th>collective</th><th>cells</th>"
            "<th>Bine<br>wins</th><th>times as fast<br>average / most</th><th>Bine<br>loses</th>"
            "<th>times as long<br>average / most</th><th>ties</th>%s</tr></thead>\n<tbody>\n",
            traffic ? "<th>traffic between groups saved<br>average / most</th>" : "");
    for (int c = 0; c < BINE_REPORT_COLLECTIVES; c++) {
        struct bine_score s = bine_report_score(r, system, c, side);
        if (s.cells > 0)
            write_score(f, &s, bine_report_collectives[c].title, traffic, "");
    }
    struct bine_score all = bine_report_score(r, system, -1, side);
    write_score(f, &all, "all", traffic, " class=all");
    fprintf(f, "</tbody></table></div>\n");
}

/* One sentence that sums up the comparison. */
static void write_lead(FILE *f, const struct bine_report *r, int system,
                       enum bine_report_side side) {
    struct bine_score s = bine_report_score(r, system, -1, side);
    double cells = s.cells > 0 ? (double)s.cells : 1;
    fprintf(f, "<p class=lead>Against ");
    bine_html_text(f, side_words(r, side));
    if (s.cells == 0) {
        fprintf(f, ": nothing to compare, no cell has both.</p>\n");
        return;
    }
    fprintf(f, ", Bine is faster in %.0f&nbsp;%% of %zu cell%s", 100 * (double)s.wins / cells,
            s.cells, bine_plural((int64_t)s.cells));
    if (s.wins > 0)
        fprintf(f, " (%.2f times as fast on average, %.2f at most)", 1 + s.gain / 100,
                1 + s.most_gain / 100);
    fprintf(f, ", slower in %.0f&nbsp;%%", 100 * (double)s.losses / cells);
    if (s.losses > 0)
        fprintf(f, " (it takes %.2f times as long on average, %.2f at most)", 1 + s.drop / 100,
                1 + s.most_drop / 100);
    fprintf(f, " and equally fast in %.0f&nbsp;%%.</p>\n", 100 * (double)s.ties / cells);
}

/* Nothing if gnuplot drew none. */
static void write_plot(FILE *f, const char *folder, const char *name, const char *caption) {
    char path[4096 + BINE_PLOT_NAME];
    snprintf(path, sizeof path, "%s/plots/%s.svg", folder, name);
    bine_html_picture(f, path, caption);
}

static void write_curves(FILE *f, const struct bine_report *r, int system, const char *folder) {
    struct bine_report_setup setup[BINE_SETUPS_MOST];
    char name[BINE_PLOT_NAME], label[BINE_SETUP_TEXT];
    fprintf(f, "<h3>Time and bandwidth</h3>\n<p>The fastest algorithm of each family at each size; "
               "bars are 95&nbsp;%% intervals. Bus bandwidth is the bytes that every rank must at "
               "least move, over the time.</p>\n");
    for (int c = 0; c < BINE_REPORT_COLLECTIVES; c++) {
        int n = bine_report_setups(r, system, c, setup);
        for (int i = n - 1; i >= 0; i--) { /* the most ranks first, the others folded away */
            bine_setup_text(r, &setup[i], label);
            fprintf(f, "<details%s><summary>%s, %s</summary>\n<div class=pair>\n",
                    i == n - 1 ? " open" : "", bine_report_collectives[c].title, label);
            bine_plot_name(name, r, "time", system, c, &setup[i]);
            write_plot(f, folder, name, "Time of a call, median");
            bine_plot_name(name, r, "bandwidth", system, c, &setup[i]);
            write_plot(f, folder, name, "Bus bandwidth");
            fprintf(f, "</div></details>\n");
        }
    }
}

static int write_system(FILE *f, const struct bine_report *r, int system, const char *folder) {
    char name[BINE_PLOT_NAME];
    int both = bine_report_sides(r, system) == 2;
    const char *mpi = bine_names_text(&r->systems, system);
    fprintf(f, "<h2>");
    bine_html_text(f, mpi[0] == '\0' ? "Measurements" : mpi);
    fprintf(f, "</h2>\n");
    write_lead(f, r, system, BINE_SIDE_BASELINE);
    if (both)
        write_lead(f, r, system, BINE_SIDE_OTHERS);
    fprintf(f, "<h3>Bine against ");
    bine_html_text(f, side_words(r, BINE_SIDE_BASELINE));
    fprintf(f, "</h3>\n");
    write_scores(f, r, system, BINE_SIDE_BASELINE);
    if (both) {
        fprintf(f, "<h3>Bine against the best of all other algorithms</h3>\n");
        write_scores(f, r, system, BINE_SIDE_OTHERS);
    }
    fprintf(f, "<h3>Which algorithm is fastest where</h3>\n<p>Bine's fastest algorithm against the "
               "fastest of all others, in every cell. Point at a cell for names and times.</p>\n");
    if (bine_heat_write(f, r, system) != 0)
        return BINE_EXIT_USAGE;
    bine_plot_name(name, r, "gains", system, -1, NULL);
    if (bine_report_has_boxes(r, system))
        write_plot(
            f, folder, name,
            "How much faster Bine is, in the cells where it is the fastest of all; below the name, "
            "the share of such cells. Boxes are quartiles with the median, whiskers reach 1.5 box "
            "heights, circles lie beyond.");
    if (bine_layouts_write(f, r, system) != 0)
        return BINE_EXIT_USAGE;
    write_curves(f, r, system, folder);
    return 0;
}

static void write_head(FILE *f, const struct bine_report *r) {
    bine_html_begin(f, "Bine: measured collectives", style);
    fprintf(f, "<p class=sub>%zu cell%s, %zu measurement%s, %d algorithm%s</p>\n", r->cells,
            bine_plural((int64_t)r->cells), r->measures, bine_plural((int64_t)r->measures),
            r->algorithms.count, bine_plural(r->algorithms.count));
    fprintf(f,
            "<p>A cell is a collective with a number of ranks and of bytes (of the whole vector). "
            "In each cell, Bine's fastest algorithm is compared with the fastest of the others, by "
            "the median time of a call. Averages are geometric means of time ratios. Ties: "
            "%s.</p>\n",
            tie_rule);
}

/* Note how many measurements have so few samples that their intervals mean little. */
static void write_few(FILE *f, const struct bine_report *r) {
    size_t few = 0;
    for (size_t i = 0; i < r->measures; i++)
        few += !r->measure[i].refused && r->measure[i].summary.samples < 6;
    if (few > 0)
        fprintf(f,
                "<p>%zu of %zu measurements have fewer than six samples: their intervals are only "
                "the range of those, and what is called a win or a loss there may be chance.</p>\n",
                few, r->measures);
}

/* What tells cells apart that are of the same collective, ranks and bytes. */
static void write_conditions(FILE *f, const struct bine_report *r) {
    if (r->conditions.count < 2)
        return;
    fprintf(f,
            "<p>The measurements were made under %d conditions. Each has cells of its own:</p>\n"
            "<ol>\n",
            r->conditions.count);
    for (int i = 0; i < r->conditions.count; i++) {
        const char *text = bine_names_text(&r->conditions, i);
        fprintf(f, "<li>");
        bine_html_text(f, text[0] == '\0' ? "nothing is said" : text);
        fprintf(f, "</li>\n");
    }
    fprintf(f, "</ol>\n");
}

/* How it was measured, and which measurements were left out. */
static void write_left_out(FILE *f, const struct bine_report *r) {
    size_t refused = 0;
    fprintf(f, "<h2>How it was measured</h2>\n");
    write_few(f, r);
    for (size_t i = 0; i < r->cells; i++)
        for (size_t k = r->cell[i].first; k < r->cell[i].first + r->cell[i].count; k++) {
            const struct bine_measure *m = &r->measure[k];
            if (!m->refused)
                continue;
            fprintf(f, "%s<li>%s ",
                    refused++ == 0 ? "<p><b>Refused, because the results were "
                                     "wrong:</b></p><ul>\n"
                                   : "",
                    bine_report_collectives[r->cell[i].collective].title);
            bine_html_text(f, bine_measure_name(r, m));
            fprintf(f, ", %d rank%s, %lld bytes</li>\n", r->cell[i].ranks,
                    bine_plural(r->cell[i].ranks), (long long)r->cell[i].bytes);
        }
    fprintf(f, "%s", refused > 0 ? "</ul>\n" : "");
    write_conditions(f, r);
    for (size_t i = 0; i < r->files; i++) {
        fprintf(f, "<details><summary>");
        bine_html_text(f, r->file[i].path);
        fprintf(f, "%s</summary><pre>",
                r->file[i].incomplete || r->file[i].cut ? " (the run ended early)" : "");
        bine_html_text(f, r->file[i].head == NULL ? "" : r->file[i].head);
        fprintf(f, "</pre></details>\n");
    }
    fprintf(f, "<p>This report:</p><pre>");
    bine_html_text(f, r->command);
    fprintf(f,
            "</pre>\n<p>Beside this page: the tables as <code>tables.csv</code> and "
            "<code>tables.tex</code>, every cell in <code>cells.csv</code>, the plots with their "
            "gnuplot sources and data in <code>plots/</code>.</p>\n</html>\n");
}

int bine_report_page(const struct bine_report *r, const char *folder) {
    int rc = 0;
    bine_plots_draw(r, folder); /* without gnuplot the page has no pictures, but everything else */
    FILE *f = bine_report_create(folder, "report.html");
    if (f == NULL)
        return BINE_EXIT_USAGE;
    write_head(f, r);
    for (int system = 0; system < r->systems.count && rc == 0; system++)
        rc = write_system(f, r, system, folder);
    write_left_out(f, r);
    int closed = bine_report_close(f, folder, "report.html");
    return rc != 0 ? rc : closed;
}
