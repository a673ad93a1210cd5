#include "model/quick.h"
#include "model/messages.h"

#include <stdlib.h>
#include <string.h>

/* Shares of the vector are counted with this many bytes. */
static const int64_t whole = (int64_t)1 << 36;
/* Where an algorithm is not symmetric: so many ranks stand for all at least; and so many that they
 * make about so many moves. */
enum { SAMPLE = 24, MOVES = 40000, PROBES = 4 };

/* What a rank does at one time with one peer. */
struct move {
    int32_t rank, peer, time;
    int8_t receives;
    uint32_t transfers;
    double share, work;
};

struct moves {
    struct move *move;
    size_t count, room;
};

enum symmetry { SHIFT, MIRROR, XOR, NONE };

static int add_move(struct moves *list, struct move m) {
    if (list->count == list->room) {
        size_t room = list->room == 0 ? 256 : 2 * list->room;
        struct move *more = realloc(list->move, room * sizeof *more);
        if (more == NULL)
            return -1;
        list->move = more;
        list->room = room;
    }
    list->move[list->count++] = m;
    return 0;
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

/* The moves of one rank, in the order of its schedule; local work has no peer. */
static int add_schedule(struct moves *list, const struct bine_schedule *s,
                        const struct bine_rates *rates, struct bine_longer_blocks *places) {
    for (uint32_t x = 0; x < s->nstrands; x++)
        for (uint32_t i = 0; i < s->strand[x].nsteps; i++) {
            const struct bine_step *step = &s->step[s->strand[x].steps + i];
            for (uint32_t k = step->ops; k < step->ops + step->nops; k++) {
                const struct bine_op *op = &s->op[k];
                int64_t bytes = bine_op_bytes(s, op, whole, places);
                double share = (double)bytes / (double)whole;
                double rate = bine_op_rate(s, op, rates);
                int moves = bine_op_sends(op) || bine_op_receives(op);
                struct move m = {.rank = s->rank,
                                 .peer = moves ? op->peer : -1,
                                 .time = step->time,
                                 .receives = (int8_t)bine_op_receives(op),
                                 .transfers = bine_op_transfers(s, op),
                                 .share = share,
                                 .work = rate > 0 ? share / rate : 0};
                if (bytes < 0 || add_move(list, m) != 0)
                    return -1;
            }
        }
    return 0;
}

static int add_rank(struct moves *list, const struct bine_request *rq, int rank,
                    const struct bine_rates *rates, struct bine_longer_blocks *places) {
    struct bine_request one = *rq;
    one.rank = rank;
    struct bine_schedule *s = bine_schedule_build(&one);
    int rc = s == NULL ? -1 : add_schedule(list, s, rates, places);
    bine_schedule_free(s);
    return rc;
}

/* The peer that rank r has where rank 0 has `peer`. */
static int carried(enum symmetry how, int peer, int r, int p) {
    if (peer < 0)
        return peer;
    if (how == XOR)
        return peer ^ r;
    return how == MIRROR && r % 2 == 1 ? (r - peer + p) % p : (r + peer) % p;
}

static int same(const struct move *a, const struct move *b) {
    return a->time == b->time && a->receives == b->receives && a->transfers == b->transfers &&
           a->share > 0.999 * b->share && a->share < 1.001 * b->share + 1e-12;
}

/* Whether another rank's moves are those of rank 0, carried to it. Messages of one time may come in
 * another order. */
static int is_carried(const struct moves *zero, const struct moves *other, enum symmetry how, int r,
                      int p) {
    if (zero->count != other->count || (how == XOR && (p & (p - 1)) != 0) ||
        (how == MIRROR && p % 2 != 0))
        return 0;
    for (size_t i = 0; i < zero->count; i++) {
        int peer = carried(how, zero->move[i].peer, r, p), found = 0;
        size_t low = i < 8 ? 0 : i - 8;
        for (size_t k = low; k < other->count && k < i + 8 && !found; k++)
            found = other->move[k].peer == peer && same(&zero->move[i], &other->move[k]);
        if (!found)
            return 0;
    }
    return 1;
}

/* By which symmetry all ranks do what rank 0 does, as far as some others show. */
static int find_symmetry(const struct bine_request *rq, const struct bine_rates *rates,
                         const struct moves *zero, struct bine_longer_blocks *places,
                         enum symmetry *how) {
    int probe[PROBES] = {1, 2, rq->p / 2 + 1, rq->p - 1};
    int possible[NONE] = {1, 1, 1};
    for (int i = 0; i < PROBES; i++) {
        struct moves other = {0};
        if (probe[i] >= rq->p)
            continue;
        if (add_rank(&other, rq, probe[i], rates, places) != 0) {
            free(other.move);
            return -1;
        }
        for (int k = 0; k < NONE; k++)
            possible[k] &= is_carried(zero, &other, (enum symmetry)k, probe[i], rq->p);
        free(other.move);
    }
    *how = possible[SHIFT] ? SHIFT : possible[MIRROR] ? MIRROR : possible[XOR] ? XOR : NONE;
    return 0;
}

/* The loads of one step. */
struct loads {
    const struct bine_links *links;
    double *load;    /* of each link: share of the vector */
    size_t *touched; /* the links that have one */
    size_t count;
    double *posts, *work; /* of each rank */
    int times;            /* that the step is repeated */
    double latencies;     /* of the step's messages, added up */
    double moves;
    double *link_sum; /* of each link, over all steps: share of the vector */
    double *post_sum, *work_sum;
};

static void load_link(struct loads *l, size_t link, double share) {
    if (l->load[link] == 0)
        l->touched[l->count++] = link;
    l->load[link] += share;
}

/* One message as its sender sees it (its node's link, the way across) or its receiver (its node's
 * link): between them they see all of it. `scale`: ranks that this one stands for. */
static void load_move(struct loads *l, const struct move *m, int rank, int peer, double scale,
                      struct bine_quick_step *step) {
    size_t route[BINE_ROUTE_MOST];
    l->work[rank] += m->work;
    if (peer < 0)
        return;
    int from = m->receives ? peer : rank, to = m->receives ? rank : peer;
    double latency = bine_links_latency(l->links, from, to);
    step->latency = latency > step->latency ? latency : step->latency;
    l->latencies += latency;
    l->moves++;
    step->largest = m->share > step->largest ? m->share : step->largest;
    l->posts[rank] += m->transfers;
    if (!m->receives)
        step->sent = larger(step->sent, l->posts[rank]);
    int n = bine_links_route(l->links, from, to, route);
    if (m->receives)
        load_link(l, route[n - 1], m->share);
    else
        for (int i = 0; i < (n == 1 ? 0 : n - 1); i++)
            load_link(l, route[i], i == 0 ? m->share : m->share * scale);
}

/* The slowest of everything. */
static void close_step(struct loads *l, const int32_t *rank, size_t ranks,
                       struct bine_quick_step *step) {
    for (size_t i = 0; i < l->count; i++)
        step->link = larger(step->link, l->load[l->touched[i]] / l->links->rate[l->touched[i]]);
    for (size_t i = 0; i < ranks; i++) {
        step->messages = larger(step->messages, l->posts[rank[i]]);
        step->work = larger(step->work, l->work[rank[i]]);
    }
    step->usual = l->moves > 0 ? l->latencies / l->moves : 0;
    l->latencies = l->moves = 0;
    l->times = 1;
}

/* The loads of the step go to the sums, as often as it was repeated, and are empty again. */
static void clear_step(struct loads *l, const int32_t *rank, size_t ranks) {
    for (size_t i = 0; i < l->count; i++) {
        size_t link = l->touched[i];
        l->link_sum[link] += l->times * l->load[link];
        l->load[link] = 0;
    }
    l->count = 0;
    for (size_t i = 0; i < ranks; i++) {
        size_t r = (size_t)rank[i];
        l->post_sum[r] += l->times * l->posts[r];
        l->work_sum[r] += l->times * l->work[r];
        l->posts[r] = l->work[r] = 0;
    }
}

/* What the busiest link and the busiest rank have to do in all. */
static void sum_up(struct bine_quick *q, const struct loads *l, const int32_t *rank, size_t ranks,
                   double scale, int root) {
    double posts = 0;
    for (size_t i = 0; i < l->links->count; i++)
        q->link = larger(q->link, l->link_sum[i] / l->links->rate[i]);
    for (size_t i = 0; i < ranks; i++) {
        q->posts = larger(q->posts, l->post_sum[rank[i]]);
        q->work = larger(q->work, l->work_sum[rank[i]]);
        posts += l->post_sum[rank[i]] * (rank[i] == root ? 1 : scale);
    }
    q->messages = posts / 2;
}

static int add_step(struct bine_quick *q, const struct bine_quick_step *step) {
    if (q->steps == q->room) {
        size_t room = q->room == 0 ? 32 : 2 * q->room;
        struct bine_quick_step *more = realloc(q->step, room * sizeof *more);
        if (more == NULL)
            return -1;
        q->step = more;
        q->room = room;
    }
    q->step[q->steps++] = *step;
    return 0;
}

static int by_time(const void *a, const void *b) {
    const struct move *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static size_t end_of_time(const struct moves *list, size_t first) {
    size_t end = first;
    while (end < list->count && list->move[end].time == list->move[first].time)
        end++;
    return end;
}

/* A step that does what the one before it did, as those of a ring: nothing new to look at. */
static int repeats(const struct moves *list, size_t first, size_t end, size_t before) {
    if (first - before != end - first)
        return 0;
    for (size_t i = 0; i < end - first; i++) {
        const struct move *a = &list->move[first + i], *b = &list->move[before + i];
        if (a->peer != b->peer || a->receives != b->receives || a->transfers != b->transfers ||
            a->share > 1.001 * b->share + 1e-12 || a->share < 0.999 * b->share ||
            a->work > 1.001 * b->work || a->work < 0.999 * b->work)
            return 0;
    }
    return 1;
}

/* All ranks, or the sample, step by step; the root stands for nobody else. */
static int count_steps(struct bine_quick *q, struct loads *l, struct moves *list, enum symmetry how,
                       const int32_t *rank, size_t ranks, int root) {
    double scale = ranks < 2 ? 1 : (double)(l->links->p - 1) / (double)(ranks - 1);
    size_t before = 0;
    qsort(list->move, list->count, sizeof *list->move, by_time);
    for (size_t first = 0, end; first < list->count; before = first, first = end) {
        struct bine_quick_step step = {.repeat = 1};
        end = end_of_time(list, first);
        if (first > 0 && repeats(list, first, end, before)) {
            q->step[q->steps - 1].repeat++;
            l->times++;
            continue;
        }
        clear_step(l, rank, ranks);
        for (size_t i = first; i < end; i++) {
            const struct move *m = &list->move[i];
            if (how == NONE)
                load_move(l, m, m->rank, m->peer, m->rank == root ? 1 : scale, &step);
            else
                for (size_t r = 0; r < ranks; r++)
                    load_move(l, m, rank[r], carried(how, m->peer, rank[r], l->links->p), 1, &step);
        }
        close_step(l, rank, ranks, &step);
        if (add_step(q, &step) != 0)
            return -1;
    }
    clear_step(l, rank, ranks);
    sum_up(q, l, rank, ranks, scale, root);
    return 0;
}

/* The root, and others evenly; all of them, if each makes few moves. */
static size_t choose_sample(const struct bine_request *rq, size_t moves, int32_t *rank) {
    size_t p = (size_t)rq->p, n = MOVES / (moves + 1);
    n = n < SAMPLE ? SAMPLE : n;
    n = n < p ? n : p;
    for (size_t i = 0; i < n; i++)
        rank[i] = (int32_t)(((size_t)rq->root + i * p / n + (n < p && i % 2 == 1)) % p);
    return n;
}

static int open_loads(struct loads *l, const struct bine_links *links) {
    *l = (struct loads){.links = links};
    l->load = calloc(links->count, sizeof *l->load);
    l->touched = malloc(links->count * sizeof *l->touched);
    l->posts = calloc((size_t)links->p, 4 * sizeof *l->posts);
    l->link_sum = calloc(links->count, sizeof *l->link_sum);
    if (l->load == NULL || l->touched == NULL || l->posts == NULL || l->link_sum == NULL)
        return -1;
    l->work = l->posts + links->p;
    l->post_sum = l->work + links->p;
    l->work_sum = l->post_sum + links->p;
    return 0;
}

static void close_loads(struct loads *l) {
    free(l->load);
    free(l->touched);
    free(l->posts);
    free(l->link_sum);
}

int bine_quick_make(struct bine_quick *q, const struct bine_request *rq,
                    const struct bine_links *links) {
    struct bine_request one = *rq;
    struct bine_tree *tree = bine_request_tree(rq);
    struct moves list = {0};
    struct loads loads = {0};
    struct bine_longer_blocks places = {0};
    enum symmetry how = NONE;
    int32_t *rank = malloc((size_t)rq->p * sizeof *rank);
    size_t ranks = 0;
    int rc = rank == NULL || open_loads(&loads, links) != 0 ? -1 : 0;
    *q = (struct bine_quick){0};
    one.tree = tree;
    if (rc == 0)
        rc = add_rank(&list, &one, 0, &links->rates, &places);
    if (rc == 0 && !bine_collective_is_rooted(rq->algorithm->collective) && rq->groups == NULL)
        rc = find_symmetry(&one, &links->rates, &list, &places, &how);
    if (rc == 0 && how == NONE) {
        ranks = choose_sample(rq, list.count, rank);
        list.count = 0;
        for (size_t i = 0; i < ranks && rc == 0; i++)
            rc = add_rank(&list, &one, rank[i], &links->rates, &places);
    }
    for (; rc == 0 && how != NONE && ranks < (size_t)rq->p; ranks++)
        rank[ranks] = (int32_t)ranks;
    if (rc == 0)
        rc = count_steps(q, &loads, &list, how, rank, ranks, rq->root);
    close_loads(&loads);
    free(list.move);
    free(rank);
    bine_longer_blocks_free(&places);
    bine_tree_free(tree);
    if (rc != 0)
        bine_quick_free(q);
    return rc;
}

double bine_quick_time(const struct bine_quick *q, const struct bine_links *links, int64_t bytes) {
    double sum = 0, n = (double)bytes;
    for (size_t i = 0; i < q->steps; i++) {
        const struct bine_quick_step *x = &q->step[i];
        double posts = x->messages * links->rates.message;
        if (x->largest * n > links->rates.eager) /* both ends must have posted it */
            posts += 2 * x->latency;
        else
            posts = larger(x->sent * links->rates.message + (x->repeat > 2 ? x->usual : x->latency),
                           posts);
        sum += x->repeat * (posts + n * (x->link + x->work));
    }
    return sum;
}

double bine_quick_least(const struct bine_quick *q, const struct bine_links *links, int64_t bytes) {
    double n = (double)bytes;
    return larger(n * q->link, q->posts * links->rates.message + n * q->work);
}

void bine_quick_free(struct bine_quick *q) {
    free(q->step);
    *q = (struct bine_quick){0};
}
