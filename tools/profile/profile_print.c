#include "base/numbers.h"
#include "profile/profile.h"

#include "cli/command.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double share_of(double part, double whole) {
    return whole > 0 ? 100 * part / whole : 0;
}

static void line_of_run(const struct bine_profile *p, char line[BINE_LINE]) {
    bine_line_append(line, "run: %lld rank%s on %zu node%s, %s%s, %.3f s", (long long)p->ranks,
                     bine_plural(p->ranks), p->nodes, bine_plural((int64_t)p->nodes),
                     p->mpi != NULL ? p->mpi : "MPI not known", p->off ? " with BINE_OFF=1" : "",
                     p->seconds);
    if (p->recorded < p->ranks)
        bine_line_append(line, "; recorded of %lld ranks", (long long)p->recorded);
    if (p->finished < p->recorded)
        bine_line_append(line, "; %lld did not come to MPI_Finalize",
                         (long long)(p->recorded - p->finished));
}

static void line_of_collectives(const struct bine_profile *p, char line[BINE_LINE]) {
    bine_line_append(
        line, "in collectives: %.3f s of the mean rank, %.1f %% of the run; slowest rank %.3f s",
        p->mean, share_of(p->mean, p->seconds), p->slowest);
    if (p->others_calls > 0)
        bine_line_append(line, "; no room for %.0f calls of %.3f s", p->others_calls,
                         p->others_seconds);
}

static void line_of_waiting(const struct bine_profile_view *v, char line[BINE_LINE]) {
    char text[BINE_SECONDS_TEXT];
    double waited = 0, of = 0;
    for (size_t i = 0; i < v->calls.used; i++) {
        waited += v->calls.call[i].waited;
        of += v->calls.call[i].of;
    }
    bine_line_append(line, "waiting for the last rank: ");
    if (of > 0)
        bine_line_append(line, "%.0f %% of %.3f s that samples tell of", share_of(waited, of), of);
    else
        bine_line_append(line, "not known");
    if (of > 0 && v->profile.nodes > 1 && !isnan(v->profile.clock_error))
        bine_line_append(line, "; clocks of nodes agree within %s",
                         bine_seconds_text(v->profile.clock_error, text));
}

int bine_profile_lines(const struct bine_profile_view *v,
                       char line[BINE_PROFILE_LINES][BINE_LINE]) {
    memset(line, 0, BINE_PROFILE_LINES * sizeof line[0]);
    line_of_run(&v->profile, line[0]);
    line_of_collectives(&v->profile, line[1]);
    line_of_waiting(v, line[2]);
    return 3;
}

/* --- One */

static const struct bine_column columns[] = {
    {"collective", BINE_COLUMN_WORDS},
    {"ranks", BINE_COLUMN_NUMBER},
    {"form", BINE_COLUMN_WORDS},
    {"bytes", BINE_COLUMN_WORDS},
    {"calls", BINE_COLUMN_NUMBER},
    {"seconds_mean", BINE_COLUMN_NUMBER},
    {"seconds_slowest", BINE_COLUMN_NUMBER},
    {"share", BINE_COLUMN_NUMBER},
    {"imbalance", BINE_COLUMN_NUMBER},
    {"waiting", BINE_COLUMN_NUMBER},
    {"by", BINE_COLUMN_WORDS},
    {"site", BINE_COLUMN_WORDS},
};
static const char *const titles[] = {"collective", "ranks", "f",    "bytes", "calls", "mean s",
                                     "slowest s",  "run%",  "slow", "wait%", "by",    "site"};
enum { COLUMNS = sizeof columns / sizeof *columns };

int bine_profile_has_sites(const struct bine_profile_calls *c) {
    for (size_t i = 0; i < c->used; i++)
        if (c->call[i].site != NULL)
            return 1;
    return 0;
}

static const char *form_text(int form, enum bine_format format) {
    static const char *const letters[] = {"b", "n", "p"};
    return format == BINE_FORMAT_TEXT ? letters[form]
                                      : bine_profile_form_name((enum bine_profile_form)form);
}

static void add_call(struct bine_table *t, const struct bine_profile_view *v,
                     const struct bine_profile_call *x, enum bine_format format) {
    char sizes[BINE_PROFILE_SIZES];
    bine_table_add(t, "%s", bine_collective_name((enum bine_collective)x->collective));
    bine_table_add(t, "%lld", (long long)x->ranks);
    bine_table_add(t, "%s", form_text(x->form, format));
    bine_table_add(t, "%s", bine_profile_sizes(x->from, x->below, sizes));
    bine_table_add(t, "%.0f", x->calls);
    bine_table_add(t, "%.6f", x->seconds);
    bine_table_add(t, "%.6f", x->slowest);
    bine_table_add(t, "%.1f", share_of(x->seconds, v->profile.seconds));
    bine_table_add(t, "%.2f", bine_profile_imbalance(x));
    if (x->of > 0)
        bine_table_add(t, "%.0f", share_of(x->waited, x->of));
    else
        bine_table_add(t, "%s", "");
    bine_table_add(t, "%s", x->algorithm);
    if (t->columns == COLUMNS)
        bine_table_add(t, "%s", x->site != NULL ? x->site : "");
}

static size_t rows_of(size_t used, const struct bine_profile_options *o) {
    int all = o->format != BINE_FORMAT_TEXT || o->rows == 0 || used < (size_t)o->rows;
    return all ? used : (size_t)o->rows;
}

/* The rest, so that nobody takes the table for all. */
static void print_rest(size_t used, size_t rows, double seconds) {
    if (rows < used)
        printf("and %zu more kinds of calls, %.6f s (--rows 0)\n", used - rows, seconds);
}

int bine_profile_print(const struct bine_profile_view *v, const struct bine_profile_options *o) {
    char line[BINE_PROFILE_LINES][BINE_LINE];
    struct bine_table t = {.column = columns,
                           .title = titles,
                           .columns =
                               (size_t)(bine_profile_has_sites(&v->calls) ? COLUMNS : COLUMNS - 1)};
    size_t rows = rows_of(v->calls.used, o);
    double rest = 0;
    int lines = bine_profile_lines(v, line), text = o->format == BINE_FORMAT_TEXT;
    for (int i = 0; i < lines && text; i++)
        printf("%s\n", line[i]);
    for (size_t i = 0; i < rows; i++)
        add_call(&t, v, &v->calls.call[i], o->format);
    for (size_t i = rows; i < v->calls.used; i++)
        rest += v->calls.call[i].seconds;
    if (text && rows > 0)
        printf("\n");
    int rc = rows > 0 || !text ? bine_table_print(&t, o->format) : 0;
    if (text)
        print_rest(v->calls.used, rows, rest);
    bine_table_free(&t);
    return rc;
}
