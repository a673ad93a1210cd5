/* Waiting for the last rank, by samples of calls. */
#include "profile/merge.h"

#include <stdlib.h>

/* The arrival of one rank at a call, and how long it was in there: nanoseconds. */
struct arrival {
    uint32_t call;
    int32_t entry;
    int64_t at;
    double took;
};

/* Sums of a rank. */
struct waited {
    double waited, took;
    int last; /* how often it came last */
};

static int by_call(const void *a, const void *b) {
    const struct arrival *x = a, *y = b;
    if (x->call != y->call)
        return x->call < y->call ? -1 : 1;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

static int64_t arrival_of(const struct bine_part *p, const struct bine_part_sample *s) {
    double ns = bine_part_tick(p) * (double)(s->at_row >> 8);
    return bine_alignment_apply(&p->head.clock[0], &p->head.clock[1],
                                p->head.begin.ns + (int64_t)ns);
}

static size_t list_arrivals(const struct bine_merge *m, const struct bine_merge_entry *e, size_t n,
                            struct arrival *to) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        const struct bine_part *p = m->parts->part[e[i].rank];
        for (unsigned k = 0; k < p->head.samples; k++)
            if ((int32_t)(p->sample[k].at_row & 0xff) == e[i].row)
                to[count++] =
                    (struct arrival){p->sample[k].call, (int32_t)i, arrival_of(p, &p->sample[k]),
                                     bine_part_tick(p) * (double)p->sample[k].took};
    }
    return count;
}

/* One call that all ranks have a sample of. A rank waits no longer than it is in the call. */
static void add_call(const struct arrival *a, size_t n, struct waited *to) {
    size_t last = 0;
    for (size_t i = 1; i < n; i++)
        last = a[i].at > a[last].at ? i : last;
    to[a[last].entry].last++;
    for (size_t i = 0; i < n; i++) {
        double wait = (double)(a[last].at - a[i].at);
        to[a[i].entry].waited += wait < a[i].took ? wait : a[i].took;
        to[a[i].entry].took += a[i].took;
    }
}

static int64_t add_calls(const struct arrival *a, size_t count, size_t ranks, struct waited *to) {
    int64_t samples = 0;
    for (size_t at = 0, end; at < count; at = end) {
        for (end = at + 1; end < count && a[end].call == a[at].call;)
            end++;
        if (end - at != ranks)
            continue;
        add_call(&a[at], ranks, to);
        samples++;
    }
    return samples;
}

static double seconds_of(const struct bine_merge *m, const struct bine_merge_entry *e) {
    const struct bine_part *p = m->parts->part[e->rank];
    return 1e-9 * bine_part_tick(p) * (double)p->row[e->row].ticks;
}

static void settle(const struct bine_merge *m, const struct bine_merge_entry *e, size_t n,
                   const struct waited *w, struct bine_merged_row *row) {
    size_t slowest = 0, late = 0;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += w[i].took > 0 ? seconds_of(m, &e[i]) * w[i].waited / w[i].took : 0;
        slowest = seconds_of(m, &e[i]) > seconds_of(m, &e[slowest]) ? i : slowest;
        late = w[i].last > w[late].last ? i : late;
    }
    const struct waited *x = &w[slowest];
    row->wait_mean = sum / (double)n;
    row->wait_slowest = x->took > 0 ? seconds_of(m, &e[slowest]) * x->waited / x->took : 0;
    const struct bine_part *p = m->parts->part[e[late].rank];
    row->late = p->comm[e[late].kind.comm].rank;
    row->late_share = (double)w[late].last / (double)row->samples;
}

/* Calls are told apart by their number on each rank: where ranks that have come to their end made
 * different numbers of calls, these are not one call. */
static int can_be_told(const struct bine_merge *m, const struct bine_merge_entry *e, size_t n,
                       const struct bine_merged_row *row) {
    const struct bine_merged_comm *c = &m->to->comm[row->comm];
    int nodes = c->place == NULL ? 2 : 1, known = 1;
    for (size_t i = 1; i < c->places; i++)
        nodes += c->place[i].node != c->place[0].node;
    for (size_t i = 0; i < n; i++) {
        const struct bine_part *p = m->parts->part[e[i].rank];
        known &= !p->head.finished || (int64_t)p->row[e[i].row].calls == row->calls;
    }
    return known && row->form == BINE_FORM_BLOCKING && n == (size_t)c->ranks && n > 1 &&
           c->kind < BINE_PART_INTER && (nodes == 1 || m->to->clock_error >= 0);
}

int bine_merge_waits(const struct bine_merge *m, const struct bine_merge_entry *e, size_t n,
                     struct bine_merged_row *row) {
    if (!can_be_told(m, e, n, row))
        return 0;
    struct arrival *a = malloc(n * BINE_PART_SAMPLES * sizeof *a);
    struct waited *w = calloc(n, sizeof *w);
    int rc = a != NULL && w != NULL ? 0 : -1;
    size_t count = rc == 0 ? list_arrivals(m, e, n, a) : 0;
    if (count > 0)
        qsort(a, count, sizeof *a, by_call);
    row->samples = rc == 0 ? add_calls(a, count, n, w) : 0;
    if (row->samples > 0)
        settle(m, e, n, w, row);
    free(a);
    free(w);
    return rc;
}
