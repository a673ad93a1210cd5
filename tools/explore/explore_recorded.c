#include "explore/explore_recorded.h"

#include "cli/command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the call was goes to where words of the command line go. */
static int set_words(struct bine_explore_recorded *r, struct bine_explore_options *o) {
    const struct bine_timeline_call *c = r->call;
    const struct bine_algorithm *a;
    enum bine_collective k;
    if (bine_word_collective(c->collective, &k) != 0 ||
        bine_word_algorithm(k, c->algorithm, &a) != 0)
        return BINE_EXIT_USAGE;
    int segments = bine_segments_for(a, (int)c->ranks, c->bytes);
    snprintf(r->ranks, sizeof r->ranks, "%lld", (long long)c->ranks);
    snprintf(r->root, sizeof r->root, "%lld", (long long)c->root);
    snprintf(r->bytes, sizeof r->bytes, "%lld", (long long)c->bytes);
    snprintf(r->segments, sizeof r->segments, "%d", segments);
    o->collective = c->collective;
    o->algorithm = c->algorithm;
    o->bytes = r->bytes;
    o->view = o->view != NULL ? o->view : "time";
    o->schedule.layout = c->layout;
    if (c->root >= 0)
        o->schedule.root = r->root;
    if (segments > 0)
        o->schedule.segments = r->segments;
    if (o->schedule.where.machine == NULL && o->schedule.where.groups == NULL &&
        o->schedule.where.dims == NULL)
        o->schedule.where.ranks = r->ranks;
    return 0;
}

int bine_explore_recorded_read(struct bine_explore_recorded *r, struct bine_explore_options *o) {
    int rc = bine_timeline_read(o->timeline, &r->timeline);
    if (rc != 0)
        return rc;
    if (o->collective != NULL || o->against != NULL)
        return bine_complain("--timeline: expected no COLLECTIVE and no --against: the call says");
    if (o->call >= (int)r->timeline.calls)
        return bine_complain("--call %d: there are %zu, from 0", o->call, r->timeline.calls);
    r->call = &r->timeline.call[o->call];
    if (r->call->algorithm == NULL || r->call->layout == NULL || r->call->bytes < 0)
        return bine_complain("--call %d: nothing is known of its steps; expected a call by Bine "
                             "(see 'bine timeline %s')",
                             o->call, o->timeline);
    if (r->call->cut || (int64_t)r->call->parts < r->call->ranks)
        return bine_complain("--call %d: not all of its ranks and events are recorded", o->call);
    return set_words(r, o);
}

void bine_explore_recorded_free(struct bine_explore_recorded *r) {
    bine_timeline_free(&r->timeline);
}

/* --- Messages. Both ends of one have its ranks, strand and step; it may go in several parts. */

struct message {
    int64_t from, to, strand, step;
    double left, arrived;
};

/* The rank in the communicator, or -1. */
static int64_t place_of(const struct bine_timeline_call *c, int64_t rank) {
    for (size_t i = 0; i < c->parts; i++)
        if (c->part[i].rank == rank)
            return c->part[i].place;
    return -1;
}

static int by_ends(const void *one, const void *other) {
    const struct message *a = one, *b = other;
    const int64_t x[] = {a->from, a->to, a->strand, a->step},
                  y[] = {b->from, b->to, b->strand, b->step};
    for (int i = 0; i < 4; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

/* The ends of all messages; times since the last rank came, in which nothing is earlier. */
static size_t list_ends(const struct bine_explore_recorded *r, struct message *to) {
    const struct bine_timeline *t = &r->timeline;
    double came = bine_timeline_sums(r->call).came;
    size_t n = 0;
    for (size_t i = 0; i < t->spans; i++) {
        const struct bine_timeline_span *s = &t->span[i];
        int sends = s->kind == BINE_TIMELINE_SEND;
        if (s->call != r->call->number || (!sends && s->kind != BINE_TIMELINE_RECEIVE))
            continue;
        int64_t here = place_of(r->call, s->rank), there = place_of(r->call, s->peer);
        to[n++] = (struct message){sends ? here : there,
                                   sends ? there : here,
                                   s->strand,
                                   s->step,
                                   sends ? fmax(0, s->begin - came) : HUGE_VAL,
                                   sends ? -1 : fmax(0, s->end - came)};
    }
    return n;
}

/* The parts of one, and its ends, stand beside each other then. */
static size_t join(struct message *m, size_t n) {
    size_t joined = 0;
    qsort(m, n, sizeof *m, by_ends);
    for (size_t i = 0; i < n; i++) {
        struct message *last = joined > 0 ? &m[joined - 1] : NULL;
        if (last == NULL || by_ends(last, &m[i]) != 0) {
            m[joined++] = m[i];
            continue;
        }
        last->left = fmin(last->left, m[i].left);
        last->arrived = fmax(last->arrived, m[i].arrived);
    }
    return joined;
}

int bine_explore_recorded_add(cJSON *to, const struct bine_explore_recorded *r) {
    struct message *m = malloc((r->timeline.spans + 1) * sizeof *m);
    cJSON *recorded = cJSON_AddObjectToObject(to, "recorded");
    cJSON *list = recorded != NULL ? cJSON_AddArrayToObject(recorded, "messages") : NULL;
    int rc = m != NULL && list != NULL ? 0 : -1;
    size_t n = rc == 0 ? join(m, list_ends(r, m)) : 0;
    if (rc == 0 &&
        (cJSON_AddStringToObject(to, "measured", "yes") == NULL ||
         cJSON_AddNumberToObject(recorded, "seconds", bine_timeline_sums(r->call).seconds) == NULL))
        rc = -1;
    for (size_t i = 0; i < n && rc == 0; i++) {
        if (isinf(m[i].left) || m[i].arrived < 0) /* one end alone */
            continue;
        const double x[] = {(double)m[i].from, (double)m[i].to, (double)m[i].strand,
                            (double)m[i].step, m[i].left,       m[i].arrived};
        cJSON *one = cJSON_CreateDoubleArray(x, 6);
        if (one == NULL || !cJSON_AddItemToArray(list, one))
            rc = -1;
    }
    free(m);
    return rc;
}
