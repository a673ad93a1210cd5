#include "engine/bind.h"

#include "engine/code.h"
#include "engine/stage.h"

#include <string.h>

/* The largest part of a message of bytes. MPI counts with int, and so do message parts. */
#define LARGEST_PART ((int64_t)1 << 30)
/* Scratch beyond the largest message, so that small ones from several peers can come at once. */
#define GENEROUS_SCRATCH ((size_t)1 << 20)

static size_t aligned(size_t n) {
    return (n + 63) & ~(size_t)63;
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* The memory that a call needs besides the caller's buffers, in bytes unless a comment says
 * otherwise. */
struct needs {
    size_t execution, tables, packed_in, packed_out, scratch, staging, board;
    int64_t tmp;          /* elements */
    int64_t piece, total; /* elements of the largest piece; of the whole vector */
    int64_t block;        /* elements of a rank's block, where all have the same; else of the whole
                             vector */
    size_t slot;          /* of tmp, where it is cut into slots that lie apart, */
    int slots;            /* and how many there are; or 1 */
    int roomy;            /* there is scratch for all messages of a step at once */
};

static int is_block_wise(enum bine_collective c) {
    return c == BINE_GATHER || c == BINE_SCATTER || c == BINE_ALLGATHER || c == BINE_ALLTOALL;
}

static void set_uniform(struct bine_execution *x, int64_t block) {
    for (int k = 0; k < BINE_SPACES; k++)
        x->map[k] = (struct bine_map){.block = block};
}

static void set_cut(struct bine_execution *x, int64_t total, int blocks) {
    for (int k = 0; k < BINE_SPACES; k++)
        x->map[k] = (struct bine_map){.block = total / blocks, .extra = total % blocks};
}

static int all_equal(const int *counts, int p) {
    for (int i = 1; i < p; i++)
        if (counts[i] != counts[0])
            return 0;
    return 1;
}

/* The elements of a piece where the blocks of ranks come in parts. */
static int64_t part_elements(const struct bine_schedule *s, int space, int place, const int *counts,
                             int64_t block) {
    int number = bine_schedule_block(s, space, place), q = number % s->parts;
    int64_t whole = counts != NULL ? counts[number / s->parts] : block;
    return whole / s->parts + (q < whole % s->parts);
}

static int64_t parts_elements(const struct bine_schedule *s, int space, const int *counts,
                              int64_t block) {
    int64_t n = 0;
    for (int k = 0; k < s->space[space].pieces; k++)
        n += part_elements(s, space, k, counts, block);
    return n;
}

/* In parts, every space has a table. */
static void set_parts(struct bine_execution *x, const int *counts, int64_t block, char *tables) {
    const struct bine_schedule *s = x->plan->schedule;
    int64_t *table = (int64_t *)(void *)tables;
    for (int space = 0; space < BINE_SPACES; space++) {
        int pieces = s->space[space].pieces;
        x->map[space] = (struct bine_map){.table = table};
        table[0] = 0;
        for (int k = 0; k < pieces; k++)
            table[k + 1] = table[k] + part_elements(s, space, k, counts, block);
        table += pieces + 1;
    }
}

static size_t parts_tables(const struct bine_schedule *s) {
    size_t entries = BINE_SPACES;
    for (int space = 0; space < BINE_SPACES; space++)
        entries += (size_t)s->space[space].pieces;
    return aligned(entries * sizeof(int64_t));
}

/* Offsets of the places of a space whose blocks have the given counts. */
static const int64_t *fill_table(const struct bine_schedule *s, int space, const int *counts,
                                 int64_t *table) {
    table[0] = 0;
    for (int k = 0; k < s->space[space].pieces; k++)
        table[k + 1] = table[k] + counts[bine_schedule_block(s, space, k)];
    return table;
}

/* Reduce-scatter with unequal counts: `in` and (unless it is slots of our own block's size) `tmp`
 * need tables. */
static void set_counts(struct bine_execution *x, const struct bine_call *call, char *tables) {
    const struct bine_schedule *s = x->plan->schedule;
    int64_t *table = (int64_t *)(void *)tables;
    set_uniform(x, call->recvcounts[s->rank]);
    x->map[BINE_IN].table = fill_table(s, BINE_IN, call->recvcounts, table);
    if (s->space[BINE_TMP].arrangement != BINE_SLOTS)
        x->map[BINE_TMP].table = fill_table(s, BINE_TMP, call->recvcounts, table + s->p + 1);
}

/* Scratch and staging hold several messages beside each other. */
static void measure_aside(const struct bine_plan *plan, const struct bine_type *t,
                          struct needs *n) {
    int64_t staged = least(n->piece * plan->max_send_staged, n->total * plan->max_messages);
    size_t one = bine_type_room(t, least(n->piece * plan->max_recv_staged, n->total));
    size_t all = one * plan->max_messages, must = one * (plan->max_held + 1);
    must = must < all ? must : all;
    n->scratch = all <= GENEROUS_SCRATCH ? all : must > GENEROUS_SCRATCH ? must : GENEROUS_SCRATCH;
    n->roomy = n->scratch == all;
    /* n elements take n - 1 extents and at most this. */
    size_t last = aligned((size_t)t->true_extent + 128);
    if (staged > 0)
        n->staging = bine_type_room(t, staged) + plan->max_messages * last;
}

static void measure(const struct bine_plan *plan, const struct bine_call *call, struct needs *n) {
    const struct bine_schedule *s = plan->schedule;
    memset(n, 0, sizeof *n);
    n->execution = aligned(bine_execution_bytes(plan));
    if (call->recvcounts != NULL) {
        for (int k = 0; k < s->p; k++) {
            n->total += call->recvcounts[k];
            n->piece = call->recvcounts[k] > n->piece ? call->recvcounts[k] : n->piece;
        }
        n->tables = aligned(2 * ((size_t)s->p + 1) * sizeof(int64_t));
    } else if (is_block_wise(call->collective) || call->collective == BINE_REDUCE_SCATTER) {
        n->block = call->collective == BINE_REDUCE_SCATTER ? call->recvcount : call->bytes / s->p;
        n->piece = (n->block + s->parts - 1) / s->parts;
        n->total = n->block * s->p;
    } else {
        n->total = call->collective == BINE_BCAST ? call->bytes : call->recvcount;
        n->piece = (n->total + s->blocks - 1) / s->blocks;
        n->block = n->total;
    }
}

/* The tmp space's size is known once its map is. Slots are all of one size. */
static int64_t tmp_elements(const struct bine_execution *x) {
    int pieces = x->plan->schedule->space[BINE_TMP].pieces;
    return pieces == 0 ? 0 : bine_map_offset(&x->map[BINE_TMP], pieces);
}

/* Into how many parts that lie apart tmp is cut. The slots of a reduction may have more elements
 * together than the caller's buffers; and where elements reach beyond the next one's address, only
 * so many can lie side by side. */
static int slots_apart(const struct bine_schedule *s) {
    const struct bine_space *tmp = &s->space[BINE_TMP];
    return bine_collective_reduces(s->collective) && tmp->arrangement == BINE_SLOTS &&
                   s->parts == 1 && tmp->pieces > 0
               ? tmp->pieces
               : 1;
}

/* The kind of memory that a buffer is in. The data of a type may begin far from the address that
 * the caller gives. */
static const struct bine_memory *memory_of(const void *buffer, const struct bine_type *t) {
    return bine_memory_at(bine_at(buffer, t->true_lb));
}

static void find_memory(struct bine_bound *b, const struct bine_schedule *s,
                        const struct needs *n) {
    const struct bine_call *call = &b->call;
    int scatter = call->collective == BINE_SCATTER, some = n->total > 0;
    b->uses_in = some && s->space[BINE_IN].pieces > 0 && !(call->in_place && !scatter);
    b->uses_out = some && s->space[BINE_OUT].pieces > 0 && !(call->in_place && scatter);
    b->in_memory = b->out_memory = NULL;
    if (bine_memory_is_host_only())
        return;
    b->in_memory = b->uses_in ? memory_of(call->sendbuf, &call->sendtype) : NULL;
    b->out_memory = b->uses_out ? memory_of(call->recvbuf, &call->recvtype) : NULL;
}

/* Reductions work on the caller's elements where they are, if they can: on a device they cannot;
 * nor at MPI_BOTTOM, which MPICH takes for no buffer when it reduces. There they work on copies. */
static void measure_copied(const struct bine_bound *b, struct needs *n) {
    const struct bine_call *call = &b->call;
    if (b->uses_in && (call->sendbuf == MPI_BOTTOM || b->in_memory != NULL || call->aliased))
        n->packed_in = bine_type_room(&call->recvtype, n->total);
    if (b->uses_out && (call->recvbuf == MPI_BOTTOM || b->out_memory != NULL))
        n->packed_out = bine_type_room(&call->recvtype, n->total);
}

/* Data moves as bytes. Data that is not dense, or that lies on a device, is packed at the beginning
 * and unpacked at the end. */
static void measure_packed(const struct bine_bound *b, const struct bine_schedule *s,
                           struct needs *n) {
    const struct bine_call *call = &b->call;
    int in = b->uses_in && (!call->sendtype.dense || b->in_memory != NULL || call->aliased);
    int out = b->uses_out && (!call->recvtype.dense || b->out_memory != NULL);
    size_t bytes = (size_t)n->block, parts = (size_t)s->parts;
    if (bine_collective_reduces(call->collective)) {
        measure_copied(b, n);
    } else if (call->collective == BINE_BCAST) {
        n->packed_in = in ? aligned((size_t)n->total) : 0;
        n->packed_out = out && !in ? aligned((size_t)n->total) : 0;
    } else {
        n->packed_in = in ? aligned(bytes * (size_t)s->space[BINE_IN].pieces / parts) : 0;
        n->packed_out = out ? aligned(bytes * (size_t)s->space[BINE_OUT].pieces / parts) : 0;
    }
}

/* The element of `out` under which `in` begins, in place. */
static int64_t in_place_offset(const struct bine_schedule *s, int64_t block) {
    return s->collective == BINE_ALLGATHER || s->collective == BINE_GATHER ? block * s->rank : 0;
}

/* Where publish, read and copy are all that touches the caller's elements, and only whole ones are
 * touched, they go to the board and come from there without being packed before. In place, `in` and
 * `out` are the same ones. */
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
static void find_direct(struct bine_bound *b, struct needs *n) {
    const struct bine_call *call = &b->call;
    struct bine_direct *direct = b->execution.board.direct;
    if (bine_collective_reduces(call->collective) || !is_direct(b))
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

static void set_direct(struct bine_bound *b) {
    const struct bine_call *call = &b->call;
    struct bine_board_use *board = &b->execution.board;
    char *in = (char *)(uintptr_t)call->sendbuf;
    if (call->in_place && call->collective != BINE_SCATTER)
        in = bine_at(call->recvbuf, call->recvcount * call->recvtype.extent *
                                        in_place_offset(b->execution.plan->schedule, 1));
    board->direct[BINE_IN].base = in;
    board->direct[BINE_OUT].base = call->recvbuf;
    for (int k = 0; k < BINE_SPACES; k++)
        board->origin[k] = b->execution.map[k].base;
}

static void set_bases(struct bine_bound *b) {
    const struct bine_call *call = &b->call;
    struct bine_execution *x = &b->execution;
    /* Addresses are not changed here, only carried: the cast away of const ends where MPI takes
     * over. */
    char *in = b->packed_in != NULL ? b->packed_in : (char *)(uintptr_t)call->sendbuf;
    char *out = b->packed_out != NULL ? b->packed_out : call->recvbuf;
    if (call->collective == BINE_BCAST && b->packed_in != NULL) /* the root may receive, too */
        out = in;
    if (call->in_place && call->collective != BINE_SCATTER)
        in = bine_at(out, in_place_offset(x->plan->schedule, b->block) * x->type.extent);
    x->map[BINE_IN].base = in;
    x->map[BINE_OUT].base = out;
    if (x->board.node != NULL)
        set_direct(b);
}

/* Where the schedule uses boards: rounds, and the memory for them. A vector's blocks are those of a
 * round. */
static int bind_boards(struct bine_bound *b, struct needs *n) {
    struct bine_execution *x = &b->execution;
    const struct bine_schedule *s = x->plan->schedule;
    x->board = (struct bine_board_use){.node = NULL};
    if (!s->boards)
        return MPI_SUCCESS;
    int vector = bine_cuts_a_vector(s->collective);
    int rc = bine_board_bind(x, b->channel->node, vector ? n->total : n->piece, b->call.recvcounts);
    if (rc != MPI_SUCCESS)
        return rc;
    n->board = bine_board_memory(x);
    if (vector)
        n->piece = (least(n->total, x->board.most) + s->blocks - 1) / s->blocks;
    return MPI_SUCCESS;
}

/* How the spaces are cut, as far as that is known before there is memory for tables. */
static void set_maps(struct bine_execution *x, const struct bine_call *call, struct needs *n) {
    const struct bine_schedule *s = x->plan->schedule;
    if (s->parts > 1) {
        n->tables = parts_tables(s);
        n->tmp = parts_elements(s, BINE_TMP, call->recvcounts, n->block);
    } else if (call->recvcounts != NULL) {
        set_uniform(x, 0);
        n->tmp = s->space[BINE_TMP].arrangement == BINE_SLOTS
                     ? (int64_t)call->recvcounts[s->rank] * s->p
                     : n->total;
    } else {
        if (is_block_wise(call->collective) || call->collective == BINE_REDUCE_SCATTER)
            set_uniform(x, n->piece);
        else
            set_cut(x, x->board.node != NULL ? least(n->total, x->board.most) : n->total,
                    s->blocks);
        n->tmp = tmp_elements(x);
    }
}

static void set_segment(struct bine_execution *x, int reduces, size_t segment) {
    int64_t part =
        reduces && x->type.size > 0 ? (int64_t)(segment / (size_t)x->type.size) : LARGEST_PART;
    x->segment = part < 1 ? 1 : least(part, LARGEST_PART);
}

/* The bytes that all this takes. */
static size_t add_up(const struct bine_execution *x, struct needs *n) {
    const struct bine_schedule *s = x->plan->schedule;
    n->slots = slots_apart(s);
    n->slot = bine_type_room(&x->type, n->tmp / n->slots);
    return n->execution + n->tables + n->packed_in + n->packed_out + n->slot * (size_t)n->slots +
           s->nstrands * (n->scratch + n->staging) + n->board;
}

/* Lay everything out in the workspace. */
static void lay_out(struct bine_bound *b, const struct needs *n, char *at) {
    struct bine_execution *x = &b->execution;
    const struct bine_schedule *s = x->plan->schedule;
    ptrdiff_t shift = bine_type_shift(&x->type, (MPI_Aint)n->total);
    bine_execution_place(x, at);
    at += n->execution;
    if (s->parts > 1)
        set_parts(x, b->call.recvcounts, n->block, at);
    else if (b->call.recvcounts != NULL)
        set_counts(x, &b->call, at);
    at += n->tables;
    b->packed_in = n->packed_in > 0 ? bine_at(at, shift) : NULL;
    at += n->packed_in;
    b->packed_out = n->packed_out > 0 ? bine_at(at, shift) : NULL;
    at += n->packed_out;
    x->map[BINE_TMP].base = bine_at(at, bine_type_shift(&x->type, n->tmp / n->slots));
    x->map[BINE_TMP].stride = n->slots > 1 ? (ptrdiff_t)n->slot : 0;
    at += n->slot * (size_t)n->slots;
    for (uint32_t k = 0; k < s->nstrands; k++) {
        x->strand[k].scratch = at;
        x->strand[k].send_staging = at + n->scratch;
        at += n->scratch + n->staging;
    }
    if (x->board.node != NULL)
        bine_board_place(x, at);
}

int bine_bind(struct bine_bound *b, const struct bine_plan *plan, const struct bine_call *call,
              struct bine_channel *channel, size_t segment, struct bine_workspace *w) {
    static const struct bine_type byte = {MPI_BYTE, 1, 1, 0, 1, 1};
    const struct bine_schedule *s = plan->schedule;
    struct bine_execution *x = &b->execution;
    struct needs n;
    int reduces = bine_collective_reduces(call->collective);
    b->call = *call;
    b->channel = channel;
    b->workspace = w;
    b->segment = segment;
    if (call->recvcounts != NULL && all_equal(call->recvcounts, s->p)) {
        b->call.recvcount = call->recvcounts[0];
        b->call.recvcounts = NULL;
    }
    x->plan = plan;
    x->comm = channel->comm;
    x->type = reduces ? call->recvtype : byte;
    x->op = call->op;
    measure(plan, &b->call, &n);
    int rc = bind_boards(b, &n);
    if (rc != MPI_SUCCESS)
        return rc;
    measure_aside(plan, &x->type, &n);
    find_memory(b, s, &n);
    measure_packed(b, s, &n);
    find_direct(b, &n);
    set_maps(x, &b->call, &n);
    set_segment(x, reduces, segment);
    x->scratch_room = n.scratch;
    char *memory = bine_workspace_take(w, add_up(x, &n));
    if (memory == NULL) {
        if (x->board.node != NULL)
            bine_board_refuse(plan, x->board.node, x->board.rounds);
        return MPI_ERR_NO_MEM;
    }
    b->stale = 0;
    lay_out(b, &n, memory);
    b->block = n.block;
    set_bases(b);
    x->code = NULL;
    if (plan->cache != NULL && n.total <= x->segment && n.roomy)
        bine_code_make(x);
    return MPI_SUCCESS;
}

static int is_memory_as_before(const struct bine_bound *b) {
    const struct bine_call *call = &b->call;
    if (bine_memory_is_host_only()) /* as it was when the call was bound */
        return 1;
    return (!b->uses_in || memory_of(call->sendbuf, &call->sendtype) == b->in_memory) &&
           (!b->uses_out || memory_of(call->recvbuf, &call->recvtype) == b->out_memory);
}

int bine_rebind(struct bine_bound *b, const void *sendbuf, void *recvbuf) {
    b->call.sendbuf = sendbuf;
    b->call.recvbuf = recvbuf;
    if (b->stale || !is_memory_as_before(b)) {
        struct bine_call call = b->call;
        return bine_bind(b, b->execution.plan, &call, b->channel, b->segment, b->workspace);
    }
    set_bases(b);
    return MPI_SUCCESS;
}

static int64_t elements(const struct bine_execution *x, int space) {
    if (x->board.node != NULL && x->board.vector) /* the maps are of a round */
        return x->board.total;
    return bine_map_offset(&x->map[space], x->plan->schedule->space[space].pieces);
}

/* A call in place whose data is packed: the data goes to where `in` lies in the packed `out`. */
static int pack_in_place(const struct bine_bound *b) {
    const struct bine_call *call = &b->call;
    const struct bine_execution *x = &b->execution;
    const struct bine_schedule *s = x->plan->schedule;
    const char *from = call->recvbuf;
    int64_t blocks = call->collective == BINE_ALLTOALL ? s->p : 1;
    from = bine_at(from, call->recvcount * call->recvtype.extent * in_place_offset(s, 1));
    return bine_stage_pack(b->out_memory, &call->recvtype, from,
                           (MPI_Aint)(call->recvcount * blocks), x->map[BINE_IN].base, x->comm);
}

static int copy_input(const struct bine_bound *b) {
    const struct bine_call *call = &b->call;
    const struct bine_execution *x = &b->execution;
    int here = call->in_place;
    return bine_stage_read(here ? b->out_memory : b->in_memory, &x->type,
                           here ? call->recvbuf : call->sendbuf,
                           here ? b->packed_out : b->packed_in, (MPI_Aint)elements(x, BINE_IN),
                           x->comm, x->plan->schedule->rank);
}

static int pack_input(const struct bine_bound *b) {
    const struct bine_call *call = &b->call;
    const struct bine_schedule *s = b->execution.plan->schedule;
    int64_t blocks = call->collective == BINE_BCAST ? 1 : s->space[BINE_IN].pieces / s->parts;
    if (call->in_place && call->collective != BINE_SCATTER)
        return pack_in_place(b);
    return bine_stage_pack(b->in_memory, &call->sendtype, call->sendbuf,
                           (MPI_Aint)(call->sendcount * blocks), b->packed_in, b->execution.comm);
}

/* What the program has begun on a device comes before the call. Copies wait for its default stream
 * by themselves. */
static int wait_for_stream(const struct bine_bound *b) {
    const struct bine_call *call = &b->call;
    void *stream = b->channel->stream;
    if (stream != NULL && b->in_memory != NULL)
        return b->in_memory->wait(bine_at(call->sendbuf, call->sendtype.true_lb), stream);
    if (stream != NULL && b->out_memory != NULL)
        return b->out_memory->wait(bine_at(call->recvbuf, call->recvtype.true_lb), stream);
    return MPI_SUCCESS;
}

static void start(struct bine_bound *b) {
    int rc = wait_for_stream(b);
    if (rc == MPI_SUCCESS && (b->packed_in != NULL || (b->packed_out != NULL && b->call.in_place)))
        rc = bine_collective_reduces(b->call.collective) ? copy_input(b) : pack_input(b);
    bine_execution_start(&b->execution, bine_channel_tag(b->channel), rc);
    if (b->execution.board.node != NULL)
        bine_board_begin(&b->execution);
}

static int write_output(const struct bine_bound *b) {
    const struct bine_call *call = &b->call;
    const struct bine_execution *x = &b->execution;
    const struct bine_schedule *s = x->plan->schedule;
    if (bine_collective_reduces(call->collective))
        return bine_stage_write(b->out_memory, &x->type, b->packed_out, call->recvbuf,
                                (MPI_Aint)elements(x, BINE_OUT), x->comm, s->rank);
    int64_t blocks = call->collective == BINE_BCAST ? 1 : s->space[BINE_OUT].pieces / s->parts;
    return bine_stage_unpack(b->out_memory, &call->recvtype, b->packed_out,
                             (MPI_Aint)(call->recvcount * blocks), call->recvbuf, x->comm);
}

static int finish(struct bine_bound *b, int rc) {
    const struct bine_execution *x = &b->execution;
    if (b->packed_out != NULL && rc == MPI_SUCCESS)
        rc = write_output(b);
    b->stale = x->given_up || b->workspace->borrowed != NULL;
    if (x->given_up)
        bine_workspace_leave(b->workspace, b->channel, x->request,
                             (int)(x->nstrands * x->slot_room));
    if (b->stale)
        bine_workspace_return(b->workspace);
    return rc;
}

int bine_bound_run(struct bine_bound *b) {
    int state, rc = b->stale ? bine_rebind(b, b->call.sendbuf, b->call.recvbuf) : MPI_SUCCESS;
    if (rc != MPI_SUCCESS)
        return rc;
    start(b);
    if (b->execution.code != NULL)
        bine_code_run(&b->execution);
    else
        bine_execution_progress(&b->execution, 1, &state);
    return finish(b, b->execution.rc);
}
