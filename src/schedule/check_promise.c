/* What the catalogue promises: steps, and pieces sent and received. */
#include "schedule/check_state.h"
#include "schedule/compose.h"

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

/* Instead of a number of pieces. */
enum { NO_PROMISE = -1, NO_MEMORY = -2 };

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

/* Whole vectors that a butterfly of this radix moves: the ranks beyond a power of it give theirs to
 * others first, and get the sum last. */
static int64_t folded(int64_t p, int64_t radix) {
    int64_t core = 1, steps = 0;
    for (; core * radix <= p; core *= radix)
        steps++;
    return core * steps * (radix - 1) + 2 * (p - core);
}

/* Pieces that all ranks receive, where the composition says that, and by how many more they may
 * be. */
static int64_t promised_total(const struct bine_algorithm *a, const struct bine_schedule *s,
                              int64_t *more) {
    int64_t once = (int64_t)(s->p - 1) * s->blocks, each;
    *more = 0;
    switch (a->composition) {
    case BINE_MAKE_REDUCE_BCAST:
    case BINE_MAKE_REDUCE_THEN_BCAST:
    case BINE_MAKE_HALVING_ALLREDUCE:
    case BINE_MAKE_GROUP_ALLREDUCE:
        return 2 * once;
    case BINE_MAKE_REDUCE_ORDERED: /* the sum may have to go on to the root */
        *more = s->blocks;
        return once;
    case BINE_MAKE_BUTTERFLY:
        return s->dims.dims == 0 ? folded(s->p, 2) * s->blocks : NO_PROMISE;
    case BINE_MAKE_MULTIPLYING:
        return folded(s->p, a->radix) * s->blocks;
    case BINE_MAKE_ALLTOALL:
        each = hops(a, s);
        return each < 0 ? each : each * s->p;
    default:
        return NO_PROMISE;
    }
}

/* Blocks are scattered and gathered without detours: a rank but the root keeps its own, and passes
 * on all others. */
static int check_passing(struct bine_check_state *st, int rank) {
    enum bine_composition c = st->algorithm->composition;
    const struct bine_schedule *s = st->rank[rank];
    int scatters = c == BINE_MAKE_SCATTER || c == BINE_MAKE_GROUP_SCATTER;
    if ((!scatters && c != BINE_MAKE_GATHER && c != BINE_MAKE_GROUP_GATHER) || rank == s->root ||
        s->layout == BINE_SEND)
        return 0;
    uint64_t in = scatters ? st->received[rank] : st->sent[rank],
             out = scatters ? st->sent[rank] : st->received[rank];
    if (in == out + (uint64_t)s->parts)
        return 0;
    return bine_check_fail(st, rank, -1, "sends %llu pieces and receives %llu, %d of them its own",
                           (unsigned long long)st->sent[rank],
                           (unsigned long long)st->received[rank], s->parts);
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

int bine_check_promises(struct bine_check_state *st) {
    const struct bine_algorithm *a = st->algorithm;
    int promised = bine_algorithm_steps_on(a, st->p, &st->rank[0]->dims, st->rank[0]->layout);
    /* A scatter that sends as if permuted ends a step early where nothing is out of place, and so
     * does a sum that is at its root. */
    int one_less = a->promise == BINE_STEPS_LOG_ONE ||
                   (a->composition == BINE_MAKE_SCATTER && st->rank[0]->layout == BINE_SEND);
    if (promised < 0)
        promised = st->rank[0]->times;
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
        if (check_passing(st, r) != 0)
            return 1;
    }
    return check_total(st);
}
