#include "schedule/volume.h"

#include "base/numbers.h"

#include <stddef.h>

static struct bine_rank_volume only_sent(int64_t pieces) {
    return (struct bine_rank_volume){pieces, BINE_NOT_PROMISED, BINE_NOT_PROMISED};
}

static struct bine_rank_volume only_received(int64_t pieces) {
    return (struct bine_rank_volume){BINE_NOT_PROMISED, pieces, BINE_NOT_PROMISED};
}

static struct bine_rank_volume both(int64_t pieces) {
    return (struct bine_rank_volume){pieces, pieces, BINE_NOT_PROMISED};
}

static struct bine_rank_volume from_root(const struct bine_algorithm *a,
                                         const struct bine_schedule *s, int rank) {
    (void)a;
    return only_received(rank == s->root ? 0 : s->blocks);
}

static struct bine_rank_volume to_root(const struct bine_algorithm *a,
                                       const struct bine_schedule *s, int rank) {
    (void)a;
    return only_sent(rank == s->root ? 0 : s->blocks);
}

/* The blocks of all ranks but one, over all strands. */
static int64_t foreign(const struct bine_schedule *s) {
    return (int64_t)(s->p - 1) * (s->nstrands > 1 ? (int64_t)s->nstrands : 1);
}

/* Layout send, one tree: the post-order ends with the root, so the root's block is out of place
 * unless it is the last rank. */
static int64_t root_fix(const struct bine_schedule *s) {
    return s->layout == BINE_SEND && s->root != s->p - 1 ? s->parts : 0;
}

static struct bine_rank_volume scatter(const struct bine_algorithm *a,
                                       const struct bine_schedule *s, int rank) {
    struct bine_rank_volume v = {BINE_NOT_PROMISED, BINE_NOT_PROMISED, BINE_NOT_PROMISED};
    (void)a;
    if (rank == s->root)
        return (struct bine_rank_volume){foreign(s) + root_fix(s), 0, BINE_NOT_PROMISED};
    if (s->layout != BINE_SEND)
        v.kept = s->parts;
    return v;
}

static struct bine_rank_volume gather(const struct bine_algorithm *a, const struct bine_schedule *s,
                                      int rank) {
    struct bine_rank_volume v = scatter(a, s, rank);
    if (rank == s->root)
        return (struct bine_rank_volume){root_fix(s), v.sent, BINE_NOT_PROMISED};
    if (v.kept != BINE_NOT_PROMISED)
        v.kept = -v.kept;
    return v;
}

/* Reduce-scatter, then a gather: in the second part everyone but the root forwards its blocks,
 * and adds its own block. */
static struct bine_rank_volume reduce_gather(const struct bine_algorithm *a,
                                             const struct bine_schedule *s, int rank) {
    (void)a;
    if (rank == s->root)
        return (struct bine_rank_volume){foreign(s), 2 * foreign(s), BINE_NOT_PROMISED};
    return (struct bine_rank_volume){BINE_NOT_PROMISED, BINE_NOT_PROMISED,
                                     s->nstrands > 1 ? -(int64_t)s->nstrands : -1};
}

/* Layout send, all trees: the blocks of a rank that are not at home, over all strands. */
static int64_t fixes(const struct bine_algorithm *a, const struct bine_schedule *s, int rank) {
    int64_t n = 0;
    for (int port = 0; s->layout == BINE_SEND && s->p > 1 && port < (int)s->nstrands; port++)
        n += bine_algorithm_place(a, s->p, &s->dims, port, rank) != rank;
    return n;
}

static struct bine_rank_volume every(const struct bine_algorithm *a, const struct bine_schedule *s,
                                     int rank) {
    return both(foreign(s) + fixes(a, s, rank));
}

static struct bine_rank_volume every_received(const struct bine_algorithm *a,
                                              const struct bine_schedule *s, int rank) {
    (void)a, (void)rank;
    return only_received((int64_t)(s->p - 1) * s->parts);
}

static struct bine_rank_volume every_sent(const struct bine_algorithm *a,
                                          const struct bine_schedule *s, int rank) {
    (void)a, (void)rank;
    return only_sent((int64_t)(s->p - 1) * s->parts);
}

static struct bine_rank_volume spread(const struct bine_algorithm *a, const struct bine_schedule *s,
                                      int rank) {
    (void)a, (void)rank;
    return only_received(foreign(s) * s->p);
}

static struct bine_rank_volume twice(const struct bine_algorithm *a, const struct bine_schedule *s,
                                     int rank) {
    (void)a, (void)rank;
    return both(2 * foreign(s));
}

static struct bine_rank_volume rings(const struct bine_algorithm *a, const struct bine_schedule *s,
                                     int rank) {
    (void)a, (void)rank;
    return both(2 * foreign(s) * (s->blocks / s->p));
}

static struct bine_rank_volume direct(const struct bine_algorithm *a, const struct bine_schedule *s,
                                      int rank) {
    (void)a, (void)rank;
    return both(foreign(s));
}

static struct bine_rank_volume passed_on(const struct bine_algorithm *a,
                                         const struct bine_schedule *s, int rank) {
    (void)a, (void)s, (void)rank;
    return (struct bine_rank_volume){BINE_NOT_PROMISED, BINE_NOT_PROMISED, 0};
}

static struct bine_rank_volume nothing_promised(const struct bine_algorithm *a,
                                                const struct bine_schedule *s, int rank) {
    (void)a, (void)s, (void)rank;
    return (struct bine_rank_volume){BINE_NOT_PROMISED, BINE_NOT_PROMISED, BINE_NOT_PROMISED};
}

/* How many of the distances 1, 2, 4, ... are below n. */
static int64_t distances(int n) {
    return n > 1 ? bine_log2_ceil(n) : 0;
}

static struct bine_rank_volume scan(const struct bine_algorithm *a, const struct bine_schedule *s,
                                    int rank) {
    (void)a;
    return (struct bine_rank_volume){distances(s->p - rank), distances(rank + 1),
                                     BINE_NOT_PROMISED};
}

static struct bine_rank_volume chain(const struct bine_algorithm *a, const struct bine_schedule *s,
                                     int rank) {
    (void)a;
    return (struct bine_rank_volume){rank + 1 < s->p, rank > 0, BINE_NOT_PROMISED};
}

/* Each rank reads the blocks of the ranks before it. */
static struct bine_rank_volume board_scan(const struct bine_algorithm *a,
                                          const struct bine_schedule *s, int rank) {
    (void)a;
    return (struct bine_rank_volume){s->p - 1 - rank, rank, BINE_NOT_PROMISED};
}

static struct bine_rank_volume nothing(const struct bine_algorithm *a,
                                       const struct bine_schedule *s, int rank) {
    (void)a, (void)s, (void)rank;
    return both(0);
}

typedef struct bine_rank_volume (*of_rank)(const struct bine_algorithm *,
                                           const struct bine_schedule *, int);

static struct bine_rank_volume board(const struct bine_algorithm *a, const struct bine_schedule *s,
                                     int rank) {
    static const of_rank of[BINE_COLLECTIVES] = {
        [BINE_BCAST] = from_root, [BINE_REDUCE] = to_root,        [BINE_ALLREDUCE] = direct,
        [BINE_GATHER] = gather,   [BINE_SCATTER] = scatter,       [BINE_ALLGATHER] = direct,
        [BINE_ALLTOALL] = direct, [BINE_REDUCE_SCATTER] = direct, [BINE_BARRIER] = nothing,
        [BINE_SCAN] = board_scan, [BINE_EXSCAN] = board_scan,
    };
    return of[s->collective](a, s, rank);
}

static struct bine_rank_volume board_shared(const struct bine_algorithm *a,
                                            const struct bine_schedule *s, int rank) {
    int64_t others = s->p - 1;
    int all = s->collective == BINE_ALLREDUCE, reads = all || rank == s->root;
    (void)a;
    return (struct bine_rank_volume){others + (all ? others : rank != s->root),
                                     reads ? 2 * others : others, BINE_NOT_PROMISED};
}

static struct bine_rank_volume board_levels(const struct bine_algorithm *a,
                                            const struct bine_schedule *s, int rank) {
    static const of_rank of[BINE_COLLECTIVES] = {
        [BINE_BCAST] = from_root,
        [BINE_REDUCE] = to_root,
        [BINE_ALLREDUCE] = nothing_promised,
        [BINE_GATHER] = gather,
        [BINE_SCATTER] = scatter,
        [BINE_ALLGATHER] = every_received,
        [BINE_ALLTOALL] = nothing_promised,
        [BINE_REDUCE_SCATTER] = nothing_promised,
        [BINE_BARRIER] = nothing,
    };
    return of[s->collective](a, s, rank);
}

/* The vector, once for every rank but one. */
static int64_t once(const struct bine_schedule *s) {
    return (int64_t)(s->p - 1) * s->blocks;
}

static int exactly(struct bine_total_volume *total, int64_t pieces) {
    *total = (struct bine_total_volume){pieces, pieces};
    return 0;
}

static int up_down(const struct bine_algorithm *a, const struct bine_schedule *s,
                   struct bine_total_volume *total) {
    (void)a;
    return exactly(total, 2 * once(s));
}

static int scan_groups(const struct bine_algorithm *a, const struct bine_schedule *s,
                       struct bine_total_volume *total) {
    (void)a;
    *total = (struct bine_total_volume){once(s), once(s) * (2 + 2 * distances(s->p))};
    return 0;
}

static int ordered(const struct bine_algorithm *a, const struct bine_schedule *s,
                   struct bine_total_volume *total) {
    (void)a;
    *total = (struct bine_total_volume){once(s), once(s) + s->blocks};
    return 0;
}

/* Blocks that move in a binomial scatter: rank v gets the blocks of its subtree, as many as its
 * lowest bit says. */
static int64_t scattered(int64_t p) {
    int64_t n = 0;
    for (int64_t v = 1; v < p; v++)
        n += (v & -v) < p - v ? (v & -v) : p - v;
    return n;
}

static int scatter_allgather(const struct bine_algorithm *a, const struct bine_schedule *s,
                             struct bine_total_volume *total) {
    (void)a;
    return exactly(total, scattered(s->p) + (int64_t)s->p * (s->p - 1));
}

/* Rabenseifner's reduce and allreduce: a vector of as many blocks as there are members. The others
 * hand theirs over, which takes `folded` blocks for each of them; an allreduce gives them the sum.
 * A root that is not a member gets one more block from one that is. */
static int rabenseifner(const struct bine_schedule *s, int64_t folded,
                        struct bine_total_volume *total) {
    int64_t members = s->blocks, others = s->p - members, each = members * (members - 1);
    int64_t in = others * folded;
    exactly(total, in + (s->collective == BINE_REDUCE ? each + scattered(members)
                                                      : 2 * each + others * members));
    total->most += s->collective == BINE_REDUCE;
    return 0;
}

static int halving(const struct bine_algorithm *a, const struct bine_schedule *s,
                   struct bine_total_volume *total) {
    (void)a;
    return rabenseifner(s, s->blocks, total);
}

/* Each of two ranks adds up one half of both vectors, and one of them hands its half over. */
static int halves(const struct bine_algorithm *a, const struct bine_schedule *s,
                  struct bine_total_volume *total) {
    (void)a;
    return rabenseifner(s, s->blocks / 2 * 3, total);
}

static int doubling(const struct bine_algorithm *a, const struct bine_schedule *s,
                    struct bine_total_volume *total) {
    int64_t p = s->p;
    (void)a;
    return exactly(total, p * (p * bine_log2_ceil(s->p) - (p - 1)));
}

/* Whole vectors that a butterfly of this radix moves, in each of the dimensions: the ranks beyond a
 * power of it give theirs to others first, and get the sum last. */
static int64_t folded(int64_t p, const int *size, int dims, int radix) {
    int64_t members = 1, steps = 0;
    for (int k = 0; k < dims; k++) {
        int digits = bine_log_floor(size[k], radix);
        steps += digits;
        for (int i = 0; i < digits; i++)
            members *= radix;
    }
    return members * steps * (radix - 1) + 2 * (p - members);
}

static int butterfly(const struct bine_algorithm *a, const struct bine_schedule *s,
                     struct bine_total_volume *total) {
    int flat = s->dims.dims == 0;
    (void)a;
    return exactly(total, folded(s->p, flat ? &s->p : s->dims.size, flat ? 1 : s->dims.dims, 2) *
                              s->blocks);
}

static int multiplying(const struct bine_algorithm *a, const struct bine_schedule *s,
                       struct bine_total_volume *total) {
    return exactly(total, folded(s->p, &s->p, 1, a->radix) * s->blocks);
}

static int rounds(const struct bine_algorithm *a, const struct bine_schedule *s,
                  struct bine_total_volume *total) {
    int64_t members = 1, partners = 0;
    for (; members * a->radix <= s->p; members *= a->radix)
        partners += a->radix - 1;
    int64_t last = a->radix - 1; /* the largest divisor of the radix that there are ranks for */
    while (a->radix % last != 0 || members * last > s->p)
        last--;
    members *= last;
    return exactly(total, members * (partners + last - 1) + 2 * (s->p - members));
}

static int alltoall(const struct bine_algorithm *a, const struct bine_schedule *s,
                    struct bine_total_volume *total) {
    int64_t hops = 0; /* of all blocks of one rank */
    for (int port = 0; port < s->parts; port++) {
        struct bine_tree *t = bine_algorithm_tree(a, s->p, &s->dims, port);
        if (t == NULL)
            return -1;
        for (int v = 1; v < s->p; v++)
            for (int u = v; u != 0; u = t->parent[u])
                hops++;
        bine_tree_free(t);
    }
    return exactly(total, hops * s->p);
}

const struct bine_volume bine_volume_from_root = {.of_rank = from_root};
const struct bine_volume bine_volume_to_root = {.of_rank = to_root};
const struct bine_volume bine_volume_scatter = {.of_rank = scatter};
const struct bine_volume bine_volume_gather = {.of_rank = gather};
const struct bine_volume bine_volume_reduce_gather = {.of_rank = reduce_gather};
const struct bine_volume bine_volume_every = {.of_rank = every};
const struct bine_volume bine_volume_every_received = {.of_rank = every_received};
const struct bine_volume bine_volume_every_sent = {.of_rank = every_sent};
const struct bine_volume bine_volume_twice = {.of_rank = twice, .two_halves = 1};
const struct bine_volume bine_volume_rings = {.of_rank = rings};
const struct bine_volume bine_volume_direct = {.of_rank = direct};
const struct bine_volume bine_volume_passed_on = {.of_rank = passed_on};
const struct bine_volume bine_volume_board = {board, NULL, 0};
const struct bine_volume bine_volume_board_shared = {board_shared, NULL, 0};
const struct bine_volume bine_volume_scan = {.of_rank = scan};
const struct bine_volume bine_volume_spread = {.of_rank = spread};
const struct bine_volume bine_volume_chain = {.of_rank = chain};
const struct bine_volume bine_volume_scan_groups = {.of_all = scan_groups};
const struct bine_volume bine_volume_nothing = {.of_rank = nothing};
const struct bine_volume bine_volume_board_levels = {board_levels, NULL, 0};

const struct bine_volume bine_volume_up_down = {.of_all = up_down};
const struct bine_volume bine_volume_ordered = {.of_all = ordered};
const struct bine_volume bine_volume_scatter_allgather = {.of_all = scatter_allgather};
const struct bine_volume bine_volume_halving = {.of_all = halving};
const struct bine_volume bine_volume_halves = {.of_all = halves};
const struct bine_volume bine_volume_doubling = {.of_all = doubling};
const struct bine_volume bine_volume_butterfly = {.of_all = butterfly};
const struct bine_volume bine_volume_multiplying = {.of_all = multiplying};
const struct bine_volume bine_volume_rounds = {.of_all = rounds};
const struct bine_volume bine_volume_alltoall = {.of_all = alltoall};
