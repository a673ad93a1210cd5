/* Following the code. This is what a small call consists of, so it is written to be short. */
#include "engine/code.h"

#include "engine/channel.h"

#include <string.h>

static int copy(const struct bine_run_state *run, char *to, const char *from, int64_t n) {
    const struct bine_type *t = &run->type;
    if (!t->dense)
        return bine_type_copy(t, from, to, (MPI_Aint)n, run->comm, run->plan->schedule->rank);
    memmove(to, from, (size_t)(n * t->size));
    return MPI_SUCCESS;
}

static int wait_for(MPI_Request *request, int n) {
    return n == 1 ? PMPI_Wait(request, MPI_STATUS_IGNORE)
                  : PMPI_Waitall(n, request, MPI_STATUSES_IGNORE);
}

int bine_code_run(struct bine_run_state *run) {
    char *const base[BINE_BASES] = {run->map[BINE_IN].base, run->map[BINE_OUT].base,
                                    run->map[BINE_TMP].base, run->strand->scratch,
                                    run->strand->send_staging};
    MPI_Request *request = run->strand->request;
    MPI_Datatype type = run->type.handle;
    int rc = MPI_SUCCESS, posted = 0;
    for (const struct bine_code *c = run->code; rc == MPI_SUCCESS; c++) {
        char *to = bine_at(base[c->to], c->to_at), *from = bine_at(base[c->from], c->from_at);
        switch ((enum bine_code_kind)c->kind) {
        case BINE_CODE_ISEND:
            request[posted] = MPI_REQUEST_NULL;
            rc = PMPI_Isend(from, (int)c->count, type, c->peer, BINE_TAG_FIRST, run->comm,
                            &request[posted++]);
            break;
        case BINE_CODE_IRECV:
            request[posted] = MPI_REQUEST_NULL;
            rc = PMPI_Irecv(to, (int)c->count, type, c->peer, BINE_TAG_FIRST, run->comm,
                            &request[posted++]);
            break;
        case BINE_CODE_SEND:
            rc = PMPI_Send(from, (int)c->count, type, c->peer, BINE_TAG_FIRST, run->comm);
            break;
        case BINE_CODE_RECV:
            rc = PMPI_Recv(to, (int)c->count, type, c->peer, BINE_TAG_FIRST, run->comm,
                           MPI_STATUS_IGNORE);
            break;
        case BINE_CODE_WAIT:
            rc = wait_for(request, posted);
            posted = rc == MPI_SUCCESS ? 0 : posted;
            break;
        case BINE_CODE_COPY:
            rc = copy(run, to, from, c->count);
            break;
        case BINE_CODE_REDUCE:
            rc = PMPI_Reduce_local(from, to, (int)c->count, type, run->op);
            break;
        case BINE_CODE_LOCAL:
            rc = bine_run_local(run, &run->plan->schedule->op[c->count]);
            break;
        case BINE_CODE_END:
            run->running = 0;
            return MPI_SUCCESS;
        }
    }
    run->strand->nslots = (uint32_t)posted;
    return rc;
}
