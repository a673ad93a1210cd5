#include "pattern/bine_family.h"
#include "base/numbers.h"

#include <stdlib.h>

static void reverse(int *a, int n) {
    for (int i = 0; i < n / 2; i++) {
        int x = a[i];
        a[i] = a[n - 1 - i];
        a[n - 1 - i] = x;
    }
}

int bine_distance_list(int p, enum bine_order order, enum bine_distances kind,
                       int d[BINE_MAX_STEPS]) {
    int steps = bine_log2_ceil(p);
    int n = p;
    for (int far = 0; far < steps; far++) { /* fill in far-first */
        int left = steps - 1 - far; /* steps still to come: the sign alternates towards +1 */
        int size = kind == BINE_SCALED ? 2 * (n / 6) + 1 : ((2 << left) + 1) / 3;
        d[far] = left % 2 == 0 ? size : -size;
        n = (n + 1) / 2;
    }
    if (order == BINE_NEAR_FIRST)
        reverse(d, steps);
    return steps;
}

struct bine_tree *bine_butterfly_tree(int p, enum bine_order order, enum bine_distances kind) {
    int d[BINE_MAX_STEPS];
    int steps = bine_distance_list(p, order, kind, d);
    struct bine_tree *t = bine_tree_new(p, steps, BINE_MIRROR);
    if (t == NULL)
        return NULL;
    int32_t *reached =
        t->kids; /* in order of arrival; the room is free until the tree is finished */
    int count = 1;
    reached[0] = 0;
    for (int v = 1; v < p; v++)
        t->parent[v] = -1;
    for (int s = 0; s < steps; s++) {
        int before = count;
        for (int i = 0; i < before; i++) {
            int v = reached[i];
            int q = bine_partner(v, d[s], p);
            if (q == 0 || t->parent[q] >= 0)
                continue;
            t->parent[q] = v;
            t->step[q] = s;
            reached[count++] = q;
        }
    }
    if (count != p) { /* cannot happen for the distances of this file; never hand out half a tree */
        bine_tree_free(t);
        return NULL;
    }
    return bine_tree_finish(t);
}

/* The split tree over p nodes, or the postal tree. */
struct split {
    int p, radix, lag;
    int most;            /* the order of the whole */
    int ends;            /* the roots of parts stand at their near ends */
    int turned;          /* nodes that the part of order 1 around the root has on its right instead
                            of on its left */
    const int64_t *room; /* of the postal tree: the most nodes that a part of each order can have */
    struct {             /* of the split tree: */
        int least;       /* parts of this order have this many nodes, or one more */
        int left[2];     /* nodes left of the root, in an unmirrored part of that many nodes */
    } order[BINE_MAX_STEPS + 1];
};

/* A part of order k and n nodes is cut into the one around its root, and `radix` - 1 beside it, the
 * nearest first: how many nodes these have, and whether one is on the right. */
static int beside_size(const struct split *t, int k, int n, int i) {
    if (t->room == NULL)
        return n / t->radix + (i < n % t->radix - 1);
    int64_t share = n * t->room[k - t->lag] / t->room[k];
    return share > 0 ? (int)share : 1;
}

static int own_size(const struct split *t, int k, int n) {
    return t->room == NULL ? (n + t->radix - 1) / t->radix : n - beside_size(t, k, n, 0);
}

static int is_on_right(int k, int i) {
    return (k + i) % 2 != 0;
}

static int split_left(const struct split *t, int k, int n) {
    int left = 0;
    if (t->room == NULL)
        return t->order[k].left[n - t->order[k].least];
    for (; n > 1; n = own_size(t, k, n), k--)
        left += is_on_right(k, 0) ? 0 : beside_size(t, k, n, 0);
    return left;
}

static void split_make(struct split *t, int p, int radix, int ends) {
    int most = bine_log_ceil(p, radix);
    *t = (struct split){.p = p, .radix = radix, .lag = 1, .most = most, .ends = ends};
    t->order[most].least = p;
    for (int k = most; k > 0; k--)
        t->order[k - 1].least = t->order[k].least / radix;
    for (int k = 1; k <= most; k++)
        for (int more = 0; more < 2; more++) {
            int n = t->order[k].least + more, left = split_left(t, k - 1, own_size(t, k, n));
            for (int i = 0; i < radix - 1; i++)
                left += is_on_right(k, i) ? 0 : beside_size(t, k, n, i);
            t->order[k].left[more] = left;
        }
    if (radix > 3) {
        int n = p;
        for (int k = most; k > 1; k--)
            n = own_size(t, k, n);
        t->turned = split_left(t, most > 0, n);
    }
}

/* Fills in the room of each order, as many as p nodes need. */
static void postal_make(struct split *t, int p, int lag, int ends, int64_t room[BINE_MAX_SLOTS]) {
    int k = 0;
    for (room[0] = 1; room[k] < p; k++)
        room[k + 1] = room[k] + (k + 1 < lag ? 0 : room[k + 1 - lag]);
    *t = (struct split){.p = p, .radix = 2, .lag = lag, .most = k, .ends = ends, .room = room};
}

static int postal_depth(const struct split *t, int k, int n) {
    int most = 0;
    for (; n > 1; n = own_size(t, k, n), k--)
        most = bine_max(most, 1 + postal_depth(t, k - t->lag, beside_size(t, k, n, 0)));
    return most;
}

int bine_postal_steps(int p, int lag) {
    struct split t;
    int64_t room[BINE_MAX_SLOTS];
    postal_make(&t, p, lag, 0, room);
    return p == 1 ? 0 : t.most - lag + 1;
}

int bine_postal_levels(int p, int lag) {
    struct split t;
    int64_t room[BINE_MAX_SLOTS];
    postal_make(&t, p, lag, 0, room);
    return postal_depth(&t, t.most, p);
}

/* A part of the split tree: order k over n nodes. */
struct part {
    int root, n, k;
    int mirrored;
    int one_sided; /* the root is its first node, or its last one if it is mirrored */
    int around;    /* its root is that of the whole */
};

static int part_left(const struct split *t, const struct part *x) {
    if (x->one_sided)
        return 0;
    return split_left(t, x->k, x->n) - (x->around && x->k > 0 ? t->turned : 0);
}

/* The first node of a part's run; may be negative, to be taken modulo p. */
static int part_first(const struct split *t, const struct part *x) {
    int left = part_left(t, x);
    return x->root - (x->mirrored ? x->n - 1 - left : left);
}

/* A part that is cut: the part around its root, and the parts beside it one after the other. */
struct cut {
    const struct split *split;
    struct part own;
    int n, k;        /* of the whole */
    int i;           /* of the next one beside */
    int left, right; /* how far the parts so far reach, in one that is not mirrored */
};

static struct cut cut_open(const struct split *t, const struct part *x) {
    struct cut c = {t, *x, x->n, x->k, 0, 0, 0};
    c.own.n = own_size(t, x->k, x->n);
    c.own.k--;
    c.left = part_left(t, &c.own);
    c.right = c.own.n - 1 - c.left;
    return c;
}

/* The next part beside; 0 if there are no more. Plain or mirrored, as has its root nearer; if both
 * are as near, mirrored. */
static int cut_next(struct cut *c, struct part *part) {
    int n = c->i == c->split->radix - 1 ? 0 : beside_size(c->split, c->k, c->n, c->i);
    int k = c->k - c->split->lag;
    if (n == 0)
        return 0;
    int turned = c->own.around && c->k == 1 && c->split->turned > 0;
    int right = c->own.one_sided || turned || is_on_right(c->k, c->i);
    int *reach = right ? &c->right : &c->left, by = *reach + 1, flips = !right;
    if (!c->split->ends) {
        int left = split_left(c->split, k, n), plain = right ? left : n - 1 - left;
        flips = n - 1 - plain <= plain;
        by += flips ? n - 1 - plain : plain;
    }
    int away = right == !c->own.mirrored ? by : -by;
    *part = (struct part){c->own.root + away, n, k, c->own.mirrored ^ flips, c->split->ends, 0};
    *reach += n;
    c->i++;
    return 1;
}

/* v modulo p, for -p <= v < 2 p. */
static int wrap(int v, int p) {
    return v < 0 ? v + p : v >= p ? v - p : v;
}

static void split_fill(struct bine_tree *tree, const struct split *t, struct part x) {
    while (x.n > 1) {
        struct cut cut = cut_open(t, &x);
        struct part child;
        while (cut_next(&cut, &child)) {
            int c = wrap(child.root, t->p);
            tree->parent[c] = wrap(x.root, t->p);
            tree->step[c] = t->most - x.k;
            if (child.n > 1)
                split_fill(tree, t, child);
        }
        x = cut.own;
    }
}

static struct bine_tree *tree_of_split(const struct split *t, int steps, enum bine_action action) {
    struct bine_tree *tree = bine_tree_new(t->p, steps, action);
    if (tree == NULL)
        return NULL;
    split_fill(tree, t, (struct part){0, t->p, t->most, 0, 0, 1});
    return bine_tree_finish(tree);
}

static struct bine_tree *split_tree(int p, int radix, int ends) {
    struct split t;
    split_make(&t, p, radix, ends);
    enum bine_action action = radix == 2 && !ends && p % 2 == 0 ? BINE_MIRROR : BINE_SHIFT;
    return tree_of_split(&t, t.most, action);
}

static struct bine_tree *postal_tree(int p, int lag, int ends) {
    struct split t;
    int64_t room[BINE_MAX_SLOTS];
    postal_make(&t, p, lag, ends, room);
    return tree_of_split(&t, p == 1 ? 0 : t.most - lag + 1, BINE_SHIFT);
}

/* All children of a node at one step, in the order in which they stand. */
static struct bine_tree *by_levels(struct bine_tree *t, int levels) {
    if (t == NULL)
        return NULL;
    t->steps = levels;
    for (int v = 1; v < t->p; v++) {
        t->step[v] = -1;
        for (int u = v; u != 0; u = t->parent[u])
            t->step[v]++;
    }
    return t;
}

struct bine_tree *bine_postal_tree(int p, enum bine_order order, int lag) {
    (void)order;
    return postal_tree(p, lag, 0);
}

struct bine_tree *bine_postal_levels_tree(int p, enum bine_order order, int lag) {
    (void)order;
    return by_levels(postal_tree(p, lag, 0), bine_postal_levels(p, lag));
}

struct bine_tree *bine_postal_ends_tree(int p, enum bine_order order, int lag) {
    (void)order;
    return by_levels(postal_tree(p, lag, 1), bine_postal_levels(p, lag));
}

struct bine_tree *bine_split_tree(int p) {
    return split_tree(p, 2, 0);
}

struct bine_tree *bine_ends_tree(int p, enum bine_order order, int radix) {
    (void)order;
    return split_tree(p, radix, 1);
}

/* The nodes first .. first + count - 1 receive from the nodes that are `by` before them. */
static void give_on(struct bine_tree *t, int step, int first, int count, int by) {
    for (int v = first; v < first + count; v++) {
        t->parent[wrap(v, t->p)] = wrap(v - by, t->p);
        t->step[wrap(v, t->p)] = step;
    }
}

/* After each step the nodes -left .. right have the block, as many as there are numbers of that
 * many digits. The nodes beside them take theirs from them, nearest first, until all p have it. */
static struct bine_tree *digits_tree(int p, int radix) {
    int steps = bine_log_ceil(p, radix), left = 0, right = 0;
    struct bine_tree *t = bine_tree_new(p, steps, BINE_SHIFT);
    if (t == NULL)
        return NULL;
    for (int j = 0; j < steps; j++) {
        int unit = left + right + 1;
        for (int i = 0; i < radix - 1; i++) {
            int rest = p - (left + right + 1), n = rest < unit ? rest : unit;
            int by = (i / 2 + 1) * unit, is_right = (i + j) % 2 == 0;
            give_on(t, j, is_right ? right + 1 : -left - n, n, is_right ? by : -by);
            left += is_right ? 0 : n;
            right += is_right ? n : 0;
        }
    }
    return bine_tree_finish(t);
}

struct bine_tree *bine_radix_tree(int p, enum bine_order order, int radix) {
    return order == BINE_NEAR_FIRST ? digits_tree(p, radix) : split_tree(p, radix, 0);
}

struct bine_tree *bine_scaled_tree(int p, enum bine_order order) {
    return p % 2 == 0 ? bine_butterfly_tree(p, order, BINE_SCALED) : bine_split_tree(p);
}

struct bine_tree *bine_paper_tree(int p, enum bine_order order) {
    return p % 2 == 0 ? bine_butterfly_tree(p, order, BINE_PAPER) : bine_split_tree(p);
}

/* Does the run of the part contain node v? */
static int part_has(const struct split *t, const struct part *x, int v) {
    return wrap(v - part_first(t, x), t->p) < x->n;
}

void bine_split_find(int p, int v, struct bine_split_node *node) {
    struct split t;
    split_make(&t, p, 2, 0);
    struct part x = {0, p, t.most, 0, 0, 1}, child;
    node->parent = -1;
    node->step = -1;
    while (wrap(x.root, p) != v) { /* walk down from the root towards v */
        struct cut cut = cut_open(&t, &x);
        int step = t.most - x.k, root = x.root;
        x = cut.own;
        if (!cut_next(&cut, &child) || !part_has(&t, &child, v))
            continue;
        x = child;
        node->parent = wrap(root, p);
        node->step = step;
    }
    node->first = wrap(part_first(&t, &x), p);
    node->count = x.n;
    node->kids = 0;
    while (x.n > 1) {
        struct cut cut = cut_open(&t, &x);
        int step = t.most - x.k;
        x = cut.own;
        if (cut_next(&cut, &child))
            node->kid[node->kids++] = (struct bine_split_kid){
                wrap(child.root, p), step, wrap(part_first(&t, &child), p), child.n};
    }
}

int bine_split_left(int p) {
    struct split t;
    split_make(&t, p, 2, 0);
    return split_left(&t, t.most, p);
}

struct bine_rounds bine_rounds_of(int p, int radix) {
    struct bine_rounds r = {radix, 1, 0, radix};
    for (; r.members <= p / radix; r.members *= radix)
        r.steps++;
    for (int q = radix - 1; q > 1; q--)
        if (radix % q == 0 && q <= p / r.members) {
            r.members *= q;
            r.steps++;
            r.last = q;
            break;
        }
    return r;
}

/* d(j) of the butterfly of a radix. */
static int round_distance(int radix, int step) {
    int d = 1;
    for (int reach = radix; step > 0; step--, reach *= radix)
        d = reach - d;
    return d;
}

static int first_place(const struct bine_rounds *r, int member) {
    return member % r->radix;
}

struct bine_circle bine_round_circle(const struct bine_rounds *r, int step, int member) {
    int place = first_place(r, member), radix = step == r->steps - 1 ? r->last : r->radix;
    place = step % 2 == 0 ? place : r->radix - 1 - place;
    return (struct bine_circle){r->members, radix, round_distance(r->radix, step), place % radix};
}

/* Moving along the rows of a step leaves member - place d unchanged, d with its sign; along those
 * of later steps, it changes by multiples of a power of the radix. Rows of the last step may be
 * parts of a longer one, and then it counts which part. */
static int64_t round_key(const struct bine_rounds *r, int step, int member) {
    int next = step + 1, place = first_place(r, member), d = round_distance(r->radix, next);
    int power = r->radix * r->radix;
    if (next == r->steps)
        return member;
    for (int j = 0; j < step && power < r->members; j++)
        power *= r->radix;
    power = power < r->members ? power : r->members;
    int key = (member - place * (next % 2 == 0 ? d : -d)) % power;
    int part = next == r->steps - 1 ? (next % 2 == 0 ? place : r->radix - 1 - place) / r->last : 0;
    return (int64_t)(key < 0 ? key + power : key) * r->radix + part;
}

int bine_round_slot(const struct bine_rounds *r, int step, int member, int position) {
    struct bine_circle c = bine_round_circle(r, step, member);
    int slot = 0;
    int64_t key = round_key(r, step, bine_circle_member(&c, member, position));
    for (int i = 0; i < c.radix; i++)
        slot += round_key(r, step, bine_circle_member(&c, member, i)) < key;
    return slot;
}
