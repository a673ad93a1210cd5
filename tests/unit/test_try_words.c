/* What bine try makes of a launcher's words: options are those of the launchers' manuals. */
#define _XOPEN_SOURCE 700 /* setenv */
#include "try/words.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 32 };

/* Words between blanks, as an array; the text is cut. */
static char **split(char *text, char *words[MOST]) {
    int n = 0;
    for (char *w = strtok(text, " "); w != NULL; w = strtok(NULL, " "))
        words[n++] = w;
    words[n] = NULL;
    return words;
}

/* Words are never freed: the process becomes another program. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "detect_leaks=0";
}

static void assert_words(bine_words_change *change, const struct bine_launch *x,
                         const char *command, const char *expected) {
    char text[500], got[1000] = "", *words[MOST];
    struct bine_words out = {0};
    strcpy(text, command);
    change(&out, split(text, words), x);
    for (size_t i = 0; i < out.used; i++) {
        strcat(got, i > 0 ? " " : "");
        strcat(got, out.word[i]);
    }
    assert_string_equal(got, expected);
}

#define OURS "/b/libbine-preload.so"
static const struct bine_launch with = {OURS, 0, NULL}, without = {NULL, 1, NULL},
                                counted = {OURS, 1, "/r"};

static void test_openmpi(void **s) {
    (void)s;
    bine_words_change *f = bine_words_openmpi;
    unsetenv("LD_PRELOAD");
    assert_words(f, &with, "mpirun -n 2 ./p -x", "mpirun -x LD_PRELOAD=" OURS " -n 2 ./p -x");
    assert_words(f, &without, "mpirun ./p", "mpirun -x BINE_OFF=1 ./p");
    assert_words(f, &counted, "mpirun ./p",
                 "mpirun -x BINE_OFF=1 -x BINE_PROFILE=/r -x LD_PRELOAD=" OURS " ./p");
    /* programs of one line, each with options of its own */
    assert_words(f, &with, "mpirun -n 1 a : -x LD_PRELOAD=t.so -n 2 b",
                 "mpirun -x LD_PRELOAD=" OURS " -n 1 a : -x LD_PRELOAD=" OURS ":t.so -n 2 b");
    /* theirs stays, by an option, by env, by the environment */
    assert_words(f, &with, "mpirun env LD_PRELOAD=t.so:u.so ./p",
                 "mpirun -x LD_PRELOAD=" OURS " env LD_PRELOAD=" OURS ":t.so:u.so ./p");
    assert_words(f, &without, "mpirun env LD_PRELOAD=" OURS ":t.so ./p",
                 "mpirun -x BINE_OFF=1 env LD_PRELOAD=t.so ./p");
    setenv("LD_PRELOAD", "t.so " OURS, 1);
    assert_words(f, &with, "mpirun -x LD_PRELOAD ./p", "mpirun -x LD_PRELOAD=" OURS ":t.so ./p");
    assert_words(f, &without, "mpirun ./p", "mpirun -x BINE_OFF=1 -x LD_PRELOAD=t.so ./p");
    unsetenv("LD_PRELOAD");
}

static void test_hydra(void **s) {
    (void)s;
    bine_words_change *f = bine_words_hydra;
    assert_words(f, &with, "mpiexec -n 2 ./p", "mpiexec -genv LD_PRELOAD " OURS " -n 2 ./p");
    assert_words(f, &with, "mpiexec -env LD_PRELOAD t.so ./p",
                 "mpiexec -env LD_PRELOAD " OURS ":t.so ./p");
    assert_words(f, &without, "mpiexec ./p", "mpiexec -genv BINE_OFF 1 ./p");
}

static void test_srun(void **s) {
    (void)s;
    bine_words_change *f = bine_words_srun;
    unsetenv("SLURM_EXPORT_ENV");
    assert_words(f, &with, "srun -n 2 ./p", "srun --export=ALL,LD_PRELOAD=" OURS " -n 2 ./p");
    assert_words(f, &without, "srun ./p", "srun --export=ALL,BINE_OFF=1 ./p");
    assert_words(f, &with, "srun --export=NONE ./p", "srun --export=NONE,LD_PRELOAD=" OURS " ./p");
    assert_words(f, &with, "srun --export A=1,LD_PRELOAD=t.so,B ./p",
                 "srun --export A=1,B,LD_PRELOAD=" OURS ":t.so ./p");
    setenv("SLURM_EXPORT_ENV", "HOME", 1);
    assert_words(f, &with, "srun ./p", "srun --export=HOME,LD_PRELOAD=" OURS " ./p");
    unsetenv("SLURM_EXPORT_ENV");
}

static void test_others(void **s) {
    (void)s;
    assert_words(bine_words_lab, &with, "bine lab run -n 4 -- ./p",
                 "bine lab run --preload " OURS " -n 4 -- ./p");
    assert_words(bine_words_lab, &with, "bine lab run --preload t.so -- ./p --preload x",
                 "bine lab run --preload " OURS ":t.so -- ./p --preload x");
    assert_words(bine_words_lab, &without, "bine lab run --preload " OURS " -- ./p",
                 "bine lab run -- ./p");
    assert_words(bine_words_bare, &with, "./p a b", "./p a b");
}

/* A line of a shell's is one word. */
static void test_shell(void **s) {
    (void)s;
    char shell[] = "sh", option[] = "-c", line[] = "A=1 LD_PRELOAD='t.so u.so' ./p",
         other[] = "NO_LD_PRELOAD=1 ./p", *words[] = {shell, option, line, other, NULL};
    struct bine_words out = {0};
    bine_words_bare(&out, words, &with);
    assert_string_equal(out.word[2], "A=1 LD_PRELOAD=" OURS ":'t.so u.so' ./p");
    assert_string_equal(out.word[3], other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_openmpi), cmocka_unit_test(test_hydra), cmocka_unit_test(test_srun),
        cmocka_unit_test(test_others),  cmocka_unit_test(test_shell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
