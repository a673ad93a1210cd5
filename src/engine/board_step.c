/* A step on boards: publish, read, add up. */
#include "engine/execution.h"

#include "base/numbers.h"
#include "board/expose.h"
#include "engine/channel.h"

#include <string.h>

/* Whether the round is a window on every block. */
static int is_windowed(const struct bine_execution *x) {
    return x->board.rounds > 1 && !x->board.vector;
}

/* The elements of a block that lie in the round's window. */
static int64_t in_window(const struct bine_execution *x, int64_t elements) {
    const struct bine_board_use *b = &x->board;
    if (!is_windowed(x))
        return elements;
    int64_t left = elements - b->round * b->most;
    return left < 0 ? 0 : bine_min(left, b->most);
}

/* Walks over the elements of a list of runs as far as they lie together. */
struct cursor {
    const struct bine_run *at, *end;
    int piece;    /* of the run, where pieces lie apart */
    int64_t skip; /* elements of the run, or of the piece, that are passed */
    int64_t n;    /* that follow there; 0 at the end */
};

static void settle(const struct bine_execution *x, struct cursor *c) {
    for (c->n = 0; c->at < c->end;) {
        const struct bine_map *m = &x->map[c->at->space];
        int apart = m->stride != 0 || m->at != NULL || is_windowed(x),
            place = c->at->first + c->piece;
        int64_t all = apart
                          ? in_window(x, bine_map_offset(m, place + 1) - bine_map_offset(m, place))
                          : bine_elements_of_run(x, c->at);
        c->n = all - c->skip;
        if (c->n > 0)
            return;
        c->skip = 0;
        c->piece = apart && c->piece + 1 < (int)c->at->count ? c->piece + 1 : 0;
        c->at += c->piece == 0;
    }
}

static struct cursor begin(const struct bine_execution *x, uint32_t runs, uint32_t n) {
    const struct bine_run *all = x->plan->schedule->run;
    struct cursor c = {.at = &all[runs], .end = &all[runs + n]};
    settle(x, &c);
    return c;
}

static void advance(const struct bine_execution *x, struct cursor *c, int64_t n) {
    c->skip += n;
    c->n -= n;
    if (c->n == 0)
        settle(x, c);
}

/* Elements from the beginning of the piece's block to where the cursor is. */
static int64_t beyond(const struct bine_execution *x, const struct cursor *c) {
    return c->skip + (is_windowed(x) ? x->board.round * x->board.most : 0);
}

static char *address(const struct bine_execution *x, const struct cursor *c) {
    const struct bine_map *m = &x->map[c->at->space];
    return bine_at(m->base, bine_map_at(m, c->at->first + c->piece, beyond(x, c), x->type.extent));
}

/* The caller's element at the cursor, where the engine works on bytes that are not packed. */
static char *direct_address(const struct bine_execution *x, const struct cursor *c) {
    const struct bine_direct *d = &x->board.direct[c->at->space];
    const struct bine_map *m = &x->map[c->at->space];
    int64_t bytes = bine_map_offset(m, c->at->first + c->piece) + beyond(x, c);
    return bine_at(d->base, bytes / d->type->size * d->type->extent);
}

/* n elements at a cursor to packed ones, and back. */
static int pack(const struct bine_execution *x, const struct cursor *c, int64_t n, char *to) {
    const struct bine_type *t = x->board.direct[c->at->space].type;
    if (t != NULL)
        return bine_type_pack(t, direct_address(x, c), n / t->size, to, x->comm);
    return bine_type_pack(&x->type, address(x, c), n, to, x->comm);
}

static int unpack(const struct bine_execution *x, const struct cursor *c, int64_t n,
                  const char *from) {
    const struct bine_type *t = x->board.direct[c->at->space].type;
    if (t != NULL)
        return bine_type_unpack(t, from, n / t->size, direct_address(x, c), x->comm);
    return bine_type_unpack(&x->type, from, n, address(x, c), x->comm);
}

static int64_t elements_of(const struct bine_execution *x, const struct bine_op *op) {
    int64_t all = 0;
    for (struct cursor c = begin(x, op->runs, op->nruns); c.n > 0; advance(x, &c, c.n))
        all += c.n;
    return all;
}

int64_t bine_board_offset(const struct bine_execution *x, const struct bine_op *op) {
    const struct bine_board_use *b = &x->board;
    if (b->vector) {
        const struct bine_map *m = &x->map[BINE_OUT]; /* all are cut alike */
        return bine_map_offset(m, op->block) - bine_map_offset(m, op->first);
    }
    if (b->counts == NULL)
        return in_window(x, b->total) * (op->block - op->first);
    int64_t n = 0;
    for (int k = op->first; k < op->block; k++)
        n += in_window(x, bine_count_at(b->counts, k));
    return n;
}

/* Whatever goes wrong: others wait for it. */
static void publish(struct bine_execution *x, const struct bine_op *op, uint64_t number) {
    struct bine_board_use *b = &x->board;
    int64_t bytes = elements_of(x, op) * x->type.size;
    int fits = bytes <= (int64_t)b->node->boards->shape.holds;
    char *to = bine_boards_place(b->node->boards, number, fits ? (uint32_t)bytes : 0);
    bine_execution_note(x, fits ? BINE_OK : BINE_ERR_INTERN);
    for (struct cursor c = begin(x, op->runs, op->nruns); c.n > 0 && fits; advance(x, &c, c.n)) {
        bine_execution_note(x, pack(x, &c, c.n, to));
        to += c.n * x->type.size;
    }
    if (x->rc == BINE_OK)
        bine_boards_publish(b->node->boards, &b->call, number, (uint32_t)bytes, b->size);
    else
        bine_boards_spoil(b->node->boards, &b->call, number);
}

/* Exposed data lies together: it is bytes, or dense. */
static void expose(struct bine_execution *x, struct bine_strand_state *st, const struct bine_op *op,
                   uint64_t number) {
    struct bine_board_use *b = &x->board;
    struct cursor c = begin(x, op->runs, op->nruns);
    if (b->sized) {
        st->board.exposed = bine_board_publish_sized(x, op, number);
        return;
    }
    bine_boards_expose(b->node->boards, &b->call, number, c.n > 0 ? address(x, &c) : NULL,
                       (uint64_t)(c.n * x->type.size), b->size);
    st->board.exposed = 1;
}

/* The step's publication, if it has one. Returns whether there is nothing more to publish. */
static int publish_step(struct bine_execution *x, struct bine_strand_state *st,
                        const struct bine_step *step, uint64_t number) {
    const struct bine_schedule *s = x->plan->schedule;
    struct bine_board_use *b = &x->board;
    for (uint32_t j = step->ops; j < step->ops + step->nops; j++) {
        const struct bine_op *op = &s->op[j];
        if (op->kind != BINE_OP_PUBLISH && op->kind != BINE_OP_EXPOSE)
            continue;
        if (bine_boards_can_publish(b->node->boards, &b->call, number) != BINE_BOARD_READY)
            return 0;
        b->moved = 1;
        uint64_t begin_at = bine_taped_now(x);
        if (op->kind == BINE_OP_PUBLISH)
            publish(x, op, number);
        else if (x->rc == BINE_OK)
            expose(x, st, op, number);
        else
            bine_boards_spoil(b->node->boards, &b->call, number);
        bine_taped_board(x, st, op, 1, begin_at);
        return 1;
    }
    return 1;
}

/* Where an operation's data begins, in a slot that is published. */
static struct bine_operand operand_of(const struct bine_execution *x, const struct bine_op *op,
                                      int seat, struct bine_board_slot *slot) {
    if (x->board.sized)
        return bine_board_sized_operand(x, op, x->board.node->pid[seat], slot);
    int64_t offset = bine_board_offset(x, op) * x->type.size;
    struct bine_operand found = {.pid = x->board.node->pid[seat]};
    struct bine_board_exposed where;
    if (slot->bytes != BINE_BOARD_EXPOSED) {
        found.data = bine_board_data(slot, slot->bytes) + offset;
        return found;
    }
    memcpy(&where, bine_board_data(slot, sizeof where), sizeof where);
    found.address = where.address + (uint64_t)offset;
    return found;
}

/* The packed bytes of an operand, from an offset on: where they lie, or fetched; NULL if that
 * cannot be done. */
static const char *get(const struct bine_execution *x, const struct bine_operand *from,
                       int64_t offset, int64_t bytes) {
    if (from->data != NULL)
        return from->data + offset;
    if (bine_expose_read(from->pid, from->address + (uint64_t)offset, x->board.fetched,
                         (size_t)bytes) != 0)
        return NULL;
    return x->board.fetched;
}

/* Elements at a cursor that are fetched before they are unpacked: whole ones of the caller's. */
static int64_t fetched_at_once(const struct bine_execution *x, const struct cursor *c) {
    const struct bine_type *t = x->board.direct[c->at->space].type;
    int64_t n = bine_min(c->n, x->board.part);
    return t != NULL ? n - n % t->size : n;
}

/* Copy all of an operation's data to its place. */
static int read_all(struct bine_execution *x, const struct bine_op *op,
                    const struct bine_operand *from) {
    const struct bine_board_use *b = &x->board;
    int64_t at = 0, n, most = b->sized ? from->bytes : INT64_MAX;
    int rc = BINE_OK;
    for (struct cursor c = begin(x, op->runs, op->nruns); c.n > 0 && at < most && rc == BINE_OK;
         advance(x, &c, n)) {
        int far = from->data == NULL;
        n = bine_min(c.n, most - at);
        if (far && x->type.dense && b->direct[c.at->space].type == NULL) {
            if (bine_expose_read(from->pid, from->address + (uint64_t)at, address(x, &c),
                                 (size_t)(n * x->type.size)) != 0)
                return BINE_ERR_OTHER;
        } else {
            n = far ? fetched_at_once(x, &c) : n;
            const char *data = get(x, from, at, n * x->type.size);
            rc = data == NULL ? BINE_ERR_OTHER : unpack(x, &c, n, data);
        }
        at += n * x->type.size;
    }
    return rc == BINE_OK && b->sized && at < most ? BINE_ERR_TRUNCATE : rc;
}

static int copy(const struct bine_execution *x, const char *from, char *to, int64_t n) {
    return bine_type_copy(&x->type, from, to, (ptrdiff_t)n, x->comm, x->plan->schedule->rank);
}

static int reduce_local(const struct bine_execution *x, const char *from, char *to, int64_t n) {
    return bine_type_reduce(&x->type, x->op, from, to, n);
}

/* to = with op data, or data op with, for packed elements of which there are no more than `part`.
 */
static int add(struct bine_execution *x, char *to, const char *with, const char *data, int64_t n,
               int side) {
    const struct bine_board_use *b = &x->board;
    int left = side != BINE_SIDE_RIGHT, rc = BINE_OK;
    if (b->pass != NULL) {
        const void *from[] = {left ? data : with, left ? with : data};
        b->pass(to, from, 2, (size_t)n);
        return BINE_OK;
    }
    if (!x->type.dense || !left) {
        rc = bine_type_unpack(&x->type, data, n, b->typed, x->comm);
        data = b->typed;
    }
    if (rc == BINE_OK && left) {
        rc = copy(x, with, to, n);
        return rc == BINE_OK ? reduce_local(x, data, to, n) : rc;
    }
    if (rc == BINE_OK)
        rc = reduce_local(x, with, b->typed, n);
    return rc == BINE_OK ? copy(x, b->typed, to, n) : rc;
}

/* A chain part by part: each operand is added while the part is in the cache. */
static int chain_by_parts(struct bine_execution *x, const struct bine_op *op, uint32_t length,
                          const struct bine_operand *from) {
    int64_t at = 0, n, size = x->type.size;
    struct cursor to = begin(x, op->runs, op->nruns), with = begin(x, op->with, op->nwith);
    for (; to.n > 0; advance(x, &to, n)) {
        n = bine_min(to.n, x->board.part);
        n = op->nwith > 0 ? bine_min(n, with.n) : n;
        char *place = address(x, &to);
        for (uint32_t k = 0; k < length; k++) {
            const char *data = get(x, &from[k], at, n * size);
            int rc = BINE_ERR_OTHER;
            if (data != NULL && op[k].kind == BINE_OP_READ)
                rc = bine_type_unpack(&x->type, data, n, place, x->comm);
            else if (data != NULL)
                rc = add(x, place, k == 0 ? address(x, &with) : place, data, n, op[k].side);
            if (rc != BINE_OK)
                return rc;
        }
        if (op->nwith > 0)
            advance(x, &with, n);
        at += n * size;
    }
    return BINE_OK;
}

/* Operands of a pass, the most at once. */
enum { PASS_MOST = 64 };

/* Reduce the operands of a chain from `first` on in one pass; the sum of the earlier ones is in
 * `place`, or `with` is added to the first one. Returns the number of operands. */
static uint32_t one_pass(struct bine_execution *x, const struct bine_op *op, uint32_t length,
                         const struct bine_operand *operand, uint32_t first, char *place,
                         const char *with, int64_t at, int64_t n) {
    const void *from[PASS_MOST];
    uint32_t k = first;
    int used = 0;
    if (first > 0)
        from[used++] = place;
    else if (op->kind == BINE_OP_READ_REDUCE && op->side == BINE_SIDE_RIGHT)
        from[used++] = with;
    while (k < length && used < PASS_MOST - 1)
        from[used++] = operand[k++].data + at;
    if (first == 0 && op->kind == BINE_OP_READ_REDUCE && op->side != BINE_SIDE_RIGHT) {
        from[used++] = from[1];
        from[1] = with;
    }
    x->board.pass(place, from, used, (size_t)n);
    return k - first;
}

/* All operands lie on boards: one pass over memory, or few. */
static int chain_at_once(struct bine_execution *x, const struct bine_op *op, uint32_t length,
                         const struct bine_operand *from) {
    int64_t at = 0, n;
    struct cursor to = begin(x, op->runs, op->nruns), with = begin(x, op->with, op->nwith);
    for (; to.n > 0; advance(x, &to, n)) {
        n = op->nwith > 0 ? bine_min(to.n, with.n) : to.n;
        for (uint32_t k = 0; k < length;)
            k += one_pass(x, op, length, from, k, address(x, &to),
                          op->nwith > 0 ? address(x, &with) : NULL, at, n);
        if (op->nwith > 0)
            advance(x, &with, n);
        at += n * x->type.size;
    }
    return BINE_OK;
}

static int run_chain(struct bine_execution *x, const struct bine_op *op, uint32_t length,
                     const struct bine_operand *from) {
    int on_boards = 1;
    if (length == 1 && op->kind == BINE_OP_READ)
        return read_all(x, op, from);
    for (uint32_t k = 0; k < length; k++)
        on_boards &= from[k].data != NULL;
    return x->board.pass != NULL && on_boards ? chain_at_once(x, op, length, from)
                                              : chain_by_parts(x, op, length, from);
}

uint32_t bine_board_chain(const struct bine_plan *plan, const struct bine_step *step, uint32_t j) {
    uint32_t k = j + 1;
    while (k < step->ops + step->nops && (plan->flags[k] & BINE_OP_CHAINED))
        k++;
    return k - j;
}

/* Look for the publications that the operations of a chain read, from where the last look has
 * ended. */
static enum bine_board_state look_along(struct bine_execution *x, const struct bine_op *op,
                                        uint32_t length, uint64_t number, uint32_t *ready,
                                        struct bine_operand *operand) {
    const struct bine_node *node = x->board.node;
    for (; *ready < length; ++*ready) {
        struct bine_board_slot *slot;
        int seat = node->seat[op[*ready].peer];
        enum bine_board_state state =
            bine_boards_look(node->boards, seat, number, x->board.size, &slot);
        if (state != BINE_BOARD_READY)
            return state;
        operand[*ready] = operand_of(x, &op[*ready], seat, slot);
        x->board.moved = 1;
    }
    return BINE_BOARD_READY;
}

/* An empty uneven block is not read: its rank is not waited for, as by messages. */
static int is_read(const struct bine_execution *x, const struct bine_op *op) {
    return (op->kind == BINE_OP_READ || op->kind == BINE_OP_READ_REDUCE) &&
           !(x->board.sized && elements_of(x, op) == 0);
}

/* The reads of a step, as far as they are published. Returns whether the step is complete. The
 * missing publications of a rank that has given up are an error, and are passed over. */
static int read_step(struct bine_execution *x, struct bine_strand_state *st,
                     const struct bine_step *step, uint64_t number) {
    const struct bine_schedule *s = x->plan->schedule;
    const struct bine_node *node = x->board.node;
    uint32_t strand = (uint32_t)(st - x->strand), *at = &st->board.op;
    struct bine_operand *operand = x->board.operand + strand * ((uint32_t)node->boards->n + 1);
    while (*at < step->nops) {
        const struct bine_op *op = &s->op[step->ops + *at];
        if (!is_read(x, op)) {
            ++*at;
            continue;
        }
        uint32_t length = bine_board_chain(x->plan, step, step->ops + *at);
        enum bine_board_state state = look_along(x, op, length, number, &st->board.ready, operand);
        if (state == BINE_BOARD_NOT_YET)
            return 0;
        uint64_t begin_at = bine_taped_now(x);
        bine_execution_note(x, state == BINE_BOARD_READY ? run_chain(x, op, length, operand)
                                                         : bine_board_error(state));
        bine_taped_board(x, st, op, length, begin_at);
        st->board.ready = 0;
        *at += length;
    }
    return 1;
}

/* n bytes between two places of which one at least is the caller's elements as they lie. */
static int copy_direct(const struct bine_execution *x, const struct cursor *from,
                       const struct cursor *to, int64_t n) {
    const struct bine_type *a = x->board.direct[from->at->space].type,
                           *b = x->board.direct[to->at->space].type;
    int self = x->plan->schedule->rank;
    if (b == NULL)
        return pack(x, from, n, address(x, to));
    if (a == NULL)
        return unpack(x, to, n, address(x, from));
    return bine_transport.copy(direct_address(x, from), (int)(n / a->size), a->handle,
                               direct_address(x, to), (int)(n / b->size), b->handle, x->comm, self);
}

static int copy_chunk(const struct bine_execution *x, const struct cursor *from,
                      const struct cursor *to, int64_t n) {
    const struct bine_direct *direct = x->board.direct;
    if (direct[from->at->space].type != NULL || direct[to->at->space].type != NULL)
        return copy_direct(x, from, to, n);
    return copy(x, address(x, from), address(x, to), n);
}

static void local_op(struct bine_execution *x, const struct bine_op *op) {
    struct cursor to = begin(x, op->runs, op->nruns), with = begin(x, op->with, op->nwith);
    for (int64_t n; to.n > 0; advance(x, &to, n), advance(x, &with, n)) {
        n = bine_min(to.n, with.n);
        bine_execution_note(x, op->kind == BINE_OP_COPY
                                   ? copy_chunk(x, &with, &to, n)
                                   : reduce_local(x, address(x, &with), address(x, &to), n));
    }
}

void bine_board_local(struct bine_execution *x, const struct bine_step *step) {
    const struct bine_schedule *s = x->plan->schedule;
    for (uint32_t j = step->ops; j < step->ops + step->nops; j++)
        if (s->op[j].kind == BINE_OP_COPY || s->op[j].kind == BINE_OP_REDUCE)
            local_op(x, &s->op[j]);
}

/* Whether this rank's memory is its own again. */
static int is_read_by_all(const struct bine_execution *x, const struct bine_step *step,
                          uint64_t number) {
    return x->board.sized ? bine_board_sized_is_read(x, step, number)
                          : bine_boards_is_passed(x->board.node->boards, number);
}

int bine_board_step(struct bine_execution *x, struct bine_strand_state *st,
                    const struct bine_step *step) {
    struct bine_board_use *b = &x->board;
    uint64_t number = bine_board_number(x, st, step);
    if (st->board.phase == BINE_BOARD_PUBLISHES) {
        if (!publish_step(x, st, step, number))
            return 0;
        st->board.phase = BINE_BOARD_READS;
    }
    if (st->board.phase == BINE_BOARD_READS) {
        if (!read_step(x, st, step, number))
            return 0;
        st->board.phase = BINE_BOARD_LEAVES;
        bine_board_pass(x);
    }
    if (st->board.exposed && !is_read_by_all(x, step, number))
        return 0;
    b->moved = 1;
    st->board.exposed = 0;
    return 1;
}
