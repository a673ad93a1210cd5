/* The result as one page for a browser. */
#define _XOPEN_SOURCE 700 /* open_memstream */
#include "try/try.h"

#include "cli/command.h"
#include "cli/output/html.h"
#include "cli/output/output_file.h"
#include "cli/profile_calls.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char style[] =
    "th,td{padding:.25em .8em;text-align:right;border-bottom:1px solid var(--line)}\n"
    "th{border-bottom:2px solid var(--rule)}\n"
    "td:first-child,th:first-child,td.word,th.word{text-align:left}\n"
    ".dots text{font:13px system-ui,sans-serif}\n";

static void write_command(FILE *f, char **command) {
    fprintf(f, "<pre>bine try --");
    for (; *command != NULL; command++) {
        fputc(' ', f);
        bine_html_text(f, *command);
    }
    fprintf(f, "</pre>\n");
}

/* Where a time lies, from `left` on in steps of the picture's units. */
struct scale {
    double least, greatest, left, width;
};
static double place(const struct scale *s, double x) {
    double range = s->greatest > s->least ? s->greatest - s->least : 1;
    return s->left + s->width * (x - s->least) / range;
}

static void write_row_of_dots(FILE *f, const struct bine_try *t, const struct scale *s, int side,
                              const struct bine_try_time *time) {
    static const char *const colour[] = {"#666666", "#0072b2"};
    const char *name = side == BINE_TRY_WITHOUT ? "without" : t->wish.null ? "again" : "with";
    int y = 30 + 50 * side, n = 0;
    fprintf(f, "<text x=\"0\" y=\"%d\">%s</text>\n", y + 4, name);
    for (size_t i = 0; i < t->runs; i++)
        if (t->run[i].timed && (int)t->run[i].side == side)
            fprintf(f,
                    "<circle cx=\"%.1f\" cy=\"%d\" r=\"4\" fill=\"%s\" fill-opacity=\"0.6\">"
                    "<title>run %zu: %.3f s</title></circle>\n",
                    place(s, t->run[i].seconds), y - 8 + 4 * (n++ % 5), colour[side], i + 1,
                    t->run[i].seconds);
    fprintf(f,
            "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"%s\" "
            "stroke-width=\"2\"/>\n",
            place(s, time->median), place(s, time->median), y - 16, y + 16, colour[side]);
}

/* A dot for each timed run, a line for each median. */
static void write_dots(FILE *f, const struct bine_try *t, const struct bine_try_times *x) {
    struct scale s = {0, 0, 80, 680};
    for (int side = 0; side < BINE_TRY_SIDES; side++) {
        const struct bine_try_time *time = &x->side[side];
        s.least = s.least <= 0 || time->least < s.least ? time->least : s.least;
        s.greatest = time->greatest > s.greatest ? time->greatest : s.greatest;
    }
    fprintf(f, "<figure class=\"wide dots\"><svg xmlns=\"http://www.w3.org/2000/svg\" "
               "viewBox=\"0 0 780 130\" role=\"img\" aria-label=\"times of all runs\">\n");
    for (int side = 0; side < BINE_TRY_SIDES; side++)
        write_row_of_dots(f, t, &s, side, &x->side[side]);
    fprintf(f,
            "<line x1=\"80\" x2=\"760\" y1=\"106\" y2=\"106\" stroke=\"#999\"/>\n"
            "<text x=\"80\" y=\"124\">%.3f s</text>\n"
            "<text x=\"760\" y=\"124\" text-anchor=\"end\">%.3f s</text>\n</svg>\n"
            "<figcaption>Times of the whole command, a dot for each run; the line is the median."
            "</figcaption></figure>\n",
            s.least, s.greatest);
}

static void write_calls(FILE *f, const struct bine_try_calls *c) {
    char sizes[BINE_PROFILE_SIZES];
    if (c->used == 0)
        return;
    fprintf(
        f,
        "<h2>Collectives</h2>\n<p>Blocking calls, seconds of the mean rank, in the run of median "
        "length among %d counted without and %d with Bine, which are not among the timed ones "
        "where there was time for both.</p>\n"
        "<div class=wide><table><thead><tr><th>collective</th><th>ranks</th><th>bytes</th>"
        "<th>calls</th><th>s without</th><th>s with</th><th>difference, s</th>"
        "<th class=word>with Bine</th></tr></thead>\n<tbody>\n",
        c->reports[BINE_TRY_WITHOUT], c->reports[BINE_TRY_WITH]);
    for (size_t i = 0; i < c->used; i++) {
        const struct bine_try_call *x = &c->call[i];
        double without = x->seconds[BINE_TRY_WITHOUT], with = x->seconds[BINE_TRY_WITH];
        fprintf(f,
                "<tr><td>%s</td><td>%d</td><td>%s</td><td>%.0f</td><td>%.6f</td><td>%.6f</td>"
                "<td>%+.6f</td><td class=word>",
                x->collective, x->ranks, bine_profile_sizes(x->from, x->below, sizes),
                x->calls[BINE_TRY_WITHOUT], without, with, with - without);
        bine_html_text(f, x->algorithm);
        fprintf(f, "</td></tr>\n");
    }
    fprintf(f, "</tbody></table></div>\n");
}

static void write_facts(FILE *f, const struct bine_try *t, const struct bine_try_result *r) {
    fprintf(f, "<h2>Facts</h2>\n<ul>\n<li>%s; started by %s\n<li>%zu runs in %.0f seconds",
            r->calls.mpi[0] != '\0' ? r->calls.mpi : "MPI library not seen",
            bine_launcher_name(t->launcher), t->runs, bine_try_clock() - t->began);
    fprintf(f,
            "\n<li>order: without, with, with, without; pairs of runs give the ratio, and its "
            "95 %% interval by Student's t distribution\n<li>bine %s\n</ul>\n",
            BINE_VERSION);
}

int bine_try_page_check(const struct bine_try *t) {
    char folder[BINE_PATH_ROOM];
    snprintf(folder, sizeof folder, "%s", t->wish.page);
    char *slash = strrchr(folder, '/');
    if (slash != NULL)
        slash[1] = '\0';
    if (access(slash != NULL ? folder : ".", W_OK | X_OK) != 0)
        return bine_complain("--report %s: %s", t->wish.page, strerror(errno));
    return 0;
}

int bine_try_write_page(const struct bine_try *t, const struct bine_try_result *r) {
    char line[BINE_TRY_LINES][BINE_LINE], *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (f == NULL)
        return bine_complain("out of memory");
    bine_try_lines(t, r, line);
    bine_html_begin(f, t->wish.null ? "A program twice without Bine" : "A program with Bine",
                    style);
    write_command(f, t->wish.command);
    fprintf(f, "<pre>");
    for (int i = 0; i < BINE_TRY_LINES; i++) {
        bine_html_text(f, line[i]);
        fputc('\n', f);
    }
    fprintf(f, "</pre>\n");
    if (r->times.pairs > 0)
        write_dots(f, t, &r->times);
    write_calls(f, &r->calls);
    write_facts(f, t, r);
    int failed = fclose(f) != 0 ? -1 : bine_output_file_write(t->wish.page, text, size);
    free(text);
    return failed == 0  ? 0
           : failed < 0 ? bine_complain("out of memory")
                        : bine_complain("%s: %s", t->wish.page, strerror(failed));
}
