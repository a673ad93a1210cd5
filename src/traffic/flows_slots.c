/* Flows of an alltoall whose blocks differ in size: the schedules of all ranks are executed
 * together. The data of a block is the number of its destination, so that the bytes of every
 * message are known. */
#include "traffic/flows.h"

#include <stdlib.h>
#include <string.h>

/* Schedules of an alltoall are large, and all are needed at once. */
enum { MOST_RANKS = 1024 };

/* A message under way. */
struct mail {
    int from;
    uint32_t strand;
    size_t first; /* its blocks, in `block` */
    int next;     /* of the same receiver, or -1 */
    int taken;
};

struct world {
    int p;
    struct bine_schedule **schedule; /* of each rank */
    uint16_t *held;                  /* [rank][space][place]: the destination of what is there */
    size_t places;                   /* of a space, at most */
    uint32_t **cursor;               /* [rank][strand]: the next step */
    struct mail *mail;
    int *first, *last; /* of each receiver's mail, or -1 */
    int mails, mail_room;
    uint16_t *block;
    size_t blocks, block_room;
    struct bine_block_bytes cut;
    const struct bine_flow_sink *sink;
};

static uint16_t *held(struct world *w, int rank, int space, int place) {
    return &w->held[((size_t)rank * BINE_SPACES + (size_t)space) * w->places + (size_t)place];
}

static int grow_mail(struct world *w) {
    if (w->mails < w->mail_room)
        return 0;
    int room = w->mail_room == 0 ? 256 : 2 * w->mail_room;
    struct mail *mail = realloc(w->mail, (size_t)room * sizeof *mail);
    if (mail == NULL)
        return -1;
    w->mail = mail;
    w->mail_room = room;
    return 0;
}

static int grow_blocks(struct world *w, size_t more) {
    size_t room = w->block_room == 0 ? 1024 : w->block_room;
    while (room < w->blocks + more)
        room *= 2;
    uint16_t *block = room == w->block_room ? w->block : realloc(w->block, room * sizeof *block);
    if (block == NULL)
        return -1;
    w->block = block;
    w->block_room = room;
    return 0;
}

/* The pieces of a list of runs, to or from a row of blocks. */
static size_t copy_runs(struct world *w, int rank, uint32_t run, uint32_t count, uint16_t *row,
                        int to_row) {
    const struct bine_run *r = &w->schedule[rank]->run[run];
    size_t n = 0;
    for (; count > 0; count--, r++)
        for (int k = 0; k < r->count; k++, n++) {
            uint16_t *there = held(w, rank, r->space, r->first + k);
            if (to_row)
                row[n] = *there;
            else
                *there = row[n];
        }
    return n;
}

static size_t count_runs(const struct bine_schedule *s, const struct bine_op *op) {
    size_t n = 0;
    for (uint32_t i = op->runs; i < op->runs + op->nruns; i++)
        n += (size_t)s->run[i].count;
    return n;
}

static int post(struct world *w, int rank, uint32_t strand, const struct bine_op *op) {
    size_t n = count_runs(w->schedule[rank], op);
    int64_t bytes = 0;
    if (grow_mail(w) != 0 || grow_blocks(w, n) != 0)
        return -1;
    uint16_t *row = w->block + w->blocks;
    copy_runs(w, rank, op->runs, op->nruns, row, 1);
    for (size_t i = 0; i < n; i++)
        bytes += bine_bytes_of_block(&w->cut, row[i]);
    w->sink->take(w->sink->self, rank, op->peer, bytes);
    w->mail[w->mails] = (struct mail){rank, strand, w->blocks, -1, 0};
    if (w->first[op->peer] < 0)
        w->first[op->peer] = w->mails;
    else
        w->mail[w->last[op->peer]].next = w->mails;
    w->last[op->peer] = w->mails++;
    w->blocks += n;
    return 0;
}

static void receive(struct world *w, int rank, uint32_t strand, const struct bine_op *op) {
    for (int i = w->first[rank]; i >= 0; i = w->mail[i].next) {
        struct mail *m = &w->mail[i];
        if (m->taken || m->from != op->peer || m->strand != strand)
            continue;
        m->taken = 1;
        copy_runs(w, rank, op->runs, op->nruns, w->block + m->first, 0);
        return;
    }
}

static int copy(struct world *w, int rank, const struct bine_op *op) {
    if (grow_blocks(w, count_runs(w->schedule[rank], op)) != 0)
        return -1;
    uint16_t *row = w->block + w->blocks;
    copy_runs(w, rank, op->with, op->nwith, row, 1);
    copy_runs(w, rank, op->runs, op->nruns, row, 0);
    return 0;
}

enum part { SENDS, RECEIPTS };

static int do_step(struct world *w, int rank, uint32_t strand, const struct bine_step *step,
                   enum part part) {
    const struct bine_schedule *s = w->schedule[rank];
    for (uint32_t i = step->ops; i < step->ops + step->nops; i++) {
        const struct bine_op *op = &s->op[i];
        int rc = 0;
        if (part == SENDS)
            rc = op->kind == BINE_OP_SEND ? post(w, rank, strand, op) : 0;
        else if (op->kind == BINE_OP_RECV)
            receive(w, rank, strand, op);
        else if (op->kind == BINE_OP_COPY || op->kind == BINE_OP_PERMUTE)
            rc = copy(w, rank, op);
        if (rc != 0)
            return -1;
    }
    return 0;
}

/* One half of all steps of one time. Steps of local work (time -1) come when they are reached. */
static int do_rank(struct world *w, int rank, int time, enum part part) {
    const struct bine_schedule *s = w->schedule[rank];
    for (uint32_t k = 0; k < s->nstrands; k++) {
        uint32_t *at = &w->cursor[rank][k], end = s->strand[k].steps + s->strand[k].nsteps;
        for (; *at < end && s->step[*at].time < 0; ++*at)
            if (do_step(w, rank, k, &s->step[*at], RECEIPTS) != 0)
                return -1;
        if (*at == end || s->step[*at].time != time)
            continue;
        if (do_step(w, rank, k, &s->step[*at], part) != 0)
            return -1;
        *at += part == RECEIPTS;
    }
    return 0;
}

static int do_time(struct world *w, int time) {
    w->mails = 0;
    w->blocks = 0;
    for (int r = 0; r < w->p; r++)
        w->first[r] = -1;
    for (int part = SENDS; part <= RECEIPTS; part++)
        for (int r = 0; r < w->p; r++)
            if (do_rank(w, r, time, (enum part)part) != 0)
                return -1;
    return 0;
}

static int open_world(struct world *w, const struct bine_spec *spec) {
    struct bine_spec one = *spec;
    size_t p = (size_t)spec->p;
    w->schedule = calloc(p, sizeof *w->schedule);
    w->cursor = calloc(p, sizeof *w->cursor);
    w->first = malloc(p * sizeof *w->first);
    w->last = malloc(p * sizeof *w->last);
    if (w->schedule == NULL || w->cursor == NULL || w->first == NULL || w->last == NULL)
        return -1;
    for (one.rank = 0; one.rank < spec->p; one.rank++) {
        struct bine_schedule *s = w->schedule[one.rank] = bine_schedule_build(&one);
        if (s == NULL || (w->cursor[one.rank] = malloc(s->nstrands * sizeof *w->cursor[0])) == NULL)
            return -1;
        for (uint32_t k = 0; k < s->nstrands; k++)
            w->cursor[one.rank][k] = s->strand[k].steps;
        for (int k = 0; k < BINE_SPACES; k++)
            if ((size_t)s->space[k].pieces > w->places)
                w->places = (size_t)s->space[k].pieces;
    }
    w->held = calloc(p * BINE_SPACES * w->places + 1, sizeof *w->held);
    for (int r = 0; r < spec->p && w->held != NULL; r++)
        for (int b = 0; b < w->schedule[r]->space[BINE_IN].pieces; b++)
            *held(w, r, BINE_IN, b) = (uint16_t)b;
    return w->held == NULL ? -1 : 0;
}

static void close_world(struct world *w) {
    for (int r = 0; r < w->p; r++) {
        if (w->schedule != NULL)
            bine_schedule_free(w->schedule[r]);
        if (w->cursor != NULL)
            free(w->cursor[r]);
    }
    free(w->schedule);
    free(w->cursor);
    free(w->first);
    free(w->last);
    free(w->held);
    free(w->mail);
    free(w->block);
}

enum bine_flow_result bine_flows_slots(const struct bine_spec *spec, int64_t bytes,
                                       const struct bine_flow_sink *sink) {
    struct world w = {.p = spec->p, .sink = sink};
    if (spec->p > MOST_RANKS)
        return BINE_FLOWS_TOO_LARGE;
    int rc = open_world(&w, spec);
    if (rc == 0)
        w.cut = bine_block_bytes_for(bytes, w.schedule[0]);
    for (int t = 0; rc == 0 && t < w.schedule[0]->times; t++)
        rc = do_time(&w, t);
    close_world(&w);
    return rc == 0 ? BINE_FLOWS_GOOD : BINE_FLOWS_NO_MEMORY;
}
