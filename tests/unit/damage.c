#include "damage.h"

#include <string.h>

static struct all make_from(struct bine_spec spec) {
    struct all x = {.algorithm = spec.algorithm, .p = spec.p};
    struct bine_verdict verdict;
    assert_non_null(x.algorithm);
    for (spec.rank = 0; spec.rank < spec.p; spec.rank++) {
        x.s[spec.rank] = bine_schedule_build(&spec);
        assert_non_null(x.s[spec.rank]);
    }
    assert_int_equal(bine_check(x.s, x.algorithm, &verdict), 0);
    return x;
}

struct all make(enum bine_collective c, const char *name, enum bine_layout layout, int p,
                int in_place) {
    return make_from((struct bine_spec){
        .algorithm = bine_algorithm_find(c, name), .layout = layout, .p = p, .in_place = in_place});
}

struct all make_torus(enum bine_collective c, enum bine_layout layout, int in_place) {
    struct bine_shape dims = {2, {4, 4}};
    return make_from((struct bine_spec){.algorithm = bine_algorithm_find(c, "bine-torus"),
                                        .layout = layout,
                                        .p = 16,
                                        .in_place = in_place,
                                        .dims = &dims,
                                        .ports = 4});
}

struct all make_groups(enum bine_collective c, enum bine_layout layout, int p) {
    int32_t group[MOST_RANKS];
    const int32_t *name = group;
    for (int r = 0; r < p; r++)
        group[r] = r / 3;
    struct bine_groups *g = bine_groups_new(p, 1, &name);
    assert_non_null(g);
    struct all x = make_from((struct bine_spec){
        .algorithm = bine_algorithm_find(c, "bine-group"), .layout = layout, .p = p, .groups = g});
    bine_groups_free(g);
    return x;
}

void expect(struct all *x, int rank, int time, const char *reason) {
    struct bine_verdict verdict;
    assert_int_equal(bine_check(x->s, x->algorithm, &verdict), 1);
    assert_string_equal(verdict.message, reason);
    assert_int_equal(verdict.rank, rank);
    assert_int_equal(verdict.time, time);
    for (int r = 0; r < x->p; r++)
        bine_schedule_free(x->s[r]);
}

struct bine_step *step_at(struct bine_schedule *s, int time) {
    for (uint32_t i = 0; i < s->nsteps; i++)
        if (s->step[i].time == time)
            return &s->step[i];
    fail_msg("no step %d", time);
    return NULL;
}

struct bine_op *op_at(struct bine_schedule *s, enum bine_op_kind kind, int time) {
    struct bine_step *step = step_at(s, time);
    for (uint32_t j = step->ops; j < step->ops + step->nops; j++)
        if (s->op[j].kind == kind)
            return &s->op[j];
    fail_msg("no such operation at step %d", time);
    return NULL;
}

struct bine_run *run_of(struct bine_schedule *s, const struct bine_op *op) {
    return &s->run[op->runs];
}

void drop(struct bine_schedule *s, int time, struct bine_op *op) {
    struct bine_step *step = step_at(s, time);
    size_t after = (size_t)(&s->op[step->ops + step->nops] - op) - 1;
    memmove(op, op + 1, after * sizeof *op);
    step->nops--;
}

void swap_steps(struct bine_schedule *s, int a, int b) {
    struct bine_step *x = step_at(s, a), *y = step_at(s, b), old = *x;
    *x = *y;
    *y = old;
}

void add_message(struct bine_schedule *s, int time, enum bine_op_kind kind, int peer, int space,
                 int place) {
    bine_schedule_step(s, time);
    bine_schedule_op(s, kind, BINE_SIDE_ANY, peer);
    bine_schedule_run(s, space, place, 1, 0);
}
