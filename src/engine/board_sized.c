/* Publications of uneven blocks: their readers need not know the sizes, nor that of the whole.
 *
 * Each rank publishes once. What fits its slot is copied there, the rest stays in the caller's
 * memory and is read from there, whatever other ranks do. Where a publication has blocks for
 * several ranks (scatter, alltoall), it begins with a table of 8-byte words: word k says where
 * block k ends. The sizes of a single block (gather, allgather) are those of the publication. */
#include "engine/boards.h"

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

int bine_board_publish_sized(struct bine_execution *x, const struct bine_op *op, uint64_t number) {
    const struct bine_run *run = &x->plan->schedule->run[op->runs];
    const struct bine_map *m = &x->map[run->space];
    struct bine_board_use *b = &x->board;
    struct bine_boards *boards = b->node->boards;
    int words = words_of(x->plan->schedule);
    int64_t begin = bine_map_offset(m, run->first),
            bytes = bine_map_offset(m, run->first + (int)run->count) - begin;
    size_t table = (size_t)words * WORD;
    const char *data = bytes > 0 ? bine_at(m->base, (ptrdiff_t)begin) : NULL;
    if (bytes + (int64_t)table > (int64_t)boards->shape.holds) {
        char *to = bine_boards_place(boards, number, sizeof(struct bine_board_exposed));
        write_words(to + sizeof(struct bine_board_exposed), words, m, run->first);
        bine_boards_expose(boards, &b->call, number, data, (uint64_t)bytes, b->size);
        return 1;
    }
    char *to = bine_boards_place(boards, number, (uint32_t)(table + (size_t)bytes));
    write_words(to, words, m, run->first);
    if (bytes > 0)
        memcpy(to + table, data, (size_t)bytes);
    bine_boards_publish(boards, &b->call, number, (uint32_t)(table + (size_t)bytes), b->size);
    return 0;
}

struct bine_operand bine_board_sized_operand(const struct bine_execution *x,
                                             const struct bine_op *op, int64_t pid,
                                             struct bine_board_slot *slot) {
    int exposed = slot->bytes == BINE_BOARD_EXPOSED, words = words_of(x->plan->schedule);
    struct bine_board_exposed where = {0, slot->bytes};
    size_t head = exposed ? sizeof where : 0;
    const char *at = bine_board_data(slot, exposed ? (uint32_t)sizeof where : slot->bytes);
    if (exposed)
        memcpy(&where, at, sizeof where);
    uint64_t begin = 0, end = where.bytes;
    int k = op->block - op->first;
    if (words > 0)
        memcpy(&end, at + head + (size_t)k * WORD, WORD);
    if (k > 0)
        memcpy(&begin, at + head + (size_t)(k - 1) * WORD, WORD);
    return (struct bine_operand){.data = exposed ? NULL : at + (size_t)words * WORD + begin,
                                 .address = where.address + begin,
                                 .pid = pid,
                                 .bytes = (int64_t)(end - begin)};
}
