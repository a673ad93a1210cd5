/* Flows of the group-aware algorithms from a root, and of alltoall, without schedules. (Along
 * stretches, the schedules are walked.) */
#include "traffic/flows_trees.h"

/* One block along all edges, or the block of each rank along the way to it. */
static int from_root(const struct bine_spec *spec, int64_t bytes, int direct, int directions,
                     const struct bine_flow_sink *sink) {
    struct bine_spread x = {.groups = spec->groups, .root = spec->root, .direct = direct};
    struct bine_block_bytes cut = bine_block_bytes_of(bytes, direct ? spec->p : 1);
    struct bine_spread_edge from;
    for (int b = 0; b < spec->p; b++) {
        int64_t size = bine_bytes_of_block(&cut, direct ? b : 0);
        int r = b;
        while (size > 0 && bine_spread_arrival(&x, r, &from)) {
            bine_flow_take(sink, directions, from.peer, r, size);
            r = direct ? from.peer : spec->root;
        }
    }
    return 0;
}

/* From every rank to the one that collects, and together from there. */
static int collect(const struct bine_spec *spec, int64_t bytes, const struct bine_flow_sink *sink) {
    const struct bine_groups *g = spec->groups;
    int level = bine_groups_last(g);
    const struct bine_level *l = &g->level[level];
    struct bine_block_bytes cut = bine_block_bytes_of(bytes, spec->p);
    for (int j = 0; j < spec->p; j++)
        for (int set = 0; set < l->sets; set++) {
            int64_t size = bine_bytes_of_block(&cut, j), count = bine_groups_size(g, level, set);
            int away = l->set_of[j] != set, to = away ? bine_groups_entry(g, level, set, j) : j;
            for (int i = l->begin[set]; i < l->begin[set + 1] && size > 0; i++)
                if (g->member[i] != to)
                    sink->take(sink->self, g->member[i], to, size);
            if (away && size > 0)
                sink->take(sink->self, to, j, size * count);
        }
    return 0;
}

int bine_flows_groups(const struct bine_spec *spec, int64_t bytes, int directions,
                      const struct bine_flow_sink *sink) {
    switch (bine_compositions[spec->algorithm->composition].flow) {
    case BINE_FLOW_GROUP_ROOT:
        return from_root(spec, bytes, 0, directions, sink);
    case BINE_FLOW_GROUP_BLOCKS:
        return from_root(spec, bytes, 1, directions, sink);
    default: /* BINE_FLOW_GROUP_COLLECT */
        return collect(spec, bytes, sink);
    }
}
