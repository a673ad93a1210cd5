#include "model/analytic.h"

#include <stdlib.h>
#include <string.h>

static double larger(double a, double b) {
    return a > b ? a : b;
}

/* Links of a torus, by dimension and direction. */
enum { KINDS = 2 * BINE_DIMS_MOST };

/* The loads of one step. */
struct loads {
    const struct bine_links *links;
    double *load;    /* of each link: share of the vector */
    size_t *touched; /* the links that have one */
    size_t count;
    double *posts, *takes, *work; /* of each rank; takes: the messages that it receives */
    int times;                    /* that the step is repeated */
    double latencies;             /* of the step's messages, added up */
    double moves;
    double *link_sum; /* of each link, over all steps: share of the vector */
    double *post_sum, *work_sum;
    double *stands; /* the number of ranks that each one stands for */
    /* Of the links of a torus, by dimension and direction: what ranks of a sample put on them in
     * the name of others, who are elsewhere. Those of a kind share it evenly. */
    double even[KINDS], even_sum[KINDS];
};

static void load_link(struct loads *l, size_t link, double share) {
    if (share <= 0) /* messages of no bytes, as barriers have */
        return;
    if (l->load[link] <= 0)
        l->touched[l->count++] = link;
    l->load[link] += share;
}

static size_t kind_of(const struct bine_links *links, size_t link) {
    return (link - links->across) % (2 * (size_t)links->shape.dims);
}

/* Seconds for each byte on the links of the busiest kind. */
static double busiest_kind(const struct bine_links *links, const double even[KINDS]) {
    double most = 0;
    for (int k = 0; links->torus != NULL && k < 2 * links->shape.dims; k++)
        most = larger(most, even[k] / bine_shape_nodes(&links->shape) / links->rate[links->across]);
    return most;
}

/* One message as its sender sees it (its node's link, the way across) or its receiver (its node's
 * link): between them they see all of it. `scale`: ranks that this one stands for. */
static void load_move(struct loads *l, const struct bine_work_item *m, int rank, int peer,
                      double scale, struct bine_analytic_step *step) {
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
    l->takes[rank] += m->receives ? m->transfers : 0;
    step->sent = larger(step->sent, m->receives ? l->takes[rank] : l->posts[rank]);
    int n = bine_links_route(l->links, from, to, route);
    if (route[0] == l->links->core) /* as long as one rank copies it; others do not matter */
        step->link = larger(step->link, m->share * l->links->takes[l->links->core]);
    if (m->receives)
        load_link(l, route[n - 1], m->share);
    else
        for (int i = route[0] == l->links->core; i < n - 1; i++) {
            int shared = i > 0 && l->links->torus != NULL && scale > 1;
            load_link(l, route[i], i == 0 || shared ? m->share : m->share * scale);
            if (shared)
                l->even[kind_of(l->links, route[i])] += m->share * scale;
        }
}

/* The slowest of everything. */
static void close_step(struct loads *l, const int32_t *rank, size_t ranks,
                       struct bine_analytic_step *step) {
    for (size_t i = 0; i < l->count; i++)
        step->link = larger(step->link, l->load[l->touched[i]] / l->links->rate[l->touched[i]]);
    step->link = larger(step->link, busiest_kind(l->links, l->even));
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
    for (int k = 0; k < KINDS; k++) {
        l->even_sum[k] += l->times * l->even[k];
        l->even[k] = 0;
    }
    for (size_t i = 0; i < ranks; i++) {
        size_t r = (size_t)rank[i];
        l->post_sum[r] += l->times * l->posts[r];
        l->work_sum[r] += l->times * l->work[r];
        l->posts[r] = l->takes[r] = l->work[r] = 0;
    }
}

/* The total work of the busiest link and of the busiest rank. */
static void sum_up(struct bine_analytic *q, const struct loads *l, const int32_t *rank,
                   size_t ranks) {
    double posts = 0;
    for (size_t i = 0; i < l->links->count; i++)
        q->link = larger(q->link, l->link_sum[i] / l->links->rate[i]);
    q->link = larger(q->link, busiest_kind(l->links, l->even_sum));
    for (size_t i = 0; i < ranks; i++) {
        q->posts = larger(q->posts, l->post_sum[rank[i]]);
        q->work = larger(q->work, l->work_sum[rank[i]]);
        posts += l->post_sum[rank[i]] * l->stands[rank[i]];
    }
    q->messages = posts / 2;
}

static int add_step(struct bine_analytic *q, const struct bine_analytic_step *step) {
    if (q->steps == q->room) {
        size_t room = q->room == 0 ? 32 : 2 * q->room;
        struct bine_analytic_step *more = realloc(q->step, room * sizeof *more);
        if (more == NULL)
            return -1;
        q->step = more;
        q->room = room;
    }
    q->step[q->steps++] = *step;
    return 0;
}

/* By time, from -1 on, otherwise as they were: rank by rank. */
static int sort_by_time(struct bine_work_list *list) {
    int32_t times = 1;
    for (size_t i = 0; i < list->count; i++)
        times = list->item[i].time + 2 > times ? list->item[i].time + 2 : times;
    size_t *begin = calloc((size_t)times + 1, sizeof *begin);
    struct bine_work_item *sorted = malloc((list->count + 1) * sizeof *sorted);
    int rc = begin == NULL || sorted == NULL ? -1 : 0;
    for (size_t i = 0; i < list->count && rc == 0; i++)
        begin[list->item[i].time + 2]++;
    for (int32_t k = 0; k < times && rc == 0; k++)
        begin[k + 1] += begin[k];
    for (size_t i = 0; i < list->count && rc == 0; i++)
        sorted[begin[list->item[i].time + 1]++] = list->item[i];
    free(begin);
    if (rc == 0) {
        free(list->item);
        list->item = sorted;
        list->room = list->count + 1;
    } else
        free(sorted);
    return rc;
}

static size_t end_of_time(const struct bine_work_list *list, size_t first) {
    size_t end = first;
    while (end < list->count && list->item[end].time == list->item[first].time)
        end++;
    return end;
}

/* A step equal to the one before it, as in a ring: nothing new to estimate. */
static int repeats(const struct bine_work_list *list, size_t first, size_t end, size_t before) {
    if (first - before != end - first)
        return 0;
    for (size_t i = 0; i < end - first; i++) {
        const struct bine_work_item *a = &list->item[first + i], *b = &list->item[before + i];
        if (a->peer != b->peer || a->receives != b->receives || a->transfers != b->transfers ||
            a->share > 1.001 * b->share + 1e-12 || a->share < 0.999 * b->share ||
            a->work > 1.001 * b->work || a->work < 0.999 * b->work)
            return 0;
    }
    return 1;
}

/* All ranks, or the sample, step by step. */
static int count_steps(struct bine_analytic *q, struct loads *l, struct bine_work_list *list) {
    const int32_t *rank = list->rank;
    size_t before = 0, ranks = list->ranks;
    if (sort_by_time(list) != 0)
        return -1;
    for (size_t first = 0, end; first < list->count; before = first, first = end) {
        struct bine_analytic_step step = {.repeat = 1};
        end = end_of_time(list, first);
        if (first > 0 && repeats(list, first, end, before)) {
            q->step[q->steps - 1].repeat++;
            l->times++;
            continue;
        }
        clear_step(l, rank, ranks);
        q->estimated += (double)(end - first) * (list->symmetric ? (double)ranks : 1);
        for (size_t i = first; i < end; i++) {
            const struct bine_work_item *m = &list->item[i];
            if (!list->symmetric)
                load_move(l, m, m->rank, m->peer, l->stands[m->rank], &step);
            else
                for (size_t r = 0; r < ranks; r++)
                    load_move(l, m, rank[r], bine_work_item_carried(&list->like, m->peer, rank[r]),
                              list->stands[r], &step);
        }
        close_step(l, rank, ranks, &step);
        if (add_step(q, &step) != 0)
            return -1;
    }
    clear_step(l, rank, ranks);
    sum_up(q, l, rank, ranks);
    return 0;
}

static int open_loads(struct loads *l, const struct bine_links *links) {
    *l = (struct loads){.links = links};
    l->load = calloc(links->count, sizeof *l->load);
    l->touched = malloc(links->count * sizeof *l->touched);
    l->posts = calloc((size_t)links->p, 6 * sizeof *l->posts);
    l->link_sum = calloc(links->count, sizeof *l->link_sum);
    if (l->load == NULL || l->touched == NULL || l->posts == NULL || l->link_sum == NULL)
        return -1;
    l->work = l->posts + links->p;
    l->post_sum = l->work + links->p;
    l->work_sum = l->post_sum + links->p;
    l->stands = l->work_sum + links->p;
    l->takes = l->stands + links->p;
    return 0;
}

static void close_loads(struct loads *l) {
    free(l->load);
    free(l->touched);
    free(l->posts);
    free(l->link_sum);
}

int bine_analytic_make(struct bine_analytic *q, struct bine_work_list *d,
                       const struct bine_links *links) {
    struct loads loads;
    *q = (struct bine_analytic){0};
    int rc = open_loads(&loads, links);
    for (size_t i = 0; i < d->ranks && rc == 0; i++)
        loads.stands[d->rank[i]] = d->stands[i];
    if (rc == 0)
        rc = count_steps(q, &loads, d);
    close_loads(&loads);
    if (rc != 0)
        bine_analytic_free(q);
    return rc;
}

/* Posting one message after the other goes on while the first ones are on their way. */
static double overlap(double posts, double link, double messages) {
    double more = larger(posts, link), less = posts + link - more;
    return more + less / (messages > 1 ? messages : 1);
}

double bine_analytic_time(const struct bine_analytic *q, const struct bine_links *links,
                          int64_t bytes) {
    double sum = 0, n = (double)bytes;
    for (size_t i = 0; i < q->steps; i++) {
        const struct bine_analytic_step *x = &q->step[i];
        double cost = links->rates.message, latency = x->repeat > 2 ? x->usual : x->latency;
        double link = n * x->link + x->messages / 2 * links->rates.headers / links->rates.node;
        if (x->largest * n > links->rates.eager) /* both ends must have posted it */
            sum += x->repeat * (2 * x->latency + n * x->work +
                                overlap(x->messages * cost, link, x->messages / 2));
        else
            sum += x->repeat *
                   (n * x->work + larger(latency + overlap(x->sent * cost, link, x->messages / 2),
                                         x->messages * cost));
    }
    return sum;
}

double bine_analytic_least(const struct bine_analytic *q, const struct bine_links *links,
                           int64_t bytes) {
    double n = (double)bytes;
    return larger(n * q->link, q->posts * links->rates.message + n * q->work);
}

void bine_analytic_free(struct bine_analytic *q) {
    free(q->step);
    *q = (struct bine_analytic){0};
}
