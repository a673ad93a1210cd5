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

/* The tree over k sets; 0 when out of memory. */
static int plant_one(struct bine_groups *g, int k) {
    if (k > 0 && g->tree[k] == NULL)
        g->tree[k] = bine_family_tree(BINE_FAMILY_BINE, k, BINE_FAR_FIRST, 0);
    return k == 0 || g->tree[k] != NULL;
}

/* The trees over the sets inside each set, and over all but one of them. */
static int plant(struct bine_groups *g) {
    g->tree = calloc(2 * ((size_t)g->p + 1), sizeof(struct bine_tree *));
    if (g->tree == NULL)
        return 0;
    g->star = g->tree + g->p + 1;
    for (int l = 0; l + 1 < g->levels; l++)
        for (int i = 0; i < g->level[l].sets; i++) {
            int k = g->level[l].inside[i + 1] - g->level[l].inside[i];
            if (!plant_one(g, k) || !plant_one(g, k - 1))
                return 0;
            for (int n = k - 1; n <= k && l + 2 == g->levels; n++)
                if (n > 0 && g->star[n] == NULL &&
                    (g->star[n] = bine_family_tree(BINE_FAMILY_STAR, n, BINE_FAR_FIRST, 0)) == NULL)
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
        g->alone |= l == 0 && sets == g->p;
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

/* Blocks are shared out evenly, in a row: which of `size` ranks has this one of `blocks`. */
static int share(const struct bine_spread *x, int64_t block, int blocks, int size) {
    int turns = x->turns > 0 ? x->turns : 1;
    return (int)((block * turns + x->turn) * size / ((int64_t)blocks * turns));
}

/* The rank of a set that takes a block of a rank outside it. */
static int entry_of(const struct bine_spread *x, int level, int set, int rank) {
    const struct bine_groups *g = x->groups;
    const struct bine_level *l = &g->level[level];
    int size = bine_groups_size(g, level, set);
    int foreign = l->order[rank] - before(g, level, set, rank);
    return g->member[l->begin[set] + share(x, foreign, g->p - size, size)];
}

int bine_groups_entry(const struct bine_groups *g, int level, int set, int rank) {
    struct bine_spread x = {.groups = g, .kind = BINE_SPREAD_RANKS};
    return entry_of(&x, level, set, rank);
}

/* In the root's own set, the ranks of the smaller set that the root is in enter none. */
static int apart_from_root(const struct bine_spread *x, int level, int block) {
    const struct bine_groups *g = x->groups;
    int set = g->level[level].set_of[x->root], size = bine_groups_size(g, level, set);
    int first = g->level[level].begin[set], own = set, inner = size;
    if (size == 1)
        return x->root;
    while (inner == size) {
        own = g->level[++level].set_of[x->root];
        inner = bine_groups_size(g, level, own);
    }
    int at = first + share(x, block, g->p, size - inner);
    return g->member[at < g->level[level].begin[own] ? at : at + inner];
}

/* How many of the ranks member[first] .. member[first + size - 1], which ascend, are below one. */
static int lower_in(const struct bine_groups *g, int first, int size, int rank) {
    int low = 0, high = size;
    while (low < high) {
        int middle = (low + high) / 2;
        if (g->member[first + middle] < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The rank that keeps a block, in the smallest of sets inside sets: these take turns. Where the
 * block is hung, the root and its own sets do not. */
static int keeper(const struct bine_spread *x, int level, int set, int block) {
    const struct bine_groups *g = x->groups;
    for (; level + 2 < g->levels; level++) {
        const struct bine_level *l = &g->level[level];
        int first = l->inside[set], sets = l->inside[set + 1] - first;
        int own = x->kind == BINE_SPREAD_HUNG && l->set_of[x->root] == set && sets > 1
                      ? g->level[level + 1].set_of[x->root]
                      : first + sets;
        set = first + block % (sets - (own < first + sets));
        set += set >= own;
    }
    int size = bine_groups_size(g, level, set), first = g->level[level].begin[set];
    if (x->kind == BINE_SPREAD_RANKS) /* ranks of the set itself do not count */
        return g
            ->member[first + share(x, block - lower_in(g, first, size, block), g->p - size, size)];
    if (x->kind != BINE_SPREAD_HUNG || g->level[level].set_of[x->root] != set || size == 1)
        return g->member[first + share(x, block, g->p, size)];
    int at = first + share(x, block, g->p, size - 1);
    return g->member[at < g->level[g->levels - 1].set_of[x->root] ? at : at + 1];
}

/* The rank by which a block enters a set that does not hold its source. */
static int chosen(const struct bine_spread *x, int level, int set, int block) {
    const struct bine_groups *g = x->groups;
    int first = g->level[level].begin[set];
    if (bine_groups_size(g, level, set) == 1)
        return g->member[first];
    if (x->flat && x->kind != BINE_SPREAD_ROOT)
        return keeper(x, level, set, block);
    switch (x->kind) {
    case BINE_SPREAD_RANKS:
        return entry_of(x, level, set, block);
    case BINE_SPREAD_HUNG:
        if (g->level[level].set_of[x->root] == set)
            return apart_from_root(x, level, block);
        /* fall through */
    case BINE_SPREAD_PARTS:
        return g->member[first + share(x, block, g->p, bine_groups_size(g, level, set))];
    case BINE_SPREAD_ROOT:
        break;
    }
    return g->member[first];
}

/* Parts take turns between so many groups, as often as the largest of them has ranks: the share of
 * a part out of largest * groups, modulo groups, without so large a number in between. */
static int home_group(const struct bine_spread *x, int block, int groups) {
    int64_t turns = x->turns > 0 ? x->turns : 1, all = x->groups->p * turns;
    int64_t round = (block * turns + x->turn) * x->groups->largest % all;
    return (int)(round * groups / all);
}

int bine_spread_source(const struct bine_spread *x, int block) {
    const struct bine_groups *g = x->groups;
    int groups = bine_groups_count(g), own, home;
    switch (x->kind) {
    case BINE_SPREAD_RANKS:
        return block;
    case BINE_SPREAD_PARTS:
        return g->levels > 1 ? chosen(x, 1, home_group(x, block, groups), block) : 0;
    case BINE_SPREAD_HUNG:
        if (groups == 1)
            break;
        own = g->level[1].set_of[x->root];
        home = home_group(x, block, groups - 1);
        return chosen(x, 1, home + (home >= own), block);
    case BINE_SPREAD_ROOT:
        break;
    }
    return x->root;
}

int bine_spread_entry(const struct bine_spread *x, int block, int above, int level, int set) {
    return x->groups->level[level].set_of[above] == set ? above : chosen(x, level, set, block);
}

void bine_spread_chain(const struct bine_spread *x, int block, int source, int rank,
                       struct bine_chain *c) {
    const struct bine_groups *g = x->groups;
    c->block = block;
    c->rank = rank;
    c->entry[0] = source;
    for (int l = 1; l < g->levels; l++)
        c->entry[l] = bine_spread_entry(x, block, c->entry[l - 1], l, g->level[l].set_of[rank]);
}

/* The root's own set, where it is hung. */
static int set_apart(const struct bine_spread *x, int level, int set) {
    const struct bine_level *l = &x->groups->level[level];
    if (x->kind != BINE_SPREAD_HUNG || l->set_of[x->root] != set ||
        l->inside[set + 1] - l->inside[set] < 2)
        return -1;
    return x->groups->level[level + 1].set_of[x->root] - l->inside[set];
}

/* The tree over the sets inside one set of a level, by their number. */
static const struct bine_tree *tree_over(const struct bine_spread *x, int level, int sets) {
    const struct bine_groups *g = x->groups;
    return x->flat && level + 2 == g->levels ? g->star[sets] : g->tree[sets];
}

/* Whether the last level is flat, and has a second step for blocks from outside the set. */
static int is_late(const struct bine_spread *x, int level) {
    return x->flat && x->kind == BINE_SPREAD_RANKS && level + 2 == x->groups->levels &&
           x->groups->level[level].sets > 1;
}

int bine_spread_is_late(const struct bine_spread *x, int block, int rank) {
    int level = x->groups->levels - 2;
    const int32_t *set_of = x->groups->level[level < 0 ? 0 : level].set_of;
    return is_late(x, level) && set_of[block] != set_of[rank];
}

static int is_direct(const struct bine_spread *x, int level) {
    return x->direct && (level + 2 < x->groups->levels || x->groups->alone);
}

struct bine_branch bine_spread_branch(const struct bine_spread *x, int level, int set, int entry) {
    const struct bine_groups *g = x->groups;
    const struct bine_level *l = &g->level[level];
    struct bine_branch b = {NULL, l->inside[set], l->inside[set + 1] - l->inside[set], 0,
                            set_apart(x, level, set)};
    b.root = g->level[level + 1].set_of[entry] - b.first;
    if (!is_direct(x, level))
        b.tree = tree_over(x, level, b.sets - (b.apart >= 0));
    return b;
}

/* The nodes of the tree are the sets without the one that is apart. */
static int node_of(const struct bine_branch *b, int set) {
    int apart = b->apart >= 0 ? b->apart : b->sets;
    return bine_tree_node(b->tree, b->root - (b->root > apart), set - (set > apart));
}

int bine_branch_set(const struct bine_branch *b, int v) {
    int apart = b->apart >= 0 ? b->apart : b->sets;
    int set = bine_tree_rank(b->tree, b->root - (b->root > apart), v);
    return set + (set >= apart);
}

int bine_branch_upper(const struct bine_branch *b, int set, int *step) {
    *step = 0;
    if (b->tree == NULL || set == b->apart)
        return b->root;
    int v = node_of(b, set);
    *step = b->tree->step[v];
    return bine_branch_set(b, b->tree->parent[v]);
}

int bine_spread_steps(const struct bine_spread *x, int level) {
    const struct bine_level *l = &x->groups->level[level];
    int steps = 0;
    for (int i = 0; i < l->sets; i++) {
        int sets = l->inside[i + 1] - l->inside[i] - (set_apart(x, level, i) >= 0);
        const struct bine_tree *t = tree_over(x, level, sets);
        if (t->steps > steps)
            steps = t->steps;
    }
    return is_direct(x, level) ? steps > 0 : steps + (steps > 0 && is_late(x, level));
}

/* How the block comes to the rank, which is entered at this level. */
static struct bine_spread_edge edge_from(const struct bine_spread *x, const struct bine_chain *c,
                                         const struct bine_branch *b, int level) {
    int step,
        upper = bine_branch_upper(b, x->groups->level[level + 1].set_of[c->rank] - b->first, &step);
    step += level + 2 == x->groups->levels && bine_spread_is_late(x, c->block, c->rank);
    return (struct bine_spread_edge){
        bine_spread_entry(x, c->block, c->entry[level], level + 1, b->first + upper), level, step};
}

/* And on from it to the entries of the other sets below. Returns how many. */
static int edges_to(const struct bine_spread *x, const struct bine_chain *c,
                    const struct bine_branch *b, int level, struct bine_spread_edge *to) {
    int mine = x->groups->level[level + 1].set_of[c->rank] - b->first, n = 0;
    if (b->tree == NULL || mine == b->apart)
        return 0;
    int v = node_of(b, mine);
    int late = level + 2 == x->groups->levels && bine_spread_is_late(x, c->block, c->rank);
    for (int k = b->tree->kids_at[v]; k < b->tree->kids_at[v + 1]; k++) {
        int w = b->tree->kids[k], set = b->first + bine_branch_set(b, w);
        to[n++] = (struct bine_spread_edge){
            bine_spread_entry(x, c->block, c->entry[level], level + 1, set), level,
            b->tree->step[w] + late};
    }
    return n;
}

static struct bine_branch branch_at(const struct bine_spread *x, const struct bine_chain *c,
                                    int level) {
    int set = x->groups->level[level].set_of[c->rank];
    return bine_spread_branch(x, level, set, c->entry[level]);
}

int bine_spread_arrival(const struct bine_spread *x, int block, int rank,
                        struct bine_spread_edge *from) {
    struct bine_chain c;
    int l = 0;
    bine_spread_chain(x, block, bine_spread_source(x, block), rank, &c);
    if (c.entry[0] == rank)
        return 0;
    while (c.entry[l + 1] != rank)
        l++;
    struct bine_branch b = branch_at(x, &c, l);
    *from = edge_from(x, &c, &b, l);
    return 1;
}

int bine_chain_edges(const struct bine_spread *x, const struct bine_chain *c,
                     struct bine_spread_edge *from, struct bine_spread_edge *to) {
    int n = 0;
    for (int l = 0; l + 1 < x->groups->levels; l++) {
        if (c->entry[l + 1] != c->rank)
            continue;
        struct bine_branch b = branch_at(x, c, l);
        if (c->entry[l] != c->rank)
            *from = edge_from(x, c, &b, l);
        n += edges_to(x, c, &b, l, to + n);
    }
    return n;
}
