/* What the catalogue promises: steps, and pieces sent and received. */
#include "base/numbers.h"
#include "pattern/teams.h"
#include "schedule/build/compose.h"
#include "schedule/check/check_state.h"

/* Instead of a number of steps or pieces. */
enum { NO_PROMISE = -1, NO_MEMORY = -2 };

/* Layout send: the blocks of a rank that are not at home, over all strands. */
static int fixes(const struct bine_algorithm *a, const struct bine_schedule *s, int rank) {
    struct bine_request rq = {.algorithm = a, .p = s->p, .rank = rank, .dims = &s->dims};
    int n = 0;
    for (rq.port = 0; s->layout == BINE_SEND && s->p > 1 && rq.port < (int)s->nstrands; rq.port++)
        n += bine_request_place(&rq, rank) != rank;
    return n;
}

/* Pieces that a rank sends and receives, where the composition says it exactly; -1 where it does
 * not. */
static void promised_volume(const struct bine_algorithm *a, const struct bine_schedule *s, int rank,
                            int64_t *sent, int64_t *received) {
    int64_t foreign = (int64_t)(s->p - 1) * (s->nstrands > 1 ? (int64_t)s->nstrands : 1);
    int64_t whole = s->blocks;
    int at_root = rank == s->root;
    int fix = fixes(a, s, rank), root_fix = s->layout == BINE_SEND && s->root != s->p - 1;
    *sent = *received = -1;
    switch (a->composition) {
    case BINE_MAKE_BCAST:
    case BINE_MAKE_BCAST_HUNG:
    case BINE_MAKE_PIPELINE:
    case BINE_MAKE_SPLIT_BINARY:
    case BINE_MAKE_CIRCULANT:
    case BINE_MAKE_GROUP_BCAST:
    case BINE_MAKE_GROUP_BCAST_HUNG:
        *received = at_root ? 0 : whole;
        break;
    case BINE_MAKE_REDUCE:
    case BINE_MAKE_REDUCE_HUNG:
    case BINE_MAKE_PIPELINE_REDUCE:
    case BINE_MAKE_CIRCULANT_REDUCE:
    case BINE_MAKE_GROUP_REDUCE:
    case BINE_MAKE_GROUP_REDUCE_HUNG:
        *sent = at_root ? 0 : whole;
        break;
    case BINE_MAKE_ALLGATHER:
    case BINE_MAKE_REDUCE_SCATTER:
        *sent = *received = foreign + fix;
        break;
    case BINE_MAKE_GROUP_ALLGATHER:
        *received = foreign;
        break;
    case BINE_MAKE_GROUP_REDUCE_SCATTER:
        *sent = foreign;
        break;
    case BINE_MAKE_ALLREDUCE:
        *sent = *received = 2 * foreign;
        break;
    case BINE_MAKE_RINGS: /* blocks are cut into segments */
        *sent = *received = 2 * foreign * (whole / s->p);
        break;
    case BINE_MAKE_REDUCE_SCATTER_ORDERED:
        *sent = *received = foreign;
        break;
    case BINE_MAKE_SCATTER:
    case BINE_MAKE_GROUP_SCATTER:
        *received = at_root ? 0 : -1;
        *sent = at_root ? foreign + root_fix * s->parts : -1;
        break;
    case BINE_MAKE_GATHER:
    case BINE_MAKE_GROUP_GATHER:
        *received = at_root ? foreign + root_fix * s->parts : -1;
        *sent = at_root ? root_fix * s->parts : -1;
        break;
    default:
        break;
    }
}

/* The hops of all blocks of one rank in an alltoall along trees. */
static int64_t hops(const struct bine_algorithm *a, const struct bine_schedule *s) {
    struct bine_request rq = {.algorithm = a, .p = s->p, .dims = &s->dims};
    int64_t n = 0;
    for (rq.port = 0; rq.port < s->parts && n >= 0; rq.port++) {
        struct bine_tree *t = bine_request_tree(&rq);
        for (int v = 1; t != NULL && v < s->p; v++)
            for (int u = v; u != 0; u = t->parent[u])
                n++;
        n = t == NULL ? NO_MEMORY : n;
        bine_tree_free(t);
    }
    return n;
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

/* Blocks that move in a binomial scatter: rank v gets those of its subtree, as many as its lowest
 * bit says. */
static int64_t scattered(int64_t p) {
    int64_t n = 0;
    for (int64_t v = 1; v < p; v++)
        n += (v & -v) < p - v ? (v & -v) : p - v;
    return n;
}

/* Rabenseifner's reduce and allreduce: a vector of as many blocks as there are members. The others
 * hand theirs over whole, or add up one half of two vectors; an allreduce gives them the sum. */
static int64_t halved(const struct bine_schedule *s, int halves) {
    int64_t members = s->blocks, others = s->p - members, once = members * (members - 1);
    int64_t in = others * (halves ? members / 2 * 3 : members);
    return s->collective == BINE_REDUCE ? in + once + scattered(members)
                                        : in + 2 * once + others * members;
}

/* Pieces that all ranks receive, where the composition says that, and by how many more they may
 * be. */
static int64_t promised_total(const struct bine_algorithm *a, const struct bine_schedule *s,
                              int64_t *more) {
    int64_t p = s->p, once = (p - 1) * s->blocks, each;
    *more = 0;
    switch (a->composition) {
    case BINE_MAKE_REDUCE_BCAST:
    case BINE_MAKE_REDUCE_THEN_BCAST:
    case BINE_MAKE_ALLREDUCE_ORDERED:
    case BINE_MAKE_GROUP_ALLREDUCE:
        return 2 * once;
    case BINE_MAKE_HALVING_REDUCE:
    case BINE_MAKE_HALVES_REDUCE: /* a root that is not a member gets a block from one that is */
        *more = 1;
        return halved(s, a->composition == BINE_MAKE_HALVES_REDUCE);
    case BINE_MAKE_HALVING_ALLREDUCE:
        return halved(s, 0);
    case BINE_MAKE_HALVES_ALLREDUCE:
        return halved(s, 1);
    case BINE_MAKE_SCATTER_ALLGATHER:
        return scattered(p) + p * (p - 1);
    case BINE_MAKE_REDUCE_SCATTER_DOUBLING:
        return p * (p * bine_log2_ceil(s->p) - (p - 1));
    case BINE_MAKE_REDUCE_ORDERED: /* the sum may have to go on to the root */
        *more = s->blocks;
        return once;
    case BINE_MAKE_BUTTERFLY:
        return (s->dims.dims > 0 ? folded(p, s->dims.size, s->dims.dims, 2)
                                 : folded(p, &s->p, 1, 2)) *
               s->blocks;
    case BINE_MAKE_MULTIPLYING:
        return folded(p, &s->p, 1, a->radix) * s->blocks;
    case BINE_MAKE_ALLTOALL:
        each = hops(a, s);
        return each < 0 ? each : each * s->p;
    default:
        return NO_PROMISE;
    }
}

/* Pieces that a rank reads from the boards of others; NO_PROMISE where the composition does not say
 * it. */
static int64_t promised_reads(const struct bine_algorithm *a, const struct bine_schedule *s,
                              int rank) {
    enum bine_collective c = s->collective;
    int64_t others = s->p - 1;
    int at_root = rank == s->root, from_root = c == BINE_BCAST || c == BINE_SCATTER;
    int reads = bine_collective_is_rooted(c) ? at_root : 1;
    switch (a->composition) {
    case BINE_MAKE_BOARD_FLAT:
    case BINE_MAKE_BOARD_DIRECT:
        return from_root ? !at_root : reads ? others : 0;
    case BINE_MAKE_BOARD_SHARED:
        return others + (reads ? others : 0);
    case BINE_MAKE_BOARD_LEVELS:
        return NO_PROMISE;
    default:
        return 0;
    }
}

/* In levels, nobody reads from more boards than there are ranks in the largest team and teams; the
 * largest is at most two above the number of teams. */
static int check_readings(struct bine_check_state *st, int rank) {
    const struct bine_schedule *s = st->rank[rank];
    int most = 2 * bine_teams(s->p) + 3, n = 0;
    for (uint32_t j = 0; j < s->nops; j++)
        n += bine_reads_board(&s->op[j]);
    if (st->algorithm->composition == BINE_MAKE_BOARD_LEVELS && n > most)
        return bine_check_fail(st, rank, -1, "reads %d times, at most %d were promised", n, most);
    int64_t promised = promised_reads(st->algorithm, s, rank);
    if (promised == NO_PROMISE || (uint64_t)promised == st->read[rank])
        return 0;
    return bine_check_fail(st, rank, -1, "reads %llu pieces of others, but %lld were promised",
                           (unsigned long long)st->read[rank], (long long)promised);
}

/* How many pieces more than it sends a rank receives, where it passes on all but its own. */
static int64_t kept(const struct bine_algorithm *a, const struct bine_schedule *s) {
    switch (a->composition) {
    case BINE_MAKE_SCATTER:
    case BINE_MAKE_GROUP_SCATTER:
        return s->parts;
    case BINE_MAKE_GATHER:
    case BINE_MAKE_GROUP_GATHER:
        return -s->parts;
    default:
        return 0;
    }
}

/* Blocks are scattered, gathered and collected without detours. */
static int check_passing(struct bine_check_state *st, int rank) {
    const struct bine_schedule *s = st->rank[rank];
    int64_t own = kept(st->algorithm, s);
    int sent_home = own != 0 && (rank == s->root || s->layout == BINE_SEND);
    if ((own == 0 && st->algorithm->composition != BINE_MAKE_GROUP_ALLTOALL) || sent_home ||
        (int64_t)(st->received[rank] - st->sent[rank]) == own)
        return 0;
    return bine_check_fail(st, rank, -1, "sends %llu pieces and receives %llu, %d of them its own",
                           (unsigned long long)st->sent[rank],
                           (unsigned long long)st->received[rank], own == 0 ? 0 : s->parts);
}

/* An allreduce by a reduce-scatter and an allgather moves the same in each: every block but one. */
static int check_halves(struct bine_check_state *st, int rank) {
    if (st->algorithm->composition != BINE_MAKE_ALLREDUCE ||
        (st->sent_early[rank] * 2 == st->sent[rank] &&
         st->received_early[rank] * 2 == st->received[rank]))
        return 0;
    return bine_check_fail(
        st, rank, -1, "sends %llu and receives %llu of its pieces in the first half",
        (unsigned long long)st->sent_early[rank], (unsigned long long)st->received_early[rank]);
}

static int check_total(struct bine_check_state *st) {
    int64_t more, promised = promised_total(st->algorithm, st->rank[0], &more), total = 0;
    for (int r = 0; r < st->p; r++)
        total += (int64_t)st->received[r];
    if (promised == NO_MEMORY)
        return -1;
    if (promised == NO_PROMISE || (total >= promised && total <= promised + more))
        return 0;
    return bine_check_fail(st, -1, -1, "%lld pieces are received, but %lld were promised",
                           (long long)total, (long long)promised);
}

/* The steps of a pipeline: those of its tree, and the stride for each further segment that takes
 * it. The halves of a split one are exchanged in one step at the end, which is the last one of the
 * trees; of two ranks, the second half alone comes at the end. */
static int pipeline_steps(const struct bine_algorithm *a, const struct bine_schedule *s) {
    int segments = s->blocks, steps = 0, split = a->composition == BINE_MAKE_SPLIT_BINARY;
    if (s->p == 1)
        return 0;
    switch (a->composition) {
    case BINE_MAKE_CIRCULANT:
    case BINE_MAKE_CIRCULANT_REDUCE:
        return segments - 1 + bine_log2_ceil(s->p);
    case BINE_MAKE_RINGS:
        return (segments / s->p + 1) * (s->p - 1);
    case BINE_MAKE_PIPELINE:
    case BINE_MAKE_PIPELINE_REDUCE:
    case BINE_MAKE_REDUCE_BCAST:
    case BINE_MAKE_SPLIT_BINARY:
        break;
    default:
        return NO_PROMISE;
    }
    for (int k = 0; k < a->trees && k < segments; k++) {
        struct bine_tree *t =
            bine_family_tree((enum bine_family)((int)a->tree + k), s->p, a->order, a->radix);
        if (t == NULL)
            return NO_MEMORY;
        int end = t->steps + a->stride * ((segments - 1 - k) / a->trees);
        end -= split && (k > 0 || s->p > 2);
        steps = end > steps ? end : steps;
        bine_tree_free(t);
    }
    steps += split && (s->p > 2 || segments > 1);
    return a->composition == BINE_MAKE_REDUCE_BCAST ? 2 * steps : steps;
}

int bine_check_promises(struct bine_check_state *st) {
    const struct bine_algorithm *a = st->algorithm;
    int promised = bine_algorithm_steps_on(a, st->p, &st->rank[0]->dims, st->rank[0]->layout);
    /* A scatter that sends as if permuted ends a step early where nothing is out of place, and so
     * does a sum that is at its root. */
    int one_less = a->promise == BINE_STEPS_LOG_ONE ||
                   (a->composition == BINE_MAKE_SCATTER && st->rank[0]->layout == BINE_SEND);
    if (promised < 0)
        promised = pipeline_steps(a, st->rank[0]);
    if (promised == NO_MEMORY)
        return -1;
    if (promised == NO_PROMISE) { /* groups are not known here */
        promised = st->rank[0]->times;
        for (int t = 0; t < promised; t++)
            if (!st->met[t])
                return bine_check_fail(st, -1, t, "a step without a message");
    }
    if (st->last_time + 1 != promised && !(one_less && st->last_time + 2 == promised))
        return bine_check_fail(st, -1, -1, "takes %d steps, but %d were promised",
                               st->last_time + 1, promised);
    for (int r = 0; r < st->p; r++) {
        int64_t sent, received;
        promised_volume(a, st->rank[r], r, &sent, &received);
        if (sent >= 0 && (uint64_t)sent != st->sent[r])
            return bine_check_fail(st, r, -1, "sends %llu pieces, but %lld were promised",
                                   (unsigned long long)st->sent[r], (long long)sent);
        if (received >= 0 && (uint64_t)received != st->received[r])
            return bine_check_fail(st, r, -1, "receives %llu pieces, but %lld were promised",
                                   (unsigned long long)st->received[r], (long long)received);
        if (check_passing(st, r) != 0 || check_halves(st, r) != 0 || check_readings(st, r) != 0)
            return 1;
    }
    return check_total(st);
}
