#include "model/links.h"

#include "base/numbers.h"

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

/* Links between groups: of pairs, or up and down. */
static size_t count_between(int groups, int by_pairs) {
    return by_pairs ? (size_t)groups * (size_t)groups : 2 * (size_t)groups;
}

static size_t count_across(const struct bine_links *l) {
    if (l->torus != NULL)
        return (size_t)bine_shape_nodes(&l->shape) * (size_t)l->shape.dims * 2;
    return count_between(l->groups, l->by_pairs);
}

/* What the machine says of a level of larger groups, or NULL. */
static const struct bine_wider *described(const struct bine_machine *m, int level) {
    return m != NULL && level - 2 < m->wider && m->topology != BINE_ADDRESSES ? &m->above[level - 2]
                                                                              : NULL;
}

/* The rate of the links between larger groups: as described, or what the groups inside have
 * together over the taper. `inside` is the rate of one of these, of which there are `groups`. */
static double level_rate(const struct bine_links_level *x, const struct bine_wider *w,
                         const struct bine_machine *m, double inside, int groups) {
    if (x->by_pairs)
        return w->rates.pair;
    if (w != NULL && w->rates.uplink > 0)
        return w->rates.uplink;
    double taper = w != NULL && w->oversubscription > 0       ? w->oversubscription
                   : m != NULL && bine_rates_known(&m->rates) ? 1
                                                              : BINE_ASSUMED_TAPER;
    double each = w != NULL && w->groups.count > 0 && m->wider > 0
                      ? (double)(w == m->above ? m->groups.count : w[-1].groups.count) /
                            (double)w->groups.count
                      : (double)groups / (double)x->groups;
    return inside * each / taper;
}

/* The levels of larger groups; 0, or -1 when out of memory. */
static int add_levels(struct bine_links *l, const struct bine_allocation *a,
                      const struct bine_machine *m) {
    double latency = l->rates.latency_far;
    for (int k = 0; k < a->wider; k++) {
        const struct bine_wider *w = described(m, a->outer[k].level);
        struct bine_links_level *x = &l->level[k];
        *x = (struct bine_links_level){.groups = a->outer[k].names.count,
                                       .names = &a->outer[k].names,
                                       .first = l->count,
                                       .by_pairs = w != NULL && w->rates.pair > 0};
        x->group = malloc((size_t)a->p * sizeof *x->group);
        l->wider = k + 1;
        if (x->group == NULL)
            return -1;
        memcpy(x->group, a->outer[k].group, (size_t)a->p * sizeof *x->group);
        latency = w != NULL && w->rates.latency_far > 0
                      ? w->rates.latency_far
                      : latency + (l->rates.latency_far - l->rates.latency_near);
        x->latency = latency;
        l->count += count_between(x->groups, x->by_pairs);
    }
    return 0;
}

/* The rates of their links. */
static void set_level_rates(struct bine_links *l, const struct bine_allocation *a,
                            const struct bine_machine *m, double inside) {
    int groups = l->groups;
    if (l->by_pairs) /* the uplinks that its nodes would have */
        inside = l->rates.node * (double)l->nodes / (double)l->groups;
    for (int k = 0; k < l->wider; k++) {
        const struct bine_links_level *x = &l->level[k];
        inside = level_rate(x, described(m, a->outer[k].level), m, inside, groups);
        groups = x->groups;
        for (size_t i = x->first; i < x->first + count_between(x->groups, x->by_pairs); i++)
            l->rate[i] = inside * l->rates.busy;
    }
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
    if (add_levels(l, a, m) != 0) {
        bine_links_free(l);
        return -1;
    }
    l->rate = malloc(2 * l->count * sizeof *l->rate);
    if (l->rate == NULL) {
        bine_links_free(l);
        return -1;
    }
    double across = l->torus != NULL ? l->rates.link
                    : l->by_pairs    ? l->rates.pair
                                     : uplink_rate(l, m);
    l->takes = l->rate + l->count;
    for (size_t i = 0; i < l->count; i++)
        l->rate[i] = i < l->memory   ? l->rates.node
                     : i < l->core   ? l->rates.memory
                     : i < l->across ? l->rates.copy
                                     : across * l->rates.busy;
    set_level_rates(l, a, m, across);
    for (size_t i = 0; i < l->count; i++)
        l->takes[i] = 1 / l->rate[i];
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
    for (int k = 0; k < l->wider; k++)
        free(l->level[k].group);
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

/* The outermost level at which two ranks are in different groups: 0 the groups, k the larger ones
 * of level[k - 1]. They are in different groups. */
static int level_apart(const struct bine_links *l, int from, int to) {
    int k = l->wider;
    while (k > 0 && l->level[k - 1].group[from] == l->level[k - 1].group[to])
        k--;
    return k;
}

/* Between two groups: up to the level at which the ways part, across, and down. */
static void add_between(struct path *p, int from, int to) {
    const struct bine_links *l = p->links;
    int top = level_apart(l, from, to);
    for (int turn = 0; turn < 2 * top + 2; turn++) {
        int up = turn <= top, k = up ? turn : 2 * top + 1 - turn, rank = up ? from : to;
        const struct bine_links_level *x = k > 0 ? &l->level[k - 1] : NULL;
        const int32_t *group = x != NULL ? x->group : l->group;
        int groups = x != NULL ? x->groups : l->groups;
        size_t first = x != NULL ? x->first - l->across : 0;
        if (!(x != NULL ? x->by_pairs : l->by_pairs))
            add_link(p, first + 2 * (size_t)group[rank] + !up);
        else if (k == top && up)
            add_link(p, first + (size_t)group[from] * (size_t)groups + (size_t)group[to]);
    }
}

int bine_links_route(const struct bine_links *l, int from, int to, size_t route[BINE_ROUTE_MOST]) {
    struct path p = {l, route, 0};
    size_t end[2];
    bine_links_ends(l, from, to, end);
    route[p.count++] = end[0];
    if (l->torus != NULL && l->node[from] != l->node[to])
        bine_torus_route(&l->shape, l->torus[from], l->torus[to], add_link, &p);
    else if (l->node[from] != l->node[to] && l->group[from] != l->group[to])
        add_between(&p, from, to);
    route[p.count++] = end[1];
    return p.count;
}

double bine_links_latency(const struct bine_links *l, int from, int to) {
    if (l->node[from] == l->node[to])
        return l->rates.latency_node;
    if (l->torus != NULL)
        return l->rates.latency_near +
               l->rates.hop * (bine_torus_hops(&l->shape, l->torus[from], l->torus[to]) - 1);
    if (l->group[from] == l->group[to])
        return l->rates.latency_near;
    int k = level_apart(l, from, to);
    return k > 0 ? l->level[k - 1].latency : l->rates.latency_far;
}

static double burst_of(const struct bine_links *l, size_t link) {
    return link < l->memory ? l->rates.nic_burst : link < l->across ? 0 : l->rates.uplink_burst;
}

void bine_links_begin(const struct bine_links *l, double idle, double *free_at) {
    for (size_t i = 0; i < l->count; i++)
        free_at[i] = bine_max(0, burst_of(l, i) * l->takes[i] - idle);
}

struct bine_passed bine_links_pass(const struct bine_links *l, size_t link, double *free_at,
                                   double at, double bytes) {
    double takes = bytes * l->takes[link];
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

/* A link between groups, number i of its level. */
static void put_between(const struct bine_names *names, int by_pairs, size_t i,
                        char text[BINE_LINK_TEXT]) {
    size_t groups = (size_t)names->count;
    if (by_pairs)
        snprintf(text, BINE_LINK_TEXT, "%.40s to %.40s", bine_names_text(names, (int)(i / groups)),
                 bine_names_text(names, (int)(i % groups)));
    else
        snprintf(text, BINE_LINK_TEXT, "%s %.60s", i % 2 == 0 ? "up from" : "down to",
                 bine_names_text(names, (int)(i / 2)));
}

const char *bine_links_text(const struct bine_links *l, size_t link, char text[BINE_LINK_TEXT]) {
    size_t i = link - l->across;
    int k = l->wider;
    while (k > 0 && link < l->level[k - 1].first)
        k--;
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
    else if (k > 0)
        put_between(l->level[k - 1].names, l->level[k - 1].by_pairs, link - l->level[k - 1].first,
                    text);
    else
        put_between(l->names, l->by_pairs, i, text);
    return text;
}
