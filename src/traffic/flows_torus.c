/* Flows on tori where every rank is a root, dimensions mirror, and all blocks have one size.
 *
 * An edge of a product of trees changes one coordinate, from u to c in dimension k. For every rank
 * x and node there is one root whose tree has x at that node, so the edge makes one row of p flows:
 * from x to the rank whose x_k is larger by c - u or, where the dimension mirrors and the root's
 * coordinate x_k - u is odd, smaller by it. */
#include "traffic/flows_trees.h"

#include <stdlib.h>

/* The bytes of all edges of one dimension, by displacement and by the parity of u. */
struct row {
    int dim, unit, size;
    int64_t *bytes; /* [2 * displacement + parity] */
};

static void add_edges(const struct bine_tree *t, struct row *r, int64_t size, int below) {
    for (int c = 1; c < t->p; c++) {
        int v = t->parent[c], u = v / r->unit % r->size;
        int d = bine_mod_sub(c / r->unit % r->size, u, r->size);
        if (d != 0)
            r->bytes[2 * d + (u & 1)] += size * (below ? t->leave[c] - t->enter[c] : 1);
    }
}

static void take_row(const struct bine_tree *t, const struct row *r, int directions,
                     const struct bine_flow_sink *sink) {
    int mirrors = (int)(t->mirrors >> r->dim & 1);
    for (int i = 2; i < 2 * r->size; i++)
        for (int x = 0; x < t->p && r->bytes[i] != 0; x++) {
            int at = x / r->unit % r->size;
            int back = mirrors && ((at ^ i) & 1);
            int to = back ? bine_mod_sub(at, i / 2, r->size) : bine_mod_add(at, i / 2, r->size);
            bine_flow_take(sink, directions, x, x + (to - at) * r->unit, r->bytes[i]);
        }
}

int bine_flows_torus(const struct bine_tree *t, int64_t size, int below, int directions,
                     const struct bine_flow_sink *sink) {
    int unit = 1;
    for (int k = t->grid.dims - 1; k >= 0; unit *= t->grid.size[k--]) {
        struct row r = {k, unit, t->grid.size[k], NULL};
        r.bytes = calloc(2 * (size_t)r.size, sizeof *r.bytes);
        if (r.bytes == NULL)
            return -1;
        add_edges(t, &r, size, below);
        take_row(t, &r, directions, sink);
        free(r.bytes);
    }
    return 0;
}
