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

void bine_code_run(struct bine_execution *x) {
    char *base[BINE_BASES];
    MPI_Request *request = x->strand->request;
    MPI_Datatype type = x->type.handle;
    int posted = 0;
    bine_code_bases(x, x->strand, base);
    for (const struct bine_code *c = x->code; c->kind != BINE_CODE_END; c++) {
        char *to = bine_at(base[c->to], c->to_at), *from = bine_at(base[c->from], c->from_at);
        int rc = MPI_SUCCESS;
        switch ((enum bine_code_kind)c->kind) {
        case BINE_CODE_ISEND:
            request[posted] = MPI_REQUEST_NULL;
            rc =
                PMPI_Isend(from, (int)c->count, type, c->peer, x->tag, x->comm, &request[posted++]);
            break;
        case BINE_CODE_IRECV:
            request[posted] = MPI_REQUEST_NULL;
            rc = PMPI_Irecv(to, (int)c->count, type, c->peer, x->tag, x->comm, &request[posted++]);
            break;
        case BINE_CODE_SEND:
            rc = PMPI_Send(from, (int)c->count, type, c->peer, x->tag, x->comm);
            break;
        case BINE_CODE_RECV:
            rc = PMPI_Recv(to, (int)c->count, type, c->peer, x->tag, x->comm, MPI_STATUS_IGNORE);
            break;
        case BINE_CODE_WAIT:
            rc = bine_wait_all(request, posted);
            if (rc != MPI_SUCCESS && !is_all_over(request, posted)) {
                bine_execution_note(x, rc);
                give_up(x, c, posted);
                return;
            }
            posted = 0;
            break;
        default:
            rc = bine_code_do(x, base, c);
        }
        bine_execution_note(x, rc);
    }
    x->running = 0;
}
