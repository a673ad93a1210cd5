#include "model/time.h"
#include "base/numbers.h"
#include "model/events.h"
#include "model/work.h"
#include "schedule/walk/walk.h"

#include <math.h>
#include <stdlib.h>

enum kind {
    STEP,     /* a strand comes to its next step */
    LEAVE,    /* a message leaves its rank */
    TAKE,     /* it is there, and its receive is posted */
    COMPLETE, /* a strand has one message less to wait for */
    PASS      /* a piece of a message queues at the first link of its way; PASS + 1: at the second,
                 and so on */
};

/* Pieces in which links take a message: of so many bytes, but not more pieces than this. */
enum { PIECE = 16 << 10, PIECES_MOST = 8 };
#define NOBODY UINT32_MAX

/* How far a message has come. */
struct way {
    double left, end; /* when it left its rank; when the links so far are through with it */
    uint32_t behind;  /* of its connection: the message that waits for this one, or NOBODY */
    uint8_t to_leave, to_pass, pieces; /* pieces; before it arrives */
};

struct simulation {
    struct bine_messages messages;
    const struct bine_links *links;
    const struct bine_time_watch *watch; /* or NULL */
    double most;                         /* seconds that it is followed for */
    size_t most_messages;
    double idle; /* seconds since the call before */
    int at_once; /* sends are waited for at the end, not at the end of their step */
    int64_t bytes;
    struct bine_events events;
    struct bine_walk walk;
    double *processor;           /* of each rank: when it is free, */
    double *work;                /* and how long it copied and added up */
    double *done;                /* and when its last strand ended */
    double *taken;               /* and when it took its last message */
    double *free_at;             /* of each link */
    double *busy;                /* of each link: how long it was */
    double (*posted)[BINE_ENDS]; /* of each message: when, or -1 */
    struct way *way;             /* of each message */
    uint32_t *connection;        /* of each message: the first one between its two ranks, */
    uint32_t *last; /* and of that one: which of them left last, if not all of it has passed
                             the first link; or NOBODY */
};

/* An end has posted its part: does the message leave now? */
static void post(struct simulation *m, uint32_t number, int end, double at) {
    const struct bine_message *g = &m->messages.message[number];
    double *posted = m->posted[number];
    int eager = (double)g->bytes <= m->links->rates.eager;
    posted[end] = at;
    if (eager && end == BINE_SENDER)
        bine_events_put(&m->events, at, LEAVE, number);
    if (!eager && posted[!end] >= 0)
        bine_events_put(&m->events,
                        bine_max(at, posted[!end]) +
                            bine_links_latency(m->links, g->rank[0], g->rank[1]),
                        LEAVE, number);
}

static void complete(struct simulation *m, const struct bine_message *g, int end, double at) {
    double *done = &m->done[g->rank[end]];
    if (m->at_once && end == BINE_SENDER)
        *done = bine_max(*done, at);
    else
        bine_events_put(&m->events, at, COMPLETE,
                        (uint32_t)(bine_walk_end(&m->walk, g, end) - m->walk.cursor));
}

static void take_at(struct simulation *m, uint32_t number, double at) {
    bine_events_put(&m->events, at, TAKE, number);
}

/* The receiver takes one message after the other, however many are there: each costs it a moment,
 * of which the latency has the first. */
static void take(struct simulation *m, uint32_t number, double at) {
    const struct bine_message *g = &m->messages.message[number];
    double *taken = &m->taken[g->rank[BINE_RECEIVER]];
    *taken = bine_max(at, *taken + m->links->rates.message * g->transfers);
    complete(m, g, BINE_RECEIVER, *taken);
}

/* The last link is through with it. */
static void arrive(struct simulation *m, uint32_t number) {
    const struct bine_message *g = &m->messages.message[number];
    const struct way *w = &m->way[number];
    int eager = (double)g->bytes <= m->links->rates.eager;
    double arrived = w->end + bine_links_latency(m->links, g->rank[0], g->rank[1]);
    if (m->watch != NULL)
        m->watch->message(m->watch->self, number, w->left, arrived);
    if (!eager)
        complete(m, g, BINE_SENDER, w->end);
    /* A receive that is posted later finds it there: see receive. */
    if (m->posted[number][BINE_RECEIVER] >= 0)
        take_at(m, number, bine_max(arrived, m->posted[number][BINE_RECEIVER]));
    else
        m->posted[number][BINE_SENDER] = -2 - arrived; /* arrived before its receive was posted */
}

/* The first link of its way takes a message, piece by piece. */
static void enter(struct simulation *m, uint32_t number, double at) {
    struct way *w = &m->way[number];
    int64_t pieces = (m->messages.message[number].bytes + PIECE - 1) / PIECE;
    w->pieces = (uint8_t)(pieces < 1 ? 1 : pieces > PIECES_MOST ? PIECES_MOST : pieces);
    w->to_leave = w->to_pass = w->pieces;
    bine_events_put(&m->events, at, PASS, number);
}

/* Messages of a connection follow one another. */
static void leave(struct simulation *m, uint32_t number, double at) {
    const struct bine_message *g = &m->messages.message[number];
    uint32_t *last = &m->last[m->connection[number]], before = *last;
    m->way[number] = (struct way){.left = at, .end = at, .behind = NOBODY};
    if ((double)g->bytes <= m->links->rates.eager)
        complete(m, g, BINE_SENDER, at);
    *last = number;
    if (before == NOBODY)
        enter(m, number, at);
    else
        m->way[before].behind = number;
}

/* A piece has passed the first link. The next one queues behind those of other connections that
 * have come since. */
static void follow(struct simulation *m, uint32_t number, double at) {
    struct way *w = &m->way[number];
    if (--w->to_leave > 0)
        bine_events_put(&m->events, at, PASS, number);
    else if (w->behind != NOBODY)
        enter(m, w->behind, at);
    else
        m->last[m->connection[number]] = NOBODY;
}

/* Links take pieces in the order in which they come to them, as a switch does: none is kept free
 * for what still waits elsewhere. The first bytes go on while the others follow. */
static void pass(struct simulation *m, uint32_t number, int hop, double at) {
    const struct bine_message *g = &m->messages.message[number];
    struct way *w = &m->way[number];
    size_t route[BINE_ROUTE_MOST];
    int n = bine_links_route(m->links, g->rank[0], g->rank[1], route);
    size_t link = route[hop];
    double bytes = ((double)g->bytes + m->links->rates.headers) / w->pieces;
    struct bine_passed x = bine_links_pass(m->links, link, &m->free_at[link], at, bytes);
    m->busy[link] += x.takes;
    w->end = bine_max(w->end, x.ends);
    if (hop == 0)
        follow(m, number, x.ends);
    if (hop + 1 < n)
        bine_events_put(&m->events, x.begins, (uint32_t)(PASS + hop + 1), number);
    else if (--w->to_pass == 0)
        arrive(m, number);
}

static void receive(struct simulation *m, uint32_t number, double at) {
    double sent = m->posted[number][BINE_SENDER];
    if (sent <= -2) {
        m->posted[number][BINE_RECEIVER] = at;
        take_at(m, number, bine_max(at, -2 - sent));
    } else
        post(m, number, BINE_RECEIVER, at);
}

/* The processor's cost of an operation when its step's messages are complete. */
static double local_cost(const struct simulation *m, const struct bine_schedule *s, uint32_t op) {
    enum bine_local_work work = bine_op_work(s, &s->op[op]);
    return work == BINE_NO_WORK
               ? 0
               : bine_work_takes(work, &m->links->rates, (double)m->messages.op_bytes[s->rank][op]);
}

static void arrive_at_step(struct simulation *m, const struct bine_cursor *x, double at) {
    bine_events_put(&m->events, at, STEP, (uint32_t)(x - m->walk.cursor));
}

/* The step's messages are complete: its local work, then the next step; and the strand that waits
 * for this one. */
static void end_step(struct simulation *m, struct bine_cursor *x, double at) {
    const struct bine_schedule *s = bine_walk_schedule(&m->walk, x);
    const struct bine_step *step = &s->step[s->strand[x->strand].steps + x->step];
    double cost = 0;
    for (uint32_t k = step->ops; k < step->ops + step->nops; k++)
        cost += local_cost(m, s, k);
    double done = bine_max(at, m->processor[x->rank]) + cost;
    if (cost > 0)
        m->processor[x->rank] = done;
    m->work[x->rank] += cost;
    const struct bine_cursor *held = bine_walk_leave(&m->walk, x);
    arrive_at_step(m, x, cost > 0 ? done : at);
    if (held != NULL)
        arrive_at_step(m, held, at);
}

static void begin_step(struct simulation *m, struct bine_cursor *x, double at) {
    const struct bine_schedule *s = bine_walk_schedule(&m->walk, x);
    const struct bine_step *step = bine_walk_enter(&m->walk, x);
    if (step == NULL) {
        m->done[x->rank] = bine_max(m->done[x->rank], at);
        return;
    }
    if (x->pending == 0) {
        end_step(m, x, at);
        return;
    }
    double now = bine_max(at, m->processor[x->rank]);
    for (uint32_t k = step->ops; k < step->ops + step->nops; k++) {
        if (!bine_kind_is_message(s->op[k].kind))
            continue;
        uint32_t number = m->messages.of_op[x->rank][k];
        now += m->links->rates.message * m->messages.message[number].transfers;
        if (bine_op_sends(&s->op[k])) {
            post(m, number, BINE_SENDER, now);
            x->pending -= (uint32_t)m->at_once;
        } else
            receive(m, number, now);
    }
    m->processor[x->rank] = now;
    if (x->pending == 0)
        end_step(m, x, now);
}

static double run(struct simulation *m) {
    struct bine_event e;
    double end = 0;
    for (size_t i = 0; i < m->walk.cursors; i++)
        arrive_at_step(m, &m->walk.cursor[i], 0);
    while (end <= m->most && bine_events_take(&m->events, &e)) {
        end = bine_max(end, e.time);
        if (e.kind >= PASS)
            pass(m, e.what, (int)(e.kind - PASS), e.time);
        else if (e.kind == LEAVE)
            leave(m, e.what, e.time);
        else if (e.kind == TAKE)
            take(m, e.what, e.time);
        else if (e.kind == STEP)
            begin_step(m, &m->walk.cursor[e.what], e.time);
        else if (--m->walk.cursor[e.what].pending == 0)
            end_step(m, &m->walk.cursor[e.what], e.time);
    }
    return end;
}

/* Which messages follow one another on the way out: those of a pair of ranks are in a row. */
static void find_connections(struct simulation *m) {
    const struct bine_message *g = m->messages.message;
    for (uint32_t i = 0; i < m->messages.count; i++) {
        int more = i > 0 && g[i].rank[BINE_SENDER] == g[i - 1].rank[BINE_SENDER] &&
                   g[i].rank[BINE_RECEIVER] == g[i - 1].rank[BINE_RECEIVER];
        m->connection[i] = more ? m->connection[i - 1] : i;
        m->last[i] = NOBODY;
    }
}

static int prepare(struct simulation *m) {
    size_t p = (size_t)m->messages.p, links = m->links->count;
    m->processor = calloc(p, sizeof *m->processor);
    m->work = calloc(p, sizeof *m->work);
    m->done = calloc(p, sizeof *m->done);
    m->taken = malloc(p * sizeof *m->taken);
    m->free_at = malloc((links + 1) * sizeof *m->free_at);
    m->busy = calloc(links, sizeof *m->busy);
    m->posted = malloc((m->messages.count + 1) * sizeof *m->posted);
    m->way = malloc((m->messages.count + 1) * sizeof *m->way);
    m->connection = malloc((m->messages.count + 1) * sizeof *m->connection);
    m->last = malloc((m->messages.count + 1) * sizeof *m->last);
    if (bine_walk_open(&m->walk, &m->messages) != 0 || m->processor == NULL || m->work == NULL ||
        m->done == NULL || m->taken == NULL || m->free_at == NULL || m->busy == NULL ||
        m->posted == NULL || m->way == NULL || m->connection == NULL || m->last == NULL)
        return -1;
    for (size_t r = 0; r < p; r++)
        m->taken[r] = -HUGE_VAL;
    find_connections(m);
    bine_links_begin(m->links, m->idle, m->free_at);
    for (size_t i = 0; i < m->messages.count; i++)
        m->posted[i][BINE_SENDER] = m->posted[i][BINE_RECEIVER] = -1;
    return 0;
}

static void finish(struct simulation *m) {
    bine_walk_close(&m->walk);
    bine_messages_free(&m->messages);
    bine_events_free(&m->events);
    free(m->processor);
    free(m->work);
    free(m->done);
    free(m->taken);
    free(m->free_at);
    free(m->busy);
    free(m->posted);
    free(m->way);
    free(m->connection);
    free(m->last);
}

static void sum_up(const struct simulation *m, struct bine_time *t) {
    t->messages = m->messages.count;
    for (size_t i = 0; i < m->links->count; i++)
        if (m->busy[i] > t->busy) {
            t->busy = m->busy[i];
            t->busiest = i;
        }
    for (int r = 0; r < m->messages.p; r++) {
        t->work = bine_max(t->work, m->work[r]);
        t->mean += m->done[r] / m->messages.p;
    }
}

static int simulate(struct simulation *m, const struct bine_spec *spec, struct bine_time *t) {
    int rc = bine_messages_collect_lean(&m->messages, spec, m->bytes, m->most_messages);
    *t = (struct bine_time){0};
    if (rc == 0)
        rc = prepare(m);
    if (rc == 0) {
        t->seconds = run(m);
        sum_up(m, t);
        rc = m->events.failed ? -1 : 0;
    }
    finish(m);
    return rc;
}

int bine_time_watched(const struct bine_spec *spec, int64_t bytes, const struct bine_links *links,
                      const struct bine_time_watch *watch, struct bine_time *t) {
    struct simulation m = {.links = links,
                           .bytes = bytes,
                           .watch = watch,
                           .most = HUGE_VAL,
                           .most_messages = SIZE_MAX};
    return simulate(&m, spec, t);
}

int bine_time_within(const struct bine_spec *spec, int64_t bytes, const struct bine_links *links,
                     double most, struct bine_time *t) {
    struct simulation m = {.links = links, .bytes = bytes, .most = most, .most_messages = SIZE_MAX};
    return simulate(&m, spec, t);
}

int bine_time_of(const struct bine_spec *spec, int64_t bytes, const struct bine_links *links,
                 struct bine_time *t) {
    return bine_time_within(spec, bytes, links, HUGE_VAL, t);
}

static int execute(struct bine_spec spec, int64_t bytes, const struct bine_links *links,
                   const struct bine_time_bound *bound, struct bine_time *t) {
    struct simulation m = {.links = links,
                           .bytes = bytes,
                           .most = HUGE_VAL,
                           .most_messages = bound->messages,
                           .idle = bound->idle,
                           .at_once = bound->at_once};
    return simulate(&m, &spec, t);
}

/* The first `k` of the segments, and of the vector. */
static int execute_first(struct bine_spec spec, int k, int64_t bytes,
                         const struct bine_links *links, const struct bine_time_bound *bound,
                         struct bine_time *t) {
    bytes = bytes / spec.segments * k;
    spec.segments = k;
    return execute(spec, bytes, links, bound, t);
}

int bine_time_bounded(const struct bine_spec *spec, int64_t bytes, const struct bine_links *links,
                      const struct bine_time_bound *bound, struct bine_time *t) {
    struct bine_time few;
    int k = 1, all = spec->segments;
    int rc = execute(*spec, bytes, links, bound, t);
    if (rc != 1 || all < 2)
        return rc;
    rc = execute_first(*spec, k, bytes, links, bound, &few);
    if (rc != 0)
        return rc;
    while (4 * k < all && 4 * (size_t)k * few.messages <= bound->messages)
        k *= 2;
    rc = k > 1 ? execute_first(*spec, k, bytes, links, bound, &few) : 0;
    if (rc == 0)
        rc = execute_first(*spec, 2 * k, bytes, links, bound, t);
    if (rc == 0) {
        double more = (double)(all - 2 * k) / k; /* times as many as between the two */
        t->seconds += (t->seconds - few.seconds) * more;
        t->mean += (t->mean - few.mean) * more;
        t->busy += (t->busy - few.busy) * more;
        t->work += (t->work - few.work) * more;
        t->messages += (size_t)((double)(t->messages - few.messages) * more);
    }
    return rc;
}
