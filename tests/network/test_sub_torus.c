/* The torus that ranks form on a part of a machine's torus. */
#include "../unit/unit.h"

#include "network/sub_torus.h"

#include <string.h>

enum { MOST = 1024 };

static int find(const char *whole, int p, const int32_t *node, char text[BINE_SHAPE_TEXT],
                int32_t *rank_at) {
    struct bine_shape machine, shape;
    assert_int_equal(bine_shape_parse(whole, strlen(whole), &machine), 0);
    int found = bine_sub_torus_find(&machine, p, node, &shape, rank_at);
    text[0] = '\0';
    if (found == BINE_SUB_TORUS_YES)
        bine_shape_text(&shape, text);
    return found;
}

/* Nodes of which every coordinate is from low to high (round the end where that is less), the last
 * one counting fastest. */
static int box(const struct bine_shape *machine, const int *low, const int *size, int32_t *node) {
    int p = 1;
    node[0] = 0;
    for (int d = 0; d < machine->dims; d++) {
        for (int i = p - 1; i >= 0; i--)
            for (int k = size[d] - 1; k >= 0; k--)
                node[i * size[d] + k] =
                    node[i] * machine->size[d] + (low[d] + k) % machine->size[d];
        p *= size[d];
    }
    return p;
}

static void expect(const char *whole, const int *low, const int *size, const char *shape) {
    struct bine_shape machine;
    int32_t node[MOST], rank_at[MOST];
    char text[BINE_SHAPE_TEXT];
    assert_int_equal(bine_shape_parse(whole, strlen(whole), &machine), 0);
    int p = box(&machine, low, size, node);
    int found = find(whole, p, node, text, rank_at);
    assert_string_equal(text, shape);
    assert_int_equal(found, *shape != '\0' ? BINE_SUB_TORUS_YES : BINE_SUB_TORUS_NO);
}

static void boxes(void **unused) {
    (void)unused;
    expect("4x4x8", (int[]){0, 0, 0}, (int[]){4, 4, 8}, "4x4x8");
    expect("4x4x8", (int[]){2, 0, 0}, (int[]){1, 4, 8}, "4x8");
    expect("4x4x8", (int[]){2, 1, 0}, (int[]){1, 1, 8}, "8");
    expect("4x4x8", (int[]){1, 0, 3}, (int[]){2, 4, 1}, "2x4");
    expect("4x4x8", (int[]){3, 0, 7}, (int[]){2, 1, 2}, "2x2"); /* round both ends */
    expect("4x4x8", (int[]){0, 0, 0}, (int[]){3, 4, 8}, "");
    expect("4x4x8", (int[]){0, 0, 0}, (int[]){4, 4, 4}, "");
    expect("2x3", (int[]){0, 0}, (int[]){2, 3}, "2x3");
    expect("24x23x24x2x3x2", (int[]){0, 5, 5, 0, 0, 0}, (int[]){24, 1, 1, 2, 3, 2}, "24x2x3x2");
}

/* Ranks in any order: those at the places of the torus are told. */
static void orders(void **unused) {
    static const int32_t node[] = {5, 0, 3, 1, 4, 2}, twice[] = {0, 1, 2, 3, 4, 4},
                         apart[] = {0, 2}, corner[] = {0, 1, 3}, diagonal[] = {0, 4};
    static const int32_t expected[] = {1, 3, 5, 2, 4, 0};
    int32_t rank_at[6];
    char text[BINE_SHAPE_TEXT];
    (void)unused;
    assert_int_equal(find("2x3", 6, node, text, rank_at), BINE_SUB_TORUS_YES);
    assert_memory_equal(rank_at, expected, sizeof expected);
    assert_int_equal(find("2x3", 6, twice, text, rank_at), BINE_SUB_TORUS_NO);
    assert_int_equal(find("1x4", 2, apart, text, rank_at), BINE_SUB_TORUS_NO);
    assert_int_equal(find("2x3", 3, corner, text, rank_at), BINE_SUB_TORUS_NO);
    assert_int_equal(find("2x3", 2, diagonal, text, rank_at), BINE_SUB_TORUS_NO);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(boxes), cmocka_unit_test(orders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
