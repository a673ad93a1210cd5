#include "pattern/groups/groups.h"

#include "pattern/family.h"

#include <stdlib.h>
#include <string.h>

int bine_groups_count(const struct bine_groups *g) {
    return g->levels > 1 ? g->level[1].sets : 1;
}

const int32_t *bine_groups_smallest(const struct bine_groups *g) {
    return g->level[g->levels > 1 ? g->levels - 2 : 0].set_of;
}

void bine_groups_free(struct bine_groups *g) {
    if (g == NULL)
        return;
    for (int k = 0; g->tree != NULL && k < 2 * (g->p + 1); k++)
        bine_tree_free(g->tree[k]); /* the stars are behind the trees */
    free(g->tree);
    free(g->memory);
    free(g);
}

/* Sorting ranks by a key each; ties by rank. */
struct keyed {
    int64_t key;
    int32_t rank;
};

static int by_key(const void *a, const void *b) {
    const struct keyed *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* The sets of a level: those above cut by name. Sets are numbered in the order of the ones above
 * them, then of their lowest ranks. 0 when out of memory. */
static int cut_level(const struct bine_groups *g, const struct bine_level *above,
                     const int32_t *name, struct keyed *scratch, struct bine_level *l) {
    int p = g->p;
    for (int r = 0; r < p; r++)
        scratch[r] = (struct keyed){((int64_t)above->set_of[r] << 32) + (uint32_t)name[r], r};
    qsort(scratch, (size_t)p, sizeof *scratch, by_key);
    for (int i = 0, lowest = 0; i < p; i++) { /* give each set the number of its lowest rank */
        if (i == 0 || scratch[i].key != scratch[i - 1].key)
            lowest = scratch[i].rank;
        l->set_of[scratch[i].rank] = lowest;
    }
    for (int r = 0; r < p; r++)
        scratch[r] = (struct keyed){((int64_t)above->set_of[r] << 32) + l->set_of[r], r};
    qsort(scratch, (size_t)p, sizeof *scratch, by_key);
    l->sets = 0;
    for (int i = 0; i < p; i++) {
        if (i == 0 || scratch[i].key != scratch[i - 1].key)
            l->begin[l->sets++] = i;
        l->set_of[scratch[i].rank] = l->sets - 1;
        g->member[i] = scratch[i].rank;
    }
    l->begin[l->sets] = p;
    return l->sets;
}

static void link_level(const struct bine_groups *g, struct bine_level *above,
                       const struct bine_level *l) {
    for (int i = 0; i < l->sets; i++) {
        int set = above->set_of[g->member[l->begin[i]]];
        if (i == 0 || set != above->set_of[g->member[l->begin[i - 1]]])
            above->inside[set] = i;
    }
    above->inside[above->sets] = l->sets;
}

/* Where a rank stands in its set. */
static int index_in(const struct bine_groups *g, const struct bine_level *l, int rank) {
    const struct bine_level *last = &g->level[g->levels - 1]; /* numbered as in `member` */
    return last->set_of[rank] - l->begin[l->set_of[rank]];
}

/* Two ranks at (2i + 1) / 2g of their sets, compared: index i of g ranks in set s. */
struct relative {
    int64_t odd, size;
    int32_t set, rank;
};

static int by_relative(const void *a, const void *b) {
    const struct relative *x = a, *y = b;
    int64_t left = x->odd * y->size, right = y->odd * x->size;
    if (left != right)
        return left < right ? -1 : 1;
    return (x->set > y->set) - (x->set < y->set);
}

/* The order of all ranks by their relative places; 0 when out of memory. */
static int order_level(const struct bine_groups *g, struct bine_level *l) {
    struct relative *x = malloc((size_t)g->p * sizeof *x);
    if (x == NULL)
        return 0;
    for (int r = 0; r < g->p; r++) {
        int set = l->set_of[r];
        x[r] = (struct relative){2 * (int64_t)index_in(g, l, r) + 1,
                                 l->begin[set + 1] - l->begin[set], set, r};
    }
    qsort(x, (size_t)g->p, sizeof *x, by_relative);
    for (int i = 0; i < g->p; i++)
        l->order[x[i].rank] = i;
    free(x);
    return 1;
}

/* A tree over k sets, if it is not there yet; 0 when out of memory. */
static int plant_one(struct bine_tree **tree, enum bine_family family, int k) {
    if (*tree == NULL)
        *tree = bine_family_tree(family, k, BINE_FAR_FIRST, 0);
    return *tree != NULL;
}

/* The trees over the sets inside each set. */
static int plant(struct bine_groups *g) {
    g->tree = calloc(2 * ((size_t)g->p + 1), sizeof(struct bine_tree *));
    if (g->tree == NULL)
        return 0;
    g->star = g->tree + g->p + 1;
    for (int l = 0; l + 1 < g->levels; l++)
        for (int i = 0; i < g->level[l].sets; i++) {
            int k = g->level[l].inside[i + 1] - g->level[l].inside[i];
            if (!plant_one(&g->tree[k], BINE_FAMILY_BINE, k) ||
                (l + 2 == g->levels && !plant_one(&g->star[k], BINE_FAMILY_STAR, k)))
                return 0;
        }
    return 1;
}

/* Four rows for each level. */
static int allot(struct bine_groups *g, int levels) {
    size_t n = (size_t)g->p + 1;
    int32_t *at = g->memory = calloc((4 * (size_t)levels + 1) * n, sizeof *g->memory);
    if (at == NULL)
        return 0;
    for (int l = 0; l < levels; l++) {
        g->level[l] = (struct bine_level){0, at, at + n, at + 2 * n, at + 3 * n};
        at += 4 * n;
    }
    g->member = at;
    return 1;
}

/* Cut all ranks level by level, leaving out levels that change nothing. 0 when out of memory. */
static int cut(struct bine_groups *g, int levels, const int32_t *const *name) {
    struct keyed *scratch = malloc((size_t)g->p * sizeof *scratch);
    if (scratch == NULL)
        return 0;
    g->level[0].sets = 1;
    g->level[0].begin[1] = g->p;
    g->levels = 1;
    for (int l = 0; l < levels; l++) {
        int sets = cut_level(g, &g->level[g->levels - 1], name[l], scratch, &g->level[g->levels]);
        g->levels += sets > g->level[g->levels - 1].sets && sets < g->p;
        g->alone |= sets == g->p;
    }
    struct bine_level *last = &g->level[g->levels];
    int32_t *ranks = last->order; /* every rank's own name */
    for (int r = 0; r < g->p; r++)
        ranks[r] = r;
    cut_level(g, last - 1, ranks, scratch, last);
    g->levels++;
    free(scratch);
    return 1;
}

struct bine_groups *bine_groups_new(int p, int levels, const int32_t *const *name) {
    struct bine_groups *g = calloc(1, sizeof *g);
    if (g == NULL)
        return NULL;
    g->p = p;
    int good = allot(g, levels + 2) && cut(g, levels, name);
    for (int i = 0; good && i < bine_groups_count(g); i++)
        if (bine_groups_size(g, 1, i) > g->largest)
            g->largest = bine_groups_size(g, 1, i);
    for (int l = 0; l + 1 < g->levels && good; l++)
        link_level(g, &g->level[l], &g->level[l + 1]);
    for (int l = 0; l < g->levels && good; l++)
        good = order_level(g, &g->level[l]);
    if (!good || !plant(g)) {
        bine_groups_free(g);
        return NULL;
    }
    return g;
}

/* How many ranks of a set come before another rank in the order of relative places. */
static int before(const struct bine_groups *g, int level, int set, int rank) {
    const struct bine_level *l = &g->level[level];
    int size = bine_groups_size(g, level, set), theirs = l->set_of[rank];
    int64_t odd = (2 * (int64_t)index_in(g, l, rank) + 1) * size - (set > theirs);
    int64_t most = odd / bine_groups_size(g, level, theirs), n = odd < 0 ? 0 : (most + 1) / 2;
    return n < size ? (int)n : size;
}

/* Blocks of ranks outside a set are shared out evenly among its ranks, in a row. */
int bine_groups_entry(const struct bine_groups *g, int level, int set, int rank) {
    const struct bine_level *l = &g->level[level];
    int size = bine_groups_size(g, level, set);
    int64_t foreign = l->order[rank] - before(g, level, set, rank);
    return g->member[l->begin[set] + (int)(foreign * size / (g->p - size))];
}

/* The rank by which the data enters a set, given the one by which it enters the set around it. */
static int entry_of(const struct bine_spread *x, int above, int level, int set) {
    const struct bine_level *l = &x->groups->level[level];
    return l->set_of[above] == set ? above : x->groups->member[l->begin[set]];
}

/* The rank by which a block for a rank enters its smallest set from outside: itself, if it is
 * alone in that. */
static int smallest_entry(const struct bine_groups *g, int rank) {
    if (g->alone)
        return rank;
    const struct bine_level *l = &g->level[g->levels - 2];
    return g->member[l->begin[l->set_of[rank]]];
}

void bine_spread_chain(const struct bine_spread *x, int rank, struct bine_chain *c) {
    const struct bine_groups *g = x->groups;
    c->rank = rank;
    c->entry[0] = x->root;
    for (int l = 1; l < g->levels; l++) {
        int set = g->level[l].set_of[rank], above = c->entry[l - 1];
        c->entry[l] = x->direct && l + 1 < g->levels && g->level[l].set_of[above] != set
                          ? smallest_entry(g, rank)
                          : entry_of(x, above, l, set);
    }
}

/* The tree over the sets inside one set of a level, by their number. */
static const struct bine_tree *tree_over(const struct bine_spread *x, int level, int sets) {
    const struct bine_groups *g = x->groups;
    return x->flat && level + 2 == g->levels ? g->star[sets] : g->tree[sets];
}

static int is_direct(const struct bine_spread *x, int level) {
    return x->direct && (level + 2 < x->groups->levels || x->groups->alone);
}

/* The tree over the sets inside one, from the set that has the entry. */
struct branch {
    const struct bine_tree *tree; /* NULL: all are its children */
    int first;                    /* of the sets, at the level below */
    int root;                     /* which of them has the entry */
};

static struct branch branch_at(const struct bine_spread *x, const struct bine_chain *c, int level) {
    const struct bine_groups *g = x->groups;
    const struct bine_level *l = &g->level[level];
    int set = l->set_of[c->rank], sets = l->inside[set + 1] - l->inside[set];
    return (struct branch){is_direct(x, level) ? NULL : tree_over(x, level, sets), l->inside[set],
                           g->level[level + 1].set_of[c->entry[level]] - l->inside[set]};
}

int bine_spread_steps(const struct bine_spread *x, int level) {
    const struct bine_level *l = &x->groups->level[level];
    int steps = 0, own = l->set_of[x->root];
    if (is_direct(x, level)) /* from the root, to the sets around its own */
        return l->inside[own + 1] - l->inside[own] > 1;
    for (int i = 0; i < l->sets; i++) {
        const struct bine_tree *t = tree_over(x, level, l->inside[i + 1] - l->inside[i]);
        steps = t->steps > steps ? t->steps : steps;
    }
    return steps;
}

/* How the data comes to the rank, which is entered at this level. */
static struct bine_spread_edge edge_from(const struct bine_spread *x, const struct bine_chain *c,
                                         int level) {
    struct branch b = branch_at(x, c, level);
    if (b.tree == NULL)
        return (struct bine_spread_edge){c->entry[level], level, 0};
    int v = bine_tree_node(b.tree, b.root, x->groups->level[level + 1].set_of[c->rank] - b.first);
    int upper = b.first + bine_tree_rank(b.tree, b.root, b.tree->parent[v]);
    return (struct bine_spread_edge){entry_of(x, c->entry[level], level + 1, upper), level,
                                     b.tree->step[v]};
}

/* And on from it to the entries of the other sets below. Returns how many. */
static int edges_to(const struct bine_spread *x, const struct bine_chain *c, int level,
                    struct bine_spread_edge *to) {
    struct branch b = branch_at(x, c, level);
    int n = 0;
    if (b.tree == NULL)
        return 0;
    int v = bine_tree_node(b.tree, b.root, x->groups->level[level + 1].set_of[c->rank] - b.first);
    for (int k = b.tree->kids_at[v]; k < b.tree->kids_at[v + 1]; k++) {
        int w = b.tree->kids[k], set = b.first + bine_tree_rank(b.tree, b.root, w);
        to[n++] = (struct bine_spread_edge){entry_of(x, c->entry[level], level + 1, set), level,
                                            b.tree->step[w]};
    }
    return n;
}

int bine_spread_arrival(const struct bine_spread *x, int rank, struct bine_spread_edge *from) {
    struct bine_chain c;
    int l = 0;
    bine_spread_chain(x, rank, &c);
    if (c.entry[0] == rank)
        return 0;
    while (c.entry[l + 1] != rank)
        l++;
    *from = edge_from(x, &c, l);
    return 1;
}

int bine_chain_edges(const struct bine_spread *x, const struct bine_chain *c,
                     struct bine_spread_edge *from, struct bine_spread_edge *to) {
    int n = 0;
    for (int l = 0; l + 1 < x->groups->levels; l++) {
        if (c->entry[l + 1] != c->rank)
            continue;
        if (c->entry[l] != c->rank)
            *from = edge_from(x, c, l);
        n += edges_to(x, c, l, to + n);
    }
    return n;
}
