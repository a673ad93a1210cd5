/* The result as five lines, and as JSON. */
#include "try/try.h"

#include "cli/command.h"
#include "cli/profile_calls.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Calls that are named in a line, and the share of the run that is worth it; an interval of which
 * half is wider than that hides gains that users would like to know of. */
enum { NAMED = 3 };
static const double worth_naming = 0.002, much_noise = 0.1;

/* Four digits: enough to see differences of a thousandth. */
static void append_seconds(char line[BINE_LINE], double s) {
    bine_line_append(line, s < 10 ? "%.3f" : s < 1000 ? "%.2f" : "%.0f", s);
}

/* "1.20 -> 0.31 ms": short times in milliseconds. */
static void append_change(char line[BINE_LINE], double from, double to) {
    double most = from > to ? from : to;
    if (most < 0.1) {
        bine_line_append(line, most < 0.01 ? "%.2f -> %.2f ms" : "%.1f -> %.1f ms", 1e3 * from,
                         1e3 * to);
        return;
    }
    append_seconds(line, from);
    bine_line_append(line, " -> ");
    append_seconds(line, to);
    bine_line_append(line, " s");
}

static const char *side_name(const struct bine_try *t, int side) {
    static const char *const names[] = {"without", "with", "again without"};
    return names[t->wish.null && side == BINE_TRY_WITH ? 2 : side];
}

static void line_of_times(const struct bine_try *t, const struct bine_try_times *x,
                          char line[BINE_LINE]) {
    bine_line_append(line, "time:        ");
    for (int side = 0; side < BINE_TRY_SIDES; side++) {
        const struct bine_try_time *s = &x->side[side];
        bine_line_append(line, "%s%s ", side > 0 ? ", " : "", side_name(t, side));
        append_seconds(line, s->median);
        bine_line_append(line, " s (");
        append_seconds(line, s->least);
        bine_line_append(line, " to ");
        append_seconds(line, s->greatest);
        bine_line_append(line, ")");
    }
    bine_line_append(line, ", %zu run%s each", x->side[BINE_TRY_WITH].runs,
                     bine_plural((int64_t)x->side[BINE_TRY_WITH].runs));
}

int bine_try_was_loaded(const struct bine_try *t, const struct bine_try_calls *c) {
    return t->wish.null || c->counted[BINE_TRY_WITH] == 0 || c->reports[BINE_TRY_WITH] > 0;
}

static void line_of_no_difference(const struct bine_try_times *x, char line[BINE_LINE]) {
    double noise = bine_try_noise(x);
    if (noise > much_noise && x->pairs < BINE_TRY_LEAST_PAIRS) {
        bine_line_append(line,
                         "%.2f times as fast in %zu pairs of runs: too few to know the noise "
                         "(--time)",
                         x->ratio, x->pairs);
        return;
    }
    bine_line_append(line,
                     "no difference beyond noise (%.3f times as fast, 95 %% interval %.3f to %.3f)",
                     x->ratio, x->low, x->high);
    if (noise > 1)
        bine_line_append(line, ", which hides a factor of %.1f", 1 + noise);
    else if (noise > much_noise)
        bine_line_append(line, ", which hides up to %.0f %%", 100 * noise);
}

static void line_of_result(const struct bine_try *t, const struct bine_try_result *r,
                           char line[BINE_LINE]) {
    const struct bine_try_times *x = &r->times;
    bine_line_append(line, "result:      ");
    if (!bine_try_was_loaded(t, &r->calls))
        bine_line_append(line, "nothing to compare: Bine did not get into the program");
    else if (x->pairs == 0)
        bine_line_append(line, "no pair of runs was finished");
    else if (x->pairs == 1)
        bine_line_append(
            line, "%.2f times as fast in one pair of runs: too few to know the noise (--time)",
            x->ratio);
    else if (!bine_try_differs(x))
        line_of_no_difference(x, line);
    else if (x->ratio >= 1)
        bine_line_append(line, "%.2f times as fast (95 %% interval %.2f to %.2f)", x->ratio, x->low,
                         x->high);
    else
        bine_line_append(line, "slower: takes %.2f times as long (95 %% interval %.2f to %.2f)",
                         1 / x->ratio, 1 / x->high, 1 / x->low);
}

static void line_of_share(const struct bine_try *t, const struct bine_try_calls *c,
                          char line[BINE_LINE]) {
    bine_line_append(line, "collectives: ");
    if (!bine_try_was_loaded(t, c)) {
        bine_line_append(
            line, "not seen: the ranks lost LD_PRELOAD, have no MPI that Bine serves, or did "
                  "not come to MPI_Finalize");
        return;
    }
    if (c->reports[BINE_TRY_WITHOUT] == 0) {
        bine_line_append(line, "not counted");
        return;
    }
    if (c->used == 0) {
        bine_line_append(line, "the program made no blocking call of one");
        return;
    }
    bine_line_append(line, "%.1f %% of the run without",
                     100 * c->inside[BINE_TRY_WITHOUT] / c->run[BINE_TRY_WITHOUT]);
    if (c->reports[BINE_TRY_WITH] > 0 && !t->wish.null)
        bine_line_append(line, ", %.1f %% with",
                         100 * c->inside[BINE_TRY_WITH] / c->run[BINE_TRY_WITH]);
    bine_line_append(line, " (mean of %d rank%s, blocking calls)", c->ranks, bine_plural(c->ranks));
}

static void line_of_calls(const struct bine_try *t, const struct bine_try_calls *c,
                          char line[BINE_LINE]) {
    char sizes[BINE_PROFILE_SIZES];
    int named = 0;
    bine_line_append(line, "calls:       ");
    for (size_t i = 0; i < c->used && named < NAMED && c->reports[BINE_TRY_WITH] > 0; i++) {
        const struct bine_try_call *x = &c->call[i];
        double d = x->seconds[BINE_TRY_WITHOUT] - x->seconds[BINE_TRY_WITH];
        if (fabs(d) < worth_naming * c->run[BINE_TRY_WITHOUT] || t->wish.null)
            break;
        bine_line_append(line, "%s%.0f %s %s: ", named++ > 0 ? "; " : "",
                         x->calls[BINE_TRY_WITHOUT], x->collective,
                         bine_profile_sizes(x->from, x->below, sizes));
        append_change(line, x->seconds[BINE_TRY_WITHOUT], x->seconds[BINE_TRY_WITH]);
        bine_line_append(line, " (%s)",
                         strcmp(x->algorithm, "mpi") == 0 ? "MPI's own" : x->algorithm);
    }
    if (named == 0 && c->reports[BINE_TRY_WITH] == 0)
        bine_line_append(line, "not counted");
    else if (named == 0)
        bine_line_append(line, "none made a difference of %.1f %% of the run", 100 * worth_naming);
    if (c->reports[BINE_TRY_WITH] > 0 && c->used > 0 && !c->by_bine && !t->wish.null)
        bine_line_append(line, "; Bine left all to MPI (BINE_VERBOSE=1 says why)");
}

static void append_output(char line[BINE_LINE], const struct bine_try_output *o) {
    bine_line_append(line, "%s ", o->name);
    if (o->missing)
        bine_line_append(line, "was not written by every run");
    else if (o->wrong > 0 && o->binary)
        bine_line_append(line, "differs in %zu bytes", o->wrong);
    else if (o->wrong > 0)
        bine_line_append(line, "differs in %zu line%s, the first is line %zu%s", o->wrong,
                         o->wrong > 1 ? "s" : "", o->line, o->sorted ? " of the sorted lines" : "");
    else if (o->close > 0)
        bine_line_append(line, "the same but for last digits: %zu numbers, by %.1e at most",
                         o->close, o->largest);
    else
        bine_line_append(line, "the same");
    if (o->wrong > 0 && !o->binary && o->runs < o->texts)
        bine_line_append(line, ", in %d of %d runs with Bine", o->runs, o->texts);
    if (o->varies > 0)
        bine_line_append(line, " (%zu %s%s without Bine, too)", o->varies,
                         o->binary ? "byte" : "line", o->varies == 1 ? " varies" : "s vary");
}

static void line_of_output(const struct bine_try_result *r, char line[BINE_LINE]) {
    bine_line_append(line, "output:      ");
    for (int i = 0; i < r->outputs; i++) {
        bine_line_append(line, "%s", i > 0 ? "; " : "");
        append_output(line, &r->output[i]);
    }
}

void bine_try_lines(const struct bine_try *t, const struct bine_try_result *r,
                    char line[BINE_TRY_LINES][BINE_LINE]) {
    memset(line, 0, BINE_TRY_LINES * sizeof *line);
    line_of_times(t, &r->times, line[0]);
    line_of_result(t, r, line[1]);
    line_of_share(t, &r->calls, line[2]);
    line_of_calls(t, &r->calls, line[3]);
    line_of_output(r, line[4]);
}

void bine_try_print(const struct bine_try *t, const struct bine_try_result *r) {
    char line[BINE_TRY_LINES][BINE_LINE];
    bine_try_lines(t, r, line);
    for (int i = 0; i < BINE_TRY_LINES; i++)
        printf("%s\n", line[i]);
}

static cJSON *json_side(const struct bine_try *t, const struct bine_try_result *r, int side) {
    const struct bine_try_time *x = &r->times.side[side];
    const struct bine_try_calls *c = &r->calls;
    cJSON *o = cJSON_CreateObject(), *each = cJSON_AddArrayToObject(o, "seconds");
    for (size_t i = 0; i < t->runs; i++)
        if (t->run[i].timed && (int)t->run[i].side == side)
            cJSON_AddItemToArray(each, cJSON_CreateNumber(t->run[i].seconds));
    cJSON_AddNumberToObject(o, "median", x->median);
    cJSON_AddNumberToObject(o, "least", x->least);
    cJSON_AddNumberToObject(o, "greatest", x->greatest);
    if (c->reports[side] > 0) {
        cJSON_AddNumberToObject(o, "counted_run_seconds", c->run[side]);
        cJSON_AddNumberToObject(o, "collective_seconds", c->inside[side]);
    }
    return o;
}

static cJSON *json_calls(const struct bine_try_calls *c) {
    cJSON *a = cJSON_CreateArray();
    for (size_t i = 0; i < c->used; i++) {
        const struct bine_try_call *x = &c->call[i];
        cJSON *o = cJSON_CreateObject();
        cJSON_AddNumberToObject(o, "ranks", x->ranks);
        cJSON_AddStringToObject(o, "collective", x->collective);
        cJSON_AddNumberToObject(o, "bytes_from", (double)x->from);
        cJSON_AddNumberToObject(o, "bytes_below", (double)x->below);
        cJSON_AddStringToObject(o, "algorithm", x->algorithm);
        cJSON_AddNumberToObject(o, "calls", x->calls[BINE_TRY_WITHOUT]);
        cJSON_AddNumberToObject(o, "seconds_without", x->seconds[BINE_TRY_WITHOUT]);
        cJSON_AddNumberToObject(o, "seconds_with", x->seconds[BINE_TRY_WITH]);
        cJSON_AddItemToArray(a, o);
    }
    return a;
}

static cJSON *json_outputs(const struct bine_try_result *r) {
    cJSON *a = cJSON_CreateArray();
    for (int i = 0; i < r->outputs; i++) {
        const struct bine_try_output *x = &r->output[i];
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "name", x->name);
        cJSON_AddBoolToObject(o, "same", x->wrong == 0 && !x->missing);
        cJSON_AddNumberToObject(o, x->binary ? "bytes_wrong" : "lines_wrong", (double)x->wrong);
        cJSON_AddNumberToObject(o, "numbers_close", (double)x->close);
        cJSON_AddNumberToObject(o, "largest_relative_difference", x->largest);
        cJSON_AddNumberToObject(o, "varying", (double)x->varies);
        cJSON_AddItemToArray(a, o);
    }
    return a;
}

int bine_try_print_json(const struct bine_try *t, const struct bine_try_result *r) {
    const struct bine_try_times *x = &r->times;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "format", "bine-try");
    cJSON_AddNumberToObject(o, "version", 1);
    cJSON_AddStringToObject(o, "launcher", bine_launcher_name(t->launcher));
    cJSON_AddStringToObject(o, "mpi", r->calls.mpi);
    cJSON_AddNumberToObject(o, "ranks", r->calls.ranks);
    cJSON_AddBoolToObject(o, "null_comparison", t->wish.null);
    cJSON_AddBoolToObject(o, "bine_seen", !t->wish.null && r->calls.reports[BINE_TRY_WITH] > 0);
    cJSON_AddItemToObject(o, "without", json_side(t, r, BINE_TRY_WITHOUT));
    cJSON_AddItemToObject(o, "with", json_side(t, r, BINE_TRY_WITH));
    cJSON_AddNumberToObject(o, "pairs", (double)x->pairs);
    cJSON_AddNumberToObject(o, "ratio", x->ratio);
    cJSON *interval = x->pairs > 1 ? cJSON_AddArrayToObject(o, "interval_95") : NULL;
    if (interval != NULL) {
        cJSON_AddItemToArray(interval, cJSON_CreateNumber(x->low));
        cJSON_AddItemToArray(interval, cJSON_CreateNumber(x->high));
    }
    cJSON_AddBoolToObject(o, "differs", bine_try_differs(x));
    cJSON_AddItemToObject(o, "calls", json_calls(&r->calls));
    cJSON_AddItemToObject(o, "outputs", json_outputs(r));
    char *text = cJSON_Print(o);
    if (text != NULL)
        printf("%s\n", text);
    int rc = text == NULL ? bine_complain("out of memory") : 0;
    free(text);
    cJSON_Delete(o);
    return rc;
}
