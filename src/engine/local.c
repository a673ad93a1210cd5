/* What a rank does by itself: packing, adding up, copying. */
#include "engine/run.h"

#include <string.h>

int64_t bine_run_elements(const struct bine_run_state *run, const struct bine_op *op) {
    const struct bine_run *r = &run->plan->schedule->run[op->runs];
    int64_t n = 0;
    for (uint32_t i = 0; i < op->nruns; i++)
        n += bine_run_run_elements(run, &r[i]);
    return n;
}

static int copy(struct bine_run_state *run, const char *from, char *to, int64_t n) {
    return bine_type_copy(&run->type, from, to, (MPI_Aint)n, run->comm, run->plan->schedule->rank);
}

int bine_run_pack(struct bine_run_state *run, const struct bine_op *op, char *to) {
    const struct bine_run *r = &run->plan->schedule->run[op->runs];
    int rc = MPI_SUCCESS;
    for (uint32_t i = 0; i < op->nruns && rc == MPI_SUCCESS; i++) {
        int64_t n = bine_run_run_elements(run, &r[i]);
        rc = copy(run, bine_run_address(run, &r[i], 0), to, n);
        to = bine_at(to, n * run->type.extent);
    }
    return rc;
}

/* Walks over the elements of a list of runs, as far as they lie together. */
struct reach {
    const struct bine_run *run;
    int64_t skip;
};

static int64_t reach_length(const struct bine_run_state *run, struct reach *x) {
    int64_t n;
    while ((n = bine_run_run_elements(run, x->run) - x->skip) == 0) {
        x->run++;
        x->skip = 0;
    }
    return n;
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

int bine_run_unpack(struct bine_run_state *run, const struct bine_op *op,
                    const struct bine_slot *at) {
    struct reach to = {&run->plan->schedule->run[op->runs + at->run], at->run_done};
    const char *data = at->data;
    int rc = MPI_SUCCESS;
    for (int64_t left = at->count, n; left > 0 && rc == MPI_SUCCESS; left -= n) {
        n = least(left, reach_length(run, &to));
        rc = copy(run, data, bine_run_address(run, to.run, to.skip), n);
        to.skip += n;
        data = bine_at(data, n * run->type.extent);
    }
    return rc;
}

/* MPI counts with int. */
#define MOST_AT_ONCE ((int64_t)1 << 30)
/* Bytes that are added up and copied to their place while they are in the cache. */
#define IN_CACHE 32768

/* to = own op data, or data op own; data may be overwritten. */
static int add(struct bine_run_state *run, char *to, const char *own, char *data, int64_t n,
               int side) {
    int rc = MPI_SUCCESS;
    if (data == to) /* received in place: to = own op to */
        return PMPI_Reduce_local(own, to, (int)n, run->type.handle, run->op);
    if (side == BINE_SIDE_RIGHT || (side == BINE_SIDE_ANY && own != to)) {
        rc = PMPI_Reduce_local(own, data, (int)n, run->type.handle, run->op);
        return rc == MPI_SUCCESS ? copy(run, data, to, n) : rc;
    }
    rc = copy(run, own, to, n);
    return rc == MPI_SUCCESS ? PMPI_Reduce_local(data, to, (int)n, run->type.handle, run->op) : rc;
}

int bine_run_reduce(struct bine_run_state *run, const struct bine_op *op,
                    const struct bine_slot *at) {
    const struct bine_run *runs = run->plan->schedule->run;
    struct reach to = {&runs[op->runs + at->run], at->run_done};
    struct reach with = {&runs[op->with + at->with], at->with_done};
    char *data = at->data;
    int64_t most =
        data == NULL || run->type.size == 0 ? MOST_AT_ONCE : 1 + IN_CACHE / run->type.size;
    int rc = MPI_SUCCESS;
    for (int64_t left = at->count, n; left > 0 && rc == MPI_SUCCESS; left -= n) {
        n = least(least(left, most), least(reach_length(run, &to), reach_length(run, &with)));
        char *place = bine_run_address(run, to.run, to.skip);
        rc = add(run, place, bine_run_address(run, with.run, with.skip),
                 data != NULL ? data : place, n, op->side);
        to.skip += n;
        with.skip += n;
        if (data != NULL)
            data = bine_at(data, n * run->type.extent);
    }
    return rc;
}

int bine_run_reduce_all(struct bine_run_state *run, const struct bine_op *op, char *data,
                        int64_t count) {
    const struct bine_run *runs = run->plan->schedule->run;
    if (op->nruns > 1 || op->nwith > 1 || count > MOST_AT_ONCE)
        return bine_run_reduce(run, op, &(struct bine_slot){.count = count, .data = data});
    char *place = bine_run_address(run, &runs[op->runs], 0);
    return add(run, place, bine_run_address(run, &runs[op->with], 0), data != NULL ? data : place,
               count, op->side);
}

static int local_copy(struct bine_run_state *run, const struct bine_op *op) {
    const struct bine_run *runs = run->plan->schedule->run;
    struct reach to = {&runs[op->runs], 0}, from = {&runs[op->with], 0};
    int rc = MPI_SUCCESS;
    for (int64_t left = bine_run_elements(run, op), n; left > 0 && rc == MPI_SUCCESS; left -= n) {
        n = least(left, least(reach_length(run, &to), reach_length(run, &from)));
        rc = copy(run, bine_run_address(run, from.run, from.skip),
                  bine_run_address(run, to.run, to.skip), n);
        to.skip += n;
        from.skip += n;
    }
    return rc;
}

static int is_even(const struct bine_map *m) {
    return m->table == NULL && m->extra == 0;
}

/* Dense blocks of one size. Small ones are worth an instruction or two instead of a call. */
static void permute_even(const struct bine_run_state *run, int to, int from,
                         const int32_t *to_place, const int32_t *from_place, int pieces) {
    size_t size = (size_t)(run->map[to].block * run->type.extent);
    char *out = run->map[to].base;
    const char *in = run->map[from].base;
    for (int k = 0; k < pieces; k++) {
        char *a = out + size * (size_t)(to_place != NULL ? to_place[k] : k);
        const char *b = in + size * (size_t)(from_place != NULL ? from_place[k] : k);
        if (size == sizeof(int64_t))
            memcpy(a, b, sizeof(int64_t));
        else
            memcpy(a, b, size);
    }
}

/* One of the two spaces is in natural order: its place is the number of the block that the plan has
 * for the other's. */
static int local_permute(struct bine_run_state *run, const struct bine_op *op) {
    const struct bine_schedule *s = run->plan->schedule;
    int to = s->run[op->runs].space, from = s->run[op->with].space, pieces = s->space[to].pieces;
    const int32_t *list = run->plan->permuted;
    const int32_t *to_place = to == bine_plan_permuted_space(s, op) ? NULL : list;
    const int32_t *from_place = to_place == NULL ? list : NULL;
    int rc = MPI_SUCCESS;
    if (run->type.dense && is_even(&run->map[to]) && is_even(&run->map[from])) {
        if (run->map[to].block > 0) /* there may be no buffers otherwise */
            permute_even(run, to, from, to_place, from_place, pieces);
        return rc;
    }
    for (int k = 0; k < pieces && rc == MPI_SUCCESS; k++) {
        struct bine_run a = bine_pieces(to, to_place != NULL ? to_place[k] : k, 1),
                        b = bine_pieces(from, from_place != NULL ? from_place[k] : k, 1);
        rc = copy(run, bine_run_address(run, &b, 0), bine_run_address(run, &a, 0),
                  bine_run_run_elements(run, &a));
    }
    return rc;
}

/* One piece each: to = with op to. */
static int local_reduce(struct bine_run_state *run, const struct bine_op *op) {
    const struct bine_run *runs = run->plan->schedule->run;
    return PMPI_Reduce_local(
        bine_run_address(run, &runs[op->with], 0), bine_run_address(run, &runs[op->runs], 0),
        (int)bine_run_run_elements(run, &runs[op->runs]), run->type.handle, run->op);
}

int bine_run_local(struct bine_run_state *run, const struct bine_op *op) {
    if (run->board.local)
        return bine_board_local(run, op);
    switch (op->kind) {
    case BINE_OP_COPY:
        return local_copy(run, op);
    case BINE_OP_PERMUTE:
        return local_permute(run, op);
    case BINE_OP_REDUCE:
        return local_reduce(run, op);
    default:
        return MPI_SUCCESS;
    }
}
