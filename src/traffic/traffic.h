/* Traffic: how many bytes of a collective cross group boundaries, and the least that must. */
#ifndef BINE_TRAFFIC_TRAFFIC_H
#define BINE_TRAFFIC_TRAFFIC_H

#include "network/allocation.h"
#include "traffic/flows.h"

struct bine_traffic {
    int64_t total;                 /* all bytes sent */
    int64_t global;                /* between ranks in different groups */
    int64_t nodes;                 /* between ranks on different nodes, in any groups */
    int64_t *pair;                 /* [from * groups + to], or NULL if that was not asked for */
    struct bine_link_loads *links; /* on a torus, or NULL if that was not asked for */
};

/* Counts besides the sums. */
struct bine_traffic_options {
    enum bine_flow_method method;
    int pairs, links;
};

/* Count a collective of `bytes` bytes, rank i of the request's algorithm being rank i of the
 * allocation. On success there is something to free. */
enum bine_flow_result bine_traffic_count(struct bine_traffic *t, const struct bine_spec *spec,
                                         int64_t bytes, const struct bine_allocation *a,
                                         const struct bine_traffic_options *options);
void bine_traffic_free(struct bine_traffic *t);

/* The least bytes that any algorithm must send between groups:
 *
 *     bcast, reduce                 n (G - 1)
 *     allreduce                     2 n (G - 1)
 *     allgather, reduce_scatter     n (G - 1): every block goes to every other group
 *     gather, scatter               the blocks of the ranks outside the root's group
 *     alltoall                      the blocks between ranks of different groups
 *
 * -1 when out of memory. */
int64_t bine_traffic_bound(enum bine_collective c, int64_t bytes, int root,
                           const struct bine_allocation *a);
/* Sets of ranks, groups or nodes: the set of each rank, NULL where every rank is alone. */
struct bine_sets {
    const int32_t *of;
    int p, count;
};
static inline int bine_set_of(const struct bine_sets *s, int rank) {
    return s->of == NULL ? rank : s->of[rank];
}
/* Likewise for any sets, */
int64_t bine_traffic_sets_bound(enum bine_collective c, int64_t bytes, int root,
                                const struct bine_sets *s);
/* and for the nodes. */
int64_t bine_traffic_node_bound(enum bine_collective c, int64_t bytes, int root,
                                const struct bine_allocation *a);
/* The most bytes for which no sum over p ranks can overflow. */
int64_t bine_traffic_most_bytes(int p);

/* How much less `bytes` is than `baseline`, in hundredths of a percent, cut towards zero. The
 * baseline must not be 0. */
int64_t bine_traffic_saving(int64_t bytes, int64_t baseline);

#endif
