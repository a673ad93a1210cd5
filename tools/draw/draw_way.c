/* What of the schedules is drawn, and where: the way of a block, lifetimes, the order of columns.
 */
#include "base/numbers.h"
#include "draw/draw.h"

#include "pattern/bine_family.h"
#include "pattern/negabinary.h"

#include <stdlib.h>
#include <string.h>

static int carries(const struct bine_drawing *d, const struct bine_arrow *a, int block) {
    for (uint32_t i = a->runs; i < a->runs + a->nruns; i++)
        if (block >= d->run[i].first && block < d->run[i].first + d->run[i].count)
            return 1;
    return 0;
}

/* Partial sums of whole vectors: the contribution of a rank is in every message of a rank that it
 * has reached; the first arrival counts. */
static int mark_spread(struct bine_drawing *d, int source) {
    int *since = malloc((size_t)d->p * sizeof *since);
    if (since == NULL)
        return -1;
    for (int r = 0; r < d->p; r++)
        since[r] = r == source ? -1 : d->steps;
    for (uint32_t i = 0; i < d->narrows; i++) {
        struct bine_arrow *a = &d->arrow[i];
        a->marked = since[a->from] < a->step && since[a->to] > a->step;
        if (a->marked)
            since[a->to] = a->step;
    }
    free(since);
    return 0;
}

/* Whether all messages together are the one tree of the root. */
static int is_one_tree(const struct bine_spec *spec, int block) {
    switch (spec->algorithm->composition) {
    case BINE_MAKE_BCAST:
    case BINE_MAKE_REDUCE:
    case BINE_MAKE_REDUCE_ORDERED:
    case BINE_MAKE_ALLREDUCE_ORDERED:
        return 1;
    case BINE_MAKE_SCATTER:
    case BINE_MAKE_GATHER:
    case BINE_MAKE_GROUP_SCATTER:
    case BINE_MAKE_GROUP_GATHER:
        return block < 0;
    default:
        return 0;
    }
}

static void keep_marked(struct bine_drawing *d) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < d->narrows; i++)
        if (d->arrow[i].marked)
            d->arrow[n++] = d->arrow[i];
    d->narrows = n;
}

/* Where a block is at home: at the rank whose it is; of a vector's blocks, where it is added up at
 * last. */
static int home_of(const struct bine_drawing *d, int block) {
    const struct bine_algorithm *a = d->wish->request.algorithm;
    int home = block < d->p ? block : 0, last = -1;
    if (bine_draw_follows_ranks(a))
        return block;
    if (!bine_cuts_a_vector(a->collective))
        return block / d->parts;
    for (uint32_t i = 0; i < d->narrows; i++) {
        const struct bine_arrow *x = &d->arrow[i];
        if (x->marked && x->adds && (x->step > last || x->to == block)) {
            last = x->step;
            home = x->to;
        }
    }
    return home;
}

int bine_draw_mark(struct bine_drawing *d) {
    const struct bine_spec *spec = &d->wish->request;
    const struct bine_algorithm *a = spec->algorithm;
    int rooted = bine_collective_is_rooted(a->collective);
    int tree = d->wish->kind == BINE_DRAW_TREE;
    int all = is_one_tree(spec, d->wish->block), rc = 0;
    int block = d->wish->block >= 0 ? d->wish->block : spec->root;
    d->highlight = !all && !tree && d->wish->block >= 0;
    if (bine_draw_follows_ranks(a) && a->collective != BINE_ALLTOALL)
        rc = mark_spread(d, block);
    else
        for (uint32_t i = 0; i < d->narrows; i++)
            d->arrow[i].marked = all || carries(d, &d->arrow[i], block);
    if (rooted)
        d->source = spec->root;
    else if (a->composition == BINE_MAKE_ALLREDUCE_ORDERED)
        d->source = tree ? bine_split_left(d->p) : -1;
    else if (tree || d->highlight)
        d->source = home_of(d, block);
    if (tree)
        keep_marked(d);
    return rc;
}

/* Whether everyone has something at the beginning: data comes together before it spreads. */
static int comes_together(const struct bine_drawing *d) {
    const struct bine_spec *spec = &d->wish->request;
    switch (bine_collective_kind(spec->algorithm->collective)) {
    case BINE_GATHER:
        return d->wish->block < 0;
    case BINE_REDUCE:
    case BINE_REDUCE_SCATTER:
        return 1;
    case BINE_ALLREDUCE:
        return !bine_draw_follows_ranks(spec->algorithm);
    default:
        return 0;
    }
}

/* Data that has been handed over for good: the sender takes no more part until it receives. */
static int hands_over(const struct bine_drawing *d, const struct bine_arrow *a) {
    const struct bine_algorithm *x = d->wish->request.algorithm;
    enum bine_collective kind = bine_collective_kind(x->collective);
    if (kind == BINE_ALLREDUCE)
        return a->adds && !bine_draw_follows_ranks(x);
    return kind == BINE_REDUCE || kind == BINE_GATHER || kind == BINE_REDUCE_SCATTER;
}

static void begin_lives(struct bine_drawing *d) {
    const struct bine_draw_wish *w = d->wish;
    int everyone = comes_together(d);
    int gathers = bine_collective_kind(w->request.algorithm->collective) == BINE_GATHER;
    int source = gathers ? w->block / d->parts : d->source;
    for (int r = 0; r < d->p; r++)
        d->alive[r] = d->box[r] = (unsigned char)(everyone || r == source);
}

int bine_draw_live(struct bine_drawing *d) {
    size_t p = (size_t)d->p, cells = p * (size_t)(d->steps + 1);
    d->alive = calloc(cells, 1);
    d->box = calloc(cells, 1);
    if (d->alive == NULL || d->box == NULL)
        return -1;
    if (d->wish->kind != BINE_DRAW_TREE) {
        memset(d->alive, 1, cells);
        memset(d->box, 1, cells);
        return 0;
    }
    begin_lives(d);
    for (int j = 0; j < d->steps; j++) {
        unsigned char *next = d->alive + (size_t)(j + 1) * p, *box = d->box + (size_t)(j + 1) * p;
        memcpy(next, d->alive + (size_t)j * p, p);
        for (uint32_t i = 0; i < d->narrows; i++)
            if (d->arrow[i].step == j && hands_over(d, &d->arrow[i]))
                next[d->arrow[i].from] = 0;
        for (uint32_t i = 0; i < d->narrows; i++)
            if (d->arrow[i].step == j)
                next[d->arrow[i].to] = box[d->arrow[i].to] = 1;
    }
    return 0;
}

/* Arrows are in the order of steps. */
int bine_draw_count(struct bine_drawing *d) {
    int *sent = calloc((size_t)d->p, sizeof *sent), *received = calloc((size_t)d->p, sizeof *sent);
    int rc = sent == NULL || received == NULL ? -1 : 0;
    for (uint32_t begin = 0, end; begin < d->narrows && rc == 0; begin = end) {
        for (end = begin; end < d->narrows && d->arrow[end].step == d->arrow[begin].step; end++) {
            sent[d->arrow[end].from]++;
            received[d->arrow[end].to]++;
        }
        int below = 0, above = 0;
        for (uint32_t i = begin; i < end; i++) {
            d->arrow[i].sent = sent[d->arrow[i].from];
            d->arrow[i].received = received[d->arrow[i].to];
            below |= d->arrow[i].sent == 1;
            above |= d->arrow[i].sent > 1 && d->arrow[i].received == 1;
        }
        for (uint32_t i = begin; i < end; i++) {
            d->arrow[i].below = below;
            d->arrow[i].above = above;
        }
        memset(sent, 0, (size_t)d->p * sizeof *sent);
        memset(received, 0, (size_t)d->p * sizeof *received);
    }
    free(sent);
    free(received);
    return rc;
}

static long drawn_length(struct bine_drawing *d, int first) {
    long sum = 0;
    d->first = first;
    for (uint32_t i = 0; i < d->narrows; i++)
        sum +=
            labs((long)bine_draw_column(d, d->arrow[i].from) - bine_draw_column(d, d->arrow[i].to));
    return sum;
}

/* A tree is cut open where its arrows get shortest, so that a Bine tree stands as in the paper: the
 * ranks left of the root are those that wrap around. Of equal cuts, the one with the fewest ranks
 * left of the root. */
void bine_draw_order(struct bine_drawing *d) {
    int best = d->wish->first >= 0 ? d->wish->first : 0;
    if (d->wish->kind == BINE_DRAW_TREE && d->wish->first < 0) {
        best = d->source;
        long least = drawn_length(d, best);
        for (int k = 1; k < d->p; k++) {
            int first = bine_mod_sub(d->source, k, d->p);
            long sum = drawn_length(d, first);
            if (sum < least) {
                least = sum;
                best = first;
            }
        }
    }
    d->first = best;
}

int bine_draw_has_notes(const struct bine_spec *spec) {
    enum bine_family f = spec->algorithm->tree;
    return bine_is_pow2(spec->p) &&
           (f == BINE_FAMILY_BINE || f == BINE_FAMILY_BINE_PAPER || f == BINE_FAMILY_SPLIT);
}

/* The paper's numbers belong to the nodes of the tree: rank2nb far-first, nu near-first. */
int bine_draw_note(struct bine_drawing *d) {
    const struct bine_algorithm *a = d->wish->request.algorithm;
    struct bine_tree *t = bine_family_tree(a->tree, d->p, a->order, a->radix);
    int far = a->order == BINE_FAR_FIRST, root = d->source >= 0 ? d->source : 0;
    d->note = malloc((size_t)d->p * sizeof *d->note);
    if (t == NULL || d->note == NULL) {
        bine_tree_free(t);
        return -1;
    }
    d->note_name = far ? "rank2nb" : "nu";
    for (int r = 0; r < d->p; r++) {
        int v = bine_tree_node(t, root, r);
        d->note[r] = far ? bine_rank2nb(v, d->p) : bine_nu(v, d->p);
    }
    bine_tree_free(t);
    return 0;
}
