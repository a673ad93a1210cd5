#include "cases.h"

/* The variable for the size of a segment is given its value by the test, as the last one. The
 * layout is named where a message gathers blocks from several places: the libraries make it one. */
/* clang-format off */
const struct library_case library_cases[] = {
    {"openmpi", "linear", BCAST, ANY, 0, "bcast_algorithm=basic_linear"},
    {"openmpi", "chain", BCAST, ANY, 8, "bcast_algorithm=pipeline bcast_algorithm_segmentsize="},
    {"openmpi", "chain", BCAST, ANY, 8, "bcast_algorithm=chain bcast_algorithm_chain_fanout=1 bcast_algorithm_segmentsize="},
    {"openmpi", "split-binary", BCAST, ANY, 8, "bcast_algorithm=split_binary_tree bcast_algorithm_segmentsize="},
    {"openmpi", "binary", BCAST, ANY, 8, "bcast_algorithm=binary_tree bcast_algorithm_segmentsize="},
    {"openmpi", "binomial-near", BCAST, ANY, 0, "bcast_algorithm=binomial"},
    {"openmpi", "knomial-3", BCAST, ANY, 0, "bcast_algorithm=knomial bcast_algorithm_knomial_radix=3"},
    {"openmpi", "knomial-4", BCAST, ANY, 0, "bcast_algorithm=knomial bcast_algorithm_knomial_radix=4"},
    {"openmpi", "knomial-5", BCAST, ANY, 0, "bcast_algorithm=knomial bcast_algorithm_knomial_radix=5"},
    {"openmpi", "knomial-6", BCAST, ANY, 0, "bcast_algorithm=knomial bcast_algorithm_knomial_radix=6"},
    {"openmpi", "knomial-7", BCAST, ANY, 0, "bcast_algorithm=knomial bcast_algorithm_knomial_radix=7"},
    {"openmpi", "knomial-8", BCAST, ANY, 0, "bcast_algorithm=knomial bcast_algorithm_knomial_radix=8"},
    {"openmpi", "scatter-allgather", BCAST, POW2, 0, "bcast_algorithm=scatter_allgather"},
    {"openmpi", "scatter-ring", BCAST, ANY, 0, "bcast_algorithm=scatter_allgather_ring"},

    {"openmpi", "linear", REDUCE, ANY, 0, "reduce_algorithm=linear"},
    {"openmpi", "chain", REDUCE, ANY, 8, "reduce_algorithm=pipeline reduce_algorithm_segmentsize="},
    {"openmpi", "chain", REDUCE, ANY, 8, "reduce_algorithm=chain reduce_algorithm_chain_fanout=1 reduce_algorithm_segmentsize="},
    {"openmpi", "binary", REDUCE, ANY, 8, "reduce_algorithm=binary reduce_algorithm_segmentsize="},
    {"openmpi", "binomial-near", REDUCE, ANY, 0, "reduce_algorithm=binomial"},
    {"openmpi", "rabenseifner-halves", REDUCE, ANY, 0, "reduce_algorithm=rabenseifner"},

    {"openmpi", "reduce-bcast", ALLREDUCE, ANY, 0, "allreduce_algorithm=nonoverlapping reduce_algorithm=binomial bcast_algorithm=binomial"},
    {"openmpi", "recursive-doubling", ALLREDUCE, ANY, 0, "allreduce_algorithm=recursive_doubling"},
    {"openmpi", "ring", ALLREDUCE, ANY, 0, "allreduce_algorithm=ring"},
    {"openmpi", "ring-segmented", ALLREDUCE, ANY, 8, "allreduce_algorithm=segmented_ring allreduce_algorithm_segmentsize="},
    {"openmpi", "rabenseifner-halves", ALLREDUCE, ANY, 0, "allreduce_algorithm=rabenseifner"},

    {"openmpi", "linear", GATHER, ANY, 0, "gather_algorithm=basic_linear"},
    {"openmpi", "binomial-near:pack", GATHER, ANY, 0, "gather_algorithm=binomial"},
    {"openmpi", "linear", SCATTER, ANY, 0, "scatter_algorithm=basic_linear"},
    {"openmpi", "linear", SCATTER, ANY, 0, "scatter_algorithm=linear_nb"},
    {"openmpi", "binomial-far:pack", SCATTER, ANY, 0, "scatter_algorithm=binomial"},

    {"openmpi", "bruck:pack", ALLGATHER, ANY, 0, "allgather_algorithm=bruck"},
    {"openmpi", "recursive-doubling", ALLGATHER, POW2, 0, "allgather_algorithm=recursive_doubling"},
    {"openmpi", "ring", ALLGATHER, ANY, 0, "allgather_algorithm=ring"},
    {"openmpi", "neighbour-exchange", ALLGATHER, EVEN, 0, "allgather_algorithm=neighbor"},

    {"openmpi", "linear", ALLTOALL, ANY, 0, "alltoall_algorithm=linear"},
    {"openmpi", "pairwise", ALLTOALL, ANY, 0, "alltoall_algorithm=pairwise"},
    {"openmpi", "bruck:pack", ALLTOALL, ANY, 0, "alltoall_algorithm=modified_bruck"},

    {"openmpi", "recursive-halving", REDUCE_SCATTER, POW2, 0, "reduce_scatter_algorithm=recursive_halving"},
    {"openmpi", "ring", REDUCE_SCATTER, ANY, 0, "reduce_scatter_algorithm=ring"},
    {"openmpi", "recursive-doubling:pack", REDUCE_SCATTER_BLOCK, POW2, 0, "reduce_scatter_block_algorithm=recursive_doubling"},
    {"openmpi", "recursive-halving", REDUCE_SCATTER_BLOCK, POW2, 0, "reduce_scatter_block_algorithm=recursive_halving"},

    {"mpich", "binomial-far", BCAST, ANY, 0, "BCAST_INTRA_ALGORITHM=binomial"},
    {"mpich", "scatter-allgather", BCAST, POW2, 0, "BCAST_INTRA_ALGORITHM=scatter_recursive_doubling_allgather"},
    {"mpich", "scatter-ring", BCAST, ANY, 0, "BCAST_INTRA_ALGORITHM=scatter_ring_allgather"},
    {"mpich", "binomial-near", REDUCE, ANY, 0, "REDUCE_INTRA_ALGORITHM=binomial"},
    {"mpich", "rabenseifner", REDUCE, ANY, 0, "REDUCE_INTRA_ALGORITHM=reduce_scatter_gather"},
    {"mpich", "recursive-doubling", ALLREDUCE, ANY, 0, "ALLREDUCE_INTRA_ALGORITHM=recursive_doubling"},
    {"mpich", "rabenseifner", ALLREDUCE, ANY, 0, "ALLREDUCE_INTRA_ALGORITHM=reduce_scatter_allgather"},
    {"mpich", "binomial-near:pack", GATHER, ANY, 0, "GATHER_INTRA_ALGORITHM=binomial"},
    {"mpich", "binomial-far:pack", SCATTER, ANY, 0, "SCATTER_INTRA_ALGORITHM=binomial"},
    {"mpich", "bruck:pack", ALLGATHER, ANY, 0, "ALLGATHER_INTRA_ALGORITHM=brucks"},
    {"mpich", "recursive-doubling", ALLGATHER, POW2, 0, "ALLGATHER_INTRA_ALGORITHM=recursive_doubling"},
    {"mpich", "ring", ALLGATHER, ANY, 0, "ALLGATHER_INTRA_ALGORITHM=ring"},
    {"mpich", "linear", ALLTOALL, ANY, 0, "ALLTOALL_INTRA_ALGORITHM=scattered"},
    {"mpich", "pairwise", ALLTOALL, ANY, 0, "ALLTOALL_INTRA_ALGORITHM=pairwise"},
    {"mpich", "bruck:pack", ALLTOALL, ANY, 0, "ALLTOALL_INTRA_ALGORITHM=brucks"},
    {"mpich", "recursive-halving", REDUCE_SCATTER, POW2, 0, "REDUCE_SCATTER_INTRA_ALGORITHM=recursive_halving"},
    {"mpich", "recursive-doubling:pack", REDUCE_SCATTER, POW2, 0, "REDUCE_SCATTER_INTRA_ALGORITHM=recursive_doubling"},
    {"mpich", "pairwise", REDUCE_SCATTER, ANY, 0, "REDUCE_SCATTER_INTRA_ALGORITHM=pairwise"},
    {"mpich", "recursive-halving", REDUCE_SCATTER_BLOCK, POW2, 0, "REDUCE_SCATTER_BLOCK_INTRA_ALGORITHM=recursive_halving"},
    {"mpich", "recursive-doubling:pack", REDUCE_SCATTER_BLOCK, POW2, 0, "REDUCE_SCATTER_BLOCK_INTRA_ALGORITHM=recursive_doubling"},
    {"mpich", "pairwise", REDUCE_SCATTER_BLOCK, ANY, 0, "REDUCE_SCATTER_BLOCK_INTRA_ALGORITHM=pairwise"},
};
/* clang-format on */
const size_t library_case_count = sizeof library_cases / sizeof *library_cases;
