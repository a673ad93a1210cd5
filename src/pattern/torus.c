#include "pattern/torus.h"
#include "base/numbers.h"

#include "pattern/knomial.h"
#include "pattern/negabinary.h"
#include "pattern/ring.h"

#include <stdlib.h>

/* Dimensions of more than one rank, the first one `port` places further on. */
static int turned_dims(const struct bine_shape *shape, int port, int dim[BINE_DIMS_MOST]) {
    int all[BINE_DIMS_MOST], n = 0;
    for (int k = 0; k < shape->dims; k++)
        if (shape->size[k] > 1)
            all[n++] = k;
    for (int i = 0; i < n; i++)
        dim[i] = all[(i + port) % n];
    return n;
}

int bine_torus_ports(const struct bine_shape *shape) {
    int dim[BINE_DIMS_MOST], n = turned_dims(shape, 0, dim);
    return n == 0 ? 1 : 2 * n;
}

/* Bit k if dimension k goes the other way round: those that the port has passed over, or, from half
 * of the ports on, all others. */
static unsigned mirrored_dims(const struct bine_shape *shape, int port) {
    int dim[BINE_DIMS_MOST], n = turned_dims(shape, 0, dim);
    unsigned mirrors = 0;
    for (int i = 0; i < n; i++)
        mirrors |= (unsigned)((i < port % n) != (port >= n)) << dim[i];
    return mirrors;
}

/* Near-first: round by round, as long as any dimension has steps left. */
struct bine_torus bine_torus_make(enum bine_torus_kind kind, const struct bine_shape *shape,
                                  int port) {
    struct bine_torus t = {.shape = *shape, .mirrors = mirrored_dims(shape, port)};
    int dim[BINE_DIMS_MOST], n = turned_dims(shape, port, dim), before = -1, unit = 1;
    for (int k = shape->dims - 1; k >= 0; k--) {
        t.unit[k] = unit;
        unit *= shape->size[k];
    }
    for (int round = 0; t.steps > before; round++) {
        before = t.steps;
        for (int i = 0; i < n; i++) {
            int size = shape->size[dim[i]], d[BINE_MAX_STEPS] = {0};
            if (round >= bine_log2_ceil(size))
                continue;
            if (size % 2 == 0)
                bine_distance_list(size, BINE_NEAR_FIRST,
                                   kind == BINE_TORUS_PAPER ? BINE_PAPER : BINE_SCALED, d);
            int by = bine_torus_mirrors(&t, dim[i]) ? -d[round] : d[round];
            t.near[t.steps++] = (struct bine_torus_step){dim[i], round, by};
        }
    }
    return t;
}

int bine_torus_move(const struct bine_torus *t, int rank, int dim, int coordinate) {
    return rank + (coordinate - bine_torus_coordinate(t, rank, dim)) * t->unit[dim];
}

int bine_torus_partner(const struct bine_torus *t, int rank, int step) {
    const struct bine_torus_step *x = &t->near[step];
    return bine_torus_move(
        t, rank, x->dim,
        bine_partner(bine_torus_coordinate(t, rank, x->dim), x->distance, t->shape.size[x->dim]));
}

static int turned(const struct bine_torus *t, int x, int dim) {
    return bine_torus_mirrors(t, dim) ? bine_mod_sub(0, x, t->shape.size[dim]) : x;
}

int bine_torus_place(const struct bine_torus *t, int rank) {
    uint32_t nu[BINE_DIMS_MOST];
    int place = 0;
    for (int k = 0; k < t->shape.dims; k++)
        nu[k] = bine_nu(turned(t, bine_torus_coordinate(t, rank, k), k), t->shape.size[k]);
    for (int s = 0; s < t->steps; s++) {
        const struct bine_torus_step *x = &t->near[t->steps - 1 - s];
        place |= (int)(~nu[x->dim] >> x->round & 1) << s;
    }
    return place;
}

int bine_torus_rank_at(const struct bine_torus *t, int place) {
    uint32_t nu[BINE_DIMS_MOST] = {0};
    int rank = 0;
    for (int s = 0; s < t->steps; s++) {
        const struct bine_torus_step *x = &t->near[t->steps - 1 - s];
        nu[x->dim] |= (uint32_t)(~place >> s & 1) << x->round;
    }
    for (int k = 0; k < t->shape.dims; k++)
        rank += t->unit[k] * turned(t, bine_nu_inverse(nu[k], t->shape.size[k]), k);
    return rank;
}

/* The tree of one dimension. */
static struct bine_tree *ring_of(enum bine_torus_kind kind, int size, enum bine_order order) {
    switch (kind) {
    case BINE_TORUS_HYPERCUBE:
        return bine_hypercube_tree(size, order);
    case BINE_TORUS_BUCKET:
        return bine_ring_tree(size);
    case BINE_TORUS_PAPER:
        return bine_paper_tree(size, order);
    case BINE_TORUS_BINE:
        break;
    }
    return bine_scaled_tree(size, order);
}

/* Trees to be multiplied: when[k][s] is the time of step s of dimension k. */
struct factors {
    struct bine_tree *tree[BINE_DIMS_MOST];
    int32_t *when[BINE_DIMS_MOST];
    int steps;
};

/* Bine and its like: round by round. */
static void in_turn(struct factors *f, const struct bine_shape *shape, enum bine_order order,
                    int port) {
    struct bine_torus t = bine_torus_make(BINE_TORUS_BINE, shape, port);
    f->steps = t.steps;
    for (int s = 0; s < t.steps; s++) {
        const struct bine_torus_step *x = &t.near[s];
        int last = f->tree[x->dim]->steps - 1, far = order == BINE_FAR_FIRST;
        f->when[x->dim][far ? last - x->round : x->round] = far ? t.steps - 1 - s : s;
    }
}

/* Bucket: the last dimension first, all its steps, then the one before it. */
static void one_by_one(struct factors *f, const struct bine_shape *shape, int port) {
    int dim[BINE_DIMS_MOST], n = turned_dims(shape, port, dim);
    for (int i = n - 1; i >= 0; i--)
        for (int s = 0; s < f->tree[dim[i]]->steps; s++)
            f->when[dim[i]][s] = f->steps++;
}

static void factors_free(struct factors *f, int dims) {
    for (int k = 0; k < dims; k++) {
        bine_tree_free(f->tree[k]);
        free(f->when[k]);
    }
}

static int factors_make(struct factors *f, enum bine_torus_kind kind,
                        const struct bine_shape *shape, enum bine_order order, int port) {
    *f = (struct factors){.steps = 0};
    unsigned mirrors = mirrored_dims(shape, port);
    int good = 1;
    for (int k = 0; k < shape->dims; k++) {
        f->tree[k] = ring_of(kind, shape->size[k], order);
        if (mirrors >> k & 1)
            f->tree[k] = bine_tree_turn(f->tree[k]);
        f->when[k] = calloc((size_t)shape->size[k] + 1, sizeof *f->when[k]);
        good &= f->tree[k] != NULL && f->when[k] != NULL;
    }
    if (good && kind == BINE_TORUS_BUCKET)
        one_by_one(f, shape, port);
    else if (good)
        in_turn(f, shape, order, port);
    return good ? 0 : -1;
}

/* The product, node by node. */
static void multiply(struct bine_tree *t, const struct factors *f, const struct bine_shape *shape) {
    for (int v = 1; v < t->p; v++) {
        t->step[v] = -1;
        for (int k = shape->dims - 1, unit = 1; k >= 0; unit *= shape->size[k--]) {
            int x = v / unit % shape->size[k];
            if (x == 0 || f->when[k][f->tree[k]->step[x]] < t->step[v])
                continue;
            t->step[v] = f->when[k][f->tree[k]->step[x]];
            t->parent[v] = v + (f->tree[k]->parent[x] - x) * unit;
        }
    }
}

struct bine_tree *bine_torus_tree(enum bine_torus_kind kind, const struct bine_shape *shape,
                                  enum bine_order order, int port) {
    struct factors f;
    struct bine_tree *t = NULL;
    if (factors_make(&f, kind, shape, order, port) == 0)
        t = bine_tree_new(bine_shape_nodes(shape), f.steps,
                          kind == BINE_TORUS_HYPERCUBE ? BINE_XOR : BINE_GRID);
    if (t != NULL) {
        t->grid = *shape;
        for (int k = 0; k < shape->dims; k++)
            t->mirrors |= (unsigned)(f.tree[k]->action == BINE_MIRROR) << k;
        multiply(t, &f, shape);
        t = bine_tree_finish(t);
    }
    factors_free(&f, shape->dims);
    return t;
}
