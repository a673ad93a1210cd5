/* Following the code. This is what a small call consists of, so it is written to be short. */
#include "engine/code.h"

/* Whether an instruction leaves a request behind: `all` messages do in calls under way. */
static int posts(const struct bine_code *c, int all) {
    return c->kind == BINE_CODE_ISEND || c->kind == BINE_CODE_IRECV ||
           (all && (c->kind == BINE_CODE_SEND || c->kind == BINE_CODE_RECV));
}

/* MPI cannot wait for some of the messages of a step, which `c` waits for. */
static void give_up(struct bine_execution *x, const struct bine_code *c, int posted, int all) {
    MPI_Request *request = x->strand->request;
    for (int i = posted - 1; i >= 0; c--)
        if (posts(c, all))
            bine_withdraw(&request[i--], c->kind == BINE_CODE_ISEND || c->kind == BINE_CODE_SEND);
    x->strand->nslots = (uint32_t)posted;
    bine_execution_give_up(x);
}

static int is_all_over(const MPI_Request *request, int n) {
    for (int i = 0; i < n; i++)
        if (request[i] != MPI_REQUEST_NULL)
            return 0;
    return 1;
}

/* Waiting has failed. Returns whether all messages are over nevertheless. */
static int wait_on(struct bine_execution *x, const struct bine_code *c, int posted, int all,
                   int rc) {
    bine_execution_note(x, bine_wait_rest(x->strand->request, posted, rc));
    if (is_all_over(x->strand->request, posted))
        return 1;
    give_up(x, c, posted, all);
    return 0;
}

/* From an instruction on to the end, waiting where they say so. */
static void follow(struct bine_execution *x, const struct bine_code *c) {
    char *base[BINE_BASES];
    MPI_Request *request = x->strand->request;
    MPI_Datatype type = x->type.handle;
    MPI_Comm comm = x->comm;
    int rc = MPI_SUCCESS, posted = 0, tag = x->tag;
    bine_code_bases(x, x->strand, base);
    for (;; c++) {
        char *to = bine_at(base[c->to], c->to_at); /* of a send, what is sent */
        switch ((enum bine_code_kind)c->kind) {
        case BINE_CODE_ISEND:
            request[posted] = MPI_REQUEST_NULL;
            rc = PMPI_Isend(to, (int)c->count, type, c->peer, tag, comm, &request[posted++]);
            break;
        case BINE_CODE_IRECV:
            request[posted] = MPI_REQUEST_NULL;
            rc = PMPI_Irecv(to, (int)c->count, type, c->peer, tag, comm, &request[posted++]);
            break;
        case BINE_CODE_SEND:
            rc = PMPI_Send(to, (int)c->count, type, c->peer, tag, comm);
            break;
        case BINE_CODE_RECV:
            rc = PMPI_Recv(to, (int)c->count, type, c->peer, tag, comm, MPI_STATUS_IGNORE);
            break;
        case BINE_CODE_WAIT:
            rc = posted == 1 ? PMPI_Wait(request, MPI_STATUS_IGNORE)
                             : PMPI_Waitall(posted, request, MPI_STATUSES_IGNORE);
            if (rc != MPI_SUCCESS && !wait_on(x, c, posted, 0, rc))
                return;
            posted = 0;
            continue;
        case BINE_CODE_COPY:
            rc = bine_code_copy(x, to, bine_at(base[c->from], c->from_at), c->count);
            break;
        case BINE_CODE_REDUCE:
            rc = PMPI_Reduce_local(bine_at(base[c->from], c->from_at), to, (int)c->count, type,
                                   x->op);
            break;
        case BINE_CODE_PERMUTE:
            rc = bine_code_permute(x, &x->plan->schedule->op[c->count]);
            break;
        case BINE_CODE_END:
            return;
        }
        if (rc != MPI_SUCCESS)
            bine_execution_note(x, rc);
    }
}

void bine_code_run(struct bine_execution *x) {
    follow(x, x->code);
}

/* --- Calls that may be left under way */

void bine_code_begin(struct bine_execution *x) {
    atomic_fetch_add(&x->plan->cache->held, 1);
    x->next_code = x->code;
    x->posted = x->waits = 0;
}

void bine_code_end(struct bine_execution *x) {
    atomic_fetch_sub(&x->plan->cache->held, 1);
}

static void post(struct bine_execution *x, const struct bine_code *c, char *to, char *from) {
    MPI_Request *r = &x->strand->request[x->posted];
    *r = MPI_REQUEST_NULL;
    int sends = c->kind == BINE_CODE_ISEND || c->kind == BINE_CODE_SEND;
    int rc = sends ? PMPI_Isend(from, (int)c->count, x->type.handle, c->peer, x->tag, x->comm, r)
                   : PMPI_Irecv(to, (int)c->count, x->type.handle, c->peer, x->tag, x->comm, r);
    x->posted++;
    x->waits = c->kind == BINE_CODE_SEND || c->kind == BINE_CODE_RECV;
    if (rc != MPI_SUCCESS)
        bine_execution_note(x, rc);
}

/* Whether the messages that are waited for are over. */
static int is_through(struct bine_execution *x, int wait) {
    MPI_Request *request = x->strand->request;
    int over = 1, rc;
    if (wait)
        rc = x->posted == 1 ? PMPI_Wait(request, MPI_STATUS_IGNORE)
                            : PMPI_Waitall(x->posted, request, MPI_STATUSES_IGNORE);
    else
        rc = PMPI_Testall(x->posted, request, &over, MPI_STATUSES_IGNORE);
    if (rc != MPI_SUCCESS)
        over = wait_on(x, x->next_code - 1, x->posted, 1, rc);
    if (over)
        x->posted = x->waits = 0;
    return over;
}

/* What is under way first; then it is as good as a call that was never left. */
static void go_to_end(struct bine_execution *x) {
    if (x->waits && !is_through(x, 1))
        return;
    if (x->next_code->kind == BINE_CODE_WAIT) /* for what is over */
        x->next_code++;
    follow(x, x->next_code);
}

int bine_code_progress(struct bine_execution *x, int wait) {
    char *base[BINE_BASES];
    int rc = MPI_SUCCESS;
    if (wait) {
        go_to_end(x);
        return 1;
    }
    bine_code_bases(x, x->strand, base);
    for (;;) {
        if (x->waits && !is_through(x, 0))
            return x->given_up;
        const struct bine_code *c = x->next_code++;
        char *to = bine_at(base[c->to], c->to_at), *from = bine_at(base[c->from], c->from_at);
        switch ((enum bine_code_kind)c->kind) {
        case BINE_CODE_ISEND:
        case BINE_CODE_IRECV:
        case BINE_CODE_SEND:
        case BINE_CODE_RECV:
            post(x, c, to, from);
            break;
        case BINE_CODE_WAIT:
            x->waits = x->posted > 0;
            break;
        case BINE_CODE_COPY:
            rc = bine_code_copy(x, to, from, c->count);
            break;
        case BINE_CODE_REDUCE:
            rc = PMPI_Reduce_local(from, to, (int)c->count, x->type.handle, x->op);
            break;
        case BINE_CODE_PERMUTE:
            rc = bine_code_permute(x, &x->plan->schedule->op[c->count]);
            break;
        case BINE_CODE_END:
            return 1;
        }
        bine_execution_note(x, rc);
    }
}
