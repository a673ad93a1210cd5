#include "timeline/trace.h"

#include <stdlib.h>
#include <string.h>

void bine_trace_free(struct bine_trace *t) {
    for (size_t i = 0; t->comm != NULL && i < t->comms; i++)
        free(t->comm[i].world);
    free(t->call);
    free(t->comm);
    free(t->node);
    free(t->tick);
    *t = (struct bine_trace){.parts = NULL};
}

/* --- Clocks and nodes */

static int64_t time_ns(const struct bine_trace *t, int rank, uint64_t ticks) {
    const struct bine_part_head *h = &bine_trace_tape(t, rank)->head;
    double since = t->tick[rank] * (double)(ticks - h->begin.ticks);
    return bine_alignment_apply(&h->clock[0], &h->clock[1], h->begin.ns + (int64_t)since);
}

double bine_trace_time(const struct bine_trace *t, int rank, uint64_t ticks) {
    return 1e-3 * (double)(time_ns(t, rank, ticks) - t->begin_ns);
}

static void number_nodes(struct bine_trace *t) {
    for (int r = 0; r < t->parts->ranks; r++) {
        const struct bine_tape_part *p = bine_trace_tape(t, r);
        int before = r - 1;
        t->node[r] = -1;
        if (p == NULL)
            continue;
        while (before >= 0 &&
               (t->node[before] < 0 || bine_trace_tape(t, before)->head.node != p->head.node))
            before--;
        t->node[r] = before >= 0 ? t->node[before] : t->nodes++;
        t->tick[r] = bine_ticks_length(&p->head.begin, &p->head.last);
    }
}

/* Of one node all have one clock. */
static void find_clock_error(struct bine_trace *t) {
    int64_t most = 0, ns;
    for (int r = 0; r < t->parts->ranks && t->nodes > 1 && most >= 0; r++) {
        if (t->node[r] < 0)
            continue;
        const struct bine_part_head *h = &bine_trace_tape(t, r)->head;
        ns = bine_alignment_error(&h->clock[0], &h->clock[1], h->last.ns);
        most = ns < 0 || ns > most ? ns : most;
    }
    t->clock_error = most < 0 ? -1 : 1e-9 * (double)most;
}

static void find_begin(struct bine_trace *t) {
    t->begin_ns = INT64_MAX;
    for (size_t i = 0; i < t->calls; i++) {
        int64_t ns = time_ns(t, t->call[i].rank, bine_trace_call_of(t, &t->call[i])->begin);
        t->begin_ns = ns < t->begin_ns ? ns : t->begin_ns;
    }
    t->begin_ns = t->calls > 0 ? t->begin_ns : 0;
}

/* --- Which calls are one */

/* For qsort, which takes no context: one thread merges at a time. */
static const struct bine_trace *sorted;

static int compare_words(const uint64_t *a, const uint64_t *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

enum { KEY_WORDS = 4 };

/* Equal for the calls of all ranks that are one call. */
static void key_of(const struct bine_tape_call *c, uint64_t key[KEY_WORDS]) {
    key[0] = c->comm;
    key[1] = (uint64_t)c->collective << 32 | (uint64_t)c->class << 16 | c->form;
    key[2] = (uint64_t)c->algorithm << 16 | c->layout;
    key[3] = c->number;
}

static int is_one(const struct bine_trace_call *a, const struct bine_trace_call *b) {
    uint64_t x[KEY_WORDS], y[KEY_WORDS];
    key_of(bine_trace_call_of(sorted, a), x);
    key_of(bine_trace_call_of(sorted, b), y);
    return compare_words(x, y, KEY_WORDS) == 0;
}

static int by_key(const void *one, const void *other) {
    const struct bine_trace_call *a = one, *b = other;
    uint64_t x[KEY_WORDS], y[KEY_WORDS];
    key_of(bine_trace_call_of(sorted, a), x);
    key_of(bine_trace_call_of(sorted, b), y);
    int order = compare_words(x, y, KEY_WORDS);
    return order != 0 ? order : (a->rank > b->rank) - (a->rank < b->rank);
}

static int by_number(const void *one, const void *other) {
    const struct bine_trace_call *a = one, *b = other;
    int order = (a->call > b->call) - (a->call < b->call);
    return order != 0 ? order : (a->rank > b->rank) - (a->rank < b->rank);
}

/* A collective call, and when its first rank began with it. */
struct group {
    size_t first, n;
    int64_t begin;
};

static int by_begin(const void *one, const void *other) {
    const struct group *a = one, *b = other;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

/* Numbers in the order of their beginnings. */
static int number_calls(struct bine_trace *t) {
    struct group *g = malloc((t->calls + 1) * sizeof *g);
    size_t groups = 0;
    if (g == NULL)
        return -1;
    sorted = t;
    qsort(t->call, t->calls, sizeof *t->call, by_key);
    for (size_t i = 0; i < t->calls; i++) {
        int64_t ns = time_ns(t, t->call[i].rank, bine_trace_call_of(t, &t->call[i])->begin);
        if (i == 0 || !is_one(&t->call[i - 1], &t->call[i]))
            g[groups++] = (struct group){i, 0, ns};
        g[groups - 1].n++;
        g[groups - 1].begin = ns < g[groups - 1].begin ? ns : g[groups - 1].begin;
    }
    qsort(g, groups, sizeof *g, by_begin);
    for (size_t k = 0; k < groups; k++)
        for (size_t i = g[k].first; i < g[k].first + g[k].n; i++)
            t->call[i].call = (uint32_t)k;
    qsort(t->call, t->calls, sizeof *t->call, by_number);
    free(g);
    return 0;
}

static int list_calls(struct bine_trace *t) {
    size_t n = 0;
    for (int r = 0; r < t->parts->ranks; r++)
        n += t->node[r] >= 0 ? bine_trace_tape(t, r)->calls : 0;
    t->call = malloc((n + 1) * sizeof *t->call);
    if (t->call == NULL)
        return -1;
    for (int r = 0; r < t->parts->ranks; r++)
        for (uint32_t i = 0; t->node[r] >= 0 && i < bine_trace_tape(t, r)->calls; i++)
            t->call[t->calls++] = (struct bine_trace_call){r, i, 0};
    return 0;
}

/* --- Communicators */

size_t bine_trace_comm_of(const struct bine_trace *t, uint64_t key) {
    size_t i = 0;
    while (i < t->comms && t->comm[i].key != key)
        i++;
    return i;
}

static int add_comm(struct bine_trace *t, const struct bine_tape_call *c) {
    struct bine_trace_comm *x = &t->comm[t->comms];
    *x = (struct bine_trace_comm){c->comm, c->ranks, malloc((size_t)c->ranks * sizeof *x->world)};
    if (x->world == NULL)
        return -1;
    for (int i = 0; i < c->ranks; i++)
        x->world[i] = -1;
    t->comms++;
    return 0;
}

/* A communicator has at least as many ranks as the job has calls on it from different ranks: so
 * their number is that of the ranks' communicators at most, which is bounded. */
static int list_comms(struct bine_trace *t) {
    t->comm = malloc((t->calls + 1) * sizeof *t->comm);
    if (t->comm == NULL)
        return -1;
    for (size_t i = 0; i < t->calls; i++) {
        const struct bine_tape_call *c = bine_trace_call_of(t, &t->call[i]);
        size_t k = bine_trace_comm_of(t, c->comm);
        if (c->ranks > t->parts->ranks)
            continue; /* of no job */
        if (k == t->comms && add_comm(t, c) != 0)
            return -1;
        if (c->rank < t->comm[k].ranks)
            t->comm[k].world[c->rank] = t->call[i].rank;
    }
    return 0;
}

int bine_trace_make(struct bine_trace *t, const struct bine_parts *parts) {
    size_t ranks = (size_t)parts->ranks + 1;
    *t = (struct bine_trace){.parts = parts};
    t->node = malloc(ranks * sizeof *t->node);
    t->tick = calloc(ranks, sizeof *t->tick);
    if (t->node == NULL || t->tick == NULL)
        return -1;
    number_nodes(t);
    find_clock_error(t);
    if (list_calls(t) != 0 || number_calls(t) != 0)
        return -1;
    find_begin(t);
    return list_comms(t);
}

/* --- Messages */

/* An end of a message. */
struct end {
    struct bine_trace_flow pair; /* its times are of this end */
    int receives;
};

static int by_pair(const void *one, const void *other) {
    const struct end *a = one, *b = other;
    const struct bine_trace_flow *x = &a->pair, *y = &b->pair;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    if (x->strand != y->strand)
        return x->strand < y->strand ? -1 : 1;
    if (a->receives != b->receives)
        return a->receives - b->receives;
    return (x->left > y->left) - (x->left < y->left); /* as they were posted */
}

static size_t add_ends(const struct bine_trace *t, const struct bine_trace_call *at,
                       struct end *to) {
    const struct bine_tape_call *c = bine_trace_call_of(t, at);
    const struct bine_trace_comm *comm = &t->comm[bine_trace_comm_of(t, c->comm)];
    size_t n = 0;
    for (uint32_t i = c->first; i < c->first + c->events; i++) {
        const struct bine_tape_event *e = &bine_trace_tape(t, at->rank)->event[i];
        int sends = e->kind == BINE_TAPE_SEND;
        if ((!sends && e->kind != BINE_TAPE_RECEIVE) || e->peer < 0 || e->peer >= comm->ranks)
            continue;
        int peer = comm->world[e->peer];
        if (peer < 0)
            continue;
        to[n++] = (struct end){{sends ? at->rank : peer, sends ? peer : at->rank, e->strand,
                                bine_trace_time(t, at->rank, e->begin),
                                bine_trace_time(t, at->rank, e->end)},
                               !sends};
    }
    return n;
}

/* Both ends of messages between two ranks stand beside each other: sends, then receives. */
static size_t pair_up(const struct end *e, size_t n, struct bine_trace_flow *flow) {
    size_t flows = 0;
    for (size_t i = 0, next; i < n; i = next) {
        size_t sends = 0, receives = 0;
        for (next = i; next < n && e[next].pair.from == e[i].pair.from &&
                       e[next].pair.to == e[i].pair.to && e[next].pair.strand == e[i].pair.strand;
             next++) {
            sends += !e[next].receives;
            receives += e[next].receives != 0;
        }
        for (size_t k = 0; k < sends && sends == receives; k++) {
            flow[flows] = e[i + k].pair;
            flow[flows++].arrived = e[i + sends + k].pair.arrived;
        }
    }
    return flows;
}

long bine_trace_flows(const struct bine_trace *t, size_t first, struct bine_trace_flow **flow) {
    size_t last = first, events = 0, n = 0;
    int whole = 1;
    for (; last < t->calls && t->call[last].call == t->call[first].call; last++) {
        const struct bine_tape_call *c = bine_trace_call_of(t, &t->call[last]);
        events += c->events;
        whole &= !c->cut && bine_trace_comm_of(t, c->comm) < t->comms;
    }
    *flow = NULL;
    if (!whole || events == 0)
        return 0;
    struct end *end = malloc(events * sizeof *end);
    *flow = malloc(events * sizeof **flow);
    for (size_t i = first; i < last && end != NULL; i++)
        n += add_ends(t, &t->call[i], end + n);
    if (end != NULL && *flow != NULL) {
        qsort(end, n, sizeof *end, by_pair);
        n = pair_up(end, n, *flow);
    }
    int failed = end == NULL || *flow == NULL;
    free(end);
    return failed ? -1 : (long)n;
}
