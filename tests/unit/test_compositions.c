/* The tables: no row of a composition, of a family or of the catalogue leaves out what it must
 * say. */
#include "unit.h"

#include "schedule/catalogue.h"
#include "schedule/volume.h"

#include <string.h>

static void compositions_say_all(void **state) {
    (void)state;
    for (int i = BINE_MAKE_NOTHING + 1; i < BINE_COMPOSITIONS; i++) {
        const struct bine_composition_row *c = &bine_compositions[i];
        print_message("%s\n", c->name == NULL ? "?" : c->name);
        assert_non_null(c->name);
        assert_non_null(c->about);
        assert_non_null(c->compose);
        assert_non_null(c->moves);
        assert_non_null(c->blocks);
        assert_non_null(c->volume);
        assert_true(c->flow > BINE_FLOW_NOT_SAID && c->flow < BINE_FLOWS);
        assert_true(c->needs > BINE_NEEDS_NOT_SAID && c->needs != BINE_NEEDS_DIMS);
        assert_true(c->sorts > BINE_SORTS_NOT_SAID);
    }
}

/* A promise is either of each rank or of all together, and moves can be had in one way at least. */
static void compositions_agree_with_themselves(void **state) {
    (void)state;
    for (int i = BINE_MAKE_NOTHING + 1; i < BINE_COMPOSITIONS; i++) {
        const struct bine_composition_row *c = &bine_compositions[i];
        print_message("%s\n", c->name);
        assert_int_equal((c->volume->of_rank != NULL) + (c->volume->of_all != NULL), 1);
        assert_true(c->volume->of_rank != NULL || !c->volume->two_halves);
        assert_non_null(c->moves->is_closed);
    }
}

static void catalogue_says_all(void **state) {
    (void)state;
    for (size_t i = 0; i < bine_catalogue_size; i++) {
        const struct bine_algorithm *a = &bine_catalogue[i];
        int layouts = 0;
        print_message("%s\n", a->name == NULL ? "?" : a->name);
        assert_non_null(a->name);
        assert_non_null(a->family);
        assert_non_null(a->about);
        assert_true(a->composition > BINE_MAKE_NOTHING && a->composition < BINE_COMPOSITIONS);
        assert_true(a->tree > BINE_FAMILY_NONE && a->tree < BINE_FAMILIES);
        assert_true(a->order == BINE_NEAR_FIRST || a->order == BINE_FAR_FIRST);
        assert_true(a->steps > BINE_STEPS_NOT_SAID);
        while (layouts < BINE_LAYOUTS && a->layouts[layouts] >= 0)
            layouts++;
        assert_true(layouts > 0 && a->layouts[layouts] == -1);
        assert_int_equal(a->trees == 2, a->second_tree != BINE_FAMILY_NONE);
        assert_true(a->trees > 0 || a->stride == 0);
    }
}

/* Layouts that move blocks to other places need to be told which. */
static void placed_layouts_have_places(void **state) {
    (void)state;
    for (size_t i = 0; i < bine_catalogue_size; i++) {
        const struct bine_algorithm *a = &bine_catalogue[i];
        int placed = bine_algorithm_has_layout(a, BINE_PERMUTE, 4);
        print_message("%s %s\n", bine_collective_name(a->collective), a->name);
        if (placed)
            assert_true(a->places == BINE_PLACE_NU || a->places == BINE_PLACE_TORUS);
    }
}

static void names_are_found(void **state) {
    (void)state;
    for (size_t i = 0; i < bine_catalogue_size; i++) {
        const struct bine_algorithm *a = &bine_catalogue[i];
        assert_ptr_equal(bine_algorithm_find(a->collective, a->name), a);
        if (a->alias != NULL)
            assert_ptr_equal(bine_algorithm_find(a->collective, a->alias), a);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compositions_say_all),
        cmocka_unit_test(compositions_agree_with_themselves),
        cmocka_unit_test(catalogue_says_all),
        cmocka_unit_test(placed_layouts_have_places),
        cmocka_unit_test(names_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
