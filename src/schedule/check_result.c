/* What the ranks begin with, what they must end with, and what the catalogue promises. */
#include "schedule/check_state.h"
#include "schedule/compose.h"

int bine_check_open(struct bine_check_state *st) {
    const struct bine_schedule *s = st->rank[0];
    int parted = s->collective == BINE_ALLTOALL;
    while (parted && 1 << st->shift < s->parts)
        st->shift++;
    int rc = bine_values_open(&st->values, st->p, parted ? st->p << st->shift : s->blocks);
    st->bits = parted ? (1u << st->shift) - 1 : st->values.mask;
    return rc;
}

/* What the caller gives in piece k of a rank's `in`. Where the blocks of all ranks are gathered,
 * they are numbered through. */
static bine_value input(const struct bine_check_state *st, int rank, int k) {
    const struct bine_schedule *s = st->rank[rank];
    int through = s->collective == BINE_GATHER || s->collective == BINE_ALLGATHER;
    if (s->collective == BINE_ALLTOALL)
        k = k / s->parts << st->shift | k % s->parts;
    return bine_value_leaf(&st->values, rank, through ? rank * s->parts + k : k);
}

void bine_check_inputs(struct bine_check_state *st) {
    for (int r = 0; r < st->p; r++) {
        bine_value *in = &st->piece[st->base[r]];
        for (int k = 0; k < st->rank[r]->space[BINE_IN].pieces; k++)
            in[k] = input(st, r, k);
    }
}

/* How many pieces a rank must have in `out`. */
static int pieces_expected(const struct bine_schedule *s) {
    int at_root = s->rank == s->root;
    switch (s->collective) {
    case BINE_BCAST:
        return at_root ? 0 : s->blocks;
    case BINE_REDUCE:
        return at_root ? s->blocks : 0;
    case BINE_ALLREDUCE:
        return s->blocks;
    case BINE_GATHER:
        return at_root ? s->p * s->parts : 0;
    case BINE_SCATTER:
    case BINE_REDUCE_SCATTER:
        return s->parts;
    default:
        return s->p * s->parts;
    }
}

/* Piece k of `out` is x: the whole sum of its block. */
static int check_sum(struct bine_check_state *st, int rank, int k, bine_value x) {
    const struct bine_schedule *s = st->rank[rank];
    int ordered = st->algorithm != NULL && !st->algorithm->commutative;
    int block = s->collective == BINE_REDUCE_SCATTER ? rank * s->parts + k : k;
    int alike = s->collective == BINE_ALLREDUCE && rank > 0;
    char why[128];
    if (x == 0)
        return bine_check_fail(st, rank, -1, "block %d of out is never written", k);
    if (alike) {
        struct bine_stretch first = bine_stretch_at(st, st->rank[0], BINE_OUT, k, 1);
        if (x == *bine_pieces_of(st, 0, &first))
            return 0; /* rank 0 has been found right */
    }
    if (bine_value_block(&st->values, x) != block)
        return bine_check_fail(st, rank, -1, "ends with the wrong block in place %d of out", k);
    if (!bine_value_is_total(&st->values, x, ordered, why, sizeof why))
        return bine_check_fail(st, rank, -1, "block %d ends with %s", k, why);
    if (alike)
        return bine_check_fail(st, rank, -1, "block %d is added up in another order than on rank 0",
                               k);
    return 0;
}

/* Piece k of `out` is x: the data of one rank. */
static int check_data(struct bine_check_state *st, int rank, int k, bine_value x) {
    const struct bine_schedule *s = st->rank[rank];
    bine_value expected;
    if (s->collective == BINE_BCAST)
        expected = input(st, s->root, k);
    else if (s->collective == BINE_SCATTER)
        expected = input(st, s->root, rank * s->parts + k);
    else if (s->collective == BINE_ALLTOALL)
        expected = input(st, k / s->parts, rank * s->parts + k % s->parts);
    else
        expected = input(st, k / s->parts, k % s->parts);
    if (x == expected)
        return 0;
    return bine_check_fail(
        st, rank, -1, x == 0 ? "block %d of out is never written" : "block %d of out is wrong", k);
}

int bine_check_result(struct bine_check_state *st, int rank) {
    const struct bine_schedule *s = st->rank[rank];
    int n = pieces_expected(s), sums = bine_collective_reduces(s->collective), rc = 0;
    int is_in = s->in_place && s->collective == BINE_SCATTER && rank == s->root;
    if (s->space[BINE_OUT].pieces < n && !is_in)
        return bine_check_fail(st, rank, -1, "out has %d pieces, expected %d",
                               s->space[BINE_OUT].pieces, n);
    for (int k = 0; k < n && rc == 0;) {
        struct bine_stretch x = bine_stretch_at(st, s, BINE_OUT, k, n - k);
        const bine_value *piece = bine_pieces_of(st, rank, &x);
        for (int i = 0; i < x.count && rc == 0; i++, k++)
            rc = sums ? check_sum(st, rank, k, piece[i]) : check_data(st, rank, k, piece[i]);
    }
    return rc;
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
