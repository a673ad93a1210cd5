/* The links between the ranks of a job: what a message passes on its way, and how fast each is.
 *
 *     same node                     one rank's copying, the node's memory
 *     same group                    out of the node, into the node
 *     other group, uplinks          out of the node, up, down, into the node
 *     other group, pairs            out of the node, from group to group, into the node
 *     other larger group            the same, with the links up and down of each level, or, at the
 *                                   outermost one that the two differ in, that of the pair
 *     torus                         out of the node, the links of the route, into the node
 *
 * Each is one way. Inside a group, and at the top, nothing congests. A rank's copying is a wide
 * link: it takes a message as long as one rank copies it, whatever others there are, and what
 * congests is the memory that all ranks of a node share. */
#ifndef BINE_MODEL_LINKS_H
#define BINE_MODEL_LINKS_H

#include "network/allocation.h"
#include "network/rates.h"

#include <stddef.h>

/* The links between larger groups of one level. */
struct bine_links_level {
    int groups;
    int32_t *group;                 /* of each rank */
    size_t first;                   /* of its links */
    double latency;                 /* between its groups */
    int by_pairs;                   /* the links are of pairs */
    const struct bine_names *names; /* of its groups */
};

struct bine_links {
    int p, nodes, groups;
    int32_t *node;  /* of each rank */
    int32_t *group; /* of each rank */
    struct bine_shape shape;
    int32_t *torus; /* the torus node of each rank, or NULL */
    struct bine_rates rates;
    size_t count;
    size_t memory, core, across;    /* the first link of node memories; that of one rank's copying;
                                       the first of those between groups */
    double *rate;                   /* of each link, bytes a second, */
    double *takes;                  /* and seconds a byte */
    int by_pairs;                   /* links between groups are of pairs */
    const struct bine_names *names; /* of the groups */
    int wider;                      /* levels of larger groups */
    struct bine_links_level level[BINE_WIDER_MOST];
};

/* The ranks of an allocation on a machine (NULL: with usual rates, and BINE_ASSUMED_TAPER). The
 * allocation must outlive it. 0, or -1 when out of memory. */
int bine_links_make(struct bine_links *l, const struct bine_allocation *a,
                    const struct bine_machine *m);
void bine_links_free(struct bine_links *l);
/* Other jobs leave this share of the rate of every link between groups, instead of the share that
 * the machine's description says. On a torus: of every link between nodes. */
void bine_links_set_busy(struct bine_links *l, double share);

/* The links of a message, in order; returns how many, at most BINE_ROUTE_MOST. */
enum { BINE_ROUTE_MOST = 512 };
int bine_links_route(const struct bine_links *l, int from, int to, size_t route[BINE_ROUTE_MOST]);
/* Its first and its last one, without those between them. */
void bine_links_ends(const struct bine_links *l, int from, int to, size_t end[2]);
double bine_links_latency(const struct bine_links *l, int from, int to);

/* How a link passes on a message that comes to it: for how long it is busy with it, when it begins
 * and when it is through. A link with a burst (rates.h) may be ahead of its rate by so much. */
struct bine_passed {
    double takes, begins, ends;
};
/* `free_at` says when the link has passed on the earlier messages, at its rate, and its burst. */
struct bine_passed bine_links_pass(const struct bine_links *l, size_t link, double *free_at,
                                   double at, double bytes);

/* `free_at` of all links when a call begins, so many seconds after the call before has used up what
 * they let through at once. */
void bine_links_begin(const struct bine_links *l, double idle, double *free_at);

/* "up from cell3", "out of rank 4's node", ... */
enum { BINE_LINK_TEXT = 120 };
const char *bine_links_text(const struct bine_links *l, size_t link, char text[BINE_LINK_TEXT]);

#endif
