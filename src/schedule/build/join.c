#include "schedule/build/join.h"

#include "base/numbers.h"

/* Where place k of a space of one part lies. */
struct spot {
    int first, stride; /* at first + k * stride */
};

struct joint {
    struct bine_schedule *s;
    struct bine_schedule *const *part;
    int parts;
    int of_ranks; /* every rank has a block, cut into parts */
    int q;        /* the part in hand */
    struct spot spot[BINE_SPACES];
    int from_tmp; /* `in` of the part was copied to tmp */
};

/* In place, `out` of a reduce-scatter lies on top of all of `in`: the part that is through first
 * would overwrite what the others have yet to read. */
static int must_copy(const struct bine_schedule *one) {
    return one->collective == BINE_REDUCE_SCATTER && one->in_place && one->layout != BINE_PERMUTE;
}

static int is_listed(const struct bine_space *x) {
    return x->pieces > 0 && (x->arrangement == BINE_SUBSET || x->arrangement == BINE_LISTED);
}

static void list_part(struct joint *j, int space, int q) {
    const struct bine_schedule *one = j->part[q];
    struct bine_seek at = {0, 0};
    for (int k = 0; k < one->space[space].pieces; k++)
        bine_schedule_subset(j->s, space, bine_schedule_seek(one, space, k, &at) * j->parts + q, 1);
}

/* The blocks of a space in which every part has its own run of places, part by part. */
static void list_blocks(struct joint *j, int space) {
    bine_schedule_space(j->s, space, 0, BINE_LISTED, 0);
    for (int q = 0; q < j->parts; q++)
        list_part(j, space, q);
}

static void set_space(struct joint *j, int space) {
    const struct bine_space *x = NULL; /* of a part that uses it */
    int listed = 0;
    for (int q = 0; q < j->parts; q++) {
        const struct bine_space *y = &j->part[q]->space[space];
        x = y->pieces > 0 ? y : x;
        listed |= is_listed(y);
    }
    if (x == NULL)
        return;
    if (listed)
        list_blocks(j, space);
    else if (!j->of_ranks)
        bine_schedule_space(j->s, space, j->part[0]->blocks * j->parts, x->arrangement, 0);
    else
        bine_schedule_space(j->s, space, x->pieces * j->parts, x->arrangement, x->base * j->parts);
}

/* Where the places of part q are. */
static void find_spots(struct joint *j) {
    for (int space = 0; space < BINE_SPACES; space++) {
        const struct bine_space *x = &j->part[j->q]->space[space];
        struct spot *y = &j->spot[space];
        if (!j->of_ranks)
            *y = (struct spot){j->q * j->part[0]->blocks, 1};
        else if (x->arrangement == BINE_NATURAL || x->arrangement == BINE_ONE)
            *y = (struct spot){j->q, j->parts};
        else
            *y = (struct spot){j->q * x->pieces, 1};
        if (is_listed(x))
            y->first = 0;
        for (int q = 0; q < j->q && is_listed(x); q++)
            y->first += j->part[q]->space[space].pieces;
    }
}

static void put(struct joint *j, int with, int space, int place, int count) {
    if (with)
        bine_schedule_with(j->s, space, place, count);
    else
        bine_schedule_run(j->s, space, place, count, 0);
}

/* The places of one run, together where they lie together and both ends agree on it. */
static void put_run(struct joint *j, const struct bine_op *op, const struct bine_run *r, int with) {
    int message = op->kind <= BINE_OP_RECV_REDUCE;
    int apart = j->of_ranks && message && !with &&
                (j->s->layout == BINE_BLOCKS || j->s->layout == BINE_SEND);
    int space = j->from_tmp && r->space == BINE_IN ? BINE_TMP : r->space;
    const struct spot *x = &j->spot[space];
    if (x->stride == 1 && !apart) {
        put(j, with, space, x->first + r->first, r->count);
        return;
    }
    for (int k = r->first; k < r->first + r->count; k++)
        put(j, with, space, x->first + k * x->stride, 1);
}

/* A permutation becomes a copy, block by block: the listed space in its order, the other one by
 * block number. */
static void put_permutation(struct joint *j, const struct bine_schedule *one,
                            const struct bine_op *op) {
    int to = one->run[op->runs].space, from = one->run[op->with].space;
    bine_schedule_op(j->s, BINE_OP_COPY, BINE_SIDE_ANY, -1);
    for (int with = 0; with < 2; with++) {
        int space = with ? from : to, other = with ? to : from;
        int listed = one->space[space].arrangement != BINE_NATURAL;
        for (int k = 0; k < one->space[space].pieces; k++) {
            int place = listed ? k : bine_schedule_block(one, other, k);
            put(j, with, space, j->spot[space].first + place * j->spot[space].stride, 1);
        }
    }
}

static void put_op(struct joint *j, const struct bine_schedule *one, const struct bine_op *op) {
    if (op->kind == BINE_OP_PERMUTE) {
        put_permutation(j, one, op);
        return;
    }
    if (j->from_tmp && op->kind == BINE_OP_COPY && one->run[op->with].space == BINE_IN)
        return; /* it is there already */
    bine_schedule_op(j->s, (enum bine_op_kind)op->kind, (enum bine_side)op->side, op->peer);
    if (bine_kind_is_board(op->kind) &&
        !j->s->failed) { /* of a vector: the parts follow each other */
        j->s->op[j->s->nops - 1].first = op->first + j->q * one->blocks;
        j->s->op[j->s->nops - 1].block = op->block + j->q * one->blocks;
    }
    for (uint32_t i = 0; i < op->nruns; i++)
        put_run(j, op, &one->run[op->runs + i], 0);
    for (uint32_t i = 0; i < op->nwith; i++)
        put_run(j, op, &one->run[op->with + i], 1);
}

static void copy_input(struct joint *j, const struct bine_schedule *one) {
    bine_schedule_step(j->s, -1);
    bine_schedule_op(j->s, BINE_OP_COPY, BINE_SIDE_ANY, -1);
    for (int with = 0; with < 2; with++)
        for (int k = 0; k < one->p; k++)
            put(j, with, with ? BINE_IN : BINE_TMP, k * j->parts + j->q, 1);
}

static void put_strand(struct joint *j, const struct bine_schedule *one) {
    find_spots(j);
    j->from_tmp = 0;
    if (must_copy(one)) {
        copy_input(j, one);
        j->from_tmp = 1;
    }
    for (uint32_t i = 0; i < one->nsteps; i++) {
        bine_schedule_step(j->s, one->step[i].time);
        for (uint32_t k = 0; k < one->step[i].nops; k++)
            put_op(j, one, &one->op[one->step[i].ops + k]);
    }
}

struct bine_schedule *bine_schedule_join(struct bine_schedule *const *part, int parts) {
    const struct bine_schedule *one = part[0];
    struct joint j = {.s = bine_schedule_new(), .part = part, .parts = parts};
    if (j.s == NULL)
        return NULL;
    j.of_ranks = !bine_cuts_a_vector(one->collective);
    j.s->collective = one->collective;
    j.s->layout = one->layout;
    j.s->p = one->p;
    j.s->rank = one->rank;
    j.s->root = one->root;
    j.s->in_place = one->in_place;
    j.s->node = one->node;
    j.s->boards = one->boards;
    j.s->board_blocks = one->board_blocks;
    j.s->uneven = one->uneven;
    j.s->dims = one->dims;
    j.s->blocks = one->blocks * parts;
    j.s->parts = j.of_ranks ? parts : 1;
    for (int space = 0; space < BINE_SPACES; space++)
        set_space(&j, space);
    for (j.q = 0; j.q < parts; j.q++) {
        if (j.q > 0)
            bine_schedule_strand(j.s);
        put_strand(&j, part[j.q]);
        j.s->times = bine_max(part[j.q]->times, j.s->times);
    }
    if (!j.s->failed)
        return j.s;
    bine_schedule_free(j.s);
    return NULL;
}
