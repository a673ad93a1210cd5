/* Following the code. This is what a small call consists of, so it is written to be short. */
#include "engine/code.h"

/* MPI cannot wait for some of the messages of a step, which `c` waits for. */
static void give_up(struct bine_execution *x, const struct bine_code *c, int posted) {
    MPI_Request *request = x->strand->request;
    for (int i = posted - 1; i >= 0; c--)
        if (c->kind == BINE_CODE_ISEND || c->kind == BINE_CODE_IRECV)
            bine_withdraw(&request[i--], c->kind == BINE_CODE_ISEND);
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
static int wait_on(struct bine_execution *x, const struct bine_code *c, int posted, int rc) {
    bine_execution_note(x, bine_wait_rest(x->strand->request, posted, rc));
    if (is_all_over(x->strand->request, posted))
        return 1;
    give_up(x, c, posted);
    return 0;
}

void bine_code_run(struct bine_execution *x) {
    char *base[BINE_BASES];
    MPI_Request *request = x->strand->request;
    MPI_Datatype type = x->type.handle;
    MPI_Comm comm = x->comm;
    int rc = MPI_SUCCESS, posted = 0, tag = x->tag;
    bine_code_bases(x, x->strand, base);
    for (const struct bine_code *c = x->code;; c++) {
        char *to = bine_at(base[c->to], c->to_at), *from = bine_at(base[c->from], c->from_at);
        switch ((enum bine_code_kind)c->kind) {
        case BINE_CODE_ISEND:
            request[posted] = MPI_REQUEST_NULL;
            rc = PMPI_Isend(from, (int)c->count, type, c->peer, tag, comm, &request[posted++]);
            break;
        case BINE_CODE_IRECV:
            request[posted] = MPI_REQUEST_NULL;
            rc = PMPI_Irecv(to, (int)c->count, type, c->peer, tag, comm, &request[posted++]);
            break;
        case BINE_CODE_SEND:
            rc = PMPI_Send(from, (int)c->count, type, c->peer, tag, comm);
            break;
        case BINE_CODE_RECV:
            rc = PMPI_Recv(to, (int)c->count, type, c->peer, tag, comm, MPI_STATUS_IGNORE);
            break;
        case BINE_CODE_WAIT:
            rc = posted == 1 ? PMPI_Wait(request, MPI_STATUS_IGNORE)
                             : PMPI_Waitall(posted, request, MPI_STATUSES_IGNORE);
            if (rc != MPI_SUCCESS && !wait_on(x, c, posted, rc))
                return;
            posted = 0;
            continue;
        case BINE_CODE_COPY:
            rc = bine_code_copy(x, to, from, c->count);
            break;
        case BINE_CODE_REDUCE:
            rc = PMPI_Reduce_local(from, to, (int)c->count, type, x->op);
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
