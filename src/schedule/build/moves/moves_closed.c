/* Moves by closed form: equal to the enumeration, in O(log p). */
#include "base/numbers.h"
#include "pattern/bine_family.h"
#include "pattern/circulant.h"
#include "pattern/negabinary.h"
#include "schedule/build/moves/moves_list.h"

/* Split tree: rank of node v for a root, and the ascending spans of ranks of a circular run of
 * nodes. */
static struct bine_tree split_view(int p, enum bine_action action) {
    return (struct bine_tree){.p = p, .steps = bine_log2_ceil(p), .action = action};
}

/* The whole vector comes to a node and goes on from it. */
static int bcast_node(struct bine_moves *m, const struct bine_tree *t,
                      const struct bine_split_node *x, int root) {
    bine_moves_open(m, t->steps);
    if (x->parent >= 0) {
        bine_moves_add(m, x->step, BINE_FROM, bine_tree_rank(t, root, x->parent));
        bine_moves_span(m, 0, 1, x->kids == 0);
    }
    for (int k = 0; k < x->kids; k++) {
        bine_moves_add(m, x->kid[k].step, BINE_TO, bine_tree_rank(t, root, x->kid[k].node));
        bine_moves_span(m, 0, 1, k == x->kids - 1);
    }
    return bine_moves_close(m);
}

int bine_moves_split_bcast(struct bine_moves *m, int p, enum bine_action action, int rank,
                           int root) {
    struct bine_tree t = split_view(p, action);
    struct bine_split_node x;
    bine_split_find(p, bine_tree_node(&t, root, rank), &x);
    return bcast_node(m, &t, &x, root);
}

/* Near-first, p a power of two: a node receives at the step of the highest bit of its nu, from the
 * node without it, and sends at every later step to the node with that bit (section 3.2.2). */
int bine_moves_near_bcast(struct bine_moves *m, int p, int rank, int root) {
    struct bine_tree t = split_view(p, BINE_MIRROR);
    uint32_t nu = bine_nu(bine_tree_node(&t, root, rank), p);
    struct bine_split_node x = {.parent = -1, .step = -1};
    for (int j = 0; j < t.steps; j++)
        x.step = nu >> j & 1u ? j : x.step;
    if (nu != 0)
        x.parent = bine_nu_inverse(nu ^ 1u << x.step, p);
    for (int j = x.step + 1; j < t.steps; j++)
        x.kid[x.kids++] = (struct bine_split_kid){bine_nu_inverse(nu | 1u << j, p), j, 0, 0};
    return bcast_node(m, &t, &x, root);
}

/* The ranks of nodes first, first + 1, ...: a circular run too, mirrored or not. */
static void split_ranks(struct bine_moves *m, const struct bine_tree *t, int root, int first,
                        int count) {
    int mirrored = t->action == BINE_MIRROR && (root & 1);
    int from = mirrored ? (first + count - 1) % t->p : first;
    bine_moves_circular(m, bine_tree_rank(t, root, from), count, t->p);
}

int bine_moves_split_scatter(struct bine_moves *m, int p, int rank, int root) {
    struct bine_tree t = split_view(p, p % 2 == 0 ? BINE_MIRROR : BINE_SHIFT);
    struct bine_split_node x;
    bine_split_find(p, bine_tree_node(&t, root, rank), &x);
    bine_moves_open(m, t.steps);
    if (x.parent >= 0) {
        bine_moves_add(m, x.step, BINE_FROM, bine_tree_rank(&t, root, x.parent));
        split_ranks(m, &t, root, x.first, x.count);
    }
    for (int k = 0; k < x.kids; k++) {
        bine_moves_add(m, x.kid[k].step, BINE_TO, bine_tree_rank(&t, root, x.kid[k].node));
        split_ranks(m, &t, root, x.kid[k].first, x.kid[k].count);
    }
    return bine_moves_close(m);
}

/* The aligned run of 2^s places around x. */
static void aligned_span(struct bine_moves *m, int x, int s) {
    bine_moves_span(m, x & ~((1 << s) - 1), 1 << s, 0);
}

/* Partners. On the hypercube the partner at step s is the place that differs in bit s. On the
 * Bine butterfly it is another one of the sibling run of 2^s places, in general: at p = 8 and s = 2
 * rank 2 (place 110) meets rank 3 (place 001), not rank 7 (place 010). */
struct aligned {
    enum bine_places places;
    int p, steps;
    int d[BINE_MAX_STEPS];          /* the distances of the far-first butterfly */
    const struct bine_torus *torus; /* or NULL */
    struct bine_tree action;        /* how the tree of another root is made */
};

static struct aligned aligned_view(enum bine_places places, int p) {
    struct aligned a = {.places = places, .p = p, .steps = bine_log2_ceil(p)};
    a.action = (struct bine_tree){.p = p, .action = BINE_XOR};
    if (places == BINE_PLACE_NU) {
        bine_distance_list(p, BINE_FAR_FIRST, BINE_SCALED, a.d);
        a.action.action = BINE_MIRROR;
    }
    return a;
}

static struct aligned aligned_torus(const struct bine_torus *torus) {
    struct aligned a = {.places = BINE_PLACE_TORUS, .p = 1 << torus->steps, .steps = torus->steps};
    a.torus = torus;
    a.action = (struct bine_tree){.p = a.p, .action = BINE_GRID, .grid = torus->shape};
    for (int k = 0; k < torus->shape.dims && k < BINE_DIMS_MOST; k++)
        a.action.mirrors |= (unsigned)(torus->shape.size[k] > 1) << k;
    return a;
}

static int aligned_place(const struct aligned *a, int rank) {
    return a->torus != NULL ? bine_torus_place(a->torus, rank)
                            : bine_place_of(a->places, rank, a->p);
}

static int aligned_peer(const struct aligned *a, int rank, int s) {
    if (a->torus != NULL)
        return bine_torus_partner(a->torus, rank, a->steps - 1 - s);
    if (a->places == BINE_PLACE_NU)
        return bine_partner(rank, a->d[s], a->p);
    return bine_place_rank(a->places, bine_place_of(a->places, rank, a->p) ^ (1 << s), a->p);
}

static void aligned_exchange(struct bine_moves *m, int time, int x, int s, int peer, int take,
                             int give) {
    if (take) {
        bine_moves_add(m, time, BINE_FROM, peer);
        aligned_span(m, x ^ (1 << s), s);
    }
    if (give) {
        bine_moves_add(m, time, BINE_TO, peer);
        aligned_span(m, x, s);
    }
}

static int aligned_allgather(struct bine_moves *m, const struct aligned *a, int rank) {
    int x = aligned_place(a, rank);
    bine_moves_open(m, a->steps);
    for (int s = 0; s < a->steps; s++)
        aligned_exchange(m, s, x, s, aligned_peer(a, rank, s), 1, 1);
    bine_moves_mark_fresh(m);
    return bine_moves_close(m);
}

int bine_moves_aligned(struct bine_moves *m, enum bine_places places, int p, int rank) {
    struct aligned a = aligned_view(places, p);
    return aligned_allgather(m, &a, rank);
}

int bine_moves_torus(struct bine_moves *m, const struct bine_torus *torus, int rank) {
    struct aligned a = aligned_torus(torus);
    return aligned_allgather(m, &a, rank);
}

/* The step whose edge brings a rank its share in the reversed first half: the steps run from the
 * last to the first, so the tree of the root is that of the other order, and it is the lowest bit
 * in which the place of the rank's node in it differs from the root's. */
static int first_half_step(const struct aligned *a, int rank, int root) {
    int x = aligned_place(a, bine_tree_node(&a->action, root, rank)) ^ aligned_place(a, 0), s = 0;
    if (x == 0)
        return a->steps;
    while ((x >> s & 1) == 0)
        s++;
    return s;
}

/* The path edges, in reverse time. */
static void aligned_first_half(struct bine_moves *m, const struct aligned *a, int rank, int root) {
    int x = aligned_place(a, rank), own = first_half_step(a, rank, root);
    for (int s = a->steps - 1; s >= 0; s--) {
        int peer = aligned_peer(a, rank, s);
        if (s == own) {
            bine_moves_add(m, a->steps - 1 - s, BINE_FROM, peer);
            aligned_span(m, x, s);
        } else if (s < own) {
            bine_moves_add(m, a->steps - 1 - s, BINE_TO, peer);
            aligned_span(m, x ^ (1 << s), s);
        }
    }
}

int bine_moves_aligned_scatter(struct bine_moves *m, enum bine_places places, int p, int rank,
                               int root) {
    struct aligned a = aligned_view(places, p);
    bine_moves_open(m, a.steps);
    aligned_first_half(m, &a, rank, root);
    return bine_moves_close(m);
}

static int aligned_hung(struct bine_moves *m, const struct aligned *a, int rank, int root) {
    int x = aligned_place(a, rank), own = first_half_step(a, rank, root);
    bine_moves_open(m, 2 * a->steps);
    aligned_first_half(m, a, rank, root);
    for (int s = 0; s < a->steps; s++) { /* everything else, to ranks that lack it */
        int peer = aligned_peer(a, rank, s);
        aligned_exchange(m, a->steps + s, x, s, peer, own <= s,
                         first_half_step(a, peer, root) <= s);
    }
    bine_moves_mark_fresh(m);
    return bine_moves_close(m);
}

int bine_moves_aligned_hung(struct bine_moves *m, enum bine_places places, int p, int rank,
                            int root) {
    struct aligned a = aligned_view(places, p);
    return aligned_hung(m, &a, rank, root);
}

int bine_moves_torus_hung(struct bine_moves *m, const struct bine_torus *torus, int rank,
                          int root) {
    struct aligned a = aligned_torus(torus);
    return aligned_hung(m, &a, rank, root);
}

/* The number with its digits the other way round; members = radix^s. */
static int reversed(int radix, int members, int member) {
    int place = 0;
    for (int unit = 1; unit < members; unit *= radix, member /= radix)
        place = place * radix + member % radix;
    return place;
}

int bine_moves_digits(struct bine_moves *m, int radix, int members, int member) {
    int place = reversed(radix, members, member), time = 0;
    bine_moves_open(m, bine_log_ceil(members, radix));
    for (int run = 1; run < members; run *= radix, time++) {
        int digit = place / run % radix, first = place / run * run;
        for (int i = 1; i < radix; i++) {
            int from = (digit + radix - i) % radix, to = (digit + i) % radix;
            bine_moves_add(m, time, BINE_FROM,
                           reversed(radix, members, place + (from - digit) * run));
            bine_moves_span(m, first + (from - digit) * run, run, 0);
            bine_moves_add(m, time, BINE_TO, reversed(radix, members, place + (to - digit) * run));
            bine_moves_span(m, first, run, 0);
        }
    }
    bine_moves_mark_fresh(m);
    return bine_moves_close(m);
}

/* When a rank (counted from the root) receives each block: the first round that brings it, or -1. A
 * schedule may name a block beyond the last: the last one is meant, and only its first arrival
 * counts. */
struct arrivals {
    int q, shift; /* rounds before the first one, so that the last block's turn ends a period */
    int block[BINE_MAX_STEPS];
    int last_round; /* the first round that brings the last block */
};

static int round_block(const struct arrivals *a, int round, int segments) {
    int b = a->block[round % a->q] + round / a->q * a->q - a->shift;
    return b < segments ? b : segments - 1;
}

static void arrivals_make(struct arrivals *a, int p, int r, int segments) {
    a->q = bine_log2_ceil(p);
    a->shift = (a->q - (segments - 1) % a->q) % a->q;
    bine_circulant_receives(p, r, a->block);
    a->last_round = a->shift;
    while (round_block(a, a->last_round, segments) != segments - 1)
        a->last_round++;
}

/* The block that arrives in a round, or -1 if none does. */
static int arrives(const struct arrivals *a, int round, int segments) {
    int b = round_block(a, round, segments);
    return b < 0 || (b == segments - 1 && round != a->last_round) ? -1 : b;
}

int bine_moves_circulant(struct bine_moves *m, int p, int segments, int rank, int root) {
    int s[BINE_MAX_STEPS + 1], q = bine_circulant_skips(p, s), r = bine_mod_sub(rank, root, p);
    struct arrivals own, peer[BINE_MAX_STEPS];
    bine_moves_open(m, p > 1 ? segments - 1 + q : 0);
    if (p == 1)
        return 0;
    if (r != 0)
        arrivals_make(&own, p, r, segments);
    for (int k = 0; k < q; k++)
        if ((r + s[k]) % p != 0)
            arrivals_make(&peer[k], p, (r + s[k]) % p, segments);
    int shift = (q - (segments - 1) % q) % q;
    for (int i = 0; i < segments - 1 + q; i++) {
        int round = i + shift, k = round % q, to = (r + s[k]) % p;
        int in = r != 0 ? arrives(&own, round, segments) : -1;
        int out = to != 0 ? arrives(&peer[k], round, segments) : -1;
        if (in >= 0) {
            bine_moves_add(m, i, BINE_FROM, bine_mod_sub(rank, s[k], p));
            bine_moves_span(m, in, 1, 0);
        }
        if (out >= 0) {
            bine_moves_add(m, i, BINE_TO, bine_mod_add(rank, s[k] % p, p));
            bine_moves_span(m, out, 1, 0);
        }
    }
    bine_moves_mark_fresh(m);
    return bine_moves_close(m);
}

/* A block that a rank sends on to one side came from the other before. */
int bine_moves_ring(struct bine_moves *m, int p, int rank, int turned) {
    int back = bine_mod_sub(rank, 1, p), on = bine_mod_add(rank, 1, p);
    int from = turned ? on : back, to = turned ? back : on, block = rank;
    bine_moves_open(m, p - 1);
    for (int t = 0; t < p - 1; t++) {
        bine_moves_add(m, t, BINE_TO, to);
        bine_moves_span(m, block, 1, 1);
        block = turned ? bine_mod_add(block, 1, p) : bine_mod_sub(block, 1, p);
        bine_moves_add(m, t, BINE_FROM, from);
        bine_moves_span(m, block, 1, t == p - 2); /* the last one goes no further */
    }
    return bine_moves_close(m);
}
