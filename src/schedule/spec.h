/* A spec says which schedule is wanted. The builder builds it; others count its traffic or draw
 * it. */
#ifndef BINE_SCHEDULE_SPEC_H
#define BINE_SCHEDULE_SPEC_H

#include "pattern/groups/groups.h"
#include "pattern/shape.h"
#include "schedule/catalogue.h"
#include "schedule/lineup.h"

struct bine_spec {
    const struct bine_algorithm *algorithm;
    enum bine_layout layout;
    int p, rank, root; /* root is 0 where the collective has none */
    int in_place;
    const struct bine_tree *tree; /* the family's tree if the caller has it already (it serves all
                                     ranks), or NULL */
    const struct bine_tree *planted[2]; /* likewise the trees that the composition plants */
    int segments; /* of a pipeline; 0: BINE_SEGMENTS. Other algorithms have none */
    int segment;  /* which of them this is, from 1, while the strand of one is built; else 0 */
    const struct bine_groups *groups; /* of the ranks, for algorithms that need them, or NULL */
    const struct bine_shape *dims;    /* of the torus of the ranks, for algorithms that need them,
                                         or NULL */
    const struct bine_lineup *order;  /* run as if the ranks stood in this order, or NULL */
    const int32_t *node; /* of each rank, a number below p: ranks of one share its boards. NULL: not
                            known, and all on one for algorithms that need boards */
    int ports;           /* of a torus algorithm: parts of the vector that travel at once; 0: one */
    int port;            /* which of them this is, while the strand of one is built; else 0 */
};

/* Enough to see a pipeline at work. Calls choose their own number, by size. */
#define BINE_SEGMENTS 4
/* The most segments of an algorithm that knows groups, and the most strands that these make. Calls
 * have 64 at most, or, if vectors are huge, so many. */
#define BINE_GROUP_SEGMENTS 1024
#define BINE_GROUP_STRANDS 4

/* Segments of a pipeline: 1 where the algorithm is none. */
int bine_spec_segments(const struct bine_spec *spec);
/* Strands of an algorithm that knows groups: several where it cuts a vector that is long enough for
 * its phases to overlap; otherwise 1. */
int bine_spec_strands(const struct bine_spec *spec);
/* The most that an algorithm takes at p; 1 if it is no pipeline. */
int bine_segments_most(const struct bine_algorithm *a, int p);
/* The segments that a call of `bytes` cuts its vector into: one of few numbers, so that
 * schedules can be used again for sizes nearby. 0 where the algorithm is no pipeline. */
int bine_segments_for(const struct bine_algorithm *a, int p, int64_t bytes);

/* Whether an algorithm can run on virtual ranks: not if it knows the groups of the ranks, or
 * promises to add up in rank order. On a torus they stand in the row-major order of their nodes. */
int bine_algorithm_reorders(const struct bine_algorithm *a);

/* Whether an algorithm that knows groups uses the boards of nodes: all ranks of each smallest set
 * are on one node, and some have company there. Where blocks belong to ranks, the blocks of a
 * segment are in no row: in several segments, these keep to messages. */
int bine_spec_uses_boards(const struct bine_spec *spec);
/* Of one that does, or that is on boards alone: no rank publishes more blocks at once, in one
 * segment; 0: none are, only exposed. Equal on all ranks. */
int bine_spec_board_blocks(const struct bine_spec *spec);

/* NULL if the spec can be built, or its fault (in a buffer of the caller's). */
const char *bine_spec_error(const struct bine_spec *request, char *why, size_t size);
/* Whether an earlier algorithm of the catalogue sends equal messages for this spec: groups of one
 * size, or two of them, need no relays. */
int bine_spec_repeats_another(const struct bine_spec *spec);

/* The tree that the algorithm's schedules enumerate in this layout, to be shared between ranks;
 * NULL where they are made by closed form (or when out of memory, which building will find out
 * again). */
struct bine_tree *bine_spec_tree(const struct bine_spec *request);
/* Puts all trees that ranks can share into the spec, until they are felled. A family's tree that is
 * there already stays. */
struct bine_trees {
    struct bine_tree *tree, *planted[2];
};
struct bine_trees bine_spec_plant(struct bine_spec *request);
void bine_trees_fell(struct bine_trees *t);

/* The blocks that a vector is cut into: the field `blocks` of a composition. */
int bine_blocks_one(const struct bine_spec *spec);
int bine_blocks_ranks(const struct bine_spec *spec);         /* one for each rank */
int bine_blocks_board(const struct bine_spec *spec);         /* a vector is one; else as above */
int bine_blocks_segments(const struct bine_spec *spec);      /* one for each segment */
int bine_blocks_rank_segments(const struct bine_spec *spec); /* segments of each rank's */
int bine_blocks_balanced(const struct bine_spec *spec);      /* pieces of each rank's, by groups */
int bine_blocks_group_parts(const struct bine_spec *spec);   /* some for each rank, as many for
                                                                 each group that can be a home */
int bine_blocks_members(
    const struct bine_spec *spec); /* the largest power of two, or of the radix, in p */

#endif
