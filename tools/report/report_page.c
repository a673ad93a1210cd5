/* report.html: one page that needs nothing but itself. */
#include "report/report_page.h"
#include "base/files.h"

#include "cli/command.h"
#include "cli/files.h"

#include <stdlib.h>
#include <string.h>

void bine_html_text(FILE *f, const char *text) {
    for (; *text != '\0'; text++) {
        if (*text == '<')
            fputs("&lt;", f);
        else if (*text == '>')
            fputs("&gt;", f);
        else if (*text == '&')
            fputs("&amp;", f);
        else if (*text == '"')
            fputs("&quot;", f);
        else
            fputc(*text, f);
    }
}

const char bine_report_style[] =
    "<style>\n"
    "body{font:16px/1.5 system-ui,sans-serif;color:#222;max-width:1100px;margin:2em auto;padding:0 "
    "1em}\n"
    "h1{font-size:1.6em;margin-bottom:.2em}h2{font-size:1.35em;margin-top:2em;border-bottom:1px "
    "solid #ccc}\n"
    "h3{font-size:1.12em;margin:1.8em 0 .3em}h4{margin:1.2em 0 .3em}\n"
    "p.sub{color:#555;margin-top:0}p.lead{font-size:1.08em}\n"
    "code{background:#f3f3f3;padding:.1em .3em;border-radius:3px}\n"
    "pre{background:#f3f3f3;padding:.6em;border-radius:4px;white-space:pre-wrap;overflow-wrap:"
    "anywhere;font-size:.85em}\n"
    ".wide{overflow-x:auto}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
    "table.score th,table.score td{padding:.25em .7em;text-align:right;border-bottom:1px solid "
    "#e4e4e4;white-space:nowrap}\n"
    "table.score th{border-bottom:2px solid #999;vertical-align:bottom}\n"
    "table.score td:first-child,table.score th:first-child{text-align:left;position:sticky;left:0;"
    "background:#fff}\n"
    "table.score tr.all td{font-weight:600;border-top:2px solid #999}\n"
    "table.heat td{min-width:3.4em;height:1.75em;text-align:center;border:1px solid #fff;padding:0 "
    ".3em}\n"
    "table.heat th{padding:0 .6em;font-weight:500;font-size:.9em;text-align:center}\n"
    "table.heat tbody th{text-align:right;white-space:nowrap;position:sticky;left:0;background:"
    "#fff}\n"
    ".w1{background:#dcebf7}.w2{background:#b3d4ec}.w3{background:#7fb6de}\n"
    ".w4{background:#3d8ec6;color:#fff}.w5{background:#08589e;color:#fff}\n"
    ".l1{background:#fdeee3}.l2{background:#fbd3b5}.l3{background:#f4ae80}\n"
    ".tie{background:#ececec;color:#555}.none{color:#aaa}\n"
    ".sw{display:inline-block;min-width:2.2em;text-align:center;padding:0 .3em;border-radius:3px}\n"
    "p.key{font-size:.92em}.maps{display:flex;flex-wrap:wrap;gap:0 2em}.maps>div{max-width:100%}\n"
    "figure{margin:1em 0}figure svg{display:block;width:100%;min-width:560px;height:auto}\n"
    "figcaption{color:#444;font-size:.92em}\n"
    ".pair{display:grid;grid-template-columns:1fr 1fr;gap:1em}.pair figure{overflow-x:auto}\n"
    ".pair figure svg{min-width:440px}\n"
    "@media(max-width:800px){.pair{grid-template-columns:1fr}body{margin:1em auto}}\n"
    "details{margin:.6em 0}summary{cursor:pointer}\n"
    "</style>\n";

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
    fprintf(f, s->wins > 0 ? "<td>%.1f&nbsp;%% / %.1f&nbsp;%%</td>" : "<td>&ndash;</td>", s->gain,
            s->most_gain);
    fprintf(f, "<td>%.0f&nbsp;%%</td>", 100 * (double)s->losses / cells);
    fprintf(f, s->losses > 0 ? "<td>%.1f&nbsp;%% / %.1f&nbsp;%%</td>" : "<td>&ndash;</td>", s->drop,
            s->most_drop);
    fprintf(f, "<td>%.0f&nbsp;%%</td>", 100 * (double)s->ties / cells);
    if (traffic)
        fprintf(f, s->counted > 0 ? "<td>%.1f&nbsp;%% / %.1f&nbsp;%%</td>" : "<td>&ndash;</td>",
                s->saving, s->most_saving);
    fprintf(f, "</tr>\n");
}

static void write_scores(FILE *f, const struct bine_report *r, int system,
                         enum bine_report_side side) {
    int traffic = r->places > 0;
    fprintf(f,
            "<div class=wide><table class=score><thead><tr><th>collective</th><th>cells</th>"
            "<th>Bine<br>wins</th><th>gain<br>average / most</th><th>Bine<br>loses</th>"
            "<th>drop<br>average / most</th><th>ties</th>%s</tr></thead>\n<tbody>\n",
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

/* What the comparison comes to, in a sentence. */
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
    fprintf(f, ", Bine is faster in %.0f&nbsp;%% of %zu cells", 100 * (double)s.wins / cells,
            s.cells);
    if (s.wins > 0)
        fprintf(f, " (by %.0f&nbsp;%% on average, at most %.0f&nbsp;%%)", s.gain, s.most_gain);
    fprintf(f, ", slower in %.0f&nbsp;%%", 100 * (double)s.losses / cells);
    if (s.losses > 0)
        fprintf(f, " (by %.0f&nbsp;%%, at most %.0f&nbsp;%%)", s.drop, s.most_drop);
    fprintf(f, " and equally fast in %.0f&nbsp;%%.</p>\n", 100 * (double)s.ties / cells);
}

/* A picture, from its first tag on. Nothing if gnuplot drew none. */
static void write_plot(FILE *f, const char *folder, const char *name, const char *caption) {
    char path[4096 + BINE_PLOT_NAME];
    size_t size;
    snprintf(path, sizeof path, "%s/plots/%s.svg", folder, name);
    if (!bine_file_is_regular(path))
        return;
    char *svg = bine_file_read(path, &size);
    const char *begin = svg == NULL ? NULL : strstr(svg, "<svg");
    if (begin != NULL)
        fprintf(f, "<figure class=wide>\n%s<figcaption>%s</figcaption>\n</figure>\n", begin,
                caption);
    free(svg);
}

static void write_curves(FILE *f, const struct bine_report *r, int system, const char *folder) {
    struct bine_setting_key key[BINE_SETTINGS_MOST];
    char name[BINE_PLOT_NAME], label[64];
    fprintf(f, "<h3>Time and bandwidth</h3>\n<p>The fastest algorithm of each family at each size; "
               "bars are 95&nbsp;%% intervals. Bus bandwidth is the bytes that every rank must at "
               "least move, over the time.</p>\n");
    for (int c = 0; c < BINE_REPORT_COLLECTIVES; c++) {
        int n = bine_report_settings(r, system, c, key);
        for (int i = n - 1; i >= 0; i--) { /* the most ranks first, the others folded away */
            bine_setting_text(&key[i], label);
            fprintf(f, "<details%s><summary>%s, %s</summary>\n<div class=pair>\n",
                    i == n - 1 ? " open" : "", bine_report_collectives[c].title, label);
            bine_plot_name(name, r, "time", system, c, &key[i]);
            write_plot(f, folder, name, "Time of a call, median");
            bine_plot_name(name, r, "bandwidth", system, c, &key[i]);
            write_plot(f, folder, name, "Bus bandwidth");
            fprintf(f, "</div></details>\n");
        }
    }
}

static int write_system(FILE *f, const struct bine_report *r, int system, const char *folder) {
    char name[BINE_PLOT_NAME];
    int both = strcmp(r->baseline, "best") != 0;
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
    fprintf(f,
            "<!DOCTYPE html>\n<html lang=en>\n<meta charset=utf-8>\n<meta name=viewport "
            "content=\"width=device-width,initial-scale=1\">\n<title>Bine: measured collectives"
            "</title>\n%s<h1>Bine: measured collectives</h1>\n<p class=sub>%zu cells, %zu "
            "measurements, %d algorithms</p>\n",
            bine_report_style, r->cells, r->measures, r->algorithms.count);
    fprintf(f,
            "<p>A cell is a collective with a number of ranks and of bytes (of the whole vector). "
            "In each cell, Bine's fastest algorithm is compared with the fastest of the others, by "
            "the median time of a call. Averages of gains and drops are geometric means of time "
            "ratios; a drop of 10&nbsp;%% means that Bine took 10&nbsp;%% longer. Ties: %s.</p>\n",
            tie_rule);
}

/* Intervals that are worth less than they say. */
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

/* What is not in the numbers. */
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
            fprintf(f, ", %d ranks, %lld bytes</li>\n", r->cell[i].ranks,
                    (long long)r->cell[i].bytes);
        }
    fprintf(f, "%s", refused > 0 ? "</ul>\n" : "");
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
    bine_plots_draw(r, folder); /* without gnuplot there are no pictures, but the rest */
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
