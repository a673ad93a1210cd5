/* A step on boards: publish, read, add up. */
#include "engine/run.h"

#include "board/expose.h"
#include "engine/tags.h"

#include <string.h>

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* Whether the round is a window on every block. */
static int is_windowed(const struct bine_run_state *run) {
    return run->board.rounds > 1 && !run->board.vector;
}

/* Of so many elements of a block, those in the round's window. */
static int64_t in_window(const struct bine_run_state *run, int64_t elements) {
    const struct bine_board_run *b = &run->board;
    if (!is_windowed(run))
        return elements;
    int64_t left = elements - b->round * b->most;
    return left < 0 ? 0 : least(left, b->most);
}

/* Walks over the elements of a list of runs as far as they lie together. */
struct cursor {
    const struct bine_run *at, *end;
    int piece;    /* of the run, where pieces lie apart */
    int64_t skip; /* elements of the run, or of the piece, that are passed */
    int64_t n;    /* that follow there; 0 at the end */
};

static void settle(const struct bine_run_state *run, struct cursor *c) {
    for (c->n = 0; c->at < c->end;) {
        const struct bine_map *m = &run->map[c->at->space];
        int apart = m->stride != 0 || is_windowed(run), place = c->at->first + c->piece;
        int64_t all =
            apart ? in_window(run, bine_map_offset(m, place + 1) - bine_map_offset(m, place))
                  : bine_run_run_elements(run, c->at);
        c->n = all - c->skip;
        if (c->n > 0)
            return;
        c->skip = 0;
        c->piece = apart && c->piece + 1 < (int)c->at->count ? c->piece + 1 : 0;
        c->at += c->piece == 0;
    }
}

static struct cursor begin(const struct bine_run_state *run, uint32_t runs, uint32_t n) {
    const struct bine_run *all = run->plan->schedule->run;
    struct cursor c = {.at = &all[runs], .end = &all[runs + n]};
    settle(run, &c);
    return c;
}

static void advance(const struct bine_run_state *run, struct cursor *c, int64_t n) {
    c->skip += n;
    c->n -= n;
    if (c->n == 0)
        settle(run, c);
}

/* Elements from the beginning of the piece's block to where the cursor is. */
static int64_t beyond(const struct bine_run_state *run, const struct cursor *c) {
    return c->skip + (is_windowed(run) ? run->board.round * run->board.most : 0);
}

static char *address(const struct bine_run_state *run, const struct cursor *c) {
    const struct bine_map *m = &run->map[c->at->space];
    return bine_at(m->base,
                   bine_map_at(m, c->at->first + c->piece, beyond(run, c), run->type.extent));
}

/* The caller's element at the cursor, where the engine works on bytes that are not packed. */
static char *direct_address(const struct bine_run_state *run, const struct cursor *c) {
    const struct bine_direct *d = &run->board.direct[c->at->space];
    const struct bine_map *m = &run->map[c->at->space];
    int64_t bytes = bine_map_offset(m, c->at->first + c->piece) + beyond(run, c);
    return bine_at(d->base, bytes / d->type->size * d->type->extent);
}

/* n elements at a cursor to packed ones, and back. */
static int pack(const struct bine_run_state *run, const struct cursor *c, int64_t n, char *to) {
    const struct bine_type *t = run->board.direct[c->at->space].type;
    if (t != NULL)
        return bine_type_pack(t, direct_address(run, c), n / t->size, to, run->comm);
    return bine_type_pack(&run->type, address(run, c), n, to, run->comm);
}

static int unpack(const struct bine_run_state *run, const struct cursor *c, int64_t n,
                  const char *from) {
    const struct bine_type *t = run->board.direct[c->at->space].type;
    if (t != NULL)
        return bine_type_unpack(t, from, n / t->size, direct_address(run, c), run->comm);
    return bine_type_unpack(&run->type, from, n, address(run, c), run->comm);
}

static int64_t elements_of(const struct bine_run_state *run, const struct bine_op *op) {
    int64_t all = 0;
    for (struct cursor c = begin(run, op->runs, op->nruns); c.n > 0; advance(run, &c, c.n))
        all += c.n;
    return all;
}

/* Elements of the blocks before `block` in what begins with block `first`. */
static int64_t offset_of(const struct bine_run_state *run, const struct bine_op *op) {
    const struct bine_board_run *b = &run->board;
    if (b->vector) {
        const struct bine_map *m = &run->map[BINE_OUT]; /* all are cut alike */
        return bine_map_offset(m, op->block) - bine_map_offset(m, op->first);
    }
    if (b->counts == NULL)
        return in_window(run, b->total) * (op->block - op->first);
    int64_t n = 0;
    for (int k = op->first; k < op->block; k++)
        n += in_window(run, b->counts[k]);
    return n;
}

static int publish(struct bine_run_state *run, const struct bine_op *op, uint64_t number) {
    struct bine_board_run *b = &run->board;
    int64_t bytes = elements_of(run, op) * run->type.size;
    int rc = MPI_SUCCESS;
    if (bytes > (int64_t)b->node->boards->shape.holds)
        return MPI_ERR_INTERN;
    char *to = bine_boards_place(b->node->boards, number, (uint32_t)bytes);
    for (struct cursor c = begin(run, op->runs, op->nruns); c.n > 0 && rc == MPI_SUCCESS;
         advance(run, &c, c.n)) {
        rc = pack(run, &c, c.n, to);
        to += c.n * run->type.size;
    }
    if (rc == MPI_SUCCESS)
        bine_boards_publish(b->node->boards, &b->call, number, (uint32_t)bytes);
    return rc;
}

/* What is exposed lies together: it is bytes, or dense. */
static int expose(struct bine_run_state *run, struct bine_strand_run *x, const struct bine_op *op,
                  uint64_t number) {
    struct bine_board_run *b = &run->board;
    struct cursor c = begin(run, op->runs, op->nruns);
    int64_t n = c.n;
    if (!run->type.dense)
        return MPI_ERR_INTERN;
    bine_boards_expose(b->node->boards, &b->call, number, n > 0 ? address(run, &c) : NULL,
                       (uint64_t)(n * run->type.size));
    x->board.exposed = 1;
    return MPI_SUCCESS;
}

/* The step's publication, if it has one and it can be made; *done: there is nothing more to make.
 */
static int publish_step(struct bine_run_state *run, struct bine_strand_run *x,
                        const struct bine_step *step, uint64_t number, int *done) {
    const struct bine_schedule *s = run->plan->schedule;
    struct bine_board_run *b = &run->board;
    *done = 1;
    for (uint32_t j = step->ops; j < step->ops + step->nops; j++) {
        const struct bine_op *op = &s->op[j];
        if (op->kind != BINE_OP_PUBLISH && op->kind != BINE_OP_EXPOSE)
            continue;
        *done = bine_boards_can_publish(b->node->boards, &b->call, number) == BINE_BOARD_READY;
        if (!*done)
            return MPI_SUCCESS;
        b->moved = 1;
        return op->kind == BINE_OP_PUBLISH ? publish(run, op, number) : expose(run, x, op, number);
    }
    return MPI_SUCCESS;
}

/* Where an operation's data begins, in a slot that is published. */
static struct bine_operand operand_of(const struct bine_run_state *run, const struct bine_op *op,
                                      int seat, struct bine_board_slot *slot) {
    int64_t offset = offset_of(run, op) * run->type.size;
    struct bine_operand x = {.pid = run->board.node->pid[seat]};
    struct bine_board_exposed where;
    if (slot->bytes != BINE_BOARD_EXPOSED) {
        x.data = bine_board_data(slot, slot->bytes) + offset;
        return x;
    }
    memcpy(&where, bine_board_data(slot, sizeof where), sizeof where);
    x.address = where.address + (uint64_t)offset;
    return x;
}

/* The packed bytes of an operand, from an offset on: where they lie, or fetched; NULL if that
 * cannot be done. */
static const char *get(const struct bine_run_state *run, const struct bine_operand *x,
                       int64_t offset, int64_t bytes) {
    if (x->data != NULL)
        return x->data + offset;
    if (bine_expose_read(x->pid, x->address + (uint64_t)offset, run->board.fetched,
                         (size_t)bytes) != 0)
        return NULL;
    return run->board.fetched;
}

/* Copy all of an operation's data to its place. */
static int read_all(struct bine_run_state *run, const struct bine_op *op,
                    const struct bine_operand *x) {
    const struct bine_board_run *b = &run->board;
    int64_t at = 0, n;
    int rc = MPI_SUCCESS;
    for (struct cursor c = begin(run, op->runs, op->nruns); c.n > 0 && rc == MPI_SUCCESS;
         advance(run, &c, n)) {
        int far = x->data == NULL;
        n = c.n;
        if (far && run->type.dense && b->direct[c.at->space].type == NULL) {
            if (bine_expose_read(x->pid, x->address + (uint64_t)at, address(run, &c),
                                 (size_t)(n * run->type.size)) != 0)
                return MPI_ERR_OTHER;
        } else {
            n = far ? least(n, b->part) : n;
            const char *data = get(run, x, at, n * run->type.size);
            rc = data == NULL ? MPI_ERR_OTHER : unpack(run, &c, n, data);
        }
        at += n * run->type.size;
    }
    return rc;
}

static int copy(const struct bine_run_state *run, const char *from, char *to, int64_t n) {
    return bine_type_copy(&run->type, from, to, (MPI_Aint)n, run->comm, run->plan->schedule->rank);
}

static int reduce_local(const struct bine_run_state *run, const char *from, char *to, int64_t n) {
    return PMPI_Reduce_local(from, to, (int)n, run->type.handle, run->op);
}

/* to = with op data, or data op with, for packed elements of which there are no more than `part`.
 */
static int add(struct bine_run_state *run, char *to, const char *with, const char *data, int64_t n,
               int side) {
    const struct bine_board_run *b = &run->board;
    int left = side != BINE_SIDE_RIGHT, rc = MPI_SUCCESS;
    if (b->pass != NULL) {
        const void *from[] = {left ? data : with, left ? with : data};
        b->pass(to, from, 2, (size_t)n);
        return MPI_SUCCESS;
    }
    if (!run->type.dense || !left) {
        rc = bine_type_unpack(&run->type, data, n, b->typed, run->comm);
        data = b->typed;
    }
    if (rc == MPI_SUCCESS && left) {
        rc = copy(run, with, to, n);
        return rc == MPI_SUCCESS ? reduce_local(run, data, to, n) : rc;
    }
    if (rc == MPI_SUCCESS)
        rc = reduce_local(run, with, b->typed, n);
    return rc == MPI_SUCCESS ? copy(run, b->typed, to, n) : rc;
}

/* A chain part by part: each operand is added while the part is in the cache. */
static int chain_by_parts(struct bine_run_state *run, const struct bine_op *op, uint32_t length,
                          const struct bine_operand *x) {
    int64_t at = 0, n, size = run->type.size;
    struct cursor to = begin(run, op->runs, op->nruns), with = begin(run, op->with, op->nwith);
    for (; to.n > 0; advance(run, &to, n)) {
        n = least(to.n, run->board.part);
        n = op->nwith > 0 ? least(n, with.n) : n;
        char *place = address(run, &to);
        for (uint32_t k = 0; k < length; k++) {
            const char *data = get(run, &x[k], at, n * size);
            int rc = MPI_ERR_OTHER;
            if (data != NULL && op[k].kind == BINE_OP_READ)
                rc = bine_type_unpack(&run->type, data, n, place, run->comm);
            else if (data != NULL)
                rc = add(run, place, k == 0 ? address(run, &with) : place, data, n, op[k].side);
            if (rc != MPI_SUCCESS)
                return rc;
        }
        if (op->nwith > 0)
            advance(run, &with, n);
        at += n * size;
    }
    return MPI_SUCCESS;
}

/* Operands of a pass, the most at once. */
enum { PASS_MOST = 64 };

/* The operands from `first` on of a chain that are added up in one pass; the sum of those before is
 * in `place`, or `with` is added to the first one. Returns how many were taken. */
static uint32_t one_pass(struct bine_run_state *run, const struct bine_op *op, uint32_t length,
                         const struct bine_operand *x, uint32_t first, char *place,
                         const char *with, int64_t at, int64_t n) {
    const void *from[PASS_MOST];
    uint32_t k = first;
    int used = 0;
    if (first > 0)
        from[used++] = place;
    else if (op->kind == BINE_OP_READ_REDUCE && op->side == BINE_SIDE_RIGHT)
        from[used++] = with;
    while (k < length && used < PASS_MOST - 1)
        from[used++] = x[k++].data + at;
    if (first == 0 && op->kind == BINE_OP_READ_REDUCE && op->side != BINE_SIDE_RIGHT) {
        from[used++] = from[1];
        from[1] = with;
    }
    run->board.pass(place, from, used, (size_t)n);
    return k - first;
}

/* All operands lie on boards: one pass over memory, or few. */
static int chain_at_once(struct bine_run_state *run, const struct bine_op *op, uint32_t length,
                         const struct bine_operand *x) {
    int64_t at = 0, n;
    struct cursor to = begin(run, op->runs, op->nruns), with = begin(run, op->with, op->nwith);
    for (; to.n > 0; advance(run, &to, n)) {
        n = op->nwith > 0 ? least(to.n, with.n) : to.n;
        for (uint32_t k = 0; k < length;)
            k += one_pass(run, op, length, x, k, address(run, &to),
                          op->nwith > 0 ? address(run, &with) : NULL, at, n);
        if (op->nwith > 0)
            advance(run, &with, n);
        at += n * run->type.size;
    }
    return MPI_SUCCESS;
}

static int run_chain(struct bine_run_state *run, const struct bine_op *op, uint32_t length,
                     const struct bine_operand *x) {
    int on_boards = 1;
    if (length == 1 && op->kind == BINE_OP_READ)
        return read_all(run, op, x);
    for (uint32_t k = 0; k < length; k++)
        on_boards &= x[k].data != NULL;
    return run->board.pass != NULL && on_boards ? chain_at_once(run, op, length, x)
                                                : chain_by_parts(run, op, length, x);
}

/* How many operations of a step are in the chain that begins with number j. */
static uint32_t chain_length(const struct bine_plan *plan, const struct bine_step *step,
                             uint32_t j) {
    uint32_t k = j + 1;
    while (k < step->ops + step->nops && (plan->flags[k] & BINE_OP_CHAINED))
        k++;
    return k - j;
}

/* The reads of a step, as far as they are published; *done: all of them. */
static int read_step(struct bine_run_state *run, struct bine_strand_run *x,
                     const struct bine_step *step, uint64_t number, int *done) {
    const struct bine_schedule *s = run->plan->schedule;
    const struct bine_node *node = run->board.node;
    uint32_t strand = (uint32_t)(x - run->strand), *at = &x->board.op;
    struct bine_operand *operand = run->board.operand + strand * ((uint32_t)node->boards->n + 1);
    int rc = MPI_SUCCESS;
    *done = 0;
    for (; *at < step->nops && rc == MPI_SUCCESS;) {
        const struct bine_op *op = &s->op[step->ops + *at];
        if (op->kind != BINE_OP_READ && op->kind != BINE_OP_READ_REDUCE) {
            ++*at;
            continue;
        }
        uint32_t length = chain_length(run->plan, step, step->ops + *at);
        for (uint32_t *k = &x->board.ready; *k < length; ++*k) {
            struct bine_board_slot *slot;
            int seat = node->seat[op[*k].peer];
            enum bine_board_state state = bine_boards_look(node->boards, seat, number, &slot);
            if (state != BINE_BOARD_READY)
                return state == BINE_BOARD_FAILED ? MPI_ERR_OTHER : MPI_SUCCESS;
            operand[*k] = operand_of(run, &op[*k], seat, slot);
            run->board.moved = 1;
        }
        rc = run_chain(run, op, length, operand);
        x->board.ready = 0;
        *at += length;
    }
    *done = rc == MPI_SUCCESS;
    return rc;
}

/* n bytes between two places of which one at least is the caller's elements as they lie. */
static int copy_direct(const struct bine_run_state *run, const struct cursor *from,
                       const struct cursor *to, int64_t n) {
    const struct bine_type *a = run->board.direct[from->at->space].type,
                           *b = run->board.direct[to->at->space].type;
    int self = run->plan->schedule->rank;
    if (b == NULL)
        return pack(run, from, n, address(run, to));
    if (a == NULL)
        return unpack(run, to, n, address(run, from));
    return PMPI_Sendrecv(direct_address(run, from), (int)(n / a->size), a->handle, self,
                         BINE_TAG_SELF, direct_address(run, to), (int)(n / b->size), b->handle,
                         self, BINE_TAG_SELF, run->comm, MPI_STATUS_IGNORE);
}

static int copy_chunk(const struct bine_run_state *run, const struct cursor *from,
                      const struct cursor *to, int64_t n) {
    const struct bine_direct *direct = run->board.direct;
    if (direct[from->at->space].type != NULL || direct[to->at->space].type != NULL)
        return copy_direct(run, from, to, n);
    return copy(run, address(run, from), address(run, to), n);
}

int bine_board_local(struct bine_run_state *run, const struct bine_op *op) {
    struct cursor to = begin(run, op->runs, op->nruns), with = begin(run, op->with, op->nwith);
    int rc = MPI_SUCCESS;
    if (op->kind != BINE_OP_COPY && op->kind != BINE_OP_REDUCE)
        return MPI_ERR_INTERN;
    for (int64_t n; to.n > 0 && rc == MPI_SUCCESS; advance(run, &to, n), advance(run, &with, n)) {
        n = least(to.n, with.n);
        rc = op->kind == BINE_OP_COPY
                 ? copy_chunk(run, &with, &to, n)
                 : reduce_local(run, address(run, &with), address(run, &to), n);
    }
    return rc;
}

static int local_step(struct bine_run_state *run, const struct bine_step *step) {
    const struct bine_schedule *s = run->plan->schedule;
    int rc = MPI_SUCCESS;
    for (uint32_t j = step->ops; j < step->ops + step->nops && rc == MPI_SUCCESS; j++)
        if (!bine_kind_is_board(s->op[j].kind))
            rc = bine_run_local(run, &s->op[j]);
    return rc;
}

int bine_board_step(struct bine_run_state *run, struct bine_strand_run *x,
                    const struct bine_step *step, int *over) {
    struct bine_board_run *b = &run->board;
    uint64_t number = bine_board_number(run, x, step);
    int rc = MPI_SUCCESS, done;
    *over = 0;
    if (x->board.phase == BINE_BOARD_PUBLISHES) {
        rc = publish_step(run, x, step, number, &done);
        if (rc != MPI_SUCCESS || !done)
            return rc;
        x->board.phase = BINE_BOARD_READS;
    }
    if (x->board.phase == BINE_BOARD_READS) {
        rc = read_step(run, x, step, number, &done);
        if (rc != MPI_SUCCESS || !done)
            return rc;
        x->board.phase = BINE_BOARD_LEAVES;
        bine_board_pass(run, x, number + 1);
    }
    if (x->board.exposed && !bine_boards_is_passed(b->node->boards, number))
        return rc;
    b->moved = 1;
    x->board.exposed = 0;
    *over = 1;
    return local_step(run, step);
}
