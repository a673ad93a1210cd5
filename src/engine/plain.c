/* The short way through a schedule: a blocking call with one strand, nothing in parts, and scratch
 * enough for every step. Small calls spend their time in the engine, not on the wire, so this way
 * keeps no books: each step posts its messages, waits for all of them and does its local work.
 *
 * The last message of a step need not be posted and waited for: once all others are under way, it
 * may block. That saves a request. */
#include "engine/run.h"

#include "engine/tags.h"

/* The message that will be posted when the next one is known, or done at once if it is the last. */
struct last {
    const struct bine_op *op;
    char *at;
    int64_t n;
};

static int post(struct bine_run_state *run, struct bine_strand_run *x, const struct last *m) {
    MPI_Request *request = &x->request[x->nslots++];
    *request = MPI_REQUEST_NULL;
    if (m->op->kind == BINE_OP_SEND)
        return PMPI_Isend(m->at, (int)m->n, run->type.handle, m->op->peer, BINE_TAG_STRAND,
                          run->comm, request);
    return PMPI_Irecv(m->at, (int)m->n, run->type.handle, m->op->peer, BINE_TAG_STRAND, run->comm,
                      request);
}

static int finish(struct bine_run_state *run, struct bine_strand_run *x, const struct last *m) {
    int rc;
    if (m->op->kind == BINE_OP_SEND)
        rc = PMPI_Send(m->at, (int)m->n, run->type.handle, m->op->peer, BINE_TAG_STRAND, run->comm);
    else
        rc = PMPI_Recv(m->at, (int)m->n, run->type.handle, m->op->peer, BINE_TAG_STRAND, run->comm,
                       MPI_STATUS_IGNORE);
    if (x->nslots == 0 || rc != MPI_SUCCESS)
        return rc;
    if (x->nslots == 1)
        return PMPI_Wait(x->request, MPI_STATUS_IGNORE);
    return PMPI_Waitall((int)x->nslots, x->request, MPI_STATUSES_IGNORE);
}

static int add_message(struct bine_run_state *run, struct bine_strand_run *x, struct last *m,
                       const struct bine_op *op, char *at, int64_t n) {
    int rc = m->op != NULL ? post(run, x, m) : MPI_SUCCESS;
    *m = (struct last){op, at, n};
    return rc;
}

/* One transfer for each run; what is received elsewhere lies there one after the other. */
static int add_runs(struct bine_run_state *run, struct bine_strand_run *x, struct last *m,
                    const struct bine_op *op, char *elsewhere) {
    const struct bine_run *r = &run->plan->schedule->run[op->runs];
    int rc = MPI_SUCCESS;
    for (uint32_t i = 0; i < op->nruns && rc == MPI_SUCCESS; i++) {
        int64_t n = bine_run_run_elements(run, &r[i]);
        if (n == 0)
            continue;
        rc = add_message(run, x, m, op,
                         elsewhere != NULL ? elsewhere : bine_run_address(run, &r[i], 0), n);
        if (elsewhere != NULL)
            elsewhere += n * run->type.extent;
    }
    return rc;
}

static char *take(char *room, int64_t *used, int64_t n, MPI_Aint extent) {
    char *at = room + *used * extent;
    *used += n;
    return at;
}

/* A message that is not simply sent from its place, or received there. */
static int open_staged(struct bine_run_state *run, struct bine_strand_run *x, struct last *m,
                       const struct bine_op *op, int packed) {
    int64_t n = bine_run_elements(run, op);
    if (n == 0)
        return MPI_SUCCESS;
    if (op->kind == BINE_OP_SEND) {
        char *staged = take(x->send_staging, &x->send_used, n, run->type.extent);
        int rc = bine_run_pack(run, op, staged);
        return rc == MPI_SUCCESS ? add_message(run, x, m, op, staged, n) : rc;
    }
    struct bine_lane *l = &x->lane[x->nlanes++];
    l->op = op;
    l->total = n;
    l->staged = take(x->scratch, &x->scratch_used, n, run->type.extent);
    return packed ? add_message(run, x, m, op, l->staged, n) : add_runs(run, x, m, op, l->staged);
}

static int open(struct bine_run_state *run, struct bine_strand_run *x, struct last *m,
                uint32_t index) {
    const struct bine_op *op = &run->plan->schedule->op[index];
    int packed = op->nruns > 1 && run->plan->schedule->layout == BINE_PACK;
    int reduces = op->kind == BINE_OP_RECV_REDUCE;
    int direct = reduces && (run->plan->flags[index] & BINE_OP_DIRECT);
    if (packed || (reduces && !direct))
        return open_staged(run, x, m, op, packed);
    if (direct) {
        struct bine_lane *l = &x->lane[x->nlanes++];
        l->op = op;
        l->total = bine_run_elements(run, op);
        l->staged = NULL;
    }
    return add_runs(run, x, m, op, NULL);
}

/* All messages are through. */
static int use_received(struct bine_run_state *run, const struct bine_lane *l) {
    if (l->op->kind == BINE_OP_RECV_REDUCE)
        return l->total == 0 ? MPI_SUCCESS : bine_run_reduce_all(run, l->op, l->staged, l->total);
    return bine_run_unpack(run, l->op, &(struct bine_slot){.count = l->total, .data = l->staged});
}

static int do_step(struct bine_run_state *run, struct bine_strand_run *x,
                   const struct bine_step *step) {
    const struct bine_op *op = run->plan->schedule->op;
    uint32_t end = step->ops + step->nops, local = 0;
    struct last m = {NULL, NULL, 0};
    int rc = MPI_SUCCESS;
    x->nslots = x->nlanes = 0;
    x->scratch_used = x->send_used = 0;
    for (uint32_t j = step->ops; j < end && rc == MPI_SUCCESS; j++) {
        if (bine_op_is_message(&op[j]))
            rc = open(run, x, &m, j);
        else
            local++;
    }
    if (rc == MPI_SUCCESS && m.op != NULL)
        rc = finish(run, x, &m);
    for (uint32_t i = 0; i < x->nlanes && rc == MPI_SUCCESS; i++)
        rc = use_received(run, &x->lane[i]);
    for (uint32_t j = step->ops; local > 0 && j < end && rc == MPI_SUCCESS; j++)
        if (!bine_op_is_message(&op[j]))
            rc = bine_run_local(run, &op[j]);
    return rc;
}

int bine_run_plain(struct bine_run_state *run) {
    const struct bine_schedule *s = run->plan->schedule;
    const struct bine_step *step = &s->step[s->strand->steps];
    struct bine_strand_run *x = run->strand;
    int rc = MPI_SUCCESS;
    for (; x->step < s->strand->nsteps && rc == MPI_SUCCESS; x->step++)
        rc = do_step(run, x, &step[x->step]);
    if (rc == MPI_SUCCESS)
        run->running = 0;
    return rc;
}
