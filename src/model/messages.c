#include "model/messages.h"

#include <stdlib.h>

/* One end of a message. */
struct end {
    int32_t from, to, time;
    uint32_t strand, op;
    int64_t bytes;
    uint32_t transfers;
};

struct ends {
    struct end *end;
    size_t count;
};

int64_t bine_op_bytes(const struct bine_schedule *s, const struct bine_op *op, int64_t bytes,
                      struct bine_longer_blocks *places) {
    struct bine_block_bytes cut = bine_block_bytes_for(bytes, s);
    int64_t sum = 0;
    for (uint32_t i = op->runs; i < op->runs + op->nruns; i++) {
        int64_t run = bine_bytes_of_run(&cut, s, &s->run[i], places);
        if (run < 0)
            return -1;
        sum += run;
    }
    return sum;
}

static int add_end(struct ends *list, const struct bine_schedule *s, uint32_t strand, int32_t time,
                   uint32_t op, int64_t bytes, struct bine_longer_blocks *places) {
    const struct bine_op *o = &s->op[op];
    int sends = bine_op_sends(o);
    int64_t sum = sends ? bine_op_bytes(s, o, bytes, places) : 0;
    if (sum < 0)
        return -1;
    list->end[list->count++] = (struct end){.from = sends ? s->rank : o->peer,
                                            .to = sends ? o->peer : s->rank,
                                            .time = time,
                                            .strand = strand,
                                            .op = op,
                                            .bytes = sum,
                                            .transfers = s->layout == BINE_PACK ? 1 : o->nruns};
    return 0;
}

/* The ends of one rank's schedule, sends and receives apart. */
static int add_schedule(struct ends list[BINE_ENDS], const struct bine_schedule *s, int64_t bytes,
                        struct bine_longer_blocks *places) {
    for (uint32_t x = 0; x < s->nstrands; x++)
        for (uint32_t i = 0; i < s->strand[x].nsteps; i++) {
            const struct bine_step *step = &s->step[s->strand[x].steps + i];
            for (uint32_t k = step->ops; k < step->ops + step->nops; k++) {
                const struct bine_op *op = &s->op[k];
                if (!bine_op_sends(op) && !bine_op_receives(op))
                    continue;
                if (add_end(&list[bine_op_sends(op) ? BINE_SENDER : BINE_RECEIVER], s, x,
                            step->time, k, bytes, places) != 0)
                    return -1;
            }
        }
    return 0;
}

/* Ends that belong together are at the same place of both lists when these are sorted. */
static int compare(const void *a, const void *b) {
    const struct end *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    if (x->strand != y->strand)
        return x->strand < y->strand ? -1 : 1;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

static int match(struct bine_messages *m, struct ends list[BINE_ENDS]) {
    const struct ends *out = &list[BINE_SENDER], *in = &list[BINE_RECEIVER];
    m->count = out->count;
    m->message = malloc((m->count + 1) * sizeof *m->message);
    if (m->message == NULL)
        return -1;
    qsort(out->end, out->count, sizeof *out->end, compare);
    qsort(in->end, in->count, sizeof *in->end, compare);
    for (size_t i = 0; i < m->count; i++) {
        const struct end *s = &out->end[i], *r = &in->end[i];
        m->message[i] = (struct bine_message){{s->from, s->to}, s->strand, s->bytes, s->transfers};
        m->of_op[s->from][s->op] = (uint32_t)i;
        m->of_op[r->to][r->op] = (uint32_t)i;
    }
    return 0;
}

double bine_op_rate(const struct bine_schedule *s, const struct bine_op *op,
                    const struct bine_rates *r) {
    switch ((enum bine_op_kind)op->kind) {
    case BINE_OP_SEND:
    case BINE_OP_RECV:
        return s->layout == BINE_PACK && op->nruns > 1 ? r->copy : 0;
    case BINE_OP_RECV_REDUCE:
    case BINE_OP_REDUCE:
    case BINE_OP_READ_REDUCE:
        return r->reduce;
    case BINE_OP_COPY:
    case BINE_OP_PERMUTE:
    case BINE_OP_PUBLISH:
    case BINE_OP_READ:
        return r->copy;
    case BINE_OP_EXPOSE:
    case BINE_OP_KINDS:
        break;
    }
    return 0;
}

static int build_all(struct bine_messages *m, const struct bine_request *rq, size_t *ops) {
    struct bine_request one = *rq;
    struct bine_trees trees = bine_request_plant(&one);
    int rc = 0;
    for (one.rank = 0; one.rank < rq->p && rc == 0; one.rank++) {
        struct bine_schedule *s = bine_schedule_build(&one);
        m->schedule[one.rank] = s;
        if (s != NULL)
            m->of_op[one.rank] = malloc((s->nops + 1) * sizeof **m->of_op);
        rc = s == NULL || m->of_op[one.rank] == NULL ? -1 : 0;
        *ops += s == NULL ? 0 : s->nops;
    }
    bine_trees_fell(&trees);
    return rc;
}

int bine_messages_collect(struct bine_messages *m, const struct bine_request *rq, int64_t bytes) {
    struct ends list[BINE_ENDS] = {{NULL, 0}, {NULL, 0}};
    struct bine_longer_blocks places = {0};
    size_t ops = 1;
    int rc = 0;
    *m = (struct bine_messages){.p = rq->p};
    m->schedule = calloc((size_t)rq->p, sizeof(struct bine_schedule *));
    m->of_op = calloc((size_t)rq->p, sizeof(uint32_t *));
    if (m->schedule == NULL || m->of_op == NULL || build_all(m, rq, &ops) != 0)
        rc = -1;
    for (int i = 0; i < BINE_ENDS && rc == 0; i++) {
        list[i].end = malloc(ops * sizeof *list[i].end);
        rc = list[i].end == NULL ? -1 : 0;
    }
    for (int r = 0; r < rq->p && rc == 0; r++)
        rc = add_schedule(list, m->schedule[r], bytes, &places);
    if (rc == 0)
        rc = match(m, list);
    for (int i = 0; i < BINE_ENDS; i++)
        free(list[i].end);
    bine_longer_blocks_free(&places);
    if (rc != 0)
        bine_messages_free(m);
    return rc;
}

void bine_messages_free(struct bine_messages *m) {
    for (int r = 0; r < m->p; r++) {
        if (m->schedule != NULL)
            bine_schedule_free(m->schedule[r]);
        if (m->of_op != NULL)
            free(m->of_op[r]);
    }
    free(m->schedule);
    free(m->of_op);
    free(m->message);
    *m = (struct bine_messages){0};
}
