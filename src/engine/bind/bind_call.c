#include "engine/bind/bind_parts.h"
#include "engine/bind/size_exchange.h"
#include "engine/bind/uneven.h"
#include "engine/code.h"
#include "timeline/tape.h"

#include <string.h>

/* The largest part of a message of bytes. MPI counts with int, and so do message parts. */
#define LARGEST_PART ((int64_t)1 << 30)
/* The number of separate parts that tmp is cut into. The slots of a reduction may have more
 * elements together than the caller's buffers; and where elements reach beyond the next one's
 * address, only a few can lie side by side. */
static int slots_apart(const struct bine_schedule *s) {
    const struct bine_space *tmp = &s->space[BINE_TMP];
    return bine_collective_reduces(s->collective) && tmp->arrangement == BINE_SLOTS &&
                   s->parts == 1 && tmp->pieces > 0
               ? tmp->pieces
               : 1;
}

static void find_memory(struct bine_bound *b, const struct bine_schedule *s,
                        const struct bine_bind_needs *n) {
    const struct bine_call *call = &b->call;
    int scatter = s->collective == BINE_SCATTER, some = n->total > 0;
    b->uses_in = some && s->space[BINE_IN].pieces > 0 && !(call->in_place && !scatter);
    /* Rank 0 of an exscan in place reads the buffer for results, and writes none. */
    int read = call->in_place && s->space[BINE_IN].pieces > 0;
    b->uses_out = some && (s->space[BINE_OUT].pieces > 0 || read) && !(call->in_place && scatter);
    b->in_memory = b->out_memory = NULL;
    if (bine_memory_is_host_only())
        return;
    b->in_memory = b->uses_in ? bine_memory_of(call->sendbuf, &call->sendtype) : NULL;
    b->out_memory = b->uses_out ? bine_memory_of(call->recvbuf, &call->recvtype) : NULL;
}

/* The device that all buffers of a call are on, whose memory the MPI library takes: then the call
 * works there, if the device adds up such numbers. */
static int works_on_device(const struct bine_bound *b, const struct bine_schedule *s,
                           struct bine_on_device *x) {
    const struct bine_call *call = &b->call;
    const struct bine_memory *m = b->uses_in ? b->in_memory : b->out_memory;
    const void *in = bine_at(call->sendbuf, call->sendtype.true_lb),
               *out = bine_at(call->recvbuf, call->recvtype.true_lb);
    if (m == NULL || m->device == NULL || s->boards || !bine_memory_is_mpi_aware() ||
        (b->uses_out && b->out_memory != m) || (b->uses_in && !call->sendtype.dense) ||
        (b->uses_out && !call->recvtype.dense))
        return 0;
    x->context = m->device->context(b->uses_in ? in : out);
    if (x->context == NULL || (b->uses_out && m->device->context(out) != x->context))
        return 0;
    int reduces = bine_collective_reduces(call->collective);
    if (reduces && (!m->device->is_ready() ||
                    bine_pass_name(call->recvtype.handle, call->op, &x->type, &x->op) != 0))
        return 0;
    x->device = m->device;
    x->size = reduces ? (size_t)call->recvtype.size : 1;
    return m->device->can_copy();
}

static void find_on_device(struct bine_bound *b, const struct bine_schedule *s) {
    struct bine_on_device x = {.device = NULL};
    if (works_on_device(b, s, &x))
        b->execution.on_device = x;
}

/* Whether a buffer cannot be worked on where it is. */
static int is_out_of_reach(const struct bine_bound *b, const struct bine_memory *memory) {
    return memory != NULL && b->execution.on_device.device == NULL;
}

/* Reductions work on the caller's elements where they are, if they can: on a device they cannot,
 * unless MPI can; nor at MPI_BOTTOM, which MPICH takes for no buffer when it reduces. There they
 * work on copies. */
static void measure_copied(const struct bine_bound *b, struct bine_bind_needs *n) {
    const struct bine_call *call = &b->call;
    if (b->uses_in &&
        (call->sendbuf == BINE_BOTTOM || is_out_of_reach(b, b->in_memory) || call->aliased))
        n->packed_in = bine_type_room(&call->recvtype, n->total);
    if (b->uses_out && (call->recvbuf == BINE_BOTTOM || is_out_of_reach(b, b->out_memory)))
        n->packed_out = bine_type_room(&call->recvtype, n->total);
}

/* Whether uneven blocks are published and read one by one, from and to wherever the caller has them
 * in the host's memory. */
static int takes_apart(const struct bine_bound *b) {
    const struct bine_call *call = &b->call;
    return b->execution.board.sized && !call->in_place && !call->aliased &&
           call->announced == NULL && b->in_memory == NULL && b->out_memory == NULL &&
           call->send_blocks.types == NULL && call->recv_blocks.types == NULL &&
           (!b->uses_in || call->sendtype.dense) && (!b->uses_out || call->recvtype.dense);
}

/* Data moves as bytes. Data that is not dense, or that lies on a device, is packed at the beginning
 * and unpacked at the end. */
static void measure_packed(struct bine_bound *b, const struct bine_schedule *s,
                           struct bine_bind_needs *n) {
    const struct bine_call *call = &b->call;
    int in =
        b->uses_in && (!call->sendtype.dense || is_out_of_reach(b, b->in_memory) || call->aliased);
    int out = b->uses_out && (!call->recvtype.dense || is_out_of_reach(b, b->out_memory));
    n->packed_in = n->packed_out = 0;
    size_t bytes = (size_t)n->block, parts = (size_t)s->parts;
    if (n->apart)
        return;
    if (bine_call_is_uneven(call)) {
        in |= b->uses_in &&
              !bine_uneven_is_row(&call->send_blocks, &call->sendtype, s->p, &b->in_from);
        out |= b->uses_out &&
               (!bine_uneven_is_row(&call->recv_blocks, &call->recvtype, s->p, &b->out_from) ||
                bine_uneven_differs(call, s));
        n->packed_in = in ? bine_room_of((size_t)n->in) : 0;
        n->packed_out = out ? bine_room_of((size_t)n->out) : 0;
    } else if (bine_collective_reduces(call->collective)) {
        measure_copied(b, n);
    } else if (call->collective == BINE_BCAST) {
        n->packed_in = in ? bine_room_of((size_t)n->total) : 0;
        n->packed_out = out && !in ? bine_room_of((size_t)n->total) : 0;
    } else {
        n->packed_in = in ? bine_room_of(bytes * (size_t)s->space[BINE_IN].pieces / parts) : 0;
        n->packed_out = out ? bine_room_of(bytes * (size_t)s->space[BINE_OUT].pieces / parts) : 0;
    }
}

/* Where publish, read and copy are the only operations on the caller's elements, and only on whole
 * ones, elements go to the board and come from there without being packed before. In place, `in`
 * and `out` are one buffer. */
static int is_direct(const struct bine_bound *b) {
    const struct bine_execution *x = &b->execution;
    const struct bine_plan *plan = x->plan;
    const struct bine_schedule *s = plan->schedule;
    return s->boards && plan->as_it_lies[BINE_IN] && plan->as_it_lies[BINE_OUT] &&
           x->board.rounds == 1 && s->parts == 1 && b->in_memory == NULL && b->out_memory == NULL &&
           !b->call.aliased && (s->blocks == 1 || !bine_cuts_a_vector(s->collective));
}

/* Elements that are too large to be fetched whole are packed. */
static int takes_directly(const struct bine_execution *x, int space, const struct bine_type *t) {
    return x->plan->schedule->space[space].pieces > 0 && !t->dense && t->size > 0 &&
           t->size <= x->board.part;
}

/* Instead of packed copies. */
static void find_direct(struct bine_bound *b, struct bine_bind_needs *n) {
    const struct bine_call *call = &b->call;
    struct bine_direct *direct = b->execution.board.direct;
    if (bine_collective_reduces(call->collective) || bine_call_is_uneven(call) || !is_direct(b))
        return;
    if (takes_directly(&b->execution, BINE_IN, &call->sendtype)) {
        direct[BINE_IN].type = &call->sendtype;
        n->packed_in = 0;
    }
    if (takes_directly(&b->execution, BINE_OUT, &call->recvtype)) {
        direct[BINE_OUT].type = &call->recvtype;
        n->packed_out = 0;
    }
    b->execution.board.local |= direct[BINE_IN].type != NULL || direct[BINE_OUT].type != NULL;
}

void bine_bind_direct(struct bine_bound *b) {
    const struct bine_call *call = &b->call;
    struct bine_board_use *board = &b->execution.board;
    const struct bine_schedule *s = b->execution.plan->schedule;
    char *in = (char *)(uintptr_t)call->sendbuf;
    if (call->in_place && s->collective != BINE_SCATTER && b->block > 0)
        in = bine_at(call->recvbuf, call->recvcount * call->recvtype.extent *
                                        (bine_in_place_offset(b) / b->block));
    board->direct[BINE_IN].base = in;
    board->direct[BINE_OUT].base = call->recvbuf;
    for (int k = 0; k < BINE_SPACES; k++)
        board->origin[k] = b->execution.map[k].base;
}

/* In place, `in` is a part of `out`. */
static void find_in_place(struct bine_bound *b) {
    const struct bine_execution *x = &b->execution;
    b->in_is_out = b->call.in_place && x->plan->schedule->collective != BINE_SCATTER;
    b->in_behind = b->in_is_out ? bine_in_place_offset(b) * x->type.extent : 0;
}

/* Whether the caller's buffers are worked on as they lie, in the host's memory, by code, and
 * nothing is to be given back. */
static int has_fast_path(const struct bine_bound *b) {
    return b->execution.code != NULL && !b->execution.plan->schedule->exchanges_sizes &&
           b->packed_in == NULL && b->packed_out == NULL && b->in_memory == NULL &&
           b->out_memory == NULL && !bine_workspace_borrows(b->workspace);
}

/* Where the schedule uses boards: rounds, and the memory for them. A vector is cut into blocks in
 * each round. */
static int bind_boards(struct bine_bound *b, struct bine_bind_needs *n) {
    struct bine_execution *x = &b->execution;
    const struct bine_schedule *s = x->plan->schedule;
    x->board = (struct bine_board_use){.node = NULL};
    if (!s->boards)
        return BINE_OK;
    int vector = bine_cuts_a_vector(s->collective);
    int rc = bine_board_bind(x, b->node != NULL ? b->node : b->channel->node,
                             vector ? n->total : n->piece, bine_counts_of(&b->call),
                             bine_call_is_uneven(&b->call));
    if (rc != BINE_OK)
        return rc;
    n->board = bine_board_place(x, NULL);
    if (vector)
        n->piece = (bine_min(n->total, x->board.most) + s->blocks - 1) / s->blocks;
    return BINE_OK;
}

static void set_segment(struct bine_execution *x, int reduces, size_t segment) {
    int64_t part =
        reduces && x->type.size > 0 ? (int64_t)(segment / (size_t)x->type.size) : LARGEST_PART;
    x->segment = part < 1 ? 1 : bine_min(part, LARGEST_PART);
}

/* The bytes of the call's workspace, besides packed data. */
static size_t add_up(const struct bine_execution *x, struct bine_bind_needs *n) {
    const struct bine_schedule *s = x->plan->schedule;
    n->slots = slots_apart(s);
    n->slot = bine_type_room(&x->type, n->tmp / n->slots);
    return n->slot * (size_t)n->slots + s->nstrands * (n->scratch + n->staging);
}

/* Packed data of a device is where the device reaches it, as long as there is such memory. */
static void take_pinned(struct bine_bound *b, const struct bine_bind_needs *n,
                        struct bine_bind_memory *m) {
    const struct bine_call *call = &b->call;
    int on_device = b->execution.on_device.device != NULL;
    b->pinned_in = !on_device && b->in_memory != NULL && n->packed_in > 0;
    b->pinned_out = !on_device && b->out_memory != NULL && n->packed_out > 0;
    if (!b->pinned_in && !b->pinned_out)
        return;
    const struct bine_memory *memory = b->pinned_in ? b->in_memory : b->out_memory;
    const void *at = b->pinned_in ? bine_at(call->sendbuf, call->sendtype.true_lb)
                                  : bine_at(call->recvbuf, call->recvtype.true_lb);
    size_t bytes = (b->pinned_in ? n->packed_in : 0) + (b->pinned_out ? n->packed_out : 0);
    if (memory->device != NULL)
        m->pinned = bine_workspace_reach(b->workspace, memory->device, memory->device->context(at),
                                         BINE_POOL_PINNED, bytes);
    if (m->pinned == NULL)
        b->pinned_in = b->pinned_out = 0;
}

/* Take all memory. 0, or -1: there is none. Where the device's memory does not suffice, the call
 * works in the host's. */
static int take_memory(struct bine_bound *b, struct bine_bind_needs *n,
                       struct bine_bind_memory *m) {
    struct bine_execution *x = &b->execution;
    size_t work = add_up(x, n), packed = n->packed_in + n->packed_out;
    m->pinned = m->on_device = NULL;
    if (x->on_device.device != NULL && work + packed > 0) {
        m->on_device = bine_workspace_reach(b->workspace, x->on_device.device, x->on_device.context,
                                            BINE_POOL_ON_DEVICE, work + packed);
        if (m->on_device == NULL) {
            x->on_device = (struct bine_on_device){.device = NULL};
            measure_packed(b, x->plan->schedule, n);
        }
    }
    take_pinned(b, n, m);
    packed = (b->pinned_in ? 0 : n->packed_in) + (b->pinned_out ? 0 : n->packed_out);
    m->host =
        bine_workspace_take(b->workspace, n->execution + n->tables + n->board +
                                              (x->on_device.device != NULL ? 0 : work + packed));
    return m->host != NULL ? 0 : -1;
}

static char *take(char **from, size_t bytes) {
    char *at = *from;
    *from += bytes;
    return at;
}

/* Lay everything out in that memory. */
static void lay_out(struct bine_bound *b, const struct bine_bind_needs *n,
                    struct bine_bind_memory *m) {
    struct bine_execution *x = &b->execution;
    const struct bine_schedule *s = x->plan->schedule;
    ptrdiff_t shift = bine_type_shift(&x->type, (ptrdiff_t)n->total);
    char **work = x->on_device.device != NULL ? &m->on_device : &m->host;
    bine_execution_place(x, take(&m->host, n->execution));
    bine_bind_tables(b, n, take(&m->host, n->tables));
    if (n->apart)
        bine_bind_places(b, m->host - bine_bind_place_tables(s));
    if (x->board.node != NULL)
        bine_board_place(x, take(&m->host, n->board));
    char *in = take(b->pinned_in ? &m->pinned : work, n->packed_in),
         *out = take(b->pinned_out ? &m->pinned : work, n->packed_out);
    b->packed_in = n->packed_in > 0 ? bine_at(in, shift) : NULL;
    b->packed_out = n->packed_out > 0 ? bine_at(out, shift) : NULL;
    char *tmp = take(work, n->slot * (size_t)n->slots);
    x->map[BINE_TMP].base = bine_at(tmp, bine_type_shift(&x->type, n->tmp / n->slots));
    x->map[BINE_TMP].stride = n->slots > 1 ? (ptrdiff_t)n->slot : 0;
    for (uint32_t k = 0; k < s->nstrands; k++) {
        x->strand[k].scratch = take(work, n->scratch);
        x->strand[k].send_staging = take(work, n->staging);
    }
}

int bine_bind_run(struct bine_bound *b, const struct bine_plan *plan, const struct bine_call *call,
                  struct bine_channel *channel, size_t segment, struct bine_workspace *w) {
    static const struct bine_type byte = {BINE_BYTE, 1, 1, 0, 1, 1};
    const struct bine_schedule *s = plan->schedule;
    struct bine_execution *x = &b->execution;
    struct bine_bind_needs n;
    struct bine_bind_memory memory;
    int reduces = bine_collective_reduces(call->collective);
    b->call = *call;
    b->channel = channel;
    b->workspace = w;
    b->segment = segment;
    b->in_from = b->out_from = 0;
    b->fast_path = 0;
    const struct bine_counts *counts = bine_counts_of(call);
    if (counts != NULL && bine_counts_are_one(counts, s->p)) {
        b->call.recvcount = (ptrdiff_t)bine_count_at(counts, 0);
        b->call.recv_blocks = (struct bine_blocks){.types = NULL};
    }
    x->plan = plan;
    x->tape = bine_tape_of_steps();
    x->comm = channel->comm;
    x->type = reduces ? call->recvtype : byte;
    x->op = call->op;
    bine_bind_measure(plan, &b->call, &n);
    int rc = bind_boards(b, &n);
    if (rc != BINE_OK)
        return rc;
    bine_bind_measure_aside(plan, &x->type, &n);
    find_memory(b, s, &n);
    x->on_device = (struct bine_on_device){.device = NULL};
    x->copy_in.bytes = x->copy_in.ready = 0;
    if (b->in_memory != NULL || b->out_memory != NULL)
        find_on_device(b, s);
    n.apart = takes_apart(b);
    n.tables += n.apart ? bine_bind_place_tables(s) : 0;
    measure_packed(b, s, &n);
    find_direct(b, &n);
    bine_bind_maps(x, &b->call, &n);
    set_segment(x, reduces && !s->whole, segment);
    x->scratch_room = n.scratch;
    if (take_memory(b, &n, &memory) != 0) {
        if (x->board.node != NULL && !w->keeps_all && !w->tries_again) /* else no peer waits yet */
            bine_board_refuse(plan, x->board.node, x->board.rounds);
        return BINE_ERR_NO_MEM;
    }
    b->stale = 0;
    lay_out(b, &n, &memory);
    b->block = n.block;
    find_in_place(b);
    bine_bind_bases(b);
    if (x->board.node != NULL)
        bine_bind_direct(b);
    x->code = NULL;
    x->executor = &bine_by_steps;
    int written = s->boards ? bine_code_takes_boards(x) : n.total <= x->segment && n.roomy;
    if (plan->cache != NULL && written && x->tape == NULL && x->on_device.device == NULL &&
        !(bine_bind_is_pinned(b) && bine_bind_copies_in(b, &x->copy_in)))
        bine_code_make(x);
    b->fast_path = has_fast_path(b);
    return BINE_OK;
}

int bine_bind(struct bine_bound *b, const struct bine_plan *plan, const struct bine_call *call,
              struct bine_channel *channel, size_t segment, struct bine_workspace *w) {
    if (plan->schedule->exchanges_sizes)
        return bine_size_exchange_bind(b, plan, call, channel, segment, w);
    b->announcing = 0;
    return bine_bind_run(b, plan, call, channel, segment, w);
}
