#include "cli/options/shapes.h"

#include "cli/command.h"

#include <stdlib.h>
#include <string.h>

int bine_word_dims(const char *word, int p, struct bine_shape *dims) {
    if (bine_shape_parse(word, strlen(word), dims) != 0)
        return bine_complain("dims '%s': expected sizes, as in 4x4x8, of at most %d nodes in all",
                             word, BINE_TORUS_MOST);
    if (p != 0 && bine_shape_nodes(dims) != p)
        return bine_complain("dims %s: %d ranks, expected %d", word, bine_shape_nodes(dims), p);
    return 0;
}

int bine_word_ports(const char *word, int *ports) {
    long n;
    if (bine_word_number("ports", word, 1, 2 * BINE_DIMS_MOST, &n) != 0)
        return BINE_EXIT_USAGE;
    *ports = (int)n;
    return 0;
}

int bine_tori_add(struct bine_tori *tori, const struct bine_shape *dims) {
    tori->kind = BINE_TORI_LIST;
    for (size_t i = 0; i < tori->count; i++)
        if (bine_shape_same(&tori->list[i], dims))
            return 0;
    struct bine_shape *more = realloc(tori->list, (tori->count + 1) * sizeof *more);
    if (more == NULL)
        return bine_complain("out of memory");
    tori->list = more;
    more[tori->count++] = *dims;
    return 0;
}

int bine_word_tori(const char *word, struct bine_tori *tori) {
    const char *at = word, *end;
    tori->count = 0;
    if (strcmp(word, "all") == 0 || strcmp(word, "even") == 0) {
        tori->kind = word[0] == 'a' ? BINE_TORI_ALL : BINE_TORI_EVEN;
        return 0;
    }
    do {
        struct bine_shape dims;
        end = at + strcspn(at, ",");
        if (bine_shape_parse(at, (size_t)(end - at), &dims) != 0)
            return bine_complain("dims '%s': expected all, even or sizes, as in 4x4,2x6x2, of at "
                                 "most %d nodes each",
                                 word, BINE_TORUS_MOST);
        if (bine_tori_add(tori, &dims) != 0)
            return BINE_EXIT_USAGE;
        at = end + 1;
    } while (*end == ',');
    return 0;
}

void bine_tori_free(struct bine_tori *tori) {
    free(tori->list);
    *tori = (struct bine_tori){0};
}

/* Counting the cases of an algorithm, up to the one that is looked for. */
struct search {
    const struct bine_tori *tori;
    const struct bine_algorithm *algorithm;
    int wanted, count; /* wanted: -1 for none */
    struct bine_torus_case found;
};

static void see_case(struct search *x, const struct bine_shape *dims, int ports) {
    if (x->count++ == x->wanted)
        x->found = (struct bine_torus_case){*dims, ports};
}

static void see(struct search *x, const struct bine_shape *dims) {
    int most = bine_torus_ports(dims);
    if (!bine_algorithm_takes_dims(x->algorithm, dims))
        return;
    if (x->tori->ports > 0 && x->tori->ports <= most)
        see_case(x, dims, x->tori->ports);
    if (x->tori->ports > 0)
        return;
    see_case(x, dims, 1);
    if (most > 1 && (x->tori->kind != BINE_TORI_ONE || bine_shape_nodes(dims) <= BINE_TORI_FEW))
        see_case(x, dims, most);
}

static int is_even(const struct bine_shape *dims) {
    for (int k = 0; k < dims->dims; k++)
        if (dims->size[k] % 2 != 0)
            return 0;
    return 1;
}

/* Every way to write p as a product of so many dimensions. */
static void see_products(struct search *x, struct bine_shape *dims, int p, int left) {
    int k = dims->dims++;
    if (left == 1) {
        dims->size[k] = p;
        if (x->tori->kind != BINE_TORI_EVEN || is_even(dims))
            see(x, dims);
    }
    for (int d = 2; left > 1 && d <= p / 2; d++) {
        if (p % d != 0)
            continue;
        dims->size[k] = d;
        see_products(x, dims, p / d, left - 1);
    }
    dims->dims--;
}

/* The largest divisor of p whose n-th power is not above p. */
static int root_divisor(int p, int n) {
    int best = 1;
    for (int d = 2; (n == 3 ? d * d : d) <= p / d; d++)
        if (p % d == 0)
            best = d;
    return best;
}

static void see_cube(struct search *x, int p) {
    struct bine_shape dims = {0};
    int a = root_divisor(p, 3), b = root_divisor(p / a, 2), c = p / a / b;
    int size[3] = {a, b, c};
    for (int k = 0; k < 3; k++)
        if (size[k] > 1 || (k == 2 && dims.dims == 0))
            dims.size[dims.dims++] = size[k];
    see(x, &dims);
}

static void search(struct search *x, int p) {
    struct bine_shape dims = {0};
    if (x->tori->kind == BINE_TORI_ONE)
        see_cube(x, p);
    for (size_t i = 0; i < x->tori->count; i++)
        if (bine_shape_nodes(&x->tori->list[i]) == p)
            see(x, &x->tori->list[i]);
    for (int n = 1; n <= 3 && (x->tori->kind == BINE_TORI_EVEN || x->tori->kind == BINE_TORI_ALL);
         n++)
        see_products(x, &dims, p, n);
}

int bine_tori_count(const struct bine_tori *tori, const struct bine_algorithm *a, int p) {
    struct search x = {.tori = tori, .algorithm = a, .wanted = -1};
    search(&x, p);
    return x.count;
}

struct bine_torus_case bine_tori_case(const struct bine_tori *tori, const struct bine_algorithm *a,
                                      int p, int k) {
    struct search x = {.tori = tori, .algorithm = a, .wanted = k};
    search(&x, p);
    return x.found;
}
