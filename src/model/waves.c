#include "model/waves.h"

#include <stdlib.h>
#include <string.h>

enum { NOBODY = -1 };

/* Strands that are staggered follow each other, a step behind. */
static int wave_of(const struct bine_deeds *d, const struct bine_deed *x) {
    return x->time + 1 + (d->staggered ? x->strand : 0);
}

/* The deeds of all ranks, each in its own name. */
static int carry_to_all(struct bine_deeds *d, int p) {
    size_t each = d->count, count = each * (size_t)p;
    struct bine_deed *all;
    if (d->how == BINE_NOT_SYMMETRIC)
        return 0;
    if ((all = realloc(d->deed, count * sizeof *all)) == NULL)
        return -1;
    for (int r = 1; r < p; r++)
        for (size_t i = 0; i < each; i++) {
            struct bine_deed *x = &all[(size_t)r * each + i];
            *x = all[i];
            x->rank = r;
            x->peer = bine_deed_carried(d->how, x->peer, r, p);
        }
    d->deed = all;
    d->room = d->count = count;
    d->how = BINE_NOT_SYMMETRIC;
    return 0;
}

/* Sorted by a number below `numbers`, otherwise left as they are; begin[k] says where those of k
 * begin. */
static void sort_into(struct bine_deed *to, const struct bine_deeds *d, size_t *begin, int numbers,
                      int by_wave) {
    memset(begin, 0, ((size_t)numbers + 1) * sizeof *begin);
    for (size_t i = 0; i < d->count; i++)
        begin[(by_wave ? wave_of(d, &d->deed[i]) : d->deed[i].rank) + 1]++;
    for (int k = 0; k < numbers; k++)
        begin[k + 1] += begin[k];
    for (size_t i = 0; i < d->count; i++)
        to[begin[by_wave ? wave_of(d, &d->deed[i]) : d->deed[i].rank]++] = d->deed[i];
    memmove(begin + 1, begin, (size_t)numbers * sizeof *begin);
    begin[0] = 0;
}

static int sort_deeds(struct bine_waves *w, struct bine_deeds *d) {
    int rc = 0;
    for (size_t i = 0; i < d->count; i++)
        w->waves = wave_of(d, &d->deed[i]) >= w->waves ? wave_of(d, &d->deed[i]) + 1 : w->waves;
    int most = w->waves > w->p ? w->waves : w->p;
    w->deed = malloc((d->count + 1) * sizeof *w->deed);
    w->wave = malloc(((size_t)most + 1) * sizeof *w->wave);
    if (w->deed == NULL || w->wave == NULL)
        return -1;
    sort_into(w->deed, d, w->wave, w->p, 0);
    memcpy(d->deed, w->deed, d->count * sizeof *d->deed);
    sort_into(w->deed, d, w->wave, w->waves, 1);
    w->count = d->count;
    return rc;
}

/* Every message that is sent in a wave is received in it: the receives of each rank are in a chain,
 * in their order. */
static void match_wave(struct bine_waves *w, size_t first, size_t end, int32_t *head,
                       uint32_t *next) {
    for (size_t i = end; i-- > first;)
        if (w->deed[i].receives) {
            next[i - first] = (uint32_t)(head[w->deed[i].rank] + 1);
            head[w->deed[i].rank] = (int32_t)(i - first);
        }
    for (size_t i = first; i < end; i++) {
        const struct bine_deed *x = &w->deed[i];
        if (x->receives || x->peer < 0)
            continue;
        int32_t before = NOBODY, k = head[x->peer];
        while (k != NOBODY && (w->deed[first + (size_t)k].peer != x->rank ||
                               w->deed[first + (size_t)k].strand != x->strand)) {
            before = k;
            k = (int32_t)next[k] - 1;
        }
        if (k == NOBODY)
            continue;
        w->other[i] = (uint32_t)(first + (size_t)k);
        if (before == NOBODY)
            head[x->peer] = (int32_t)next[k] - 1;
        else
            next[before] = next[k];
    }
    for (size_t i = first; i < end; i++)
        head[w->deed[i].rank] = NOBODY;
}

static int match(struct bine_waves *w) {
    size_t most = 0;
    for (int k = 0; k < w->waves; k++)
        most = w->wave[k + 1] - w->wave[k] > most ? w->wave[k + 1] - w->wave[k] : most;
    int32_t *head = malloc((size_t)w->p * sizeof *head);
    uint32_t *next = malloc((most + 1) * sizeof *next);
    w->other = malloc((w->count + 1) * sizeof *w->other);
    int rc = head == NULL || next == NULL || w->other == NULL ? -1 : 0;
    for (int r = 0; r < w->p && rc == 0; r++)
        head[r] = NOBODY;
    for (size_t i = 0; i < w->count && rc == 0; i++)
        w->other[i] = (uint32_t)i;
    for (int k = 0; k < w->waves && rc == 0; k++)
        match_wave(w, w->wave[k], w->wave[k + 1], head, next);
    free(head);
    free(next);
    return rc;
}

int bine_waves_make(struct bine_waves *w, struct bine_deeds *d, int p) {
    *w = (struct bine_waves){.p = p, .strands = d->strands, .staggered = d->staggered};
    int rc = carry_to_all(d, p) != 0 || sort_deeds(w, d) != 0 || match(w) != 0 ? -1 : 0;
    bine_deeds_free(d);
    if (rc != 0)
        bine_waves_free(w);
    return rc;
}

void bine_waves_free(struct bine_waves *w) {
    free(w->deed);
    free(w->other);
    free(w->wave);
    *w = (struct bine_waves){0};
}

/* A message under way. */
struct leaving {
    double at, end; /* when it comes to its next link; when those behind it are through with it */
    uint32_t deed;
};

struct run {
    const struct bine_waves *w;
    const struct bine_links *links;
    double bytes;
    double *clock, *end, *past; /* of each strand of each rank: when it comes to its next step; when
                                   the messages of its step are complete; and were of the last */
    double *processor, *rank_busy; /* of each rank: when it is free; how long it was busy */
    double *free_at, *link_busy;   /* the same of each link */
    double *posted;                /* of each deed of the wave */
    struct leaving *leaving;
    int32_t *head, *tail; /* of the queue of each link */
    int32_t *next;        /* of each message that leaves: the one behind it, */
    int64_t *link;        /* and the link that it comes to */
};

static double later(double a, double b) {
    return a > b ? a : b;
}

static size_t strand_of(const struct run *x, const struct bine_deed *d) {
    return (size_t)d->rank * (size_t)x->w->strands + d->strand;
}

static int same_step(const struct bine_deed *a, const struct bine_deed *b) {
    return a->rank == b->rank && a->strand == b->strand;
}

/* The steps of one rank in the wave, one for each strand, those that are ready first in front. */
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

static size_t find_steps(const struct run *x, size_t i, size_t end, int posts, struct steps *s) {
    const struct bine_deed *deed = x->w->deed;
    int32_t rank = deed[i].rank;
    s->count = 0;
    while (i < end && deed[i].rank == rank) {
        size_t first = i, strand = strand_of(x, &deed[i]);
        double at = posts ? ready_to_post(x, strand, deed[i].strand) : x->end[strand];
        while (i < end && same_step(&deed[first], &deed[i]))
            i++;
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
static void post_step(struct run *x, size_t i, size_t end, double at, size_t wave) {
    const struct bine_deed *d = &x->w->deed[i];
    double now = later(at, x->processor[d->rank]), begin = now;
    for (; i < end; i++)
        if (x->w->deed[i].peer >= 0) {
            now += x->links->rates.message * x->w->deed[i].transfers;
            x->posted[i - wave] = now;
        }
    if (now > begin)
        x->processor[d->rank] = now;
    x->rank_busy[d->rank] += now - begin;
    x->end[strand_of(x, d)] = at;
}

static void post_all(struct run *x, size_t first, size_t end) {
    struct steps s;
    for (size_t i = first; i < end;) {
        i = find_steps(x, i, end, 1, &s);
        for (int k = 0; k < s.count; k++)
            post_step(x, s.first[k], s.end[k], s.ready[k], first);
    }
}

static int by_leaving(const void *a, const void *b) {
    const struct leaving *x = a, *y = b;
    if (x->at < y->at || x->at > y->at)
        return x->at < y->at ? -1 : 1;
    return x->deed < y->deed ? -1 : x->deed > y->deed;
}

static int is_eager(const struct run *x, const struct bine_deed *d) {
    return d->share * x->bytes <= x->links->rates.eager;
}

/* The messages of the wave, each when it leaves. */
static size_t line_up(struct run *x, size_t first, size_t end) {
    size_t n = 0;
    for (size_t i = first; i < end; i++) {
        const struct bine_deed *d = &x->w->deed[i];
        if (d->peer < 0 || d->receives)
            continue;
        double at = x->posted[i - first];
        if (!is_eager(x, d))
            at = later(at, x->posted[x->w->other[i] - first]) +
                 bine_links_latency(x->links, d->rank, d->peer);
        x->leaving[n++] = (struct leaving){at, at, (uint32_t)i};
    }
    return n;
}

/* Links take messages in the order in which they come to them, as in model/time.c. The links of a
 * wave's messages are passed in turns: out of the nodes, up, down, into the nodes. What lies between
 * the nodes of a torus is one turn. */
enum turn { OUT, UP, DOWN, IN, TURNS };

static void pass(struct run *x, struct leaving *l, size_t link) {
    double bytes = x->w->deed[l->deed].share * x->bytes;
    struct bine_passed t = bine_links_pass(x->links, link, &x->free_at[link], l->at, bytes);
    x->link_busy[link] += t.takes;
    l->at = t.begins;
    l->end = later(l->end, t.ends);
}

/* The route of a message of a torus, but for its ends. */
static void pass_torus(struct run *x, size_t n) {
    size_t route[BINE_ROUTE_MOST];
    qsort(x->leaving, n, sizeof *x->leaving, by_leaving);
    for (size_t i = 0; i < n; i++) {
        const struct bine_deed *d = &x->w->deed[x->leaving[i].deed];
        int links = bine_links_route(x->links, d->rank, d->peer, route);
        for (int k = 1; k < links - 1; k++)
            pass(x, &x->leaving[i], route[k]);
    }
}

/* The link of a message in a turn, or -1. */
static int64_t link_in(const struct run *x, const struct leaving *l, enum turn turn) {
    const struct bine_deed *d = &x->w->deed[l->deed];
    size_t route[BINE_ROUTE_MOST];
    int n = bine_links_route(x->links, d->rank, d->peer, route);
    int k = turn == IN && n > 1 ? n - 1 : (int)turn;
    return turn == OUT || k < n - (turn != IN) ? (int64_t)route[k] : -1;
}

/* Into the queue of a link: behind those that come no later. */
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
static void sort_for_long_queues(struct run *x, size_t n) {
    if (n > 4 * (size_t)x->w->p)
        qsort(x->leaving, n, sizeof *x->leaving, by_leaving);
}

static void take_turn(struct run *x, size_t n, enum turn turn) {
    sort_for_long_queues(x, n);
    for (size_t i = 0; i < n; i++) {
        int64_t link = link_in(x, &x->leaving[i], turn);
        x->link[i] = link;
        if (link >= 0)
            queue_up(x, (size_t)link, (int32_t)i);
    }
    for (size_t i = 0; i < n; i++) {
        if (x->link[i] < 0)
            continue;
        size_t link = (size_t)x->link[i];
        for (int32_t k = x->head[link]; k != NOBODY; k = x->next[k])
            pass(x, &x->leaving[k], link);
        x->head[link] = NOBODY;
    }
}

static void arrive(struct run *x, const struct leaving *l, size_t first) {
    const struct bine_deed *d = &x->w->deed[l->deed];
    size_t other = x->w->other[l->deed];
    size_t sender = strand_of(x, d), receiver = strand_of(x, &x->w->deed[other]);
    double arrived = l->end + bine_links_latency(x->links, d->rank, d->peer);
    if (!is_eager(x, d))
        x->end[sender] = later(x->end[sender], l->end);
    x->end[receiver] = later(x->end[receiver], later(arrived, x->posted[other - first]));
}

static void pass_all(struct run *x, size_t n, size_t first) {
    for (size_t i = 0; i < n; i++) { /* an eager send is over at once */
        const struct bine_deed *d = &x->w->deed[x->leaving[i].deed];
        size_t sender = strand_of(x, d);
        if (is_eager(x, d))
            x->end[sender] = later(x->end[sender], x->leaving[i].at);
    }
    for (enum turn turn = OUT; turn < TURNS; turn++)
        if (x->links->torus == NULL || turn == OUT || turn == IN)
            take_turn(x, n, turn);
        else if (turn == UP)
            pass_torus(x, n);
    for (size_t i = 0; i < n; i++)
        arrive(x, &x->leaving[i], first);
}

/* Local work, and on to the next step. */
static double end_step(struct run *x, size_t i, size_t end) {
    const struct bine_deed *d = &x->w->deed[i];
    size_t s = strand_of(x, d);
    double work = 0;
    for (; i < end; i++)
        work += x->w->deed[i].work * x->bytes;
    x->clock[s] = x->past[s] = x->end[s];
    x->rank_busy[d->rank] += work;
    if (work > 0)
        x->clock[s] = x->processor[d->rank] = later(x->end[s], x->processor[d->rank]) + work;
    return x->clock[s];
}

static double end_all(struct run *x, size_t first, size_t end) {
    struct steps s;
    double last = 0;
    for (size_t i = first; i < end;) {
        i = find_steps(x, i, end, 0, &s);
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

static void run(struct run *x, struct bine_waves_time *t) {
    const struct bine_waves *w = x->w;
    for (int k = 0; k < w->waves; k++) {
        size_t first = w->wave[k], end = w->wave[k + 1];
        post_all(x, first, end);
        size_t n = line_up(x, first, end);
        pass_all(x, n, first);
        t->seconds = later(t->seconds, end_all(x, first, end));
    }
    t->least = later(most_of(x->link_busy, x->links->count), most_of(x->rank_busy, (size_t)w->p));
}

int bine_waves_run(const struct bine_waves *w, const struct bine_links *links, int64_t bytes,
                   struct bine_waves_time *t) {
    size_t strands = (size_t)w->p * (size_t)w->strands, most = 0, p = (size_t)w->p;
    struct run x = {.w = w, .links = links, .bytes = (double)bytes};
    *t = (struct bine_waves_time){0, 0};
    for (int k = 0; k < w->waves; k++)
        most = w->wave[k + 1] - w->wave[k] > most ? w->wave[k + 1] - w->wave[k] : most;
    double *memory = calloc(3 * strands + 2 * p + 2 * links->count + most + 1, sizeof *memory);
    x.leaving = malloc((most + 1) * sizeof *x.leaving);
    x.link = malloc((most + 1) * sizeof *x.link);
    x.next = malloc((2 * links->count + most + 1) * sizeof *x.next);
    int rc = memory == NULL || x.leaving == NULL || x.link == NULL || x.next == NULL ? -1 : 0;
    if (rc == 0) {
        x.head = x.next + most + 1;
        x.tail = x.head + links->count;
        for (size_t i = 0; i < links->count; i++)
            x.head[i] = NOBODY;
        x.clock = memory;
        x.end = x.clock + strands;
        x.past = x.end + strands;
        x.processor = x.past + strands;
        x.rank_busy = x.processor + p;
        x.free_at = x.rank_busy + p;
        x.link_busy = x.free_at + links->count;
        x.posted = x.link_busy + links->count;
        run(&x, t);
    }
    free(memory);
    free(x.leaving);
    free(x.link);
    free(x.next);
    return rc;
}
