/* The text of progress: shares in per cent, and the time that is left at the pace so far. */
#include "cli/output/progress.h"
#include "unit.h"

static void assert_text(double share, double took, const char *expected) {
    char text[BINE_PROGRESS_TEXT];
    assert_string_equal(bine_progress_text(share, took, text), expected);
}

static void test_time_left(void **s) {
    (void)s;
    assert_text(0.5, 10, "50 %, 10 s left");
    assert_text(0.25, 30, "25 %, 1 min 30 s left");
    assert_text(0.1, 1000, "10 %, 2 h 30 min left"); /* 9000 s */
    assert_text(1, 10, "100 %, 0 s left");
    assert_text(0.5, 59.7, "50 %, 1 min 0 s left");
    assert_text(0.5, 3599.6, "50 %, 1 h 0 min left");
}

/* What tells nothing of the rest is not continued. */
static void test_too_early(void **s) {
    (void)s;
    assert_text(0, 100, "0 %");
    assert_text(0.3, 0.5, "30 %");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time_left),
        cmocka_unit_test(test_too_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
