#include "call/device.h"

#include "call/call.h"
#include "call/device_levels.h"
#include "call/device_work.h"
#include "call/query.h"

#include <string.h>

/* A rank's card: where its buffers are. */
struct card {
    struct bine_ipc in, out; /* where it has such a buffer */
    unsigned char uuid[BINE_CUDA_UUID];
    uint32_t able; /* its buffers can be shared; or it has none that count */
    uint32_t has_in, has_out;
};
_Static_assert(sizeof(struct card) <= BINE_BOARD_HOLDS, "a card fits a slot");

/* The numbers of a call: cards, whether the workers can, whether they have. */
enum { CARDS, READY, DONE, NUMBERS };
enum result { REFUSED, GOOD, FAILED };

struct device_call {
    struct bine_context *c;
    struct bine_node *node;
    struct bine_board_call board;
    struct bine_work work;
    const struct bine_device *device;
    void *context;
    struct card card[BINE_JOB_RANKS];
    int worker[BINE_JOB_RANKS]; /* the ranks that are */
    int workers, mine;          /* which of them this rank is; -1: none */
};

/* --- The buffers of this rank */

/* The device of a buffer must be that of the other. */
static int add_buffer(struct device_call *d, const void *address, struct bine_ipc *share) {
    const struct bine_memory *memory = bine_memory_at(address);
    if (memory == NULL || memory->device == NULL || !memory->device->is_ready())
        return -1;
    void *context = memory->device->context(address);
    if (context == NULL || (d->context != NULL && d->context != context))
        return -1;
    d->device = memory->device;
    d->context = context;
    return d->device->share(address, share);
}

/* The caller may still be writing the send buffer. */
static int show_buffers(struct device_call *d, struct card *mine) {
    const struct bine_work *w = &d->work;
    mine->has_in = w->in[d->c->id.rank] != NULL;
    mine->has_out = w->out[d->c->id.rank] != NULL;
    if (mine->has_in && add_buffer(d, w->in[d->c->id.rank], &mine->in) != 0)
        return -1;
    if (mine->has_out && add_buffer(d, w->out[d->c->id.rank], &mine->out) != 0)
        return -1;
    return d->device->identify(d->context, mine->uuid) == 0 &&
                   d->device->wait(d->context, d->c->channel.stream) == 0
               ? 0
               : -1;
}

static void make_card(struct device_call *d, const struct bine_arguments *a, struct card *mine) {
    struct bine_call call;
    memset(mine, 0, sizeof *mine);
    if (!bine_memory_is_host_only() &&
        bine_call_make(a, d->c->id.rank, d->c->id.p, &call) == MPI_SUCCESS &&
        bine_work_make(&call, d->c->id.rank, d->c->id.p, &d->work) == 0)
        mine->able = show_buffers(d, mine) == 0;
}

/* --- Boards */

static int wait_more(struct device_call *d, unsigned *may_have_device_buffers) {
    return bine_wait_once(&d->node->wait, may_have_device_buffers) == 0 ? 0 : -1;
}

/* 0, or -1: others give up, or MPI does. */
static int publish(struct device_call *d, int which, const void *data, uint32_t bytes) {
    struct bine_boards *b = d->node->boards;
    uint64_t number = d->board.base + (uint64_t)which;
    unsigned may_have_device_buffers = 0;
    while (bine_boards_can_publish(b, &d->board, number) != BINE_BOARD_READY)
        if (wait_more(d, &may_have_device_buffers) != 0)
            return -1;
    memcpy(bine_boards_place(b, number, bytes), data, bytes);
    bine_boards_publish(b, &d->board, number, bytes, 0);
    return 0;
}

static int read_from(struct device_call *d, int rank, int which, void *data, uint32_t bytes) {
    struct bine_boards *b = d->node->boards;
    struct bine_board_slot *slot;
    enum bine_board_state state;
    unsigned may_have_device_buffers = 0;
    int seat = d->node->seat[rank];
    while ((state = bine_boards_look(b, seat, d->board.base + (uint64_t)which, 0, &slot)) ==
           BINE_BOARD_NOT_YET)
        if (wait_more(d, &may_have_device_buffers) != 0)
            return -1;
    if (state != BINE_BOARD_READY || slot->bytes != bytes)
        return -1;
    memcpy(data, bine_board_data(slot, bytes), bytes);
    return 0;
}

/* The least result of the workers, or -1. */
static int hear_workers(struct device_call *d, int which) {
    int least = FAILED, one;
    for (int k = 0; k < d->workers; k++) {
        if (read_from(d, d->worker[k], which, &one, sizeof one) != 0)
            return -1;
        least = one < least ? one : least;
    }
    return least;
}

/* --- Workers */

static int is_same_device(const struct card *a, const struct card *b) {
    return memcmp(a->uuid, b->uuid, sizeof a->uuid) == 0;
}

/* For each device, the first rank that is on it. */
static void find_workers(struct device_call *d) {
    d->workers = 0;
    d->mine = -1;
    for (int r = 0; r < d->c->id.p; r++) {
        int k = 0;
        while (k < d->workers && !is_same_device(&d->card[d->worker[k]], &d->card[r]))
            k++;
        if (k < d->workers)
            continue;
        if (r == d->c->id.rank)
            d->mine = k;
        d->worker[d->workers++] = r;
    }
}

static int open_one(struct device_call *d, int rank, const struct bine_ipc *share, char **at) {
    *at = d->device->open(d->context, d->node->pid[d->node->seat[rank]], share);
    return *at != NULL ? 0 : -1;
}

static int open_all(struct device_call *d) {
    for (int r = 0; r < d->c->id.p; r++) {
        const struct card *x = &d->card[r];
        if (r == d->c->id.rank)
            continue;
        if ((x->has_in && open_one(d, r, &x->in, &d->work.in[r]) != 0) ||
            (x->has_out && open_one(d, r, &x->out, &d->work.out[r]) != 0))
            return -1;
    }
    return 0;
}

static enum result work(struct device_call *d) {
    int rc = bine_work_begin(&d->work, d->device, d->context, d->mine, d->workers);
    return d->device->finish(d->context) == 0 && rc == 0 ? GOOD : FAILED;
}

/* Several workers begin when all of them can: a worker's results cannot be taken back. */
static int work_together(struct device_call *d) {
    int result = REFUSED, able = GOOD;
    if (d->mine >= 0)
        result = open_all(d) == 0 ? GOOD : REFUSED;
    if (d->workers > 1) {
        if (d->mine >= 0 && publish(d, READY, &result, sizeof result) != 0)
            return -1;
        able = hear_workers(d, READY);
    }
    if (able != GOOD)
        return able;
    if (d->mine >= 0) {
        if (result == GOOD)
            result = work(d);
        if (publish(d, DONE, &result, sizeof result) != 0)
            return -1;
    }
    for (int k = 0; k < d->workers; k++) {
        if (read_from(d, d->worker[k], DONE, &result, sizeof result) != 0)
            return -1;
        able = result != GOOD ? result : able;
    }
    return able;
}

/* REFUSED: the call is to be made in another way. All ranks find one answer, from the cards and
 * from the arguments that are equal in a correct call. */
static int run(struct device_call *d, struct bine_query *q, const struct bine_selector *s,
               const struct card *mine) {
    int able = 1;
    if (publish(d, CARDS, mine, sizeof *mine) != 0)
        return -1;
    for (int r = 0; r < d->c->id.p; r++) {
        if (read_from(d, r, CARDS, &d->card[r], sizeof *d->card) != 0)
            return -1;
        able &= (int)d->card[r].able;
    }
    if (!able)
        return REFUSED;
    find_workers(d);
    q->bytes = d->work.n * d->work.p;
    return bine_select_device(s, q, d->workers) == BINE_DEVICE_WORKERS ? work_together(d) : REFUSED;
}

/* --- The call */

static void note(struct bine_context *c, const struct bine_arguments *a, const char *reason) {
    c->choosing.last = (struct bine_choice){.reason = reason};
    c->devices.last = a->collective;
    bine_shortcuts_note(&c->caches.shortcuts, a->collective, NULL);
}

/* Boards are made by all ranks together, at the first call. */
static int has_boards(struct bine_context *c, MPI_Comm comm) {
    bine_context_open(c, comm);
    if (c->id.forward_reason == NULL)
        bine_context_make_boards(c, comm);
    c->devices.some =
        c->id.forward_reason == NULL && c->channel.node != NULL && c->id.p <= BINE_JOB_RANKS;
    return c->devices.some;
}

int bine_device_call(struct bine_context *c, const struct bine_arguments *a, int *rc) {
    struct device_call d = {.c = c};
    struct card mine;
    struct bine_call_size size;
    struct bine_selector s = bine_selector_make(c, a->collective);
    if (bine_context_has_next(c, a) ||
        (c->place.nodes > 1 && bine_call_size(a, c->id.rank, c->id.p, &size) != 0))
        return 0;
    struct bine_query q = bine_query_make(c, a, c->place.nodes > 1 ? size.bytes : 0, 1);
    enum bine_device_way way = bine_select_device(&s, &q, 1);
    if (way == BINE_DEVICE_NONE)
        return 0;
    if (way == BINE_DEVICE_LEVELS) {
        int made = bine_device_levels_call(c, a, rc);
        if (made)
            note(c, a, "the vectors of all ranks are on devices: in the nodes, then between them");
        return made;
    }
    if (!has_boards(c, a->comm))
        return 0;
    d.node = c->channel.node;
    make_card(&d, a, &mine);
    bine_board_take(d.node, &d.board, bine_board_numbers(NUMBERS), NUMBERS);
    int result = run(&d, &q, &s, &mine);
    if (result < 0)
        bine_boards_fail(d.node->boards, &d.board);
    else
        bine_boards_end(d.node->boards, &d.board);
    *rc = result == GOOD ? MPI_SUCCESS : MPI_ERR_OTHER;
    if (result == REFUSED)
        return 0;
    note(c, a, "the vectors of all ranks are on devices of the node");
    return 1;
}
