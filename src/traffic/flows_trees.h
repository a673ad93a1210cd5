/* Flows without schedules: functions that the files which count them share. */
#ifndef BINE_TRAFFIC_FLOWS_TREES_H
#define BINE_TRAFFIC_FLOWS_TREES_H

#include "traffic/flows.h"

/* Edges run from the root outwards, or backwards, or both, one after the other. */
enum { BINE_OUTWARDS = 1, BINE_BACKWARDS = 2 };

/* The blocks of p ranks: all of one size, and some bytes more for ranks below a number. */
enum { BINE_EXTRAS = 2 };
struct bine_extra {
    int end;
    int64_t bytes;
};
struct bine_rank_bytes {
    int64_t size;
    struct bine_extra extra[BINE_EXTRAS];
};

static inline void bine_flow_take(const struct bine_flow_sink *sink, int directions, int from,
                                  int to, int64_t bytes) {
    if (directions & BINE_OUTWARDS)
        sink->take(sink->self, from, to, bytes);
    if (directions & BINE_BACKWARDS)
        sink->take(sink->self, to, from, bytes);
}

/* Every rank is the root of the tree: its block goes along all edges or, with `below`, the block of
 * each rank at the place of node w goes to it from the root. 0, or -1 when out of memory. */
int bine_flows_every_root(const struct bine_tree *t, const struct bine_rank_bytes *sizes, int below,
                          int directions, const struct bine_flow_sink *sink);

/* The group-aware algorithms. 0, or -1 when out of memory. */
int bine_flows_groups(const struct bine_spec *spec, int64_t bytes, int directions,
                      const struct bine_flow_sink *sink);

/* Likewise on a torus whose dimensions mirror: blocks of one size only. */
int bine_flows_torus(const struct bine_tree *t, int64_t size, int below, int directions,
                     const struct bine_flow_sink *sink);

#endif
