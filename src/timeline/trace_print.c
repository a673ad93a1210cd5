/* The trace as JSON: the form of chrome://tracing, which Perfetto reads, too. Times are
 * microseconds. A rank is a process there: its calls and waits are a track, each strand of steps
 * another, and messages are asynchronous events, which may overlap. */
#include "profile/private_file.h"
#include "schedule/catalogue.h"
#include "timeline/trace.h"

#include <stdlib.h>

static const struct {
    const char *name, *category;
} kinds[BINE_TAPE_KINDS] = {
    [BINE_TAPE_STEP] = {"step", "step"},       [BINE_TAPE_WAIT] = {"wait", "wait"},
    [BINE_TAPE_SEND] = {"send", "message"},    [BINE_TAPE_RECEIVE] = {"receive", "message"},
    [BINE_TAPE_COPY] = {"copy", "work"},       [BINE_TAPE_ADD] = {"add", "work"},
    [BINE_TAPE_PUBLISH] = {"publish", "work"}, [BINE_TAPE_READ] = {"read", "work"},
};
static const char *const forms[BINE_FORMS] = {"blocking", "nonblocking", "persistent"};

/* --- What is known of the run */

/* Texts of a tape may be of a damaged file. */
static void print_text(FILE *f, const char *text) {
    fputc('"', f);
    for (; *text != '\0'; text++)
        if (*text == '"' || *text == '\\')
            fprintf(f, "\\%c", *text);
        else if ((unsigned char)*text >= ' ')
            fputc(*text, f);
    fputc('"', f);
}

static void print_nodes(FILE *f, const struct bine_trace *t) {
    fputs(",\n  \"nodes\": [", f);
    for (int r = 0; r < t->parts->ranks; r++)
        fprintf(f, "%s%d", r > 0 ? ", " : "", t->node[r]);
    fputc(']', f);
}

static void print_facts(FILE *f, const struct bine_trace *t) {
    int recorded = 0, finished = 0;
    unsigned long long lost = 0;
    const struct bine_part_head *head = NULL;
    for (int r = 0; r < t->parts->ranks; r++) {
        const struct bine_tape_part *p = bine_trace_tape(t, r);
        recorded += p != NULL;
        finished += p != NULL && p->head.finished;
        lost += p != NULL ? p->lost : 0;
        head = head == NULL && p != NULL ? &p->head : head;
    }
    fprintf(f, "{\"format\": \"bine-timeline\", \"version\": %d, \"bine\": ", BINE_TRACE_VERSION);
    print_text(f, head != NULL ? head->bine : "");
    fputs(", \"mpi\": ", f);
    print_text(f, head != NULL ? head->mpi : "");
    fprintf(f, ",\n  \"ranks\": %d, \"recorded\": %d, \"finished\": %d, \"lost\": %llu",
            t->parts->ranks, recorded, finished, lost);
    if (t->clock_error < 0)
        fputs(", \"clock_error\": null", f);
    else
        fprintf(f, ", \"clock_error\": %.9g", t->clock_error);
    print_nodes(f, t);
    fputc('}', f);
}

/* --- Events */

/* Every line but the first begins with a comma. */
static void next(FILE *f, int *lines) {
    fputs((*lines)++ > 0 ? ",\n" : "\n", f);
}

static void print_rank(FILE *f, const struct bine_trace *t, int rank, int strands, int *lines) {
    next(f, lines);
    fprintf(f, "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,\"args\":{\"name\":\"rank %d",
            rank, rank);
    if (t->nodes > 1)
        fprintf(f, ", node %d", t->node[rank]);
    fputs("\"}}", f);
    next(f, lines);
    fprintf(
        f, "{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":%d,\"args\":{\"sort_index\":%d}}",
        rank, rank);
    for (int k = -1; k < strands; k++) {
        next(f, lines);
        fprintf(
            f, "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%d,\"tid\":%d,\"args\":{\"name\":\"",
            rank, k + 1);
        if (k < 0)
            fputs("calls\"}}", f);
        else
            fprintf(f, "steps of strand %d\"}}", k);
    }
    if (t->nodes < 2)
        return;
    next(f, lines);
    fprintf(f, "{\"ph\":\"M\",\"name\":\"process_labels\",\"pid\":%d,\"args\":{\"labels\":\"",
            rank);
    if (t->clock_error < 0)
        fputs("clocks of nodes are not aligned\"}}", f);
    else
        fprintf(f, "clocks within %.3g us\"}}", 1e6 * t->clock_error);
}

static int strands_of(const struct bine_tape_part *p) {
    int n = 0;
    for (uint32_t i = 0; i < p->events; i++)
        if (p->event[i].strand != BINE_TAPE_NO_STRAND && p->event[i].strand >= n)
            n = p->event[i].strand + 1;
    return n;
}

static void print_span(FILE *f, const struct bine_trace *t, int rank, uint64_t begin,
                       uint64_t end) {
    double from = bine_trace_time(t, rank, begin), to = bine_trace_time(t, rank, end);
    fprintf(f, ",\"ts\":%.3f,\"dur\":%.3f", from, to > from ? to - from : 0);
}

static void print_call(FILE *f, const struct bine_trace *t, const struct bine_trace_call *at) {
    const struct bine_tape_call *c = bine_trace_call_of(t, at);
    const char *collective = bine_collective_name((enum bine_collective)c->collective);
    fprintf(f, "{\"ph\":\"X\",\"cat\":\"call\",\"name\":\"%s\",\"pid\":%d,\"tid\":0", collective,
            at->rank);
    print_span(f, t, at->rank, c->begin, c->end);
    fprintf(f, ",\"args\":{\"call\":%u,\"number\":%llu,\"form\":\"%s\"", at->call,
            (unsigned long long)c->number, forms[c->form]);
    fprintf(f, ",\"communicator\":%zu,\"ranks\":%d,\"rank\":%d", bine_trace_comm_of(t, c->comm),
            c->ranks, c->rank);
    if (c->bytes >= 0)
        fprintf(f, ",\"bytes\":%lld", (long long)c->bytes);
    if (c->root >= 0)
        fprintf(f, ",\"root\":%d", c->root);
    fprintf(f, ",\"by\":\"%s\"", c->algorithm == BINE_PART_BY_MPI ? "mpi" : "bine");
    if (c->algorithm < bine_catalogue_size)
        fprintf(f, ",\"algorithm\":\"%s\",\"layout\":\"%s\"", bine_catalogue[c->algorithm].name,
                bine_layout_name((enum bine_layout)c->layout));
    fprintf(f, "%s}}", c->cut ? ",\"cut\":true" : "");
}

static void print_args(FILE *f, const struct bine_trace *t, const struct bine_trace_call *at,
                       const struct bine_tape_event *e) {
    const struct bine_tape_call *c = bine_trace_call_of(t, at);
    size_t comm = bine_trace_comm_of(t, c->comm);
    fprintf(f, ",\"args\":{\"call\":%u", at->call);
    if (e->kind != BINE_TAPE_WAIT)
        fprintf(f, ",\"step\":%d", e->time);
    if (e->peer >= 0 && comm < t->comms && e->peer < t->comm[comm].ranks)
        fprintf(f, ",\"peer\":%d", t->comm[comm].world[e->peer]);
    if (e->kind != BINE_TAPE_WAIT && e->kind != BINE_TAPE_STEP)
        fprintf(f, ",\"bytes\":%lld", (long long)e->bytes);
    fputs("}}", f);
}

static void print_event(FILE *f, const struct bine_trace *t, const struct bine_trace_call *at,
                        const struct bine_tape_event *e) {
    int tid = e->strand == BINE_TAPE_NO_STRAND ? 0 : e->strand + 1;
    fprintf(f, "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s", kinds[e->kind].category,
            kinds[e->kind].name);
    if (e->kind == BINE_TAPE_STEP)
        fprintf(f, " %d", e->time);
    fprintf(f, "\",\"pid\":%d,\"tid\":%d", at->rank, tid);
    print_span(f, t, at->rank, e->begin, e->end);
    print_args(f, t, at, e);
}

/* Two events of one number. */
static void print_message(FILE *f, const struct bine_trace *t, const struct bine_trace_call *at,
                          const struct bine_tape_event *e, long *number) {
    fprintf(f, "{\"ph\":\"b\",\"cat\":\"message\",\"name\":\"%s\",\"id\":%ld,\"pid\":%d,\"tid\":%d",
            kinds[e->kind].name, ++*number, at->rank, e->strand + 1);
    fprintf(f, ",\"ts\":%.3f", bine_trace_time(t, at->rank, e->begin));
    print_args(f, t, at, e);
    fprintf(f,
            ",\n{\"ph\":\"e\",\"cat\":\"message\",\"name\":\"%s\",\"id\":%ld,\"pid\":%d,\"tid\":%d",
            kinds[e->kind].name, *number, at->rank, e->strand + 1);
    fprintf(f, ",\"ts\":%.3f}", bine_trace_time(t, at->rank, e->end));
}

/* Arrows from the sender's step to the receiver's. */
static void print_flows(FILE *f, const struct bine_trace *t, size_t first, long *number,
                        int *lines) {
    struct bine_trace_flow *flow;
    long n = bine_trace_flows(t, first, &flow);
    for (long i = 0; i < n; i++) {
        const struct bine_trace_flow *x = &flow[i];
        next(f, lines);
        fprintf(
            f,
            "{\"ph\":\"s\",\"cat\":\"flow\",\"name\":\"message\",\"id\":%ld,\"pid\":%d,\"tid\":%d,"
            "\"ts\":%.3f},\n",
            ++*number, x->from, x->strand + 1, x->left);
        fprintf(f,
                "{\"ph\":\"f\",\"bp\":\"e\",\"cat\":\"flow\",\"name\":\"message\",\"id\":%ld,"
                "\"pid\":%d,"
                "\"tid\":%d,\"ts\":%.3f}",
                *number, x->to, x->strand + 1, x->arrived);
    }
    free(flow);
}

void bine_trace_print(FILE *f, const struct bine_trace *t) {
    int lines = 0;
    long number = 0;
    fputs("{\"displayTimeUnit\": \"ns\",\n \"otherData\": ", f);
    print_facts(f, t);
    fputs(",\n \"traceEvents\": [", f);
    for (int r = 0; r < t->parts->ranks; r++)
        if (t->node[r] >= 0)
            print_rank(f, t, r, strands_of(bine_trace_tape(t, r)), &lines);
    for (size_t i = 0; i < t->calls; i++) {
        const struct bine_trace_call *at = &t->call[i];
        const struct bine_tape_call *c = bine_trace_call_of(t, at);
        next(f, &lines);
        print_call(f, t, at);
        for (uint32_t k = c->first; k < c->first + c->events; k++) {
            const struct bine_tape_event *e = &bine_trace_tape(t, at->rank)->event[k];
            next(f, &lines);
            if (e->kind == BINE_TAPE_SEND || e->kind == BINE_TAPE_RECEIVE)
                print_message(f, t, at, e, &number);
            else
                print_event(f, t, at, e);
        }
        if (i == 0 || t->call[i - 1].call != at->call)
            print_flows(f, t, i, &number, &lines);
    }
    fputs("\n]}\n", f);
}

static void print(FILE *f, const void *t) {
    bine_trace_print(f, t);
}

int bine_trace_write(const char *path, const struct bine_trace *t) {
    return bine_private_file_write(path, print, t);
}
