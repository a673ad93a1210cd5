/* Calls on boards: their numbers and their rounds. */
#include "engine/boards.h"

#include "base/numbers.h"
#include "engine/bind/bind.h"

/* Bytes of a part that is fetched or laid out before it is added up: they stay in the cache. */
#define IN_CACHE 32768

static size_t aligned(size_t n) {
    return (n + 63) & ~(size_t)63;
}

static int has_messages(const struct bine_schedule *s) {
    for (uint32_t j = 0; j < s->nops; j++)
        if (bine_kind_is_message(s->op[j].kind))
            return 1;
    return 0;
}

uint32_t bine_board_rounds(const struct bine_board_cut *cut, uint32_t holds, int64_t elements,
                           int64_t size, int64_t *most) {
    int64_t blocks = cut->board_blocks,
            in_slot = size > 0 && blocks > 0 ? holds / (blocks * size) : 0;
    *most = cut->vector ? in_slot * cut->blocks : in_slot;
    if (elements == 0 || size == 0 || blocks == 0)
        *most = elements;
    if (*most >= elements)
        return 1;
    if (*most == 0 || (!cut->vector && cut->messages))
        return 0;
    return (uint32_t)((elements + *most - 1) / *most);
}

size_t bine_board_place(struct bine_execution *x, char *memory) {
    struct bine_board_use *b = &x->board;
    size_t chain = (size_t)b->node->boards->n + 1,
           operands = aligned(x->plan->schedule->nstrands * chain * sizeof *b->operand),
           fetched = aligned((size_t)(b->part * x->type.size));
    b->operand = (struct bine_operand *)(void *)memory;
    b->fetched = bine_at(memory, (ptrdiff_t)operands);
    b->typed = bine_at(b->fetched, (ptrdiff_t)fetched + bine_type_shift(&x->type, b->part));
    return operands + fetched + bine_type_room(&x->type, b->part);
}

static uint64_t numbers_of(const struct bine_schedule *s) {
    return (uint64_t)s->times * s->nstrands;
}

int bine_board_bind(struct bine_execution *x, struct bine_node *node, int64_t elements,
                    const struct bine_counts *counts, int uneven) {
    const struct bine_schedule *s = x->plan->schedule;
    struct bine_board_use *b = &x->board;
    b->sized = uneven && s->board_blocks == 0;
    if (node == NULL || (b->sized && bine_board_sized_least(s) > node->boards->shape.holds))
        return BINE_ERR_INTERN;
    int64_t size = x->type.size;
    struct bine_board_cut cut = {bine_cuts_a_vector(s->collective), has_messages(s), s->blocks,
                                 s->board_blocks};
    b->rounds = bine_board_rounds(&cut, node->boards->shape.holds, elements, size, &b->most);
    if (b->rounds == 0)
        return BINE_ERR_INTERN;
    b->node = node;
    b->vector = cut.vector;
    b->total = elements;
    b->size = b->sized ? 0 : bine_board_size((uint64_t)(elements * size));
    b->local = b->rounds > 1 && !b->vector;
    b->counts = counts;
    uint64_t numbers = numbers_of(s), published = x->plan->publishes;
    b->numbers = bine_board_numbers(b->rounds * numbers);
    b->publishes = published > 0 ? (b->rounds - 1) * numbers + published : 0;
    b->part = size == 0 ? 1 : bine_min(1 + IN_CACHE / size, elements > 0 ? elements : 1);
    if (x->type.dense && bine_collective_reduces(s->collective))
        b->pass = bine_pass_find(x->type.handle, x->op);
    return BINE_OK;
}

/* Calls that went by messages, or failed on this rank, have taken a stride; or some call has taken
 * several. */
static __attribute__((noinline)) void set_next(struct bine_node *node, uint64_t number) {
    if (number > node->boards->next)
        bine_boards_skip(node->boards, number);
    else
        node->ahead += node->boards->next - number;
}

static inline void take(struct bine_node *node, struct bine_board_call *call, uint64_t numbers,
                        uint64_t publishes) {
    if (node->calls != NULL) {
        uint64_t number = *node->calls * BINE_BOARD_STRIDE + node->ahead;
        if (number != node->boards->next)
            set_next(node, number);
    }
    bine_boards_begin(node->boards, call, numbers, publishes);
}

void bine_board_take(struct bine_node *node, struct bine_board_call *call, uint64_t numbers,
                     uint64_t publishes) {
    take(node, call, numbers, publishes);
}

void bine_board_begin(struct bine_execution *x) {
    struct bine_board_use *b = &x->board;
    take(b->node, &b->call, b->numbers, b->publishes);
    b->waiting = 0;
    b->round = 0;
    b->looks = 0;
    if (b->rounds > 1)
        bine_board_round(x, 0);
}

/* A round of a vector begins further on in `in` and `out`, and may have fewer elements. */
void bine_board_round(struct bine_execution *x, uint32_t round) {
    struct bine_board_use *b = &x->board;
    b->round = round;
    b->looks = 0;
    if (!b->vector || b->rounds == 1)
        return;
    int64_t begin = round * b->most, n = bine_min(b->most, b->total - begin);
    int blocks = x->plan->schedule->blocks;
    for (int k = 0; k < BINE_SPACES; k++) {
        x->map[k].block = n / blocks;
        x->map[k].extra = n % blocks;
        if (k != BINE_TMP)
            x->map[k].base = bine_at(b->origin[k], begin * x->type.extent);
    }
}

void bine_board_end(struct bine_execution *x) {
    bine_boards_end(x->board.node->boards, &x->board.call);
}

static int has_exposed(const struct bine_execution *x) {
    for (uint32_t k = 0; k < x->nstrands; k++)
        if (x->strand[k].board.exposed)
            return 1;
    return 0;
}

/* Readers of this rank's memory must be through before the caller may have it back. They all come
 * to an end: no peer waits for this rank any more. */
void bine_board_give_up(struct bine_execution *x) {
    struct bine_board_use *b = &x->board;
    uint64_t last = b->call.end - 1;
    unsigned looks = 0;
    bine_boards_fail(b->node->boards, &b->call);
    while (has_exposed(x) && !bine_boards_is_passed(b->node->boards, last))
        if (bine_wait_once(&b->node->wait, &looks) != 0)
            return;
}

static void refuse(struct bine_node *node, uint64_t numbers) {
    struct bine_board_call call;
    take(node, &call, bine_board_numbers(numbers), 0);
    bine_boards_fail(node->boards, &call);
}

void bine_board_refuse_any(struct bine_node *node) {
    refuse(node, 1);
}

void bine_board_refuse(const struct bine_plan *plan, struct bine_node *node, uint32_t rounds) {
    refuse(node, rounds * numbers_of(plan->schedule));
}

/* Elements of the vector, or of the largest block, as the engine counts them. */
static int64_t elements_of(const struct bine_call *call, int p) {
    const struct bine_counts *counts = &call->recv_blocks.counts;
    int counted = bine_counts_given(counts), reduces = bine_collective_reduces(call->collective);
    int64_t most = counted ? bine_counts_most(counts, p) : 0;
    if (call->collective == BINE_BCAST)
        return call->bytes;
    if (reduces)
        return counted ? most : (int64_t)call->recvcount;
    return counted ? most * (int64_t)call->recvtype.size : call->bytes / p;
}

/* Bytes of an element, as the engine counts them. */
static int64_t element_of(const struct bine_call *call) {
    return bine_collective_reduces(call->collective) ? (int64_t)call->recvtype.size : 1;
}

/* Of a schedule on boards alone. */
static struct bine_board_cut cut_of(const struct bine_spec *spec) {
    const struct bine_algorithm *a = spec->algorithm;
    return (struct bine_board_cut){bine_cuts_a_vector(a->collective), 0,
                                   bine_compositions[a->composition].blocks(spec),
                                   bine_spec_board_blocks(spec)};
}

/* A call of one round and the next one find free slots among four. */
struct bine_board_shape bine_board_wanted(const struct bine_spec *spec,
                                          const struct bine_call *call,
                                          const struct bine_board_shape *most) {
    struct bine_board_cut cut = cut_of(spec);
    int64_t elements = elements_of(call, spec->p), size = element_of(call), round;
    if (bine_board_rounds(&cut, most->holds, elements, size, &round) != 1)
        return *most;
    int64_t in_block = cut.vector ? (elements + cut.blocks - 1) / cut.blocks : elements;
    struct bine_board_shape shape = {bine_min(most->slots, 4u), BINE_BOARD_LINE};
    if (bine_collective_is_uneven(call->collective) && cut.board_blocks == 0)
        shape.holds = most->holds; /* no rank knows the others' sizes */
    while (shape.holds < most->holds && shape.holds < cut.board_blocks * in_block * size)
        shape.holds *= 2;
    return shape;
}

void bine_board_refuse_unplanned(const struct bine_spec *spec, const struct bine_call *call,
                                 struct bine_node *node) {
    const struct bine_algorithm *a = spec->algorithm;
    struct bine_board_cut cut = cut_of(spec);
    int64_t size = element_of(call), most;
    uint64_t times = (uint64_t)bine_algorithm_steps_on(a, spec->p, spec->dims, spec->layout);
    uint32_t rounds =
        bine_board_rounds(&cut, node->boards->shape.holds, elements_of(call, spec->p), size, &most);
    refuse(node, rounds * times);
}

/* The number of a strand's publication at a time. */
static uint64_t number_at(const struct bine_execution *x, uint32_t strand, int time) {
    const struct bine_schedule *s = x->plan->schedule;
    const struct bine_board_use *b = &x->board;
    uint64_t times = b->round * (uint64_t)s->times + (uint64_t)(time > 0 ? time : 0);
    return b->call.base + times * s->nstrands + strand;
}

uint64_t bine_board_number(const struct bine_execution *x, const struct bine_strand_state *st,
                           const struct bine_step *step) {
    return number_at(x, (uint32_t)(st - x->strand), step->time);
}

/* The strands are at the beginning of their step, or in it. */
void bine_board_pass(struct bine_execution *x) {
    const struct bine_schedule *s = x->plan->schedule;
    uint64_t number = number_at(x, 0, s->times); /* of the next round */
    for (uint32_t k = 0; k < x->nstrands; k++) {
        const struct bine_strand_state *y = &x->strand[k];
        if (y->step >= s->strand[k].nsteps)
            continue;
        uint64_t theirs = number_at(x, k, s->step[s->strand[k].steps + y->step].time);
        theirs += y->in_step && y->board.phase == BINE_BOARD_LEAVES;
        number = theirs < number ? theirs : number;
    }
    bine_boards_pass(x->board.node->boards, &x->board.call, number);
}
