/* Running calls that are bound: once more, with other buffers, to the end or left pending. */
#include "engine/bind/bind_parts.h"
#include "engine/bind/size_exchange.h"
#include "engine/code.h"

static int exchanges_sizes(const struct bine_bound *b) {
    return b->execution.plan->schedule->exchanges_sizes;
}

static int bind_again(struct bine_bound *b) {
    struct bine_call call = exchanges_sizes(b) ? b->wanted : b->call;
    return bine_bind(b, b->execution.plan, &call, b->channel, b->segment, b->workspace);
}

static int is_memory_as_before(const struct bine_bound *b) {
    const struct bine_call *call = &b->call;
    if (bine_memory_is_host_only()) /* as it was when the call was bound */
        return 1;
    return (!b->uses_in || bine_memory_of(call->sendbuf, &call->sendtype) == b->in_memory) &&
           (!b->uses_out || bine_memory_of(call->recvbuf, &call->recvtype) == b->out_memory);
}

static inline void rebind_fast(struct bine_bound *b, const void *sendbuf, void *recvbuf) {
    b->call.sendbuf = sendbuf;
    b->call.recvbuf = recvbuf;
    bine_bind_bases(b);
}

static int rebind(struct bine_bound *b, const void *sendbuf, void *recvbuf) {
    struct bine_call *call = exchanges_sizes(b) ? &b->wanted : &b->call;
    call->sendbuf = sendbuf;
    call->recvbuf = recvbuf;
    if (exchanges_sizes(b) || b->stale || !is_memory_as_before(b) ||
        bine_code_is_lost(&b->execution))
        return bind_again(b);
    bine_bind_bases(b);
    if (b->execution.board.node != NULL)
        bine_bind_direct(b);
    return BINE_OK;
}

int bine_rebind(struct bine_bound *b, const void *sendbuf, void *recvbuf) {
    if (!bine_bound_has_fast_path(b))
        return rebind(b, sendbuf, recvbuf);
    rebind_fast(b, sendbuf, recvbuf);
    return BINE_OK;
}

/* The program's work on a device comes before the call. */
static int wait_for_stream(const struct bine_bound *b) {
    const struct bine_call *call = &b->call;
    void *stream = b->channel->stream;
    if (b->in_memory != NULL)
        return b->in_memory->wait(bine_at(call->sendbuf, call->sendtype.true_lb), stream);
    if (b->out_memory != NULL)
        return b->out_memory->wait(bine_at(call->recvbuf, call->recvtype.true_lb), stream);
    return BINE_OK;
}

static int read_input(struct bine_bound *b) {
    struct bine_copy_in *x = &b->execution.copy_in;
    return b->execution.code == NULL && bine_bind_copies_in(b, x) ? bine_copy_in_begin(x)
                                                                  : bine_bind_read(b);
}

/* The caller's data, where it is not used as it lies. */
static int prepare(struct bine_bound *b) {
    uint64_t begin = bine_taped_now(&b->execution);
    int rc = wait_for_stream(b);
    if (rc == BINE_OK && (b->packed_in != NULL || (b->packed_out != NULL && b->call.in_place))) {
        rc = read_input(b);
        bine_taped_whole(&b->execution, begin);
    }
    return rc;
}

static inline void begin(struct bine_bound *b, int tag) {
    struct bine_execution *x = &b->execution;
    bine_execution_start(x, tag, b->fast_path ? BINE_OK : prepare(b));
    x->executor->start(x);
}

/* Bring the result to the caller, and give back what the run has used. */
static int clean_up(struct bine_bound *b) {
    struct bine_execution *x = &b->execution;
    int rc = x->rc, settled = bine_on_device_settle(&x->on_device),
        arrived = bine_copy_in_end(&x->copy_in);
    rc = rc != BINE_OK ? rc : settled != BINE_OK ? settled : arrived;
    uint64_t begin = bine_taped_now(x);
    if (b->packed_out != NULL && rc == BINE_OK) {
        rc = bine_bind_write(b);
        bine_taped_whole(x, begin);
    }
    if (b->announcing && rc == BINE_OK)
        bine_size_exchange_keep(b);
    b->stale = x->given_up || bine_workspace_borrows(b->workspace) ||
               (x->on_device.device != NULL && !b->workspace->keeps_all);
    if (x->given_up)
        bine_workspace_leave(b->workspace, &b->channel->left, x->request,
                             (int)(x->nstrands * x->slot_room));
    if (b->stale) {
        bine_workspace_return(b->workspace);
        b->fast_path = 0;
    }
    return rc;
}

static inline int tag_of(const struct bine_bound *b) {
    return b->tag > 0 ? b->tag : bine_channel_tag(b->channel);
}

/* The code, and the numbers and tags of this run of it: no executor. */
static inline int run_fast(struct bine_bound *b) {
    struct bine_execution *x = &b->execution;
    if (x->board.node == NULL) {
        bine_execution_start(x, bine_channel_tag(b->channel), BINE_OK);
        bine_code_run(x);
    } else {
        bine_execution_start(x, 0, BINE_OK); /* no messages */
        bine_board_begin(x);
        bine_code_run_boards(x);
    }
    return x->given_up ? clean_up(b) : x->rc;
}

int bine_bound_repeat(struct bine_bound *b, const void *sendbuf, void *recvbuf) {
    rebind_fast(b, sendbuf, recvbuf);
    return run_fast(b);
}

int bine_bound_run(struct bine_bound *b) {
    int done;
    if (b->fast_path)
        return run_fast(b);
    bine_taped_run(&b->execution);
    int rc = bine_bound_start(b);
    return rc == BINE_OK ? bine_bound_progress(b, 1, &done) : rc;
}

/* Whether it must be bound once more before it can be started. */
static int is_spent(const struct bine_bound *b) {
    return b->stale || (exchanges_sizes(b) && !b->announcing) || bine_code_is_lost(&b->execution);
}

int bine_bound_start(struct bine_bound *b) {
    int rc = is_spent(b) ? bind_again(b) : BINE_OK;
    if (rc == BINE_OK)
        begin(b, tag_of(b));
    return rc;
}

int bine_bound_restart(struct bine_bound *b, const void *sendbuf, void *recvbuf) {
    if (!bine_bound_has_fast_path(b)) {
        int rc = rebind(b, sendbuf, recvbuf);
        return rc == BINE_OK ? bine_bound_start(b) : rc;
    }
    struct bine_execution *x = &b->execution;
    rebind_fast(b, sendbuf, recvbuf);
    bine_execution_start(x, tag_of(b), BINE_OK);
    x->executor->start(x);
    return BINE_OK;
}

/* The sizes are known: run the schedule again, with the blocks, as one call. */
static int progress_second(struct bine_bound *b, int wait, int *done) {
    int tag = b->execution.tag, rc = bine_size_exchange_bind_blocks(b);
    if (rc != BINE_OK)
        return rc;
    begin(b, tag);
    return bine_bound_progress(b, wait, done);
}

int bine_bound_progress(struct bine_bound *b, int wait, int *done) {
    struct bine_execution *x = &b->execution;
    *done = x->executor->progress(x, wait);
    if (!*done)
        return BINE_OK;
    x->executor->finish(x);
    if (b->fast_path && !x->given_up) /* nothing to bring back */
        return x->rc;
    int rc = clean_up(b);
    return rc == BINE_OK && b->announcing ? progress_second(b, wait, done) : rc;
}
