/* The caller's data, where it cannot be used as it lies. */
#include "engine/bind/bind_parts.h"
#include "engine/bind/uneven.h"
#include "engine/memory/stage.h"

/* The block under which `in` begins, in place. */
static int own_block(const struct bine_schedule *s) {
    return s->collective == BINE_ALLGATHER || s->collective == BINE_GATHER ? s->rank : 0;
}

int64_t bine_in_place_offset(const struct bine_bound *b) {
    const struct bine_schedule *s = b->execution.plan->schedule;
    if (bine_call_is_uneven(&b->call))
        return bine_map_offset(&b->execution.map[BINE_OUT], own_block(s) * s->parts);
    return b->block * own_block(s);
}

/* All blocks of one of the sides. */
static struct bine_uneven_way way_of(const struct bine_bound *b, int receives) {
    const struct bine_call *call = &b->call;
    const struct bine_execution *x = &b->execution;
    return (struct bine_uneven_way){.blocks = receives ? &call->recv_blocks : &call->send_blocks,
                                    .type = receives ? &call->recvtype : &call->sendtype,
                                    .memory = receives ? b->out_memory : b->in_memory,
                                    .table = x->map[receives ? BINE_OUT : BINE_IN].table,
                                    .p = x->plan->schedule->p,
                                    .parts = x->plan->schedule->parts,
                                    .only = -1,
                                    .comm = x->comm,
                                    .announced = call->announced};
}

static int64_t elements(const struct bine_execution *x, int space) {
    if (x->board.node != NULL && x->board.vector) /* the maps are of a round */
        return x->board.total;
    return bine_map_offset(&x->map[space], x->plan->schedule->space[space].pieces);
}

/* The input, where it is one row of elements. */
struct input {
    const struct bine_memory *memory;
    const struct bine_type *type;
    const void *from;
    char *to;
    ptrdiff_t n;
};

/* A call in place whose data is packed: the data goes to where `in` lies in the packed `out`. */
static struct input input_in_place(const struct bine_bound *b) {
    const struct bine_call *call = &b->call;
    const struct bine_execution *x = &b->execution;
    const struct bine_schedule *s = x->plan->schedule;
    int64_t blocks = s->collective == BINE_ALLTOALL ? s->p : 1;
    const char *from =
        bine_at(call->recvbuf, call->recvcount * call->recvtype.extent * own_block(s));
    return (struct input){b->out_memory, &call->recvtype, from, x->map[BINE_IN].base,
                          (ptrdiff_t)(call->recvcount * blocks)};
}

static struct input input_of(const struct bine_bound *b) {
    const struct bine_call *call = &b->call;
    const struct bine_execution *x = &b->execution;
    const struct bine_schedule *s = x->plan->schedule;
    if (bine_collective_reduces(call->collective)) {
        ptrdiff_t n = (ptrdiff_t)elements(x, BINE_IN);
        return call->in_place
                   ? (struct input){b->out_memory, &x->type, call->recvbuf, b->packed_out, n}
                   : (struct input){b->in_memory, &x->type, call->sendbuf, b->packed_in, n};
    }
    if (call->in_place && s->collective != BINE_SCATTER)
        return input_in_place(b);
    int64_t blocks = s->collective == BINE_BCAST ? 1 : s->space[BINE_IN].pieces / s->parts;
    return (struct input){b->in_memory, &call->sendtype, call->sendbuf, b->packed_in,
                          (ptrdiff_t)(call->sendcount * blocks)};
}

/* Whether the input is blocks of sizes of their own; of which side. */
static int is_input_uneven(const struct bine_bound *b, int *receives) {
    const struct bine_call *call = &b->call;
    const struct bine_schedule *s = b->execution.plan->schedule;
    *receives = call->in_place && s->collective != BINE_SCATTER;
    return bine_call_is_uneven(call) && (*receives || bine_counts_given(&call->send_blocks.counts));
}

int bine_bind_copies_in(const struct bine_bound *b, struct bine_copy_in *x) {
    int receives;
    if (b->execution.board.node != NULL || is_input_uneven(b, &receives) ||
        !(b->call.in_place && b->packed_in == NULL ? b->pinned_out : b->pinned_in))
        return 0;
    struct input i = input_of(b);
    size_t bytes = (size_t)(i.n * i.type->size);
    if (i.memory == NULL || !i.type->dense || bytes <= BINE_COPY_IN_PIECE)
        return 0;
    *x = (struct bine_copy_in){.device = i.memory->device,
                               .context = i.memory->device->context(i.from),
                               .to = i.to,
                               .from = i.from,
                               .bytes = bytes};
    return x->context != NULL;
}

/* In place, every rank gives the block of its own, but in an alltoall. */
static int read_uneven(const struct bine_bound *b, int receives) {
    const struct bine_call *call = &b->call;
    const struct bine_execution *x = &b->execution;
    const struct bine_schedule *s = x->plan->schedule;
    struct bine_uneven_way w = way_of(b, receives);
    if (!receives)
        return bine_uneven_pack(&w, call->sendbuf, b->packed_in);
    w.only = s->collective == BINE_ALLTOALL ? -1 : s->rank;
    return bine_uneven_pack(&w, call->recvbuf, x->map[BINE_IN].base);
}

int bine_bind_write(const struct bine_bound *b) {
    const struct bine_call *call = &b->call;
    const struct bine_execution *x = &b->execution;
    const struct bine_schedule *s = x->plan->schedule;
    if (bine_collective_reduces(call->collective))
        return bine_stage_write(b->out_memory, &x->type, b->packed_out, call->recvbuf,
                                (ptrdiff_t)elements(x, BINE_OUT), x->comm, s->rank);
    if (bine_call_is_uneven(call) && bine_counts_given(&call->recv_blocks.counts)) {
        struct bine_uneven_way w = way_of(b, 1);
        return bine_uneven_unpack(&w, b->packed_out, call->recvbuf);
    }
    int64_t blocks = s->collective == BINE_BCAST ? 1 : s->space[BINE_OUT].pieces / s->parts;
    ptrdiff_t n = (ptrdiff_t)(call->recvcount * blocks);
    int truncated = 0;
    if (call->announced != NULL)
        n = bine_uneven_fits(&call->recvtype, n, call->announced[s->rank], &truncated);
    int rc =
        bine_stage_unpack(b->out_memory, &call->recvtype, b->packed_out, n, call->recvbuf, x->comm);
    return rc == BINE_OK && truncated ? BINE_ERR_TRUNCATE : rc;
}

int bine_bind_read(const struct bine_bound *b) {
    const struct bine_execution *x = &b->execution;
    int receives;
    if (is_input_uneven(b, &receives))
        return read_uneven(b, receives);
    struct input i = input_of(b);
    if (bine_collective_reduces(b->call.collective))
        return bine_stage_read(i.memory, i.type, i.from, i.to, i.n, x->comm,
                               x->plan->schedule->rank);
    return bine_stage_pack(i.memory, i.type, i.from, i.n, i.to, x->comm);
}
