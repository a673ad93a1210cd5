/* The report as one HTML page: text, tables, plots inside it. */
#include "cli/bytes.h"
#include "cli/command.h"
#include "cli/files.h"
#include "report/report_page.h"
#include "traffic/traffic_report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char style[] =
    "<style>\n"
    "body{font:16px/1.5 system-ui,sans-serif;color:#222;max-width:1000px;margin:2em auto;padding:0 "
    "1em}\n"
    "h1{font-size:1.6em;margin-bottom:.2em}h2{font-size:1.25em;margin-top:2em}\n"
    "p.sub{color:#555;margin-top:0}code{background:#f3f3f3;padding:.1em .3em;border-radius:3px}\n"
    "pre{background:#f3f3f3;padding:.6em;border-radius:4px;overflow-x:auto;white-space:pre-wrap}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.25em .8em;text-align:right;border-bottom:1px solid #e4e4e4}\n"
    "th{border-bottom:2px solid #999;background:#fff;position:sticky;top:0}\n"
    "td:first-child,th:first-child{text-align:left}tr.all td{font-weight:600}\n"
    "figure{margin:1.5em 0}figure svg{width:100%;height:auto}\n"
    "figcaption{color:#444;font-size:.93em}\n"
    ".scroll{max-height:30em;overflow:auto;border:1px solid #e4e4e4}\n"
    ".scroll table{width:100%}.scroll th{cursor:pointer}.minus{color:#b03a00}\n"
    "</style>\n";

/* Clicking on a head sorts its table by that column; again turns it round. */
static const char script[] =
    "<script>\n"
    "document.querySelectorAll('.scroll th').forEach((th,i)=>{th.onclick=()=>{\n"
    "  const b=th.closest('table').tBodies[0],c=th.cellIndex,d=th.dataset.d=-(th.dataset.d||-1);\n"
    "  [...b.rows].sort((x,y)=>{const s=x.cells[c].textContent,t=y.cells[c].textContent;\n"
    "    return d*(isNaN(s)||isNaN(t)?s.localeCompare(t):s-t)}).forEach(r=>b.append(r))}})\n"
    "</script>\n";

static void write_percent(FILE *f, double x) {
    fprintf(f, x < -0.05 ? "<td class=minus>%.1f</td>" : "<td>%.1f</td>", x);
}

static void write_bin(FILE *f, const struct bine_bin *bin, const char *label, const char *class) {
    fprintf(f, "<tr%s><td>%s</td><td>%zu</td><td>%.1f</td>", class, label, bin->jobs, bin->groups);
    write_percent(f, bin->mean);
    write_percent(f, bin->median);
    write_percent(f, bin->least);
    write_percent(f, bin->most);
    write_percent(f, bin->bound);
    fprintf(f, "<td>%.2f</td></tr>\n", bin->ratio);
}

static void write_summary(FILE *f, const struct bine_section *s) {
    char label[32];
    fprintf(f,
            "<table><thead><tr><th>nodes</th><th>jobs</th><th>groups<br>mean</th><th>saving "
            "%%<br>mean</th><th>median</th><th>least</th><th>most</th><th>lower bound<br>saves %%"
            "</th><th>bytes over<br>the bound</th></tr></thead>\n<tbody>\n");
    for (int i = 0; i < s->bins; i++) {
        bine_bin_label(&s->bin[i], label);
        write_bin(f, &s->bin[i], label, "");
    }
    write_bin(f, &s->whole, "all", " class=all");
    fprintf(f, "</tbody></table>\n");
}

/* A picture, from its first tag on. */
static int write_plot(FILE *f, const struct bine_section *s, const char *stem, enum bine_plot plot,
                      const char *caption) {
    char suffix[64];
    size_t size;
    snprintf(suffix, sizeof suffix, "%s.svg", bine_plot_suffix(plot));
    char *path = bine_section_path(s, stem, suffix);
    char *svg = path == NULL ? NULL : bine_file_read(path, &size);
    const char *begin = svg == NULL ? NULL : strstr(svg, "<svg");
    int rc = begin == NULL ? bine_complain("%s: gnuplot drew no picture", stem) : 0;
    if (begin != NULL)
        fprintf(f, "<figure>\n%s<figcaption>%s</figcaption>\n</figure>\n", begin, caption);
    free(svg);
    free(path);
    return rc;
}

static void write_jobs(FILE *f, const struct bine_section *s) {
    fprintf(f, "<div class=scroll><table><thead><tr><th>job</th><th>nodes</th><th>groups</th>"
               "<th>saving %%</th><th>lower bound saves %%</th><th>bytes between groups</th>"
               "<th>baseline</th><th>lower bound</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < s->all->log->count; i++) {
        const struct bine_job_result *r = bine_job_result_at(s->all, i, s->algorithm);
        char saving[BINE_SAVING_TEXT], bound[BINE_SAVING_TEXT];
        if (r->state != BINE_JOB_GOOD)
            continue;
        fprintf(f, "<tr><td>");
        bine_html_text(f, s->all->log->file[i].name);
        fprintf(f,
                "</td><td>%d</td><td>%d</td><td%s>%s</td><td>%s</td><td>%" PRId64
                "</td><td>%" PRId64 "</td><td>%" PRId64 "</td></tr>\n",
                r->ranks, r->groups, r->global > r->baseline ? " class=minus" : "",
                bine_saving_text(bine_traffic_saving(r->global, r->baseline), saving),
                bine_saving_text(bine_traffic_saving(r->bound, r->baseline), bound), r->global,
                r->baseline, r->bound);
    }
    fprintf(f, "</tbody></table></div>\n");
}

static const char boxes_caption[] =
    "By number of nodes. Boxes are quartiles with the median, whiskers reach 1.5 box heights, dots "
    "are means; jobs beyond the whiskers are not drawn. Blue: what the algorithm saves. Grey: what "
    "an algorithm that reaches the lower bound would save. Dashed: 33&nbsp;%, the most that the "
    "paper's model allows Bine trees to save over binomial trees.";
static const char scatter_caption[] =
    "Every job: nodes, saving and (colour) the number of groups it is spread over. Dots are moved "
    "sideways a little so that they do not hide each other.";

static int write_section(FILE *f, const struct bine_job_results *all, int algorithm,
                         const char *stem) {
    struct bine_section s;
    const struct bine_traffic_wish *w = all->wish;
    if (bine_section_make(&s, all, algorithm) != 0)
        return bine_complain("out of memory");
    fprintf(f, "<h2>%s over %s</h2>\n", w->algorithm[algorithm]->name, w->baseline->name);
    if (s.whole.jobs == 0) {
        fprintf(f, "<p>No job could be counted.</p>\n");
        return 0;
    }
    fprintf(f, "<p>%s: %s. Baseline %s: %s.</p>\n", w->algorithm[algorithm]->name,
            w->algorithm[algorithm]->about, w->baseline->name, w->baseline->about);
    write_summary(f, &s);
    if (bine_section_plot(&s, stem) != 0 ||
        write_plot(f, &s, stem, BINE_PLOT_BOXES, boxes_caption) != 0 ||
        write_plot(f, &s, stem, BINE_PLOT_SCATTER, scatter_caption) != 0)
        return BINE_EXIT_USAGE;
    fprintf(f, "<h3>Jobs</h3><p>Click on a head to sort.</p>\n");
    write_jobs(f, &s);
    return 0;
}

static void write_skipped(FILE *f, const struct bine_job_results *all) {
    const struct bine_job_result *first = NULL;
    size_t job = 0, some = 0;
    for (int state = BINE_JOB_GOOD + 1; state < BINE_JOB_STATES; state++) {
        size_t n = bine_job_results_count(all, (enum bine_job_state)state, &first, &job);
        if (n == 0)
            continue;
        fprintf(f, "%s<li>%zu: %s (first: ", some++ == 0 ? "<h2>Skipped</h2>\n<ul>\n" : "", n,
                bine_job_state_text((enum bine_job_state)state));
        bine_html_text(f, all->log->file[job].name);
        fprintf(f, "%s", first->why[0] == '\0' ? "" : ", ");
        bine_html_text(f, first->why);
        fprintf(f, ")</li>\n");
    }
    fprintf(f, "%s", some > 0 ? "</ul>\n" : "");
}

static void write_head(FILE *f, const struct bine_job_results *all) {
    static const char *const orders[] = {"as given", "sorted by host name", "sorted by group"};
    const struct bine_traffic_wish *w = all->wish;
    char bytes[BINE_BYTES_TEXT];
    fprintf(
        f,
        "<!DOCTYPE html>\n<html lang=en>\n<meta charset=utf-8>\n"
        "<meta name=viewport content=\"width=device-width\">\n<title>Traffic between groups: %s "
        "on %s</title>\n%s<h1>Traffic between groups: %s on %s</h1>\n",
        bine_collective_name(w->collective), all->machine->name, style,
        bine_collective_name(w->collective), all->machine->name);
    fprintf(f, "<p class=sub>%zu jobs; vectors of %s; ranks %s; topology %s</p>\n", all->log->count,
            bine_bytes_text(w->bytes, bytes), orders[w->where.reorder],
            bine_topology_name(all->machine->topology));
    fprintf(f, "<p>How many bytes cross the boundaries of the network's groups, counted from the "
               "schedules. A saving of 20&nbsp;%% means that the algorithm sends 20&nbsp;%% less "
               "between groups than the baseline; a negative one, that it sends more.</p>\n<pre>");
    bine_html_text(f, w->command);
    fprintf(f, "</pre>\n");
}

/* The page's path without .html, to be freed. */
static char *stem_of(const char *path) {
    char *stem = strdup(path);
    size_t n = stem == NULL ? 0 : strlen(stem);
    if (n > 5 && strcmp(stem + n - 5, ".html") == 0)
        stem[n - 5] = '\0';
    return stem;
}

int bine_traffic_report(const struct bine_job_results *all, const char *path) {
    char *stem = stem_of(path);
    FILE *f = stem == NULL ? NULL : fopen(path, "w");
    int rc = 0;
    if (f == NULL) {
        free(stem);
        return bine_complain("%s: %s", bine_file_shown(path),
                             stem == NULL ? "out of memory" : strerror(errno));
    }
    write_head(f, all);
    for (int i = 0; i < all->wish->algorithms && rc == 0; i++)
        rc = write_section(f, all, i, stem);
    write_skipped(f, all);
    fprintf(f, "%s</html>\n", script);
    int bad = ferror(f);
    if ((fclose(f) != 0 || bad) && rc == 0)
        rc = bine_complain("%s: it cannot be written", path);
    free(stem);
    return rc;
}
