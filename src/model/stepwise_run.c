#include "model/stepwise.h"

#include <stdlib.h>
#include <string.h>

enum { NOBODY = -1 };

/* Links take messages in the order in which they come to them, as in model/time.c. The links of a
 * wave's messages are passed in turns: out of the nodes, up, down, into the nodes. Between the
 * nodes of a torus each link of the way is a turn, without queues. */
enum turn { OUT, UP, DOWN, IN, TURNS };

/* A pending message. */
struct leaving {
    double at, end; /* when it comes to its next link; when its links so far are through with it */
    uint32_t item;
    uint32_t key;        /* to sort by */
    int32_t link[TURNS]; /* or NOBODY */
};

struct run {
    const struct bine_stepwise *w;
    const struct bine_links *links;
    double bytes;
    const struct bine_work_item *item; /* the work items of all ranks in the wave, */
    const uint32_t *other;             /* and the receives that match the sends */
    size_t count;
    struct bine_work_item *own_item; /* items written down from rank 0's */
    uint32_t *own_other;
    double *clock, *end, *past; /* of each strand of each rank: when it comes to its next step; when
                                   the messages of its step are complete; and were of the last */
    double *processor, *rank_busy; /* of each rank: when it is free; how long it was busy */
    double *free_at, *link_busy;   /* for each link */
    double *taken;                 /* of each rank: when it took its last message */
    int32_t *seen;                 /* of each rank: the last wave that brought it a message */
    int32_t wave;
    double *posted; /* of each work item of the wave */
    struct leaving *leaving, *sorted;
    int32_t *head, *tail; /* of the queue of each link */
    int32_t *next;        /* of each message that leaves: the one behind it */
    int32_t *hop;         /* links between the nodes of a torus */
    size_t hop_room;
    int failed;
};

static double later(double a, double b) {
    return a > b ? a : b;
}

static size_t strand_of(const struct run *x, const struct bine_work_item *d) {
    return (size_t)d->rank * (size_t)x->w->strands + d->strand;
}

/* The work items of all ranks in a wave. Where rank 0 stands for all, each rank gets them in its
 * own name. */
static void open_wave(struct run *x, int k) {
    const struct bine_stepwise *w = x->w;
    size_t first = w->wave[k], each = w->wave[k + 1] - first, n = 0;
    x->item = w->item + first;
    x->other = w->other + first;
    x->count = each;
    if (!w->symmetric)
        return;
    for (int r = 0; r < w->p; r++)
        for (size_t i = 0; i < each; i++) {
            struct bine_work_item *d = &x->own_item[n];
            *d = w->item[first + i];
            d->rank = r;
            d->peer = bine_work_item_carried(&w->like, d->peer, r);
            int receiver = d->peer < 0 || d->receives ? r : d->peer;
            x->own_other[n++] = (uint32_t)((size_t)receiver * each) + w->other[first + i];
        }
    x->item = x->own_item;
    x->other = x->own_other;
    x->count = n;
}

static size_t end_of_step(const struct run *x, size_t i) {
    const struct bine_work_item *d = &x->item[i];
    do
        i++;
    while (i < x->count && x->item[i].rank == d->rank && x->item[i].strand == d->strand);
    return i;
}

/* The steps of one rank in the wave, one for each strand, the ready ones in front. */
struct steps {
    size_t first[BINE_GROUP_SEGMENTS + 1];
    double ready[BINE_GROUP_SEGMENTS];
    size_t end[BINE_GROUP_SEGMENTS];
    int count;
};

static double ready_to_post(const struct run *x, size_t strand, int number) {
    return x->w->staggered && number > 0 ? later(x->clock[strand], x->past[strand - 1])
                                         : x->clock[strand];
}

static size_t find_steps(const struct run *x, size_t i, int posts, struct steps *s) {
    int32_t rank = x->item[i].rank;
    s->count = 0;
    while (i < x->count && x->item[i].rank == rank) {
        size_t first = i, strand = strand_of(x, &x->item[i]);
        double at = posts ? ready_to_post(x, strand, x->item[i].strand) : x->end[strand];
        i = end_of_step(x, first);
        int k = s->count++;
        for (; k > 0 && s->ready[k - 1] > at; k--) {
            s->first[k] = s->first[k - 1];
            s->end[k] = s->end[k - 1];
            s->ready[k] = s->ready[k - 1];
        }
        s->first[k] = first;
        s->end[k] = i;
        s->ready[k] = at;
    }
    return i;
}

/* A strand posts its messages of the wave, one after the other. */
static void post_step(struct run *x, size_t i, size_t end, double at) {
    const struct bine_work_item *d = &x->item[i];
    double now = later(at, x->processor[d->rank]), begin = now;
    for (; i < end; i++)
        if (x->item[i].peer >= 0) {
            now += x->links->rates.message * x->item[i].transfers;
            x->posted[i] = now;
        }
    if (now > begin)
        x->processor[d->rank] = now;
    x->rank_busy[d->rank] += now - begin;
    x->end[strand_of(x, d)] = at;
}

static void post_all(struct run *x) {
    struct steps s;
    for (size_t i = 0; i < x->count;) {
        i = find_steps(x, i, 1, &s);
        for (int k = 0; k < s.count; k++)
            post_step(x, s.first[k], s.end[k], s.ready[k]);
    }
}

static int is_eager(const struct run *x, const struct bine_work_item *d) {
    return d->share * x->bytes <= x->links->rates.eager;
}

/* By time, digit by digit; messages within 2^-32 of the wave's time leave together, and stay in
 * their order. */
static void sort_leaving(struct run *x, size_t n) {
    double from = x->leaving[0].at, to = from;
    for (size_t i = 0; i < n; i++) {
        from = x->leaving[i].at < from ? x->leaving[i].at : from;
        to = later(to, x->leaving[i].at);
    }
    if (to <= from)
        return;
    enum { BITS = 11, DIGITS = 1 << BITS, PASSES = 3 };
    static const double most = UINT32_MAX;
    for (size_t i = 0; i < n; i++)
        x->leaving[i].key = (uint32_t)((x->leaving[i].at - from) / (to - from) * most);
    for (int pass = 0; pass < PASSES; pass++) {
        uint32_t begin[DIGITS + 1] = {0};
        for (size_t i = 0; i < n; i++)
            begin[(x->leaving[i].key >> pass * BITS & (DIGITS - 1)) + 1]++;
        for (int k = 0; k < DIGITS; k++)
            begin[k + 1] += begin[k];
        for (size_t i = 0; i < n; i++)
            x->sorted[begin[x->leaving[i].key >> pass * BITS & (DIGITS - 1)]++] = x->leaving[i];
        struct leaving *swap = x->leaving;
        x->leaving = x->sorted;
        x->sorted = swap;
    }
}

/* The links of a message in its turns. */
static void find_links(const struct run *x, const struct bine_work_item *d, int32_t link[TURNS]) {
    size_t route[BINE_ROUTE_MOST];
    int torus = x->links->torus != NULL;
    int n = 2;
    if (torus)
        bine_links_ends(x->links, d->rank, d->peer, route);
    else
        n = bine_links_route(x->links, d->rank, d->peer, route);
    link[OUT] = (int32_t)route[0];
    link[UP] = n > 2 ? (int32_t)route[1] : NOBODY;
    link[DOWN] = n > 3 ? (int32_t)route[2] : NOBODY;
    link[IN] = (int32_t)route[n - 1];
}

/* The messages of the wave, each when it leaves. An eager send is then over. */
static size_t line_up(struct run *x) {
    size_t n = 0;
    for (size_t i = 0; i < x->count; i++) {
        const struct bine_work_item *d = &x->item[i];
        if (d->peer < 0 || d->receives)
            continue;
        double at = x->posted[i], *end = &x->end[strand_of(x, d)];
        if (is_eager(x, d))
            *end = later(*end, at);
        else
            at = later(at, x->posted[x->other[i]]) + bine_links_latency(x->links, d->rank, d->peer);
        x->leaving[n] = (struct leaving){.at = at, .end = at, .item = (uint32_t)i};
        find_links(x, d, x->leaving[n++].link);
    }
    return n;
}

static void pass(struct run *x, struct leaving *l, size_t link) {
    double bytes = x->item[l->item].share * x->bytes + x->links->rates.headers;
    struct bine_passed t = bine_links_pass(x->links, link, &x->free_at[link], l->at, bytes);
    x->link_busy[link] += t.takes;
    l->at = t.begins;
    l->end = later(l->end, t.ends);
}

/* The routes of the messages of a torus, but for their ends, one after the other; x->next says
 * where each ends. */
static int find_hops(struct run *x, size_t n) {
    size_t route[BINE_ROUTE_MOST], count = 0;
    for (size_t i = 0; i < n; i++) {
        const struct bine_work_item *d = &x->item[x->leaving[i].item];
        int links = bine_links_route(x->links, d->rank, d->peer, route);
        if (count + BINE_ROUTE_MOST > x->hop_room) {
            size_t room = 2 * (count + BINE_ROUTE_MOST);
            int32_t *more = realloc(x->hop, room * sizeof *more);
            if (more == NULL)
                return -1;
            x->hop = more;
            x->hop_room = room;
        }
        for (int k = 1; k < links - 1; k++)
            x->hop[count++] = (int32_t)route[k];
        x->next[i] = (int32_t)count;
    }
    return 0;
}

/* All messages pass the first link of their way, in the order in which they leave, then all the
 * second: none keeps a link that it has yet to come to. */
static void pass_torus(struct run *x, size_t n) {
    int pending = 1;
    sort_leaving(x, n);
    if (find_hops(x, n) != 0) {
        x->failed = 1;
        return;
    }
    for (int32_t k = 0; pending; k++) {
        int32_t begin = 0;
        pending = 0;
        for (size_t i = 0; i < n; begin = x->next[i++])
            if (begin + k < x->next[i]) {
                pass(x, &x->leaving[i], (size_t)x->hop[begin + k]);
                pending = 1;
            }
    }
}

/* Into the queue of a link: behind messages that come no later. */
static void queue_up(struct run *x, size_t link, int32_t i) {
    double at = x->leaving[i].at;
    int32_t *place = &x->head[link];
    if (*place != NOBODY && x->leaving[x->tail[link]].at <= at)
        place = &x->next[x->tail[link]];
    while (*place != NOBODY && x->leaving[*place].at <= at)
        place = &x->next[*place];
    x->next[i] = *place;
    *place = i;
    if (x->next[i] == NOBODY)
        x->tail[link] = i;
}

/* Queues that get long are put in order all at once. */
static void take_turn(struct run *x, size_t n, enum turn turn) {
    if (turn == UP || turn == DOWN || n > 4 * (size_t)x->w->p)
        sort_leaving(x, n);
    for (size_t i = 0; i < n; i++)
        if (x->leaving[i].link[turn] != NOBODY)
            queue_up(x, (size_t)x->leaving[i].link[turn], (int32_t)i);
    for (size_t i = 0; i < n; i++) {
        if (x->leaving[i].link[turn] == NOBODY)
            continue;
        size_t link = (size_t)x->leaving[i].link[turn];
        for (int32_t k = x->head[link]; k != NOBODY; k = x->next[k])
            pass(x, &x->leaving[k], link);
        x->head[link] = NOBODY;
    }
}

/* The message has arrived, and its receive is posted. Returns whether the wave brings its receiver
 * more than this one. */
static int arrive(struct run *x, struct leaving *l) {
    const struct bine_work_item *d = &x->item[l->item];
    size_t other = x->other[l->item], sender = strand_of(x, d);
    int32_t *seen = &x->seen[x->item[other].rank];
    int more = *seen == x->wave;
    if (!is_eager(x, d))
        x->end[sender] = later(x->end[sender], l->end);
    l->at = later(l->end + bine_links_latency(x->links, d->rank, d->peer), x->posted[other]);
    *seen = x->wave;
    return more;
}

/* The receiver takes one message after the other, as in model/time.c. */
static void take(struct run *x, const struct leaving *l) {
    const struct bine_work_item *d = &x->item[x->other[l->item]];
    double *taken = &x->taken[d->rank], *end = &x->end[strand_of(x, d)];
    *taken = later(l->at, *taken + x->links->rates.message * d->transfers);
    *end = later(*end, *taken);
}

static void pass_all(struct run *x, size_t n) {
    int across = 0;
    for (size_t i = 0; i < n; i++)
        across |= x->leaving[i].link[UP] != NOBODY;
    for (enum turn turn = OUT; turn < TURNS && n > 0; turn++)
        if (turn == OUT || turn == IN || across)
            take_turn(x, n, turn);
        else if (turn == UP && x->links->torus != NULL)
            pass_torus(x, n);
    int many = 0;
    for (size_t i = 0; i < n; i++)
        many |= arrive(x, &x->leaving[i]);
    if (many)
        sort_leaving(x, n);
    for (size_t i = 0; i < n; i++)
        take(x, &x->leaving[i]);
}

/* Local work, and on to the next step. */
static double end_step(struct run *x, size_t i, size_t end) {
    const struct bine_work_item *d = &x->item[i];
    size_t s = strand_of(x, d);
    double work = 0;
    for (; i < end; i++)
        work += bine_work_item_cost(&x->item[i], x->bytes, &x->links->rates);
    x->clock[s] = x->past[s] = x->end[s];
    x->rank_busy[d->rank] += work;
    if (work > 0)
        x->clock[s] = x->processor[d->rank] = later(x->end[s], x->processor[d->rank]) + work;
    return x->clock[s];
}

static double end_all(struct run *x) {
    struct steps s;
    double last = 0;
    for (size_t i = 0; i < x->count;) {
        i = find_steps(x, i, 0, &s);
        for (int k = 0; k < s.count; k++)
            last = later(last, end_step(x, s.first[k], s.end[k]));
    }
    return last;
}

static double most_of(const double *x, size_t n) {
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = later(most, x[i]);
    return most;
}

static void run(struct run *x, double most, struct bine_stepwise_time *t) {
    for (int k = 0; k < x->w->stepwise && t->seconds <= most; k++) {
        open_wave(x, k);
        x->wave = k;
        post_all(x);
        pass_all(x, line_up(x));
        t->seconds = later(t->seconds, end_all(x));
        t->work += (double)x->count;
    }
    t->least =
        later(most_of(x->link_busy, x->links->count), most_of(x->rank_busy, (size_t)x->w->p));
}

int bine_stepwise_run(const struct bine_stepwise *w, const struct bine_links *links, int64_t bytes,
                      double most, struct bine_stepwise_time *t) {
    int carried = w->symmetric;
    size_t p = (size_t)w->p, strands = p * (size_t)w->strands,
           room = bine_stepwise_most(w) * (carried ? p : 1) + 1;
    struct run x = {.w = w, .links = links, .bytes = (double)bytes};
    *t = (struct bine_stepwise_time){0};
    double *memory = calloc(3 * strands + 3 * p + 2 * links->count + room, sizeof *memory);
    struct leaving *leaving = malloc(2 * room * sizeof *leaving);
    x.own_item = carried ? malloc(room * sizeof *x.own_item) : NULL;
    x.own_other = carried ? malloc(room * sizeof *x.own_other) : NULL;
    x.next = malloc((2 * links->count + room + p) * sizeof *x.next);
    int rc = memory == NULL || leaving == NULL || x.next == NULL ||
                     (carried && (x.own_item == NULL || x.own_other == NULL))
                 ? -1
                 : 0;
    if (rc == 0) {
        x.head = x.next + room;
        x.tail = x.head + links->count;
        x.seen = x.tail + links->count;
        for (size_t i = 0; i < links->count; i++)
            x.head[i] = NOBODY;
        for (size_t r = 0; r < p; r++)
            x.seen[r] = NOBODY;
        x.leaving = leaving;
        x.sorted = leaving + room;
        x.clock = memory;
        x.end = x.clock + strands;
        x.past = x.end + strands;
        x.processor = x.past + strands;
        x.rank_busy = x.processor + p;
        x.taken = x.rank_busy + p;
        x.free_at = x.taken + p;
        x.link_busy = x.free_at + links->count;
        x.posted = x.link_busy + links->count;
        bine_links_begin(links, 0, x.free_at);
        run(&x, most, t);
        rc = x.failed ? -1 : 0;
    }
    free(memory);
    free(leaving);
    free(x.next);
    free(x.hop);
    free(x.own_item);
    free(x.own_other);
    return rc;
}
