#include "check/proofs.h"

#include "base/grow.h"
#include "base/hash.h"
#include "base/set.h"
#include "pattern/groups/groupings.h"

#include <stdlib.h>

/* The roots below p, of a rooted collective. */
static size_t count_roots(const struct bine_proofs *all, const struct bine_algorithm *a, int p) {
    size_t n = 0;
    if (!bine_collective_is_rooted(a->collective))
        return 1;
    if (all->roots == NULL)
        return (size_t)p;
    while (n < all->roots->count && all->roots->value[n] < p)
        n++;
    return n;
}

/* Groupings that are proved above BINE_GROUPINGS_ALL ranks, when they are not drawn: a few, and one
 * of many ranks. */
enum { FEW_GROUPINGS = 4, MANY_RANKS = 16 };

/* Of all roots, with no torus given, every fourth is proved with all ports, the others with one:
 * all of them with both would take seven times as long. */
static int takes_turns(const struct bine_proofs *all, const struct bine_algorithm *a, int p) {
    return all->tori->kind == BINE_TORI_ONE && all->roots == NULL && !all->draws &&
           bine_collective_is_rooted(a->collective) && bine_tori_count(all->tori, a, p) == 2;
}

static size_t count_shapes(const struct bine_proofs *all, const struct bine_algorithm *a, int p) {
    if (bine_algorithm_needs(a) == BINE_NEEDS_DIMS)
        return takes_turns(all, a, p) ? 1 : (size_t)bine_tori_count(all->tori, a, p);
    if (bine_algorithm_needs(a) != BINE_NEEDS_GROUPS || all->groups != NULL)
        return 1;
    if (p <= BINE_GROUPINGS_ALL || all->draws)
        return (size_t)bine_groupings_count(p);
    return p <= MANY_RANKS ? FEW_GROUPINGS : 1;
}

int bine_proofs_add(struct bine_proofs *all, const struct bine_algorithm *a, enum bine_layout l,
                    int p) {
    size_t roots = count_roots(all, a, p), shapes = count_shapes(all, a, p);
    if (roots == 0 || shapes == 0 || all->segments > bine_segments_most(a, p))
        return 0;
    if (bine_grow(&all->group, &all->room, all->ngroups + 1, sizeof *all->group) != 0)
        return -1;
    all->group[all->ngroups++] = (struct bine_proof_group){a, l, p, all->count, roots};
    all->count += roots * shapes;
    return 0;
}

/* The group that a proof is in. */
static size_t group_of(const struct bine_proofs *all, size_t number) {
    size_t low = 0, high = all->ngroups;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (all->group[middle].first <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

struct bine_spec bine_proofs_request(const struct bine_proofs *all, size_t number) {
    const struct bine_proof_group *g = &all->group[group_of(all, number)];
    size_t k = (number - g->first) % g->roots;
    int rooted = bine_collective_is_rooted(g->algorithm->collective);
    int root = !rooted ? 0 : all->roots == NULL ? (int)k : all->roots->value[k];
    return (struct bine_spec){
        .algorithm = g->algorithm, .layout = g->layout, .p = g->p, .root = root};
}

int bine_proofs_grouping(const struct bine_proofs *all, size_t number) {
    const struct bine_proof_group *g = &all->group[group_of(all, number)];
    if (bine_algorithm_needs(g->algorithm) != BINE_NEEDS_GROUPS || all->groups != NULL)
        return -1;
    return (int)((number - g->first) / g->roots);
}

int bine_proofs_torus(const struct bine_proofs *all, size_t number, struct bine_torus_case *torus) {
    const struct bine_proof_group *g = &all->group[group_of(all, number)];
    if (bine_algorithm_needs(g->algorithm) != BINE_NEEDS_DIMS)
        return 0;
    size_t k = number - g->first;
    *torus =
        bine_tori_case(all->tori, g->algorithm, g->p,
                       takes_turns(all, g->algorithm, g->p) ? k % 4 == 1 : (int)(k / g->roots));
    return 1;
}

int bine_proofs_shape(const struct bine_proofs *all, size_t number, struct bine_spec *spec,
                      struct bine_groups **made, struct bine_torus_case *torus) {
    if (bine_proofs_torus(all, number, torus)) {
        *made = NULL;
        spec->dims = &torus->dims;
        spec->ports = torus->ports;
        return 0;
    }
    int grouping = bine_proofs_grouping(all, number);
    *made = grouping >= 0 ? bine_grouping_new(spec->p, grouping) : NULL;
    spec->groups = grouping >= 0 ? *made : all->groups;
    return grouping >= 0 && *made == NULL ? -1 : 0;
}

/* Of all roots of many ranks in groups that were not given, every eighth is proved with several
 * segments, the others with one: several take four times as long. */
int bine_proofs_segments(const struct bine_proofs *all, const struct bine_spec *spec,
                         int segments[2]) {
    enum { RANKS_OF_FEW = 64, TURN = 8 };
    int one = all->roots == NULL && !all->draws && all->groups == NULL && spec->p > RANKS_OF_FEW &&
              bine_algorithm_needs(spec->algorithm) == BINE_NEEDS_GROUPS && spec->root % TURN != 0;
    segments[0] = all->segments;
    segments[1] = 1;
    if (all->segments > 0 || spec->algorithm->trees == 0)
        return 1;
    segments[0] = one ? 1 : BINE_SEGMENTS;
    return one ? 1 : 2;
}

size_t bine_proofs_total(const struct bine_proofs *all) {
    return all->pick != NULL ? all->picks : all->count;
}

size_t bine_proofs_number(const struct bine_proofs *all, size_t i) {
    return all->pick != NULL ? all->pick[i] : i;
}

void bine_proofs_free(struct bine_proofs *all) {
    free(all->group);
    free(all->pick);
    *all = (struct bine_proofs){0};
}

static size_t group_end(const struct bine_proofs *all, size_t g) {
    return g + 1 < all->ngroups ? all->group[g + 1].first : all->count;
}

/* One of the groups first..end-1 that share something: each value of it as likely as any other. */
static void narrow(const struct bine_proofs *all, uint64_t *state, size_t *first, size_t *end,
                   int (*same)(const struct bine_proof_group *, const struct bine_proof_group *)) {
    size_t kinds = 1;
    for (size_t g = *first + 1; g < *end; g++)
        kinds += !same(&all->group[g - 1], &all->group[g]);
    uint64_t skip = bine_draw(state, kinds);
    size_t g = *first;
    for (; skip > 0; g++)
        skip -= !same(&all->group[g], &all->group[g + 1]);
    size_t begin = g;
    while (g + 1 < *end && same(&all->group[g], &all->group[g + 1]))
        g++;
    *first = begin;
    *end = g + 1;
}

static int same_p(const struct bine_proof_group *a, const struct bine_proof_group *b) {
    return a->p == b->p;
}

static int same_algorithm(const struct bine_proof_group *a, const struct bine_proof_group *b) {
    return a->algorithm == b->algorithm;
}

static int same_layout(const struct bine_proof_group *a, const struct bine_proof_group *b) {
    return a->layout == b->layout;
}

static size_t draw_one(const struct bine_proofs *all, uint64_t *state) {
    size_t first = 0, end = all->ngroups;
    narrow(all, state, &first, &end, same_p);
    narrow(all, state, &first, &end, same_algorithm);
    narrow(all, state, &first, &end, same_layout);
    size_t begin = all->group[first].first;
    return begin + (size_t)bine_draw(state, group_end(all, first) - begin);
}

static int by_number(const void *a, const void *b) {
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static int same_pick(const void *picks, uint32_t number, const void *x) {
    return ((const size_t *)picks)[number] == *(const size_t *)x;
}

/* A proof is made once: where it was drawn before, the next one that was not. 0, or -1 when out of
 * memory. */
static int pick(struct bine_proofs *all, struct bine_set *picked, size_t x) {
    while (bine_set_find(picked, bine_hash_number(x), same_pick, all->pick, &x) != NULL)
        x = x + 1 < all->count ? x + 1 : 0;
    all->pick[all->picks] = x;
    return bine_set_add(picked, bine_hash_number(x), (uint32_t)all->picks++);
}

int bine_proofs_draw(struct bine_proofs *all, size_t n, uint64_t seed) {
    struct bine_set picked = {0};
    if (n >= all->count)
        return 0;
    all->pick = malloc((n + 1) * sizeof *all->pick);
    int rc = all->pick == NULL || n >= BINE_SET_FREE ? -1 : 0;
    while (rc == 0 && all->picks < n)
        rc = pick(all, &picked, draw_one(all, &seed));
    bine_set_free(&picked);
    if (rc == 0)
        qsort(all->pick, n, sizeof *all->pick, by_number);
    return rc;
}
