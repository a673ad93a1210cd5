#include "traffic/traffic.h"

#include <stdlib.h>

struct counter {
    struct bine_traffic *traffic;
    const struct bine_allocation *allocation;
};

static void count_sums(void *self, int from, int to, int64_t bytes) {
    struct counter *c = self;
    const int32_t *group = c->allocation->group;
    c->traffic->total += bytes;
    c->traffic->global += group[from] != group[to] ? bytes : 0;
}

/* Likewise where several ranks are on a node. */
static void count_nodes(void *self, int from, int to, int64_t bytes) {
    struct counter *c = self;
    const int32_t *node = c->allocation->inner;
    count_sums(self, from, to, bytes);
    c->traffic->nodes += node[from] != node[to] ? bytes : 0;
}

static void count_all(void *self, int from, int to, int64_t bytes) {
    struct counter *c = self;
    struct bine_traffic *t = c->traffic;
    const struct bine_allocation *a = c->allocation;
    size_t groups = (size_t)bine_allocation_groups(a);
    if (a->inner != NULL)
        count_nodes(self, from, to, bytes);
    else
        count_sums(self, from, to, bytes);
    if (t->pair != NULL)
        t->pair[(size_t)a->group[from] * groups + (size_t)a->group[to]] += bytes;
    if (t->links != NULL)
        bine_link_loads_add(t->links, a->node[from], a->node[to], bytes);
}

static int open(struct bine_traffic *t, const struct bine_allocation *a,
                const struct bine_traffic_options *options) {
    size_t groups = (size_t)bine_allocation_groups(a);
    *t = (struct bine_traffic){0};
    if (options->pairs && (t->pair = calloc(groups * groups, sizeof *t->pair)) == NULL)
        return -1;
    if (!options->links || a->node == NULL)
        return 0;
    t->links = calloc(1, sizeof *t->links);
    return t->links == NULL ? -1 : bine_link_loads_open(t->links, &a->shape);
}

enum bine_flow_result bine_traffic_count(struct bine_traffic *t, const struct bine_spec *spec,
                                         int64_t bytes, const struct bine_allocation *a,
                                         const struct bine_traffic_options *options) {
    struct counter c = {t, a};
    enum bine_flow_result rc = BINE_FLOWS_NO_MEMORY;
    if (open(t, a, options) == 0) {
        int more = t->pair != NULL || t->links != NULL;
        struct bine_flow_sink sink = {more               ? count_all
                                      : a->inner != NULL ? count_nodes
                                                         : count_sums,
                                      &c};
        rc = bine_flows(spec, bytes, options->method, &sink);
    }
    if (rc == BINE_FLOWS_GOOD && a->inner == NULL)
        t->nodes = t->total;
    if (rc != BINE_FLOWS_GOOD)
        bine_traffic_free(t);
    return rc;
}

void bine_traffic_free(struct bine_traffic *t) {
    free(t->pair);
    if (t->links != NULL)
        bine_link_loads_close(t->links);
    free(t->links);
    t->pair = NULL;
    t->links = NULL;
}

/* The blocks of the ranks outside a set. */
static int64_t outside(const struct bine_sets *s, const struct bine_block_bytes *cut, int set) {
    int64_t bytes = 0;
    for (int r = 0; r < s->p; r++)
        bytes += bine_set_of(s, r) != set ? bine_bytes_of_block(cut, r) : 0;
    return bytes;
}

/* Every rank sends all its blocks but the ones for its own set; -1 when out of memory. Numbers of
 * sets are below p. */
static int64_t between(const struct bine_sets *s, const struct bine_block_bytes *cut,
                       int64_t bytes) {
    int64_t *inside = calloc((size_t)s->p, sizeof *inside), sum = 0;
    if (inside == NULL)
        return -1;
    for (int r = 0; r < s->p; r++)
        inside[bine_set_of(s, r)] += bine_bytes_of_block(cut, r);
    for (int r = 0; r < s->p; r++)
        sum += bytes - inside[bine_set_of(s, r)];
    free(inside);
    return sum;
}

int64_t bine_traffic_sets_bound(enum bine_collective c, int64_t bytes, int root,
                                const struct bine_sets *s) {
    struct bine_block_bytes cut = bine_block_bytes_of(bytes, s->p);
    int64_t others = s->count - 1;
    switch (bine_collective_kind(c)) {
    case BINE_ALLREDUCE:
        return 2 * bytes * others;
    case BINE_GATHER:
    case BINE_SCATTER:
        return outside(s, &cut, bine_set_of(s, root));
    case BINE_ALLTOALL:
        return between(s, &cut, bytes);
    case BINE_BARRIER:
        return 0;
    default:
        return bytes * others;
    }
}

int64_t bine_traffic_bound(enum bine_collective c, int64_t bytes, int root,
                           const struct bine_allocation *a) {
    struct bine_sets groups = {a->group, a->p, bine_allocation_groups(a)};
    return bine_traffic_sets_bound(c, bytes, root, &groups);
}

int64_t bine_traffic_node_bound(enum bine_collective c, int64_t bytes, int root,
                                const struct bine_allocation *a) {
    int most;
    struct bine_sets nodes = {a->inner, a->p, bine_allocation_nodes(a, &most)};
    return nodes.count < 0 ? -1 : bine_traffic_sets_bound(c, bytes, root, &nodes);
}

int64_t bine_traffic_most_bytes(int p) {
    return INT64_MAX / p / 64; /* an alltoall's n goes once a step from every rank, at most */
}

int64_t bine_traffic_saving(int64_t bytes, int64_t baseline) {
    int64_t less = baseline - bytes;
    if (baseline == 0)
        return 0;
    /* Beyond this, multiply after dividing: the remainder keeps it exact. */
    if (less > INT64_MAX / 10000 || less < INT64_MIN / 10000)
        return less / baseline * 10000 +
               (int64_t)((long double)(less % baseline) * 10000.0L / (long double)baseline);
    return less * 10000 / baseline;
}
