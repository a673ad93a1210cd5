#include "model/links.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The node of each rank: the level nested in its group, a node of the torus, or one of its own. */
static int number_nodes(struct bine_links *l, const struct bine_allocation *a) {
    struct bine_names seen = {0};
    char name[64];
    for (int r = 0; r < a->p; r++) {
        if (a->node != NULL)
            snprintf(name, sizeof name, "%d", (int)a->node[r]);
        else if (a->inner != NULL)
            snprintf(name, sizeof name, "%d/%d", (int)a->group[r], (int)a->inner[r]);
        else
            snprintf(name, sizeof name, "%d", r);
        l->node[r] = bine_names_add(&seen, name, strlen(name));
        if (l->node[r] < 0)
            break;
        l->nodes = seen.count;
    }
    int good = a->p > 0 && l->node[a->p - 1] >= 0;
    bine_names_free(&seen);
    return good ? 0 : -1;
}

static void set_rates(struct bine_links *l, const struct bine_machine *m) {
    if (m != NULL) {
        l->rates = m->rates;
        l->rates.node = (m->nics > 0 ? (double)m->nics : 1) * m->nic_gbits * 1e9 / 8;
    }
    bine_rates_default(&l->rates);
}

/* Nodes of a group of the machine, including other jobs' nodes. */
static double group_nodes(const struct bine_machine *m) {
    long groups = bine_machine_groups(m), nodes = bine_machine_nodes(m);
    return groups > 0 && nodes > 0 ? (double)nodes / (double)groups : 1;
}

static double taper_of(const struct bine_machine *m) {
    if (m != NULL && m->oversubscription > 0)
        return m->oversubscription;
    return m != NULL && bine_rates_known(&m->rates) ? 1 : BINE_ASSUMED_TAPER;
}

/* Of a machine that lists its nodes, those of all jobs; else those of this one. */
static double uplink_rate(const struct bine_links *l, const struct bine_machine *m) {
    if (l->rates.uplink > 0)
        return l->rates.uplink;
    if (m == NULL || !bine_rates_known(&m->rates))
        return l->rates.node * (double)l->nodes / (double)l->groups / taper_of(m);
    return l->rates.node * group_nodes(m) / taper_of(m);
}

static size_t count_across(const struct bine_links *l) {
    if (l->torus != NULL)
        return (size_t)bine_shape_nodes(&l->shape) * (size_t)l->shape.dims * 2;
    return l->by_pairs ? (size_t)l->groups * (size_t)l->groups : 2 * (size_t)l->groups;
}

int bine_links_make(struct bine_links *l, const struct bine_allocation *a,
                    const struct bine_machine *m) {
    size_t p = (size_t)a->p;
    *l = (struct bine_links){.p = a->p, .groups = bine_allocation_groups(a), .names = &a->names};
    l->node = malloc(p * sizeof *l->node);
    l->group = malloc(p * sizeof *l->group);
    if (l->node == NULL || l->group == NULL || number_nodes(l, a) != 0) {
        bine_links_free(l);
        return -1;
    }
    memcpy(l->group, a->group, p * sizeof *l->group);
    l->shape = a->shape;
    l->torus = a->shape.dims > 0 ? a->node : NULL;
    set_rates(l, m);
    l->by_pairs = l->rates.pair > 0;
    l->memory = 2 * (size_t)l->nodes;
    l->core = 3 * (size_t)l->nodes;
    l->across = l->core + 1;
    l->count = l->across + count_across(l);
    l->rate = malloc(2 * l->count * sizeof *l->rate);
    if (l->rate == NULL) {
        bine_links_free(l);
        return -1;
    }
    double across = l->torus != NULL ? l->rates.link
                    : l->by_pairs    ? l->rates.pair
                                     : uplink_rate(l, m);
    across *= l->rates.busy;
    l->takes = l->rate + l->count;
    for (size_t i = 0; i < l->count; i++) {
        l->rate[i] = i < l->memory   ? l->rates.node
                     : i < l->core   ? l->rates.memory
                     : i < l->across ? l->rates.copy
                                     : across;
        l->takes[i] = 1 / l->rate[i];
    }
    return 0;
}

void bine_links_set_busy(struct bine_links *l, double share) {
    for (size_t i = l->across; i < l->count; i++) {
        l->rate[i] *= share / l->rates.busy;
        l->takes[i] = 1 / l->rate[i];
    }
    l->rates.busy = share;
}

void bine_links_free(struct bine_links *l) {
    free(l->node);
    free(l->group);
    free(l->rate);
    *l = (struct bine_links){0};
}

struct path {
    const struct bine_links *links;
    size_t *route;
    int count;
};

static void add_link(void *self, size_t link) {
    struct path *p = self;
    if (p->count < BINE_ROUTE_MOST - 1)
        p->route[p->count++] = p->links->across + link;
}

void bine_links_ends(const struct bine_links *l, int from, int to, size_t end[2]) {
    size_t a = (size_t)l->node[from], b = (size_t)l->node[to];
    end[0] = a == b ? l->core : 2 * a;
    end[1] = a == b ? l->memory + a : 2 * b + 1;
}

int bine_links_route(const struct bine_links *l, int from, int to, size_t route[BINE_ROUTE_MOST]) {
    struct path p = {l, route, 0};
    size_t a = (size_t)l->group[from], b = (size_t)l->group[to], end[2];
    bine_links_ends(l, from, to, end);
    route[p.count++] = end[0];
    if (l->node[from] == l->node[to])
        a = b;
    else if (l->torus != NULL)
        bine_torus_route(&l->shape, l->torus[from], l->torus[to], add_link, &p);
    if (l->torus == NULL && a != b && l->by_pairs)
        add_link(&p, a * (size_t)l->groups + b);
    else if (l->torus == NULL && a != b) {
        add_link(&p, 2 * a);
        add_link(&p, 2 * b + 1);
    }
    route[p.count++] = end[1];
    return p.count;
}

double bine_links_latency(const struct bine_links *l, int from, int to) {
    if (l->node[from] == l->node[to])
        return l->rates.latency_node;
    if (l->torus != NULL)
        return l->rates.latency_near +
               l->rates.hop * (bine_torus_hops(&l->shape, l->torus[from], l->torus[to]) - 1);
    return l->group[from] == l->group[to] ? l->rates.latency_near : l->rates.latency_far;
}

static double burst_of(const struct bine_links *l, size_t link) {
    return link < l->memory ? l->rates.nic_burst : link < l->across ? 0 : l->rates.uplink_burst;
}

void bine_links_begin(const struct bine_links *l, double *free_at) {
    for (size_t i = 0; i < l->count; i++)
        free_at[i] = burst_of(l, i) * l->takes[i];
}

struct bine_passed bine_links_pass(const struct bine_links *l, size_t link, double *free_at,
                                   double at, double bytes) {
    double takes = (bytes + l->rates.headers) * l->takes[link];
    if (link == l->core)
        return (struct bine_passed){0, at, at + takes};
    double begin = *free_at > at ? *free_at : at, ahead = burst_of(l, link) * l->takes[link];
    struct bine_passed x = {takes, begin - ahead, begin + takes - ahead};
    *free_at = begin + takes;
    x.begins = x.begins > at ? x.begins : at;
    x.ends = x.ends > at ? x.ends : at;
    return x;
}

static int rank_on(const struct bine_links *l, size_t node) {
    int r = 0;
    while (r < l->p && (size_t)l->node[r] != node)
        r++;
    return r;
}

const char *bine_links_text(const struct bine_links *l, size_t link, char text[BINE_LINK_TEXT]) {
    size_t i = link - l->across;
    if (link < l->memory)
        snprintf(text, BINE_LINK_TEXT, "%s the node of rank %d", link % 2 == 0 ? "out of" : "into",
                 rank_on(l, link / 2));
    else if (link == l->core)
        snprintf(text, BINE_LINK_TEXT, "one rank's copying");
    else if (link < l->across)
        snprintf(text, BINE_LINK_TEXT, "memory of the node of rank %d",
                 rank_on(l, link - l->memory));
    else if (l->torus != NULL)
        snprintf(text, BINE_LINK_TEXT, "torus node %zu, dimension %zu, %s",
                 i / 2 / (size_t)l->shape.dims, i / 2 % (size_t)l->shape.dims,
                 i % 2 == 0 ? "up" : "down");
    else if (l->by_pairs)
        snprintf(text, BINE_LINK_TEXT, "%.40s to %.40s",
                 bine_names_text(l->names, (int)(i / (size_t)l->groups)),
                 bine_names_text(l->names, (int)(i % (size_t)l->groups)));
    else
        snprintf(text, BINE_LINK_TEXT, "%s %.60s", i % 2 == 0 ? "up from" : "down to",
                 bine_names_text(l->names, (int)(i / 2)));
    return text;
}
