/* Flows of an alltoall whose blocks differ in size: the schedules of all ranks are executed
 * together. The data of a block is the number of its destination, so that the bytes of every
 * message are known. */
#include "base/grow.h"
#include "base/numbers.h"
#include "schedule/walk/walk.h"
#include "traffic/flows.h"

#include <stdlib.h>

/* Schedules of an alltoall are large, and all are needed at once. */
enum { MOST_RANKS = 1024 };

struct world {
    struct bine_messages messages;
    uint16_t *held; /* [rank][space][place]: the destination of the block there */
    size_t places;  /* of a space, at most */
    uint16_t *row;  /* the blocks of one operation */
    size_t row_room;
    struct bine_block_bytes cut;
    const struct bine_flow_sink *sink;
};

static uint16_t *held(struct world *w, int rank, int space, int place) {
    return &w->held[((size_t)rank * BINE_SPACES + (size_t)space) * w->places + (size_t)place];
}

/* The pieces of a list of runs, to the row; their number, or -1 when out of memory. */
static int64_t read_runs(struct world *w, int rank, uint32_t run, uint32_t count) {
    const struct bine_run *r = &w->messages.schedule[rank]->run[run];
    size_t n = 0;
    for (; count > 0; count--, r++) {
        if (bine_grow(&w->row, &w->row_room, n + r->count, sizeof *w->row) != 0)
            return -1;
        for (uint32_t k = 0; k < r->count; k++)
            w->row[n++] = *held(w, rank, (int)r->space, r->first + (int)k);
    }
    return (int64_t)n;
}

static void write_runs(struct world *w, int rank, uint32_t run, uint32_t count) {
    const struct bine_run *r = &w->messages.schedule[rank]->run[run];
    const uint16_t *row = w->row;
    for (; count > 0; count--, r++)
        for (uint32_t k = 0; k < r->count; k++)
            *held(w, rank, (int)r->space, r->first + (int)k) = *row++;
}

static int deliver(void *self, uint32_t number, int time) {
    struct world *w = self;
    const struct bine_message *g = &w->messages.message[number];
    int from = g->rank[BINE_SENDER], to = g->rank[BINE_RECEIVER];
    const struct bine_op *send = &w->messages.schedule[from]->op[g->op[BINE_SENDER]],
                         *recv = &w->messages.schedule[to]->op[g->op[BINE_RECEIVER]];
    int64_t bytes = 0, n = read_runs(w, from, send->runs, send->nruns);
    (void)time;
    if (n < 0)
        return -1;
    for (int64_t i = 0; i < n; i++)
        bytes += bine_bytes_of_block(&w->cut, w->row[i]);
    w->sink->take(w->sink->self, from, to, bytes);
    write_runs(w, to, recv->runs, recv->nruns);
    return 0;
}

static int copy(void *self, int rank, uint32_t number, int time) {
    struct world *w = self;
    const struct bine_op *op = &w->messages.schedule[rank]->op[number];
    (void)time;
    if (op->kind != BINE_OP_COPY && op->kind != BINE_OP_PERMUTE)
        return 0;
    if (read_runs(w, rank, op->with, op->nwith) < 0)
        return -1;
    write_runs(w, rank, op->runs, op->nruns);
    return 0;
}

static int open_world(struct world *w) {
    const struct bine_messages *m = &w->messages;
    for (int r = 0; r < m->p; r++)
        for (int k = 0; k < BINE_SPACES; k++)
            w->places = bine_max(w->places, (size_t)m->schedule[r]->space[k].pieces);
    w->held = calloc((size_t)m->p * BINE_SPACES * w->places + 1, sizeof *w->held);
    for (int r = 0; r < m->p && w->held != NULL; r++)
        for (int b = 0; b < m->schedule[r]->space[BINE_IN].pieces; b++)
            *held(w, r, BINE_IN, b) = (uint16_t)b;
    return w->held == NULL ? -1 : 0;
}

enum bine_flow_result bine_flows_slots(const struct bine_spec *spec, int64_t bytes,
                                       const struct bine_flow_sink *sink) {
    struct world w = {.sink = sink};
    struct bine_walk walk = {0};
    if (spec->p > MOST_RANKS)
        return BINE_FLOWS_TOO_LARGE;
    int rc = bine_messages_collect(&w.messages, spec, bytes);
    if (rc == 0 && (rc = open_world(&w)) == 0 && (rc = bine_walk_open(&walk, &w.messages)) == 0) {
        struct bine_walk_visitor visitor = {.deliver = deliver, .finish = copy, .self = &w};
        w.cut = bine_block_bytes_for(bytes, w.messages.schedule[0]);
        rc = bine_walk_run(&walk, &visitor);
    }
    bine_walk_close(&walk);
    bine_messages_free(&w.messages);
    free(w.held);
    free(w.row);
    return rc == 0 ? BINE_FLOWS_GOOD : BINE_FLOWS_NO_MEMORY;
}
