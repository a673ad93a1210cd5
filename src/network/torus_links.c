#include "network/torus_links.h"

#include "base/numbers.h"

#include <stdlib.h>
#include <string.h>

/* How far to go up (positive) or down in a ring. */
static int way(int from, int to, int size) {
    int up = to >= from ? to - from : to - from + size;
    return 2 * up <= size ? up : up - size;
}

int bine_torus_route(const struct bine_shape *shape, int from, int to, bine_torus_visit *visit,
                     void *self) {
    int hops = 0, stride = bine_shape_nodes(shape), at = from;
    for (int d = 0; d < shape->dims; d++) {
        int size = shape->size[d];
        stride /= size;
        int here = at / stride % size;
        int left = way(here, to / stride % size, size), down = left < 0;
        hops += down ? -left : left;
        for (int n = down ? -left : left; n > 0 && visit != NULL; n--) {
            visit(self, ((size_t)at * (size_t)shape->dims + (size_t)d) * 2 + (size_t)down);
            int next = down ? (here == 0 ? size - 1 : here - 1) : (here == size - 1 ? 0 : here + 1);
            at += (next - here) * stride;
            here = next;
        }
    }
    return hops;
}

int bine_torus_hops(const struct bine_shape *shape, int from, int to) {
    return bine_torus_route(shape, from, to, NULL, NULL);
}

static size_t links(const struct bine_shape *shape) {
    return (size_t)bine_shape_nodes(shape) * (size_t)shape->dims * 2;
}

int bine_link_loads_open(struct bine_link_loads *l, const struct bine_shape *shape) {
    *l = (struct bine_link_loads){.shape = *shape};
    l->load = calloc(links(shape), sizeof *l->load);
    return l->load == NULL ? -1 : 0;
}

struct adding {
    int64_t *load, bytes;
};

static void add(void *self, size_t link) {
    struct adding *a = self;
    a->load[link] += a->bytes;
}

void bine_link_loads_add(struct bine_link_loads *l, int from, int to, int64_t bytes) {
    struct adding a = {l->load, bytes};
    int hops = bine_torus_route(&l->shape, from, to, add, &a);
    l->bytes += bytes;
    l->hop_bytes += hops * bytes;
    l->most_hops = bine_max(hops, l->most_hops);
}

void bine_link_loads_close(struct bine_link_loads *l) {
    free(l->load);
    l->load = NULL;
}

struct bine_link_summary bine_link_loads_sum(const struct bine_link_loads *l) {
    struct bine_link_summary s = {0};
    size_t dims = (size_t)l->shape.dims;
    for (size_t i = 0; i < links(&l->shape); i++) {
        s.used += l->load[i] > 0;
        if (l->load[i] <= s.busiest)
            continue;
        s.busiest = l->load[i];
        s.node = (int)(i / 2 / dims);
        s.dimension = (int)(i / 2 % dims);
        s.direction = (int)(i % 2);
    }
    return s;
}
