#include "traffic/flows.h"
#include "schedule/walk/ranks.h"
#include "schedule/walk/visit.h"

/* From here on symmetry is used: below, the schedules are fast enough and need no argument. */
enum { LARGE = 64 };

static int is_even(const struct bine_spec *spec, int64_t bytes) {
    return bytes % spec->p == 0;
}

/* The blocks of an alltoall lie in slots that say nothing of their sizes: where these differ, what
 * is in the slots has to be followed. */
static enum bine_flow_result from_schedules(const struct bine_spec *spec, int64_t bytes,
                                            const struct bine_flow_sink *sink) {
    if (spec->algorithm->collective == BINE_ALLTOALL && !is_even(spec, bytes))
        return bine_flows_slots(spec, bytes, sink);
    return bine_flows_schedules(spec, bytes, sink);
}

/* The messages of each port in turn, where all have as much. */
static enum bine_flow_result from_ports(const struct bine_spec *spec, int64_t bytes,
                                        enum bine_flow_method method,
                                        const struct bine_flow_sink *sink) {
    struct bine_spec one = *spec;
    enum bine_flow_result rc = BINE_FLOWS_GOOD;
    one.ports = 0;
    for (one.port = 0; one.port < spec->ports && rc == BINE_FLOWS_GOOD; one.port++)
        rc = bine_flows(&one, bytes / spec->ports, method, sink);
    return rc;
}

enum bine_flow_result bine_flows(const struct bine_spec *spec, int64_t bytes,
                                 enum bine_flow_method method, const struct bine_flow_sink *sink) {
    struct bine_spec with_tree = *spec;
    if (spec->ports > 1 && method != BINE_FLOWS_SCHEDULES && bytes % spec->ports == 0 &&
        bytes / spec->ports % spec->p == 0)
        return from_ports(spec, bytes, method, sink);
    /* Equal blocks may as well be packed as permuted: then there is a tree. */
    if (method != BINE_FLOWS_SCHEDULES && spec->layout == BINE_PERMUTE && is_even(spec, bytes) &&
        bine_algorithm_needs(spec->algorithm) == BINE_NEEDS_DIMS)
        with_tree.layout = BINE_PACK;
    struct bine_tree *tree = bine_spec_tree(&with_tree);
    enum bine_flow_result rc;
    with_tree.rank = 0;
    with_tree.tree = tree;
    int symmetric = bine_flows_are_symmetric(&with_tree, bytes);
    if (method == BINE_FLOWS_SYMMETRY && !symmetric)
        rc = BINE_FLOWS_NOT_SYMMETRIC;
    else if (symmetric &&
             (method == BINE_FLOWS_SYMMETRY || (method == BINE_FLOWS_BEST && spec->p >= LARGE)))
        rc = bine_flows_symmetry(&with_tree, bytes, sink);
    else
        rc = from_schedules(&with_tree, bytes, sink);
    bine_tree_free(tree);
    return rc;
}

/* A count over all ranks. */
struct count {
    int64_t bytes; /* of the vector */
    const struct bine_flow_sink *sink;
    struct bine_longer_blocks places;
};

/* All that one rank sends. */
static int take_schedule(void *self, const struct bine_schedule *s) {
    struct count *c = self;
    for (uint32_t i = 0; i < s->nops; i++) {
        if (!bine_op_sends(&s->op[i]))
            continue;
        int64_t bytes = bine_bytes_of_op(s, &s->op[i], c->bytes, &c->places);
        if (bytes < 0)
            return -1;
        if (bytes > 0)
            c->sink->take(c->sink->self, s->rank, s->op[i].peer, bytes);
    }
    return 0;
}

enum bine_flow_result bine_flows_schedules(const struct bine_spec *spec, int64_t bytes,
                                           const struct bine_flow_sink *sink) {
    struct count c = {.bytes = bytes, .sink = sink};
    int rc = bine_ranks_visit(spec, take_schedule, &c);
    bine_longer_blocks_free(&c.places);
    return rc == 0 ? BINE_FLOWS_GOOD : BINE_FLOWS_NO_MEMORY;
}
