/* Publications of uneven blocks: their readers need not know the sizes, nor that of the whole.
 *
 * Each rank publishes once. What fits its slot is copied there, the rest stays in the caller's
 * memory and is read from there, whatever other ranks do. Where a publication has blocks for
 * several ranks (scatter, alltoall), it begins with a table of places. On the board these blocks
 * lie in the order of their readers, from the next rank on, without the publisher's own; the first
 * ones are there, and those that do not fit are only in memory, so that a slot that is a little too
 * short for all still serves most ranks. The sizes of a single block (gather, allgather) are those
 * of the publication. */
#include "engine/boards.h"

#include "base/numbers.h"
#include "engine/execution.h"
#include "pattern/tree.h"

#include <string.h>

/* A block in the table: where it ends in the order on the board, and where it begins in memory,
 * from the publication's address on. The publisher's own ends at 0: the next one begins there. */
struct place {
    int64_t end, at;
};

/* Entries of the table. */
static int places_of(const struct bine_schedule *s) {
    return s->collective == BINE_SCATTER || s->collective == BINE_ALLTOALL ? s->p : 0;
}

static uint32_t table_bytes(const struct bine_schedule *s) {
    return (uint32_t)(places_of(s) * (int)sizeof(struct place));
}

size_t bine_board_sized_least(const struct bine_schedule *s) {
    return sizeof(struct bine_board_exposed) + table_bytes(s);
}

/* The room for blocks beside the head of a publication in memory. */
static int64_t room_beside(const struct bine_boards *boards, const struct bine_schedule *s) {
    return (int64_t)boards->shape.holds - (int64_t)bine_board_sized_least(s);
}

static int64_t bytes_at(const struct bine_map *m, int place) {
    return bine_map_offset(m, place + 1) - bine_map_offset(m, place);
}

/* Write the table and, behind it, the first blocks: as long as they end within `room`. */
static void write_blocks(const struct bine_execution *x, const struct bine_run *run, char *to,
                         int64_t room) {
    const struct bine_schedule *s = x->plan->schedule;
    const struct bine_map *m = &x->map[run->space];
    const struct place own = {0, 0};
    char *blocks = to + table_bytes(s);
    int64_t end = 0;
    memcpy(to + (size_t)s->rank * sizeof own, &own, sizeof own);
    for (int i = 1; i < s->p; i++) {
        int k = bine_mod_add(s->rank, i, s->p);
        int64_t bytes = bytes_at(m, (int)run->first + k);
        struct place place = {end + bytes, bine_map_at(m, (int)run->first + k, 0, 1)};
        memcpy(to + (size_t)k * sizeof place, &place, sizeof place);
        if (bytes > 0 && place.end <= room)
            memcpy(blocks + end, m->base + place.at, (size_t)bytes);
        end = place.end;
    }
}

/* Blocks for several ranks. Returns whether some are in memory only. */
static int publish_blocks(struct bine_execution *x, const struct bine_run *run, uint64_t number) {
    const struct bine_schedule *s = x->plan->schedule;
    const struct bine_map *m = &x->map[run->space];
    struct bine_board_use *b = &x->board;
    struct bine_boards *boards = b->node->boards;
    int first = (int)run->first;
    int64_t all = bine_map_offset(m, first + s->p) - bine_map_offset(m, first),
            others = all - bytes_at(m, first + s->rank);
    if (others + table_bytes(s) <= (int64_t)boards->shape.holds) {
        uint32_t bytes = table_bytes(s) + (uint32_t)others;
        write_blocks(x, run, bine_boards_place(boards, number, bytes), others);
        bine_boards_publish(boards, &b->call, number, bytes, b->size);
        return 0;
    }
    const size_t head = sizeof(struct bine_board_exposed);
    write_blocks(x, run, bine_boards_place(boards, number, (uint32_t)head) + head,
                 room_beside(boards, s));
    bine_boards_expose(boards, &b->call, number, m->base, (uint64_t)all, b->size);
    return 1;
}

int bine_board_publish_sized(struct bine_execution *x, const struct bine_op *op, uint64_t number) {
    const struct bine_run *run = &x->plan->schedule->run[op->runs];
    const struct bine_map *m = &x->map[run->space];
    struct bine_board_use *b = &x->board;
    struct bine_boards *boards = b->node->boards;
    if (places_of(x->plan->schedule) > 0)
        return publish_blocks(x, run, number);
    int64_t begin = bine_map_offset(m, run->first),
            bytes = bine_map_offset(m, run->first + (int)run->count) - begin;
    const char *data = bytes > 0 ? bine_at(m->base, (ptrdiff_t)begin) : NULL;
    if (bytes > (int64_t)boards->shape.holds) {
        bine_boards_expose(boards, &b->call, number, data, (uint64_t)bytes, b->size);
        return 1;
    }
    if (bytes > 0)
        memcpy(bine_boards_place(boards, number, (uint32_t)bytes), data, (size_t)bytes);
    bine_boards_publish(boards, &b->call, number, (uint32_t)bytes, b->size);
    return 0;
}

int bine_board_sized_is_read(const struct bine_execution *x, const struct bine_step *step,
                             uint64_t number) {
    const struct bine_schedule *s = x->plan->schedule;
    const struct bine_node *node = x->board.node;
    const struct bine_op *op = &s->op[step->ops];
    if (places_of(s) == 0)
        return bine_boards_is_passed(node->boards, number);
    while (op->kind != BINE_OP_EXPOSE)
        op++;
    const struct bine_run *run = &s->run[op->runs];
    for (int k = 0; k < s->p; k++)
        if (k != s->rank && bytes_at(&x->map[run->space], (int)run->first + k) > 0 &&
            !bine_boards_has_passed(node->boards, node->seat[k], number))
            return 0;
    return 1;
}

static struct place place_at(const char *table, int k) {
    struct place found;
    memcpy(&found, table + (size_t)k * sizeof found, sizeof found);
    return found;
}

/* The block of an operation, of a publication for several ranks. */
static struct bine_operand operand_of_blocks(const struct bine_execution *x,
                                             const struct bine_op *op, const char *table,
                                             const struct bine_board_exposed *where) {
    const struct bine_schedule *s = x->plan->schedule;
    int k = op->block - op->first;
    struct place place = place_at(table, k);
    int64_t begin = place_at(table, bine_mod_sub(k, 1, s->p)).end;
    int fits = where == NULL || place.end <= room_beside(x->board.node->boards, s);
    return (struct bine_operand){.data = fits ? table + table_bytes(s) + begin : NULL,
                                 .address = where != NULL ? where->address + (uint64_t)place.at : 0,
                                 .bytes = place.end - begin};
}

struct bine_operand bine_board_sized_operand(const struct bine_execution *x,
                                             const struct bine_op *op, int64_t pid,
                                             struct bine_board_slot *slot) {
    int exposed = slot->bytes == BINE_BOARD_EXPOSED;
    struct bine_board_exposed where = {0, slot->bytes};
    const char *at = bine_board_data(slot, exposed ? (uint32_t)sizeof where : slot->bytes);
    if (exposed)
        memcpy(&where, at, sizeof where);
    struct bine_operand found = {
        .data = exposed ? NULL : at, .address = where.address, .bytes = (int64_t)where.bytes};
    if (places_of(x->plan->schedule) > 0)
        found =
            operand_of_blocks(x, op, at + (exposed ? sizeof where : 0), exposed ? &where : NULL);
    found.pid = pid;
    return found;
}
