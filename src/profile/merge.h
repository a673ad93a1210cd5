/* The parts of merging. */
#ifndef BINE_PROFILE_MERGE_H
#define BINE_PROFILE_MERGE_H

#include "profile/folder.h"
#include "profile/merged.h"

/* A row of a part, and the numbers that it is merged by. */
struct bine_merge_entry {
    int32_t rank, row, comm;
    struct bine_call_kind kind;
    uint64_t site; /* hash of its text; 0: none */
};

struct bine_merge {
    const struct bine_parts *parts;
    struct bine_merged *to;
    int32_t *comm; /* of each rank and place in its part: the communicator's number */
    int32_t *node; /* of each rank; -1: it is not recorded */
    struct bine_merge_entry *entry;
    size_t entries;
};

/* Nanoseconds of a tick of a part. */
static inline double bine_part_tick(const struct bine_part *p) {
    return bine_ticks_length(&p->head.begin, &p->head.last);
}

/* The nodes, the communicators, the rows, the timeline: 0, or -1 when out of memory. */
int bine_merge_nodes(struct bine_merge *m);
int bine_merge_comms(struct bine_merge *m);
int bine_merge_rows(struct bine_merge *m);
int bine_merge_steps(struct bine_merge *m);

/* How long the ranks of a row waited for the last one, from the samples that all of them have: n
 * entries, of different ranks. Where it cannot be told, the row stays as it is. 0, or -1. */
int bine_merge_waits(const struct bine_merge *m, const struct bine_merge_entry *e, size_t n,
                     struct bine_merged_row *row);

#endif
