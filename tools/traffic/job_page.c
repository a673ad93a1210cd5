/* The report as one HTML page: text, tables, plots inside it. */
#include "cli/command.h"
#include "cli/input_file.h"
#include "cli/options/bytes.h"
#include "cli/output/html.h"
#include "traffic/job_summary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char style[] =
    "th,td{padding:.25em .8em;text-align:right;border-bottom:1px solid var(--line)}\n"
    "th{border-bottom:2px solid var(--rule);background:var(--page);position:sticky;top:0;"
    "vertical-align:bottom}\n"
    "td:first-child,th:first-child{text-align:left;white-space:nowrap}tr.all td{font-weight:600}\n"
    ".scroll{max-height:30em;overflow:auto;border:1px solid var(--line)}\n"
    ".scroll table{width:100%}.scroll th{cursor:pointer}.minus{color:var(--minus)}\n"
    ".scroll td{white-space:nowrap}\n";

/* A click on a column's head sorts the table by that column; a second click reverses the order. */
static const char script[] =
    "<script>\n"
    "document.querySelectorAll('.scroll th').forEach((th,i)=>{th.onclick=()=>{\n"
    "  const b=th.closest('table').tBodies[0],c=th.cellIndex,d=th.dataset.d=-(th.dataset.d||-1);\n"
    "  [...b.rows].sort((x,y)=>{const "
    "v=r=>r.cells[c].dataset.v||r.cells[c].textContent,s=v(x),t=v(y);\n"
    "    return d*(isNaN(s)||isNaN(t)?s.localeCompare(t):s-t)}).forEach(r=>b.append(r))}})\n"
    "</script>\n";

static void write_percent(FILE *f, double x) {
    fprintf(f, x < -0.05 ? "<td class=minus>%.1f</td>" : "<td>%.1f</td>", x);
}

static void write_bin(FILE *f, const struct bine_job_bin *bin, const char *label,
                      const char *class) {
    fprintf(f, "<tr%s><td>%s</td><td>%zu</td><td>%.1f</td>", class, label, bin->jobs, bin->groups);
    write_percent(f, bin->mean);
    write_percent(f, bin->median);
    write_percent(f, bin->least);
    write_percent(f, bin->most);
    fprintf(f, "<td>%zu</td>", bin->worse);
    write_percent(f, bin->bound);
    fprintf(f, "<td>%.2f</td></tr>\n", bin->ratio);
}

static void write_table_head(FILE *f, const char *title) {
    fprintf(f,
            "<div class=wide><table><thead><tr><th>%s</th><th>jobs</th><th>groups<br>mean</th>"
            "<th>saving %%<br>mean</th><th>median</th><th>least</th><th>most</th><th>jobs<br>worse"
            "</th><th>least possible<br>saves %%</th><th>times the<br>least possible</th></tr>"
            "</thead>\n<tbody>\n",
            title);
}

static void write_sizes(FILE *f, const struct bine_job_summary *s) {
    char label[32];
    write_table_head(f, "ranks");
    for (int i = 0; i < s->bins; i++) {
        bine_job_bin_label(&s->bin[i], label);
        write_bin(f, &s->bin[i], label, "");
    }
    write_bin(f, &s->whole, "all", " class=all");
    fprintf(f, "</tbody></table></div>\n");
}

/* The summary, as on the terminal; several algorithms stand side by side. */
static int write_headline(FILE *f, const struct bine_job_results *all) {
    int n = all->wish->asked.count;
    struct bine_job_summary s;
    char text[BINE_HEADLINE];
    fprintf(f, "<p class=lead>Bytes between groups against %s, %zu job%s:</p>\n<ul class=lead>\n",
            all->wish->baseline->name, all->log->count, bine_plural((int64_t)all->log->count));
    for (int k = 0; k < n; k++) {
        if (bine_job_summary_make(&s, all, k) != 0)
            return bine_complain("out of memory");
        fprintf(f, "<li>%s</li>\n", bine_job_summary_headline(&s, text));
    }
    fprintf(f, "</ul>\n");
    if (n == 1)
        return 0;
    fprintf(f, "<h2>The algorithms compared</h2>\n");
    write_table_head(f, "algorithm");
    for (int k = 0; k < n; k++) {
        if (bine_job_summary_make(&s, all, k) != 0)
            return bine_complain("out of memory");
        write_bin(f, &s.whole, all->wish->asked.algorithm[k]->name, "");
    }
    fprintf(f, "</tbody></table></div>\n");
    return 0;
}

static int write_plot(FILE *f, const struct bine_job_summary *s, const char *stem,
                      enum bine_plot plot, const char *caption) {
    char suffix[64];
    snprintf(suffix, sizeof suffix, "%s.svg", bine_plot_suffix(plot));
    char *path = bine_job_summary_path(s, stem, suffix);
    int rc = path == NULL ? bine_complain("out of memory")
             : bine_html_picture(f, path, caption) != 0
                 ? bine_complain("%s: gnuplot drew no picture", path)
                 : 0;
    free(path);
    return rc;
}

/* A cell that is read as a size and sorted as a number. */
static void write_bytes(FILE *f, int64_t bytes) {
    char text[BINE_BYTES_TEXT];
    fprintf(f, "<td data-v=%" PRId64 ">%s</td>", bytes, bine_bytes_text(bytes, text));
}

static void write_jobs(FILE *f, const struct bine_job_summary *s) {
    fprintf(f, "<div class=scroll><table><thead><tr><th>job</th><th>ranks</th><th>groups</th>"
               "<th>saving %%</th><th>least possible saves %%</th><th>between groups</th>"
               "<th>baseline</th><th>least possible</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < s->all->log->count; i++) {
        const struct bine_job_result *r = bine_job_result_at(s->all, i, s->algorithm);
        char saving[BINE_SAVING_TEXT], bound[BINE_SAVING_TEXT];
        if (r->state != BINE_JOB_GOOD)
            continue;
        fprintf(f, "<tr><td>");
        bine_html_text(f, s->all->log->file[i].name);
        fprintf(f, "</td><td>%d</td><td>%d</td><td%s>%s</td><td>%s</td>", r->ranks, r->groups,
                r->global > r->baseline ? " class=minus" : "",
                bine_saving_text(bine_traffic_saving(r->global, r->baseline), saving),
                bine_saving_text(bine_traffic_saving(r->bound, r->baseline), bound));
        write_bytes(f, r->global);
        write_bytes(f, r->baseline);
        write_bytes(f, r->bound);
        fprintf(f, "</tr>\n");
    }
    fprintf(f, "</tbody></table></div>\n");
}

static const char boxes_caption[] =
    "By number of ranks. Boxes are quartiles with the median, whiskers reach 1.5 box heights, dots "
    "are means; jobs beyond the whiskers are not drawn. Blue: what the algorithm saves. Grey: what "
    "an algorithm that sends the least possible would save. Dashed: 33&nbsp;%, the most that the "
    "paper's model allows Bine trees to save over binomial trees.";
static const char scatter_caption[] =
    "Every job: ranks, saving and (colour) the number of groups it is spread over. Dots are moved "
    "sideways a little so that they do not hide each other.";

static int write_section(FILE *f, const struct bine_job_results *all, int algorithm,
                         const char *stem) {
    struct bine_job_summary s;
    const struct bine_traffic_wish *w = all->wish;
    if (bine_job_summary_make(&s, all, algorithm) != 0)
        return bine_complain("out of memory");
    fprintf(f, "<h2>%s over %s</h2>\n", w->asked.algorithm[algorithm]->name, w->baseline->name);
    if (s.whole.jobs == 0) {
        fprintf(f, "<p>No job could be counted.</p>\n");
        return 0;
    }
    fprintf(f, "<p>%s: %s. Baseline %s: %s.</p>\n", w->asked.algorithm[algorithm]->name,
            w->asked.algorithm[algorithm]->about, w->baseline->name, w->baseline->about);
    write_sizes(f, &s);
    if (bine_job_summary_plot(&s, stem) != 0 ||
        write_plot(f, &s, stem, BINE_PLOT_BOXES, boxes_caption) != 0 ||
        write_plot(f, &s, stem, BINE_PLOT_SCATTER, scatter_caption) != 0)
        return BINE_EXIT_USAGE;
    fprintf(f, "<h3>Jobs</h3><p>Click on a head to sort.</p>\n");
    write_jobs(f, &s);
    return 0;
}

static void write_skipped(FILE *f, const struct bine_job_results *all) {
    struct bine_jobs_skipped s = {0};
    char text[BINE_SKIPPED_TEXT];
    size_t some = 0;
    while (bine_jobs_skipped_next(all, &s)) {
        fprintf(f, "%s<li>", some++ == 0 ? "<h2>Skipped</h2>\n<ul>\n" : "");
        bine_html_text(f, bine_jobs_skipped_text(all, &s, text));
        fprintf(f, "</li>\n");
    }
    fprintf(f, "%s", some > 0 ? "</ul>\n" : "");
}

static void write_head(FILE *f, const struct bine_job_results *all) {
    static const char *const orders[] = {"as given", "sorted by host name", "sorted by group"};
    const struct bine_traffic_wish *w = all->wish;
    char bytes[BINE_BYTES_TEXT], title[300];
    snprintf(title, sizeof title, "Traffic between groups: %s on %s",
             bine_collective_name(w->asked.collective), all->machine->name);
    bine_html_begin(f, title, style);
    fprintf(f, "<p class=sub>%zu job%s; vectors of %s; ranks %s; topology %s</p>\n",
            all->log->count, bine_plural((int64_t)all->log->count),
            bine_bytes_text(w->bytes, bytes), orders[w->where.reorder],
            bine_topology_name(all->machine->topology));
    fprintf(
        f, "<p>How many bytes cross the boundaries of the network's groups, counted from the "
           "schedules. A saving of 20&nbsp;%% means that the algorithm sends 20&nbsp;%% less "
           "between groups than the baseline; a negative one, that it sends more. The bound is the "
           "least that any algorithm could send.</p>\n<pre>");
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
    rc = write_headline(f, all);
    for (int i = 0; i < all->wish->asked.count && rc == 0; i++)
        rc = write_section(f, all, i, stem);
    write_skipped(f, all);
    fprintf(f, "%s</html>\n", script);
    int bad = ferror(f);
    if ((fclose(f) != 0 || bad) && rc == 0)
        rc = bine_complain("%s: it cannot be written", path);
    free(stem);
    return rc;
}
