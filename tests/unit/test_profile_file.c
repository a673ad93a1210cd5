/* Profiles as docs/profile.md describes them: the example there, value by value, and mistakes. */
#include "cli/profile_file.h"
#include "unit.h"

#include "base/files.h"
#include "cli/command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *copy(const char *text) {
    char *c = malloc(strlen(text) + 1);
    assert_non_null(c);
    return strcpy(c, text);
}

static void test_example(void **s) {
    struct bine_profile p;
    struct bine_reason why;
    size_t size;
    char *text = bine_file_text(EXAMPLE, &size);
    (void)s;
    assert_non_null(text);
    assert_int_equal(bine_profile_parse("x.json", text, &p, &why), 0);
    assert_string_equal(p.mpi, "Open MPI v4.1.4");
    assert_int_equal(p.ranks, 8);
    assert_true(p.seconds == 12.5 && p.slowest == 3.6 && p.clock_error == 2.5e-6);
    assert_int_equal(p.nodes, 2);
    assert_int_equal(p.node[1].group, 1);
    assert_null(p.node[1].name);
    assert_int_equal(p.communicators, 2);
    assert_int_equal(p.communicator[0].kind, BINE_PROFILE_WORLD);
    assert_int_equal(p.communicator[1].kind, BINE_PROFILE_PART);
    assert_int_equal(p.communicator[1].made, 250);
    assert_int_equal(p.communicator[1].places, 4);
    assert_int_equal(p.communicator[1].place[1].node, 1);
    assert_int_equal(p.rows, 5);
    assert_int_equal(p.row[0].collective, BINE_ALLREDUCE);
    assert_int_equal(p.row[0].late, 3);
    assert_int_equal(p.row[0].root, BINE_PROFILE_UNKNOWN);
    assert_int_equal(p.row[1].by, BINE_PROFILE_BY_BINE);
    assert_string_equal(p.row[1].algorithm, "bine-large");
    assert_int_equal(p.row[2].root, 0);
    assert_true(isnan(p.row[2].wait_mean));
    assert_int_equal(p.row[2].late, BINE_PROFILE_UNKNOWN);
    assert_int_equal(p.row[3].bytes_from, BINE_PROFILE_UNKNOWN);
    assert_true(p.row[3].bytes_mean == 81920.5);
    assert_int_equal(p.row[4].form, BINE_PROFILE_NONBLOCKING);
    assert_int_equal(p.steps, 2);
    assert_true(p.timeline[1].slowest == 1.9);
    bine_profile_free(&p);
}

/* A profile with one row; each test puts another text into one of its places. */
static const char small[] =
    "{\"format\": \"bine-profile\", \"version\": 1, \"bine\": \"0\", \"mpi\": \"x\",\n"
    "\"off\": false, \"ranks\": 4, \"recorded\": 4, \"finished\": 4, \"seconds\": 1,\n"
    "\"collectives\": {\"mean\": 1, \"slowest\": 1}, \"clock_error\": null, \"later\": {},\n"
    "\"nodes\": [{\"ranks\": 4, \"group\": null}],\n"
    "\"communicators\": [{\"ranks\": 4, \"kind\": \"world\", \"made\": 1, \"places\": [[0, 4]]}],\n"
    "\"others\": {\"calls\": 0, \"seconds\": 0},\n"
    "\"rows\": [{\"communicator\": 0, \"collective\": \"bcast\", \"form\": \"blocking\",\n"
    "\"bytes_from\": null, \"bytes_below\": null, \"bytes_mean\": null, \"root\": \"varies\",\n"
    "\"by\": \"mpi\", \"calls\": 3, \"recorded\": 4, \"seconds_mean\": 1, \"seconds_slowest\": 1,\n"
    "\"seconds_least\": 1, \"longest\": 1, \"samples\": 0}]}";

static char *replaced(const char *from, const char *to) {
    const char *at = strstr(small, from);
    char *text = calloc(1, sizeof small + strlen(to));
    assert_non_null(at);
    assert_non_null(text);
    memcpy(text, small, (size_t)(at - small));
    strcat(text, to);
    return strcat(text, at + strlen(from));
}

static void test_small(void **s) {
    struct bine_profile p;
    struct bine_reason why;
    (void)s;
    assert_int_equal(bine_profile_parse("x", copy(small), &p, &why), 0);
    assert_true(isnan(p.clock_error));
    assert_true(isnan(p.row[0].bytes_mean));
    assert_null(p.row[0].datatype);
    assert_int_equal(p.row[0].root, BINE_PROFILE_VARIES);
    assert_int_equal(p.node[0].group, BINE_PROFILE_UNKNOWN);
    assert_int_equal(p.steps, 0);
    bine_profile_free(&p);
}

static void test_mistakes(void **s) {
    static const struct {
        const char *from, *to, *why;
    } row[] = {
        {"\"bine-profile\"", "\"bine-verbose\"",
         "x:1:1: expected {\"format\": \"bine-profile\", ...}, as BINE_PROFILE writes it"},
        {"\"version\": 1", "\"version\": 2",
         "x:1:39: \"version\": expected 1; has a newer Bine written it?"},
        {"\"ranks\": 4, \"rec", "\"rec", "x:1:1: \"ranks\" is missing"},
        {"\"seconds\": 1,", "\"seconds\": -1,",
         "x:2:68: \"seconds\": expected a number of 0 or more"},
        {"\"calls\": 3", "\"calls\": 3.5",
         "x:9:23: \"calls\": expected a whole number of 0 or more"},
        {"\"communicator\": 0", "\"communicator\": 1", "x:7:10: \"communicator\": there are 1"},
        {"\"bcast\"", "\"broadcast\"",
         "x:7:44: \"collective\": expected a word of 'bine list', such as \"allreduce\""},
        {"\"by\": \"mpi\"", "\"by\": \"me\"",
         "x:9:7: \"by\": expected \"mpi\" or another of its words in docs/profile.md"},
        {"\"varies\"", "\"some\"", "x:8:70: \"root\": expected a rank, \"varies\" or null"},
        {"[[0, 4]]", "[[1, 4]]", "x:5:71: \"places\": there are 1 nodes"},
        {"[[0, 4]]", "[[0, 3]]", "x:5:70: \"places\" are of 3 ranks: expected 4"},
        {"[[0, 4]]", "[[0]]", "x:5:71: \"places\": expected [node, number of ranks]"},
        {"\"others\"", "\"other\"", "x:1:1: \"others\" is missing"},
    };
    (void)s;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct bine_profile p;
        struct bine_reason why;
        assert_int_equal(bine_profile_parse("x", replaced(row[i].from, row[i].to), &p, &why), -1);
        assert_string_equal(why.text, row[i].why);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_example), cmocka_unit_test(test_small),
                                       cmocka_unit_test(test_mistakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
