/* The built-in rules. The order matters: the first that holds is followed. */
#include "select/rules.h"

#include <limits.h>
#include <pthread.h>

#define ONLY(c) (UINT32_C(1) << (c))
#define REDUCTIONS                                                                                 \
    (ONLY(BINE_SCAN) | ONLY(BINE_EXSCAN) | ONLY(BINE_REDUCE) | ONLY(BINE_ALLREDUCE) |              \
     ONLY(BINE_REDUCE_SCATTER))
/* Barriers, blocks of uneven sizes, scans: measured on boards alone. */
#define UNMEASURED                                                                                 \
    (ONLY(BINE_BARRIER) | ONLY(BINE_ALLGATHERV) | ONLY(BINE_ALLTOALLV) | ONLY(BINE_GATHERV) |      \
     ONLY(BINE_SCATTERV) | ONLY(BINE_SCAN) | ONLY(BINE_EXSCAN))
#define KIB(n) (INT64_C(1024) * (n))
#define UNEVEN                                                                                     \
    (ONLY(BINE_ALLGATHERV) | ONLY(BINE_ALLTOALLV) | ONLY(BINE_GATHERV) | ONLY(BINE_SCATTERV))

/* The fastest at each size of the measurements on one node (bench/sixteen, docs/sixteen.md). Rules
 * whose algorithm needs boards are passed over where there are none. */
#define ON_BOARDS(c, fewest)                                                                       \
    .collectives = ONLY(c), .nodes = {1, {{1, 1}}}, .ranks = {1, {{fewest, 64}}},                  \
    .cores_suffice = BINE_IF_YES, .groups_several = BINE_IF_NO
/* One node with more ranks than cores (docs/boards.md). */
#define CROWDED(c, fewest)                                                                         \
    .collectives = ONLY(c), .nodes = {1, {{1, 1}}}, .ranks = {1, {{fewest, 64}}},                  \
    .cores_suffice = BINE_IF_NO, .crowded_left = BINE_IF_NO, .groups_several = BINE_IF_NO
/* Calls that are not faster there. */
#define CROWDED_LEFT(c, most)                                                                      \
    .drop_in = BINE_IF_YES, .collectives = ONLY(c), .nodes = {1, {{1, 1}}},                        \
    .ranks = {1, {{4, most}}}, .cores_suffice = BINE_IF_NO, .groups_several = BINE_IF_NO,          \
    .algorithm = "mpi", .reason = OFF_CROWDED
#define OFF_CROWDED "more ranks on a node than cores for them: not known to be faster"
#define ON_CROWDED "more ranks on a node than cores: boards are faster there (docs/boards.md)"
#define ON_BOARD "one node: shared memory, measured faster on 16 cores (docs/sixteen.md)"
#define UNEVEN_ON_BOARD "one node: shared memory, measured faster on 16 cores (docs/uneven.md)"

/* Rules whose algorithm needs groups are passed over where none are known. */
#define ONLY_NEAR(c) .collectives = ONLY(c), .commutative = BINE_IF_YES
#define ESTIMATED " (how many ranks is an estimate)"
#define LEAST "groups or nodes are known: the least bytes between them"

/* The counts of bench/tori-flat speak for the torus algorithm. It has the steps of a flat one where
 * all dimensions are powers of two, a few more elsewhere; small vectors want few. */
#define ON_TORUS .commutative = BINE_IF_YES, .torus_wired = BINE_IF_YES
#define OF_SEVERAL_DIMS .dims = {1, {{2, BINE_DIMS_MOST}}}
#define SEVERAL_PORTS .ports = {1, {{2, 2 * BINE_DIMS_MOST}}}
#define NEAR_NODES "on a torus, few bytes: no more steps, and shorter ways"
#define LEAST_LOAD "on a torus: less on the busiest link"

/* The radix: a step costs more than a message more in it. Up to these bytes a higher radix was
 * faster on simulated machines (docs/choosing.md); up to 16 ranks, radix 4 has two steps too. */
#define FEW_STEPS "few steps, with several messages each"
#define MANY_AT_ONCE "a message takes longer than sending several"
#define MANY_RANKS                                                                                 \
    {                                                                                              \
        1, {                                                                                       \
            { 17, INT_MAX }                                                                        \
        }                                                                                          \
    }

/* On one node, the boards. Where they are not the fastest of all, the rules are silent.
 *
 * Intercepted calls come next: no program should be slower by surprise, so these get an algorithm
 * of Bine's only where there is evidence that it is faster: where groups are known, or on a torus
 * from 16 nodes on. Elsewhere programs find out by themselves (select/learn.h). BINE_ALWAYS=1
 * leaves these out, as does calling Bine_Allreduce and so on.
 *
 * Then the choice that Bine makes for itself: small vectors want few steps, large ones little
 * volume; an operator that does not commute needs an algorithm that keeps the order of ranks; where
 * groups or nodes are known, the bytes between them are the first thing to save, and on a torus the
 * load of its links. */
static const struct bine_rule rules[] = {
    {.drop_in = BINE_IF_YES,
     .nonblocking = BINE_IF_YES,
     .cores_suffice = BINE_IF_NO,
     .algorithm = "mpi",
     .reason = "nonblocking, and more ranks on a node than cores for them: not measured"},
    {.drop_in = BINE_IF_YES,
     .cores_suffice = BINE_IF_NO,
     .crowded_left = BINE_IF_YES,
     .algorithm = "mpi",
     .reason = "BINE_CROWDED=0, and more ranks on a node than cores for them"},
    {ON_BOARDS(BINE_BCAST, 4), .algorithm = "board-flat", .reason = ON_BOARD},
    {ON_BOARDS(BINE_REDUCE, 9), .from = 512, .below = KIB(16), .algorithm = "board-levels",
     .reason = ON_BOARD},
    {ON_BOARDS(BINE_REDUCE, 4), .below = KIB(4), .algorithm = "board-flat", .reason = ON_BOARD},
    {ON_BOARDS(BINE_REDUCE, 4), .below = KIB(16), .algorithm = "board-levels", .reason = ON_BOARD},
    {ON_BOARDS(BINE_REDUCE, 4), .algorithm = "board-shared", .reason = ON_BOARD},
    {ON_BOARDS(BINE_ALLREDUCE, 9), .from = KIB(1), .algorithm = "board-shared", .reason = ON_BOARD},
    {ON_BOARDS(BINE_ALLREDUCE, 4), .below = KIB(2), .algorithm = "board-flat", .reason = ON_BOARD},
    {ON_BOARDS(BINE_ALLREDUCE, 4), .algorithm = "board-shared", .reason = ON_BOARD},
    {ON_BOARDS(BINE_GATHER, 8), .below = KIB(8), .algorithm = "board-flat", .reason = ON_BOARD},
    {ON_BOARDS(BINE_GATHER, 4), .from = KIB(8), .algorithm = "board-flat", .reason = ON_BOARD},
    {ON_BOARDS(BINE_SCATTER, 4), .below = KIB(128), .algorithm = "board-flat", .reason = ON_BOARD},
    {ON_BOARDS(BINE_SCATTER, 4), .library = BINE_LIBRARY_MPICH, .from = KIB(128),
     .below = KIB(8192), .algorithm = "board-direct", .reason = ON_BOARD},
    {ON_BOARDS(BINE_SCATTER, 4), .from = KIB(8192), .algorithm = "board-direct",
     .reason = ON_BOARD},
    {ON_BOARDS(BINE_ALLGATHER, 8), .below = KIB(2), .algorithm = "board-flat", .reason = ON_BOARD},
    {ON_BOARDS(BINE_ALLGATHER, 4), .from = KIB(2), .algorithm = "board-flat", .reason = ON_BOARD},
    {ON_BOARDS(BINE_ALLTOALL, 4), .below = KIB(64), .algorithm = "board-flat", .reason = ON_BOARD},
    {ON_BOARDS(BINE_ALLTOALL, 4), .from = KIB(192), .algorithm = "board-direct",
     .reason = ON_BOARD},
    {ON_BOARDS(BINE_REDUCE_SCATTER, 8), .below = KIB(4), .algorithm = "board-flat",
     .reason = ON_BOARD},
    {ON_BOARDS(BINE_REDUCE_SCATTER, 4), .from = KIB(4), .below = KIB(16), .algorithm = "board-flat",
     .reason = ON_BOARD},
    {ON_BOARDS(BINE_REDUCE_SCATTER, 4), .from = KIB(16), .algorithm = "board-levels",
     .reason = ON_BOARD},
    {ON_BOARDS(BINE_BARRIER, 4), .algorithm = "board-flat", .reason = ON_BOARD},
    {ON_BOARDS(BINE_SCAN, 4), .below = KIB(64), .algorithm = "board-flat", .reason = ON_BOARD},
    {ON_BOARDS(BINE_EXSCAN, 4), .below = KIB(64), .algorithm = "board-flat", .reason = ON_BOARD},
    {ON_BOARDS(BINE_ALLGATHERV, 4), .below = KIB(64), .uneven = BINE_IF_NO,
     .algorithm = "board-flat", .reason = ON_BOARD},
    {ON_BOARDS(BINE_ALLGATHERV, 4), .from = KIB(64), .algorithm = "board-direct",
     .reason = UNEVEN_ON_BOARD},
    {ON_BOARDS(BINE_ALLTOALLV, 5), .algorithm = "board-direct", .reason = UNEVEN_ON_BOARD},
    {ON_BOARDS(BINE_SCATTERV, 16), .library = BINE_LIBRARY_OPENMPI, .algorithm = "board-direct",
     .reason = UNEVEN_ON_BOARD},
    {CROWDED_LEFT(BINE_BCAST, 7), .library = BINE_LIBRARY_OPENMPI, .below = 512},
    {CROWDED_LEFT(BINE_SCATTER, 7), .library = BINE_LIBRARY_OPENMPI, .below = KIB(2)},
    {CROWDED_LEFT(BINE_SCATTER, 64), .from = KIB(1024)},
    {CROWDED_LEFT(BINE_REDUCE, 7), .library = BINE_LIBRARY_OPENMPI, .below = KIB(4)},
    {CROWDED_LEFT(BINE_REDUCE, 7), .library = BINE_LIBRARY_OPENMPI, .from = KIB(128)},
    {CROWDED_LEFT(BINE_ALLREDUCE, 7), .library = BINE_LIBRARY_OPENMPI, .from = KIB(512),
     .below = KIB(4096)},
    {CROWDED_LEFT(BINE_REDUCE_SCATTER, 64), .from = KIB(512), .below = KIB(4096)},
    {CROWDED_LEFT(BINE_GATHER, 7), .library = BINE_LIBRARY_OPENMPI, .below = KIB(8)},
    {CROWDED(BINE_BCAST, 4), .algorithm = "board-flat", .reason = ON_CROWDED},
    {CROWDED(BINE_REDUCE, 4), .below = KIB(4), .algorithm = "board-flat", .reason = ON_CROWDED},
    {CROWDED(BINE_REDUCE, 4), .algorithm = "board-shared", .reason = ON_CROWDED},
    {CROWDED(BINE_ALLREDUCE, 4), .below = KIB(2), .algorithm = "board-flat", .reason = ON_CROWDED},
    {CROWDED(BINE_ALLREDUCE, 4), .algorithm = "board-shared", .reason = ON_CROWDED},
    {CROWDED(BINE_GATHER, 4), .algorithm = "board-flat", .reason = ON_CROWDED},
    {CROWDED(BINE_SCATTER, 4), .algorithm = "board-flat", .reason = ON_CROWDED},
    {CROWDED(BINE_ALLGATHER, 4), .algorithm = "board-flat", .reason = ON_CROWDED},
    {CROWDED(BINE_ALLTOALL, 4), .below = KIB(64), .algorithm = "board-flat", .reason = ON_CROWDED},
    {CROWDED(BINE_REDUCE_SCATTER, 4), .algorithm = "board-flat", .reason = ON_CROWDED},
    {CROWDED(BINE_BARRIER, 4), .algorithm = "board-flat", .reason = ON_CROWDED},
    {CROWDED(BINE_SCAN, 4), .below = KIB(64), .algorithm = "board-flat", .reason = ON_CROWDED},
    {CROWDED(BINE_EXSCAN, 4), .below = KIB(64), .algorithm = "board-flat", .reason = ON_CROWDED},
    {CROWDED(BINE_ALLGATHERV, 4), .below = KIB(64), .uneven = BINE_IF_NO, .algorithm = "board-flat",
     .reason = ON_CROWDED},
    {CROWDED(BINE_ALLGATHERV, 4), .from = KIB(64), .algorithm = "board-direct",
     .reason = ON_CROWDED},
    {.drop_in = BINE_IF_YES,
     .cores_suffice = BINE_IF_NO,
     .algorithm = "mpi",
     .reason = OFF_CROWDED},
    {.drop_in = BINE_IF_YES,
     .collectives = UNMEASURED,
     .algorithm = "mpi",
     .reason = "not measured against MPI there"},
    {.drop_in = BINE_IF_YES,
     .groups_several = BINE_IF_NO,
     .nodes = {1, {{1, 1}}},
     .algorithm = "mpi",
     .reason = "one node: no network to save, and not known to be faster"},
    {.drop_in = BINE_IF_YES,
     .groups_several = BINE_IF_NO,
     .nodes = {1, {{2, 15}}},
     .algorithm = "mpi",
     .reason = "fewer than 16 nodes: not known to be faster"},
    {.drop_in = BINE_IF_YES,
     .groups_several = BINE_IF_NO,
     .torus_wired = BINE_IF_NO,
     .algorithm = "mpi",
     .reason = "the network's groups are not known: not known to be faster"},
    {.drop_in = BINE_IF_YES,
     .groups_several = BINE_IF_YES,
     .collectives = ONLY(BINE_ALLGATHER),
     .from = KIB(512),
     .algorithm = "mpi",
     .reason = "512 KiB and more: rings are faster where the network is not oversubscribed"},
    {.drop_in = BINE_IF_YES,
     .groups_several = BINE_IF_YES,
     .collectives = ONLY(BINE_REDUCE_SCATTER),
     .from = KIB(256),
     .algorithm = "mpi",
     .reason = "256 KiB and more: rings are faster where the network is not oversubscribed"},
    {.drop_in = BINE_IF_YES,
     .collectives = ONLY(BINE_ALLTOALL),
     .from = KIB(8),
     .algorithm = "mpi",
     .reason = "8 KiB and more: best sent directly, as MPI does"},
    {.drop_in = BINE_IF_YES,
     .collectives = REDUCTIONS,
     .commutative = BINE_IF_NO,
     .algorithm = "mpi",
     .reason = "the operator does not commute: not known to be faster"},

    {ON_TORUS, OF_SEVERAL_DIMS, .collectives = ONLY(BINE_BCAST) | ONLY(BINE_REDUCE),
     .below = KIB(16), .ranks_class = BINE_CLASS_POW2, .algorithm = "bine-torus-small",
     .reason = NEAR_NODES},
    {ON_TORUS, OF_SEVERAL_DIMS, .collectives = ONLY(BINE_ALLREDUCE), .below = KIB(4),
     .ranks_class = BINE_CLASS_POW2, .algorithm = "bine-torus-small", .reason = NEAR_NODES},
    {ON_TORUS, OF_SEVERAL_DIMS, .collectives = ONLY(BINE_ALLTOALL), .below = KIB(8),
     .ranks_class = BINE_CLASS_POW2, .algorithm = "bine-torus", .reason = NEAR_NODES},
    {ON_TORUS, .torus_bends = BINE_IF_YES, .collectives = ONLY(BINE_BCAST), .from = KIB(16),
     .algorithm = "bine-torus", .reason = LEAST_LOAD},
    {ON_TORUS, .torus_bends = BINE_IF_YES, .collectives = ONLY(BINE_REDUCE), .from = KIB(16),
     .algorithm = "bine-torus-gather", .reason = LEAST_LOAD},
    {ON_TORUS, .torus_bends = BINE_IF_YES, .collectives = ONLY(BINE_ALLREDUCE), .from = KIB(4),
     .algorithm = "bine-torus", .reason = LEAST_LOAD},
    {ON_TORUS, .torus_bends = BINE_IF_YES,
     .collectives = ONLY(BINE_ALLGATHER) | ONLY(BINE_REDUCE_SCATTER),
     .ranks_class = BINE_CLASS_POW2, .algorithm = "bine-torus", .reason = LEAST_LOAD},
    {ON_TORUS, .torus_bends = BINE_IF_YES,
     .collectives = ONLY(BINE_ALLGATHER) | ONLY(BINE_REDUCE_SCATTER), .from = KIB(16),
     .algorithm = "bine-torus", .reason = LEAST_LOAD},
    {ON_TORUS, SEVERAL_PORTS, .collectives = ONLY(BINE_GATHER) | ONLY(BINE_SCATTER),
     .algorithm = "bine-torus", .reason = LEAST_LOAD},
    {ON_TORUS, .torus_in_order = BINE_IF_NO, .collectives = ONLY(BINE_GATHER) | ONLY(BINE_SCATTER),
     .algorithm = "bine-torus", .reason = LEAST_LOAD},
    {ON_TORUS, OF_SEVERAL_DIMS, .collectives = ONLY(BINE_GATHER), .ranks_class = BINE_CLASS_POW2,
     .algorithm = "binomial-near", .reason = LEAST_LOAD},
    {ON_TORUS, OF_SEVERAL_DIMS, .collectives = ONLY(BINE_GATHER), .from = KIB(16),
     .algorithm = "bine-torus", .reason = LEAST_LOAD},

    {.collectives = UNEVEN,
     .nodes = {1, {{1, 1}}},
     .groups_several = BINE_IF_NO,
     .algorithm = "board-direct",
     .reason = "one node: uneven blocks by shared memory, each owner by its own sizes"},

    {ONLY_NEAR(BINE_BCAST), .below = KIB(16), .algorithm = "bine-group-small",
     .reason = "groups or nodes are known, below 16 KiB: few steps"},
    {ONLY_NEAR(BINE_BCAST), .algorithm = "bine-group", .reason = LEAST},
    {ONLY_NEAR(BINE_REDUCE), .below = KIB(16), .algorithm = "bine-group-small",
     .reason = "groups or nodes are known, below 16 KiB: few steps"},
    {ONLY_NEAR(BINE_REDUCE), .algorithm = "bine-group", .reason = LEAST},
    {ONLY_NEAR(BINE_ALLREDUCE), .from = KIB(4), .algorithm = "bine-group", .reason = LEAST},
    {ONLY_NEAR(BINE_GATHER), .algorithm = "bine-group", .reason = LEAST},
    {ONLY_NEAR(BINE_SCATTER), .algorithm = "bine-group", .reason = LEAST},
    {ONLY_NEAR(BINE_ALLGATHER), .algorithm = "bine-group", .reason = LEAST},
    {ONLY_NEAR(BINE_ALLTOALL), .from = KIB(8), .below = KIB(64), .algorithm = "bine-group",
     .reason = "groups or nodes are known, 8 to 64 KiB: few messages between them"},
    {ONLY_NEAR(BINE_REDUCE_SCATTER), .algorithm = "bine-group", .reason = LEAST},
    {.collectives = ONLY(BINE_SCAN) | ONLY(BINE_EXSCAN),
     .algorithm = "bine-group",
     .reason = "groups or nodes are known: few bytes between them"},
    {.collectives = ONLY(BINE_ALLGATHERV),
     .uneven = BINE_IF_YES,
     .from = KIB(64),
     .ranks = {1, {{4, 1024}}},
     .algorithm = "bine-spread",
     .reason = "one block has most of the bytes: handed out first"},
    {ONLY_NEAR(BINE_ALLGATHERV), .algorithm = "bine-group", .reason = LEAST},
    {ONLY_NEAR(BINE_ALLTOALLV), .algorithm = "bine-group",
     .reason = "groups or nodes are known: to different groups at a time"},
    {ONLY_NEAR(BINE_BARRIER), .algorithm = "bine-group",
     .reason = "groups or nodes are known: few messages between them"},

    {.collectives = ONLY(BINE_BCAST),
     .below = KIB(8),
     .algorithm = "bine-postal-7",
     .reason = MANY_AT_ONCE},
    {.collectives = ONLY(BINE_BCAST),
     .below = KIB(32),
     .ranks = MANY_RANKS,
     .algorithm = "bine-8",
     .reason = FEW_STEPS},
    {.collectives = ONLY(BINE_BCAST),
     .below = KIB(256),
     .algorithm = "bine-4",
     .reason = FEW_STEPS},
    {.collectives = ONLY(BINE_BCAST), .algorithm = "bine-large", .reason = "256 KiB and more"},
    {.collectives = ONLY(BINE_REDUCE),
     .commutative = BINE_IF_NO,
     .algorithm = "bine-ordered",
     .reason = "the operator does not commute"},
    {.collectives = ONLY(BINE_REDUCE),
     .below = 512,
     .ranks = MANY_RANKS,
     .algorithm = "bine-8",
     .reason = FEW_STEPS},
    {.collectives = ONLY(BINE_REDUCE), .below = KIB(8), .algorithm = "bine-4", .reason = FEW_STEPS},
    {.collectives = ONLY(BINE_REDUCE),
     .below = KIB(16),
     .algorithm = "bine-small",
     .reason = "below 16 KiB"},
    {.collectives = ONLY(BINE_REDUCE),
     .algorithm = "bine-large-gather",
     .reason = "16 KiB and more"},
    {.collectives = ONLY(BINE_ALLREDUCE),
     .commutative = BINE_IF_NO,
     .algorithm = "recursive-doubling",
     .reason = "the operator does not commute"},
    {.collectives = ONLY(BINE_ALLREDUCE),
     .below = KIB(2),
     .algorithm = "bine-4",
     .reason = FEW_STEPS},
    {.collectives = ONLY(BINE_ALLREDUCE),
     .below = KIB(16),
     .algorithm = "bine-small",
     .reason = "below 16 KiB"},
    {.collectives = ONLY(BINE_ALLREDUCE), .algorithm = "bine-large", .reason = "16 KiB and more"},
    {.collectives = ONLY(BINE_SCATTER),
     .below = KIB(64),
     .algorithm = "bine-postal-7",
     .reason = MANY_AT_ONCE},
    {.collectives = ONLY(BINE_GATHER) | ONLY(BINE_SCATTER),
     .ranks = MANY_RANKS,
     .algorithm = "bine-8",
     .reason = FEW_STEPS},
    {.collectives = ONLY(BINE_GATHER) | ONLY(BINE_SCATTER),
     .algorithm = "bine-4",
     .reason = FEW_STEPS},
    {.collectives = ONLY(BINE_ALLGATHER),
     .below = KIB(8192),
     .algorithm = "bine-4",
     .reason = FEW_STEPS},
    {.collectives = ONLY(BINE_ALLGATHER), .algorithm = "bine-far", .reason = "8 MiB and more"},
    {.collectives = ONLY(BINE_ALLTOALL),
     .below = KIB(8),
     .algorithm = "bine-4",
     .reason = FEW_STEPS},
    {.collectives = ONLY(BINE_ALLTOALL),
     .below = KIB(64),
     .ranks = MANY_RANKS,
     .algorithm = "bine-8",
     .reason = FEW_STEPS},
    {.collectives = ONLY(BINE_ALLTOALL),
     .below = KIB(256),
     .ranks = {1, {{129, INT_MAX}}},
     .algorithm = "bine-8",
     .reason = FEW_STEPS},
    {.collectives = ONLY(BINE_ALLTOALL), .algorithm = "linear", .reason = "larger blocks"},
    {.collectives = ONLY(BINE_REDUCE_SCATTER),
     .commutative = BINE_IF_NO,
     .algorithm = "linear",
     .reason = "the operator does not commute"},
    {.collectives = ONLY(BINE_REDUCE_SCATTER), .algorithm = "bine-near", .reason = "any size"},
    {.collectives = ONLY(BINE_SCAN) | ONLY(BINE_EXSCAN),
     .algorithm = "recursive-doubling",
     .reason = "any size"},
    {.collectives = ONLY(BINE_ALLGATHERV), .algorithm = "bine-far", .reason = "any size"},
    {.collectives = ONLY(BINE_ALLTOALLV),
     .ranks = {1, {{1, 32}}},
     .algorithm = "linear",
     .reason = "few ranks: everything at once" ESTIMATED},
    {.collectives = ONLY(BINE_ALLTOALLV),
     .algorithm = "throttled",
     .reason = "many ranks: 16 at once" ESTIMATED},
    {.collectives = ONLY(BINE_GATHERV) | ONLY(BINE_SCATTERV),
     .ranks = {1, {{1, 32}}},
     .algorithm = "linear",
     .reason = "few ranks: every block directly" ESTIMATED},
    {.collectives = ONLY(BINE_GATHERV) | ONLY(BINE_SCATTERV),
     .algorithm = "bine-group",
     .reason = "groups or nodes are known: few messages between them" ESTIMATED},
    {.collectives = ONLY(BINE_GATHERV) | ONLY(BINE_SCATTERV),
     .ranks = {1, {{33, 64}}},
     .algorithm = "linear",
     .reason = "few ranks: every block directly" ESTIMATED},
    {.collectives = ONLY(BINE_GATHERV),
     .algorithm = "bine-near",
     .reason = "many ranks: few messages at the root" ESTIMATED},
    {.collectives = ONLY(BINE_SCATTERV),
     .algorithm = "bine-far",
     .reason = "many ranks: few messages at the root" ESTIMATED},
    {.collectives = ONLY(BINE_BARRIER), .algorithm = "bine-far", .reason = "even number of ranks"},
    {.collectives = ONLY(BINE_BARRIER), .algorithm = "bruck", .reason = "any number of ranks"},
};
enum { RULES = sizeof rules / sizeof *rules };

static struct bine_selection found[RULES * BINE_COLLECTIVES];
static const struct bine_rules all = {.count = RULES, .rule = rules, .found = found};

static void look_up(void) {
    char why[160];
    for (int i = 0; i < RULES; i++)
        for (int c = 0; c < BINE_COLLECTIVES; c++)
            bine_selection_parse((enum bine_collective)c, rules[i].algorithm,
                                 &found[i * BINE_COLLECTIVES + c], why, sizeof why);
}

const struct bine_rules *bine_rules_built_in(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look_up);
    return &all;
}
