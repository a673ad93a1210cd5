#include "base/grow.h"
#include "cli/command.h"
#include "cli/parts_file.h"
#include "profile/private_file.h"
#include "timeline/timeline.h"
#include "timeline/trace.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- What killed programs leave */

static int print_trace(FILE *f, const struct bine_parts *parts) {
    struct bine_trace t;
    int rc = bine_trace_make(&t, parts);
    if (rc == 0)
        bine_trace_print(f, &t);
    bine_trace_free(&t);
    return rc;
}

static char *text_of(const char *path) {
    static const struct bine_parts_kind kind = {"timeline", "BINE_TIMELINE", bine_tape_check,
                                                print_trace};
    return bine_parts_text(path, &kind);
}

static void put(FILE *f, const void *text) {
    fputs(text, f);
}

int bine_timeline_merge(const char *path, const char *file) {
    char *text = text_of(path);
    if (text == NULL)
        return BINE_EXIT_USAGE;
    int rc = bine_private_file_write(file, put, text);
    free(text);
    return rc == 0 ? 0 : bine_complain("cannot write %s: %s", file, strerror(errno));
}

/* --- Values. Members that are not there, or of another kind, are as if they were unknown: later
 * versions may have others. */

static const struct bine_json *member(const struct bine_json *of, const char *key) {
    const struct bine_json *x = of != NULL && of->kind == BINE_JSON_OBJECT ? of->child : NULL;
    while (x != NULL && strcmp(x->key, key) != 0)
        x = x->next;
    return x;
}

static double number_of(const struct bine_json *of, const char *key) {
    const struct bine_json *x = member(of, key);
    return x != NULL && x->kind == BINE_JSON_NUMBER ? x->number : NAN;
}

static int64_t whole(const struct bine_json *of, const char *key) {
    double x = number_of(of, key);
    return x >= 0 && x < 9e15 ? (int64_t)x : -1;
}

static const char *word_of(const struct bine_json *of, const char *key) {
    const struct bine_json *x = member(of, key);
    return x != NULL && x->kind == BINE_JSON_STRING ? x->text : NULL;
}

/* --- Events */

/* Numbers of calls come in order, whatever the ranks. */
static struct bine_timeline_call *call_of(struct bine_timeline *t, int64_t number) {
    if (number < 0 || number > (int64_t)t->calls)
        return NULL;
    if (number < (int64_t)t->calls)
        return &t->call[number];
    if (bine_grow(&t->call, &t->call_room, t->calls + 1, sizeof *t->call) != 0)
        return NULL;
    t->call[t->calls] = (struct bine_timeline_call){.number = number};
    return &t->call[t->calls++];
}

static int add_call(struct bine_timeline *t, const struct bine_json *e,
                    const struct bine_json *args, double begin, double end) {
    struct bine_timeline_call *c = call_of(t, whole(args, "call"));
    if (c == NULL || bine_grow(&c->part, &c->room, c->parts + 1, sizeof *c->part) != 0)
        return -1;
    const struct bine_json *cut = member(args, "cut");
    c->nth = whole(args, "number");
    c->collective = word_of(e, "name");
    c->form = word_of(args, "form");
    c->algorithm = word_of(args, "algorithm");
    c->layout = word_of(args, "layout");
    c->ranks = whole(args, "ranks");
    c->bytes = whole(args, "bytes");
    c->root = whole(args, "root");
    c->cut |= cut != NULL && cut->kind == BINE_JSON_TRUE;
    c->part[c->parts++] =
        (struct bine_timeline_part){whole(e, "pid"), whole(args, "rank"), begin, end, 0, 0};
    return c->collective != NULL && c->form != NULL ? 0 : -1;
}

static int add_span(struct bine_timeline *t, enum bine_timeline_kind kind,
                    const struct bine_json *e, const struct bine_json *args, double begin,
                    double end) {
    if (bine_grow(&t->span, &t->span_room, t->spans + 1, sizeof *t->span) != 0)
        return -1;
    double step = number_of(args, "step"); /* -1: before the first message */
    t->span[t->spans++] =
        (struct bine_timeline_span){.kind = kind,
                                    .call = whole(args, "call"),
                                    .rank = whole(e, "pid"),
                                    .strand = whole(e, "tid") - 1, /* track 0 is that of calls */
                                    .step = step >= 0 && step < 1e9 ? (int64_t)step : -1,
                                    .peer = whole(args, "peer"),
                                    .bytes = whole(args, "bytes"),
                                    .begin = begin,
                                    .end = end};
    return 0;
}

/* A message begins and ends in two events, which stand beside each other. */
static int read_event(struct bine_timeline *t, const struct bine_json *e) {
    static const char *const kinds[] = {"step", "wait", "work"};
    const char *ph = word_of(e, "ph"), *category = word_of(e, "cat"), *name = word_of(e, "name");
    const struct bine_json *args = member(e, "args");
    double begin = 1e-6 * number_of(e, "ts"), took = 1e-6 * number_of(e, "dur");
    if (ph == NULL || category == NULL || name == NULL)
        return 0;
    if (strcmp(ph, "X") == 0 && strcmp(category, "call") == 0)
        return add_call(t, e, args, begin, begin + took);
    for (int k = 0; k < 3 && strcmp(ph, "X") == 0; k++)
        if (strcmp(category, kinds[k]) == 0)
            return add_span(t, (enum bine_timeline_kind)k, e, args, begin, begin + took);
    if (strcmp(ph, "b") != 0)
        return 0;
    return add_span(t, strcmp(name, "send") == 0 ? BINE_TIMELINE_SEND : BINE_TIMELINE_RECEIVE, e,
                    args, begin, 1e-6 * number_of(e->next, "ts"));
}

/* --- The file */

static int wrong(const char *path, const char *what) {
    return bine_complain("%s: %s: expected a file that BINE_TIMELINE made", path, what);
}

static int read_facts(const char *path, const struct bine_json *root, struct bine_timeline *t) {
    const struct bine_json *facts = member(root, "otherData");
    const char *format = word_of(facts, "format");
    if (format == NULL || strcmp(format, "bine-timeline") != 0)
        return wrong(path, "no \"format\": \"bine-timeline\" in \"otherData\"");
    if (whole(facts, "version") != BINE_TRACE_VERSION)
        return bine_complain("%s: version %lld of timelines: this program reads %d", path,
                             (long long)whole(facts, "version"), BINE_TRACE_VERSION);
    t->ranks = whole(facts, "ranks");
    t->recorded = whole(facts, "recorded");
    t->finished = whole(facts, "finished");
    t->lost = whole(facts, "lost");
    t->clock_error = number_of(facts, "clock_error");
    t->bine = word_of(facts, "bine");
    t->mpi = word_of(facts, "mpi");
    return 0;
}

/* The sums of each rank's spans. */
static void add_up(struct bine_timeline *t) {
    for (size_t i = 0; i < t->spans; i++) {
        const struct bine_timeline_span *s = &t->span[i];
        if (s->call < 0 || s->call >= (int64_t)t->calls ||
            (s->kind != BINE_TIMELINE_WAIT && s->kind != BINE_TIMELINE_WORK))
            continue;
        struct bine_timeline_call *c = &t->call[s->call];
        for (size_t k = 0; k < c->parts; k++)
            if (c->part[k].rank == s->rank)
                *(s->kind == BINE_TIMELINE_WAIT ? &c->part[k].waits : &c->part[k].works) +=
                    s->end - s->begin;
    }
}

int bine_timeline_read(const char *path, struct bine_timeline *t) {
    *t = (struct bine_timeline){.ranks = 0};
    char *text = text_of(path);
    if (text == NULL)
        return BINE_EXIT_USAGE;
    if (bine_json_parse(&t->document, text) != 0)
        return bine_complain("%s:%s", path, t->document.error);
    const struct bine_json *root = t->document.value, *events = member(root, "traceEvents");
    int rc = read_facts(path, root, t);
    if (rc == 0 && (events == NULL || events->kind != BINE_JSON_ARRAY))
        return wrong(path, "no list \"traceEvents\"");
    for (const struct bine_json *e = events != NULL ? events->child : NULL; rc == 0 && e != NULL;
         e = e->next)
        if (read_event(t, e) != 0)
            rc = bine_complain("%s:%d:%d: an event that is none, or no memory", path, e->line,
                               e->column);
    add_up(t);
    return rc;
}

void bine_timeline_free(struct bine_timeline *t) {
    for (size_t i = 0; i < t->calls; i++)
        free(t->call[i].part);
    free(t->call);
    free(t->span);
    bine_json_free(&t->document);
    *t = (struct bine_timeline){.ranks = 0};
}

struct bine_timeline_sums bine_timeline_sums(const struct bine_timeline_call *c) {
    struct bine_timeline_sums s = {.seconds = 0};
    double first = HUGE_VAL, left = -HUGE_VAL;
    s.came = -HUGE_VAL;
    for (size_t i = 0; i < c->parts; i++) {
        const struct bine_timeline_part *p = &c->part[i];
        first = fmin(first, p->begin);
        s.came = fmax(s.came, p->begin);
        left = fmax(left, p->end);
        s.waits += p->waits / (double)c->parts;
        s.works += p->works / (double)c->parts;
    }
    s.seconds = left - s.came;
    s.late = s.came - first;
    return s;
}
