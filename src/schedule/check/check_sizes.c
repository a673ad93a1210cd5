/* Blocks with sizes of their own in the proof. Both ends of a message must count equal bytes,
 * transfer by transfer, whatever the sizes are: otherwise one drops data that the other sends. They
 * are drawn: small ones and zeros; nothing but one huge block; and both. */
#include "schedule/check/check_state.h"

enum { DRAWS = 3 };

static uint64_t mix(uint64_t x) {
    x ^= x >> 31;
    x *= UINT64_C(0x9e3779b97f4a7c15);
    x ^= x >> 29;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 32;
}

/* The bytes from one rank to another; to -1: to all. */
static int64_t drawn(int draw, int p, int from, int to) {
    uint64_t x = mix(((uint64_t)from << 24 ^ (uint64_t)(to + 1)) * DRAWS + (uint64_t)draw);
    int huge = from == p / 3 && (to < 0 || to == p - 1);
    if (draw > 0 && huge)
        return INT64_C(1) << 40;
    return draw == 1 || x % 3 == 0 ? 0 : (int64_t)(x >> 8 & 1023);
}

static int64_t piece_bytes(const struct bine_schedule *s, int draw, int space, int place) {
    int block = bine_schedule_block(s, space, place), owner = block / s->parts,
        part = block % s->parts;
    int64_t whole = s->collective != BINE_ALLTOALL ? drawn(draw, s->p, owner, -1)
                    : space == BINE_OUT            ? drawn(draw, s->p, owner, s->rank)
                                                   : drawn(draw, s->p, s->rank, owner);
    if (s->exchanges_sizes) /* large ones in the second part */
        return (whole > 511) == part ? whole : 0;
    return whole / s->parts + (part < whole % s->parts);
}

static int64_t run_bytes(const struct bine_schedule *s, int draw, const struct bine_run *r) {
    int64_t bytes = 0;
    for (uint32_t k = 0; k < r->count; k++)
        bytes += piece_bytes(s, draw, (int)r->space, r->first + (int)k);
    return bytes;
}

/* Transfer i of an operation; in the layout pack there is one. */
static int64_t transfer_bytes(const struct bine_schedule *s, int draw, uint32_t runs,
                              uint32_t nruns, uint32_t i) {
    int64_t bytes = 0;
    if (s->layout != BINE_PACK)
        return run_bytes(s, draw, &s->run[runs + i]);
    for (uint32_t k = 0; k < nruns; k++)
        bytes += run_bytes(s, draw, &s->run[runs + k]);
    return bytes;
}

int bine_check_sizes(struct bine_check_state *st, const struct bine_schedule *a,
                     const struct bine_op *send, const struct bine_schedule *b,
                     const struct bine_op *recv, int time) {
    uint32_t transfers = a->layout == BINE_PACK ? 1 : send->nruns;
    for (int draw = 0; a->uneven && draw < DRAWS; draw++)
        for (uint32_t i = 0; i < transfers; i++) {
            int64_t n = transfer_bytes(a, draw, send->runs, send->nruns, i),
                    m = transfer_bytes(b, draw, recv->runs, recv->nruns, i);
            if (n != m)
                return bine_check_fail(st, b->rank, time,
                                       "expects %lld bytes in transfer %u from rank %d, which "
                                       "sends %lld",
                                       (long long)m, i, a->rank, (long long)n);
        }
    return 0;
}

int bine_check_copied_sizes(struct bine_check_state *st, const struct bine_schedule *s,
                            const struct bine_op *op, int time) {
    for (int draw = 0; s->uneven && op->nwith > 0 && draw < DRAWS; draw++) {
        int64_t to = 0, from = 0;
        for (uint32_t k = 0; k < op->nruns; k++)
            to += run_bytes(s, draw, &s->run[op->runs + k]);
        for (uint32_t k = 0; k < op->nwith; k++)
            from += run_bytes(s, draw, &s->run[op->with + k]);
        if (to != from)
            return bine_check_fail(st, s->rank, time, "copies %lld bytes to %lld", (long long)from,
                                   (long long)to);
    }
    return 0;
}

/* The sizes that a rank knows by itself: of its own block, or at the root of a scatter of all. */
static int knows(const struct bine_schedule *s, int owner) {
    return s->collective == BINE_SCATTER ? s->rank == s->root : s->rank == owner;
}

/* Note whose words have come to a place, the first part of a block. */
static void note_word(struct bine_check_state *st, int rank, int space, int place) {
    struct bine_seek at = {0, 0};
    struct bine_stretch x = bine_stretch_at(st, st->rank[rank], space, place, 1, &at);
    int block = bine_schedule_block(st->rank[rank], space, place), parts = st->rank[rank]->parts;
    if (block % parts == 0 && *bine_pieces_of(st, rank, &x) != 0)
        st->mark[block / parts] = st->stamp;
}

int bine_check_size_exchange(struct bine_check_state *st, int rank) {
    const struct bine_schedule *s = st->rank[rank];
    st->stamp++;
    for (int space = 0; s->exchanges_sizes && space < BINE_SPACES; space++)
        for (int k = 0; k < s->space[space].pieces; k++)
            note_word(st, rank, space, k);
    for (int space = 0; s->exchanges_sizes && space < BINE_SPACES; space++)
        for (int k = 0; k < s->space[space].pieces; k++) {
            int owner = bine_schedule_block(s, space, k) / s->parts;
            if (!knows(s, owner) && st->mark[owner] != st->stamp)
                return bine_check_fail(
                    st, rank, -1, "has a place for the block of rank %d, but not its size", owner);
        }
    return 0;
}
