/* How large everything is that a call works on. */
#include "engine/bind/bind_parts.h"
#include "engine/bind/uneven.h"

#include <string.h>

/* Scratch beyond the largest message, so that small ones from several peers can come at once. */
#define GENEROUS_SCRATCH ((size_t)1 << 20)

static enum bine_collective kind_of(const struct bine_call *call) {
    return bine_collective_kind(call->collective);
}

static int is_block_wise(enum bine_collective c) {
    return c == BINE_GATHER || c == BINE_SCATTER || c == BINE_ALLGATHER || c == BINE_ALLTOALL;
}

static void set_uniform(struct bine_execution *x, int64_t block) {
    for (int k = 0; k < BINE_SPACES; k++)
        x->map[k] = (struct bine_map){.block = block};
}

static void set_cut(struct bine_execution *x, int64_t total, int blocks) {
    for (int k = 0; k < BINE_SPACES; k++)
        x->map[k] = (struct bine_map){.block = total / blocks, .extra = total % blocks};
}

const struct bine_counts *bine_counts_of(const struct bine_call *call) {
    return bine_collective_reduces(call->collective) && bine_counts_given(&call->recv_blocks.counts)
               ? &call->recv_blocks.counts
               : NULL;
}

/* The elements of a piece where the blocks of ranks come in parts. */
static int64_t part_elements(const struct bine_schedule *s, int space, int place,
                             const struct bine_counts *counts, int64_t block) {
    int number = bine_schedule_block(s, space, place), q = number % s->parts;
    int64_t whole = counts != NULL ? bine_count_at(counts, number / s->parts) : block;
    return whole / s->parts + (q < whole % s->parts);
}

static int64_t parts_elements(const struct bine_schedule *s, int space,
                              const struct bine_counts *counts, int64_t block) {
    int64_t n = 0;
    for (int k = 0; k < s->space[space].pieces; k++)
        n += part_elements(s, space, k, counts, block);
    return n;
}

/* In parts, and with uneven blocks, every space has a table. */
static void set_tables(struct bine_execution *x, const struct bine_call *call, int64_t block,
                       char *tables) {
    const struct bine_schedule *s = x->plan->schedule;
    int64_t *table = (int64_t *)(void *)tables;
    for (int space = 0; space < BINE_SPACES; space++) {
        int pieces = s->space[space].pieces;
        struct bine_uneven_pieces uneven = bine_uneven_pieces_of(call, s, space);
        x->map[space] = (struct bine_map){.table = table};
        table[0] = 0;
        for (int k = 0; k < pieces; k++)
            table[k + 1] =
                table[k] + (bine_call_is_uneven(call)
                                ? bine_uneven_piece(&uneven, k)
                                : part_elements(s, space, k, bine_counts_of(call), block));
        table += pieces + 1;
    }
}

/* The blocks of a side of the call, where they lie if it has displacements. */
static int64_t *set_places(struct bine_execution *x, int space, const struct bine_blocks *blocks,
                           const struct bine_type *type, int64_t *places) {
    const struct bine_schedule *s = x->plan->schedule;
    if (!bine_counts_given(&blocks->counts))
        return places;
    x->map[space].at = places;
    for (int k = 0; k < s->space[space].pieces; k++)
        *places++ = bine_uneven_place(blocks, type, bine_schedule_block(s, space, k));
    return places;
}

size_t bine_bind_place_tables(const struct bine_schedule *s) {
    size_t entries = (size_t)(s->space[BINE_IN].pieces + s->space[BINE_OUT].pieces);
    return bine_room_of(entries * sizeof(int64_t));
}

void bine_bind_places(struct bine_bound *b, char *places) {
    struct bine_execution *x = &b->execution;
    const struct bine_call *call = &b->call;
    int64_t *at =
        set_places(x, BINE_IN, &call->send_blocks, &call->sendtype, (int64_t *)(void *)places);
    set_places(x, BINE_OUT, &call->recv_blocks, &call->recvtype, at);
}

static size_t parts_tables(const struct bine_schedule *s) {
    size_t entries = BINE_SPACES;
    for (int space = 0; space < BINE_SPACES; space++)
        entries += (size_t)s->space[space].pieces;
    return bine_room_of(entries * sizeof(int64_t));
}

/* Offsets of the places of a space whose blocks have the given counts. */
static const int64_t *fill_table(const struct bine_schedule *s, int space,
                                 const struct bine_counts *counts, int64_t *table) {
    table[0] = 0;
    for (int k = 0; k < s->space[space].pieces; k++)
        table[k + 1] = table[k] + bine_count_at(counts, bine_schedule_block(s, space, k));
    return table;
}

/* Reduce-scatter with unequal counts: `in` and (unless it is slots of our own block's size) `tmp`
 * need tables. */
static void set_counts(struct bine_execution *x, const struct bine_call *call, char *tables) {
    const struct bine_schedule *s = x->plan->schedule;
    int64_t *table = (int64_t *)(void *)tables;
    const struct bine_counts *counts = &call->recv_blocks.counts;
    set_uniform(x, bine_count_at(counts, s->rank));
    x->map[BINE_IN].table = fill_table(s, BINE_IN, counts, table);
    if (s->space[BINE_TMP].arrangement != BINE_SLOTS)
        x->map[BINE_TMP].table = fill_table(s, BINE_TMP, counts, table + s->p + 1);
}

/* Scratch and staging hold several messages beside each other. */
void bine_bind_measure_aside(const struct bine_plan *plan, const struct bine_type *t,
                             struct bine_bind_needs *n) {
    int64_t staged = bine_min(n->piece * plan->max_send_staged, n->total * plan->max_messages);
    size_t one = bine_type_room(t, bine_min(n->piece * plan->max_recv_staged, n->total));
    size_t all = one * plan->max_messages, must = one * (plan->max_held + 1);
    must = must < all ? must : all;
    n->scratch = all <= GENEROUS_SCRATCH ? all : must > GENEROUS_SCRATCH ? must : GENEROUS_SCRATCH;
    n->roomy = n->scratch == all;
    /* n elements take n - 1 extents and at most this. */
    size_t last = bine_room_of((size_t)t->true_extent + 128);
    if (staged > 0)
        n->staging = bine_type_room(t, staged) + plan->max_messages * last;
}

/* The largest piece of all, and all of the largest space: no message has more. */
static void measure_uneven(const struct bine_call *call, const struct bine_schedule *s,
                           struct bine_bind_needs *n) {
    int64_t *const all[BINE_SPACES] = {&n->in, &n->out, &n->tmp};
    for (int space = 0; space < BINE_SPACES; space++) {
        struct bine_uneven_pieces pieces = bine_uneven_pieces_of(call, s, space);
        for (int k = 0; k < s->space[space].pieces; k++) {
            int64_t bytes = bine_uneven_piece(&pieces, k);
            *all[space] += bytes;
            n->piece = bytes > n->piece ? bytes : n->piece;
        }
        n->total = *all[space] > n->total ? *all[space] : n->total;
    }
    n->tables = parts_tables(s) + (s->boards ? bine_room_of((size_t)s->p * sizeof(int64_t)) : 0);
}

void bine_bind_measure(const struct bine_plan *plan, const struct bine_call *call,
                       struct bine_bind_needs *n) {
    const struct bine_schedule *s = plan->schedule;
    memset(n, 0, sizeof *n);
    n->execution = bine_room_of(bine_execution_bytes(plan));
    if (bine_call_is_uneven(call)) {
        measure_uneven(call, s, n);
        return;
    }
    const struct bine_counts *counts = bine_counts_of(call);
    if (counts != NULL) {
        for (int k = 0; k < s->p; k++) {
            int64_t count = bine_count_at(counts, k);
            n->total += count;
            n->piece = count > n->piece ? count : n->piece;
        }
        n->tables = bine_room_of(2 * ((size_t)s->p + 1) * sizeof(int64_t));
    } else if (is_block_wise(kind_of(call)) || kind_of(call) == BINE_REDUCE_SCATTER) {
        n->block = kind_of(call) == BINE_REDUCE_SCATTER ? call->recvcount : call->bytes / s->p;
        n->piece = (n->block + s->parts - 1) / s->parts;
        n->total = n->block * s->p;
    } else {
        n->total = kind_of(call) == BINE_BCAST ? call->bytes : call->recvcount;
        n->piece = (n->total + s->blocks - 1) / s->blocks;
        n->block = n->total;
    }
}

/* The tmp space's size is known once its map is. Slots are all of one size. */
static int64_t tmp_elements(const struct bine_execution *x) {
    int pieces = x->plan->schedule->space[BINE_TMP].pieces;
    return pieces == 0 ? 0 : bine_map_offset(&x->map[BINE_TMP], pieces);
}

/* How the spaces are cut, as far as that is known before there is memory for tables. */
void bine_bind_maps(struct bine_execution *x, const struct bine_call *call,
                    struct bine_bind_needs *n) {
    const struct bine_schedule *s = x->plan->schedule;
    if (bine_call_is_uneven(call)) {
        set_uniform(x, 0);
    } else if (s->parts > 1) {
        n->tables = parts_tables(s);
        n->tmp = parts_elements(s, BINE_TMP, bine_counts_of(call), n->block);
    } else if (bine_counts_of(call) != NULL) {
        set_uniform(x, 0);
        n->tmp = s->space[BINE_TMP].arrangement == BINE_SLOTS
                     ? bine_count_at(bine_counts_of(call), s->rank) * s->p
                     : n->total;
    } else {
        if (is_block_wise(kind_of(call)) || kind_of(call) == BINE_REDUCE_SCATTER)
            set_uniform(x, n->piece);
        else
            set_cut(x, x->board.node != NULL ? bine_min(n->total, x->board.most) : n->total,
                    s->blocks);
        n->tmp = tmp_elements(x);
    }
}

/* On boards, both ends know the sizes of blocks from the counts of all. */
static void set_board_counts(struct bine_bound *b, char *at) {
    const struct bine_schedule *s = b->execution.plan->schedule;
    int64_t *bytes = (int64_t *)(void *)at;
    for (int k = 0; k < s->p; k++)
        bytes[k] = bine_map_offset(&b->execution.map[BINE_OUT], k + 1) -
                   bine_map_offset(&b->execution.map[BINE_OUT], k);
    b->block_bytes = (struct bine_counts){.wide = bytes};
    b->execution.board.counts = &b->block_bytes;
}

void bine_bind_tables(struct bine_bound *b, const struct bine_bind_needs *n, char *at) {
    struct bine_execution *x = &b->execution;
    const struct bine_schedule *s = x->plan->schedule;
    int uneven = bine_call_is_uneven(&b->call);
    if (s->parts > 1 || uneven)
        set_tables(x, &b->call, n->block, at);
    else if (bine_counts_of(&b->call) != NULL)
        set_counts(x, &b->call, at);
    if (uneven && s->boards && s->collective == BINE_ALLGATHER)
        set_board_counts(b, at + parts_tables(s));
}
