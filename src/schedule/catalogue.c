#include "schedule/catalogue.h"
#include "base/numbers.h"
#include "base/words.h"

#include "pattern/ring.h"
#include "pattern/teams.h"

#include <ctype.h>
#include <string.h>

#define LAYOUTS_WHOLE                                                                              \
    { BINE_BLOCKS, -1 }
#define LAYOUTS_RUNS                                                                               \
    { BINE_BLOCKS, BINE_PACK, -1 }
#define LAYOUTS_SETS                                                                               \
    { BINE_PACK, BINE_BLOCKS, -1 }
#define LAYOUTS_ALL                                                                                \
    { BINE_PERMUTE, BINE_PACK, BINE_BLOCKS, BINE_SEND, -1 }

#define NEAR BINE_NEAR_FIRST
#define FAR BINE_FAR_FIRST
#define PLACE(x) BINE_PLACE_##x
#define FAMILY(x) BINE_FAMILY_##x
#define ANY BINE_RANKS_ANY
#define EVEN BINE_RANKS_EVEN
#define POW2 BINE_RANKS_POW2

/* clang-format off */
const struct bine_algorithm bine_catalogue[] = {
    /* collective, name, family, ranks, commutative, layouts, composition, tree, order, places, promise, about, alias, radix, trees, stride */
    {BINE_BCAST, "bine-small", "bine", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BCAST, FAMILY(SPLIT), FAR, PLACE(RANK), BINE_STEPS_LOG,
     "far-first Bine tree (split tree)", "bine-small-far", 0, 0, 0},
    {BINE_BCAST, "bine-small-near", "bine", EVEN, 0, LAYOUTS_WHOLE, BINE_MAKE_BCAST, FAMILY(BINE), NEAR, PLACE(RANK), BINE_STEPS_LOG,
     "near-first Bine tree", NULL, 0, 0, 0},
    {BINE_BCAST, "bine-small-paper", "bine", EVEN, 0, LAYOUTS_WHOLE, BINE_MAKE_BCAST, FAMILY(BINE_PAPER), FAR, PLACE(RANK), BINE_STEPS_LOG,
     "far-first Bine tree with the paper's distances", NULL, 0, 0, 0},
    {BINE_BCAST, "bine-large", "bine", ANY, 0, LAYOUTS_ALL, BINE_MAKE_BCAST_HUNG, FAMILY(BINE), FAR, PLACE(NU), BINE_STEPS_TWO_LOG,
     "scatter near-first, allgather far-first, nothing sent twice", NULL, 0, 0, 0},
    {BINE_BCAST, "bine-large-two", "bine", EVEN, 0, LAYOUTS_RUNS, BINE_MAKE_BCAST_HUNG, FAMILY(BINE), NEAR, PLACE(RANK), BINE_STEPS_TWO_LOG,
     "scatter far-first, allgather near-first: circular runs", NULL, 0, 0, 0},
    {BINE_BCAST, "bine-large-paper", "bine", EVEN, 0, LAYOUTS_SETS, BINE_MAKE_BCAST_HUNG, FAMILY(BINE_PAPER), FAR, PLACE(RANK), BINE_STEPS_TWO_LOG,
     "bine-large with the paper's distances", NULL, 0, 0, 0},
    {BINE_BCAST, "binomial-near", "binomial", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BCAST, FAMILY(BINOMIAL), NEAR, PLACE(RANK), BINE_STEPS_LOG,
     "near-first binomial tree (as Open MPI)", NULL, 0, 0, 0},
    {BINE_BCAST, "binomial-far", "binomial", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BCAST, FAMILY(BINOMIAL), FAR, PLACE(RANK), BINE_STEPS_LOG,
     "far-first binomial tree (as MPICH)", NULL, 0, 0, 0},
    {BINE_BCAST, "linear", "linear", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BCAST, FAMILY(STAR), FAR, PLACE(RANK), BINE_STEPS_ONE,
     "the root sends to everyone (as Open MPI: basic_linear)", NULL, 0, 0, 0},
    {BINE_BCAST, "chain", "chain", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_PIPELINE, FAMILY(RING), NEAR, PLACE(RANK), BINE_STEPS_PIPELINE,
     "one rank after the other, in segments (as Open MPI: pipeline, chain of fan-out 1)", "pipeline", 0, 1, 1},
    {BINE_BCAST, "binary", "binary", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_PIPELINE, FAMILY(BINARY), NEAR, PLACE(RANK), BINE_STEPS_PIPELINE,
     "binary tree, in segments (as Open MPI: binary_tree)", NULL, 0, 1, 2},
    {BINE_BCAST, "split-binary", "binary", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_SPLIT_BINARY, FAMILY(SPLIT_BINARY), NEAR, PLACE(RANK), BINE_STEPS_PIPELINE,
     "the halves down the two branches of a binary tree, in segments, then exchanged in pairs (as Open MPI: split_binary_tree)", NULL, 0, 2, 2},
    {BINE_BCAST, "double-binary", "binary", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_PIPELINE, FAMILY(DOUBLE), NEAR, PLACE(RANK), BINE_STEPS_PIPELINE,
     "two complementary binary trees for half of the segments each", NULL, 0, 2, 2},
    {BINE_BCAST, "circulant", "circulant", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_CIRCULANT, FAMILY(CIRCULANT), NEAR, PLACE(RANK), BINE_STEPS_PIPELINE,
     "circulant graph, segments - 1 + ceil(log2 p) rounds", NULL, 0, 1, 1},
    {BINE_BCAST, "knomial-3", "binomial", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BCAST, FAMILY(KNOMIAL), FAR, PLACE(RANK), BINE_STEPS_RADIX,
     "far-first k-nomial tree, radix 3 (as Open MPI)", NULL, 3, 0, 0},
    {BINE_BCAST, "knomial-4", "binomial", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BCAST, FAMILY(KNOMIAL), FAR, PLACE(RANK), BINE_STEPS_RADIX,
     "far-first k-nomial tree, radix 4 (as Open MPI)", NULL, 4, 0, 0},
    {BINE_BCAST, "knomial-5", "binomial", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BCAST, FAMILY(KNOMIAL), FAR, PLACE(RANK), BINE_STEPS_RADIX,
     "far-first k-nomial tree, radix 5 (as Open MPI)", NULL, 5, 0, 0},
    {BINE_BCAST, "knomial-6", "binomial", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BCAST, FAMILY(KNOMIAL), FAR, PLACE(RANK), BINE_STEPS_RADIX,
     "far-first k-nomial tree, radix 6 (as Open MPI)", NULL, 6, 0, 0},
    {BINE_BCAST, "knomial-7", "binomial", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BCAST, FAMILY(KNOMIAL), FAR, PLACE(RANK), BINE_STEPS_RADIX,
     "far-first k-nomial tree, radix 7 (as Open MPI)", NULL, 7, 0, 0},
    {BINE_BCAST, "knomial-8", "binomial", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BCAST, FAMILY(KNOMIAL), FAR, PLACE(RANK), BINE_STEPS_RADIX,
     "far-first k-nomial tree, radix 8 (as Open MPI)", NULL, 8, 0, 0},
    {BINE_BCAST, "scatter-allgather", "binomial", POW2, 0, LAYOUTS_WHOLE, BINE_MAKE_SCATTER_ALLGATHER, FAMILY(HYPERCUBE), NEAR, PLACE(RANK), BINE_STEPS_TWO_LOG,
     "binomial scatter, recursive doubling allgather (as Open MPI and MPICH)", NULL, 0, 0, 0},
    {BINE_BCAST, "scatter-ring", "ring", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_SCATTER_ALLGATHER, FAMILY(RING), NEAR, PLACE(RANK), BINE_STEPS_LOG_RING,
     "binomial scatter, ring allgather (as Open MPI and MPICH)", NULL, 0, 0, 0},
    {BINE_BCAST, "bine-group", "bine", ANY, 0, LAYOUTS_SETS, BINE_MAKE_GROUP_BCAST_HUNG, FAMILY(BINE), FAR, PLACE(RANK), BINE_STEPS_PIPELINE,
     "in parts, each crossing into every group once, in segments", NULL, 0, 1, 1},
    {BINE_BCAST, "bine-group-small", "bine", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_GROUP_BCAST, FAMILY(BINE), FAR, PLACE(RANK), BINE_STEPS_PIPELINE,
     "a Bine tree over the groups, then one in each", NULL, 0, 0, 0},
    {BINE_BCAST, "bine-torus", "bine", ANY, 0, LAYOUTS_ALL, BINE_MAKE_BCAST_HUNG, FAMILY(TORUS), FAR, PLACE(TORUS), BINE_STEPS_TWO_DIMS,
     "scatter near-first, allgather far-first, dimension by dimension", NULL, 0, 0, 0},
    {BINE_BCAST, "bine-torus-small", "bine", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BCAST, FAMILY(TORUS), FAR, PLACE(RANK), BINE_STEPS_DIMS,
     "far-first Bine tree, dimension by dimension", NULL, 0, 0, 0},
    {BINE_BCAST, "bine-torus-small-near", "bine", EVEN, 0, LAYOUTS_WHOLE, BINE_MAKE_BCAST, FAMILY(TORUS), NEAR, PLACE(RANK), BINE_STEPS_DIMS,
     "near-first Bine tree, dimension by dimension", NULL, 0, 0, 0},
    {BINE_BCAST, "swing-torus", "swing", EVEN, 0, LAYOUTS_RUNS, BINE_MAKE_BCAST_HUNG, FAMILY(TORUS_PAPER), FAR, PLACE(RANK), BINE_STEPS_TWO_DIMS,
     "scatter and allgather, dimension by dimension with the distances of Swing, block by block", NULL, 0, 0, 0},
    {BINE_BCAST, "recursive-doubling-torus", "binomial", POW2, 0, LAYOUTS_SETS, BINE_MAKE_BCAST_HUNG, FAMILY(TORUS_HYPERCUBE), FAR, PLACE(RANK), BINE_STEPS_TWO_DIMS,
     "scatter and allgather on the hypercube, dimension by dimension", NULL, 0, 0, 0},
    {BINE_BCAST, "bucket-torus", "ring", ANY, 0, LAYOUTS_RUNS, BINE_MAKE_BCAST_HUNG, FAMILY(TORUS_BUCKET), NEAR, PLACE(RANK), BINE_STEPS_TWO_DIMS_RINGS,
     "scatter and allgather on rings, one dimension after the other", NULL, 0, 0, 0},
    {BINE_BCAST, "board-flat", "board", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BOARD_FLAT, FAMILY(STAR), NEAR, PLACE(RANK), BINE_STEPS_ONE,
     "the root publishes, everyone reads", NULL, 0, 0, 0},
    {BINE_BCAST, "board-levels", "board", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BOARD_LEVELS, FAMILY(STAR), NEAR, PLACE(RANK), BINE_STEPS_TEAMS,
     "the root publishes for one rank of each of sqrt(p) teams, which publishes for its team", NULL, 0, 0, 0},
    {BINE_BCAST, "board-direct", "board", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BOARD_DIRECT, FAMILY(STAR), NEAR, PLACE(RANK), BINE_STEPS_ONE,
     "everyone reads from the memory of the root: one copy", NULL, 0, 0, 0},

    {BINE_REDUCE, "bine-small", "bine", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_REDUCE, FAMILY(SPLIT), FAR, PLACE(RANK), BINE_STEPS_LOG,
     "near-first: the far-first Bine tree (split tree) backwards", "bine-small-near", 0, 0, 0},
    {BINE_REDUCE, "bine-small-far", "bine", EVEN, 1, LAYOUTS_WHOLE, BINE_MAKE_REDUCE, FAMILY(BINE), NEAR, PLACE(RANK), BINE_STEPS_LOG,
     "far-first: the near-first Bine tree backwards", NULL, 0, 0, 0},
    {BINE_REDUCE, "bine-small-paper", "bine", EVEN, 1, LAYOUTS_WHOLE, BINE_MAKE_REDUCE, FAMILY(BINE_PAPER), FAR, PLACE(RANK), BINE_STEPS_LOG,
     "bine-small on the butterfly's tree with the paper's distances", NULL, 0, 0, 0},
    {BINE_REDUCE, "bine-large", "bine", ANY, 1, LAYOUTS_ALL, BINE_MAKE_REDUCE_HUNG, FAMILY(BINE), FAR, PLACE(NU), BINE_STEPS_TWO_LOG,
     "reduce-scatter near-first, gather far-first, nothing sent twice", NULL, 0, 0, 0},
    {BINE_REDUCE, "bine-large-two", "bine", EVEN, 1, LAYOUTS_RUNS, BINE_MAKE_REDUCE_HUNG, FAMILY(BINE), NEAR, PLACE(RANK), BINE_STEPS_TWO_LOG,
     "reduce-scatter far-first, gather near-first: circular runs", NULL, 0, 0, 0},
    {BINE_REDUCE, "bine-large-paper", "bine", EVEN, 1, LAYOUTS_SETS, BINE_MAKE_REDUCE_HUNG, FAMILY(BINE_PAPER), FAR, PLACE(RANK), BINE_STEPS_TWO_LOG,
     "bine-large with the paper's distances", NULL, 0, 0, 0},
    {BINE_REDUCE, "bine-ordered", "bine", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_REDUCE_ORDERED, FAMILY(SPLIT), FAR, PLACE(RANK), BINE_STEPS_LOG_ONE,
     "split tree over 0..p-1 in rank order, then to the root; any operator", NULL, 0, 0, 0},
    {BINE_REDUCE, "binomial-near", "binomial", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_REDUCE, FAMILY(BINOMIAL), FAR, PLACE(RANK), BINE_STEPS_LOG,
     "near-first: the far-first binomial tree backwards (as Open MPI and MPICH)", NULL, 0, 0, 0},
    {BINE_REDUCE, "binomial-far", "binomial", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_REDUCE, FAMILY(BINOMIAL), NEAR, PLACE(RANK), BINE_STEPS_LOG,
     "far-first: the near-first binomial tree backwards", NULL, 0, 0, 0},
    {BINE_REDUCE, "linear", "linear", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_REDUCE, FAMILY(STAR), FAR, PLACE(RANK), BINE_STEPS_ONE,
     "everyone sends to the root (as Open MPI)", NULL, 0, 0, 0},
    {BINE_REDUCE, "chain", "chain", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_PIPELINE_REDUCE, FAMILY(RING), NEAR, PLACE(RANK), BINE_STEPS_PIPELINE,
     "one rank after the other, in segments (as Open MPI: pipeline, chain of fan-out 1)", "pipeline", 0, 1, 1},
    {BINE_REDUCE, "binary", "binary", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_PIPELINE_REDUCE, FAMILY(BINARY), NEAR, PLACE(RANK), BINE_STEPS_PIPELINE,
     "binary tree, in segments (as Open MPI)", NULL, 0, 1, 2},
    {BINE_REDUCE, "double-binary", "binary", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_PIPELINE_REDUCE, FAMILY(DOUBLE), NEAR, PLACE(RANK), BINE_STEPS_PIPELINE,
     "two complementary binary trees for half of the segments each", NULL, 0, 2, 2},
    {BINE_REDUCE, "circulant", "circulant", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_CIRCULANT_REDUCE, FAMILY(CIRCULANT), NEAR, PLACE(RANK), BINE_STEPS_PIPELINE,
     "circulant graph backwards, segments - 1 + ceil(log2 p) rounds", NULL, 0, 1, 1},
    {BINE_REDUCE, "knomial-3", "binomial", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_REDUCE, FAMILY(KNOMIAL), FAR, PLACE(RANK), BINE_STEPS_RADIX,
     "far-first k-nomial tree backwards, radix 3", NULL, 3, 0, 0},
    {BINE_REDUCE, "knomial-4", "binomial", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_REDUCE, FAMILY(KNOMIAL), FAR, PLACE(RANK), BINE_STEPS_RADIX,
     "far-first k-nomial tree backwards, radix 4", NULL, 4, 0, 0},
    {BINE_REDUCE, "knomial-5", "binomial", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_REDUCE, FAMILY(KNOMIAL), FAR, PLACE(RANK), BINE_STEPS_RADIX,
     "far-first k-nomial tree backwards, radix 5", NULL, 5, 0, 0},
    {BINE_REDUCE, "knomial-6", "binomial", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_REDUCE, FAMILY(KNOMIAL), FAR, PLACE(RANK), BINE_STEPS_RADIX,
     "far-first k-nomial tree backwards, radix 6", NULL, 6, 0, 0},
    {BINE_REDUCE, "knomial-7", "binomial", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_REDUCE, FAMILY(KNOMIAL), FAR, PLACE(RANK), BINE_STEPS_RADIX,
     "far-first k-nomial tree backwards, radix 7", NULL, 7, 0, 0},
    {BINE_REDUCE, "knomial-8", "binomial", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_REDUCE, FAMILY(KNOMIAL), FAR, PLACE(RANK), BINE_STEPS_RADIX,
     "far-first k-nomial tree backwards, radix 8", NULL, 8, 0, 0},
    {BINE_REDUCE, "rabenseifner", "binomial", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_HALVING_REDUCE, FAMILY(HYPERCUBE), FAR, PLACE(REVERSE), BINE_STEPS_FOLD_REDUCE,
     "reduce-scatter by recursive halving, binomial gather, folded to a power of two (as MPICH: reduce_scatter_gather)", NULL, 0, 0, 0},
    {BINE_REDUCE, "rabenseifner-halves", "binomial", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_HALVES_REDUCE, FAMILY(HYPERCUBE), FAR, PLACE(REVERSE), BINE_STEPS_FOLD_TWO,
     "rabenseifner, folded by halves (as Open MPI: rabenseifner)", NULL, 0, 0, 0},
    {BINE_REDUCE, "bine-group", "bine", ANY, 1, LAYOUTS_SETS, BINE_MAKE_GROUP_REDUCE_HUNG, FAMILY(BINE), FAR, PLACE(RANK), BINE_STEPS_PIPELINE,
     "in parts, each crossing out of every group once, in segments", NULL, 0, 1, 1},
    {BINE_REDUCE, "bine-group-small", "bine", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_GROUP_REDUCE, FAMILY(BINE), FAR, PLACE(RANK), BINE_STEPS_PIPELINE,
     "a Bine tree in each group, then one over the groups", NULL, 0, 0, 0},
    {BINE_REDUCE, "bine-torus", "bine", ANY, 1, LAYOUTS_ALL, BINE_MAKE_REDUCE_HUNG, FAMILY(TORUS), FAR, PLACE(TORUS), BINE_STEPS_TWO_DIMS,
     "reduce-scatter near-first, gather far-first, dimension by dimension", NULL, 0, 0, 0},
    {BINE_REDUCE, "bine-torus-small", "bine", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_REDUCE, FAMILY(TORUS), FAR, PLACE(RANK), BINE_STEPS_DIMS,
     "near-first: the far-first Bine tree backwards, dimension by dimension", NULL, 0, 0, 0},
    {BINE_REDUCE, "bine-torus-small-far", "bine", EVEN, 1, LAYOUTS_WHOLE, BINE_MAKE_REDUCE, FAMILY(TORUS), NEAR, PLACE(RANK), BINE_STEPS_DIMS,
     "far-first: the near-first Bine tree backwards, dimension by dimension", NULL, 0, 0, 0},
    {BINE_REDUCE, "swing-torus", "swing", EVEN, 1, LAYOUTS_RUNS, BINE_MAKE_REDUCE_HUNG, FAMILY(TORUS_PAPER), FAR, PLACE(RANK), BINE_STEPS_TWO_DIMS,
     "reduce-scatter and gather, dimension by dimension with the distances of Swing, block by block", NULL, 0, 0, 0},
    {BINE_REDUCE, "recursive-doubling-torus", "binomial", POW2, 1, LAYOUTS_SETS, BINE_MAKE_REDUCE_HUNG, FAMILY(TORUS_HYPERCUBE), FAR, PLACE(RANK), BINE_STEPS_TWO_DIMS,
     "reduce-scatter and gather on the hypercube, dimension by dimension", NULL, 0, 0, 0},
    {BINE_REDUCE, "bucket-torus", "ring", ANY, 1, LAYOUTS_RUNS, BINE_MAKE_REDUCE_HUNG, FAMILY(TORUS_BUCKET), NEAR, PLACE(RANK), BINE_STEPS_TWO_DIMS_RINGS,
     "reduce-scatter and gather on rings, one dimension after the other", NULL, 0, 0, 0},
    {BINE_REDUCE, "board-flat", "board", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BOARD_FLAT, FAMILY(STAR), NEAR, PLACE(RANK), BINE_STEPS_ONE,
     "everyone publishes, the root adds up in rank order; any operator", NULL, 0, 0, 0},
    {BINE_REDUCE, "board-levels", "board", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BOARD_LEVELS, FAMILY(STAR), NEAR, PLACE(RANK), BINE_STEPS_TEAMS,
     "added up in each of sqrt(p) teams, then by the root, in rank order; any operator", NULL, 0, 0, 0},
    {BINE_REDUCE, "board-shared", "board", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BOARD_SHARED, FAMILY(STAR), NEAR, PLACE(RANK), BINE_STEPS_TWO,
     "everyone adds up its block and publishes the sum for the root, in rank order; any operator", NULL, 0, 0, 0},

    {BINE_ALLREDUCE, "bine-small", "bine", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_BUTTERFLY, FAMILY(BINE), FAR, PLACE(RANK), BINE_STEPS_FOLD,
     "far-first Bine butterfly of whole vectors, folded to a power of two", NULL, 0, 0, 0},
    {BINE_ALLREDUCE, "bine-large", "bine", ANY, 1, LAYOUTS_ALL, BINE_MAKE_ALLREDUCE, FAMILY(BINE), FAR, PLACE(NU), BINE_STEPS_TWO_LOG,
     "reduce-scatter near-first, allgather far-first", NULL, 0, 0, 0},
    {BINE_ALLREDUCE, "bine-large-two", "bine", EVEN, 1, LAYOUTS_RUNS, BINE_MAKE_ALLREDUCE, FAMILY(BINE), NEAR, PLACE(RANK), BINE_STEPS_TWO_LOG,
     "reduce-scatter far-first, allgather near-first: circular runs", NULL, 0, 0, 0},
    {BINE_ALLREDUCE, "bine-large-paper", "bine", EVEN, 1, LAYOUTS_SETS, BINE_MAKE_ALLREDUCE, FAMILY(BINE_PAPER), FAR, PLACE(RANK), BINE_STEPS_TWO_LOG,
     "bine-large with the paper's distances", NULL, 0, 0, 0},
    {BINE_ALLREDUCE, "bine-ordered", "bine", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_ALLREDUCE_ORDERED, FAMILY(SPLIT), FAR, PLACE(RANK), BINE_STEPS_TWO_LOG,
     "reduce along the split tree in rank order, then broadcast; any operator", NULL, 0, 0, 0},
    {BINE_ALLREDUCE, "recursive-doubling", "binomial", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BUTTERFLY, FAMILY(HYPERCUBE), NEAR, PLACE(RANK), BINE_STEPS_FOLD,
     "near-first hypercube of whole vectors, folded to a power of two; any operator (as Open MPI and MPICH)", NULL, 0, 0, 0},
    {BINE_ALLREDUCE, "rabenseifner", "binomial", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_HALVING_ALLREDUCE, FAMILY(HYPERCUBE), FAR, PLACE(REVERSE), BINE_STEPS_FOLD_TWO,
     "reduce-scatter near-first, allgather far-first, on the hypercube, folded to a power of two (as MPICH: reduce_scatter_allgather)", NULL, 0, 0, 0},
    {BINE_ALLREDUCE, "rabenseifner-halves", "binomial", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_HALVES_ALLREDUCE, FAMILY(HYPERCUBE), FAR, PLACE(REVERSE), BINE_STEPS_FOLD_THREE,
     "rabenseifner, folded by halves (as Open MPI: rabenseifner)", NULL, 0, 0, 0},
    {BINE_ALLREDUCE, "ring", "ring", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_RINGS, FAMILY(RING_BACK), NEAR, PLACE(RANK), BINE_STEPS_TWO_RINGS,
     "reduce-scatter and allgather on a ring (as Open MPI)", NULL, 0, 0, 0},
    {BINE_ALLREDUCE, "recursive-multiplying-3", "binomial", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_MULTIPLYING, FAMILY(HYPERCUBE), NEAR, PLACE(RANK), BINE_STEPS_MULTIPLY,
     "whole vectors among groups of 3, folded to a power of 3; any operator", NULL, 3, 0, 0},
    {BINE_ALLREDUCE, "recursive-multiplying-4", "binomial", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_MULTIPLYING, FAMILY(HYPERCUBE), NEAR, PLACE(RANK), BINE_STEPS_MULTIPLY,
     "whole vectors among groups of 4, folded to a power of 4; any operator", NULL, 4, 0, 0},
    {BINE_ALLREDUCE, "recursive-multiplying-5", "binomial", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_MULTIPLYING, FAMILY(HYPERCUBE), NEAR, PLACE(RANK), BINE_STEPS_MULTIPLY,
     "whole vectors among groups of 5, folded to a power of 5; any operator", NULL, 5, 0, 0},
    {BINE_ALLREDUCE, "recursive-multiplying-6", "binomial", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_MULTIPLYING, FAMILY(HYPERCUBE), NEAR, PLACE(RANK), BINE_STEPS_MULTIPLY,
     "whole vectors among groups of 6, folded to a power of 6; any operator", NULL, 6, 0, 0},
    {BINE_ALLREDUCE, "recursive-multiplying-7", "binomial", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_MULTIPLYING, FAMILY(HYPERCUBE), NEAR, PLACE(RANK), BINE_STEPS_MULTIPLY,
     "whole vectors among groups of 7, folded to a power of 7; any operator", NULL, 7, 0, 0},
    {BINE_ALLREDUCE, "recursive-multiplying-8", "binomial", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_MULTIPLYING, FAMILY(HYPERCUBE), NEAR, PLACE(RANK), BINE_STEPS_MULTIPLY,
     "whole vectors among groups of 8, folded to a power of 8; any operator", NULL, 8, 0, 0},
    {BINE_ALLREDUCE, "reduce-bcast", "binomial", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_REDUCE_THEN_BCAST, FAMILY(BINOMIAL), FAR, PLACE(RANK), BINE_STEPS_TWO_LOG,
     "binomial reduce to rank 0, binomial broadcast, both near-first (as Open MPI: nonoverlapping with both binomial)", NULL, 0, 0, 0},
    {BINE_ALLREDUCE, "double-binary", "binary", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_REDUCE_BCAST, FAMILY(DOUBLE), NEAR, PLACE(RANK), BINE_STEPS_PIPELINE,
     "reduce and broadcast on two complementary binary trees, in segments", NULL, 0, 2, 2},
    {BINE_ALLREDUCE, "swing", "swing", EVEN, 1, LAYOUTS_RUNS, BINE_MAKE_ALLREDUCE, FAMILY(BINE_PAPER), FAR, PLACE(RANK), BINE_STEPS_TWO_LOG,
     "reduce-scatter near-first, allgather far-first, with the distances of Swing, block by block", NULL, 0, 0, 0},
    {BINE_ALLREDUCE, "circulant", "circulant", ANY, 1, LAYOUTS_RUNS, BINE_MAKE_ALLREDUCE, FAMILY(CIRCULANT), NEAR, PLACE(RANK), BINE_STEPS_TWO_LOG,
     "reduce-scatter and allgather on the circulant graph: circular runs", NULL, 0, 0, 0},
    {BINE_ALLREDUCE, "bucket", "ring", ANY, 1, LAYOUTS_RUNS, BINE_MAKE_ALLREDUCE, FAMILY(BUCKET), NEAR, PLACE(RANK), BINE_STEPS_TWO_BUCKETS,
     "reduce-scatter and allgather on a grid, ring by ring", NULL, 0, 0, 0},
    {BINE_ALLREDUCE, "ring-segmented", "ring", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_RINGS, FAMILY(RING_BACK), NEAR, PLACE(RANK), BINE_STEPS_PIPELINE,
     "ring with the blocks in segments, one reduce-scatter each (as Open MPI: segmented_ring)", NULL, 0, 1, 0},
    {BINE_ALLREDUCE, "bine-group", "bine", ANY, 1, LAYOUTS_SETS, BINE_MAKE_GROUP_ALLREDUCE, FAMILY(BINE), FAR, PLACE(RANK), BINE_STEPS_PIPELINE,
     "reduce-scatter in the groups and across, and back, in segments", NULL, 0, 1, 1},
    {BINE_ALLREDUCE, "bine-torus", "bine", ANY, 1, LAYOUTS_ALL, BINE_MAKE_ALLREDUCE, FAMILY(TORUS), FAR, PLACE(TORUS), BINE_STEPS_TWO_DIMS,
     "reduce-scatter near-first, allgather far-first, dimension by dimension", NULL, 0, 0, 0},
    {BINE_ALLREDUCE, "bine-torus-small", "bine", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_BUTTERFLY, FAMILY(TORUS), FAR, PLACE(RANK), BINE_STEPS_DIMS_FOLD,
     "far-first Bine butterfly of whole vectors, each dimension folded to a power of two", NULL, 0, 0, 0},
    {BINE_ALLREDUCE, "swing-torus", "swing", EVEN, 1, LAYOUTS_RUNS, BINE_MAKE_ALLREDUCE, FAMILY(TORUS_PAPER), FAR, PLACE(RANK), BINE_STEPS_TWO_DIMS,
     "swing, dimension by dimension, block by block", NULL, 0, 0, 0},
    {BINE_ALLREDUCE, "recursive-doubling-torus", "binomial", POW2, 1, LAYOUTS_SETS, BINE_MAKE_ALLREDUCE, FAMILY(TORUS_HYPERCUBE), FAR, PLACE(RANK), BINE_STEPS_TWO_DIMS,
     "reduce-scatter near-first, allgather far-first, on the hypercube, dimension by dimension", NULL, 0, 0, 0},
    {BINE_ALLREDUCE, "recursive-doubling-torus-small", "binomial", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_BUTTERFLY, FAMILY(TORUS_HYPERCUBE), NEAR, PLACE(RANK), BINE_STEPS_DIMS_FOLD,
     "near-first hypercube of whole vectors, each dimension folded to a power of two", NULL, 0, 0, 0},
    {BINE_ALLREDUCE, "bucket-torus", "ring", ANY, 1, LAYOUTS_RUNS, BINE_MAKE_ALLREDUCE, FAMILY(TORUS_BUCKET), NEAR, PLACE(RANK), BINE_STEPS_TWO_DIMS_RINGS,
     "reduce-scatter and allgather on rings, one dimension after the other", NULL, 0, 0, 0},
    {BINE_ALLREDUCE, "board-flat", "board", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BOARD_FLAT, FAMILY(STAR), NEAR, PLACE(RANK), BINE_STEPS_ONE,
     "everyone publishes and adds up in rank order; any operator", NULL, 0, 0, 0},
    {BINE_ALLREDUCE, "board-levels", "board", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BOARD_LEVELS, FAMILY(STAR), NEAR, PLACE(RANK), BINE_STEPS_TEAMS,
     "added up in each of sqrt(p) teams, then over the teams, in rank order; any operator", NULL, 0, 0, 0},
    {BINE_ALLREDUCE, "board-shared", "board", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BOARD_SHARED, FAMILY(STAR), NEAR, PLACE(RANK), BINE_STEPS_TWO,
     "everyone adds up its block and publishes the sum for all, in rank order; any operator", NULL, 0, 0, 0},

    {BINE_GATHER, "bine-near", "bine", ANY, 0, LAYOUTS_RUNS, BINE_MAKE_GATHER, FAMILY(SPLIT), FAR, PLACE(RANK), BINE_STEPS_LOG,
     "near-first: the far-first Bine tree (split tree) backwards; circular runs", "bine", 0, 0, 0},
    {BINE_GATHER, "bine-far", "bine", EVEN, 0, LAYOUTS_SETS, BINE_MAKE_GATHER, FAMILY(BINE), NEAR, PLACE(RANK), BINE_STEPS_LOG,
     "far-first: the near-first Bine tree backwards", NULL, 0, 0, 0},
    {BINE_GATHER, "binomial-near", "binomial", ANY, 0, LAYOUTS_SETS, BINE_MAKE_GATHER, FAMILY(BINOMIAL), FAR, PLACE(RANK), BINE_STEPS_LOG,
     "near-first: the far-first binomial tree backwards (as Open MPI and MPICH)", NULL, 0, 0, 0},
    {BINE_GATHER, "binomial-far", "binomial", ANY, 0, LAYOUTS_SETS, BINE_MAKE_GATHER, FAMILY(BINOMIAL), NEAR, PLACE(RANK), BINE_STEPS_LOG,
     "far-first: the near-first binomial tree backwards", NULL, 0, 0, 0},
    {BINE_GATHER, "linear", "linear", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_GATHER, FAMILY(STAR), FAR, PLACE(RANK), BINE_STEPS_ONE,
     "everyone sends to the root (as Open MPI: basic_linear)", NULL, 0, 0, 0},
    {BINE_GATHER, "bine-group", "bine", ANY, 0, LAYOUTS_SETS, BINE_MAKE_GROUP_GATHER, FAMILY(BINE), FAR, PLACE(RANK), BINE_STEPS_PIPELINE,
     "a Bine tree in each group, then directly to the root", NULL, 0, 0, 0},
    {BINE_GATHER, "bine-torus", "bine", ANY, 0, LAYOUTS_ALL, BINE_MAKE_GATHER, FAMILY(TORUS), FAR, PLACE(TORUS), BINE_STEPS_DIMS,
     "near-first: the far-first Bine tree backwards, dimension by dimension", NULL, 0, 0, 0},
    {BINE_GATHER, "bine-torus-far", "bine", EVEN, 0, LAYOUTS_ALL, BINE_MAKE_GATHER, FAMILY(TORUS), NEAR, PLACE(TORUS), BINE_STEPS_DIMS,
     "far-first: the near-first Bine tree backwards, dimension by dimension", NULL, 0, 0, 0},
    {BINE_GATHER, "board-flat", "board", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BOARD_FLAT, FAMILY(STAR), NEAR, PLACE(RANK), BINE_STEPS_ONE,
     "everyone publishes, the root reads", NULL, 0, 0, 0},
    {BINE_GATHER, "board-levels", "board", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BOARD_LEVELS, FAMILY(STAR), NEAR, PLACE(RANK), BINE_STEPS_TEAMS,
     "collected by one rank of each of sqrt(p) teams, then by the root", NULL, 0, 0, 0},
    {BINE_GATHER, "board-direct", "board", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BOARD_DIRECT, FAMILY(STAR), NEAR, PLACE(RANK), BINE_STEPS_ONE,
     "the root reads from the memory of everyone: one copy", NULL, 0, 0, 0},

    {BINE_SCATTER, "bine-far", "bine", ANY, 0, LAYOUTS_RUNS, BINE_MAKE_SCATTER, FAMILY(SPLIT), FAR, PLACE(RANK), BINE_STEPS_LOG,
     "far-first Bine tree (split tree); circular runs", "bine", 0, 0, 0},
    {BINE_SCATTER, "bine-near", "bine", EVEN, 0, LAYOUTS_SETS, BINE_MAKE_SCATTER, FAMILY(BINE), NEAR, PLACE(RANK), BINE_STEPS_LOG,
     "near-first Bine tree", NULL, 0, 0, 0},
    {BINE_SCATTER, "binomial-far", "binomial", ANY, 0, LAYOUTS_SETS, BINE_MAKE_SCATTER, FAMILY(BINOMIAL), FAR, PLACE(RANK), BINE_STEPS_LOG,
     "far-first binomial tree (as Open MPI and MPICH)", NULL, 0, 0, 0},
    {BINE_SCATTER, "binomial-near", "binomial", ANY, 0, LAYOUTS_SETS, BINE_MAKE_SCATTER, FAMILY(BINOMIAL), NEAR, PLACE(RANK), BINE_STEPS_LOG,
     "near-first binomial tree", NULL, 0, 0, 0},
    {BINE_SCATTER, "linear", "linear", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_SCATTER, FAMILY(STAR), FAR, PLACE(RANK), BINE_STEPS_ONE,
     "the root sends to everyone (as Open MPI: basic_linear, linear_nb)", NULL, 0, 0, 0},
    {BINE_SCATTER, "bine-group", "bine", ANY, 0, LAYOUTS_SETS, BINE_MAKE_GROUP_SCATTER, FAMILY(BINE), FAR, PLACE(RANK), BINE_STEPS_PIPELINE,
     "directly to a rank of each group, then a Bine tree in it", NULL, 0, 0, 0},
    {BINE_SCATTER, "bine-torus", "bine", ANY, 0, LAYOUTS_ALL, BINE_MAKE_SCATTER, FAMILY(TORUS), FAR, PLACE(TORUS), BINE_STEPS_DIMS,
     "far-first Bine tree, dimension by dimension", NULL, 0, 0, 0},
    {BINE_SCATTER, "bine-torus-near", "bine", EVEN, 0, LAYOUTS_ALL, BINE_MAKE_SCATTER, FAMILY(TORUS), NEAR, PLACE(TORUS), BINE_STEPS_DIMS,
     "near-first Bine tree, dimension by dimension", NULL, 0, 0, 0},
    {BINE_SCATTER, "board-flat", "board", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BOARD_FLAT, FAMILY(STAR), NEAR, PLACE(RANK), BINE_STEPS_ONE,
     "the root publishes, everyone reads its block", NULL, 0, 0, 0},
    {BINE_SCATTER, "board-levels", "board", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BOARD_LEVELS, FAMILY(STAR), NEAR, PLACE(RANK), BINE_STEPS_TEAMS,
     "the root publishes for one rank of each of sqrt(p) teams, which publishes for its team", NULL, 0, 0, 0},
    {BINE_SCATTER, "board-direct", "board", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BOARD_DIRECT, FAMILY(STAR), NEAR, PLACE(RANK), BINE_STEPS_ONE,
     "everyone reads its block from the memory of the root: one copy", NULL, 0, 0, 0},

    {BINE_ALLGATHER, "bine-far", "bine", ANY, 0, LAYOUTS_ALL, BINE_MAKE_ALLGATHER, FAMILY(BINE), FAR, PLACE(NU), BINE_STEPS_LOG,
     "far-first Bine butterfly; odd p: rotated split trees", "bine-large", 0, 0, 0},
    {BINE_ALLGATHER, "bine-near", "bine", EVEN, 0, LAYOUTS_RUNS, BINE_MAKE_ALLGATHER, FAMILY(BINE), NEAR, PLACE(RANK), BINE_STEPS_LOG,
     "near-first Bine butterfly: circular runs (two transmissions)", "bine-large-two", 0, 0, 0},
    {BINE_ALLGATHER, "bine-far-paper", "bine", EVEN, 0, LAYOUTS_SETS, BINE_MAKE_ALLGATHER, FAMILY(BINE_PAPER), FAR, PLACE(RANK), BINE_STEPS_LOG,
     "bine-far with the paper's distances", NULL, 0, 0, 0},
    {BINE_ALLGATHER, "recursive-doubling", "binomial", POW2, 0, LAYOUTS_WHOLE, BINE_MAKE_ALLGATHER, FAMILY(HYPERCUBE), NEAR, PLACE(RANK), BINE_STEPS_LOG,
     "near-first hypercube (as Open MPI and MPICH)", NULL, 0, 0, 0},
    {BINE_ALLGATHER, "sparbit", "binomial", ANY, 0, LAYOUTS_SETS, BINE_MAKE_ALLGATHER, FAMILY(BINOMIAL), FAR, PLACE(RANK), BINE_STEPS_LOG,
     "far-first binomial trees, rotated", NULL, 0, 0, 0},
    {BINE_ALLGATHER, "bruck", "binomial", ANY, 0, LAYOUTS_SETS, BINE_MAKE_ALLGATHER, FAMILY(KNOMIAL_BACK), NEAR, PLACE(RANK), BINE_STEPS_LOG,
     "near-first binomial trees, rotated: circular runs (as Open MPI: bruck, MPICH: brucks)", NULL, 2, 0, 0},
    {BINE_ALLGATHER, "ring", "ring", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_ALLGATHER, FAMILY(RING), NEAR, PLACE(RANK), BINE_STEPS_RING,
     "blocks go round a ring (as Open MPI and MPICH)", NULL, 0, 0, 0},
    {BINE_ALLGATHER, "linear", "linear", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_ALLGATHER, FAMILY(STAR), NEAR, PLACE(RANK), BINE_STEPS_ONE,
     "everyone sends to everyone", NULL, 0, 0, 0},
    {BINE_ALLGATHER, "neighbour-exchange", "ring", EVEN, 0, LAYOUTS_RUNS, BINE_MAKE_ALLGATHER, FAMILY(NEIGHBOUR), NEAR, PLACE(RANK), BINE_STEPS_HALF,
     "alternating neighbours, two blocks at a time (as Open MPI: neighbor)", NULL, 0, 0, 0},
    {BINE_ALLGATHER, "circulant", "circulant", ANY, 0, LAYOUTS_RUNS, BINE_MAKE_ALLGATHER, FAMILY(CIRCULANT), NEAR, PLACE(RANK), BINE_STEPS_LOG,
     "circulant graph: circular runs", NULL, 0, 0, 0},
    {BINE_ALLGATHER, "swing", "swing", EVEN, 0, LAYOUTS_RUNS, BINE_MAKE_ALLGATHER, FAMILY(BINE_PAPER), FAR, PLACE(RANK), BINE_STEPS_LOG,
     "far-first with the distances of Swing, block by block", NULL, 0, 0, 0},
    {BINE_ALLGATHER, "bruck-3", "binomial", ANY, 0, LAYOUTS_RUNS, BINE_MAKE_ALLGATHER, FAMILY(KNOMIAL_BACK), NEAR, PLACE(RANK), BINE_STEPS_RADIX,
     "near-first k-nomial trees, rotated, radix 3", NULL, 3, 0, 0},
    {BINE_ALLGATHER, "bruck-4", "binomial", ANY, 0, LAYOUTS_RUNS, BINE_MAKE_ALLGATHER, FAMILY(KNOMIAL_BACK), NEAR, PLACE(RANK), BINE_STEPS_RADIX,
     "near-first k-nomial trees, rotated, radix 4", NULL, 4, 0, 0},
    {BINE_ALLGATHER, "bruck-5", "binomial", ANY, 0, LAYOUTS_RUNS, BINE_MAKE_ALLGATHER, FAMILY(KNOMIAL_BACK), NEAR, PLACE(RANK), BINE_STEPS_RADIX,
     "near-first k-nomial trees, rotated, radix 5", NULL, 5, 0, 0},
    {BINE_ALLGATHER, "bruck-6", "binomial", ANY, 0, LAYOUTS_RUNS, BINE_MAKE_ALLGATHER, FAMILY(KNOMIAL_BACK), NEAR, PLACE(RANK), BINE_STEPS_RADIX,
     "near-first k-nomial trees, rotated, radix 6", NULL, 6, 0, 0},
    {BINE_ALLGATHER, "bruck-7", "binomial", ANY, 0, LAYOUTS_RUNS, BINE_MAKE_ALLGATHER, FAMILY(KNOMIAL_BACK), NEAR, PLACE(RANK), BINE_STEPS_RADIX,
     "near-first k-nomial trees, rotated, radix 7", NULL, 7, 0, 0},
    {BINE_ALLGATHER, "bruck-8", "binomial", ANY, 0, LAYOUTS_RUNS, BINE_MAKE_ALLGATHER, FAMILY(KNOMIAL_BACK), NEAR, PLACE(RANK), BINE_STEPS_RADIX,
     "near-first k-nomial trees, rotated, radix 8", NULL, 8, 0, 0},
    {BINE_ALLGATHER, "bucket", "ring", ANY, 0, LAYOUTS_RUNS, BINE_MAKE_ALLGATHER, FAMILY(BUCKET), NEAR, PLACE(RANK), BINE_STEPS_BUCKET,
     "rings along the rows, then along the columns of a grid", NULL, 0, 0, 0},
    {BINE_ALLGATHER, "bine-group", "bine", ANY, 0, LAYOUTS_SETS, BINE_MAKE_GROUP_ALLGATHER, FAMILY(BINE), FAR, PLACE(RANK), BINE_STEPS_PIPELINE,
     "each block crosses into every group once, then spreads in it", NULL, 0, 1, 1},
    {BINE_ALLGATHER, "bine-torus", "bine", ANY, 0, LAYOUTS_ALL, BINE_MAKE_ALLGATHER, FAMILY(TORUS), FAR, PLACE(TORUS), BINE_STEPS_DIMS,
     "far-first, dimension by dimension; rotated split trees in odd dimensions", NULL, 0, 0, 0},
    {BINE_ALLGATHER, "bine-torus-near", "bine", EVEN, 0, LAYOUTS_SETS, BINE_MAKE_ALLGATHER, FAMILY(TORUS), NEAR, PLACE(RANK), BINE_STEPS_DIMS,
     "near-first, dimension by dimension", NULL, 0, 0, 0},
    {BINE_ALLGATHER, "swing-torus", "swing", EVEN, 0, LAYOUTS_RUNS, BINE_MAKE_ALLGATHER, FAMILY(TORUS_PAPER), FAR, PLACE(RANK), BINE_STEPS_DIMS,
     "swing, dimension by dimension, block by block", NULL, 0, 0, 0},
    {BINE_ALLGATHER, "recursive-doubling-torus", "binomial", POW2, 0, LAYOUTS_SETS, BINE_MAKE_ALLGATHER, FAMILY(TORUS_HYPERCUBE), NEAR, PLACE(RANK), BINE_STEPS_DIMS,
     "near-first hypercube, dimension by dimension", NULL, 0, 0, 0},
    {BINE_ALLGATHER, "bucket-torus", "ring", ANY, 0, LAYOUTS_RUNS, BINE_MAKE_ALLGATHER, FAMILY(TORUS_BUCKET), NEAR, PLACE(RANK), BINE_STEPS_DIMS_RINGS,
     "rings, one dimension after the other", NULL, 0, 0, 0},
    {BINE_ALLGATHER, "board-flat", "board", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BOARD_FLAT, FAMILY(STAR), NEAR, PLACE(RANK), BINE_STEPS_ONE,
     "everyone publishes and reads the others", NULL, 0, 0, 0},
    {BINE_ALLGATHER, "board-levels", "board", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BOARD_LEVELS, FAMILY(STAR), NEAR, PLACE(RANK), BINE_STEPS_TEAMS,
     "in each of sqrt(p) teams, then between the teams", NULL, 0, 0, 0},
    {BINE_ALLGATHER, "board-direct", "board", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BOARD_DIRECT, FAMILY(STAR), NEAR, PLACE(RANK), BINE_STEPS_ONE,
     "everyone reads from the memory of the others: one copy", NULL, 0, 0, 0},

    {BINE_ALLTOALL, "bine-far", "bine", ANY, 0, LAYOUTS_SETS, BINE_MAKE_ALLTOALL, FAMILY(BINE), FAR, PLACE(RANK), BINE_STEPS_LOG,
     "far-first Bine butterfly; odd p: rotated split trees", "bine", 0, 0, 0},
    {BINE_ALLTOALL, "bine-near", "bine", EVEN, 0, LAYOUTS_SETS, BINE_MAKE_ALLTOALL, FAMILY(BINE), NEAR, PLACE(RANK), BINE_STEPS_LOG,
     "near-first Bine butterfly", NULL, 0, 0, 0},
    {BINE_ALLTOALL, "bruck", "binomial", ANY, 0, LAYOUTS_SETS, BINE_MAKE_ALLTOALL, FAMILY(BINOMIAL), NEAR, PLACE(RANK), BINE_STEPS_LOG,
     "near-first binomial trees, rotated (as Open MPI: modified_bruck, MPICH: brucks)", NULL, 0, 0, 0},
    {BINE_ALLTOALL, "linear", "linear", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_ALLTOALL, FAMILY(STAR), NEAR, PLACE(RANK), BINE_STEPS_ONE,
     "everyone sends to everyone (as Open MPI: linear, MPICH: scattered)", NULL, 0, 0, 0},
    {BINE_ALLTOALL, "pairwise", "linear", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_ALLTOALL, FAMILY(PAIRWISE), NEAR, PLACE(RANK), BINE_STEPS_RING,
     "every step a permutation of the ranks (as Open MPI and MPICH)", NULL, 0, 0, 0},
    {BINE_ALLTOALL, "bruck-3", "binomial", ANY, 0, LAYOUTS_SETS, BINE_MAKE_ALLTOALL, FAMILY(KNOMIAL), NEAR, PLACE(RANK), BINE_STEPS_RADIX,
     "near-first k-nomial trees, rotated, radix 3", NULL, 3, 0, 0},
    {BINE_ALLTOALL, "bruck-4", "binomial", ANY, 0, LAYOUTS_SETS, BINE_MAKE_ALLTOALL, FAMILY(KNOMIAL), NEAR, PLACE(RANK), BINE_STEPS_RADIX,
     "near-first k-nomial trees, rotated, radix 4", NULL, 4, 0, 0},
    {BINE_ALLTOALL, "bruck-5", "binomial", ANY, 0, LAYOUTS_SETS, BINE_MAKE_ALLTOALL, FAMILY(KNOMIAL), NEAR, PLACE(RANK), BINE_STEPS_RADIX,
     "near-first k-nomial trees, rotated, radix 5", NULL, 5, 0, 0},
    {BINE_ALLTOALL, "bruck-6", "binomial", ANY, 0, LAYOUTS_SETS, BINE_MAKE_ALLTOALL, FAMILY(KNOMIAL), NEAR, PLACE(RANK), BINE_STEPS_RADIX,
     "near-first k-nomial trees, rotated, radix 6", NULL, 6, 0, 0},
    {BINE_ALLTOALL, "bruck-7", "binomial", ANY, 0, LAYOUTS_SETS, BINE_MAKE_ALLTOALL, FAMILY(KNOMIAL), NEAR, PLACE(RANK), BINE_STEPS_RADIX,
     "near-first k-nomial trees, rotated, radix 7", NULL, 7, 0, 0},
    {BINE_ALLTOALL, "bruck-8", "binomial", ANY, 0, LAYOUTS_SETS, BINE_MAKE_ALLTOALL, FAMILY(KNOMIAL), NEAR, PLACE(RANK), BINE_STEPS_RADIX,
     "near-first k-nomial trees, rotated, radix 8", NULL, 8, 0, 0},
    {BINE_ALLTOALL, "bine-group", "bine", ANY, 0, LAYOUTS_SETS, BINE_MAKE_GROUP_ALLTOALL, FAMILY(BINE), FAR, PLACE(RANK), BINE_STEPS_PIPELINE,
     "collected in the group for each rank outside it, then directly", NULL, 0, 0, 0},
    {BINE_ALLTOALL, "bine-torus", "bine", ANY, 0, LAYOUTS_SETS, BINE_MAKE_ALLTOALL, FAMILY(TORUS), FAR, PLACE(RANK), BINE_STEPS_DIMS,
     "far-first, dimension by dimension; rotated split trees in odd dimensions", NULL, 0, 0, 0},
    {BINE_ALLTOALL, "bine-torus-near", "bine", EVEN, 0, LAYOUTS_SETS, BINE_MAKE_ALLTOALL, FAMILY(TORUS), NEAR, PLACE(RANK), BINE_STEPS_DIMS,
     "near-first, dimension by dimension", NULL, 0, 0, 0},
    {BINE_ALLTOALL, "board-flat", "board", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BOARD_FLAT, FAMILY(STAR), NEAR, PLACE(RANK), BINE_STEPS_ONE,
     "everyone publishes and reads its block of the others", NULL, 0, 0, 0},
    {BINE_ALLTOALL, "board-levels", "board", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BOARD_LEVELS, FAMILY(STAR), NEAR, PLACE(RANK), BINE_STEPS_TEAMS,
     "collected in each of sqrt(p) teams for ranks of all, then read by them", NULL, 0, 0, 0},
    {BINE_ALLTOALL, "board-direct", "board", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BOARD_DIRECT, FAMILY(STAR), NEAR, PLACE(RANK), BINE_STEPS_ONE,
     "everyone reads its block from the memory of the others: one copy", NULL, 0, 0, 0},

    {BINE_REDUCE_SCATTER, "bine-near", "bine", ANY, 1, LAYOUTS_ALL, BINE_MAKE_REDUCE_SCATTER, FAMILY(BINE), FAR, PLACE(NU), BINE_STEPS_LOG,
     "near-first: the far-first Bine allgather backwards", "bine-large", 0, 0, 0},
    {BINE_REDUCE_SCATTER, "bine-far", "bine", EVEN, 1, LAYOUTS_RUNS, BINE_MAKE_REDUCE_SCATTER, FAMILY(BINE), NEAR, PLACE(RANK), BINE_STEPS_LOG,
     "far-first: circular runs (two transmissions)", "bine-large-two", 0, 0, 0},
    {BINE_REDUCE_SCATTER, "bine-near-paper", "bine", EVEN, 1, LAYOUTS_SETS, BINE_MAKE_REDUCE_SCATTER, FAMILY(BINE_PAPER), FAR, PLACE(RANK), BINE_STEPS_LOG,
     "bine-near with the paper's distances", NULL, 0, 0, 0},
    {BINE_REDUCE_SCATTER, "recursive-halving", "binomial", POW2, 1, LAYOUTS_WHOLE, BINE_MAKE_REDUCE_SCATTER, FAMILY(HYPERCUBE), NEAR, PLACE(RANK), BINE_STEPS_LOG,
     "far-first hypercube (as Open MPI and MPICH)", NULL, 0, 0, 0},
    {BINE_REDUCE_SCATTER, "ring", "ring", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_REDUCE_SCATTER, FAMILY(RING_BACK), NEAR, PLACE(RANK), BINE_STEPS_RING,
     "partial sums go round a ring (as Open MPI)", NULL, 0, 0, 0},
    {BINE_REDUCE_SCATTER, "linear", "linear", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_REDUCE_SCATTER_ORDERED, FAMILY(STAR), NEAR, PLACE(RANK), BINE_STEPS_ONE,
     "everyone sends to everyone, then reduces in rank order; any operator", NULL, 0, 0, 0},
    {BINE_REDUCE_SCATTER, "pairwise", "linear", ANY, 1, LAYOUTS_WHOLE, BINE_MAKE_REDUCE_SCATTER, FAMILY(PAIRWISE), NEAR, PLACE(RANK), BINE_STEPS_RING,
     "every step a permutation of the ranks (as MPICH)", NULL, 0, 0, 0},
    {BINE_REDUCE_SCATTER, "circulant", "circulant", ANY, 1, LAYOUTS_RUNS, BINE_MAKE_REDUCE_SCATTER, FAMILY(CIRCULANT), NEAR, PLACE(RANK), BINE_STEPS_LOG,
     "circulant graph: circular runs, ceil(log2 p) rounds", NULL, 0, 0, 0},
    {BINE_REDUCE_SCATTER, "swing", "swing", EVEN, 1, LAYOUTS_RUNS, BINE_MAKE_REDUCE_SCATTER, FAMILY(BINE_PAPER), FAR, PLACE(RANK), BINE_STEPS_LOG,
     "near-first with the distances of Swing, block by block", NULL, 0, 0, 0},
    {BINE_REDUCE_SCATTER, "recursive-doubling", "binomial", POW2, 0, LAYOUTS_SETS, BINE_MAKE_REDUCE_SCATTER_DOUBLING, FAMILY(HYPERCUBE), NEAR, PLACE(RANK), BINE_STEPS_LOG,
     "near-first hypercube, partial sums of all blocks of others; any operator (as Open MPI and MPICH)", NULL, 0, 0, 0},
    {BINE_REDUCE_SCATTER, "bucket", "ring", ANY, 1, LAYOUTS_RUNS, BINE_MAKE_REDUCE_SCATTER, FAMILY(BUCKET), NEAR, PLACE(RANK), BINE_STEPS_BUCKET,
     "rings along the columns, then along the rows of a grid", NULL, 0, 0, 0},
    {BINE_REDUCE_SCATTER, "bine-group", "bine", ANY, 1, LAYOUTS_SETS, BINE_MAKE_GROUP_REDUCE_SCATTER, FAMILY(BINE), FAR, PLACE(RANK), BINE_STEPS_PIPELINE,
     "added up in each group, then each block crosses out of it once", NULL, 0, 1, 1},
    {BINE_REDUCE_SCATTER, "bine-torus", "bine", ANY, 1, LAYOUTS_ALL, BINE_MAKE_REDUCE_SCATTER, FAMILY(TORUS), FAR, PLACE(TORUS), BINE_STEPS_DIMS,
     "near-first, dimension by dimension: the far-first allgather backwards", NULL, 0, 0, 0},
    {BINE_REDUCE_SCATTER, "bine-torus-far", "bine", EVEN, 1, LAYOUTS_SETS, BINE_MAKE_REDUCE_SCATTER, FAMILY(TORUS), NEAR, PLACE(RANK), BINE_STEPS_DIMS,
     "far-first, dimension by dimension", NULL, 0, 0, 0},
    {BINE_REDUCE_SCATTER, "swing-torus", "swing", EVEN, 1, LAYOUTS_RUNS, BINE_MAKE_REDUCE_SCATTER, FAMILY(TORUS_PAPER), FAR, PLACE(RANK), BINE_STEPS_DIMS,
     "swing, dimension by dimension, block by block", NULL, 0, 0, 0},
    {BINE_REDUCE_SCATTER, "recursive-doubling-torus", "binomial", POW2, 1, LAYOUTS_SETS, BINE_MAKE_REDUCE_SCATTER, FAMILY(TORUS_HYPERCUBE), NEAR, PLACE(RANK), BINE_STEPS_DIMS,
     "far-first hypercube, dimension by dimension", NULL, 0, 0, 0},
    {BINE_REDUCE_SCATTER, "bucket-torus", "ring", ANY, 1, LAYOUTS_RUNS, BINE_MAKE_REDUCE_SCATTER, FAMILY(TORUS_BUCKET), NEAR, PLACE(RANK), BINE_STEPS_DIMS_RINGS,
     "rings, one dimension after the other", NULL, 0, 0, 0},
    {BINE_REDUCE_SCATTER, "board-flat", "board", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BOARD_FLAT, FAMILY(STAR), NEAR, PLACE(RANK), BINE_STEPS_ONE,
     "everyone publishes and adds up its block in rank order; any operator", NULL, 0, 0, 0},
    {BINE_REDUCE_SCATTER, "board-levels", "board", ANY, 0, LAYOUTS_WHOLE, BINE_MAKE_BOARD_LEVELS, FAMILY(STAR), NEAR, PLACE(RANK), BINE_STEPS_TEAMS,
     "added up in each of sqrt(p) teams, then over the teams, in rank order; any operator", NULL, 0, 0, 0},
};
/* clang-format on */
const size_t bine_catalogue_size = sizeof bine_catalogue / sizeof *bine_catalogue;

static const char *const collective_names[] = {
    "bcast", "reduce", "allreduce", "gather", "scatter", "allgather", "alltoall", "reduce_scatter"};
static const char *const layout_names[] = {"blocks", "pack", "permute", "send"};
static const char *const ranks_names[] = {"any", "even", "pow2"};

const char *bine_collective_name(enum bine_collective c) {
    return collective_names[c];
}
const char *bine_layout_name(enum bine_layout l) {
    return layout_names[l];
}
const char *bine_ranks_name(enum bine_ranks r) {
    return ranks_names[r];
}

static int find(const char *name, const char *const *names, int n) {
    for (int i = 0; i < n; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    return -1;
}

int bine_collective_find(const char *name) {
    if (strcmp(name, "reduce_scatter_block") == 0)
        return BINE_REDUCE_SCATTER;
    return find(name, collective_names, BINE_COLLECTIVES);
}

int bine_layout_find(const char *name) {
    return find(name, layout_names, BINE_LAYOUTS);
}

const struct bine_algorithm *bine_algorithm_find(enum bine_collective c, const char *name) {
    for (size_t i = 0; i < bine_catalogue_size; i++) {
        const struct bine_algorithm *a = &bine_catalogue[i];
        if (a->collective == c &&
            (strcmp(a->name, name) == 0 || (a->alias && strcmp(a->alias, name) == 0)))
            return a;
    }
    return NULL;
}

const char *bine_algorithm_suggest(enum bine_collective c, const char *name) {
    const char *names[64];
    size_t n = 0;
    for (size_t i = 0; i < bine_catalogue_size && n < 64; i++)
        if (bine_catalogue[i].collective == c)
            names[n++] = bine_catalogue[i].name;
    return bine_nearest_word(name, names, n);
}

enum bine_needs bine_algorithm_needs(const struct bine_algorithm *a) {
    if (a->tree >= BINE_FAMILY_TORUS)
        return BINE_NEEDS_DIMS;
    if (a->composition >= BINE_MAKE_BOARD_FLAT && a->composition <= BINE_MAKE_BOARD_LEVELS)
        return BINE_NEEDS_BOARDS;
    return a->composition >= BINE_MAKE_GROUP_BCAST && a->composition <= BINE_MAKE_GROUP_ALLTOALL
               ? BINE_NEEDS_GROUPS
               : BINE_NEEDS_NOTHING;
}

int bine_algorithm_serves(const struct bine_algorithm *a, int p) {
    return bine_algorithm_needs(a) == BINE_NEEDS_NOTHING && bine_algorithm_takes(a, p);
}

int bine_algorithm_takes(const struct bine_algorithm *a, int p) {
    return p == 1 || a->ranks == BINE_RANKS_ANY || (a->ranks == BINE_RANKS_EVEN && p % 2 == 0) ||
           bine_is_pow2(p);
}

int bine_algorithm_takes_dims(const struct bine_algorithm *a, const struct bine_shape *dims) {
    for (int k = 0; k < dims->dims; k++)
        if (!bine_algorithm_takes(a, dims->size[k]))
            return 0;
    return 1;
}

/* The subtrees of one tree are runs of its post-order for every p; those of all trees at once are
 * for powers of two. */
int bine_algorithm_has_layout(const struct bine_algorithm *a, enum bine_layout l, int p) {
    int one_tree = a->composition == BINE_MAKE_SCATTER || a->composition == BINE_MAKE_GATHER;
    for (int i = 0; a->layouts[i] >= 0; i++)
        if (a->layouts[i] == (int)l)
            return (l != BINE_PERMUTE && l != BINE_SEND) || one_tree || bine_is_pow2(p);
    return 0;
}

enum bine_layout bine_algorithm_layout(const struct bine_algorithm *a, int p) {
    int i = 0;
    while (!bine_algorithm_has_layout(a, (enum bine_layout)a->layouts[i], p))
        i++;
    return (enum bine_layout)a->layouts[i];
}

static int power(int radix, int exponent) {
    int n = 1;
    while (exponent-- > 0)
        n *= radix;
    return n;
}

/* The layout send puts the blocks right with one more exchange; where two phases undo each other it
 * has nothing to do. Of two ranks nothing is out of place, but for the post-orders of tori. */
static int fix_steps(const struct bine_algorithm *a, int p, enum bine_layout l) {
    return l == BINE_SEND && p > (bine_algorithm_needs(a) == BINE_NEEDS_DIMS ? 1 : 2) &&
           (a->composition == BINE_MAKE_ALLGATHER || a->composition == BINE_MAKE_REDUCE_SCATTER ||
            a->composition == BINE_MAKE_SCATTER || a->composition == BINE_MAKE_GATHER);
}

static int dims_steps(const struct bine_algorithm *a, const struct bine_shape *dims) {
    int log = 0, fold = 0, rings = 0;
    for (int k = 0; k < dims->dims; k++) {
        int size = dims->size[k];
        log += bine_log2_ceil(size);
        fold += bine_log_floor(size, 2) + (bine_is_pow2(size) ? 0 : 2);
        rings += size - 1;
    }
    switch (a->promise) {
    case BINE_STEPS_TWO_DIMS:
        return 2 * log;
    case BINE_STEPS_DIMS_FOLD:
        return fold;
    case BINE_STEPS_DIMS_RINGS:
        return rings;
    case BINE_STEPS_TWO_DIMS_RINGS:
        return 2 * rings;
    default:
        return log;
    }
}

int bine_algorithm_steps_on(const struct bine_algorithm *a, int p, const struct bine_shape *dims,
                            enum bine_layout l) {
    if (bine_algorithm_needs(a) != BINE_NEEDS_DIMS)
        return bine_algorithm_steps(a, p, l);
    return p == 1 ? 0 : dims == NULL ? -1 : dims_steps(a, dims) + fix_steps(a, p, l);
}

int bine_algorithm_steps(const struct bine_algorithm *a, int p, enum bine_layout l) {
    int log = bine_log2_ceil(p), whole;
    if (p == 1)
        return 0;
    switch (a->promise) {
    case BINE_STEPS_LOG:
        return log + fix_steps(a, p, l);
    case BINE_STEPS_TWO_LOG:
        return 2 * log;
    case BINE_STEPS_LOG_ONE:
        return log + 1;
    case BINE_STEPS_FOLD:
        return bine_is_pow2(p) ? log : log + 1;
    case BINE_STEPS_RING:
        return p - 1;
    case BINE_STEPS_TWO_RINGS:
        return 2 * (p - 1);
    case BINE_STEPS_BUCKET:
        return bine_bucket_rows(p) + p / bine_bucket_rows(p) - 2;
    case BINE_STEPS_TWO_BUCKETS:
        return 2 * (bine_bucket_rows(p) + p / bine_bucket_rows(p) - 2);
    case BINE_STEPS_HALF:
        return p / 2;
    case BINE_STEPS_RADIX:
        return bine_log_ceil(p, a->radix);
    case BINE_STEPS_MULTIPLY:
        whole = bine_log_floor(p, a->radix);
        return power(a->radix, whole) == p ? whole : whole + 2;
    case BINE_STEPS_LOG_RING:
        return log + p - 1;
    case BINE_STEPS_FOLD_REDUCE:
        return bine_is_pow2(p) ? 2 * log : 2 * log - 1;
    case BINE_STEPS_FOLD_TWO:
        return 2 * log;
    case BINE_STEPS_FOLD_THREE:
        return bine_is_pow2(p) ? 2 * log : 2 * log + 1;
    case BINE_STEPS_TWO:
        return 2;
    case BINE_STEPS_TEAMS:
        return bine_teams(p) > 1 ? 2 : 1;
    case BINE_STEPS_DIMS:
    case BINE_STEPS_TWO_DIMS:
    case BINE_STEPS_DIMS_FOLD:
    case BINE_STEPS_DIMS_RINGS:
    case BINE_STEPS_TWO_DIMS_RINGS:
    case BINE_STEPS_PIPELINE:
        return -1;
    case BINE_STEPS_ONE:
        break;
    }
    return 1;
}

int bine_collective_is_rooted(enum bine_collective c) {
    return c == BINE_BCAST || c == BINE_REDUCE || c == BINE_GATHER || c == BINE_SCATTER;
}

int bine_collective_reduces(enum bine_collective c) {
    return c == BINE_REDUCE || c == BINE_ALLREDUCE || c == BINE_REDUCE_SCATTER;
}

int bine_collective_has_in_place(enum bine_collective c) {
    return c != BINE_BCAST;
}
