/* A profile as one page for a browser. */
#define _XOPEN_SOURCE 700 /* open_memstream */
#include "profile/profile.h"

#include "cli/command.h"
#include "cli/options/bytes.h"
#include "cli/output/html.h"
#include "cli/output/output_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char style[] =
    "th,td{padding:.25em .7em;text-align:right;border-bottom:1px solid var(--line);"
    "white-space:nowrap}\n"
    "td.word,th.word{text-align:left}\n"
    "svg text{font:13px system-ui,sans-serif}\n"
    ".sw{display:inline-block;width:1em;height:.8em;border-radius:2px;margin:0 .3em 0 .8em}\n"
    "@media(prefers-color-scheme:dark){.sw{filter:invert(.9) hue-rotate(180deg)}}\n"; /* as svg */

/* Of the Okabe-Ito palette, which people with colour blindness can tell apart. */
#define MOVING "#0072b2"
#define WAITING "#e69f00"
#define UNKNOWN "#999999"

enum { BARS = 12, LEFT = 250, WIDTH = 780, BAR = 22 };

static double share_of(double part, double whole) {
    return whole > 0 ? 100 * part / whole : 0;
}

static void write_sizes(FILE *f, const struct bine_profile_call *x) {
    char sizes[BINE_PROFILE_SIZES];
    fprintf(f, "%s", bine_profile_sizes(x->from, x->below, sizes));
}

static void write_name(FILE *f, const struct bine_profile_call *x) {
    fprintf(f, "%s%s, ", x->form == BINE_PROFILE_BLOCKING ? "" : "started ",
            bine_collective_name((enum bine_collective)x->collective));
    write_sizes(f, x);
    fprintf(f, ", %lld rank%s", (long long)x->ranks, bine_plural(x->ranks));
}

/* --- Waiting and moving */

static void write_part(FILE *f, double x, double width, int y, const char *colour,
                       const char *title, double seconds) {
    if (width > 0)
        fprintf(f,
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"><title>%s: "
                "%.6f s</title></rect>\n",
                x, y, width, BAR - 6, colour, title, seconds);
}

static void write_bar(FILE *f, const struct bine_profile_call *x, int y, double scale) {
    double known = x->of > 0 ? x->of : 0, waited = x->of > 0 ? x->waited : 0, at = LEFT;
    fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", LEFT - 8, y + BAR - 10);
    write_name(f, x);
    fprintf(f, "</text>\n");
    write_part(f, at, scale * waited, y, WAITING, "waiting", waited);
    write_part(f, at += scale * waited, scale * (known - waited), y, MOVING, "moving",
               known - waited);
    write_part(f, at + scale * (known - waited), scale * (x->seconds - known), y, UNKNOWN,
               "not known", x->seconds - known);
    fprintf(f, "<text x=\"%.1f\" y=\"%d\">%.3f s</text>\n", LEFT + scale * x->seconds + 6,
            y + BAR - 10, x->seconds);
}

static void write_bars(FILE *f, const struct bine_profile_calls *c) {
    int bars = c->used < BARS ? (int)c->used : BARS;
    double most = c->used > 0 ? c->call[0].seconds : 0;
    if (most <= 0)
        return;
    fprintf(
        f,
        "<h2>Waiting and moving</h2>\n<p>Seconds of the mean rank. <span class=sw "
        "style=\"background:" WAITING "\"></span>waiting for the last rank to arrive: no "
        "algorithm can help there<span class=sw style=\"background:" MOVING
        "\"></span>from then on: what an algorithm takes<span class=sw style=\"background:" UNKNOWN
        "\"></span>not known</p>\n<figure class=wide><svg "
        "xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" "
        "aria-label=\"seconds by kind of call\">\n",
        WIDTH, bars * BAR + 4);
    for (int i = 0; i < bars; i++)
        write_bar(f, &c->call[i], i * BAR + 2, (WIDTH - LEFT - 80) / most);
    fprintf(f, "</svg></figure>\n");
}

/* --- The run in time */

static void write_step(FILE *f, const struct bine_profile *p, size_t i, double width,
                       double height) {
    char bytes[BINE_BYTES_TEXT];
    const struct bine_profile_step *s = &p->timeline[i];
    double mean = height * s->mean / p->step, slowest = height * s->slowest / p->step;
    fprintf(f,
            "<g><title>%.3f to %.3f s: %.0f calls, %s, %.1f %% of the mean rank, %.1f %% of the "
            "slowest</title><rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
            "fill=\"" MOVING "\" fill-opacity=\"0.25\"/><rect x=\"%.2f\" y=\"%.2f\" "
            "width=\"%.2f\" height=\"%.2f\" fill=\"" MOVING "\"/></g>\n",
            (double)i * p->step, (double)(i + 1) * p->step, s->calls,
            bine_bytes_text((int64_t)(s->bytes < 9e18 ? s->bytes : 9e18), bytes),
            share_of(s->mean, p->step), share_of(s->slowest, p->step), 46 + (double)i * width,
            10 + height - slowest, width - 1, slowest, 46 + (double)i * width, 10 + height - mean,
            width - 1, mean);
}

static void write_timeline(FILE *f, const struct bine_profile *p) {
    const double height = 120;
    double width = p->steps > 0 ? (double)(WIDTH - 50) / (double)p->steps : 0;
    if (p->steps == 0 || !(p->step > 0))
        return;
    fprintf(f,
            "<h2>The run</h2>\n<figure class=wide><svg xmlns=\"http://www.w3.org/2000/svg\" "
            "viewBox=\"0 0 %d 160\" role=\"img\" aria-label=\"share of time in collectives\">\n"
            "<text x=\"40\" y=\"18\" text-anchor=\"end\">100&#160;%%</text>"
            "<text x=\"40\" y=\"130\" text-anchor=\"end\">0</text>\n",
            WIDTH);
    for (size_t i = 0; i < p->steps; i++)
        write_step(f, p, i, width, height);
    fprintf(f,
            "<line x1=\"46\" x2=\"%d\" y1=\"130\" y2=\"130\" stroke=\"#999\"/>\n"
            "<text x=\"46\" y=\"150\">0 s</text><text x=\"%d\" y=\"150\" "
            "text-anchor=\"end\">%.3f s</text>\n</svg><figcaption>Share of each %.3g s that was in "
            "collectives: full colour the mean rank, faint the slowest.</figcaption></figure>\n",
            WIDTH - 4, WIDTH - 4, (double)p->steps * p->step, p->step);
}

/* --- Collectives and sizes */

/* The seconds of a collective and a size, whatever the communicator and the form. */
static double seconds_of(const struct bine_profile_calls *c, int collective, int64_t from,
                         double *calls) {
    double seconds = 0;
    *calls = 0;
    for (size_t i = 0; i < c->used; i++)
        if (c->call[i].collective == collective && c->call[i].from == from) {
            seconds += c->call[i].seconds;
            *calls += c->call[i].calls;
        }
    return seconds;
}

static int64_t next_size(const struct bine_profile_calls *c, int64_t after) {
    int64_t best = INT64_MAX;
    for (size_t i = 0; i < c->used; i++)
        if (c->call[i].from > after && c->call[i].from < best)
            best = c->call[i].from;
    return best;
}

static int has_collective(const struct bine_profile_calls *c, int collective) {
    for (size_t i = 0; i < c->used; i++)
        if (c->call[i].collective == collective)
            return 1;
    return 0;
}

/* Shades by the share of the run: each is three times as much as the one before. */
static int shade_of(double share) {
    static const double from[] = {0.1, 0.3, 1, 3, 10};
    int shade = 0;
    while (shade < 5 && share >= from[shade])
        shade++;
    return shade;
}

static void write_cell(FILE *f, const struct bine_profile_view *v, int collective, int64_t from) {
    double calls, seconds = seconds_of(&v->calls, collective, from, &calls);
    double share = share_of(seconds, v->profile.seconds);
    int shade = shade_of(share);
    if (calls <= 0)
        fprintf(f, "<td class=none></td>");
    else if (shade == 0)
        fprintf(f, "<td class=tie title=\"%.0f calls, %.6f s\">%.2f</td>", calls, seconds, share);
    else
        fprintf(f, "<td class=w%d title=\"%.0f calls, %.6f s\">%.1f</td>", shade, calls, seconds,
                share);
}

static void write_heat_row(FILE *f, const struct bine_profile_view *v, int64_t from) {
    char sizes[BINE_PROFILE_SIZES];
    fprintf(f, "<tr><th>%s</th>", bine_profile_sizes(from, from == 0 ? 1 : 2 * from, sizes));
    for (int k = 0; k < BINE_COLLECTIVES; k++)
        if (has_collective(&v->calls, k))
            write_cell(f, v, k, from);
    fprintf(f, "</tr>\n");
}

static void write_heat(FILE *f, const struct bine_profile_view *v) {
    fprintf(f, "<h2>Collectives and sizes</h2>\n<p>Per cent of the run that the mean rank was in "
               "calls of so many bytes.</p>\n<div class=wide><table class=heat><thead><tr>"
               "<th>bytes</th>");
    for (int k = 0; k < BINE_COLLECTIVES; k++)
        if (has_collective(&v->calls, k))
            fprintf(f, "<th>%s</th>", bine_collective_name((enum bine_collective)k));
    fprintf(f, "</tr></thead>\n<tbody>\n");
    for (int64_t from = next_size(&v->calls, -2); from < INT64_MAX;
         from = next_size(&v->calls, from))
        write_heat_row(f, v, from);
    fprintf(f, "</tbody></table></div>\n");
}

/* --- All of it */

static void write_row(FILE *f, const struct bine_profile_view *v,
                      const struct bine_profile_call *x) {
    fprintf(f, "<tr><td class=word>%s%s</td><td>%lld</td><td>",
            x->form == BINE_PROFILE_BLOCKING ? "" : "started ",
            bine_collective_name((enum bine_collective)x->collective), (long long)x->ranks);
    write_sizes(f, x);
    fprintf(f, "</td><td>%.0f</td><td>%.6f</td><td>%.6f</td><td>%.1f</td><td>", x->calls,
            x->seconds, x->slowest, share_of(x->seconds, v->profile.seconds));
    if (x->of > 0)
        fprintf(f, "%.0f", share_of(x->waited, x->of));
    fprintf(f, "</td><td class=word>");
    bine_html_text(f, x->algorithm);
    if (bine_profile_has_sites(&v->calls)) {
        fprintf(f, "</td><td class=word>");
        bine_html_text(f, x->site != NULL ? x->site : "");
    }
    fprintf(f, "</td></tr>\n");
}

static void write_table(FILE *f, const struct bine_profile_view *v) {
    fprintf(
        f,
        "<h2>All calls</h2>\n<div class=wide><table><thead><tr><th class=word>collective"
        "</th><th>ranks</th><th>bytes</th><th>calls</th><th>s, mean rank</th><th>s, "
        "slowest</th><th>%% of run</th><th>%% waiting</th><th class=word>by</th>%s</tr></thead>\n"
        "<tbody>\n",
        bine_profile_has_sites(&v->calls) ? "<th class=word>site</th>" : "");
    for (size_t i = 0; i < v->calls.used; i++)
        write_row(f, v, &v->calls.call[i]);
    fprintf(f, "</tbody></table></div>\n");
}

int bine_profile_write_page(const struct bine_profile_view *v, const char *path) {
    char line[BINE_PROFILE_LINES][BINE_LINE], *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (f == NULL)
        return bine_complain("out of memory");
    int lines = bine_profile_lines(v, line);
    bine_html_begin(f, "A program's collectives", style);
    fprintf(f, "<pre>");
    for (int i = 0; i < lines; i++) {
        bine_html_text(f, line[i]);
        fputc('\n', f);
    }
    fprintf(f, "</pre>\n");
    write_timeline(f, &v->profile);
    write_bars(f, &v->calls);
    write_heat(f, v);
    write_table(f, v);
    int failed = fclose(f) != 0 ? -1 : bine_output_file_write(path, text, size);
    free(text);
    return failed == 0  ? 0
           : failed < 0 ? bine_complain("out of memory")
                        : bine_complain("%s: %s", path, strerror(failed));
}
