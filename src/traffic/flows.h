/* Flows: the bytes from each rank to each other in a collective, all ranks together.
 *
 * Read from the schedules, every message of every rank. Where an algorithm's schedules enumerate
 * one tree for all roots, large p is counted by symmetry instead: an edge of the tree that goes a
 * displacement d along the circle of ranks goes d along it for every root, so all edges of one
 * displacement make one row of p flows, x -> x + d, and the row is a few circular ranges added up
 * (prefix sums), whatever the remainder of the vector's size. That is O(p) for each of the O(log p)
 * displacements, where the schedules need O(p) for each of p ranks. */
#ifndef BINE_TRAFFIC_FLOWS_H
#define BINE_TRAFFIC_FLOWS_H

#include "schedule/build/build.h"
#include "schedule/piece_bytes.h"

/* Takes bytes that go from one rank to another. A pair may come any number of times, also with a
 * negative number that takes back a part of earlier ones: only the sums count. */
struct bine_flow_sink {
    void (*take)(void *self, int from, int to, int64_t bytes);
    void *self;
};

enum bine_flow_method {
    BINE_FLOWS_BEST,      /* by symmetry where that is possible and p is large */
    BINE_FLOWS_SCHEDULES, /* from the schedules */
    BINE_FLOWS_SYMMETRY,  /* by symmetry, or not at all */
};

enum bine_flow_result {
    BINE_FLOWS_GOOD = 0,
    BINE_FLOWS_NO_MEMORY = -1,
    BINE_FLOWS_NOT_SYMMETRIC = 1, /* BINE_FLOWS_SYMMETRY was asked for and is not possible */
    BINE_FLOWS_TOO_LARGE = 2, /* an alltoall of unequal blocks, not symmetric, of very many ranks */
};

/* All flows of a collective over `bytes` bytes (the paper's n). The spec must be valid. Its rank
 * and tree are ignored. */
enum bine_flow_result bine_flows(const struct bine_spec *spec, int64_t bytes,
                                 enum bine_flow_method method, const struct bine_flow_sink *sink);

/* The three ways; see flows.c for which is taken. `rq->tree` is the tree to be used, or NULL. */
enum bine_flow_result bine_flows_schedules(const struct bine_spec *spec, int64_t bytes,
                                           const struct bine_flow_sink *sink);
enum bine_flow_result bine_flows_slots(const struct bine_spec *spec, int64_t bytes,
                                       const struct bine_flow_sink *sink);
enum bine_flow_result bine_flows_symmetry(const struct bine_spec *spec, int64_t bytes,
                                          const struct bine_flow_sink *sink);
/* Whether it can be counted by symmetry; `rq->tree` as above. */
int bine_flows_are_symmetric(const struct bine_spec *spec, int64_t bytes);

#endif
