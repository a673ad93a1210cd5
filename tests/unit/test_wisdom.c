/* What was learnt, in a file: lines that are added and replaced, processes that write at once,
 * links, locks, old versions, and files that are none. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, symlink, fork, utimensat */

#include "base/files.h"
#include "queries.h"
#include "select/wisdom.h"
#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char version_1[] =
    "{\"bine\": 1,\n \"rules\": [\n"
    "  {\"collective\": \"allreduce\", \"library\": \"openmpi\", \"ranks\": 16, \"nodes\": 16, "
    "\"ranks_per_node\": 1, \"groups\": \"unknown\", \"bytes\": {\"from\": 65536, \"below\": "
    "131072}, \"algorithm\": \"ring\", \"why\": \"learnt: ring 1 ms, mpi 2 ms\"}\n ]}\n";

static const struct bine_evidence some = {20000, 18, 0.25, 0.125, 1.5};

/* A folder for each test. */
static int enter(void **s) {
    char folder[] = "wisdom-XXXXXX";
    *s = getcwd(NULL, 0);
    return *s != NULL && mkdtemp(folder) != NULL && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **s) {
    static const char *const names[] = {"w.json", "w.json.lock", "far/w.json", "far", "link"};
    char *here = getcwd(NULL, 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        remove(names[i]);
    int rc = chdir(*s) == 0 ? rmdir(here) : -1; /* drafts that are left make this fail */
    free(here);
    free(*s);
    return rc;
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void assert_text(const char *path, const char *text) {
    size_t size;
    char *found = bine_file_text(path, &size);
    assert_non_null(found);
    assert_string_equal(found, text);
    free(found);
}

static int algorithm_in(const char *path, const struct bine_query *q, struct bine_evidence *e) {
    struct bine_rules rules;
    char why[600] = "";
    int rc = bine_wisdom_load(path, &rules, why, sizeof why), found = BINE_SELECTION_NONE;
    assert_int_equal(rc, 1);
    int i = bine_rules_match(&rules, q);
    if (i >= 0)
        found = rules.found[(size_t)i * BINE_COLLECTIVES + q->collective].algorithm;
    if (i >= 0 && e != NULL)
        *e = rules.rule[i].learnt;
    bine_rules_free(&rules);
    return found;
}

/* Twice, as if two communicators had learnt it. */
static int try_to_add(const char *path, const struct bine_query *q, const struct bine_selection *f,
                      char why[600]) {
    char text[BINE_WISDOM_TEXT], *line[] = {text, text};
    bine_wisdom_line(q, f, &some, "learnt: as a test", text);
    return bine_wisdom_add(path, line, 2, why, 600);
}

static void add(const char *path, const struct bine_query *q, const struct bine_selection *f) {
    char why[600] = "";
    int rc = try_to_add(path, q, f, why);
    assert_string_equal(why, "");
    assert_int_equal(rc, 0);
}

/* Lines are added, replaced and found again, with all that is known of them. */
static void test_lines(void **s) {
    (void)s;
    const char *path = "w.json";
    struct bine_selection f[BINE_LEARN_CANDIDATES];
    struct bine_evidence e;
    struct bine_query q = query_of(BINE_ALLREDUCE, 70000), other = query_of(BINE_BCAST, 70000);
    assert_true(bine_candidates(&q, f) >= 3);
    add(path, &q, &f[1]);
    assert_int_equal(algorithm_in(path, &q, &e), f[1].algorithm);
    assert_true(e.day == some.day && e.tries == some.tries && e.lead == some.lead);
    assert_true(e.spread == some.spread && e.gain == some.gain);
    assert_int_equal(algorithm_in(path, &other, NULL), BINE_SELECTION_NONE);
    add(path, &other, &f[0]);
    add(path, &q, &f[2]);
    assert_int_equal(algorithm_in(path, &q, NULL), f[2].algorithm);
    assert_int_equal(algorithm_in(path, &other, NULL), BINE_SELECTION_MPI);
    q.bytes = 131072; /* another class; another shape */
    assert_int_equal(algorithm_in(path, &q, NULL), BINE_SELECTION_NONE);
    q.bytes = 65536;
    q.p = 17;
    assert_int_equal(algorithm_in(path, &q, NULL), BINE_SELECTION_NONE);
}

enum { WRITERS = 4, LESSONS = 5 };

static struct bine_query lesson(int writer, int k) {
    return query_of(BINE_BCAST, INT64_C(4096) << (writer * LESSONS + k));
}

/* In a process of its own. */
static void write_lessons(int writer) {
    const struct bine_selection mpi = {BINE_SELECTION_MPI, -1};
    char why[600];
    int failed = 0;
    for (int k = 0; k < LESSONS; k++) {
        struct bine_query q = lesson(writer, k);
        failed |= try_to_add("w.json", &q, &mpi, why) != 0;
    }
    _exit(failed);
}

/* Programs that end together: what each has learnt is in the file. */
static void test_writers_at_once(void **s) {
    (void)s;
    pid_t child[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        child[i] = fork();
        assert_true(child[i] >= 0);
        if (child[i] == 0)
            write_lessons(i);
    }
    for (int i = 0; i < WRITERS; i++) {
        int status;
        assert_true(waitpid(child[i], &status, 0) == child[i]);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    for (int i = 0; i < WRITERS * LESSONS; i++) {
        struct bine_query q = lesson(i / LESSONS, i % LESSONS);
        assert_int_equal(algorithm_in("w.json", &q, NULL), BINE_SELECTION_MPI);
    }
    assert_int_not_equal(access("w.json.lock", F_OK), 0);
}

static void assert_is_link(const char *path) {
    struct stat st;
    assert_int_equal(lstat(path, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
}

/* A link stays one, and a file keeps its permissions; so does a link to a file that is not there
 * yet, and a new file has those that the process gives. */
static void test_link(void **s) {
    (void)s;
    const struct bine_selection mpi = {BINE_SELECTION_MPI, -1};
    struct bine_query q = query_of(BINE_ALLREDUCE, 70000), other = query_of(BINE_BCAST, 70000);
    struct stat st;
    assert_int_equal(mkdir("far", 0777), 0);
    assert_int_equal(symlink("far/w.json", "link"), 0);
    umask(027);
    add("link", &q, &mpi);
    assert_is_link("link");
    assert_true(stat("far/w.json", &st) == 0 && (st.st_mode & 0777) == 0640);
    assert_int_equal(chmod("far/w.json", 0664), 0);
    add("link", &other, &mpi);
    assert_is_link("link");
    assert_int_equal(algorithm_in("far/w.json", &q, NULL), BINE_SELECTION_MPI);
    assert_int_equal(algorithm_in("far/w.json", &other, NULL), BINE_SELECTION_MPI);
    assert_true(stat("far/w.json", &st) == 0 && (st.st_mode & 0777) == 0664);
    umask(022);
}

/* Nobody knows how a lesson of version 1 came about: it is followed, and due. Its file becomes one
 * of this version with the first line that is added. */
static void test_old_version(void **s) {
    (void)s;
    const struct bine_selection mpi = {BINE_SELECTION_MPI, -1};
    struct bine_query q = query_of(BINE_ALLREDUCE, 70000), other = query_of(BINE_BCAST, 70000);
    struct bine_evidence e = some;
    int ring = (int)(bine_algorithm_find(BINE_ALLREDUCE, "ring") - bine_catalogue);
    write_file("w.json", version_1);
    assert_int_equal(algorithm_in("w.json", &q, &e), ring);
    assert_true(e.tries == 0 && bine_evidence_is_due(&e, bine_day_today()));
    add("w.json", &other, &mpi);
    assert_int_equal(algorithm_in("w.json", &q, NULL), ring);
    assert_int_equal(algorithm_in("w.json", &other, &e), BINE_SELECTION_MPI);
    assert_true(e.tries == some.tries);
    size_t size;
    char *text = bine_file_text("w.json", &size);
    assert_non_null(strstr(text, "\"wisdom\": 2"));
    free(text);
}

/* A lock that another process has is waited for, not for ever; one that a dead process has left is
 * taken away. */
static void test_locks(void **s) {
    (void)s;
    const struct bine_selection mpi = {BINE_SELECTION_MPI, -1};
    const struct timespec long_ago[] = {{1000000000, 0}, {1000000000, 0}};
    struct bine_query q = query_of(BINE_BCAST, 70000);
    char why[600] = "";
    write_file("w.json", version_1);
    write_file("w.json.lock", "");
    assert_int_equal(try_to_add("w.json", &q, &mpi, why), -1);
    assert_string_equal(why, "w.json: another process holds w.json.lock");
    assert_text("w.json", version_1);
    assert_int_equal(access("w.json.lock", F_OK), 0);
    assert_int_equal(utimensat(AT_FDCWD, "w.json.lock", long_ago, 0), 0);
    add("w.json", &q, &mpi);
    assert_int_equal(algorithm_in("w.json", &q, NULL), BINE_SELECTION_MPI);
    assert_int_not_equal(access("w.json.lock", F_OK), 0);
}

/* One line says where it is wrong, and the file stays as it is. */
static void test_wrong_files(void **s) {
    (void)s;
    static const struct {
        const char *text, *why;
    } wrong[] = {
        {"{\"bine\": 1,\n \"rules\": [\n  {\"collective\": \"bcast\", \"algo", "w.json:3:"},
        {"{\"bine\": 1, \"wisdom\": 3,\n \"rules\": [\n ]}\n", "has a newer Bine written it?"},
        {"{\"bine\": 1, \"wisdom\": 2,\n \"rules\": [\n  {\"collective\": \"bcast\", "
         "\"algorithm\": "
         "\"mpi\", \"learnt\": {\"date\": \"2026-02-29\"}}\n ]}\n",
         "w.json:3:66: expected {\"date\": \"YYYY-MM-DD\""},
        {"{\"bine\": 1, \"wisdom\": 2,\n \"rules\": [\n  {\"collective\": \"bcast\", "
         "\"algorithm\": "
         "\"mpi\", \"learnt\": {\"tries\": \"many\"}}\n ]}\n",
         "w.json:3:67: expected {\"date\": \"YYYY-MM-DD\", \"tries\": NUMBER"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct bine_rules rules;
        char why[600] = "";
        write_file("w.json", wrong[i].text);
        assert_int_equal(bine_wisdom_load("w.json", &rules, why, sizeof why), -1);
        assert_non_null(strstr(why, wrong[i].why));
        assert_null(strchr(why, '\n'));
        assert_text("w.json", wrong[i].text);
    }
}

/* Rules that somebody wrote are left alone; an empty file is none, and gets lines. */
static void test_foreign_files(void **s) {
    (void)s;
    static const char rules[] = "{\"bine\": 1, \"rules\": []}\n";
    const struct bine_selection mpi = {BINE_SELECTION_MPI, -1};
    struct bine_query q = query_of(BINE_BCAST, 70000);
    struct bine_rules none;
    char why[600] = "";
    write_file("w.json", rules);
    assert_int_equal(try_to_add("w.json", &q, &mpi, why), -1);
    assert_non_null(strstr(why, "expected a file that Bine wrote"));
    assert_text("w.json", rules);
    write_file("w.json", "");
    assert_int_equal(bine_wisdom_load("w.json", &none, why, sizeof why), 0);
    assert_int_equal(bine_wisdom_load("far/w.json", &none, why, sizeof why), 0);
    add("w.json", &q, &mpi);
    assert_int_equal(algorithm_in("w.json", &q, NULL), BINE_SELECTION_MPI);
    assert_int_equal(try_to_add("far/w.json", &q, &mpi, why), -1);
    assert_string_equal(why, "far/w.json: No such file or directory");
}

static void test_days(void **s) {
    (void)s;
    static const char *const wrong[] = {"",           "2026-13-01", "2026-00-10",  "2026-11-31",
                                        "2025-02-29", "26-11-17",   "2026-11-17x", "1969-12-31"};
    char text[BINE_DAY_TEXT];
    int64_t day;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(bine_day_parse(wrong[i], &day), -1);
    assert_true(bine_day_parse("1970-01-01", &day) == 0 && day == 0);
    assert_true(bine_day_parse("2000-03-01", &day) == 0 && day == 11017);
    for (day = 0; day < 60000; day += 17) {
        int64_t again;
        assert_true(bine_day_parse(bine_day_text(day, text), &again) == 0 && again == day);
    }
}

/* Old, of a day to come, or not certain. */
static void test_due(void **s) {
    (void)s;
    struct bine_evidence e = some;
    assert_false(bine_evidence_is_due(&e, e.day));
    assert_false(bine_evidence_is_due(&e, e.day - 1)); /* the clock of another host */
    assert_true(bine_evidence_is_due(&e, e.day - 2));
    assert_false(bine_evidence_is_due(&e, e.day + BINE_EVIDENCE_DAYS));
    assert_true(bine_evidence_is_due(&e, e.day + BINE_EVIDENCE_DAYS + 1));
    e.spread = 0.26;
    assert_true(bine_evidence_is_due(&e, e.day));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_lines, enter, leave),
        cmocka_unit_test_setup_teardown(test_writers_at_once, enter, leave),
        cmocka_unit_test_setup_teardown(test_link, enter, leave),
        cmocka_unit_test_setup_teardown(test_old_version, enter, leave),
        cmocka_unit_test_setup_teardown(test_locks, enter, leave),
        cmocka_unit_test_setup_teardown(test_wrong_files, enter, leave),
        cmocka_unit_test_setup_teardown(test_foreign_files, enter, leave),
        cmocka_unit_test(test_days),
        cmocka_unit_test(test_due),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
