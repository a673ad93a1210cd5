#include "simulate/script.h"
#include "model/messages.h"

#include <stdlib.h>

/* What is known of an operation's local work. */
struct work {
    double reduced, copied;
};

static int is_message(const struct bine_op *op) {
    return bine_op_sends(op) || bine_op_receives(op);
}

/* The bytes of a step's local work; -1 when out of memory. */
static int add_work(struct work *w, const struct bine_schedule *s, const struct bine_op *op,
                    int64_t bytes, struct bine_cut_places *places) {
    int reduces = op->kind == BINE_OP_RECV_REDUCE || op->kind == BINE_OP_REDUCE;
    int copies = op->kind == BINE_OP_COPY || op->kind == BINE_OP_PERMUTE ||
                 (is_message(op) && !reduces && s->layout == BINE_PACK && op->nruns > 1);
    int64_t n = reduces || copies ? bine_op_bytes(s, op, bytes, places) : 0;
    w->reduced += reduces ? (double)n : 0;
    w->copied += copies ? (double)n : 0;
    return n < 0 ? -1 : 0;
}

static int write_step(struct bine_script *x, const struct bine_messages *m, int rank,
                      const struct bine_step *step, int64_t bytes, struct bine_cut_places *places) {
    const struct bine_schedule *s = m->schedule[rank];
    struct bine_script_step *to = &x->step[x->steps++];
    struct work w = {0, 0};
    *to = (struct bine_script_step){.time = step->time, .first = (uint32_t)x->posts};
    for (uint32_t k = step->ops; k < step->ops + step->nops; k++) {
        const struct bine_op *op = &s->op[k];
        if (add_work(&w, s, op, bytes, places) != 0)
            return -1;
        if (!is_message(op) || m->message[m->of_op[rank][k]].bytes == 0)
            continue;
        x->post[x->posts++] =
            (struct bine_script_post){m->of_op[rank][k], (uint32_t)bine_op_receives(op)};
    }
    to->count = (uint32_t)x->posts - to->first;
    to->reduced = w.reduced;
    to->copied = w.copied;
    return 0;
}

static int write_rank(struct bine_script *x, const struct bine_messages *m, int rank, int64_t bytes,
                      struct bine_cut_places *places) {
    const struct bine_schedule *s = m->schedule[rank];
    int rc = 0;
    for (uint32_t i = 0; i < s->nstrands && rc == 0; i++) {
        const struct bine_strand *strand = &s->strand[i];
        x->runner[x->runners++] = (struct bine_script_runner){.rank = rank,
                                                              .strand = i,
                                                              .first = (uint32_t)x->steps,
                                                              .count = strand->nsteps,
                                                              .staggered = i > 0 && s->staggered};
        for (uint32_t k = 0; k < strand->nsteps && rc == 0; k++)
            rc = write_step(x, m, rank, &s->step[strand->steps + k], bytes, places);
    }
    return rc;
}

static int make_room(struct bine_script *x, const struct bine_messages *m) {
    size_t strands = 1, steps = 1, ops = 1;
    for (int r = 0; r < m->p; r++) {
        strands += m->schedule[r]->nstrands;
        steps += m->schedule[r]->nsteps;
        ops += m->schedule[r]->nops;
    }
    x->runner = malloc(strands * sizeof *x->runner);
    x->step = malloc(steps * sizeof *x->step);
    x->post = malloc(ops * sizeof *x->post);
    x->message = malloc((m->count + 1) * sizeof *x->message);
    return x->runner == NULL || x->step == NULL || x->post == NULL || x->message == NULL ? -1 : 0;
}

static void write_messages(struct bine_script *x, const struct bine_messages *m) {
    x->messages = m->count;
    for (size_t i = 0; i < m->count; i++) {
        const struct bine_message *g = &m->message[i];
        x->message[i] = (struct bine_script_message){
            .from = g->rank[BINE_SENDER],
            .to = g->rank[BINE_RECEIVER],
            .strand = g->strand,
            .transfers = g->transfers,
            .bytes = g->bytes,
        };
    }
}

int bine_script_write(struct bine_script *x, const struct bine_request *rq, int64_t bytes) {
    struct bine_messages m;
    struct bine_cut_places places = {0};
    *x = (struct bine_script){.ranks = rq->p};
    if (bine_messages_collect(&m, rq, bytes) != 0)
        return -1;
    int rc = make_room(x, &m);
    if (rc == 0)
        write_messages(x, &m);
    for (int r = 0; r < m.p && rc == 0; r++)
        rc = write_rank(x, &m, r, bytes, &places);
    bine_cut_places_free(&places);
    bine_messages_free(&m);
    if (rc != 0)
        bine_script_free(x);
    return rc;
}

void bine_script_free(struct bine_script *x) {
    free(x->runner);
    free(x->step);
    free(x->post);
    free(x->message);
    *x = (struct bine_script){0};
}
