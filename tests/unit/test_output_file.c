/* Files that are written as a whole, or not at all. */
#include "cli/output/output_file.h"
#include "unit.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROOM = 4096, SIZE = 3 * ROOM };

static char folder[] = "/tmp/bine-draft-XXXXXX", file[64], text[SIZE];
static volatile int ending; /* what comes in the middle of writing */

static void come(int number) {
    (void)number;
    raise(ending);
}

/* In a process of its own, the file gets too large and then the signal comes. */
static int write_until(int number) {
    pid_t child = fork();
    int status;
    if (child == 0) {
        struct rlimit most = {ROOM, ROOM};
        ending = number;
        signal(SIGXFSZ, come);
        setrlimit(RLIMIT_FSIZE, &most);
        _exit(bine_output_file_write(file, text, SIZE) == 0 ? 0 : 1);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static int count_files(void) {
    DIR *d = opendir(folder);
    int n = 0;
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

static void expect_old(void) {
    char line[8] = "";
    FILE *f = fopen(file, "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    fclose(f);
    assert_string_equal(line, "old");
    assert_int_equal(count_files(), 1);
}

static void test_signals(void **state) {
    static const int numbers[] = {SIGHUP, SIGINT, SIGTERM};
    (void)state;
    assert_int_equal(bine_output_file_write(file, "old", 3), 0);
    for (int i = 0; i < 3; i++) {
        int status = write_until(numbers[i]);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), numbers[i]);
        expect_old();
    }
}

/* One that is ignored, as with nohup, stays so: what fails is the writing. */
static void test_ignored(void **state) {
    (void)state;
    signal(SIGHUP, SIG_IGN);
    int status = write_until(SIGHUP);
    signal(SIGHUP, SIG_DFL);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
    expect_old();
}

/* Afterwards, signals do what they did. */
static void test_after(void **state) {
    struct sigaction now;
    (void)state;
    assert_int_equal(bine_output_file_write(file, text, SIZE), 0);
    assert_int_equal(sigaction(SIGTERM, NULL, &now), 0);
    assert_true(now.sa_handler == SIG_DFL);
    assert_int_equal(count_files(), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signals),
        cmocka_unit_test(test_ignored),
        cmocka_unit_test(test_after),
    };
    memset(text, 'x', sizeof text);
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(file, sizeof file, "%s/file", folder);
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(file);
    rmdir(folder);
    return rc;
}
