/* Publications of uneven blocks: their readers need not know the sizes, nor that of the whole.
 *
 * Each rank publishes once. What fits its slot is copied there, the rest stays in the caller's
 * memory and is read from there, whatever other ranks do. Where a publication has blocks for
 * several ranks (scatter, alltoall), it begins with a table of 8-byte words: word k says where
 * block k ends in the caller's memory. On the board these blocks lie in the order of their readers,
 * from the next rank on, without the publisher's own; the first ones are there, and those that do
 * not fit are only in memory, so that a slot that is a little too short for all still serves most
 * ranks. The sizes of a single block (gather, allgather) are those of the publication. */
#include "engine/boards.h"

#include "base/numbers.h"
#include "engine/execution.h"

#include <string.h>

enum { WORD = sizeof(uint64_t) };

/* Entries of the table. */
static int words_of(const struct bine_schedule *s) {
    return s->collective == BINE_SCATTER || s->collective == BINE_ALLTOALL ? s->p : 0;
}

size_t bine_board_sized_least(const struct bine_schedule *s) {
    return sizeof(struct bine_board_exposed) + (size_t)words_of(s) * WORD;
}

static void write_words(char *to, int words, const struct bine_map *m, int first) {
    for (int k = 0; k < words; k++) {
        uint64_t end = (uint64_t)(bine_map_offset(m, first + k + 1) - bine_map_offset(m, first));
        memcpy(to + (size_t)k * WORD, &end, WORD);
    }
}

/* The blocks of a publication for several ranks, by where they begin and end in memory. */
struct blocks {
    int count, own; /* the publisher's own block, which nobody else reads */
    int64_t own_begin, own_end, end;
};

/* Bytes of the blocks before the one that begins at `begin`, in the order on the board. */
static int64_t before(const struct blocks *b, int64_t begin) {
    return begin >= b->own_end ? begin - b->own_end : b->end - b->own_end + begin;
}

static int64_t for_others(const struct blocks *b) {
    return b->end - (b->own_end - b->own_begin);
}

/* The room for blocks beside the head of a publication in memory. */
static int64_t room_beside(const struct bine_boards *boards, int words) {
    return (int64_t)boards->shape.holds - (int64_t)sizeof(struct bine_board_exposed) -
           (int64_t)words * WORD;
}

/* Copy the first `most` bytes that others read, in the order on the board. */
static void copy_around(char *to, const char *data, const struct blocks *b, int64_t most) {
    int64_t after = bine_min(most, b->end - b->own_end);
    if (after > 0)
        memcpy(to, data + b->own_end, (size_t)after);
    if (most > after)
        memcpy(to + after, data, (size_t)(most - after));
}

/* The bytes of the first blocks that fit `room` as a whole. */
static int64_t that_fit(const struct bine_map *m, int first, const struct blocks *b, int64_t room) {
    int64_t base = bine_map_offset(m, first), fits = 0;
    for (int i = 1; i < b->count; i++) {
        int k = first + bine_mod_add(b->own, i, b->count);
        int64_t end = before(b, bine_map_offset(m, k) - base) + bine_map_offset(m, k + 1) -
                      bine_map_offset(m, k);
        if (end > room)
            break;
        fits = end;
    }
    return fits;
}

/* Blocks for several ranks. Returns whether some are in memory only. */
static int publish_blocks(struct bine_execution *x, const struct bine_run *run, uint64_t number,
                          const char *data) {
    const struct bine_map *m = &x->map[run->space];
    struct bine_board_use *u = &x->board;
    struct bine_boards *boards = u->node->boards;
    int words = words_of(x->plan->schedule), own = x->plan->schedule->rank;
    int64_t base = bine_map_offset(m, run->first);
    struct blocks b = {words, own, bine_map_offset(m, run->first + own) - base,
                       bine_map_offset(m, run->first + own + 1) - base,
                       bine_map_offset(m, run->first + words) - base};
    uint32_t table = (uint32_t)(words * WORD);
    int64_t others = for_others(&b);
    int exposes = others + table > (int64_t)boards->shape.holds;
    uint32_t head = exposes ? (uint32_t)sizeof(struct bine_board_exposed) : 0,
             bytes = exposes ? head : table + (uint32_t)others;
    char *to = bine_boards_place(boards, number, bytes) + head;
    write_words(to, words, m, run->first);
    copy_around(to + table, data, &b,
                exposes ? that_fit(m, run->first, &b, room_beside(boards, words)) : others);
    if (exposes)
        bine_boards_expose(boards, &u->call, number, data, (uint64_t)b.end, u->size);
    else
        bine_boards_publish(boards, &u->call, number, bytes, u->size);
    return exposes;
}

int bine_board_publish_sized(struct bine_execution *x, const struct bine_op *op, uint64_t number) {
    const struct bine_run *run = &x->plan->schedule->run[op->runs];
    const struct bine_map *m = &x->map[run->space];
    struct bine_board_use *u = &x->board;
    struct bine_boards *boards = u->node->boards;
    int64_t begin = bine_map_offset(m, run->first),
            bytes = bine_map_offset(m, run->first + (int)run->count) - begin;
    const char *data = bytes > 0 ? bine_at(m->base, (ptrdiff_t)begin) : NULL;
    if (words_of(x->plan->schedule) > 0)
        return publish_blocks(x, run, number, data);
    if (bytes > (int64_t)boards->shape.holds) {
        bine_boards_expose(boards, &u->call, number, data, (uint64_t)bytes, u->size);
        return 1;
    }
    if (bytes > 0)
        memcpy(bine_boards_place(boards, number, (uint32_t)bytes), data, (size_t)bytes);
    bine_boards_publish(boards, &u->call, number, (uint32_t)bytes, u->size);
    return 0;
}

static int64_t word(const char *table, int k) {
    int64_t end = 0;
    if (k >= 0)
        memcpy(&end, table + (size_t)k * WORD, WORD);
    return end;
}

/* The block of an operation, of a publication for several ranks. */
static struct bine_operand operand_of_blocks(const struct bine_execution *x,
                                             const struct bine_op *op, const char *table, int words,
                                             const struct bine_board_exposed *where) {
    int k = op->block - op->first;
    struct blocks b = {words, op->peer, word(table, op->peer - 1), word(table, op->peer),
                       word(table, words - 1)};
    int64_t begin = word(table, k - 1), bytes = word(table, k) - begin, at = before(&b, begin);
    int fits = where == NULL || at + bytes <= room_beside(x->board.node->boards, words);
    return (struct bine_operand){.data = fits ? table + (size_t)words * WORD + at : NULL,
                                 .address = where != NULL ? where->address + (uint64_t)begin : 0,
                                 .bytes = bytes};
}

struct bine_operand bine_board_sized_operand(const struct bine_execution *x,
                                             const struct bine_op *op, int64_t pid,
                                             struct bine_board_slot *slot) {
    int exposed = slot->bytes == BINE_BOARD_EXPOSED, words = words_of(x->plan->schedule);
    struct bine_board_exposed where = {0, slot->bytes};
    const char *at = bine_board_data(slot, exposed ? (uint32_t)sizeof where : slot->bytes);
    if (exposed)
        memcpy(&where, at, sizeof where);
    struct bine_operand found = {
        .data = exposed ? NULL : at, .address = where.address, .bytes = (int64_t)where.bytes};
    if (words > 0)
        found = operand_of_blocks(x, op, at + (exposed ? sizeof where : 0), words,
                                  exposed ? &where : NULL);
    found.pid = pid;
    return found;
}
