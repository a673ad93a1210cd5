#include "simulate/script.h"
#include "model/messages.h"
#include "schedule/alone.h"
#include "schedule/copies.h"

#include <stdlib.h>

/* --- Boards */

/* Who publishes it, and when. A rank publishes once at a time of a strand. */
struct bine_script_publication {
    int32_t rank, time;
    uint32_t strand;
};

static int compare_publications(const void *a, const void *b) {
    const struct bine_script_publication *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->strand != y->strand)
        return x->strand < y->strand ? -1 : 1;
    return x->time < y->time ? -1 : x->time > y->time;
}

static int publishes(const struct bine_op *op) {
    return op->kind == BINE_OP_PUBLISH || op->kind == BINE_OP_EXPOSE;
}

/* The publications of a rank, in the order of `compare_publications`: the times of a strand ascend.
 */
static void list_rank(struct bine_script *x, const struct bine_schedule *s) {
    for (uint32_t i = 0; i < s->nstrands; i++)
        for (uint32_t k = 0; k < s->strand[i].nsteps; k++) {
            const struct bine_step *step = &s->step[s->strand[i].steps + k];
            for (uint32_t j = step->ops; j < step->ops + step->nops; j++)
                if (publishes(&s->op[j]))
                    x->publication[x->publications++] =
                        (struct bine_script_publication){s->rank, step->time, i};
        }
}

/* Numbers the publications of all ranks, and makes room. */
static int make_boards(struct bine_script *x, const struct bine_messages *m) {
    size_t boards = 1, publications = 1;
    for (int r = 0; r < m->p; r++)
        for (uint32_t k = 0; k < m->schedule[r]->nops; k++) {
            boards += (size_t)bine_kind_is_board(m->schedule[r]->op[k].kind);
            publications += (size_t)publishes(&m->schedule[r]->op[k]);
        }
    x->board = malloc(boards * sizeof *x->board);
    x->readers = calloc(publications, sizeof *x->readers);
    x->publication = malloc(publications * sizeof *x->publication);
    if (x->board == NULL || x->readers == NULL || x->publication == NULL)
        return -1;
    for (int r = 0; r < m->p; r++)
        list_rank(x, m->schedule[r]);
    return 0;
}

/* What an operation does on boards, at the end of the list. */
static void add_board(struct bine_script *x, const struct bine_op *op, int rank, uint32_t strand,
                      int32_t time, int64_t bytes) {
    int reads = !publishes(op);
    struct bine_script_publication key = {reads ? op->peer : rank, time, strand};
    const struct bine_script_publication *found =
        bsearch(&key, x->publication, x->publications, sizeof key, compare_publications);
    if (found == NULL) /* nothing is read that nobody publishes: schedules are proved */
        return;
    uint32_t number = (uint32_t)(found - x->publication);
    x->readers[number] += (uint32_t)reads;
    x->board[x->boards++] = (struct bine_script_board){.number = number,
                                                       .reads = (uint8_t)reads,
                                                       .exposes = op->kind == BINE_OP_EXPOSE,
                                                       .reduces = op->kind == BINE_OP_READ_REDUCE,
                                                       .bytes = bytes};
}

static void free_boards(struct bine_script *x) {
    free(x->board);
    free(x->readers);
    free(x->publication);
}

/* --- Messages */

static int is_message(const struct bine_op *op) {
    return bine_op_sends(op) || bine_op_receives(op);
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

static int write_step(struct bine_script *x, const struct bine_messages *m, int rank,
                      uint32_t strand, const struct bine_step *step, const uint32_t *first,
                      int64_t bytes, struct bine_longer_blocks *places) {
    const struct bine_schedule *s = m->schedule[rank];
    struct bine_script_step *to = &x->step[x->steps++];
    *to = (struct bine_script_step){
        .time = step->time, .first = (uint32_t)x->posts, .board = (uint32_t)x->boards};
    for (uint32_t k = step->ops; k < step->ops + step->nops; k++) {
        const struct bine_op *op = &s->op[k];
        int early = is_message(op) && is_early(s, step, op), board = bine_kind_is_board(op->kind);
        int copies =
            op->kind == BINE_OP_COPY || op->kind == BINE_OP_PERMUTE || bine_op_is_packed(s, op);
        int64_t n = board || (!early && (reduces(op) || copies))
                        ? bine_bytes_of_op(s, op, bytes, places)
                        : 0;
        if (n < 0)
            return -1;
        to->reduced += reduces(op) ? (double)n : 0;
        to->copied += copies ? (double)n : 0;
        if (is_message(op))
            write_posts(x, s, op, first[m->of_op[rank][k]], m->message[m->of_op[rank][k]].transfers,
                        early);
        if (board)
            add_board(x, op, rank, strand, step->time, n);
    }
    to->count = (uint32_t)x->posts - to->first;
    to->boards = (uint32_t)x->boards - to->board;
    return 0;
}

static int write_rank(struct bine_script *x, const struct bine_messages *m, int rank,
                      const uint32_t *first, int64_t bytes, struct bine_longer_blocks *places) {
    const struct bine_schedule *s = m->schedule[rank];
    int64_t copied = bine_schedule_copied(s, bytes, places);
    int rc = copied < 0 ? -1 : 0;
    x->copied = copied > x->copied ? copied : x->copied;
    for (uint32_t i = 0; i < s->nstrands && rc == 0; i++) {
        const struct bine_strand *strand = &s->strand[i];
        x->runner[x->runners++] = (struct bine_script_runner){.rank = rank,
                                                              .strand = i,
                                                              .first = (uint32_t)x->steps,
                                                              .count = strand->nsteps,
                                                              .staggered = i > 0 && s->staggered};
        for (uint32_t k = 0; k < strand->nsteps && rc == 0; k++)
            rc = write_step(x, m, rank, i, &s->step[strand->steps + k], first, bytes, places);
    }
    return rc;
}

/* Room for everything; and where the transfers of each message begin. */
static int make_room(struct bine_script *x, const struct bine_messages *m, uint32_t **first) {
    size_t strands = 1, steps = 1, transfers = 0;
    *first = malloc((m->count + 1) * sizeof **first);
    for (size_t i = 0; i < m->count && *first != NULL; i++) {
        (*first)[i] = (uint32_t)transfers;
        transfers += m->message[i].transfers;
    }
    for (int r = 0; r < m->p; r++) {
        strands += m->schedule[r]->nstrands;
        steps += m->schedule[r]->nsteps;
    }
    x->messages = transfers;
    x->runner = malloc(strands * sizeof *x->runner);
    x->step = malloc(steps * sizeof *x->step);
    x->post = malloc((2 * transfers + 1) * sizeof *x->post);
    x->message = malloc((transfers + 1) * sizeof *x->message);
    return *first == NULL || x->runner == NULL || x->step == NULL || x->post == NULL ||
                   x->message == NULL
               ? -1
               : 0;
}

/* The transfers of what an operation sends. */
static int write_transfers(struct bine_script *x, const struct bine_messages *m, uint32_t number,
                           const struct bine_op *op, uint32_t first, int64_t bytes,
                           struct bine_longer_blocks *places) {
    const struct bine_message *g = &m->message[number];
    const struct bine_schedule *s = m->schedule[g->rank[BINE_SENDER]];
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

static int write_messages(struct bine_script *x, const struct bine_messages *m,
                          const uint32_t *first, int64_t bytes, struct bine_longer_blocks *places) {
    int rc = 0;
    for (int r = 0; r < m->p; r++)
        for (uint32_t k = 0; k < m->schedule[r]->nops && rc == 0; k++) {
            const struct bine_op *op = &m->schedule[r]->op[k];
            uint32_t number = bine_op_sends(op) ? m->of_op[r][k] : 0;
            if (bine_op_sends(op))
                rc = write_transfers(x, m, number, op, first[number], bytes, places);
        }
    return rc;
}

int bine_script_write(struct bine_script *x, const struct bine_spec *spec, int64_t bytes) {
    struct bine_messages m;
    struct bine_longer_blocks places = {0};
    *x = (struct bine_script){.ranks = spec->p, .part = INT64_MAX, .window = BINE_PARTS_PENDING};
    if (bine_messages_collect(&m, spec, bytes) != 0)
        return -1;
    uint32_t *first = NULL;
    int rc = make_room(x, &m, &first);
    if (rc == 0)
        rc = make_boards(x, &m);
    if (rc == 0)
        rc = write_messages(x, &m, first, bytes, &places);
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
    free_boards(x);
    *x = (struct bine_script){0};
}
