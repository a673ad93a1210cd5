/* A call: collective, form, communicator, types, sizes. */
#include "random.h"

#include <stdio.h>
#include <string.h>

struct scene scenes[SCENES];

int is_reduction(enum kind_of_call k) {
    return k >= REDUCE && k <= REDUCE_SCATTER_BLOCK;
}

int is_rooted(enum kind_of_call k) {
    return k == BCAST || k == REDUCE || (k >= GATHER && k <= SCATTERV);
}

int scene_is_mine(const struct scene *x) {
    return x->group.rank >= 0;
}

static int is_uneven(enum kind_of_call k) {
    return k == REDUCE_SCATTER || k == GATHERV || k == SCATTERV || k == ALLGATHERV ||
           k == ALLTOALLV || k == ALLTOALLW;
}

/* Blocks of uneven sizes: empty, small, middling; sometimes one that is huge. Where data is
 * exchanged in place, both directions are as long. */
int length(const struct scene *x, int from, int to) {
    if (!is_uneven(x->kind))
        return x->n;
    if (x->kind == REDUCE_SCATTER || x->kind == SCATTERV)
        from = 0;
    if (x->kind == GATHERV || x->kind == ALLGATHERV)
        to = 0;
    if (x->in_place && from > to) {
        int other = from;
        from = to;
        to = other;
    }
    struct rng r = rng_make(x->seed, 11, (uint64_t)(from * RANKS + to));
    int h = rng_below(&r, 12), n = x->n / x->unit;
    if (x->seed % 5 == 0) /* one huge block */
        return from + to == (int)(x->seed % (uint64_t)x->group.n) ? 4 * x->n : 0;
    return x->unit * (h < 3 ? 0 : h == 11 ? 3 * n : n * h / 8);
}

/* --- Drawing */

/* A small number of elements, mostly. On one rank every call is MPI's own: there, elements that
 * serve plain forms alone (Open MPI's alltoallw fails with others). */
static void draw_size(struct scene *x, struct rng *all) {
    static const int most[] = {1, 4, 30, 300, 3000};
    x->unit = rng_once_in(all, 2) && x->group.n > 1 ? 12 : 1;
    x->n = x->unit * rng_below(all, most[rng_below(all, 5)] / x->unit + 1 + rng_below(all, 2));
}

/* Forms that lie apart from each other in any order, and serve all lengths of a unit. Plain ones
 * alone, where a call may come to an MPI library that fails with others. */
static int draw_form(struct rng *r, int unit) {
    static const int forms[] = {FORM_PLAIN, FORM_CONTIGUOUS, FORM_VECTOR, FORM_INDEXED,
                                FORM_WIDE,  FORM_BELOW,      FORM_LATE,   FORM_DUP};
    return unit == 1 || !types_work() ? FORM_PLAIN
                                      : forms[rng_below(r, (int)(sizeof forms / sizeof *forms))];
}

/* Types and operator of a reduction are those of all ranks. */
static void draw_reduction(struct scene *x, struct rng *all, int *form) {
    do {
        x->element = rng_below(all, types_kinds());
        x->op = rng_below(all, OPERATORS);
        *form = draw_form(all, x->unit);
    } while (!operators_takes(x->op, types_kind(x->element), *form));
}

static int is_padded(int element) {
    const struct kind *k = types_kind(element);
    MPI_Aint lb, extent;
    MPI_Type_get_extent(k->base, &lb, &extent);
    return extent != k->bytes;
}

static void draw_type(struct scene *x, struct rng *all, int *form) {
    x->op = OP_USER_XOR; /* any bytes */
    do
        if (is_reduction(x->kind))
            draw_reduction(x, all, form);
        else
            x->element = rng_below(all, types_kinds());
    while (!types_work() && is_padded(x->element));
}

static int has_in_place(const struct scene *x) {
    return x->kind != BCAST && x->kind != BARRIER && x->kind != RING &&
           in_place_works(x->kind, x->form != BLOCKING && is_uneven(x->kind), x->group.n);
}

static struct scene *free_place(void) {
    for (int i = 0; i < SCENES; i++)
        if (!scenes[i].used)
            return &scenes[i];
    return NULL;
}

/* --- Blocks */

static void add_block(struct scene *x, int receives, int peer, int elements, struct rng *own,
                      int form) {
    struct side *s = receives ? &x->recv : &x->send;
    int k = s->blocks++;
    if (form < 0)
        form = k == 0 || x->kind == ALLTOALLW ? draw_form(own, x->unit) : s->form[0];
    s->form[k] = form;
    s->count[k] = elements / form_table[form].per;
    x->peers[receives][k] = peer;
}

/* A block from each rank, or (given) for each. */
static void add_all(struct scene *x, int receives, int given, struct rng *own, int form) {
    int me = x->group.rank;
    for (int i = 0; i < x->group.n; i++)
        add_block(x, receives, i, given ? length(x, me, i) : length(x, i, me), own, form);
}

static void add_sends(struct scene *x, struct rng *own, int form) {
    int me = x->group.rank, whole = x->kind == REDUCE_SCATTER || x->kind == REDUCE_SCATTER_BLOCK;
    if (x->kind == BCAST || x->kind == BARRIER)
        return;
    if (x->kind == SCATTER || x->kind == SCATTERV
            ? me == x->root
            : whole || (x->kind >= ALLTOALL && x->kind <= ALLTOALLW))
        add_all(x, 0, 1, own, form);
    else if (x->kind != SCATTER && x->kind != SCATTERV)
        add_block(x, 0, me, length(x, me, 0), own, form);
}

/* Where a sum is scattered in place, the vector is in the buffer of the result. */
static void add_receives(struct scene *x, struct rng *own, int form) {
    int me = x->group.rank, p = x->group.n;
    int whole = (x->kind == REDUCE_SCATTER || x->kind == REDUCE_SCATTER_BLOCK) && x->in_place;
    int gathers = x->kind == GATHER || x->kind == GATHERV;
    if (x->kind == BARRIER || ((gathers || x->kind == REDUCE) && me != x->root))
        return;
    if (x->kind == RING)
        add_block(x, 1, (me + p - 1) % p, x->n, own, form);
    else if (whole || gathers || x->kind >= ALLGATHER)
        add_all(x, 1, whole, own, form);
    else if (x->kind == SCATTER || x->kind == SCATTERV)
        add_block(x, 1, x->root, length(x, x->root, me), own, form);
    else
        add_block(x, 1, me, length(x, 0, me), own, form);
}

/* One side has the data of both. */
static void merge(struct scene *x) {
    int scatters = x->kind == SCATTER || x->kind == SCATTERV;
    if (!x->in_place || (is_rooted(x->kind) && x->group.rank != x->root))
        return;
    if (scatters)
        x->recv.blocks = 0;
    else
        x->send.blocks = 0;
}

struct scene *scene_draw(struct rng *all) {
    struct scene *x = free_place();
    int form = -1;
    if (x == NULL)
        return NULL;
    const struct group *g = comms_draw(all);
    *x = (struct scene){.used = 1, .request = MPI_REQUEST_NULL, .message = MPI_REQUEST_NULL};
    x->group = *g;
    x->which = (int)(g - groups);
    x->kind = (enum kind_of_call)rng_below(all, CALLS);
    x->form = (enum form_of_call)rng_below(all, 3);
    if (x->kind == RING || (x->form == PERSISTENT && !persistent_works(g->n)))
        x->form = NONBLOCKING;
    x->root = rng_below(all, g->n);
    x->in_place = has_in_place(x) && rng_once_in(all, 4);
    x->own_types = rng_once_in(all, 3);
    x->seed = rng_next(all);
    draw_size(x, all);
    draw_type(x, all, &form);
    struct rng own = rng_make(x->seed, 3, (uint64_t)(g->rank + 1));
    if (scene_is_mine(x)) {
        add_sends(x, &own, form);
        add_receives(x, &own, form);
        merge(x);
    }
    return x;
}

const char *scene_text(const struct scene *x) {
    static const char *const names[] = {"bcast",
                                        "reduce",
                                        "allreduce",
                                        "scan",
                                        "exscan",
                                        "reduce_scatter",
                                        "reduce_scatter_block",
                                        "gather",
                                        "gatherv",
                                        "scatter",
                                        "scatterv",
                                        "allgather",
                                        "allgatherv",
                                        "alltoall",
                                        "alltoallv",
                                        "alltoallw",
                                        "barrier",
                                        "message"};
    static const char *const forms[] = {"blocking", "nonblocking", "persistent"};
    static char text[TEXT];
    snprintf(text, sizeof text,
             "%s %s p=%d rank=%d root=%d n=%d %s send=%s recv=%s op=%s%s start=%d", forms[x->form],
             names[x->kind], x->group.n, x->group.rank, x->root, x->n, types_kind(x->element)->name,
             x->send.blocks > 0 ? form_table[x->send.form[0]].name : "-",
             x->recv.blocks > 0 ? form_table[x->recv.form[0]].name : "-",
             is_reduction(x->kind) ? operators_name(x->op) : "-", x->in_place ? " in-place" : "",
             x->starts);
    return text;
}
