/* Runs a call by MPI and by Bine and compares what they did to memory. */
#include "calls.h"
#include "on_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The buffers of a call. MPI is always called out of place and with data in a row: MPICH 4.0.2
 * crashes in MPI_Reduce(MPI_IN_PLACE), Open MPI fails with some types, and the results are the
 * same. */
struct scene {
    const struct call *c;
    struct call own; /* of one that was started */
    struct sides sides;
    struct buffer send;          /* what this rank gives */
    struct buffer mpi_send, mpi; /* what it gives to MPI, and what MPI gives this rank */
    struct buffer bine, before;  /* what Bine gives it; as it was before */
    struct buffer send_before, expected;
    MPI_Datatype absolute[2];
    char *send_there, *bine_there; /* on a device, or NULL */
};

static char *need(size_t bytes) {
    char *memory = malloc(bytes + 1);
    if (memory == NULL)
        abort();
    return memory;
}

static size_t packed_bytes(const struct buffer *b) {
    int size;
    MPI_Type_size(b->type, &size);
    return (size_t)b->elements * (size_t)size;
}

/* This rank's contribution, packed: `total` bytes. */
static char *contribution(const struct call *c, size_t total) {
    struct rng r = rng_make(c->seed, 5, (uint64_t)c->rank);
    const struct kind *k = types_kind(c->kind);
    char *packed = need(total);
    if (c->inexact)
        operators_inexact(&r, (long)total / 8, packed);
    else
        operators_values(c->op, k, &r, (long)(total / (size_t)k->bytes), packed);
    return packed;
}

/* Where Bine finds its input in place: at the block of its own, or at the beginning. */
static long in_place_at(const struct scene *x) {
    enum bine_collective c = x->c->collective;
    return c == BINE_GATHER || c == BINE_ALLGATHER ? x->sides.recv_count * x->c->rank : 0;
}

static void fill(struct scene *x) {
    const struct call *c = x->c;
    size_t total = packed_bytes(c->collective == BINE_BCAST ? &x->bine : &x->send);
    char *packed = contribution(c, total);
    if (c->collective == BINE_BCAST) {
        if (c->rank == c->root) {
            buffer_write(&x->bine, 0, x->bine.elements, packed);
            buffer_write(&x->mpi, 0, x->mpi.elements, packed);
        }
    } else {
        buffer_write(&x->send, 0, x->send.elements, packed);
        buffer_write(&x->mpi_send, 0, x->mpi_send.elements, packed);
        if (c->in_place && c->collective != BINE_SCATTER)
            buffer_write(&x->bine, in_place_at(x), x->send.elements, packed);
    }
    free(packed);
}

static MPI_Datatype simple(const struct call *c, int form) {
    return bine_collective_reduces(c->collective) ? types_dense(c->kind, form)
                                                  : types_bytes(c->kind, form);
}

static void make_scene(struct scene *x, struct call *c) {
    *x = (struct scene){.c = c, .absolute = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL}};
    /* In place there is one type: that of the buffer in which everything is. */
    if (c->in_place && c->collective == BINE_SCATTER)
        c->recv_form = c->send_form;
    else if (c->in_place)
        c->send_form = c->recv_form;
    call_sides(c, &x->sides);
    MPI_Datatype send = types_form(c->kind, c->send_form), recv = types_form(c->kind, c->recv_form);
    buffer_make(&x->send, send, x->sides.sends ? x->sides.send_total : 0);
    buffer_make(&x->mpi_send, simple(c, c->send_form), x->send.elements);
    buffer_make(&x->mpi, simple(c, c->recv_form), x->sides.gets ? x->sides.recv_total : 0);
    long room = x->mpi.elements;
    if (c->in_place && c->collective == BINE_REDUCE_SCATTER)
        room = x->send.elements;
    /* A rank that gets nothing still has a buffer, which must not be touched. */
    buffer_make(&x->bine, recv, x->sides.gets ? room : x->sides.recv_count);
    fill(x);
    buffer_copy(&x->before, &x->bine);
    buffer_copy(&x->expected, &x->bine);
    buffer_copy(&x->send_before, &x->send);
}

static void free_scene(struct scene *x) {
    buffer_free(&x->send);
    buffer_free(&x->mpi_send);
    buffer_free(&x->mpi);
    buffer_free(&x->bine);
    buffer_free(&x->before);
    buffer_free(&x->expected);
    buffer_free(&x->send_before);
    for (int i = 0; i < 2; i++)
        if (x->absolute[i] != MPI_DATATYPE_NULL)
            MPI_Type_free(&x->absolute[i]);
}

/* Open MPI hangs where some ranks give 0 elements and others elements of nothing. */
static struct arguments plain_arguments(const struct scene *x) {
    int any = x->c->n > 0;
    return (struct arguments){.sendbuf = x->mpi_send.base,
                              .recvbuf = x->mpi.base,
                              .sendcount = any ? (int)x->sides.send_count : 0,
                              .recvcount = any ? (int)x->sides.recv_count : 0,
                              .recvcounts = x->c->counts,
                              .sendtype = x->mpi_send.type,
                              .recvtype = x->mpi.type};
}

/* What the standard says is not significant here is nonsense. */
static void put_garbage(const struct scene *x, struct arguments *a) {
    static char nowhere;
    int reduces = bine_collective_reduces(x->c->collective);
    if (!x->sides.gets) {
        a->recvbuf = reduces ? (void *)x->bine.base : (void *)&nowhere;
        a->recvcount = reduces ? a->recvcount : -7;
        a->recvtype = reduces ? a->recvtype : MPI_DATATYPE_NULL;
    }
    if (!x->sides.sends && x->c->collective != BINE_BCAST) {
        a->sendbuf = &nowhere;
        a->sendcount = -7;
        a->sendtype = MPI_DATATYPE_NULL;
    }
    if (x->c->in_place && !reduces && x->c->collective == BINE_SCATTER) {
        a->recvcount = -7;
        a->recvtype = MPI_DATATYPE_NULL;
    } else if (x->c->in_place && !reduces) {
        a->sendcount = -7;
        a->sendtype = MPI_DATATYPE_NULL;
    }
}

static void at_bottom(struct scene *x, struct arguments *a) {
    int reduces = bine_collective_reduces(x->c->collective);
    if (x->sides.sends && a->sendbuf != MPI_IN_PLACE && !reduces) {
        a->sendtype = x->absolute[0] = buffer_absolute(&x->send);
        a->sendbuf = MPI_BOTTOM;
    }
    if (x->sides.gets && a->recvbuf != MPI_IN_PLACE) {
        a->recvtype = x->absolute[1] = buffer_absolute(&x->bine);
        a->recvbuf = MPI_BOTTOM;
        if (reduces)
            a->sendtype = a->recvtype;
    }
}

static struct arguments bine_arguments(struct scene *x) {
    const struct call *c = x->c;
    struct arguments a = plain_arguments(x);
    a.sendcount = (int)x->sides.send_count;
    a.recvcount = (int)x->sides.recv_count;
    a.sendbuf = x->send.base;
    a.sendtype = x->send.type;
    a.recvbuf = x->bine.base;
    a.recvtype = x->bine.type;
    if (c->in_place && c->collective == BINE_SCATTER)
        a.recvbuf = MPI_IN_PLACE;
    else if (c->in_place)
        a.sendbuf = MPI_IN_PLACE;
    if (c->bottom)
        at_bottom(x, &a);
    if (c->null && x->send.elements == 0 && a.sendbuf != MPI_IN_PLACE)
        a.sendbuf = NULL;
    if (c->null && x->bine.elements == 0 && a.recvbuf != MPI_IN_PLACE)
        a.recvbuf = NULL;
    if (c->garbage)
        put_garbage(x, &a);
    return a;
}

static void restore(void *state) {
    struct scene *x = state;
    memcpy(x->bine.memory, x->before.memory, x->before.bytes);
    if (x->bine_there != NULL)
        on_device_write(x->bine_there, x->before.memory, x->before.bytes);
}

/* Where there is a device, some calls have their buffers there: on all ranks, with types that
 * devices take; or on each as it comes. Types with addresses of their own stay. */
enum where { ALL_THERE, SOME_THERE, NONE_THERE };

static enum where draw_where(const struct call *c) {
    struct rng all = rng_make(c->seed, 6, 0);
    int k = rng_below(&all, 4);
    return k < 2 ? ALL_THERE : k == 2 ? SOME_THERE : NONE_THERE;
}

static void for_devices(struct call *c) {
    if (draw_where(c) != ALL_THERE)
        return;
    c->how = HOW_DEFAULT;
    c->plan = c->bottom = 0;
    if (!bine_collective_reduces(c->collective))
        c->send_form = c->recv_form = FORM_PLAIN;
}

static void move_to_device(struct scene *x, struct arguments *a) {
    struct rng mine = rng_make(x->c->seed, 7, (uint64_t)x->c->rank);
    enum where where = draw_where(x->c);
    int send = where == ALL_THERE, bine = where == ALL_THERE;
    if (where == SOME_THERE) {
        send = rng_below(&mine, 2);
        bine = rng_below(&mine, 2);
    }
    if (x->c->bottom)
        return;
    if (send && a->sendbuf == x->send.base)
        x->send_there = on_device_copy(x->send.memory, x->send.bytes);
    if (bine && a->recvbuf == x->bine.base)
        x->bine_there = on_device_copy(x->bine.memory, x->bine.bytes);
    if (x->send_there != NULL)
        a->sendbuf = x->send_there + (x->send.base - x->send.memory);
    if (x->bine_there != NULL)
        a->recvbuf = x->bine_there + (x->bine.base - x->bine.memory);
}

static void move_back(struct scene *x) {
    if (x->send_there != NULL)
        on_device_read(x->send.memory, x->send_there, x->send.bytes);
    if (x->bine_there != NULL)
        on_device_read(x->bine.memory, x->bine_there, x->bine.bytes);
    on_device_free(x->send_there);
    on_device_free(x->bine_there);
    x->send_there = x->bine_there = NULL;
}

/* All ranks have the same bits, unless the algorithm's row says that they differ; about MPI's. */
static void check_inexact(const struct scene *x, const char *text) {
    const struct call *c = x->c;
    size_t n = (size_t)x->bine.elements;
    double *first = (double *)(void *)need(n * sizeof *first), off = 0, scale = 1e-300;
    const double *mine = (const double *)(void *)x->bine.base,
                 *mpi = (const double *)(void *)x->mpi.base;
    memcpy(first, mine, n * sizeof *first);
    MPI_Bcast(first, (int)n, MPI_DOUBLE, 0, c->oracle);
    int differs = c->algorithm != NULL && c->algorithm->differs;
    check_that(differs || memcmp(first, mine, n * sizeof *first) == 0, "%s: other bits than rank 0",
               text);
    for (size_t i = 0; i < n; i++) {
        double d = mine[i] > mpi[i] ? mine[i] - mpi[i] : mpi[i] - mine[i];
        double s = mpi[i] > 0 ? mpi[i] : -mpi[i];
        off = d > off ? d : off;
        scale = s > scale ? s : scale;
    }
    check_that(off <= 1e-6 * scale, "%s: off by %g of %g", text, off, scale);
    free(first);
    memcpy(x->expected.base, x->bine.base, n * sizeof *first);
}

static void compare(struct scene *x, const char *text) {
    const struct call *c = x->c;
    long at = 0;
    if (c->inexact) {
        check_inexact(x, text);
    } else if (x->sides.gets && !(c->in_place && c->collective == BINE_SCATTER)) {
        char *packed = need(packed_bytes(&x->mpi));
        buffer_read(&x->mpi, 0, x->mpi.elements, packed);
        buffer_write(&x->expected, 0, x->mpi.elements, packed);
        free(packed);
    }
    check_that(buffer_equal(&x->bine, &x->expected, &at),
               "%s: other than MPI's at byte %ld of %ld elements", text, at, x->bine.elements);
    check_that(buffer_equal(&x->send, &x->send_before, &at), "%s: the input changed at byte %ld",
               text, at);
}

static void expect(const struct scene *x, const struct arguments *ours) {
    MPI_Aint at = 0;
    if (ours->recvtype == x->absolute[1])
        MPI_Get_address(x->bine.base, &at);
    operators_expect(ours->recvtype, x->bine.type, at);
}

void call_check(const struct call *drawn) {
    struct scene x;
    struct call c = *drawn;
    char text[400];
    if (on_device_is_there())
        for_devices(&c);
    make_scene(&x, &c);
    call_describe(&c, text, sizeof text);
    struct arguments plain = plain_arguments(&x), ours = bine_arguments(&x);
    int bine_first = (int)(c.seed % 2), rc[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        if (i == bine_first) {
            rc[1] = call_mpi(&c, &plain);
            continue;
        }
        expect(&x, &ours);
        move_to_device(&x, &ours);
        rc[0] = call_bine(&c, &ours, restore, &x);
        move_back(&x);
        check_that(operators_expect(MPI_DATATYPE_NULL, MPI_DATATYPE_NULL, 0) == 0,
                   "%s: the operator got another type than the caller's", text);
    }
    check_that(rc[0] == MPI_SUCCESS && rc[1] == MPI_SUCCESS, "%s: Bine %d, MPI %d", text, rc[0],
               rc[1]);
    compare(&x, text);
    free_scene(&x);
}

struct scene *scene_start(const struct call *drawn, Bine_Request *request, Bine_Plan *plan) {
    struct scene *x = malloc(sizeof *x);
    struct call c = *drawn;
    char text[400];
    if (x == NULL)
        abort();
    if (on_device_is_there())
        for_devices(&c);
    make_scene(x, &c);
    x->own = c;
    x->c = &x->own;
    call_describe(&c, text, sizeof text);
    struct arguments ours = bine_arguments(x);
    move_to_device(x, &ours);
    int rc = call_start(&c, &ours, request, plan);
    check_that(rc == MPI_SUCCESS, "%s: started: %d", text, rc);
    /* The types may go at once; those of a plan stay as long as it. */
    for (int i = 0; i < 2 && plan == NULL; i++)
        if (x->absolute[i] != MPI_DATATYPE_NULL)
            MPI_Type_free(&x->absolute[i]);
    struct arguments plain = plain_arguments(x);
    rc = call_mpi(&c, &plain);
    check_that(rc == MPI_SUCCESS, "%s: MPI: %d", text, rc);
    return x;
}

void scene_end(struct scene *x) {
    char text[400];
    call_describe(&x->own, text, sizeof text);
    move_back(x);
    compare(x, text);
    call_free(&x->own);
    free_scene(x);
    free(x);
}
