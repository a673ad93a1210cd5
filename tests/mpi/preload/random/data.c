/* Which data every rank has, and what it must end with: by no collective of MPI's. */
#include "random.h"

#include <stdlib.h>
#include <string.h>

enum { GUARD = 64 };

static char *need(size_t bytes) {
    char *memory = calloc(bytes + 1, 1);
    if (memory == NULL)
        abort();
    return memory;
}

static size_t packed_bytes(const struct scene *x, int elements) {
    return (size_t)elements * (size_t)types_kind(x->element)->bytes;
}

/* --- Where blocks lie */

static int is_scattered(enum kind_of_call k) {
    return k == GATHERV || k == SCATTERV || k == ALLGATHERV || k == ALLTOALLV || k == ALLTOALLW;
}

struct span {
    MPI_Aint extent, low, high; /* low, high: of an element from its address */
};

static struct span span_of(MPI_Datatype type) {
    struct span s;
    MPI_Aint lb, true_extent;
    MPI_Type_get_extent(type, &lb, &s.extent);
    MPI_Type_get_true_extent(type, &s.low, &true_extent);
    s.high = s.low + true_extent;
    return s;
}

/* Of a block: its own type may have been freed. */
static struct span span_at(const struct scene *x, const struct side *s, int k) {
    return span_of(types_form(x->element, s->form[k]));
}

static MPI_Aint up(MPI_Aint x) {
    return (x + 15) & ~(MPI_Aint)15;
}

/* In order, or, with displacements, in an order of this rank's own with gaps. */
static void place_blocks(struct scene *x, struct side *s, struct rng *own) {
    int scattered = is_scattered(x->kind) && s->blocks > 1, at = 0;
    int turn = rng_below(own, s->blocks + 1);
    for (int i = 0; i < s->blocks; i++) {
        int k = scattered ? (s->blocks - 1 - i + turn) % s->blocks : i;
        struct span e = span_at(x, s, k);
        if (scattered)
            at += x->kind == ALLTOALLW ? 16 * rng_below(own, 3) : rng_below(own, 3);
        if (x->kind == ALLTOALLW)
            at += (int)up(-e.low > 0 ? -e.low : 0);
        s->place[k] = at;
        at += x->kind == ALLTOALLW ? (int)up(s->count[k] * e.extent + e.high) : s->count[k];
    }
}

static MPI_Aint offset(const struct scene *x, const struct side *s, int k) {
    return x->kind == ALLTOALLW ? s->place[k] : s->place[k] * span_at(x, s, k).extent;
}

static void allocate(const struct scene *x, struct side *s) {
    MPI_Aint low = 0, high = 0;
    for (int k = 0; k < s->blocks; k++) {
        struct span e = span_at(x, s, k);
        MPI_Aint from = offset(x, s, k), to = from + (s->count[k] - 1) * e.extent;
        low = s->count[k] > 0 && from + e.low < low ? from + e.low : low;
        high = s->count[k] > 0 && to + e.high > high ? to + e.high : high;
    }
    low = GUARD + up(-low);
    s->bytes = (size_t)(low + high + GUARD);
    s->memory = need(s->bytes);
    s->image = need(s->bytes);
    s->base = s->memory + low;
}

static void make_side(struct scene *x, struct side *s, struct rng *own) {
    for (int k = 0; k < s->blocks; k++) {
        s->type[k] = types_form(x->element, s->form[k]);
        if (x->own_types && s->form[k] != FORM_PLAIN && (k == 0 || x->kind == ALLTOALLW))
            MPI_Type_dup(types_form(x->element, s->form[k]), &s->type[k]);
        else if (k > 0 && x->kind != ALLTOALLW)
            s->type[k] = s->type[0];
    }
    place_blocks(x, s, own);
    allocate(x, s);
}

/* The two sides of a reduction have one type, by one handle. */
void scene_make_buffers(struct scene *x) {
    struct rng own = rng_make(x->seed, 4, (uint64_t)x->group.rank);
    x->own_types &= !is_reduction(x->kind);
    make_side(x, &x->send, &own);
    make_side(x, &x->recv, &own);
}

void scene_free_buffers(struct scene *x) {
    struct side *const sides[] = {&x->send, &x->recv};
    for (int i = 0; i < 2; i++) {
        free(sides[i]->memory);
        free(sides[i]->image);
        sides[i]->memory = sides[i]->image = NULL;
    }
}

/* --- Data */

/* The packed data of a rank for another, or (to = 0) for all. */
static char *content(const struct scene *x, int from, int to, int elements) {
    uint64_t seed = x->seed + 1000003 * (uint64_t)x->starts;
    struct rng r = rng_make(seed, 5 + (uint64_t)from, (uint64_t)to);
    char *packed = need(packed_bytes(x, elements));
    operators_values(x->op, types_kind(x->element), &r, elements, packed);
    return packed;
}

/* Into a block, in memory or in its image. */
static void put(const struct scene *x, const struct side *s, int k, char *memory,
                const char *packed) {
    int at = 0, bytes = (int)packed_bytes(x, s->count[k] * form_table[s->form[k]].per);
    if (bytes > 0)
        MPI_Unpack(packed, bytes, &at, memory + (s->base - s->memory) + offset(x, s, k),
                   s->count[k], types_form(x->element, s->form[k]), MPI_COMM_SELF);
}

static int is_in_all(enum kind_of_call k) {
    return k == SCATTER || k == SCATTERV || (k >= ALLTOALL && k <= ALLTOALLW) ||
           k == REDUCE_SCATTER || k == REDUCE_SCATTER_BLOCK;
}

static void put_content(struct scene *x, struct side *s, int k, char *memory, int from, int to) {
    char *packed = content(x, from, to, s->count[k] * form_table[s->form[k]].per);
    put(x, s, k, memory, packed);
    free(packed);
}

/* What this rank gives, in the buffer that has it. */
static void put_input(struct scene *x) {
    int me = x->group.rank, receives = x->send.blocks == 0;
    struct side *s = receives ? &x->recv : &x->send;
    if (x->kind == BCAST && me != x->root)
        return;
    if (receives && x->kind != BCAST && !(x->in_place && (!is_rooted(x->kind) || me == x->root)))
        return;
    for (int k = 0; k < s->blocks; k++)
        if (!receives || is_in_all(x->kind) || s->blocks == 1 || k == me)
            put_content(x, s, k, s->memory, me, is_in_all(x->kind) ? x->peers[receives][k] : 0);
}

/* a, then b; both of the caller's elements in a row. The predefined operators know elements as they
 * lie in memory; those of the program take packed bytes. */
static void apply(const struct scene *x, char *a, char *b, int elements) {
    const struct kind *k = types_kind(x->element);
    int n = (int)packed_bytes(x, elements), at = 0;
    if (x->op >= OP_USER_XOR) {
        MPI_Reduce_local(a, b, n, MPI_BYTE, operators_handle(x->op));
        return;
    }
    size_t room = (size_t)elements * (size_t)span_of(k->base).extent;
    char *in = need(room), *inout = need(room);
    MPI_Unpack(a, n, &at, in, elements, k->base, MPI_COMM_SELF);
    at = 0;
    MPI_Unpack(b, n, &at, inout, elements, k->base, MPI_COMM_SELF);
    MPI_Reduce_local(in, inout, elements, k->base, operators_handle(x->op));
    at = 0;
    MPI_Pack(inout, elements, k->base, b, n, &at, MPI_COMM_SELF);
    free(in);
    free(inout);
}

/* The result of the ranks below `end`, from the last to the first. */
static void put_sum(struct scene *x, int end, int to) {
    int elements = x->recv.count[0] * form_table[x->recv.form[0]].per;
    if (x->in_place && is_in_all(x->kind))
        elements = length(x, 0, to);
    if (end == 0 || elements == 0)
        return;
    char *sum = content(x, end - 1, to, elements);
    for (int i = end - 2; i >= 0; i--) {
        char *more = content(x, i, to, elements);
        apply(x, more, sum, elements);
        free(more);
    }
    if (x->in_place && is_in_all(x->kind)) { /* at the beginning, whatever lies there */
        int at = 0;
        MPI_Unpack(sum, (int)packed_bytes(x, elements), &at,
                   x->recv.image + (x->recv.base - x->recv.memory),
                   elements / form_table[x->recv.form[0]].per, x->recv.type[0], MPI_COMM_SELF);
    } else {
        put(x, &x->recv, 0, x->recv.image, sum);
    }
    free(sum);
}

static void put_result(struct scene *x) {
    int me = x->group.rank, p = x->group.n;
    int to = x->kind >= ALLTOALL || x->kind == SCATTER || x->kind == SCATTERV ? me : 0;
    if (x->recv.blocks == 0)
        return;
    if (is_reduction(x->kind)) {
        int end = x->kind == SCAN ? me + 1 : x->kind == EXSCAN ? me : p;
        put_sum(x, end, is_in_all(x->kind) ? me : 0);
        return;
    }
    for (int k = 0; k < x->recv.blocks; k++) {
        int from = x->kind == BCAST ? x->root : x->peers[1][k];
        put_content(x, &x->recv, k, x->recv.image, from, x->kind == RING ? 0 : to);
    }
}

static void wipe(struct side *s) {
    for (size_t i = 0; i < s->bytes; i++)
        s->memory[i] = (char)(0xa5 ^ (i * 37));
}

void scene_fill(struct scene *x) {
    struct side *const sides[] = {&x->send, &x->recv};
    wipe(&x->send);
    wipe(&x->recv);
    put_input(x);
    for (int i = 0; i < 2; i++)
        memcpy(sides[i]->image, sides[i]->memory, sides[i]->bytes);
    put_result(x);
}

/* --- Comparing */

static void compare(const struct scene *x, const struct side *s, const char *what) {
    size_t i = 0;
    while (i < s->bytes && s->memory[i] == s->image[i])
        i++;
    check_that(i == s->bytes, "%s: %s is wrong at byte %ld", scene_text(x), what,
               (long)i - (long)(s->base - s->memory));
}

/* MPI leaves open what the first rank has after exscan, and what of its input it still has where a
 * sum is scattered in place. */
static void forget_open(struct scene *x) {
    struct side *s = &x->recv;
    size_t from = 0;
    if (x->in_place && is_in_all(x->kind) && is_reduction(x->kind)) {
        struct span e = span_at(x, s, 0);
        int n = length(x, 0, x->group.rank) / form_table[s->form[0]].per;
        from = (size_t)(s->base - s->memory + n * e.extent + e.low);
    } else if (x->kind != EXSCAN || x->group.rank > 0)
        return;
    memcpy(s->image + from, s->memory + from, s->bytes - from);
}

void scene_compare(struct scene *x) {
    forget_open(x);
    compare(x, &x->recv, "the result");
    compare(x, &x->send, "the input");
}
