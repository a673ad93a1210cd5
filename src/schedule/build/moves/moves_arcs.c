/* Near-first Bine, even p, by closed form: every message is a circular run.
 *
 * After some steps of the allgather every even rank r holds the blocks r - left .. r + right, every
 * odd rank the mirror image r - right .. r + left. What r receives at a step is its partner's arc
 * less its own: with the partner's arc beginning `offset` places after its own, and both of length
 * n, the places max(offset, n) .. min(offset + n, p) - 1 after the beginning of its own. */
#include "base/numbers.h"
#include "pattern/bine_family.h"
#include "schedule/build/moves/moves_list.h"

struct arcs {
    int p, steps;
    int d[BINE_MAX_STEPS];
    int left[BINE_MAX_STEPS], right[BINE_MAX_STEPS]; /* of an even rank, before each step */
};

struct arc {
    int first, count;
};

static int arc_begin(const struct arcs *a, int s, int r) {
    return bine_mod_sub(r, (r & 1) ? a->right[s] : a->left[s], a->p);
}

/* The arc that rank r receives from q at step s. *extends_right: on which side it joins its arc. */
static struct arc arc_news(const struct arcs *a, int s, int r, int q, int *extends_right) {
    int n = a->left[s] + a->right[s] + 1;
    int begin = arc_begin(a, s, r);
    int offset = bine_mod_sub(arc_begin(a, s, q), begin, a->p);
    int from = bine_max(offset, n);
    int end = bine_min(offset + n, a->p);
    *extends_right = offset <= n;
    return (struct arc){bine_mod_add(begin, from % a->p, a->p), end > from ? end - from : 0};
}

static void arcs_make(struct arcs *a, int p) {
    a->p = p;
    a->steps = p > 1 ? bine_distance_list(p, BINE_NEAR_FIRST, BINE_SCALED, a->d) : 0;
    a->left[0] = a->right[0] = 0;
    for (int s = 0; s + 1 < a->steps; s++) {
        int right; /* rank 0 speaks for all even ranks */
        struct arc news = arc_news(a, s, 0, bine_partner(0, a->d[s], p), &right);
        a->left[s + 1] = a->left[s] + (right ? 0 : news.count);
        a->right[s + 1] = a->right[s] + (right ? news.count : 0);
    }
}

int bine_moves_arcs(struct bine_moves *m, int p, int rank) {
    struct arcs a;
    arcs_make(&a, p);
    bine_moves_open(m, a.steps);
    for (int s = 0; s < a.steps; s++) {
        int q = bine_partner(rank, a.d[s], p), right;
        struct arc in = arc_news(&a, s, rank, q, &right), out = arc_news(&a, s, q, rank, &right);
        if (in.count > 0) {
            bine_moves_add(m, s, BINE_FROM, q);
            bine_moves_circular(m, in.first, in.count, p);
        }
        if (out.count > 0) {
            bine_moves_add(m, s, BINE_TO, q);
            bine_moves_circular(m, out.first, out.count, p);
        }
    }
    bine_moves_mark_fresh(m);
    return bine_moves_close(m);
}

/* The hung broadcast. In its first half the steps run backwards: whoever has blocks for which it
 * stands on the path between their owner and the root hands on those that it would have received at
 * this step of the allgather, to the partner that it would have got them from. Only ranks near
 * `rank` matter: nothing can come from a rank that is further away than the sum of the distances of
 * the steps still to come. There are never more than a few near ranks.
 *
 * The second half is the allgather without the edges that the first half has reversed: what came
 * from the partner at this step in the first half is not sent to it, and what was sent to it is not
 * received again. */

/* A set of blocks as ascending spans: two have been seen. */
struct blocks {
    struct arc span[8];
    int count;
    int lost; /* there was no room for a span */
};

static void blocks_add(struct blocks *b, int first, int count) {
    int i = b->count;
    if (count <= 0)
        return;
    if (b->count == 8) {
        b->lost = 1;
        return;
    }
    for (; i > 0 && b->span[i - 1].first > first; i--)
        b->span[i] = b->span[i - 1];
    b->span[i] = (struct arc){first, count};
    b->count++;
    for (i = 1; i < b->count; i++) { /* join runs that touch */
        struct arc *x = &b->span[i - 1], *y = &b->span[i];
        if (x->first + x->count < y->first)
            continue;
        int end = bine_max(y->first + y->count, x->first + x->count);
        x->count = end - x->first;
        b->count--;
        for (int k = i; k < b->count; k++)
            b->span[k] = b->span[k + 1];
        i--;
    }
}

static void blocks_add_all(struct blocks *b, const struct blocks *other) {
    b->lost |= other->lost;
    for (int i = 0; i < other->count; i++)
        blocks_add(b, other->span[i].first, other->span[i].count);
}

/* The part of b in first .. end - 1, or outside of it. */
static struct blocks blocks_cut(const struct blocks *b, int first, int end, int outside) {
    struct blocks out = {.lost = b->lost};
    for (int i = 0; i < b->count; i++) {
        int x = b->span[i].first, y = x + b->span[i].count;
        int lo = bine_max(x, first), hi = bine_min(y, end);
        if (!outside) {
            blocks_add(&out, lo, hi - lo);
        } else if (lo >= hi) {
            blocks_add(&out, x, y - x);
        } else {
            blocks_add(&out, x, lo - x);
            blocks_add(&out, hi, y - hi);
        }
    }
    return out;
}

/* That part for a circular run. */
static struct blocks blocks_cut_run(const struct blocks *b, struct arc r, int p, int outside) {
    int wraps = r.first + r.count > p;
    if (!wraps)
        return blocks_cut(b, r.first, r.first + r.count, outside);
    /* The complement of a run that wraps is one that does not. */
    return blocks_cut(b, r.first + r.count - p, r.first, !outside);
}

/* Ranks that have blocks to hand on and are near enough. */
struct holder {
    int rank;
    struct blocks blocks;
};

/* Six have been seen. */
struct holders {
    struct holder h[16];
    int count;
    int lost; /* there was no room for one */
};

static void holders_add(struct holders *x, int rank, const struct blocks *b) {
    for (int i = 0; i < x->count; i++)
        if (x->h[i].rank == rank) {
            blocks_add_all(&x->h[i].blocks, b);
            return;
        }
    if (b->count == 0)
        return;
    if (x->count < 16)
        x->h[x->count++] = (struct holder){rank, *b};
    else
        x->lost = 1;
}

static void holders_keep_near(struct holders *x, int rank, int distance_left, int p) {
    int n = 0;
    for (int i = 0; i < x->count; i++)
        if (x->h[i].blocks.count > 0 && bine_mod_distance(x->h[i].rank, rank, p) <= distance_left)
            x->h[n++] = x->h[i];
    x->count = n;
}

static void put(struct bine_moves *m, int time, enum bine_direction direction, int peer,
                const struct blocks *b) {
    m->failed |= b->lost;
    if (b->count == 0)
        return;
    bine_moves_add(m, time, direction, peer);
    for (int i = 0; i < b->count; i++)
        bine_moves_span(m, b->span[i].first, b->span[i].count, 0);
}

/* Step s of the first half. in: the blocks from its partner; out: the blocks to it. */
static void reversed_step(const struct arcs *a, struct holders *x, int s, int rank,
                          struct blocks *in, struct blocks *out) {
    struct holders old = *x;
    *in = *out = (struct blocks){.count = 0};
    x->count = 0;
    for (int i = 0; i < old.count; i++) {
        int from = old.h[i].rank, to = bine_partner(from, a->d[s], a->p), right;
        struct arc news = arc_news(a, s, from, to, &right);
        struct blocks give = blocks_cut_run(&old.h[i].blocks, news, a->p, 0);
        struct blocks keep = blocks_cut_run(&old.h[i].blocks, news, a->p, 1);
        if (from == rank)
            *out = give;
        if (to == rank)
            *in = give;
        holders_add(x, from, &keep);
        holders_add(x, to, &give);
    }
}

int bine_moves_arcs_hung(struct bine_moves *m, int p, int rank, int root) {
    struct arcs a;
    struct blocks in[BINE_MAX_STEPS], out[BINE_MAX_STEPS], all = {{{0, p}}, 1, 0};
    struct holders near = {.count = 0};
    int distance_left = 0;
    arcs_make(&a, p);
    bine_moves_open(m, 2 * a.steps);
    for (int s = 0; s < a.steps; s++)
        distance_left += a.d[s] < 0 ? -a.d[s] : a.d[s];
    holders_add(&near, root, &all);
    for (int s = a.steps - 1; s >= 0; s--) {
        reversed_step(&a, &near, s, rank, &in[s], &out[s]);
        distance_left -= a.d[s] < 0 ? -a.d[s] : a.d[s];
        holders_keep_near(&near, rank, distance_left, p);
        put(m, a.steps - 1 - s, BINE_FROM, bine_partner(rank, a.d[s], p), &in[s]);
        put(m, a.steps - 1 - s, BINE_TO, bine_partner(rank, a.d[s], p), &out[s]);
    }
    for (int s = 0; s < a.steps; s++) {
        int q = bine_partner(rank, a.d[s], p), right;
        struct arc news[2] = {arc_news(&a, s, rank, q, &right), arc_news(&a, s, q, rank, &right)};
        for (int k = 0; k < 2; k++) { /* receives, sends */
            struct blocks rest = blocks_cut_run(&all, news[k], p, 0);
            const struct blocks *reversed = k == 0 ? &out[s] : &in[s];
            for (int i = 0; i < reversed->count; i++)
                rest = blocks_cut(&rest, reversed->span[i].first,
                                  reversed->span[i].first + reversed->span[i].count, 1);
            put(m, a.steps + s, k == 0 ? BINE_FROM : BINE_TO, q, &rest);
        }
    }
    m->failed |= near.lost;
    bine_moves_mark_fresh(m);
    return bine_moves_close(m);
}
