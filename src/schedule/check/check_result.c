/* The data that ranks begin with, and the data they must end with. */
#include "schedule/check/check_state.h"

int bine_check_open(struct bine_check_state *st) {
    const struct bine_schedule *s = st->rank[0];
    int parted = s->collective == BINE_ALLTOALL;
    while (parted && 1 << st->shift < s->parts)
        st->shift++;
    int rc = bine_values_open(&st->values, st->p, parted ? st->p << st->shift : s->blocks);
    st->bits = parted ? (1u << st->shift) - 1 : st->values.mask;
    return rc;
}

/* The caller's data in piece k of a rank's `in`. Where the blocks of all ranks are gathered,
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
    case BINE_SCAN:
        return s->blocks;
    case BINE_EXSCAN:
        return s->rank > 0 ? s->blocks : 0;
    case BINE_GATHER:
        return at_root ? s->p * s->parts : 0;
    case BINE_SCATTER:
    case BINE_REDUCE_SCATTER:
        return s->parts;
    default:
        return s->p * s->parts;
    }
}

/* How many ranks a sum is over, from the first on. */
static int ranks_of_sum(const struct bine_schedule *s) {
    return s->collective == BINE_SCAN ? s->rank + 1 : s->collective == BINE_EXSCAN ? s->rank : s->p;
}

/* Piece k of `out` is x: the whole sum of its block. */
static int check_sum(struct bine_check_state *st, int rank, int k, bine_value x) {
    const struct bine_schedule *s = st->rank[rank];
    int ordered = st->algorithm != NULL && !st->algorithm->commutative;
    int block = s->collective == BINE_REDUCE_SCATTER ? rank * s->parts + k : k;
    int differs = st->algorithm != NULL && st->algorithm->differs;
    int alike = s->collective == BINE_ALLREDUCE && rank > 0 && !differs;
    char why[128];
    if (x == 0)
        return bine_check_fail(st, rank, -1, "block %d of out is never written", k);
    if (alike) {
        struct bine_seek at = {0, 0};
        struct bine_stretch first = bine_stretch_at(st, st->rank[0], BINE_OUT, k, 1, &at);
        if (x == *bine_pieces_of(st, 0, &first))
            return 0; /* rank 0 has been found right */
    }
    if (bine_value_block(&st->values, x) != block)
        return bine_check_fail(st, rank, -1, "ends with the wrong block in place %d of out", k);
    if (!bine_value_is_total(&st->values, x, ranks_of_sum(s), ordered, why, sizeof why))
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
    struct bine_seek at = {0, 0};
    if (s->collective == BINE_BARRIER)
        return bine_check_hearing(st, rank);
    if (s->space[BINE_OUT].pieces < n && !is_in)
        return bine_check_fail(st, rank, -1, "out has %d pieces, expected %d",
                               s->space[BINE_OUT].pieces, n);
    for (int k = 0; k < n && rc == 0;) {
        struct bine_stretch x = bine_stretch_at(st, s, BINE_OUT, k, n - k, &at);
        const bine_value *piece = bine_pieces_of(st, rank, &x);
        for (int i = 0; i < x.count && rc == 0; i++, k++)
            rc = sums ? check_sum(st, rank, k, piece[i]) : check_data(st, rank, k, piece[i]);
    }
    return rc;
}
