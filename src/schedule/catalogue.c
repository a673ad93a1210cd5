#include "schedule/catalogue.h"
#include "base/numbers.h"
#include "base/words.h"

#include <string.h>

#define LAYOUTS_WHOLE                                                                              \
    { BINE_BLOCKS, -1 }
#define LAYOUTS_RUNS                                                                               \
    { BINE_BLOCKS, BINE_PACK, -1 }
#define LAYOUTS_SETS                                                                               \
    { BINE_PACK, BINE_BLOCKS, -1 }
#define LAYOUTS_PACKED                                                                             \
    { BINE_PACK, -1 }
#define LAYOUTS_ALL                                                                                \
    { BINE_PERMUTE, BINE_PACK, BINE_BLOCKS, BINE_SEND, -1 }

#define NEAR BINE_NEAR_FIRST
#define FAR BINE_FAR_FIRST
#define MAKE(x) BINE_MAKE_##x
#define STEPS(x) BINE_STEPS_##x
#define PLACE(x) BINE_PLACE_##x
#define FAMILY(x) BINE_FAMILY_##x
#define ANY BINE_RANKS_ANY
#define EVEN BINE_RANKS_EVEN
#define FEW BINE_RANKS_FEW
#define POW2 BINE_RANKS_POW2

/* In the order in which they are listed. */
/* clang-format off */
const struct bine_algorithm bine_catalogue[] = {
#define ALGORITHM(COLLECTIVE, ...) {.collective = BINE_##COLLECTIVE, __VA_ARGS__},
#include "schedule/catalogue/bcast.def"
#include "schedule/catalogue/reduce.def"
#include "schedule/catalogue/allreduce.def"
#include "schedule/catalogue/gather.def"
#include "schedule/catalogue/scatter.def"
#include "schedule/catalogue/allgather.def"
#include "schedule/catalogue/alltoall.def"
#include "schedule/catalogue/reduce_scatter.def"
#include "schedule/catalogue/barrier.def"
#include "schedule/catalogue/uneven.def"
#include "schedule/catalogue/scan.def"
};
/* clang-format on */
const size_t bine_catalogue_size = sizeof bine_catalogue / sizeof *bine_catalogue;

static const char *const layout_names[] = {"blocks", "pack", "permute", "send"};
static const char *const ranks_names[] = {"any", "even", "pow2", "to 4096"};

const char *bine_layout_name(enum bine_layout l) {
    return layout_names[l];
}
const char *bine_ranks_name(enum bine_ranks r) {
    return ranks_names[r];
}

static int find(const char *name, const char *const *names, int n) {
    for (int i = 0; i < n; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    return -1;
}

int bine_layout_find(const char *name) {
    return find(name, layout_names, BINE_LAYOUTS);
}

const struct bine_algorithm *bine_algorithm_find(enum bine_collective c, const char *name) {
    for (size_t i = 0; i < bine_catalogue_size; i++) {
        const struct bine_algorithm *a = &bine_catalogue[i];
        if (a->collective == c &&
            (strcmp(a->name, name) == 0 || (a->alias && strcmp(a->alias, name) == 0)))
            return a;
    }
    return NULL;
}

const char *bine_algorithm_suggest(enum bine_collective c, const char *name) {
    const char *names[64];
    size_t n = 0;
    for (size_t i = 0; i < bine_catalogue_size && n < 64; i++)
        if (bine_catalogue[i].collective == c)
            names[n++] = bine_catalogue[i].name;
    return bine_nearest_word(name, names, n);
}

enum bine_needs bine_algorithm_needs(const struct bine_algorithm *a) {
    return bine_family_is_on_torus(a->tree) ? BINE_NEEDS_DIMS
                                            : bine_compositions[a->composition].needs;
}

int bine_algorithm_serves(const struct bine_algorithm *a, int p) {
    return bine_algorithm_needs(a) == BINE_NEEDS_NOTHING && bine_algorithm_takes(a, p);
}

int bine_algorithm_takes(const struct bine_algorithm *a, int p) {
    switch (a->ranks) {
    case BINE_RANKS_ANY:
        return 1;
    case BINE_RANKS_EVEN:
        return p == 1 || p % 2 == 0;
    case BINE_RANKS_POW2:
        return bine_is_pow2(p);
    case BINE_RANKS_FEW:
        return p <= BINE_FEW_RANKS;
    }
    return 0;
}

int bine_algorithm_takes_dims(const struct bine_algorithm *a, const struct bine_shape *dims) {
    for (int k = 0; k < dims->dims; k++)
        if (!bine_algorithm_takes(a, dims->size[k]))
            return 0;
    return 1;
}

int bine_algorithm_has_layout(const struct bine_algorithm *a, enum bine_layout l, int p) {
    int one_tree = bine_compositions[a->composition].sorts == BINE_SORTS_ONE_TREE;
    for (int i = 0; a->layouts[i] >= 0; i++)
        if (a->layouts[i] == (int)l)
            return (l != BINE_PERMUTE && l != BINE_SEND) || one_tree || bine_is_pow2(p);
    return 0;
}

enum bine_layout bine_algorithm_layout(const struct bine_algorithm *a, int p) {
    int i = 0;
    while (!bine_algorithm_has_layout(a, (enum bine_layout)a->layouts[i], p))
        i++;
    return (enum bine_layout)a->layouts[i];
}

/* Bytes of a block from which on one transfer for each run of blocks costs less than to copy them
 * together. */
#define BIG_BLOCK 8192

/* Bytes of a vector from which on the one exchange of `send` costs less than to permute it, and
 * ranks beyond which it costs less than the transfers of `blocks`: with 10 GB/s of copying and 3 us
 * for an exchange, some 4 us either way. */
#define LONG_VECTOR (128 << 10)
#define MANY_RANKS 16

/* In compositions of two phases that undo each other, permute copies nothing. */
enum bine_layout bine_algorithm_layout_at(const struct bine_algorithm *a, int p, int64_t bytes) {
    enum bine_layout l = bine_algorithm_layout(a, p);
    int alone = a->composition == BINE_MAKE_ALLGATHER || a->composition == BINE_MAKE_REDUCE_SCATTER;
    int copies = l == BINE_PACK || (l == BINE_PERMUTE && alone);
    if (l == BINE_PERMUTE && alone && p > MANY_RANKS && bytes >= LONG_VECTOR &&
        bine_algorithm_has_layout(a, BINE_SEND, p))
        return BINE_SEND;
    if (copies && bytes / p >= BIG_BLOCK && bine_algorithm_has_layout(a, BINE_BLOCKS, p))
        return BINE_BLOCKS;
    return l;
}

struct bine_tree *bine_algorithm_tree(const struct bine_algorithm *a, int p,
                                      const struct bine_shape *dims, int port) {
    if (bine_algorithm_needs(a) == BINE_NEEDS_DIMS)
        return bine_torus_tree(bine_family_torus_kind(a->tree), dims, a->order, port);
    return bine_algorithm_turn_tree(a, p, 0);
}

struct bine_tree *bine_algorithm_turn_tree(const struct bine_algorithm *a, int p, int turn) {
    return bine_family_tree(turn > 0 ? a->second_tree : a->tree, p, a->order, a->radix);
}

int bine_algorithm_place(const struct bine_algorithm *a, int p, const struct bine_shape *dims,
                         int port, int rank) {
    if (a->places != BINE_PLACE_TORUS)
        return bine_place_of(a->places, rank, p);
    struct bine_torus t = bine_torus_make(bine_family_torus_kind(a->tree), dims, port);
    return bine_torus_place(&t, rank);
}

int bine_algorithm_rank_at(const struct bine_algorithm *a, int p, const struct bine_shape *dims,
                           int port, int place) {
    if (a->places != BINE_PLACE_TORUS)
        return bine_place_rank(a->places, place, p);
    struct bine_torus t = bine_torus_make(bine_family_torus_kind(a->tree), dims, port);
    return bine_torus_rank_at(&t, place);
}
