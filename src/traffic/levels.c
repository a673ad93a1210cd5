#include "traffic/levels.h"

#include <stdlib.h>

/* The sets of one level while bytes are counted. */
struct level {
    struct bine_sets sets;
    int number;
    int64_t bytes;
    int64_t *out, *in; /* of each set */
    int64_t *pair;     /* [from * sets + to], at the outermost level, else NULL */
};

struct levels {
    int count;
    struct level level[BINE_TRAFFIC_LEVELS_MOST];
};

/* Nodes on which several ranks are, with others; 0 if every rank has a node of its own, -1 when
 * out of memory. */
static int shared_nodes(const struct bine_allocation *a) {
    int most, nodes = a->inner != NULL ? bine_allocation_nodes(a, &most) : 0;
    return nodes == a->p ? 0 : nodes;
}

static void close_levels(struct levels *x) {
    for (int k = 0; k < x->count; k++)
        free(x->level[k].out);
}

/* 0 when out of memory. */
static int open_levels(struct levels *x, const struct bine_allocation *a) {
    int nodes = shared_nodes(a);
    *x = (struct levels){0};
    if (nodes != 0)
        x->level[x->count++] = (struct level){.sets = {a->inner, a->p, nodes}};
    x->level[x->count++] =
        (struct level){.sets = {a->group, a->p, bine_allocation_groups(a)}, .number = 1};
    for (int k = 0; k < a->wider; k++)
        x->level[x->count++] =
            (struct level){.sets = {a->outer[k].group, a->p, a->outer[k].names.count},
                           .number = a->outer[k].level};
    for (int k = 0; k < x->count; k++) {
        struct level *l = &x->level[k];
        size_t n = (size_t)l->sets.count, pairs = k + 1 == x->count ? n * n : 0;
        if (l->sets.count < 0 || (l->out = calloc(2 * n + pairs, sizeof *l->out)) == NULL)
            return 0;
        l->in = l->out + n;
        l->pair = pairs > 0 ? l->in + n : NULL;
    }
    return 1;
}

static void add(void *self, int from, int to, int64_t bytes) {
    struct levels *x = self;
    for (int k = 0; k < x->count; k++) {
        struct level *l = &x->level[k];
        int a = bine_set_of(&l->sets, from), b = bine_set_of(&l->sets, to);
        if (a == b)
            break; /* and so at all levels around it */
        l->bytes += bytes;
        l->out[a] += bytes;
        l->in[b] += bytes;
        if (l->pair != NULL)
            l->pair[(size_t)a * (size_t)l->sets.count + (size_t)b] += bytes;
    }
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static struct bine_busiest busiest_of(const struct level *l) {
    struct bine_busiest b = {0, l->pair == NULL ? -1 : 0};
    size_t n = (size_t)l->sets.count;
    for (size_t i = 0; i < n; i++)
        b.uplink = larger(b.uplink, larger(l->out[i], l->in[i]));
    for (size_t i = 0; l->pair != NULL && i < n * n; i++)
        b.pair = larger(b.pair, l->pair[i]);
    return b;
}

/* The load of one set of the next level on the uplinks of the sets inside it. */
struct around {
    int64_t inside, bytes; /* sets of this level; blocks of its ranks */
};

/* The mean uplink inside the sets of the next level, at most; -1 when out of memory. */
static int64_t mean_inside(const struct level *l, const struct level *next, int64_t bytes,
                           int doubled) {
    struct bine_block_bytes cut = bine_block_bytes_of(bytes, l->sets.p);
    struct around *x = calloc((size_t)next->sets.count, sizeof *x);
    char *seen = calloc((size_t)l->sets.count, 1);
    int64_t most = x == NULL || seen == NULL ? -1 : 0;
    for (int r = 0; r < l->sets.p && most == 0; r++) {
        struct around *a = &x[bine_set_of(&next->sets, r)];
        char *s = &seen[bine_set_of(&l->sets, r)];
        a->inside += !*s;
        *s = 1;
        a->bytes += bine_bytes_of_block(&cut, r);
    }
    for (int i = 0; i < next->sets.count && most >= 0; i++) {
        int64_t m = x[i].inside, out = next->sets.count < 2 ? 0 : doubled ? bytes : x[i].bytes;
        int64_t all = (doubled ? 2 : 1) * (m - 1) * bytes + out;
        most = larger(most, (all + m - 1) / m);
    }
    free(x);
    free(seen);
    return most;
}

/* -1 when out of memory. */
static int find_bound(const struct levels *x, int k, enum bine_collective c, int64_t bytes,
                      int root, struct bine_level_traffic *out) {
    const struct level *l = &x->level[k];
    enum bine_collective kind = bine_collective_kind(c);
    int doubled = kind == BINE_ALLREDUCE;
    out->least = bine_traffic_sets_bound(c, bytes, root, &l->sets);
    if (out->least < 0 || bine_busiest_sets_bound(c, bytes, root, &l->sets, &out->bound) != 0)
        return -1;
    if (l->pair != NULL)
        return 0;
    out->bound.pair = -1;
    if (kind != BINE_ALLGATHER && kind != BINE_REDUCE_SCATTER && !doubled)
        return 0;
    int64_t mean = mean_inside(l, &x->level[k + 1], bytes, doubled);
    out->bound.uplink = larger(out->bound.uplink, mean);
    return mean < 0 ? -1 : 0;
}

enum bine_flow_result bine_traffic_levels(const struct bine_spec *spec, int64_t bytes,
                                          const struct bine_allocation *a,
                                          struct bine_level_traffic *out, int *count) {
    struct levels x;
    struct bine_flow_sink sink = {add, &x};
    enum bine_flow_result rc =
        open_levels(&x, a) ? bine_flows(spec, bytes, BINE_FLOWS_BEST, &sink) : BINE_FLOWS_NO_MEMORY;
    for (int k = 0; k < x.count && rc == BINE_FLOWS_GOOD; k++) {
        const struct level *l = &x.level[k];
        out[k] = (struct bine_level_traffic){.level = l->number,
                                             .groups = l->sets.count,
                                             .bytes = l->bytes,
                                             .busiest = busiest_of(l)};
        if (find_bound(&x, k, spec->algorithm->collective, bytes, spec->root, &out[k]) != 0)
            rc = BINE_FLOWS_NO_MEMORY;
    }
    *count = x.count;
    close_levels(&x);
    return rc;
}
