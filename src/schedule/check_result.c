/* What the ranks begin with, what they must end with, and what the catalogue promises. */
#include "schedule/check_state.h"
#include "schedule/compose.h"

void bine_check_inputs(struct bine_check_state *st) {
    for (int r = 0; r < st->p; r++) {
        const struct bine_schedule *s = st->rank[r];
        for (int k = 0; k < s->space[BINE_IN].pieces; k++)
            *bine_piece_at(st, r, BINE_IN, k) = bine_value_leaf(&st->values, r, k);
    }
}

int bine_check_result(struct bine_check_state *st, int rank) {
    const struct bine_schedule *s = st->rank[rank];
    struct bine_values *v = &st->values;
    int at_root = rank == s->root, n = s->p * s->parts,
        ordered = st->algorithm != NULL && !st->algorithm->commutative;
    char why[128];
    if (s->collective == BINE_BCAST)
        n = at_root ? 0 : s->blocks;
    else if (s->collective == BINE_REDUCE || s->collective == BINE_GATHER)
        n = !at_root ? 0 : s->collective == BINE_REDUCE ? s->blocks : n;
    else if (s->collective == BINE_ALLREDUCE)
        n = s->blocks;
    else if (s->collective == BINE_SCATTER || s->collective == BINE_REDUCE_SCATTER)
        n = s->parts;
    if (s->space[BINE_OUT].pieces < n && !(s->in_place && s->collective == BINE_SCATTER && at_root))
        return bine_check_fail(st, rank, -1, "out has %d pieces, expected %d",
                               s->space[BINE_OUT].pieces, n);
    for (int k = 0; k < n; k++) {
        bine_value x = *bine_piece_at(st, rank, BINE_OUT, k), expected;
        switch (s->collective) {
        case BINE_BCAST:
            expected = bine_value_leaf(v, s->root, k);
            break;
        case BINE_SCATTER:
            expected = bine_value_leaf(v, s->root, rank * s->parts + k);
            break;
        case BINE_ALLTOALL:
            expected = bine_value_leaf(v, k / s->parts, rank * s->parts + k % s->parts);
            break;
        case BINE_GATHER:
        case BINE_ALLGATHER:
            expected = bine_value_leaf(v, k / s->parts, k % s->parts);
            break;
        default:
            if (x == 0)
                return bine_check_fail(st, rank, -1, "block %d of out is never written", k);
            if (bine_value_block(v, x) !=
                (s->collective == BINE_REDUCE_SCATTER ? rank * s->parts + k : k))
                return bine_check_fail(st, rank, -1, "ends with the wrong block in place %d of out",
                                       k);
            if (!bine_value_is_total(v, x, ordered, why, sizeof why))
                return bine_check_fail(st, rank, -1, "block %d ends with %s", k, why);
            if (s->collective == BINE_ALLREDUCE && x != *bine_piece_at(st, 0, BINE_OUT, k))
                return bine_check_fail(st, rank, -1,
                                       "block %d is added up in another order than on rank 0", k);
            continue;
        }
        if (x != expected)
            return bine_check_fail(
                st, rank, -1,
                x == 0 ? "block %d of out is never written" : "block %d of out is wrong", k);
    }
    return 0;
}

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
        *received = at_root ? 0 : whole;
        break;
    case BINE_MAKE_REDUCE:
    case BINE_MAKE_REDUCE_HUNG:
    case BINE_MAKE_PIPELINE_REDUCE:
    case BINE_MAKE_CIRCULANT_REDUCE:
        *sent = at_root ? 0 : whole;
        break;
    case BINE_MAKE_ALLGATHER:
    case BINE_MAKE_REDUCE_SCATTER:
        *sent = *received = foreign + fix;
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
        *received = at_root ? 0 : -1;
        *sent = at_root ? foreign + root_fix * s->parts : -1;
        break;
    case BINE_MAKE_GATHER:
        *received = at_root ? foreign + root_fix * s->parts : -1;
        *sent = at_root ? root_fix * s->parts : -1;
        break;
    default:
        break;
    }
}

int bine_check_promises(struct bine_check_state *st) {
    const struct bine_algorithm *a = st->algorithm;
    int promised = bine_algorithm_steps_on(a, st->p, &st->rank[0]->dims, st->rank[0]->layout);
    /* A scatter that sends as if permuted ends early where nothing is out of place. */
    int may_be_fewer = a->promise == BINE_STEPS_LOG_ONE ||
                       (a->composition == BINE_MAKE_SCATTER && st->rank[0]->layout == BINE_SEND);
    if (promised < 0)
        promised = st->rank[0]->times;
    if (st->last_time + 1 != promised && !(may_be_fewer && st->last_time + 1 < promised))
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
    }
    return 0;
}
