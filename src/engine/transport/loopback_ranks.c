/* The ranks of the loopback: by turns and by threads. */
#define _GNU_SOURCE /* MAP_STACK, MAP_ANONYMOUS */
#include "engine/transport/loopback_parts.h"

#include <sched.h>
#include <sys/mman.h>
#include <time.h>

enum { STACK = 1 << 20, IDLE_MOST = 100000, SECONDS_MOST = 20 };

uint64_t bine_loopback_draw_of(struct bine_loopback *w) {
    uint64_t z = (w->draws += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t bine_loopback_draw(bine_comm_handle comm) {
    pthread_mutex_lock(&comm->world->lock);
    uint64_t x = bine_loopback_draw_of(comm->world);
    pthread_mutex_unlock(&comm->world->lock);
    return x;
}

int bine_loopback_self(bine_comm_handle comm) {
    return comm->self;
}

/* Until something has moved; all threads may be waiting for a message that never comes. */
static void wait_for_event(struct bine_loopback *w) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += SECONDS_MOST;
    if (pthread_cond_timedwait(&w->moved, &w->lock, &until) != 0)
        w->stuck = 1;
}

void bine_loopback_give_turn(bine_comm_handle rank) {
    struct bine_loopback *w = rank->world;
    if (w->setup.threads) {
        wait_for_event(w);
        return;
    }
    pthread_mutex_unlock(&w->lock);
    swapcontext(&rank->context, &w->scheduler);
    pthread_mutex_lock(&w->lock);
}

int bine_loopback_pause(void *comm) {
    bine_comm_handle rank = comm;
    struct bine_loopback *w = rank->world;
    if (w->setup.threads)
        sched_yield();
    else
        swapcontext(&rank->context, &w->scheduler);
    pthread_mutex_lock(&w->lock);
    int stuck = w->stuck;
    pthread_mutex_unlock(&w->lock);
    return stuck ? BINE_ERR_OTHER : BINE_OK;
}

/* --- By turns */

/* makecontext passes numbers of type int. */
static void begin_rank(unsigned high, unsigned low) {
    bine_comm_handle rank = (bine_comm_handle)(uintptr_t)((uint64_t)high << 32 | low);
    rank->world->function(rank, rank->world->with);
    rank->over = 1;
}

static int make_rank(struct bine_loopback *w, struct bine_loopback_rank *rank) {
    void *stack =
        mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED || getcontext(&rank->context) != 0)
        return -1;
    uint64_t at = (uintptr_t)rank;
    rank->stack = stack;
    rank->over = 0;
    rank->context.uc_stack.ss_sp = stack;
    rank->context.uc_stack.ss_size = STACK;
    rank->context.uc_link = &w->scheduler;
    makecontext(&rank->context, (void (*)(void))begin_rank, 2, (unsigned)(at >> 32), (unsigned)at);
    return 0;
}

/* The rank whose turn it is, or NULL: all are over. */
static struct bine_loopback_rank *next_rank(struct bine_loopback *w) {
    int p = w->setup.p, first = (int)(bine_loopback_draw_of(w) % (uint64_t)p);
    for (int k = 0; k < p; k++)
        if (!w->rank[(first + k) % p].over)
            return &w->rank[(first + k) % p];
    return NULL;
}

static int run_by_turns(struct bine_loopback *w) {
    int rc = 0;
    for (int k = 0; k < w->setup.p && rc == 0; k++)
        rc = make_rank(w, &w->rank[k]);
    for (struct bine_loopback_rank *r; rc == 0 && (r = next_rank(w)) != NULL;) {
        swapcontext(&w->scheduler, &r->context);
        w->stuck |= ++w->idle > IDLE_MOST * w->setup.p;
    }
    for (int k = 0; k < w->setup.p; k++)
        if (w->rank[k].stack != NULL)
            munmap(w->rank[k].stack, STACK);
    return rc;
}

/* --- By threads */

static void *begin_thread(void *rank) {
    bine_comm_handle r = rank;
    r->world->function(r, r->world->with);
    return NULL;
}

static int run_by_threads(struct bine_loopback *w) {
    int begun = 0;
    while (begun < w->setup.p &&
           pthread_create(&w->rank[begun].thread, NULL, begin_thread, &w->rank[begun]) == 0)
        begun++;
    if (begun < w->setup.p) { /* the others wait for the rest */
        pthread_mutex_lock(&w->lock);
        w->stuck = 1;
        pthread_cond_broadcast(&w->moved);
        pthread_mutex_unlock(&w->lock);
    }
    for (int k = 0; k < begun; k++)
        pthread_join(w->rank[k].thread, NULL);
    return begun < w->setup.p ? -1 : 0;
}

int bine_loopback_run(struct bine_loopback *w, void (*function)(bine_comm_handle comm, void *with),
                      void *with) {
    w->function = function;
    w->with = with;
    int rc = w->setup.threads ? run_by_threads(w) : run_by_turns(w);
    return rc != 0 ? rc : w->stuck;
}
