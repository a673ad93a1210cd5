/* Shared by the subcommands of `bine`, one file each: command_<name>.c. */
#ifndef BINE_TOOLS_CLI_COMMAND_H
#define BINE_TOOLS_CLI_COMMAND_H

#include "schedule/build/build.h"

#include <getopt.h>
#include <stdint.h>

/* Exit codes: the contract of the command line. */
enum { BINE_EXIT_GOOD = 0, BINE_EXIT_FAILED = 1, BINE_EXIT_USAGE = 2 };

/* The most ranks that a schedule is built for; see bine_spec_error. */
enum { BINE_RANKS_MOST = 1 << 24 };

/* The subcommands. Each gets its own name as argv[0] and returns an exit code. */
int bine_command_list(int argc, char **argv);
int bine_command_show(int argc, char **argv);
int bine_command_draw(int argc, char **argv);
int bine_command_check(int argc, char **argv);
int bine_command_distance(int argc, char **argv);
int bine_command_traffic(int argc, char **argv);
int bine_command_machines(int argc, char **argv);
int bine_command_report(int argc, char **argv);
int bine_command_lab(int argc, char **argv);
int bine_command_choose(int argc, char **argv);
int bine_command_info(int argc, char **argv);
int bine_command_preload(int argc, char **argv);
int bine_command_predict(int argc, char **argv);
int bine_command_predict_jobs(int argc, char **argv); /* bine traffic --predict */
int bine_command_explore(int argc, char **argv);
int bine_command_tune(int argc, char **argv);
int bine_command_simulate(int argc, char **argv);
int bine_command_export(int argc, char **argv);
int bine_command_try(int argc, char **argv);
int bine_command_profile(int argc, char **argv);
int bine_command_timeline(int argc, char **argv);
int bine_command_wisdom(int argc, char **argv);

/* The name in front of complaints; NULL: this process prints none, because another rank does. */
extern const char *bine_complainer;
/* One line on stderr, who it is and the message; returns BINE_EXIT_USAGE. */
int bine_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, with "; did you mean NEAREST?" at the end unless nearest is NULL. */
int bine_complain_near(const char *nearest, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The ending of a noun: "1 rank", "2 ranks". */
static inline const char *bine_plural(int64_t n) {
    return n == 1 ? "" : "s";
}

/* Words of the command line. Each returns 0, or BINE_EXIT_USAGE after complaining (naming the word,
 * what was expected and, for names, the nearest one known). */
int bine_word_collective(const char *word, enum bine_collective *c);
int bine_word_algorithm(enum bine_collective c, const char *word, const struct bine_algorithm **a);
int bine_word_layout(const char *word, enum bine_layout *l);
/* A whole number from low to high; `what` names it in the complaint. */
int bine_word_number(const char *what, const char *word, long low, long high, long *value);
/* The same; *value stays as it is if the word is wrong. */
/* A share of a rate, above 0 and up to 1. */
int bine_word_share(const char *what, const char *word, double *share);
int bine_word_int(const char *what, const char *word, long low, long high, int *value);
/* How many segments of a pipeline, which the algorithm must be. */
enum { BINE_SEGMENTS_MOST = 1 << 20 };
int bine_word_segments(const char *word, const struct bine_algorithm *a, int *segments);

/* Whether any collective has an algorithm or a family of that name. */
int bine_name_is_known(const char *name);
/* The names with commas between them of -a, each to `take`, which may change its copy, until that
 * returns an exit code other than 0. Returns that code, or complains of an empty name. */
int bine_words_each(const char *list, int (*take)(void *self, char *word), void *self);

/* 0 if the request can be built; otherwise complains. */
int bine_spec_complain(const struct bine_spec *spec);

/* Options, by getopt_long with complaints of our own; names cannot be cut short. Every row's `val`
 * is a letter of the subcommand's choice; a letter listed in `shorts` (as for getopt, a + in front:
 * options end at the first argument) is a short option too. Returns that letter (the word is in
 * optarg), -1 when only arguments are left (from argv[optind] on), or '?' after complaining. */
int bine_option_next(int argc, char **argv, const char *shorts, const struct option *longs);
/* 0 if the number of arguments left is in low..high; otherwise complains: `expected` says what they
 * are, as in "COLLECTIVE ALGORITHM". */
int bine_arguments_count(int argc, char **argv, int low, int high, const char *expected);

/* A line of text for people, and more text at its end, as far as there is room. */
enum { BINE_LINE = 400 };
void bine_line_append(char line[BINE_LINE], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
