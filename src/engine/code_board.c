/* Code for schedules on boards alone. A small call on boards is a few lines of memory: the
 * instructions around them decide its time. Reads follow each other closely, so that the processor
 * fetches the lines of several boards at once. */
#include "engine/code.h"
#include "engine/local.h"
#include "engine/walk.h"

/* One body for blocking and nonblocking calls. */
#define INLINE inline __attribute__((always_inline))

/* Operands of a sum, the most at once. */
enum { OPERANDS = 64 };

/* Further kinds of instructions. `count` is bytes where they copy. */
enum {
    SHOW = BINE_CODE_END + 1, /* publish `from` on the own board */
    SLOT,                     /* a slot for data that is copied together: find the place, */
    PUBLISH,                  /* and let all see it */
    READ,                     /* find the publication of `peer`, a seat, and copy it to `to` */
    OPERAND,                  /* find it, and take it as the next operand */
    OWN,                      /* `from` is the next operand */
    ADD,                      /* to = the operands added up */
    PASS                      /* nothing of the times before `time` is read any more */
};

/* --- Whether it can be written */

int bine_code_takes_boards(const struct bine_execution *x) {
    const struct bine_schedule *s = x->plan->schedule;
    const struct bine_board_use *b = &x->board;
    if (b->rounds != 1 || b->local || !x->type.dense ||
        (b->pass == NULL && bine_collective_reduces(s->collective)))
        return 0;
    for (uint32_t j = 0; j < s->nops; j++)
        if (s->op[j].kind == BINE_OP_PUBLISH &&
            bine_elements_of_op(x, &s->op[j]) * x->type.size > b->node->boards->shape.holds)
            return 0;
    return 1;
}

/* --- Writing it */

static struct bine_code *write_down(struct bine_op_walk *w, int kind, int time) {
    struct bine_code *c = w->next++;
    *c = (struct bine_code){.kind = (uint8_t)kind, .time = (uint8_t)time};
    return c;
}

static void write_publish(struct bine_op_walk *w, const struct bine_op *op, int time) {
    struct bine_location slot = {BINE_BASE_SLOT, 0};
    struct bine_code *c = write_down(w, SLOT, time);
    int64_t all = bine_elements_of_op(w->x, op) * w->x->type.size;
    bine_op_walk_pack(w, op, slot);
    if (w->next == c + 2) {
        c->from = c[1].from;
        c->from_at = c[1].from_at;
        w->next--;
    } else if (all > 0) {
        write_down(w, PUBLISH, time)->count = all;
        c->count = all;
        return;
    }
    c->kind = SHOW;
    c->count = all;
}

static struct bine_code *write_find(struct bine_op_walk *w, int kind, const struct bine_op *op,
                                    int time) {
    struct bine_code *c = write_down(w, kind, time);
    c->peer = w->x->board.node->seat[op->peer];
    c->from_at = bine_board_offset(w->x, op) * w->x->type.size;
    return c;
}

static void write_read(struct bine_op_walk *w, const struct bine_op *op, int time) {
    struct bine_location seen = {BINE_BASE_SEEN, 0};
    struct bine_code *c = write_find(w, READ, op, time);
    bine_op_walk_unpack(w, op, seen);
    if (w->next == c + 2) {
        c->to = c[1].to;
        c->to_at = c[1].to_at;
        c->count = c[1].count * w->x->type.size;
        w->next--;
    }
}

static void write_own(struct bine_op_walk *w, struct bine_location a) {
    struct bine_code *c = write_down(w, OWN, 0);
    c->from = (uint8_t)a.base;
    c->from_at = a.offset;
}

static void write_add(struct bine_op_walk *w, struct bine_location to, int64_t count) {
    struct bine_code *c = write_down(w, ADD, 0);
    c->to = (uint8_t)to.base;
    c->to_at = to.offset;
    c->count = count;
}

/* The sum of several boards, from left to right. */
static void write_chain(struct bine_op_walk *w, const struct bine_op *op, uint32_t length,
                        int time) {
    const struct bine_run *run = w->x->plan->schedule->run;
    struct bine_location to = bine_location_of(w->x, &run[op->runs], 0);
    int64_t n = bine_elements_of_run(w->x, &run[op->runs]);
    int adds = op->kind == BINE_OP_READ_REDUCE, taken = 0;
    for (uint32_t k = 0; k < length; k++) {
        int own = k == 0 && adds, right = own && op->side == BINE_SIDE_RIGHT;
        if (right)
            write_own(w, bine_location_of(w->x, &run[op->with], 0));
        write_find(w, OPERAND, &op[k], time);
        if (own && !right)
            write_own(w, bine_location_of(w->x, &run[op->with], 0));
        taken += 1 + own;
        if (taken < OPERANDS || k + 1 == length)
            continue;
        write_add(w, to, n);
        write_own(w, to);
        taken = 1;
    }
    write_add(w, to, n);
}

static void write_reads(struct bine_op_walk *w, const struct bine_step *step) {
    const struct bine_plan *plan = w->x->plan;
    int time = step->time > 0 ? step->time : 0;
    for (uint32_t j = 0, length; j < step->nops; j += length) {
        const struct bine_op *op = &plan->schedule->op[step->ops + j];
        length = bine_board_chain(plan, step, step->ops + j);
        if (op->kind == BINE_OP_READ_REDUCE || length > 1)
            write_chain(w, op, length, time);
        else if (op->kind == BINE_OP_READ)
            write_read(w, op, time);
    }
}

/* In the order of a step (schedule.h). Signals of the call's end are not sent before it. */
static void write_step(struct bine_op_walk *w, const struct bine_step *step, int is_last) {
    const struct bine_op *op = w->x->plan->schedule->op + step->ops;
    int on_boards = bine_step_is_on_boards(w->x->plan->schedule, step);
    if (on_boards && step->time > 0)
        write_down(w, PASS, step->time);
    for (uint32_t j = 0; j < step->nops; j++)
        if (op[j].kind == BINE_OP_PUBLISH)
            write_publish(w, &op[j], step->time > 0 ? step->time : 0);
    write_reads(w, step);
    struct bine_code *pass = on_boards ? write_down(w, PASS, step->time + 1) : NULL;
    bine_op_walk_local(w, step);
    if (is_last && pass != NULL && w->next == pass + 1)
        w->next--;
}

void bine_code_write_boards(struct bine_op_walk *w) {
    const struct bine_schedule *s = w->x->plan->schedule;
    for (uint32_t i = 0; i < s->strand->nsteps; i++)
        write_step(w, &s->step[s->strand->steps + i], i + 1 == s->strand->nsteps);
}

/* --- Running it */

struct runner {
    struct bine_execution *x;
    struct bine_boards *boards;
    char *base[BINE_BASES];
    const void *operand[OPERANDS + 1];
    struct bine_board_slot *slot; /* that is written */
    int operands;
    int missed;                    /* an operand of the sum in hand is not to be had */
    int stopped;                   /* the next instruction would have to wait */
    const struct bine_code *chain; /* the first operand of that sum */
};

/* Between two looks. Whether MPI goes on; if not, nor will others. */
static int wait_once(struct bine_execution *x, unsigned *looks) {
    int rc = bine_wait_once(&x->board.node->wait, looks);
    bine_execution_note(x, rc);
    x->given_up = rc != BINE_OK;
    return !x->given_up;
}

static __attribute__((noinline)) int wait_for_slot(struct bine_execution *x, uint64_t number) {
    unsigned looks = 0;
    while (bine_boards_can_publish(x->board.node->boards, &x->board.call, number) !=
           BINE_BOARD_READY)
        if (!wait_once(x, &looks))
            return 0;
    return 1;
}

static __attribute__((noinline)) enum bine_board_state
wait_for_rank(struct bine_execution *x, int seat, uint64_t number, struct bine_board_slot **slot) {
    unsigned looks = 0;
    enum bine_board_state state;
    while ((state = bine_boards_look(x->board.node->boards, seat, number, x->board.size, slot)) ==
           BINE_BOARD_NOT_YET)
        if (!wait_once(x, &looks))
            return BINE_BOARD_FAILED;
    if (state != BINE_BOARD_READY)
        bine_execution_note(x, bine_board_error(state));
    return state;
}

/* Never more than a slot, and never on top of each other. */
static inline void copy(char *to, const char *from, size_t bytes) {
    uint64_t first, last;
    uint32_t word;
    if (bytes >= sizeof first && bytes <= 2 * sizeof first) {
        memcpy(&first, from, sizeof first);
        memcpy(&last, from + bytes - sizeof last, sizeof last);
        memcpy(to, &first, sizeof first);
        memcpy(to + bytes - sizeof last, &last, sizeof last);
    } else if (bytes == sizeof word) {
        memcpy(&word, from, sizeof word);
        memcpy(to, &word, sizeof word);
    } else if (bytes > 0) { /* else there may be no buffer */
        memcpy(to, from, bytes);
    }
}

/* The publications of one time: their number, and where they are on every board. */
struct sight {
    uint64_t number;
    size_t offset;
};

static INLINE struct sight sight_of(const struct runner *r, const struct bine_code *c) {
    uint64_t number = r->x->board.call.base + c->time;
    return (struct sight){number, bine_boards_offset(r->boards, number)};
}

/* Where the data begins that an instruction reads; NULL: there is none to be had, or it stops. */
static INLINE const char *find(struct runner *r, const struct bine_code *c, struct sight at,
                               int wait) {
    struct bine_board_slot *slot;
    enum bine_board_state state =
        bine_boards_look_at(r->boards, c->peer, at.number, at.offset, r->x->board.size, &slot);
    if (state == BINE_BOARD_NOT_YET && !wait) {
        r->stopped = 1;
        return NULL;
    }
    if (state != BINE_BOARD_READY &&
        wait_for_rank(r->x, c->peer, at.number, &slot) != BINE_BOARD_READY)
        return NULL;
    return bine_board_data(slot, slot->bytes) + c->from_at;
}

static INLINE int find_slot(struct runner *r, const struct bine_code *c, int wait) {
    uint64_t number = r->x->board.call.base + c->time;
    struct bine_board_slot *slot = bine_boards_slot(r->boards, r->boards->me, number);
    if (!bine_boards_is_free(r->boards, &r->x->board.call, number, slot) &&
        bine_boards_can_publish(r->boards, &r->x->board.call, number) != BINE_BOARD_READY) {
        r->stopped = !wait;
        if (r->stopped || !wait_for_slot(r->x, number))
            return 0;
    }
    r->slot = slot;
    r->base[BINE_BASE_SLOT] = bine_board_data(slot, (uint32_t)c->count);
    return 1;
}

static inline void publish(struct runner *r, const struct bine_code *c) {
    struct bine_board_call *call = &r->x->board.call;
    uint32_t size = r->x->rc == BINE_OK ? r->x->board.size : BINE_BOARD_SPOILT;
    bine_boards_publish_in(r->boards, call, call->base + c->time, r->slot, (uint32_t)c->count,
                           size);
}

static void add_up(struct runner *r, char *to, size_t n) {
    if (!r->missed && n > 0)
        r->x->board.pass(to, r->operand, r->operands, n);
    r->operands = r->missed = 0;
}

static void give_up(struct bine_execution *x) {
    x->strand->nslots = 0;
    x->strand->board.exposed = 0;
    bine_execution_give_up(x);
    bine_board_give_up(x);
}

/* Local operations, also on data that was read last in several runs. */
static void run_local(struct runner *r, const struct bine_code *c, char *to, const char *from) {
    struct bine_execution *x = r->x;
    int rc = BINE_OK;
    if (c->from == BINE_BASE_SEEN && r->base[BINE_BASE_SEEN] == NULL)
        return;
    if (c->kind == BINE_CODE_COPY)
        memmove(to, from, (size_t)(c->count * x->type.size));
    else if (c->kind == BINE_CODE_REDUCE)
        rc = bine_type_reduce(&x->type, x->op, from, to, c->count);
    else
        rc = bine_code_permute(x, &x->plan->schedule->op[c->count]);
    bine_execution_note(x, rc);
}

static INLINE void take(struct runner *r, const struct bine_code *c, const void *operand) {
    if (r->operands == 0)
        r->chain = c;
    r->operand[r->operands++] = operand;
}

/* Reads and operands that follow each other: all of one step, thus of one time. Returns the
 * instruction behind them, or the one at which it stops: for an operand, the first one of its sum,
 * as the others are still there to be found. */
static INLINE const struct bine_code *run_reads(struct runner *r, const struct bine_code *c,
                                                int wait) {
    const struct sight at = sight_of(r, c);
    for (; c->kind == READ && !r->x->given_up; c++) {
        const char *data = find(r, c, at, wait);
        if (!wait && r->stopped)
            return c;
        r->base[BINE_BASE_SEEN] = (char *)(uintptr_t)data;
        if (data != NULL)
            copy(bine_at(r->base[c->to], c->to_at), data, (size_t)c->count);
    }
    for (; c->kind == OPERAND && !r->x->given_up; c++) {
        const char *data = find(r, c, at, wait);
        if (!wait && r->stopped)
            return r->operands > 0 ? r->chain : c;
        r->missed |= data == NULL;
        take(r, c, data);
    }
    return c;
}

static INLINE void run_one(struct runner *r, const struct bine_code *c, int wait) {
    struct bine_execution *x = r->x;
    char *to = bine_at(r->base[c->to], c->to_at), *from = bine_at(r->base[c->from], c->from_at);
    switch (c->kind) {
    case SHOW:
        if (find_slot(r, c, wait)) {
            copy(r->base[BINE_BASE_SLOT], from, (size_t)c->count);
            publish(r, c);
        }
        return;
    case SLOT:
        find_slot(r, c, wait);
        return;
    case PUBLISH:
        publish(r, c);
        return;
    case OWN:
        take(r, c, from);
        return;
    case ADD:
        add_up(r, to, (size_t)c->count);
        return;
    case PASS:
        bine_boards_pass(r->boards, &x->board.call, x->board.call.base + c->time);
        return;
    default:
        run_local(r, c, to, from);
        return;
    }
}

/* From an instruction on to the end; or only as far as that goes without waiting. Returns whether
 * it is at its end. */
static INLINE int follow(struct bine_execution *x, const struct bine_code *c, int wait) {
    struct runner r;
    r.x = x;
    r.boards = x->board.node->boards;
    r.operands = r.missed = r.stopped = 0;
    r.base[BINE_IN] = x->map[BINE_IN].base;
    r.base[BINE_OUT] = x->map[BINE_OUT].base;
    r.base[BINE_TMP] = x->map[BINE_TMP].base;
    r.base[BINE_BASE_SLOT] = r.base[BINE_BASE_SEEN] = NULL;
    while (c->kind != BINE_CODE_END && !x->given_up) {
        if (c->kind == READ || c->kind == OPERAND) {
            c = run_reads(&r, c, wait);
        } else {
            run_one(&r, c, wait);
            c += wait || !r.stopped;
        }
        if (!wait && r.stopped) {
            bine_boards_wake(r.boards);
            x->next_code = c;
            return 0;
        }
    }
    if (x->given_up)
        give_up(x);
    else
        bine_board_end(x);
    return 1;
}

void bine_code_run_boards(struct bine_execution *x) {
    follow(x, x->code, 1);
}

static int progress(struct bine_execution *x, int wait) {
    return wait ? follow(x, x->next_code, 1) : follow(x, x->next_code, 0);
}

static void start(struct bine_execution *x) {
    bine_board_begin(x);
    bine_code_retain(x);
}

static void finish(struct bine_execution *x) {
    bine_code_release(x);
}

const struct bine_executor bine_by_board_code = {start, progress, finish};
