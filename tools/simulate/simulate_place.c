/* Where the simulated ranks are: the machine, the hosts, the links between them. */
#include "cli/command.h"
#include "cli/options/hosts_option.h"
#include "cli/options/machines.h"
#include "simulate/simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int way(const void *self, int from, int to, size_t *route, double *latency) {
    const struct bine_simulate_place *p = self;
    *latency = bine_links_latency(&p->links, from, to);
    return bine_links_route(&p->links, from, to, route);
}

static const char *host(const void *self, int node) {
    const struct bine_simulate_place *p = self;
    static char text[32];
    for (int r = 0; r < p->hosts.p; r++)
        if (p->links.node[r] == node)
            return bine_hosts_text(&p->hosts, r);
    snprintf(text, sizeof text, "node%d", node);
    return text;
}

static void describe(struct bine_simulate_place *p, const struct bine_simulate_wish *w) {
    const struct bine_rates *r = &p->links.rates;
    p->network = (struct bine_simgrid_network){.ranks = p->links.p,
                                               .nodes = p->links.nodes,
                                               .node = p->links.node,
                                               .links = p->links.count,
                                               .rate = p->links.rate,
                                               .torus = p->links.torus != NULL,
                                               .route = way,
                                               .self = p,
                                               .longest = BINE_ROUTE_MOST,
                                               .message = r->message,
                                               .copy = r->copy,
                                               .reduce = r->reduce,
                                               .cache = r->cache,
                                               .cache_bytes = r->cache_bytes,
                                               .wide = p->links.core,
                                               .eager = r->eager,
                                               .early = w->early,
                                               .memory = r->latency_node,
                                               .host = host};
}

/* The job as words say it, hosts that were drawn included. */
static int place(struct bine_simulate_place *p, const struct bine_simulate_wish *w) {
    struct bine_place_words words = w->where;
    char *drawn = NULL;
    int rc = w->draw.nodes == NULL ? 0 : bine_simulate_draw(&w->draw, p->machine, &drawn);
    if (drawn != NULL)
        words.hosts = drawn;
    if (rc == 0)
        rc = bine_place_job(&words, &p->allocation, NULL);
    if (rc == 0 && words.hosts != NULL && p->machine->topology != BINE_ADDRESSES)
        rc = bine_word_hosts(words.hosts, &p->hosts);
    struct bine_reason why;
    if (rc == 0 && words.per_node > 0 && p->hosts.p > 0 &&
        bine_hosts_fill(&p->hosts, words.per_node, BINE_RANKS_MOST, &why) != 0)
        rc = bine_complain("%s", why.text);
    free(drawn);
    return rc;
}

int bine_simulate_settle(struct bine_simulate_place *p, const struct bine_simulate_wish *w) {
    *p = (struct bine_simulate_place){0};
    p->machine = bine_machine_load(w->where.machine, w->where.level);
    if (p->machine == NULL)
        return BINE_EXIT_USAGE;
    if (place(p, w) != 0)
        return BINE_EXIT_USAGE;
    p->known.p = p->allocation.p;
    /* On a torus of --dims there are no groups: the library is not told of any either. */
    if (w->where.dims == NULL)
        p->known.groups = bine_allocation_levels(&p->allocation);
    if ((w->where.dims == NULL && p->known.groups == NULL) ||
        bine_place_dims(&w->where, &p->allocation, &p->known.dims) != 0 ||
        bine_links_make(&p->links, &p->allocation, p->machine) != 0)
        return bine_complain("out of memory");
    if (w->root >= p->allocation.p)
        return bine_complain("-r %d: there are only %d ranks", w->root, p->allocation.p);
    if (w->busy > 0)
        bine_links_set_busy(&p->links, w->busy);
    p->known.node = p->links.node;
    describe(p, w);
    return 0;
}

void bine_simulate_leave(struct bine_simulate_place *p) {
    bine_place_free(&p->known);
    bine_links_free(&p->links);
    bine_hosts_free(&p->hosts);
    bine_allocation_free(&p->allocation);
    bine_machine_free(p->machine);
}
