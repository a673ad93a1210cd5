/* Shared by the subcommands of `bine`, one file each: command_<name>.c. */
#ifndef BINE_TOOLS_COMMAND_H
#define BINE_TOOLS_COMMAND_H

#include "schedule/build.h"

/* Exit codes: the contract of the command line. */
enum { BINE_EXIT_GOOD = 0, BINE_EXIT_FAILED = 1, BINE_EXIT_USAGE = 2 };

int bine_command_list(int argc, char **argv);
int bine_command_show(int argc, char **argv);
int bine_command_draw(int argc, char **argv);
int bine_command_check(int argc, char **argv);
int bine_command_distance(int argc, char **argv);

/* One line on stderr, "bine: " and the message; returns BINE_EXIT_USAGE. */
int bine_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Words of the command line. Each returns 0, or BINE_EXIT_USAGE after complaining (naming the word, what was expected and, for
 * names, the nearest one known). */
int bine_word_collective(const char *word, enum bine_collective *c);
int bine_word_algorithm(enum bine_collective c, const char *word, const struct bine_algorithm **a);
int bine_word_layout(const char *word, enum bine_layout *l);
/* A whole number from low to high; `what` names it in the complaint. */
int bine_word_number(const char *what, const char *word, long low, long high, long *value);

#endif
