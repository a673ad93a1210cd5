#include "simulate/script.h"
#include "base/numbers.h"
#include "schedule/alone.h"
#include "schedule/copies.h"
#include "schedule/walk/messages.h"

#include <stdlib.h>

/* Adds what an operation does on boards to the list. */
static void add_board(struct bine_script *x, const struct bine_op *op, uint32_t publication,
                      int64_t bytes) {
    if (publication != BINE_NO_MAIL) /* schedules are proved: every read has one */
        x->board[x->boards++] =
            (struct bine_script_board){.number = publication,
                                       .reads = (uint8_t)bine_op_reads(op),
                                       .exposes = op->kind == BINE_OP_EXPOSE,
                                       .reduces = op->kind == BINE_OP_READ_REDUCE,
                                       .bytes = bytes};
}

static int reduces(const struct bine_op *op) {
    return op->kind == BINE_OP_RECV_REDUCE || op->kind == BINE_OP_REDUCE;
}

/* Whether an operation's work is done when its message is posted or has come, and not when all
 * messages of its step have. */
static int is_early(const struct bine_schedule *s, const struct bine_step *step,
                    const struct bine_op *op) {
    return op->kind == BINE_OP_SEND || op->kind == BINE_OP_RECV ||
           (op->kind == BINE_OP_RECV_REDUCE && bine_op_is_alone(s, step, op));
}

/* Of a message, each transfer by itself: those of no bytes are none, unless that is what a barrier
 * waits for. */
static void write_posts(struct bine_script *x, const struct bine_schedule *s,
                        const struct bine_op *op, uint32_t first, uint32_t transfers, int early) {
    uint32_t lane = (uint32_t)x->posts;
    for (uint32_t i = first; i < first + transfers; i++)
        if (x->message[i].bytes > 0 || s->collective == BINE_BARRIER)
            x->post[x->posts++] = (struct bine_script_post){
                .message = i,
                .lane = lane,
                .receives = (uint8_t)bine_op_receives(op),
                .reduces = (uint8_t)(early && reduces(op)),
                .copies = (uint8_t)(early && bine_op_is_packed(s, op)),
            };
}

static void write_step(struct bine_script *x, const struct bine_messages *m, int rank,
                       const struct bine_step *step, const uint32_t *first) {
    const struct bine_schedule *s = m->schedule[rank];
    struct bine_script_step *to = &x->step[x->steps++];
    *to = (struct bine_script_step){
        .time = step->time, .first = (uint32_t)x->posts, .board = (uint32_t)x->boards};
    for (uint32_t k = step->ops; k < step->ops + step->nops; k++) {
        const struct bine_op *op = &s->op[k];
        uint32_t mail = m->of_op[rank][k];
        int message = bine_kind_is_message(op->kind), board = bine_kind_is_board(op->kind);
        int early = message && is_early(s, step, op);
        int copies =
            op->kind == BINE_OP_COPY || op->kind == BINE_OP_PERMUTE || bine_op_is_packed(s, op);
        double bytes = early ? 0 : (double)m->op_bytes[rank][k];
        to->reduced += reduces(op) ? bytes : 0;
        to->copied += copies ? bytes : 0;
        to->copies += copies && bytes > 0;
        if (message)
            write_posts(x, s, op, first[mail], m->message[mail].transfers, early);
        if (board)
            add_board(x, op, mail, m->op_bytes[rank][k]);
    }
    to->count = (uint32_t)x->posts - to->first;
    to->boards = (uint32_t)x->boards - to->board;
}

static int write_rank(struct bine_script *x, const struct bine_messages *m, int rank,
                      const uint32_t *first, int64_t bytes, struct bine_longer_blocks *places) {
    const struct bine_schedule *s = m->schedule[rank];
    int64_t copied = bine_schedule_copied(s, bytes, places);
    x->copied = bine_max(copied, x->copied);
    for (uint32_t i = 0; i < s->nstrands; i++) {
        const struct bine_strand *strand = &s->strand[i];
        x->runner[x->runners++] = (struct bine_script_runner){.rank = rank,
                                                              .strand = i,
                                                              .first = (uint32_t)x->steps,
                                                              .count = strand->nsteps,
                                                              .staggered = i > 0 && s->staggered};
        for (uint32_t k = 0; k < strand->nsteps; k++)
            write_step(x, m, rank, &s->step[strand->steps + k], first);
    }
    return copied < 0 ? -1 : 0;
}

/* Room for everything; and where the transfers of each message begin. */
static int make_room(struct bine_script *x, const struct bine_messages *m, uint32_t **first) {
    size_t strands = 1, steps = 1, boards = 1, transfers = 0;
    *first = malloc((m->count + 1) * sizeof **first);
    for (size_t i = 0; i < m->count && *first != NULL; i++) {
        (*first)[i] = (uint32_t)transfers;
        transfers += m->message[i].transfers;
    }
    for (int r = 0; r < m->p; r++) {
        strands += m->schedule[r]->nstrands;
        steps += m->schedule[r]->nsteps;
        for (uint32_t k = 0; k < m->schedule[r]->nops; k++)
            boards += (size_t)bine_kind_is_board(m->schedule[r]->op[k].kind);
    }
    x->messages = transfers;
    x->runner = malloc(strands * sizeof *x->runner);
    x->step = malloc(steps * sizeof *x->step);
    x->post = malloc((2 * transfers + 1) * sizeof *x->post);
    x->message = malloc((transfers + 1) * sizeof *x->message);
    x->board = malloc(boards * sizeof *x->board);
    x->readers = malloc((m->publications + 1) * sizeof *x->readers);
    if (*first == NULL || x->runner == NULL || x->step == NULL || x->post == NULL ||
        x->message == NULL || x->board == NULL || x->readers == NULL)
        return -1;
    x->publications = m->publications;
    for (size_t i = 0; i < m->publications; i++)
        x->readers[i] = m->publication[i].readers;
    return 0;
}

/* The transfers of a message. */
static int write_transfers(struct bine_script *x, const struct bine_messages *m,
                           const struct bine_message *g, uint32_t first, int64_t bytes,
                           struct bine_longer_blocks *places) {
    const struct bine_schedule *s = m->schedule[g->rank[BINE_SENDER]];
    const struct bine_op *op = &s->op[g->op[BINE_SENDER]];
    struct bine_block_bytes cut = bine_block_bytes_for(bytes, s);
    for (uint32_t i = 0; i < g->transfers; i++) {
        int64_t n = g->transfers == 1 ? g->bytes
                                      : bine_bytes_of_run(&cut, s, &s->run[op->runs + i], places);
        if (n < 0)
            return -1;
        x->message[first + i] = (struct bine_script_message){g->rank[BINE_SENDER],
                                                             g->rank[BINE_RECEIVER], g->strand, n};
    }
    return 0;
}

int bine_script_write(struct bine_script *x, const struct bine_spec *spec, int64_t bytes) {
    struct bine_messages m;
    struct bine_longer_blocks places = {0};
    *x = (struct bine_script){.ranks = spec->p, .part = INT64_MAX, .window = BINE_PARTS_PENDING};
    if (bine_messages_collect(&m, spec, bytes) != 0)
        return -1;
    x->whole = m.schedule[0]->whole;
    uint32_t *first = NULL;
    int rc = make_room(x, &m, &first);
    for (size_t i = 0; i < m.count && rc == 0; i++)
        rc = write_transfers(x, &m, &m.message[i], first[i], bytes, &places);
    for (int r = 0; r < m.p && rc == 0; r++)
        rc = write_rank(x, &m, r, first, bytes, &places);
    free(first);
    bine_longer_blocks_free(&places);
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
    free(x->board);
    free(x->readers);
    *x = (struct bine_script){0};
}
