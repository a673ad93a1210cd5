/* Messages of the loopback. */
#include "engine/transport/loopback_parts.h"

#include "base/numbers.h"

#include <stdlib.h>
#include <string.h>

/* --- Messages; the lock is held */

static struct bine_loopback_message *take(bine_comm_handle owner) {
    struct bine_loopback *w = owner->world;
    struct bine_loopback_message *m = w->unused;
    if (m == NULL)
        return NULL;
    w->unused = m->next;
    w->used++;
    *m = (struct bine_loopback_message){.owner = owner, .users = 2};
    return m;
}

static void release(struct bine_loopback *w, struct bine_loopback_message *m) {
    if (--m->users > 0)
        return;
    m->next = w->unused;
    w->unused = m;
    w->used--;
}

static void append(struct bine_loopback_message **list, struct bine_loopback_message *m) {
    while (*list != NULL)
        list = &(*list)->next;
    m->next = NULL;
    *list = m;
}

static void event(struct bine_loopback *w) {
    w->events++;
    w->idle = 0;
    pthread_cond_broadcast(&w->moved);
}

static void finish(struct bine_loopback *w, struct bine_loopback_message *m, int rc) {
    m->done = 1;
    m->rc = rc;
    release(w, m);
}

/* The first message of a list from (of sends) or for (of receives) a rank, with a tag; unlinked. */
static struct bine_loopback_message *meet(struct bine_loopback_message **list, int peer, int tag,
                                          int of_sends) {
    for (; *list != NULL; list = &(*list)->next) {
        struct bine_loopback_message *m = *list;
        if (m->tag != tag || (of_sends ? m->owner->self : m->peer) != peer)
            continue;
        *list = m->next;
        return m;
    }
    return NULL;
}

static void set_out(struct bine_loopback *w, struct bine_loopback_message *sent,
                    struct bine_loopback_message *received) {
    received->sent = sent;
    append(&w->on_the_way, received);
}

static size_t bytes_of(const struct bine_loopback_message *m) {
    return bine_loopback_bytes(m->type, m->n);
}

/* The data of a message arrives. */
static void arrive(struct bine_loopback *w, struct bine_loopback_message *r) {
    struct bine_loopback_message *s = r->sent;
    size_t bytes = bytes_of(s), room = bytes_of(r);
    int number = ++w->delivered, rc = bytes > room ? BINE_ERR_TRUNCATE : BINE_OK;
    if (number == w->setup.fails_at)
        rc = BINE_ERR_OTHER;
    r->broken = number == w->setup.breaks_at;
    if (rc == BINE_OK && !r->broken)
        bine_loopback_move(s->copied > 0 ? s->copy : s->from, s->copied > 0 ? BINE_BYTE : s->type,
                           r->to, r->type, bytes);
    if (s->done)
        release(w, s); /* its owner may have gone on long ago */
    else
        finish(w, s, BINE_OK);
    if (!r->broken)
        finish(w, r, rc);
    event(w);
}

/* Deliver one of the messages on their way. Returns whether there was one. */
static int deliver(struct bine_loopback *w) {
    int n = 0;
    for (const struct bine_loopback_message *m = w->on_the_way; m != NULL; m = m->next)
        n++;
    if (n == 0)
        return 0;
    struct bine_loopback_message **at = &w->on_the_way;
    for (uint64_t k = bine_loopback_draw_of(w) % (uint64_t)n; k > 0; k--)
        at = &(*at)->next;
    struct bine_loopback_message *r = *at;
    *at = r->next;
    arrive(w, r);
    return 1;
}

/* --- Posting */

/* Copy a short message, so that the send is complete. */
static void copy_short(struct bine_loopback *w, struct bine_loopback_message *m) {
    size_t bytes = bytes_of(m);
    if (bytes > sizeof m->copy || bine_loopback_draw_of(w) % 2 == 0)
        return;
    bine_loopback_move(m->from, m->type, m->copy, BINE_BYTE, bytes);
    m->copied = bytes;
    m->done = 1;
}

static int isend(const void *from, int n, bine_type_handle type, int peer, int tag,
                 bine_comm_handle comm, bine_request_handle *request) {
    struct bine_loopback *w = comm->world;
    pthread_mutex_lock(&w->lock);
    struct bine_loopback_message *m = take(comm);
    if (m != NULL) {
        m->from = from;
        m->n = n;
        m->type = type;
        m->peer = peer;
        m->tag = tag;
        copy_short(w, m);
        struct bine_loopback_message *r = meet(&w->rank[peer].receives, comm->self, tag, 0);
        if (r != NULL)
            set_out(w, m, r);
        else
            append(&w->rank[peer].sends, m);
        event(w);
    }
    *request = m;
    pthread_mutex_unlock(&w->lock);
    return m != NULL ? BINE_OK : BINE_ERR_NO_MEM;
}

static int irecv(void *to, int n, bine_type_handle type, int peer, int tag, bine_comm_handle comm,
                 bine_request_handle *request) {
    struct bine_loopback *w = comm->world;
    pthread_mutex_lock(&w->lock);
    struct bine_loopback_message *m = take(comm);
    if (m != NULL) {
        m->to = to;
        m->n = n;
        m->type = type;
        m->peer = peer;
        m->tag = tag;
        struct bine_loopback_message *s = meet(&comm->sends, peer, tag, 1);
        if (s != NULL)
            set_out(w, s, m);
        else
            append(&comm->receives, m);
        event(w);
    }
    *request = m;
    pthread_mutex_unlock(&w->lock);
    return m != NULL ? BINE_OK : BINE_ERR_NO_MEM;
}

/* --- Completion */

/* One look at a request, while the lock is held: whether it is complete; then its error. */
static int look(bine_request_handle *request, int *rc) {
    struct bine_loopback_message *m = *request;
    *rc = BINE_OK;
    if (m == NULL)
        return 1;
    if (m->done) {
        *rc = m->rc;
        release(m->owner->world, m);
        *request = NULL;
        return 1;
    }
    if (m->broken || m->owner->world->stuck)
        *rc = BINE_ERR_OTHER;
    return 0;
}

static int wait(bine_request_handle *request) {
    int rc;
    if (*request == NULL)
        return BINE_OK;
    bine_comm_handle rank = (*request)->owner;
    struct bine_loopback *w = rank->world;
    pthread_mutex_lock(&w->lock);
    while (!look(request, &rc) && rc == BINE_OK)
        if (!deliver(w))
            bine_loopback_give_turn(rank);
    pthread_mutex_unlock(&w->lock);
    return rc;
}

/* A look delivers some messages, or none. */
static int test(bine_request_handle *request, int *over) {
    int rc;
    *over = *request == NULL;
    if (*over)
        return BINE_OK;
    struct bine_loopback *w = (*request)->owner->world;
    pthread_mutex_lock(&w->lock);
    for (uint64_t k = bine_loopback_draw_of(w) % 3; k > 0; k--)
        deliver(w);
    *over = look(request, &rc);
    pthread_mutex_unlock(&w->lock);
    return rc;
}

/* The first error is returned, after a look at all of them. */
static int wait_each(int n, bine_request_handle *request) {
    int first = BINE_OK;
    for (int i = 0; i < n; i++) {
        int rc = wait(&request[i]);
        first = first == BINE_OK ? rc : first;
    }
    return first;
}

static int some_of_each(int n, bine_request_handle *request, int wait_for_one) {
    int first = BINE_OK, found = 0, left = 0;
    do {
        bine_comm_handle rank = NULL;
        left = 0;
        for (int i = 0; i < n; i++) {
            int over, had = request[i] != NULL;
            rank = had ? request[i]->owner : rank;
            int rc = test(&request[i], &over);
            found += (had && over) || rc != BINE_OK;
            left += had && !over;
            first = first == BINE_OK ? rc : first;
        }
        if (wait_for_one && found == 0 && left > 0)
            bine_loopback_pause(rank);
    } while (wait_for_one && found == 0 && left > 0);
    return first;
}

static int some(int n, bine_request_handle *request, int *index, int wait_for_one) {
    (void)index;
    return some_of_each(n, request, wait_for_one);
}

/* All or none: a request that is complete is left as it is until all are. */
static int test_all(int n, bine_request_handle *request, int *over) {
    struct bine_loopback *w = NULL;
    for (int i = 0; i < n && w == NULL; i++)
        w = request[i] != NULL ? request[i]->owner->world : NULL;
    *over = 1;
    if (w == NULL)
        return BINE_OK;
    int broken = 0;
    pthread_mutex_lock(&w->lock);
    deliver(w);
    for (int i = 0; i < n; i++) {
        *over &= request[i] == NULL || request[i]->done;
        broken |= request[i] != NULL && !request[i]->done && (request[i]->broken || w->stuck);
    }
    pthread_mutex_unlock(&w->lock);
    return *over ? wait_each(n, request) : broken ? BINE_ERR_OTHER : BINE_OK;
}

static int wait_rest(int n, bine_request_handle *request, int rc) {
    wait_each(n, request);
    return rc;
}

static struct bine_loopback_message **find(struct bine_loopback_message **list,
                                           const struct bine_loopback_message *m) {
    while (*list != NULL && *list != m)
        list = &(*list)->next;
    return list;
}

/* A receive without a partner goes; one on its way arrives first. */
static void withdraw(bine_request_handle *request, int is_send) {
    struct bine_loopback_message *m = *request;
    if (m == NULL || is_send)
        return;
    struct bine_loopback *w = m->owner->world;
    pthread_mutex_lock(&w->lock);
    struct bine_loopback_message **posted = find(&m->owner->receives, m),
                                 **on_the_way = find(&w->on_the_way, m);
    if (*posted != NULL)
        *posted = m->next;
    if (*on_the_way != NULL) {
        *on_the_way = m->next;
        arrive(w, m);
    }
    if (!m->done)
        finish(w, m, BINE_OK);
    int rc;
    look(request, &rc);
    pthread_mutex_unlock(&w->lock);
}

/* A message that was waiting for its receive is complete for its sender. */
static void drain(bine_comm_handle comm) {
    struct bine_loopback *w = comm->world;
    pthread_mutex_lock(&w->lock);
    while (comm->sends != NULL) {
        struct bine_loopback_message *m = comm->sends;
        comm->sends = m->next;
        if (m->done)
            release(w, m);
        else
            finish(w, m, BINE_OK);
        event(w);
    }
    pthread_mutex_unlock(&w->lock);
}

/* --- Blocking messages */

static int send(const void *from, int n, bine_type_handle type, int peer, int tag,
                bine_comm_handle comm) {
    bine_request_handle request;
    int rc = isend(from, n, type, peer, tag, comm, &request);
    return rc == BINE_OK ? wait(&request) : rc;
}

static int recv(void *to, int n, bine_type_handle type, int peer, int tag, bine_comm_handle comm) {
    bine_request_handle request;
    int rc = irecv(to, n, type, peer, tag, comm, &request);
    if (rc == BINE_OK)
        rc = wait(&request);
    withdraw(&request, 0); /* one that never ends */
    return rc;
}

/* --- The world */

static int last_tag(void) {
    return 32767;
}

static int nothing(void) {
    return BINE_OK;
}

static int no_hook(int (*function)(void), int on) {
    (void)function;
    (void)on;
    return 0;
}

const struct bine_transport bine_transport = {
    .isend = isend,
    .irecv = irecv,
    .send = send,
    .recv = recv,
    .wait = wait,
    .wait_all = wait_each,
    .test = test,
    .test_all = test_all,
    .some = some,
    .wait_each = wait_each,
    .some_of_each = some_of_each,
    .wait_rest = wait_rest,
    .withdraw = withdraw,
    .last_tag = last_tag,
    .drain = drain,
    .describe = bine_loopback_describe,
    .size = bine_loopback_size,
    .pack = bine_loopback_pack,
    .unpack = bine_loopback_unpack,
    .copy = bine_loopback_copy,
    .reduce = bine_loopback_reduce,
    .match = bine_loopback_match,
    .poll = nothing,
    .is_by_one = nothing,
    .can_hook = nothing,
    .hook = no_hook,
};

struct bine_loopback *bine_loopback_new(const struct bine_loopback_setup *setup) {
    struct bine_loopback *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->setup = *setup;
    w->draws = setup->seed;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->moved, NULL);
    w->message = calloc((size_t)setup->messages, sizeof *w->message);
    w->rank = calloc((size_t)setup->p, sizeof *w->rank);
    if (w->message == NULL || w->rank == NULL) {
        bine_loopback_free(w);
        return NULL;
    }
    for (int k = 0; k < setup->messages; k++) {
        w->message[k].next = w->unused;
        w->unused = &w->message[k];
    }
    for (int k = 0; k < setup->p; k++)
        w->rank[k] = (struct bine_loopback_rank){.world = w, .self = k};
    return w;
}

void bine_loopback_free(struct bine_loopback *w) {
    if (w == NULL)
        return;
    free(w->message);
    free(w->rank);
    pthread_cond_destroy(&w->moved);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

int bine_loopback_pending(const struct bine_loopback *w) {
    return w->used;
}
