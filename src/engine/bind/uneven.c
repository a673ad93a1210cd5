#include "engine/bind/uneven.h"

#include "engine/memory/stage.h"
#include "schedule/piece_bytes.h"

/* The type of a block. An MPI error code. */
static int type_of(const struct bine_blocks *b, const struct bine_type *t, int k,
                   struct bine_type *found) {
    *found = *t;
    return b->types != NULL ? bine_type_describe(bine_blocks_type(b, k), found) : BINE_OK;
}

static int64_t bytes_of(const struct bine_blocks *b, const struct bine_type *t, int k) {
    int size = (int)t->size;
    if (b->types != NULL && bine_transport.size(bine_blocks_type(b, k), &size) != BINE_OK)
        size = 0;
    return bine_count_at(&b->counts, k) * size;
}

ptrdiff_t bine_uneven_place(const struct bine_blocks *b, const struct bine_type *t, int k) {
    return (ptrdiff_t)(bine_count_at(&b->displs, k) * (b->types != NULL ? 1 : t->extent));
}

/* Whether the sending rank's arguments tell the bytes of a rank's block. */
static int is_given(const struct bine_call *call, int kind, int space) {
    if (kind == BINE_ALLTOALL)
        return space != BINE_OUT && !call->in_place;
    return kind == BINE_SCATTER ? space != BINE_OUT || call->in_place
                                : kind == BINE_GATHER && space == BINE_IN && !call->in_place;
}

/* The side of a call that tells the sizes of blocks in `in` or `out`. */
static struct bine_uneven_pieces side_of(const struct bine_call *call, int kind, int space) {
    int given = is_given(call, kind, space);
    struct bine_uneven_pieces x = {.call = call,
                                   .space = space,
                                   .blocks = given ? &call->send_blocks : &call->recv_blocks,
                                   .type = given ? &call->sendtype : &call->recvtype,
                                   .one = -1};
    if (!bine_counts_given(&x.blocks->counts))
        x.one = (int64_t)(given ? call->sendcount : call->recvcount) * x.type->size;
    return x;
}

static int64_t block_of(const struct bine_uneven_pieces *x, int owner) {
    return x->one >= 0 ? x->one : bytes_of(x->blocks, x->type, owner);
}

int64_t bine_uneven_block(const struct bine_call *call, int kind, int space, int owner) {
    struct bine_uneven_pieces x = side_of(call, kind, space);
    return block_of(&x, owner);
}

/* Where sizes are announced. */
static int64_t announced_piece(const struct bine_call *call, int owner, int part) {
    if (call->exchanges_sizes)
        return part == 0 ? BINE_WORD_BYTES : 0;
    int64_t word = call->announced[owner];
    return bine_word_is_direct(word) == part ? bine_word_bytes(word) : 0;
}

int bine_uneven_differs(const struct bine_call *call, const struct bine_schedule *s) {
    struct bine_seek at = {0, 0};
    for (int k = 0; call->announced != NULL && k < s->space[BINE_OUT].pieces; k++) {
        int owner = bine_schedule_seek(s, BINE_OUT, k, &at) / s->parts;
        if (bine_word_bytes(call->announced[owner]) !=
            bine_uneven_block(call, (int)s->collective, BINE_OUT, owner))
            return 1;
    }
    return 0;
}

ptrdiff_t bine_uneven_fits(const struct bine_type *t, ptrdiff_t n, int64_t word, int *truncated) {
    int64_t came = bine_word_bytes(word);
    *truncated |= came > (int64_t)n * t->size;
    return t->size > 0 && came < (int64_t)n * t->size ? (ptrdiff_t)(came / t->size) : n;
}

struct bine_uneven_pieces bine_uneven_pieces_of(const struct bine_call *call,
                                                const struct bine_schedule *s, int space) {
    struct bine_uneven_pieces x = side_of(call, (int)s->collective, space);
    x.s = s;
    x.in_order = s->parts == 1 && !s->exchanges_sizes && x.one < 0 && x.blocks->types == NULL &&
                 s->space[space].arrangement == BINE_NATURAL;
    return x;
}

int64_t bine_uneven_parted(const struct bine_uneven_pieces *x, int place) {
    const struct bine_schedule *s = x->s;
    int number = bine_schedule_block(s, x->space, place), owner = number / s->parts,
        part = number % s->parts;
    if (s->exchanges_sizes)
        return announced_piece(x->call, owner, part);
    int64_t whole = block_of(x, owner);
    return whole / s->parts + (part < whole % s->parts);
}

int bine_uneven_is_row(const struct bine_blocks *b, const struct bine_type *t, int p,
                       ptrdiff_t *from) {
    int64_t at = 0;
    int begun = 0;
    *from = 0;
    for (int k = 0; bine_counts_given(&b->counts) && k < p; k++) {
        int64_t bytes = bytes_of(b, t, k);
        if (bytes == 0)
            continue;
        ptrdiff_t place = bine_uneven_place(b, t, k);
        if (!begun)
            *from = place;
        begun = 1;
        if (place != *from + (ptrdiff_t)at)
            return 0;
        at += bytes;
    }
    return 1;
}

/* Every block that is meant, one after the other. */
static int each_block(const struct bine_uneven_way *w, char *caller, char *packed, int unpacks) {
    int rc = BINE_OK, truncated = 0;
    for (int k = w->only < 0 ? 0 : w->only; k < w->p && rc == BINE_OK; k++) {
        struct bine_type t;
        ptrdiff_t n = (ptrdiff_t)bine_count_at(&w->blocks->counts, k);
        rc = type_of(w->blocks, w->type, k, &t);
        if (w->announced != NULL && unpacks)
            n = bine_uneven_fits(w->type, n, w->announced[k], &truncated);
        char *there = bine_at(caller, bine_uneven_place(w->blocks, w->type, k));
        char *here = bine_at(packed, (ptrdiff_t)(w->only < 0 ? w->table[k * w->parts] : 0));
        if (rc == BINE_OK && n > 0)
            rc = unpacks ? bine_stage_unpack(w->memory, &t, here, n, there, w->comm)
                         : bine_stage_pack(w->memory, &t, there, n, here, w->comm);
        if (w->only >= 0)
            break;
    }
    return rc == BINE_OK && truncated ? BINE_ERR_TRUNCATE : rc;
}

int bine_uneven_pack(const struct bine_uneven_way *w, const void *from, char *to) {
    return each_block(w, bine_at(from, 0), to, 0);
}

int bine_uneven_unpack(const struct bine_uneven_way *w, const char *from, void *to) {
    return each_block(w, to, bine_at(from, 0), 1);
}
