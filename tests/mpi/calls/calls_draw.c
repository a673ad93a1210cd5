#include "calls.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static const struct bine_shape *torus; /* of the communicator in hand, or NULL */

void calls_on_torus(const struct bine_shape *dims) {
    torus = dims;
}

/* On a torus, every second one is an algorithm that needs it. */
static int is_possible(const struct bine_algorithm *a, int p, int on_torus,
                       const struct call_limits *limits) {
    enum bine_needs needs = bine_algorithm_needs(a);
    if (bine_collective_is_uneven(a->collective)) /* see uneven.c */
        return 0;
    if (needs == BINE_NEEDS_BOARDS)
        return limits->boards >= (a->composition == BINE_MAKE_BOARD_DIRECT ? 2 : 1);
    if (limits->boards > 0 && limits->boards_only)
        return 0;
    if (limits->levels && limits->nodes_only)
        return needs == BINE_NEEDS_GROUPS && bine_algorithm_takes(a, p);
    if (on_torus)
        return needs == BINE_NEEDS_DIMS && bine_algorithm_takes_dims(a, torus);
    return bine_algorithm_serves(a, p) ||
           (limits->levels && needs == BINE_NEEDS_GROUPS && bine_algorithm_takes(a, p));
}

int call_can(const struct bine_algorithm *a, int p, const struct call_limits *limits) {
    int on_torus = bine_algorithm_needs(a) == BINE_NEEDS_DIMS;
    return (!on_torus || torus != NULL) && is_possible(a, p, on_torus, limits);
}

static int has_layout(const struct call *c, enum bine_layout l, int reorders) {
    int permutes = l == BINE_PERMUTE || l == BINE_SEND;
    return bine_algorithm_has_layout(c->algorithm, l, c->p) &&
           !(reorders && permutes && !bine_cuts_a_vector(c->collective));
}

static void draw_algorithm(struct call *c, struct rng *r, const struct call_limits *limits) {
    int layouts[BINE_LAYOUTS], n = 0, on_torus = torus != NULL && rng_once_in(r, 2);
    c->algorithm = limits->only;
    while (c->algorithm == NULL ||
           (limits->only == NULL && !is_possible(c->algorithm, c->p, on_torus, limits)))
        c->algorithm = &bine_catalogue[rng_below(r, (int)bine_catalogue_size)];
    c->collective = c->algorithm->collective;
    for (int l = 0; l < BINE_LAYOUTS; l++)
        if (has_layout(c, (enum bine_layout)l, limits->reorders))
            layouts[n++] = l;
    c->layout = (enum bine_layout)layouts[rng_below(r, n)];
}

/* Small counts matter most: 0, 1, about p; sometimes large enough to be sent in parts. */
static long draw_count(struct rng *r, int p, int max) {
    switch (rng_below(r, 8)) {
    case 0:
        return rng_below(r, 3);
    case 1:
        return rng_below(r, p + 1);
    case 2:
        return p * (long)rng_below(r, 5) + rng_below(r, 2);
    case 3:
    case 4:
        return 12 * (long)(1 + rng_below(r, 8));
    case 5:
        return rng_once_in(r, 4) ? rng_below(r, max) : rng_below(r, max / 8 + 1);
    default:
        return rng_below(r, 64);
    }
}

static int form_fits(int form, long n, int p) {
    int per = form_table[form].per;
    if (form == FORM_COLUMN && n / per * p > COLUMNS)
        return 0;
    return per == 0 ? n == 0 : n % per == 0;
}

static int draw_form(struct rng *r, long n, int p) {
    int f;
    do
        f = rng_below(r, FORMS);
    while (!form_fits(f, n, p));
    return f;
}

/* Whole elements of a form, and no more columns than a matrix has. */
static long whole(int form, long n, int blocks) {
    int per = form_table[form].per;
    if (form == FORM_COLUMN)
        n %= per * (COLUMNS / blocks + 1);
    return per == 0 ? n : n - n % per;
}

/* Kind, form and operator that go together and with the algorithm. */
static void draw_reduction(struct call *c, struct rng *r, int columns) {
    int f, commutes_only = c->algorithm->commutative && c->how != HOW_DEFAULT;
    do {
        c->kind = rng_below(r, types_kinds());
        c->op = rng_below(r, OPERATORS);
        if (rng_once_in(r, 4))
            c->op = OP_USER_AFFINE;
        f = columns ? FORM_COLUMN : rng_once_in(r, 2) ? FORM_PLAIN : rng_below(r, FORMS);
    } while (!operators_takes(c->op, types_kind(c->kind), f) ||
             (commutes_only && !operators_commutes(c->op)));
    c->send_form = c->recv_form = f;
    c->n = whole(f, c->n, 1);
    c->inexact = c->collective == BINE_ALLREDUCE && !columns && rng_once_in(r, 4);
    if (c->inexact) {
        c->kind = 1; /* doubles */
        c->op = OP_SUM;
        c->send_form = c->recv_form = FORM_PLAIN;
    }
}

static void draw_counts(struct call *c, struct rng *r) {
    c->block = rng_once_in(r, 3);
    if (c->block)
        c->n = whole(c->recv_form, c->n, c->p);
    int per = form_table[c->recv_form].per, each = (int)(c->n / (per == 0 ? 1 : per)),
        left = c->recv_form == FORM_COLUMN ? COLUMNS : INT_MAX;
    c->counts = malloc((size_t)c->p * sizeof *c->counts);
    c->wide_counts = malloc((size_t)c->p * sizeof *c->wide_counts);
    if (c->counts == NULL || c->wide_counts == NULL)
        abort();
    int how = c->block ? 0 : rng_below(r, 4);
    for (int i = 0; i < c->p; i++) {
        c->counts[i] = how == 0 ? each : rng_below(r, each + 1);
        if (how == 2 && rng_once_in(r, 2))
            c->counts[i] = 0;
        if (how == 3)
            c->counts[i] = i == c->root ? each : 0;
        c->counts[i] = c->counts[i] < left ? c->counts[i] : left;
        left -= c->counts[i];
        c->wide_counts[i] = c->counts[i];
    }
}

/* What each rank may decide by itself. */
static void draw_own(struct call *c, int columns) {
    struct rng r = rng_make(c->seed, 77, (uint64_t)c->rank);
    if (!bine_collective_reduces(c->collective)) {
        c->send_form = columns ? FORM_COLUMN : draw_form(&r, c->n, c->p);
        c->recv_form = columns ? FORM_COLUMN : draw_form(&r, c->n, c->p);
    }
    c->bottom = rng_once_in(&r, 8);
    c->garbage = rng_once_in(&r, 2);
    c->null = rng_once_in(&r, 2);
    if (bine_collective_reduces(c->collective))
        c->bottom = c->bottom && c->in_place && c->op >= OP_USER_XOR;
    if (bine_collective_is_rooted(c->collective) && c->rank != c->root)
        c->in_place = 0;
}

void call_draw(struct call *c, struct rng *r, MPI_Comm comm, MPI_Comm oracle,
               const struct call_limits *limits) {
    int columns = limits->only != NULL;
    *c = (struct call){.comm = comm, .oracle = oracle};
    MPI_Comm_rank(comm, &c->rank);
    MPI_Comm_size(comm, &c->p);
    c->seed = rng_next(r);
    draw_algorithm(c, r, limits);
    c->how = (enum how)(columns ? 1 + rng_below(r, HOWS - 1) : rng_below(r, HOWS));
    c->plan = rng_once_in(r, 4) ? 1 + rng_below(r, 3) : 0;
    c->wide = (int)(c->seed >> 30 & 1);
    c->root = rng_below(r, c->p);
    c->n = draw_count(r, c->p, limits->max_count);
    if (c->collective == BINE_BARRIER)
        c->n = 0;
    c->in_place = bine_collective_has_in_place(c->collective) && rng_once_in(r, 3);
    c->op = OP_USER_XOR; /* any bytes */
    if (bine_collective_reduces(c->collective))
        draw_reduction(c, r, columns);
    else
        c->kind = rng_below(r, types_kinds());
    if (columns && !bine_collective_reduces(c->collective))
        c->n = whole(FORM_COLUMN, c->n, c->p);
    if (c->collective == BINE_REDUCE_SCATTER)
        draw_counts(c, r);
    draw_own(c, columns);
}

void call_free(struct call *c) {
    free(c->counts);
    free(c->wide_counts);
    c->counts = NULL;
    c->wide_counts = NULL;
}

void call_describe(const struct call *c, char *text, size_t size) {
    static const char *const hows[] = {"default", "next", "set"};
    snprintf(text, size,
             "%s%s%s %s:%s (%s%s) p=%d rank=%d root=%d n=%ld %s send=%s recv=%s op=%s%s%s%s%s%s",
             bine_collective_name(c->collective), c->block ? "_block" : "", c->wide ? "_c" : "",
             c->algorithm->name, bine_layout_name(c->layout), hows[c->how], c->plan ? ", plan" : "",
             c->p, c->rank, c->root, c->n, types_kind(c->kind)->name, form_table[c->send_form].name,
             form_table[c->recv_form].name, operators_name(c->op), c->in_place ? " in-place" : "",
             c->inexact ? " inexact" : "", c->bottom ? " bottom" : "", c->garbage ? " garbage" : "",
             c->null ? " null" : "");
}

static long elements(int form, long n) {
    int per = form_table[form].per;
    return per == 0 ? 3 : n / per; /* some number of nothing */
}

static long sum_of(const struct call *c) {
    long n = 0;
    for (int i = 0; i < c->p; i++)
        n += c->counts[i];
    return n;
}

void call_sides(const struct call *c, struct sides *s) {
    int at_root = c->rank == c->root, p = c->p;
    *s = (struct sides){.send_count = elements(c->send_form, c->n),
                        .recv_count = elements(c->recv_form, c->n),
                        .sends = 1,
                        .gets = 1};
    int send_blocks = 1, recv_blocks = 1;
    if (c->collective == BINE_SCATTER || c->collective == BINE_ALLTOALL)
        send_blocks = p;
    if (c->collective == BINE_GATHER || c->collective == BINE_ALLGATHER ||
        c->collective == BINE_ALLTOALL)
        recv_blocks = p;
    if (c->collective == BINE_BCAST)
        s->sends = 0;
    if (c->collective == BINE_SCATTER)
        s->sends = at_root;
    if (c->collective == BINE_GATHER || c->collective == BINE_REDUCE)
        s->gets = at_root;
    if (c->collective == BINE_EXSCAN)
        s->gets = c->rank > 0;
    if (c->collective == BINE_BARRIER)
        s->sends = s->gets = 0;
    s->send_total = s->send_count * send_blocks;
    s->recv_total = s->recv_count * recv_blocks;
    if (c->collective == BINE_REDUCE_SCATTER) {
        s->send_total = sum_of(c);
        s->recv_total = c->counts[c->rank];
    }
}
