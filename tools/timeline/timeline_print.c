/* A timeline as tables: its calls, or the steps of one. */
#include "base/numbers.h"
#include "cli/command.h"
#include "timeline/timeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- Calls */

static const struct bine_column call_columns[] = {
    {"call", BINE_COLUMN_NUMBER},         {"number", BINE_COLUMN_NUMBER},
    {"collective", BINE_COLUMN_WORDS},    {"form", BINE_COLUMN_WORDS},
    {"ranks", BINE_COLUMN_NUMBER},        {"bytes", BINE_COLUMN_NUMBER},
    {"algorithm", BINE_COLUMN_WORDS},     {"seconds", BINE_COLUMN_NUMBER},
    {"late_seconds", BINE_COLUMN_NUMBER}, {"wait_seconds", BINE_COLUMN_NUMBER},
    {"work_seconds", BINE_COLUMN_NUMBER}, {"model_seconds", BINE_COLUMN_NUMBER},
};
static const char *const call_titles[] = {"call", "nth",  "collective", "f",    "ranks", "bytes",
                                          "by",   "time", "late",       "wait", "work",  "model"};
enum { CALL_COLUMNS = sizeof call_columns / sizeof *call_columns };

/* Seconds: with a unit as text, where there is no room for six digits. */
static void add_seconds(struct bine_table *t, double seconds, enum bine_format format) {
    char text[BINE_SECONDS_TEXT];
    if (!(seconds >= 0) && !(seconds < 0))
        bine_table_add(t, "%s", "");
    else if (format == BINE_FORMAT_TEXT)
        bine_table_add(t, "%s", bine_seconds_text(seconds > 0 ? seconds : 0, text));
    else
        bine_table_add(t, "%.9g", seconds);
}

static void add_whole(struct bine_table *t, int64_t n) {
    if (n >= 0)
        bine_table_add(t, "%lld", (long long)n);
    else
        bine_table_add(t, "%s", "");
}

static void add_call(struct bine_table *t, const struct bine_timeline_call *c, double model,
                     enum bine_format format) {
    struct bine_timeline_sums s = bine_timeline_sums(c);
    int text = format == BINE_FORMAT_TEXT;
    add_whole(t, c->number);
    add_whole(t, c->nth);
    bine_table_add(t, "%s", c->collective);
    bine_table_add(t, text ? "%.1s" : "%s", c->form);
    add_whole(t, c->ranks);
    add_whole(t, c->bytes);
    bine_table_add(t, "%s%s", c->algorithm != NULL ? c->algorithm : "mpi",
                   text && c->cut ? " (cut)" : "");
    add_seconds(t, s.seconds, format);
    add_seconds(t, s.late, format);
    add_seconds(t, c->algorithm != NULL ? s.waits : NAN, format);
    add_seconds(t, c->algorithm != NULL ? s.works : NAN, format);
    add_seconds(t, model, format);
}

static void print_facts(const struct bine_timeline *t) {
    char text[BINE_SECONDS_TEXT];
    printf("timeline: %lld ranks, %s, %zu call%s", (long long)t->ranks,
           t->mpi != NULL ? t->mpi : "", t->calls, bine_plural((int64_t)t->calls));
    if (t->lost > 0)
        printf("; no room for %lld more of the ranks'", (long long)t->lost);
    if (t->recorded < t->ranks)
        printf("; recorded of %lld ranks", (long long)t->recorded);
    if (t->finished < t->recorded)
        printf("; %lld did not come to MPI_Finalize", (long long)(t->recorded - t->finished));
    if (isnan(t->clock_error))
        printf("; clocks of nodes are not aligned\n\n");
    else if (!(t->clock_error > 0))
        printf("; one clock\n\n");
    else
        printf("; clocks agree within %s\n\n", bine_seconds_text(t->clock_error, text));
}

/* The job on its machine; none is asked for where no machine is named. */
struct network {
    int known;
    struct bine_allocation allocation;
    struct bine_machine *machine;
};

static int predict(const struct bine_timeline_call *c, const struct network *n,
                   struct bine_timeline_model *m) {
    *m = (struct bine_timeline_model){.seconds = NAN};
    return n->known ? bine_timeline_predict(c, &n->allocation, n->machine, m) : 0;
}

static int print_calls(const struct bine_timeline *t, const struct network *n,
                       enum bine_format format) {
    struct bine_table table = {
        .column = call_columns, .title = call_titles, .columns = CALL_COLUMNS};
    int rc = 0;
    for (size_t i = 0; i < t->calls && rc == 0; i++) {
        struct bine_timeline_model m;
        rc = predict(&t->call[i], n, &m);
        add_call(&table, &t->call[i], m.seconds, format);
        bine_timeline_model_free(&m);
    }
    if (rc == 0 && format == BINE_FORMAT_TEXT)
        print_facts(t);
    if (rc == 0)
        rc = bine_table_print(&table, format);
    bine_table_free(&table);
    return rc;
}

/* --- Steps */

static const struct bine_column step_columns[] = {
    {"step", BINE_COLUMN_NUMBER},
    {"messages", BINE_COLUMN_NUMBER},
    {"ranks", BINE_COLUMN_NUMBER},
    {"through_seconds", BINE_COLUMN_NUMBER},
    {"last_rank", BINE_COLUMN_NUMBER},
    {"work_seconds", BINE_COLUMN_NUMBER},
    {"arrived_seconds", BINE_COLUMN_NUMBER},
    {"model_seconds", BINE_COLUMN_NUMBER},
    {"lost_seconds", BINE_COLUMN_NUMBER},
};
static const char *const step_titles[] = {"step", "messages", "ranks", "through", "last",
                                          "work", "arrived",  "model", "lost"};
enum { STEP_COLUMNS = sizeof step_columns / sizeof *step_columns };

/* What is known of a step, all ranks: times since the last rank came to the call. */
struct step {
    int64_t messages, ranks, last;
    double through, works, arrived;
};

static void add_span(struct step *s, const struct bine_timeline_span *x, double came) {
    if (x->kind == BINE_TIMELINE_STEP) {
        s->ranks++;
        if (!(s->through >= x->end - came)) {
            s->through = x->end - came;
            s->last = x->rank;
        }
    } else if (x->kind == BINE_TIMELINE_RECEIVE) {
        s->messages++;
        s->arrived = fmax(s->arrived, x->end - came); /* NAN is the lesser */
    } else if (x->kind == BINE_TIMELINE_WORK) {
        s->works += x->end - x->begin;
    }
}

static struct step *collect(const struct bine_timeline *t, const struct bine_timeline_call *c,
                            size_t *steps) {
    double came = bine_timeline_sums(c).came;
    *steps = 0;
    for (size_t i = 0; i < t->spans; i++)
        if (t->span[i].call == c->number && t->span[i].step >= (int64_t)*steps)
            *steps = (size_t)t->span[i].step + 1;
    struct step *s = calloc(*steps + 1, sizeof *s);
    for (size_t k = 0; s != NULL && k < *steps; k++)
        s[k] = (struct step){.last = -1, .through = NAN, .arrived = NAN};
    for (size_t i = 0; s != NULL && i < t->spans; i++)
        if (t->span[i].call == c->number && t->span[i].step >= 0)
            add_span(&s[t->span[i].step], &t->span[i], came);
    return s;
}

/* Lost: the time that a step adds between the last arrivals of the step before and its own, more
 * than it adds by the model. */
static void add_steps(struct bine_table *table, const struct step *s, size_t steps,
                      const struct bine_timeline_model *m, enum bine_format format) {
    double before = 0, model_before = 0;
    for (size_t k = 0; k < steps; k++) {
        double model = k < m->steps ? m->step[k] : NAN;
        double lost = s[k].arrived - before - (model - model_before);
        if (s[k].ranks == 0 && s[k].messages == 0)
            continue;
        add_whole(table, (int64_t)k);
        add_whole(table, s[k].messages);
        add_whole(table, s[k].ranks);
        add_seconds(table, s[k].through, format);
        add_whole(table, s[k].last);
        add_seconds(table, s[k].works, format);
        add_seconds(table, s[k].arrived, format);
        add_seconds(table, model, format);
        if (isnan(lost))
            bine_table_add(table, "%s", "");
        else if (format == BINE_FORMAT_TEXT)
            bine_table_add(table, "%+.0f us", 1e6 * lost);
        else
            bine_table_add(table, "%.9g", lost);
        before = isnan(s[k].arrived) ? before : s[k].arrived;
        model_before = isnan(model) ? model_before : model;
    }
}

static void print_call(const struct bine_timeline_call *c, double model) {
    struct bine_timeline_sums s = bine_timeline_sums(c);
    char text[BINE_SECONDS_TEXT];
    printf("call %lld: %s of %lld ranks", (long long)c->number, c->collective, (long long)c->ranks);
    if (c->bytes >= 0)
        printf(", %lld bytes", (long long)c->bytes);
    printf(", %s%s%s: %s", c->algorithm != NULL ? c->algorithm : "mpi",
           c->layout != NULL ? ", " : "", c->layout != NULL ? c->layout : "",
           bine_seconds_text(s.seconds, text));
    if (!isnan(model))
        printf(", by the model %s", bine_seconds_text(model, text));
    printf("\ntimes since the last rank came, %s after the first%s\n\n",
           bine_seconds_text(s.late, text),
           c->cut ? "; there was no room for all events of the call" : "");
}

static int print_steps(const struct bine_timeline *t, const struct bine_timeline_call *c,
                       const struct network *n, enum bine_format format) {
    struct bine_table table = {
        .column = step_columns, .title = step_titles, .columns = STEP_COLUMNS};
    struct bine_timeline_model m;
    size_t steps;
    int rc = predict(c, n, &m);
    struct step *s = rc == 0 ? collect(t, c, &steps) : NULL;
    if (rc == 0 && s == NULL)
        rc = bine_complain("out of memory");
    if (rc == 0) {
        add_steps(&table, s, steps, &m, format);
        if (format == BINE_FORMAT_TEXT)
            print_call(c, m.seconds);
        if (format == BINE_FORMAT_TEXT && table.cells == 0)
            printf("no steps: the MPI library made it\n");
        else
            rc = bine_table_print(&table, format);
    }
    bine_table_free(&table);
    bine_timeline_model_free(&m);
    free(s);
    return rc;
}

/* --- Both */

int bine_timeline_print(const struct bine_timeline *t, const struct bine_timeline_options *o) {
    struct network n = {.known = o->where.machine != NULL};
    int rc = 0;
    if (o->call >= (int)t->calls)
        return bine_complain("--call %d: there are %zu, from 0", o->call, t->calls);
    if (n.known)
        rc = bine_place_job(&o->where, &n.allocation, &n.machine);
    if (rc == 0)
        rc = o->call >= 0 ? print_steps(t, &t->call[o->call], &n, o->format)
                          : print_calls(t, &n, o->format);
    if (n.known) {
        bine_allocation_free(&n.allocation);
        bine_machine_free(n.machine);
    }
    return rc;
}
