#include "engine/call.h"

#include "engine/code.h"

#include <stdlib.h>
#include <string.h>

/* MPI counts with int, and so do message parts: the largest part of a message of bytes. */
#define LARGEST_PART ((int64_t)1 << 30)
/* Scratch beyond the largest message, so that small ones from several peers can come at once. */
#define GENEROUS_SCRATCH ((size_t)1 << 20)

void bine_workspace_free(struct bine_workspace *w) {
    free(w->memory);
    w->memory = NULL;
    w->size = 0;
}

static int workspace_need(struct bine_workspace *w, size_t size) {
    if (size <= w->size)
        return MPI_SUCCESS;
    char *bigger = malloc(size);
    if (bigger == NULL)
        return MPI_ERR_NO_MEM;
    free(w->memory);
    w->memory = bigger;
    w->size = size;
    return MPI_SUCCESS;
}

static size_t aligned(size_t n) {
    return (n + 63) & ~(size_t)63;
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* What a call needs besides the caller's buffers, in bytes unless said otherwise. */
struct needs {
    size_t run, tables, packed_in, packed_out, scratch, staging, board;
    int64_t tmp;          /* elements */
    int64_t piece, total; /* elements of the largest piece; of the whole vector */
    int64_t block;        /* elements of a rank's block, where all have the same; else of the whole
                             vector */
    int roomy;            /* there is scratch for all messages of a step at once */
    int code;             /* the run can be written out */
};

static int is_block_wise(enum bine_collective c) {
    return c == BINE_GATHER || c == BINE_SCATTER || c == BINE_ALLGATHER || c == BINE_ALLTOALL;
}

static void set_uniform(struct bine_run_state *run, int64_t block) {
    for (int k = 0; k < BINE_SPACES; k++)
        run->map[k] = (struct bine_map){.block = block};
}

static void set_cut(struct bine_run_state *run, int64_t total, int blocks) {
    for (int k = 0; k < BINE_SPACES; k++)
        run->map[k] = (struct bine_map){.block = total / blocks, .extra = total % blocks};
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
static void set_parts(struct bine_run_state *run, const int *counts, int64_t block, char *tables) {
    const struct bine_schedule *s = run->plan->schedule;
    int64_t *table = (int64_t *)(void *)tables;
    for (int space = 0; space < BINE_SPACES; space++) {
        int pieces = s->space[space].pieces;
        run->map[space] = (struct bine_map){.table = table};
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
static void set_counts(struct bine_run_state *run, const struct bine_call *call, char *tables) {
    const struct bine_schedule *s = run->plan->schedule;
    int64_t *table = (int64_t *)(void *)tables;
    set_uniform(run, call->recvcounts[s->rank]);
    run->map[BINE_IN].table = fill_table(s, BINE_IN, call->recvcounts, table);
    if (s->space[BINE_TMP].arrangement != BINE_SLOTS)
        run->map[BINE_TMP].table = fill_table(s, BINE_TMP, call->recvcounts, table + s->p + 1);
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
    n->run = aligned(bine_run_bytes(plan));
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
static int64_t tmp_elements(const struct bine_run_state *run) {
    int pieces = run->plan->schedule->space[BINE_TMP].pieces;
    return pieces == 0 ? 0 : bine_map_offset(&run->map[BINE_TMP], pieces);
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

/* Reductions work on the caller's elements where they are; but not at MPI_BOTTOM, which MPICH takes
 * for no buffer when it reduces: there they work on copies. */
static void measure_copied(const struct bine_call *call, const struct bine_schedule *s,
                           struct needs *n) {
    if (n->total == 0)
        return;
    if (s->space[BINE_IN].pieces > 0 && !call->in_place && call->sendbuf == MPI_BOTTOM)
        n->packed_in = bine_type_room(&call->recvtype, n->total);
    if (s->space[BINE_OUT].pieces > 0 && call->recvbuf == MPI_BOTTOM)
        n->packed_out = bine_type_room(&call->recvtype, n->total);
}

/* Data moves as bytes: what is not dense is packed first, and unpacked at the end. */
static void measure_packed(const struct bine_call *call, const struct bine_schedule *s,
                           struct needs *n) {
    if (bine_collective_reduces(call->collective)) {
        measure_copied(call, s, n);
        return;
    }
    size_t bytes = (size_t)n->block, parts = (size_t)s->parts;
    if (s->space[BINE_IN].pieces > 0 && !call->sendtype.dense &&
        !(call->in_place && call->collective != BINE_SCATTER))
        n->packed_in = aligned(bytes * (size_t)s->space[BINE_IN].pieces / parts);
    if (s->space[BINE_OUT].pieces > 0 && !call->recvtype.dense &&
        !(call->in_place && call->collective == BINE_SCATTER))
        n->packed_out = aligned(bytes * (size_t)s->space[BINE_OUT].pieces / parts);
    if (call->collective == BINE_BCAST) {
        if (n->packed_in > 0)
            n->packed_out = 0;
        n->packed_in = n->packed_in > 0 ? aligned((size_t)n->total) : 0;
        n->packed_out = n->packed_out > 0 ? aligned((size_t)n->total) : 0;
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
    const struct bine_run_state *run = &b->run;
    const struct bine_plan *plan = run->plan;
    const struct bine_schedule *s = plan->schedule;
    return s->boards && plan->as_it_lies[BINE_IN] && plan->as_it_lies[BINE_OUT] &&
           run->board.rounds == 1 && s->parts == 1 &&
           (s->blocks == 1 || !bine_cuts_a_vector(s->collective));
}

static int takes_directly(const struct bine_schedule *s, int space, const struct bine_type *t) {
    return s->space[space].pieces > 0 && !t->dense && t->size > 0;
}

/* Instead of packed copies. */
static void find_direct(struct bine_bound *b, struct needs *n) {
    const struct bine_call *call = &b->call;
    const struct bine_schedule *s = b->run.plan->schedule;
    struct bine_direct *direct = b->run.board.direct;
    if (bine_collective_reduces(call->collective) || !is_direct(b))
        return;
    if (takes_directly(s, BINE_IN, &call->sendtype)) {
        direct[BINE_IN].type = &call->sendtype;
        n->packed_in = 0;
    }
    if (takes_directly(s, BINE_OUT, &call->recvtype)) {
        direct[BINE_OUT].type = &call->recvtype;
        n->packed_out = 0;
    }
    b->run.board.local |= direct[BINE_IN].type != NULL || direct[BINE_OUT].type != NULL;
}

static void set_direct(struct bine_bound *b) {
    const struct bine_call *call = &b->call;
    struct bine_board_run *x = &b->run.board;
    char *in = (char *)(uintptr_t)call->sendbuf;
    if (call->in_place && call->collective != BINE_SCATTER)
        in = bine_at(call->recvbuf, call->recvcount * call->recvtype.extent *
                                        in_place_offset(b->run.plan->schedule, 1));
    x->direct[BINE_IN].base = in;
    x->direct[BINE_OUT].base = call->recvbuf;
    for (int k = 0; k < BINE_SPACES; k++)
        x->origin[k] = b->run.map[k].base;
}

static void set_bases(struct bine_bound *b) {
    const struct bine_call *call = &b->call;
    struct bine_run_state *run = &b->run;
    /* Addresses are not changed here, only carried: the cast away of const ends where MPI takes
     * over. */
    char *in = b->packed_in != NULL ? b->packed_in : (char *)(uintptr_t)call->sendbuf;
    char *out = b->packed_out != NULL ? b->packed_out : call->recvbuf;
    if (call->collective == BINE_BCAST && b->packed_in != NULL) /* the root may receive, too */
        out = in;
    if (call->in_place && call->collective != BINE_SCATTER)
        in = bine_at(out, in_place_offset(run->plan->schedule, b->block) * run->type.extent);
    run->map[BINE_IN].base = in;
    run->map[BINE_OUT].base = out;
    if (run->board.node != NULL)
        set_direct(b);
}

/* Where the schedule uses boards: rounds, and the memory for them. A vector's blocks are those of a
 * round. */
static int bind_boards(struct bine_bound *b, struct bine_node *node, struct needs *n) {
    struct bine_run_state *run = &b->run;
    const struct bine_schedule *s = run->plan->schedule;
    run->board = (struct bine_board_run){.node = NULL};
    if (!s->boards)
        return MPI_SUCCESS;
    int vector = bine_cuts_a_vector(s->collective);
    int rc = bine_board_bind(run, node, vector ? n->total : n->piece, b->call.recvcounts);
    if (rc != MPI_SUCCESS)
        return rc;
    n->board = bine_board_memory(run);
    if (vector)
        n->piece = (least(n->total, run->board.most) + s->blocks - 1) / s->blocks;
    return MPI_SUCCESS;
}

int bine_bind(struct bine_bound *b, const struct bine_plan *plan, const struct bine_call *call,
              MPI_Comm comm, struct bine_node *node, size_t segment, struct bine_workspace *w) {
    static const struct bine_type byte = {MPI_BYTE, 1, 1, 0, 1, 1};
    const struct bine_schedule *s = plan->schedule;
    struct bine_run_state *run = &b->run;
    struct needs n;
    int reduces = bine_collective_reduces(call->collective);
    b->call = *call;
    if (call->recvcounts != NULL && all_equal(call->recvcounts, s->p)) {
        b->call.recvcount = call->recvcounts[0];
        b->call.recvcounts = NULL;
    }
    call = &b->call;
    run->plan = plan;
    run->comm = comm;
    run->type = reduces ? call->recvtype : byte;
    run->op = call->op;
    measure(plan, call, &n);
    int rc = bind_boards(b, node, &n);
    if (rc != MPI_SUCCESS)
        return rc;
    measure_aside(plan, &run->type, &n);
    measure_packed(call, s, &n);
    find_direct(b, &n);
    if (s->parts > 1) {
        n.tables = parts_tables(s);
        n.tmp = parts_elements(s, BINE_TMP, call->recvcounts, n.block);
    } else if (call->recvcounts != NULL) {
        set_uniform(run, 0); /* the tables come below, when there is memory for them */
        n.tmp = s->space[BINE_TMP].arrangement == BINE_SLOTS
                    ? (int64_t)call->recvcounts[s->rank] * s->p
                    : n.total;
    } else {
        if (is_block_wise(call->collective) || call->collective == BINE_REDUCE_SCATTER)
            set_uniform(run, n.piece);
        else
            set_cut(run, least(n.total, run->board.node != NULL ? run->board.most : n.total),
                    s->blocks);
        n.tmp = tmp_elements(run);
    }
    int64_t part =
        reduces && run->type.size > 0 ? (int64_t)(segment / (size_t)run->type.size) : LARGEST_PART;
    run->segment = part < 1 ? 1 : least(part, LARGEST_PART);
    run->scratch_room = n.scratch;
    if (n.total <= run->segment && n.roomy)
        n.code = plan->cache != NULL;

    uint32_t strands = s->nstrands;
    int slots = slots_apart(s);
    size_t slot = bine_type_room(&run->type, n.tmp / slots);
    size_t size = n.run + n.tables + n.packed_in + n.packed_out + slot * (size_t)slots +
                  strands * (n.scratch + n.staging) + n.board;
    rc = workspace_need(w, size);
    if (rc != MPI_SUCCESS) {
        if (node != NULL && s->boards)
            bine_board_refuse(plan, node, run->board.rounds);
        return rc;
    }
    char *at = w->memory;
    bine_run_place(run, at);
    at += n.run;
    if (s->parts > 1)
        set_parts(run, call->recvcounts, n.block, at);
    else if (call->recvcounts != NULL)
        set_counts(run, call, at);
    at += n.tables;
    ptrdiff_t shift = bine_type_shift(&run->type, (MPI_Aint)n.total);
    b->packed_in = n.packed_in > 0 ? bine_at(at, shift) : NULL;
    at += n.packed_in;
    b->packed_out = n.packed_out > 0 ? bine_at(at, shift) : NULL;
    at += n.packed_out;
    run->map[BINE_TMP].base = bine_at(at, bine_type_shift(&run->type, n.tmp / slots));
    run->map[BINE_TMP].stride = slots > 1 ? (ptrdiff_t)slot : 0;
    at += slot * (size_t)slots;
    for (uint32_t k = 0; k < strands; k++) {
        run->strand[k].scratch = at;
        run->strand[k].send_staging = at + n.scratch;
        at += n.scratch + n.staging;
    }
    if (run->board.node != NULL)
        bine_board_place(run, at);
    b->block = n.block;
    set_bases(b);
    run->code = NULL;
    if (n.code)
        bine_code_make(run);
    return MPI_SUCCESS;
}

void bine_rebind(struct bine_bound *b, const void *sendbuf, void *recvbuf) {
    b->call.sendbuf = sendbuf;
    b->call.recvbuf = recvbuf;
    set_bases(b);
}

static int64_t elements(const struct bine_run_state *run, int space) {
    if (run->board.node != NULL && run->board.vector) /* the maps are of a round */
        return run->board.total;
    return bine_map_offset(&run->map[space], run->plan->schedule->space[space].pieces);
}

/* In place and not dense: the caller's data goes to where `in` lies in the packed `out`. */
static int pack_in_place(const struct bine_bound *b) {
    const struct bine_call *call = &b->call;
    const struct bine_run_state *run = &b->run;
    const struct bine_schedule *s = run->plan->schedule;
    const char *from = call->recvbuf;
    int64_t blocks = call->collective == BINE_ALLTOALL ? s->p : 1;
    from = bine_at(from, call->recvcount * call->recvtype.extent * in_place_offset(s, 1));
    return bine_type_pack(&call->recvtype, from, (MPI_Aint)(call->recvcount * blocks),
                          run->map[BINE_IN].base, run->comm);
}

static int copy_input(const struct bine_bound *b) {
    const struct bine_call *call = &b->call;
    const struct bine_run_state *run = &b->run;
    return bine_type_copy(&run->type, call->in_place ? call->recvbuf : call->sendbuf,
                          call->in_place ? b->packed_out : b->packed_in,
                          (MPI_Aint)elements(run, BINE_IN), run->comm, run->plan->schedule->rank);
}

static int pack_input(const struct bine_bound *b) {
    const struct bine_call *call = &b->call;
    const struct bine_schedule *s = b->run.plan->schedule;
    int64_t blocks = call->collective == BINE_BCAST ? 1 : s->space[BINE_IN].pieces / s->parts;
    if (call->in_place && call->collective != BINE_SCATTER)
        return pack_in_place(b);
    return bine_type_pack(&call->sendtype, call->sendbuf, (MPI_Aint)(call->sendcount * blocks),
                          b->packed_in, b->run.comm);
}

int bine_bound_start(struct bine_bound *b) {
    int rc = MPI_SUCCESS;
    if (b->packed_in != NULL || (b->packed_out != NULL && b->call.in_place))
        rc = bine_collective_reduces(b->call.collective) ? copy_input(b) : pack_input(b);
    bine_run_start(&b->run);
    return rc;
}

int bine_bound_finish(struct bine_bound *b) {
    const struct bine_call *call = &b->call;
    const struct bine_run_state *run = &b->run;
    const struct bine_schedule *s = run->plan->schedule;
    if (b->packed_out == NULL)
        return MPI_SUCCESS;
    if (bine_collective_reduces(call->collective))
        return bine_type_copy(&run->type, b->packed_out, call->recvbuf,
                              (MPI_Aint)elements(run, BINE_OUT), run->comm, s->rank);
    int64_t blocks = call->collective == BINE_BCAST ? 1 : s->space[BINE_OUT].pieces / s->parts;
    return bine_type_unpack(&call->recvtype, b->packed_out, (MPI_Aint)(call->recvcount * blocks),
                            call->recvbuf, run->comm);
}
