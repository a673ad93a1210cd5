#include "traffic/busiest.h"

#include <stdlib.h>

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

struct bine_busiest bine_traffic_busiest(const struct bine_traffic *t, int groups) {
    struct bine_busiest b = {0, 0};
    size_t n = (size_t)groups;
    for (size_t i = 0; i < n; i++) {
        int64_t out = 0, in = 0;
        for (size_t k = 0; k < n; k++) {
            if (k == i)
                continue;
            out += t->pair[i * n + k];
            in += t->pair[k * n + i];
            b.pair = larger(b.pair, t->pair[i * n + k]);
        }
        b.uplink = larger(b.uplink, larger(out, in));
    }
    return b;
}

/* The shares of each group: ranks, and bytes of the blocks of its ranks. */
struct shares {
    int groups;
    int64_t total, *ranks, *bytes;
};

static int shares_open(struct shares *s, int64_t bytes, const struct bine_sets *sets) {
    struct bine_block_bytes cut = bine_block_bytes_of(bytes, sets->p);
    *s = (struct shares){.groups = sets->count, .total = bytes};
    s->ranks = calloc(2 * (size_t)s->groups, sizeof *s->ranks);
    if (s->ranks == NULL)
        return -1;
    s->bytes = s->ranks + s->groups;
    for (int r = 0; r < sets->p; r++) {
        s->ranks[bine_set_of(sets, r)]++;
        s->bytes[bine_set_of(sets, r)] += bine_bytes_of_block(&cut, r);
    }
    return 0;
}

static int64_t divided(int64_t bytes, int64_t parts) {
    return (bytes + parts - 1) / parts;
}

/* Everything goes to every group, from where its blocks are. */
static struct bine_busiest of_blocks(const struct shares *s) {
    int64_t least = s->bytes[0];
    for (int i = 1; i < s->groups; i++)
        least = s->bytes[i] < least ? s->bytes[i] : least;
    return (struct bine_busiest){s->total - least, divided(s->total - least, s->groups - 1)};
}

static struct bine_busiest of_root(const struct shares *s, int root) {
    struct bine_busiest b = {s->total - s->bytes[root], 0};
    for (int i = 0; i < s->groups; i++)
        b.pair = i == root ? b.pair : larger(b.pair, s->bytes[i]);
    return b;
}

static struct bine_busiest of_alltoall(const struct shares *s) {
    struct bine_busiest b = {0, 0};
    for (int i = 0; i < s->groups; i++) {
        int64_t in = 0;
        for (int k = 0; k < s->groups; k++) {
            in += k == i ? 0 : s->ranks[k] * s->bytes[i];
            b.pair = k == i ? b.pair : larger(b.pair, s->ranks[i] * s->bytes[k]);
        }
        b.uplink = larger(b.uplink, larger(in, s->ranks[i] * (s->total - s->bytes[i])));
    }
    return b;
}

int bine_busiest_bound(enum bine_collective c, int64_t bytes, int root,
                       const struct bine_allocation *a, struct bine_busiest *bound) {
    struct bine_sets groups = {a->group, a->p, bine_allocation_groups(a)};
    return bine_busiest_sets_bound(c, bytes, root, &groups, bound);
}

int bine_busiest_sets_bound(enum bine_collective c, int64_t bytes, int root,
                            const struct bine_sets *sets, struct bine_busiest *bound) {
    struct shares s;
    *bound = (struct bine_busiest){0, 0};
    if (sets->count < 2)
        return 0;
    if (shares_open(&s, bytes, sets) != 0)
        return -1;
    switch (bine_collective_kind(c)) {
    case BINE_ALLGATHER:
    case BINE_REDUCE_SCATTER:
        *bound = of_blocks(&s);
        break;
    case BINE_ALLREDUCE:
        *bound = (struct bine_busiest){divided(2 * bytes * (s.groups - 1), s.groups),
                                       divided(2 * bytes, s.groups)};
        break;
    case BINE_BCAST:
    case BINE_REDUCE:
        *bound = (struct bine_busiest){bytes, divided(bytes, s.groups - 1)};
        break;
    case BINE_GATHER:
    case BINE_SCATTER:
        *bound = of_root(&s, bine_set_of(sets, root));
        break;
    case BINE_ALLTOALL:
        *bound = of_alltoall(&s);
        break;
    case BINE_BARRIER:
        break;
    default:
        *bound = (struct bine_busiest){-1, -1};
        break;
    }
    free(s.ranks);
    return 0;
}
