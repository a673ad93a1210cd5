#define _GNU_SOURCE
#include "calls.h"

#include "board/expose.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum kind { BCAST, FLAT, SHARES, SILENT, RING, KINDS };
enum { ROUNDS_MOST = 6, TIMES_MOST = 2 };

struct call {
    enum kind kind;
    int root, rounds, times, exposes;
    uint32_t bytes;
};

/* A pending call: the round and time it is at, and what is left to do there. */
struct pending {
    int index; /* of the call in the sequence */
    struct call call;
    struct bine_board_call board;
    int round, time, published, next_peer, active;
    unsigned char *exposed[ROUNDS_MOST];
};

struct runner {
    const struct calls_plan *plan;
    struct bine_boards *b;
    uint64_t state; /* of this rank's own draws */
    struct pending call[CALLS_AT_ONCE_MOST];
    struct calls_result result;
};

uint64_t calls_draw(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static struct call call_of(const struct calls_plan *plan, uint32_t holds, int index) {
    uint64_t s = plan->seed * 1000003u + (uint64_t)index;
    struct call c = {.kind = (enum kind)(calls_draw(&s) % KINDS)};
    c.root = (int)(calls_draw(&s) % (uint64_t)plan->n);
    c.rounds = 1 + (int)(calls_draw(&s) % ROUNDS_MOST);
    c.times = c.kind == SHARES ? 2 : 1;
    uint32_t most = calls_draw(&s) % 2 == 0 ? BINE_BOARD_INLINE + 2 : holds;
    c.bytes = 1 + (uint32_t)(calls_draw(&s) % most);
    c.exposes = plan->pid[0] != 0 && c.kind != SHARES && calls_draw(&s) % 2 == 0;
    return c;
}

static unsigned char byte_of(int index, int round, int time, int rank, uint32_t i) {
    return (unsigned char)(index * 31 + round * 7 + time * 3 + rank * 101 + (int)i * 13);
}

static int publishes(const struct call *c, int rank) {
    return c->kind == BCAST ? rank == c->root : c->kind != SILENT;
}

/* A ring reads its neighbour alone; a root nobody. */
static int reads(const struct call *c, int n, int rank, int peer) {
    if (c->kind == SILENT || peer == rank)
        return 0;
    if (c->kind == BCAST)
        return peer == c->root;
    return c->kind != RING || peer == (rank + 1) % n;
}

static void delay(struct runner *r) {
    const struct calls_plan *plan = r->plan;
    if (plan->delay == 0 || calls_draw(&r->state) % plan->delay != 0)
        return;
    struct timespec t = {0, (long)(calls_draw(&r->state) % 200000)};
    nanosleep(&t, NULL);
}

static void fill(const struct pending *u, int rank, char *to) {
    for (uint32_t i = 0; i < u->call.bytes; i++)
        to[i] = (char)byte_of(u->index, u->round, u->time, rank, i);
}

static void compare(struct runner *r, const struct pending *u, int peer, const char *data) {
    for (uint32_t i = 0; i < u->call.bytes; i++)
        r->result.wrong += (unsigned char)data[i] != byte_of(u->index, u->round, u->time, peer, i);
}

static uint64_t number_of(const struct pending *u) {
    return u->board.base + (uint64_t)(u->round * u->call.times + u->time);
}

/* What was exposed is scribbled over as soon as all have passed it. */
static int settle_exposed(struct runner *r, struct pending *u) {
    unsigned char *data = u->exposed[u->round];
    if (data == NULL)
        return 1;
    if (!bine_boards_is_passed(r->b, number_of(u)))
        return 0;
    memset(data, 0xee, u->call.bytes);
    free(data);
    u->exposed[u->round] = NULL;
    return 1;
}

static int publish(struct runner *r, struct pending *u) {
    uint64_t number = number_of(u);
    if (bine_boards_can_publish(r->b, &u->board, number) != BINE_BOARD_READY)
        return 0;
    if (u->call.exposes) {
        u->exposed[u->round] = malloc(u->call.bytes);
        fill(u, r->b->me, (char *)u->exposed[u->round]);
        delay(r);
        bine_boards_expose(r->b, &u->board, number, u->exposed[u->round], u->call.bytes,
                           u->call.bytes);
        return 1;
    }
    fill(u, r->b->me, bine_boards_place(r->b, number, u->call.bytes));
    delay(r);
    bine_boards_publish(r->b, &u->board, number, u->call.bytes, u->call.bytes);
    return 1;
}

/* Twice, with a delay: it must stay until this rank has passed it. */
static void read_slot(struct runner *r, const struct pending *u, int peer,
                      struct bine_board_slot *slot) {
    char *fetched = NULL;
    for (int k = 0; k < 2; k++) {
        const char *data = bine_board_data(slot, slot->bytes);
        struct bine_board_exposed where;
        if (slot->bytes == BINE_BOARD_EXPOSED) {
            memcpy(&where, bine_board_data(slot, sizeof where), sizeof where);
            fetched = realloc(fetched, where.bytes);
            r->result.wrong +=
                bine_expose_read(r->plan->pid[peer], where.address, fetched, where.bytes) != 0;
            data = fetched;
        } else {
            r->result.wrong += slot->bytes != u->call.bytes;
        }
        compare(r, u, peer, data);
        delay(r);
    }
    free(fetched);
    r->result.reads++;
}

/* Whether the call is over. */
static int next_time(struct runner *r, struct pending *u) {
    bine_boards_pass(r->b, &u->board, number_of(u) + 1);
    if (!settle_exposed(r, u))
        return 0;
    u->published = 0;
    u->next_peer = 0;
    if (++u->time == u->call.times) {
        u->time = 0;
        u->round++;
    }
    if (u->round < u->call.rounds)
        return 0;
    bine_boards_end(r->b, &u->board);
    u->active = 0;
    return 1;
}

static void give_up(struct runner *r, struct pending *u) {
    uint64_t last = u->board.end - 1;
    bine_boards_fail(r->b, &u->board);
    for (int k = 0; k < ROUNDS_MOST; k++)
        if (u->exposed[k] != NULL) {
            while (!bine_boards_is_passed(r->b, last))
                sched_yield();
            free(u->exposed[k]);
        }
    u->active = 0;
    r->result.failed++;
}

static int is_to_fail(const struct runner *r, const struct pending *u) {
    return u->index == r->plan->fails_at && r->b->me == r->plan->failing &&
           u->round >= u->call.rounds / 2;
}

/* One step of a call, if one can be taken; whether one was. */
static int step(struct runner *r, struct pending *u) {
    struct bine_board_slot *slot;
    if (is_to_fail(r, u)) {
        give_up(r, u);
        return 1;
    }
    if (!u->published && publishes(&u->call, r->b->me)) {
        u->published = publish(r, u);
        return u->published;
    }
    while (u->next_peer < r->plan->n && !reads(&u->call, r->plan->n, r->b->me, u->next_peer))
        u->next_peer++;
    if (u->next_peer == r->plan->n) {
        int round = u->round, time = u->time;
        return next_time(r, u) || u->round != round || u->time != time;
    }
    enum bine_board_state state =
        bine_boards_look(r->b, u->next_peer, number_of(u), u->call.bytes, &slot);
    if (state < BINE_BOARD_NOT_YET)
        give_up(r, u);
    if (state == BINE_BOARD_READY)
        read_slot(r, u, u->next_peer++, slot);
    return state != BINE_BOARD_NOT_YET;
}

static void begin(struct runner *r, struct pending *u, int index) {
    struct call c = call_of(r->plan, r->b->shape.holds, index);
    uint64_t numbers = (uint64_t)(c.rounds * c.times);
    *u = (struct pending){.index = index, .call = c, .active = 1};
    bine_boards_begin(r->b, &u->board, bine_board_numbers(numbers),
                      publishes(&c, r->b->me) ? numbers : 0);
}

struct calls_result calls_run(const struct calls_plan *plan, struct bine_boards *boards) {
    struct runner r = {.plan = plan, .b = boards, .state = plan->seed + (uint64_t)boards->me * 77};
    struct bine_wait wait = {.spins = plan->sleeps ? 0 : 64,
                             .boards = plan->sleeps ? boards : NULL};
    unsigned looks = 0;
    int begun = 0, active = 1;
    while (begun < plan->calls || active > 0) {
        int moved = 0;
        active = 0;
        for (int k = 0; k < plan->at_once; k++) {
            struct pending *u = &r.call[k];
            if (!u->active && begun < plan->calls)
                begin(&r, u, begun++);
            if (u->active)
                moved |= step(&r, u);
            active += u->active;
        }
        if (moved)
            looks = 0;
        else
            bine_wait_once(&wait, &looks);
        delay(&r);
    }
    return r.result;
}
