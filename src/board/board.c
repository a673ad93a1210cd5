#include "board/board.h"

#include "base/numbers.h"

#include <stdlib.h>
#include <string.h>

/* The first number. Not 0: a slot must be able to say of its publisher that it is behind. */
static const uint64_t FIRST = BINE_BOARD_STRIDE;

/* After this number of looks in vain for one number, one goes to how far its publisher is. Not
 * earlier: the publisher writes that line at the end of every call, before it publishes for the
 * next, and each look from another core holds both stores up. Short calls never get there. */
enum { LOOKS = 128 };

static size_t stride_of(const struct bine_board_shape *shape) {
    return BINE_BOARD_LINE + shape->holds;
}

size_t bine_board_bytes(const struct bine_board_shape *shape) {
    return sizeof(struct bine_board) + shape->slots * stride_of(shape);
}

/* No other rank looks at it yet: the way they learn of it orders these stores before all else. */
void bine_board_init(void *memory, const struct bine_board_shape *shape) {
    struct bine_board *board = memory;
    atomic_init(&board->read, FIRST);
    atomic_init(&board->failed, 0);
    atomic_init(&board->bell, 0);
    atomic_init(&board->sleepers, 0);
    for (uint32_t k = 0; k < shape->slots; k++) {
        struct bine_board_slot *slot =
            (struct bine_board_slot *)(void *)(board->slots + k * stride_of(shape));
        atomic_init(&slot->number, 0);
    }
}

struct bine_boards *bine_boards_new(int n, int me, void *const *memory,
                                    const struct bine_board_shape *shape) {
    struct bine_boards *b = calloc(1, sizeof *b);
    if (b == NULL)
        return NULL;
    b->n = n;
    b->me = me;
    b->shape = *shape;
    b->mask = shape->slots - 1;
    b->stride = stride_of(shape);
    b->sleep.awaited = b->sleep.armed = -1;
    b->passed = calloc((size_t)n, sizeof *b->passed);
    b->board = calloc((size_t)n, sizeof *b->board);
    if (b->passed == NULL || b->board == NULL) {
        bine_boards_free(b);
        return NULL;
    }
    b->next = b->all_passed = FIRST;
    for (int k = 0; k < n; k++) {
        b->board[k] = memory[k];
        b->passed[k] = FIRST;
    }
    return b;
}

void bine_boards_free(struct bine_boards *b) {
    if (b == NULL)
        return;
    free(b->passed);
    free(b->board);
    free(b);
}

/* The least number this rank has not finished with, over all pending calls. Release: the reads of
 * all slots that it passes by come before the next writes of their owners, once these have seen
 * this number. */
static inline void tell_read(struct bine_boards *b) {
    uint64_t read = b->oldest != NULL ? b->oldest->at : b->next;
    if (read == b->passed[b->me])
        return;
    b->passed[b->me] = read;
    atomic_store_explicit(&b->board[b->me]->read, read, memory_order_release);
}

void bine_boards_begin(struct bine_boards *b, struct bine_board_call *call, uint64_t numbers,
                       uint64_t publishes) {
    *call = (struct bine_board_call){
        .base = b->next, .end = b->next + numbers, .at = b->next, .publishes = b->next + publishes};
    b->next = call->end;
    if (b->oldest == NULL)
        b->oldest = call;
    else
        b->youngest->younger = call;
    b->youngest = call;
}

void bine_boards_skip(struct bine_boards *b, uint64_t number) {
    b->next = number;
    tell_read(b);
}

void bine_boards_pass(struct bine_boards *b, struct bine_board_call *call, uint64_t number) {
    if (number <= call->at)
        return;
    call->at = number;
    if (call == b->oldest)
        tell_read(b);
}

static void take_out(struct bine_boards *b, struct bine_board_call *call) {
    struct bine_board_call *older = NULL, *c = b->oldest;
    if (c == call && call == b->youngest) { /* as most are, alone */
        b->oldest = b->youngest = NULL;
        return;
    }
    while (c != NULL && c != call) {
        older = c;
        c = c->younger;
    }
    if (c == NULL)
        return;
    if (older != NULL)
        older->younger = call->younger;
    else
        b->oldest = call->younger;
    if (b->youngest == call)
        b->youngest = older;
}

/* That calls were given up, once no older one can publish something below the mark. Release: what
 * this rank did publish is seen by a rank that sees that it publishes no more. */
static void tell_failed(struct bine_boards *b) {
    struct bine_board *mine = b->board[b->me];
    int older = b->oldest != NULL && b->oldest->base < b->given_up;
    if (!older && b->given_up > atomic_load_explicit(&mine->failed, memory_order_relaxed))
        atomic_store_explicit(&mine->failed, b->given_up, memory_order_release);
}

static __attribute__((noinline)) void end_slowly(struct bine_boards *b) {
    if (b->given_up > 0)
        tell_failed(b);
    tell_read(b);
    bine_boards_wake(b);
}

void bine_boards_end(struct bine_boards *b, struct bine_board_call *call) {
    call->at = call->end;
    call->publishes = call->base;
    take_out(b, call);
    if (b->ends_slowly)
        end_slowly(b);
    else
        tell_read(b);
}

void bine_boards_fail(struct bine_boards *b, struct bine_board_call *call) {
    b->given_up = bine_max(call->end, b->given_up);
    b->ends_slowly = 1;
    bine_boards_end(b, call);
}

void bine_boards_leave(struct bine_boards *b) {
    struct bine_board *mine = b->board[b->me];
    b->given_up = UINT64_MAX;
    tell_failed(b);
    atomic_store_explicit(&mine->read, UINT64_MAX, memory_order_release);
    bine_boards_wake(b);
}

/* Asks only a board that is not known to be so far. Acquire: see tell_read. */
int bine_boards_has_passed(struct bine_boards *b, int rank, uint64_t number) {
    if (b->passed[rank] > number)
        return 1;
    b->passed[rank] = atomic_load_explicit(&b->board[rank]->read, memory_order_acquire);
    if (b->passed[rank] > number)
        return 1;
    b->sleep.awaited = rank;
    return 0;
}

/* Whether all ranks have `read` beyond a number. */
static int have_passed(struct bine_boards *b, uint64_t number) {
    for (int k = 0; k < b->n; k++)
        if (!bine_boards_has_passed(b, k, number))
            return 0;
    return 1;
}

int bine_boards_is_passed(struct bine_boards *b, uint64_t number) {
    return have_passed(b, number);
}

/* How far all ranks are. */
static void note_passed(struct bine_boards *b) {
    uint64_t least = b->passed[0];
    for (int k = 1; k < b->n; k++)
        least = bine_min(b->passed[k], least);
    b->all_passed = least;
}

/* An older call that will publish something yet must not find its slot taken by a younger one. Nor
 * can a slot say that its publisher is further behind than fits there. */
static int waits_for_older(const struct bine_boards *b, const struct bine_board_call *call,
                           uint64_t number) {
    for (const struct bine_board_call *c = b->oldest; c != NULL && c != call; c = c->younger)
        if (c->publishes > c->base)
            return 1;
    return bine_boards_behind(b, number) > UINT16_MAX;
}

/* The number behind what all must have passed before the slot of a number is written: what is in
 * it; within a call also what another strand may yet publish there. Only this rank writes there. */
static inline uint64_t must_be_passed(const struct bine_boards *b,
                                      const struct bine_board_call *call, uint64_t number) {
    if (number - call->base > b->mask)
        return number - b->mask;
    return atomic_load_explicit(&bine_boards_slot(b, b->me, number)->number, memory_order_relaxed);
}

enum bine_board_state bine_boards_can_publish(struct bine_boards *b,
                                              const struct bine_board_call *call, uint64_t number) {
    if (call != b->oldest && waits_for_older(b, call, number)) {
        b->sleep.awaited = -1; /* not for another rank */
        return BINE_BOARD_NOT_YET;
    }
    uint64_t below = must_be_passed(b, call, number);
    if (below <= b->all_passed)
        return BINE_BOARD_READY;
    if (!have_passed(b, below - 1))
        return BINE_BOARD_NOT_YET;
    note_passed(b);
    return BINE_BOARD_READY;
}

static void set_published(struct bine_boards *b, struct bine_board_call *call, uint64_t number,
                          uint32_t bytes, uint32_t size) {
    bine_boards_publish_in(b, call, number, bine_boards_slot(b, b->me, number), bytes, size);
    bine_boards_wake(b);
}

void bine_boards_publish(struct bine_boards *b, struct bine_board_call *call, uint64_t number,
                         uint32_t bytes, uint32_t size) {
    set_published(b, call, number, bytes, size);
}

void bine_boards_spoil(struct bine_boards *b, struct bine_board_call *call, uint64_t number) {
    set_published(b, call, number, 0, BINE_BOARD_SPOILT);
}

void bine_boards_expose(struct bine_boards *b, struct bine_board_call *call, uint64_t number,
                        const void *data, uint64_t bytes, uint32_t size) {
    struct bine_board_exposed where = {(uint64_t)(uintptr_t)data, bytes};
    memcpy(bine_boards_place(b, number, sizeof where), &where, sizeof where);
    set_published(b, call, number, BINE_BOARD_EXPOSED, size);
}

void bine_boards_note_behind(struct bine_boards *b, int rank, uint64_t number, uint64_t strides) {
    uint64_t read = number - strides * BINE_BOARD_STRIDE;
    if (read > b->passed[rank])
        b->passed[rank] = read;
}

enum bine_board_state bine_board_differs(const struct bine_board_slot *slot, uint32_t size) {
    if (slot->size == BINE_BOARD_SPOILT)
        return BINE_BOARD_FAILED;
    return slot->size > size ? BINE_BOARD_LONGER : BINE_BOARD_READY;
}

/* Acquire: what came before the mark, or before the rank passed the number, is seen afterwards.
 * Looks count anew from the first one for a later number; pending calls share the count. */
static int is_silent(struct bine_boards *b, int rank, uint64_t number) {
    const struct bine_board *theirs = b->board[rank];
    if (atomic_load_explicit(&theirs->failed, memory_order_acquire) > number)
        return 1;
    b->sleep.awaited = rank;
    if (number > b->vain_number) {
        b->vain_number = number;
        b->vain_looks = 0;
    }
    return (++b->vain_looks % LOOKS == 0 || b->sleep.may) &&
           atomic_load_explicit(&theirs->read, memory_order_acquire) > number;
}

enum bine_board_state bine_boards_look_again(struct bine_boards *b, int rank, uint64_t number,
                                             uint32_t size) {
    if (!is_silent(b, rank, number))
        return BINE_BOARD_NOT_YET;
    const struct bine_board_slot *slot = bine_boards_slot(b, rank, number);
    if (atomic_load_explicit(&slot->number, memory_order_acquire) == number + 1)
        return bine_board_differs(slot, size);
    return BINE_BOARD_FAILED;
}
