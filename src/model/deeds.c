#include "model/deeds.h"
#include "model/messages.h"

#include <stdlib.h>
#include <string.h>

/* Shares of the vector are counted with this many bytes. */
static const int64_t whole = (int64_t)1 << 36;
/* A sample has one rank of each group, and so many at least; and so many that they make about so
 * many steps of building, and of looking. */
enum { SAMPLE = 8, STEPS = 20000, PROBES = 4 };

int bine_deeds_add(struct bine_deeds *d, struct bine_deed x) {
    if (d->count == d->room) {
        size_t room = d->room == 0 ? 256 : 2 * d->room;
        struct bine_deed *more = realloc(d->deed, room * sizeof *more);
        if (more == NULL)
            return -1;
        d->deed = more;
        d->room = room;
    }
    d->deed[d->count++] = x;
    return 0;
}

void bine_deeds_free(struct bine_deeds *d) {
    free(d->deed);
    free(d->rank);
    free(d->stands);
    *d = (struct bine_deeds){0};
}

/* Those of one rank, in the order of its schedule. */
static int add_schedule(struct bine_deeds *d, const struct bine_schedule *s,
                        const struct bine_rates *rates, struct bine_longer_blocks *places) {
    for (uint32_t x = 0; x < s->nstrands; x++)
        for (uint32_t i = 0; i < s->strand[x].nsteps; i++) {
            const struct bine_step *step = &s->step[s->strand[x].steps + i];
            for (uint32_t k = step->ops; k < step->ops + step->nops; k++) {
                const struct bine_op *op = &s->op[k];
                int64_t bytes = bine_op_bytes(s, op, whole, places);
                double share = (double)bytes / (double)whole;
                double rate = bine_op_rate(s, op, rates);
                int talks = bine_op_sends(op) || bine_op_receives(op);
                struct bine_deed deed = {.rank = s->rank,
                                         .peer = talks ? op->peer : -1,
                                         .time = step->time,
                                         .strand = (uint16_t)x,
                                         .receives = (uint16_t)bine_op_receives(op),
                                         .transfers = s->layout == BINE_PACK ? 1 : op->nruns,
                                         .share = (float)share,
                                         .work = rate > 0 ? (float)(share / rate) : 0};
                if (bytes < 0 || bine_deeds_add(d, deed) != 0)
                    return -1;
            }
        }
    d->strands = (int)s->nstrands > d->strands ? (int)s->nstrands : d->strands;
    d->staggered = s->staggered;
    return 0;
}

/* Also says how many steps it took to build it, about. */
static int add_rank(struct bine_deeds *d, const struct bine_request *rq, int rank,
                    const struct bine_rates *rates, struct bine_longer_blocks *places,
                    size_t *steps) {
    struct bine_request one = *rq;
    one.rank = rank;
    struct bine_schedule *s = bine_schedule_build(&one);
    int rc = s == NULL ? -1 : add_schedule(d, s, rates, places);
    if (s != NULL)
        *steps = (size_t)s->nops + s->nruns + 4;
    bine_schedule_free(s);
    return rc;
}

int bine_deed_carried(enum bine_symmetry how, int peer, int r, int p) {
    if (peer < 0)
        return peer;
    if (how == BINE_BY_XOR)
        return peer ^ r;
    return how == BINE_BY_MIRROR && r % 2 == 1 ? (r - peer + p) % p : (r + peer) % p;
}

/* A message that wraps around the end of the vector is in one more part. */
static int same(const struct bine_deed *a, const struct bine_deed *b) {
    uint32_t more = a->transfers > b->transfers ? a->transfers : b->transfers,
             less = a->transfers > b->transfers ? b->transfers : a->transfers;
    return a->time == b->time && a->receives == b->receives && more - less <= 1 + more / 8 &&
           a->share > 0.999F * b->share && a->share < 1.001F * b->share + 1e-9F;
}

/* Whether another rank's deeds are those of rank 0, carried to it. Messages of one time may come in
 * another order. */
static int is_carried(const struct bine_deeds *zero, const struct bine_deeds *other,
                      enum bine_symmetry how, int r, int p) {
    if (zero->count != other->count || (how == BINE_BY_XOR && (p & (p - 1)) != 0) ||
        (how == BINE_BY_MIRROR && p % 2 != 0))
        return 0;
    for (size_t i = 0; i < zero->count; i++) {
        int peer = bine_deed_carried(how, zero->deed[i].peer, r, p), found = 0;
        size_t low = i < 8 ? 0 : i - 8;
        for (size_t k = low; k < other->count && k < i + 8 && !found; k++)
            found = other->deed[k].peer == peer && same(&zero->deed[i], &other->deed[k]);
        if (!found)
            return 0;
    }
    return 1;
}

/* By which symmetry all ranks do what rank 0 does, as far as some others show. */
static int find_symmetry(struct bine_deeds *zero, const struct bine_request *rq,
                         const struct bine_rates *rates, struct bine_longer_blocks *places) {
    int probe[PROBES] = {1, 2, rq->p / 2 + 1, rq->p - 1};
    int possible[BINE_NOT_SYMMETRIC + 1] = {1, 1, 1, 1}, k = 0;
    for (int i = 0; i < PROBES; i++) {
        struct bine_deeds other = {0};
        size_t steps;
        int rc = probe[i] < rq->p ? add_rank(&other, rq, probe[i], rates, places, &steps) : 0;
        for (k = 0; k < BINE_NOT_SYMMETRIC && rc == 0 && probe[i] < rq->p; k++)
            possible[k] &= is_carried(zero, &other, (enum bine_symmetry)k, probe[i], rq->p);
        bine_deeds_free(&other);
        if (rc != 0)
            return -1;
    }
    for (k = 0; !possible[k];)
        k++;
    zero->how = (enum bine_symmetry)k;
    return 0;
}

/* The root, which stands for nobody else, and from each group some, evenly: about n in all. */
static int choose_ranks(struct bine_deeds *d, const struct bine_request *rq,
                        const struct bine_links *links, size_t n) {
    size_t p = (size_t)rq->p, groups = (size_t)links->groups;
    int32_t *size = calloc(3 * groups, sizeof *size), *seen = size + groups, *taken = seen + groups;
    d->rank = malloc(p * sizeof *d->rank);
    d->stands = malloc(p * sizeof *d->stands);
    if (size == NULL || d->rank == NULL || d->stands == NULL) {
        free(size);
        return -1;
    }
    for (size_t r = 0; r < p; r++)
        size[links->group[r]] += (int)r != rq->root;
    for (size_t r = 0; r < p; r++) {
        int g = links->group[r];
        int64_t wanted = 1 + (int64_t)((double)n * size[g] / (double)p);
        wanted = n >= p || wanted > size[g] ? size[g] : wanted;
        int root = (int)r == rq->root, place = root ? 0 : seen[g]++;
        if (!root && (int64_t)place * wanted / size[g] < taken[g])
            continue;
        taken[g] += !root;
        d->rank[d->ranks] = (int32_t)r;
        d->stands[d->ranks++] = root ? 1 : (double)size[g] / (double)wanted;
    }
    free(size);
    return 0;
}

/* All ranks, if they take few steps to build, or so many that they take few. */
static size_t ranks_for(double steps, int p, double most) {
    size_t n = (size_t)(STEPS / steps);
    if (steps * p <= most)
        return (size_t)p;
    n = n < SAMPLE ? SAMPLE : n;
    return n < (size_t)p ? n : (size_t)p - 1;
}

/* One that is neither the root nor near it shows what most ranks do. */
static int measure(struct bine_deeds *d, const struct bine_request *rq, int rank,
                   const struct bine_rates *rates, struct bine_longer_blocks *places,
                   double *steps) {
    size_t n, before = d->count;
    int rc = add_rank(d, rq, rank, rates, places, &n);
    d->count = before;
    *steps = rc == 0 ? (double)n : 1;
    return rc;
}

static int collect(struct bine_deeds *d, const struct bine_request *rq,
                   const struct bine_links *links, double most) {
    struct bine_request one = *rq;
    struct bine_trees trees = bine_request_plant(&one);
    struct bine_longer_blocks places = {0};
    size_t n;
    double steps = 1;
    int rc = add_rank(d, &one, 0, &links->rates, &places, &n);
    if (rc == 0 && !bine_collective_is_rooted(rq->algorithm->collective) && rq->groups == NULL)
        rc = find_symmetry(d, &one, &links->rates, &places);
    if (d->how != BINE_NOT_SYMMETRIC)
        steps = (double)d->count + 1;
    else if (rc == 0)
        rc = measure(d, &one, (rq->root + rq->p / 2 + 1) % rq->p, &links->rates, &places, &steps);
    if (rc == 0)
        rc = choose_ranks(d, rq, links, ranks_for(steps, rq->p, most));
    d->cost = steps * rq->p;
    if (d->how == BINE_NOT_SYMMETRIC)
        d->count = 0;
    for (size_t i = 0; i < d->ranks && rc == 0 && d->how == BINE_NOT_SYMMETRIC; i++)
        rc = add_rank(d, &one, d->rank[i], &links->rates, &places, &n);
    bine_longer_blocks_free(&places);
    bine_trees_fell(&trees);
    return rc;
}

int bine_deeds_make(struct bine_deeds *d, const struct bine_request *rq,
                    const struct bine_links *links, double most) {
    int rc;
    *d = (struct bine_deeds){.how = BINE_NOT_SYMMETRIC};
    if (bine_deeds_by_groups(rq)) {
        rc = choose_ranks(d, rq, links, (size_t)rq->p);
        if (rc == 0)
            rc = bine_deeds_add_groups(d, rq, &links->rates);
        d->cost = (double)d->count;
    } else
        rc = collect(d, rq, links, most);
    d->complete = d->ranks == (size_t)rq->p;
    if (rc != 0)
        bine_deeds_free(d);
    return rc;
}
