#include "pattern/groups/relays.h"

#include <limits.h>
#include <stdlib.h>

enum { CUT_LEAST = 4, CUT_MOST = 64, PIECES_MOST = 1 << 24 };

static int smallest_group(const struct bine_groups *g) {
    int least = g->p;
    for (int i = 0; i < bine_groups_count(g); i++)
        if (bine_groups_size(g, 1, i) < least)
            least = bine_groups_size(g, 1, i);
    return least;
}

/* With two groups, or with groups of one size, all goes directly. */
static int is_relayed(const struct bine_groups *g) {
    int groups = bine_groups_count(g);
    return g->levels > 2 && groups > 2 && groups <= BINE_RELAY_GROUPS &&
           g->largest > smallest_group(g);
}

int bine_relays_cut(const struct bine_groups *g) {
    if (!is_relayed(g) || g->p > PIECES_MOST / CUT_MOST)
        return 1;
    int others = bine_groups_count(g) - 1, cut = (CUT_LEAST + others - 1) / others * others;
    return cut < CUT_MOST ? cut : CUT_MOST;
}

/* The plan while it is made. */
struct plan {
    struct bine_relays *r;
    const struct bine_groups *g;
    int most, rounded; /* U / (G - 1), and how many allowances are rounded up */
    int into;          /* the group in hand, that pieces come into */
    int *relay;        /* the groups that relay to it, so many of them */
    int relays;
    int64_t all;          /* that they can relay */
    int64_t *used, *more; /* of each relay: pieces before this large group, and with it */
    int32_t *order;       /* relays, by who comes to the next whole number first */
};

static int pieces_of(const struct plan *x, int group) {
    return bine_groups_size(x->g, 1, group) * x->r->cut;
}

static int allowance(const struct plan *x, int group) {
    int after = (x->into - group + x->r->groups) % x->r->groups;
    return x->most + (after <= x->rounded);
}

static int spare(const struct plan *x, int k) {
    return k == x->into ? 0 : allowance(x, k) - pieces_of(x, k);
}

static int32_t *count_at(const struct bine_relays *r, int group, int relay) {
    size_t n = (size_t)r->groups;
    return r->count + ((size_t)r->large[group] * n + (size_t)relay) * n;
}

/* The relays whose shares of the first `pieces` of the row are not whole, sorted by the piece at
 * which each comes to the next whole number; returns how many. */
static int by_deadline(const struct plan *x, int64_t pieces, const int64_t *share) {
    int n = 0;
    for (int i = 0; i < x->relays; i++) {
        int64_t mine = spare(x, x->relay[i]);
        if (share[i] * x->all >= pieces * mine)
            continue;
        int at = n++;
        for (; at > 0; at--) {
            int other = x->order[at - 1];
            if ((share[other] + 1) * mine <= (share[i] + 1) * spare(x, x->relay[other]))
                break;
            x->order[at] = x->order[at - 1];
        }
        x->order[at] = i;
    }
    return n;
}

/* The shares of all relays in the first `pieces` of the row. */
static void share_out(const struct plan *x, int64_t pieces) {
    int64_t rest = pieces;
    for (int i = 0; i < x->relays; i++) {
        int64_t share = pieces * spare(x, x->relay[i]) / x->all;
        x->more[i] = share > x->used[i] ? share : x->used[i];
        rest -= x->more[i];
    }
    int n = by_deadline(x, pieces, x->more);
    for (int i = 0; i < n && rest > 0; i++, rest--)
        x->more[x->order[i]]++;
}

/* All that is relayed into one group. */
static void relay_into(struct plan *x, int into) {
    int64_t row = 0;
    x->into = into;
    x->relays = 0;
    x->all = 0;
    for (int k = 0; k < x->r->groups; k++)
        if (spare(x, k) > 0) {
            x->used[x->relays] = 0;
            x->relay[x->relays++] = k;
            x->all += spare(x, k);
        }
    for (int g = 0; g < x->r->groups; g++) {
        if (g == into || spare(x, g) >= 0)
            continue;
        row -= spare(x, g);
        share_out(x, row);
        for (int i = 0; i < x->relays; i++) {
            count_at(x->r, g, x->relay[i])[into] = (int32_t)(x->more[i] - x->used[i]);
            x->used[i] = x->more[i];
        }
    }
}

/* The zones of a group, side by side; 0 if they do not fit. */
static int lay_zones(const struct plan *x, int group) {
    const struct bine_relays *r = x->r;
    int32_t *zone = r->zone + (size_t)r->large[group] * ((size_t)r->groups + 1);
    int64_t at = 0;
    for (int k = 0; k < r->groups; k++) {
        const int32_t *count = count_at(r, group, k);
        int32_t most = 0;
        for (int into = 0; into < r->groups; into++)
            most = count[into] > most ? count[into] : most;
        zone[k] = (int32_t)at;
        at += most;
        if (at > pieces_of(x, group))
            return 0;
    }
    zone[r->groups] = (int32_t)at;
    return 1;
}

static int find_plan(struct plan *x) {
    struct bine_relays *r = x->r;
    int fits = 1;
    for (int into = 0; into < r->groups; into++)
        relay_into(x, into);
    for (int g = 0; g < r->groups && fits; g++)
        fits = r->large[g] < 0 || lay_zones(x, g);
    return fits;
}

/* 0 when out of memory. */
static int allot_plan(struct plan *x, int large) {
    struct bine_relays *r = x->r;
    size_t n = (size_t)r->groups, many = (size_t)large + 1;
    r->zone = calloc(many * (n + 1), sizeof *r->zone);
    r->count = calloc(many * n * n, sizeof *r->count);
    x->relay = malloc(n * sizeof *x->relay);
    x->used = malloc(2 * n * sizeof *x->used);
    x->order = malloc(n * sizeof *x->order);
    x->more = x->used != NULL ? x->used + n : NULL;
    return r->zone != NULL && r->count != NULL && x->relay != NULL && x->used != NULL &&
           x->order != NULL;
}

int bine_relays_open(struct bine_relays *r, const struct bine_groups *g, int cut) {
    *r = (struct bine_relays){.cut = cut};
    if (!is_relayed(g) || cut < CUT_LEAST)
        return 0;
    int all = (g->p - smallest_group(g)) * cut, large = 0;
    r->groups = bine_groups_count(g);
    r->large = malloc((size_t)r->groups * sizeof *r->large);
    struct plan x = {
        .r = r, .g = g, .most = all / (r->groups - 1), .rounded = all % (r->groups - 1)};
    for (int i = 0; i < r->groups && r->large != NULL; i++)
        r->large[i] = pieces_of(&x, i) > x.most ? large++ : -1;
    int good = r->large != NULL && allot_plan(&x, large);
    int fits = good && large > 0 && find_plan(&x);
    free(x.relay);
    free(x.used);
    free(x.order);
    if (!fits)
        bine_relays_close(r);
    return good ? 0 : -1;
}

void bine_relays_close(struct bine_relays *r) {
    free(r->large);
    free(r->zone);
    free(r->count);
    *r = (struct bine_relays){.cut = r->cut};
}

static const int32_t *zones_of(const struct bine_relays *r, int group) {
    return r->groups == 0 || r->large[group] < 0
               ? NULL
               : r->zone + (size_t)r->large[group] * ((size_t)r->groups + 1);
}

int bine_relays_zones(const struct bine_relays *r, int group) {
    const int32_t *zone = zones_of(r, group);
    return zone == NULL ? 0 : zone[r->groups];
}

int bine_relays_sender(const struct bine_relays *r, int group, int piece, int into, int *count) {
    const int32_t *zone = zones_of(r, group);
    *count = INT_MAX;
    if (zone == NULL || piece >= zone[r->groups])
        return group;
    int low = 0, high = r->groups; /* the last zone that begins at the piece or before */
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        *(zone[middle] <= piece ? &low : &high) = middle;
    }
    int end = zone[low] + count_at(r, group, low)[into];
    *count = (piece < end ? end : zone[low + 1]) - piece;
    return piece < end ? low : group;
}
