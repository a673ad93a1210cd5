/* Counting on tori: by symmetry, and port by port, as from the schedules. */
#include "../unit/unit.h"

#include "traffic/traffic.h"

#include <stdlib.h>
#include <string.h>

/* The bytes from each rank to each other one. */
static void take(void *self, int from, int to, int64_t bytes) {
    int64_t **row = self;
    row[from][to] += bytes;
}

static int64_t **matrix(int p) {
    int64_t **row = calloc((size_t)p, sizeof *row);
    assert_non_null(row);
    for (int r = 0; r < p; r++)
        assert_non_null(row[r] = calloc((size_t)p, sizeof **row));
    return row;
}

static void matrix_free(int64_t **row, int p) {
    for (int r = 0; r < p; r++)
        free(row[r]);
    free(row);
}

static void compare(const struct bine_spec *spec, int64_t bytes) {
    int64_t **a = matrix(spec->p), **b = matrix(spec->p);
    struct bine_flow_sink to_a = {take, a}, to_b = {take, b};
    assert_int_equal(bine_flows(spec, bytes, BINE_FLOWS_BEST, &to_a), BINE_FLOWS_GOOD);
    assert_int_equal(bine_flows(spec, bytes, BINE_FLOWS_SCHEDULES, &to_b), BINE_FLOWS_GOOD);
    for (int r = 0; r < spec->p; r++)
        for (int q = 0; q < spec->p; q++)
            if (a[r][q] != b[r][q])
                fail_msg("%s %s layout %s ports %d, %d ranks, %lld bytes: %lld from %d to %d, "
                         "expected %lld",
                         bine_collective_name(spec->algorithm->collective), spec->algorithm->name,
                         bine_layout_name(spec->layout), spec->ports, spec->p, (long long)bytes,
                         (long long)a[r][q], r, q, (long long)b[r][q]);
    matrix_free(a, spec->p);
    matrix_free(b, spec->p);
}

static void compare_all(const struct bine_shape *dims) {
    int p = bine_shape_nodes(dims), ports = bine_torus_ports(dims);
    for (size_t i = 0; i < bine_catalogue_size; i++) {
        struct bine_spec spec = {.algorithm = &bine_catalogue[i], .p = p, .dims = dims};
        if (bine_algorithm_needs(spec.algorithm) != BINE_NEEDS_DIMS ||
            !bine_algorithm_takes_dims(spec.algorithm, dims))
            continue;
        spec.layout = bine_algorithm_layout(spec.algorithm, p);
        spec.root = bine_collective_is_rooted(spec.algorithm->collective) ? p / 3 : 0;
        compare(&spec, 7 * (int64_t)p);
        compare(&spec, 7 * (int64_t)p + 5);
        spec.ports = ports;
        compare(&spec, 3 * (int64_t)p * ports);
        compare(&spec, 1000);
    }
}

static void test_all(void **unused) {
    static const char *const shapes[] = {"24",   "4x6",   "2x3x4", "64",  "8x8",
                                         "4x16", "2x6x6", "5x14",  "9x9", "4x4x4"};
    (void)unused;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct bine_shape dims;
        assert_int_equal(bine_shape_parse(shapes[i], strlen(shapes[i]), &dims), 0);
        if (bine_shape_nodes(&dims) <= UNIT_MOST_RANKS)
            compare_all(&dims);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
