/* Following the code. Small calls consist of this, so it is short. */
#include "engine/code.h"
#include "engine/local.h"

/* Whether an instruction leaves a request behind: `all` messages do in pending calls. */
static int posts(const struct bine_code *c, int all) {
    return c->kind == BINE_CODE_ISEND || c->kind == BINE_CODE_IRECV ||
           (all && (c->kind == BINE_CODE_SEND || c->kind == BINE_CODE_RECV));
}

/* MPI cannot wait for some of the messages of a step, which `c` waits for. */
static void give_up(struct bine_execution *x, const struct bine_code *c, int posted, int all) {
    bine_request_handle *request = x->strand->request;
    for (int i = posted - 1; i >= 0; c--)
        if (posts(c, all))
            bine_transport.withdraw(&request[i--],
                                    c->kind == BINE_CODE_ISEND || c->kind == BINE_CODE_SEND);
    x->strand->nslots = (uint32_t)posted;
    bine_execution_give_up(x);
}

static int is_all_over(const bine_request_handle *request, int n) {
    for (int i = 0; i < n; i++)
        if (request[i] != BINE_NO_REQUEST)
            return 0;
    return 1;
}

/* Waiting has failed. Returns whether all messages are over nevertheless. */
static int wait_on(struct bine_execution *x, const struct bine_code *c, int posted, int all,
                   int rc) {
    bine_execution_note(x, bine_transport.wait_rest(posted, x->strand->request, rc));
    if (is_all_over(x->strand->request, posted))
        return 1;
    give_up(x, c, posted, all);
    return 0;
}

/* Whether MPI has a copy of a message as soon as it is posted, so that to ask whether it is over
 * does not make MPI look for others. Every MPI library has one of so many bytes. */
static inline int is_short_send(const struct bine_execution *x, const struct bine_code *c) {
    enum { SHORT = 1024 };
    return c->kind == BINE_CODE_SEND && c->count * (int64_t)x->type.size <= SHORT;
}

/* Whether the messages that `c` waits for are complete; with `wait`, when they are. */
static inline int are_over(struct bine_execution *x, const struct bine_code *c, int posted,
                           int wait, int all) {
    bine_request_handle *request = x->strand->request;
    int over = 1, rc;
    if (wait)
        rc = posted == 1 ? bine_transport.wait(request) : bine_transport.wait_all(posted, request);
    else if (x->starting && !is_short_send(x, c))
        return 0;
    else
        rc = posted == 1 ? bine_transport.test(request, &over)
                         : bine_transport.test_all(posted, request, &over);
    return rc == BINE_OK ? over : wait_on(x, c, posted, all, rc);
}

/* Whether it is the only message of its step, and would block: in a pending call it is posted,
 * but nothing says that it is waited for. */
static inline int is_alone(const struct bine_code *c) {
    return (c->kind == BINE_CODE_SEND || c->kind == BINE_CODE_RECV) && c[1].kind != BINE_CODE_WAIT;
}

/* The messages are not over that `c` waits for. Returns whether they never will be. */
static int stop(struct bine_execution *x, const struct bine_code *c, int posted) {
    x->next_code = c + 1;
    x->posted = posted;
    return x->given_up;
}

/* Messages: posted, if there is a place for a request. */
static inline int send(const struct bine_execution *x, const struct bine_code *c, const char *from,
                       bine_request_handle *r) {
    if (r == NULL)
        return bine_transport.send(from, (int)c->count, x->type.handle, c->peer, x->tag, x->comm);
    *r = BINE_NO_REQUEST;
    return bine_transport.isend(from, (int)c->count, x->type.handle, c->peer, x->tag, x->comm, r);
}

static inline int receive(const struct bine_execution *x, const struct bine_code *c, char *to,
                          bine_request_handle *r) {
    if (r == NULL)
        return bine_transport.recv(to, (int)c->count, x->type.handle, c->peer, x->tag, x->comm);
    *r = BINE_NO_REQUEST;
    return bine_transport.irecv(to, (int)c->count, x->type.handle, c->peer, x->tag, x->comm, r);
}

/* From an instruction on to the end, waiting where they say so; or only as far as that goes without
 * waiting. Returns whether it is at its end. */
static inline __attribute__((always_inline)) int follow(struct bine_execution *x,
                                                        const struct bine_code *c, int wait) {
    char *base[BINE_BASES];
    bine_request_handle *request = x->strand->request;
    int posted = 0;
    bine_code_bases(x, x->strand, base);
    for (;; c++) {
        int rc = BINE_OK;
        char *to = bine_at(base[c->to], c->to_at); /* of a send, the data */
        switch ((enum bine_code_kind)c->kind) {
        case BINE_CODE_ISEND:
            rc = send(x, c, to, &request[posted++]);
            break;
        case BINE_CODE_IRECV:
            rc = receive(x, c, to, &request[posted++]);
            break;
        case BINE_CODE_SEND:
            rc = send(x, c, to, wait ? NULL : &request[posted++]);
            break;
        case BINE_CODE_RECV:
            rc = receive(x, c, to, wait ? NULL : &request[posted++]);
            break;
        case BINE_CODE_WAIT:
            if (!are_over(x, c, posted, wait, !wait))
                return stop(x, c, posted);
            posted = 0;
            continue;
        case BINE_CODE_COPY:
            rc = bine_code_copy(x, to, bine_at(base[c->from], c->from_at), c->count);
            break;
        case BINE_CODE_REDUCE:
            rc =
                bine_type_reduce(&x->type, x->op, bine_at(base[c->from], c->from_at), to, c->count);
            break;
        case BINE_CODE_PERMUTE:
            rc = bine_code_permute(x, &x->plan->schedule->op[c->count]);
            break;
        case BINE_CODE_END:
            return 1;
        }
        if (rc != BINE_OK)
            bine_execution_note(x, rc);
        if (wait || !is_alone(c))
            continue;
        if (!are_over(x, c, posted, 0, 1))
            return stop(x, c, posted);
        posted = 0;
    }
}

void bine_code_run(struct bine_execution *x) {
    follow(x, x->code, 1);
}

/* Pending messages first: without that, waiting for a nonblocking call would be as slow as for one
 * that never made progress. */
static int progress(struct bine_execution *x, int wait) {
    if (x->posted > 0 && !are_over(x, x->next_code - 1, x->posted, wait, 1))
        return x->given_up;
    x->posted = 0;
    return wait ? follow(x, x->next_code, 1) : follow(x, x->next_code, 0);
}

static void start(struct bine_execution *x) {
    bine_code_retain(x);
}

static void finish(struct bine_execution *x) {
    bine_code_release(x);
}

const struct bine_executor bine_by_code = {start, progress, finish};
