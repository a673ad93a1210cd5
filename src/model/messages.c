#include "model/messages.h"
#include "schedule/copies.h"

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

static void add_end(struct ends *list, const struct bine_schedule *s, uint32_t strand, int32_t time,
                    uint32_t op, int64_t bytes) {
    const struct bine_op *o = &s->op[op];
    int sends = bine_op_sends(o);
    list->end[list->count++] = (struct end){.from = sends ? s->rank : o->peer,
                                            .to = sends ? o->peer : s->rank,
                                            .time = time,
                                            .strand = strand,
                                            .op = op,
                                            .bytes = bytes,
                                            .transfers = bine_op_transfers(s, o)};
}

/* The ends of one rank's schedule, sends and receives apart. */
static void add_schedule(struct ends list[BINE_ENDS], const struct bine_schedule *s,
                         const int64_t *op_bytes) {
    for (uint32_t x = 0; x < s->nstrands; x++)
        for (uint32_t i = 0; i < s->strand[x].nsteps; i++) {
            const struct bine_step *step = &s->step[s->strand[x].steps + i];
            for (uint32_t k = step->ops; k < step->ops + step->nops; k++) {
                const struct bine_op *op = &s->op[k];
                if (bine_op_sends(op) || bine_op_receives(op))
                    add_end(&list[bine_op_sends(op) ? BINE_SENDER : BINE_RECEIVER], s, x,
                            step->time, k, op_bytes[k]);
            }
        }
}

/* Matching ends are at equal places of both lists when these are sorted. */
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

enum bine_local_work bine_op_work(const struct bine_schedule *s, const struct bine_op *op) {
    switch ((enum bine_op_kind)op->kind) {
    case BINE_OP_SEND:
    case BINE_OP_RECV:
        return bine_op_is_packed(s, op) ? BINE_WORK_COPIES : BINE_NO_WORK;
    case BINE_OP_RECV_REDUCE:
    case BINE_OP_REDUCE:
    case BINE_OP_READ_REDUCE:
        return BINE_WORK_ADDS;
    case BINE_OP_COPY:
    case BINE_OP_PERMUTE:
    case BINE_OP_PUBLISH:
    case BINE_OP_READ:
        return BINE_WORK_COPIES;
    case BINE_OP_EXPOSE:
    case BINE_OP_KINDS:
        break;
    }
    return BINE_NO_WORK;
}

double bine_work_takes(enum bine_local_work work, const struct bine_rates *r, double bytes) {
    return work == BINE_WORK_COPIES ? bine_rates_copy_takes(r, bytes)
           : work == BINE_WORK_ADDS ? bytes / r->reduce
                                    : 0;
}

/* What is collected, and how. */
struct collecting {
    struct bine_messages *m;
    int64_t bytes;
    int lean;               /* runs are not kept */
    size_t most;            /* messages */
    size_t ends[BINE_ENDS]; /* so far */
    struct bine_longer_blocks places;
};

/* The bytes of one rank's operations; its ends are counted. */
static int measure(struct collecting *c, int rank) {
    const struct bine_schedule *s = c->m->schedule[rank];
    c->m->of_op[rank] = malloc((s->nops + 1) * sizeof **c->m->of_op);
    c->m->op_bytes[rank] = malloc((s->nops + 1) * sizeof **c->m->op_bytes);
    if (c->m->of_op[rank] == NULL || c->m->op_bytes[rank] == NULL)
        return -1;
    for (uint32_t k = 0; k < s->nops; k++) {
        c->m->op_bytes[rank][k] = bine_bytes_of_op(s, &s->op[k], c->bytes, &c->places);
        if (c->m->op_bytes[rank][k] < 0)
            return -1;
        c->ends[BINE_SENDER] += (size_t)bine_op_sends(&s->op[k]);
        c->ends[BINE_RECEIVER] += (size_t)bine_op_receives(&s->op[k]);
    }
    return c->ends[BINE_SENDER] > c->most;
}

static int build_all(struct collecting *c, const struct bine_spec *spec) {
    struct bine_spec one = *spec;
    struct bine_trees trees = bine_spec_plant(&one);
    int rc = 0;
    for (one.rank = 0; one.rank < spec->p && rc == 0; one.rank++) {
        struct bine_schedule *s = c->m->schedule[one.rank] = bine_schedule_build(&one);
        rc = s == NULL ? -1 : measure(c, one.rank);
        if (s != NULL && c->lean)
            bine_schedule_drop_runs(s);
    }
    bine_trees_fell(&trees);
    return rc;
}

static int collect(struct collecting *c, const struct bine_spec *spec) {
    struct bine_messages *m = c->m;
    struct ends list[BINE_ENDS] = {{NULL, 0}, {NULL, 0}};
    *m = (struct bine_messages){.p = spec->p};
    m->schedule = calloc((size_t)spec->p, sizeof(struct bine_schedule *));
    m->of_op = calloc((size_t)spec->p, sizeof(uint32_t *));
    m->op_bytes = calloc((size_t)spec->p, sizeof(int64_t *));
    int rc =
        m->schedule == NULL || m->of_op == NULL || m->op_bytes == NULL ? -1 : build_all(c, spec);
    for (int i = 0; i < BINE_ENDS && rc == 0; i++) {
        list[i].end = malloc((c->ends[i] + 1) * sizeof *list[i].end);
        rc = list[i].end == NULL ? -1 : 0;
    }
    for (int r = 0; r < spec->p && rc == 0; r++)
        add_schedule(list, m->schedule[r], m->op_bytes[r]);
    if (rc == 0)
        rc = match(m, list);
    for (int i = 0; i < BINE_ENDS; i++)
        free(list[i].end);
    bine_longer_blocks_free(&c->places);
    if (rc != 0)
        bine_messages_free(m);
    return rc;
}

int bine_messages_collect(struct bine_messages *m, const struct bine_spec *spec, int64_t bytes) {
    return collect(&(struct collecting){.m = m, .bytes = bytes, .most = SIZE_MAX}, spec);
}

int bine_messages_collect_lean(struct bine_messages *m, const struct bine_spec *spec, int64_t bytes,
                               size_t most) {
    return collect(&(struct collecting){.m = m, .bytes = bytes, .lean = 1, .most = most}, spec);
}

void bine_messages_free(struct bine_messages *m) {
    for (int r = 0; r < m->p; r++) {
        if (m->schedule != NULL)
            bine_schedule_free(m->schedule[r]);
        if (m->of_op != NULL)
            free(m->of_op[r]);
        if (m->op_bytes != NULL)
            free(m->op_bytes[r]);
    }
    free(m->schedule);
    free(m->of_op);
    free(m->op_bytes);
    free(m->message);
    *m = (struct bine_messages){0};
}
