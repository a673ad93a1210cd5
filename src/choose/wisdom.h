/* Wisdom: what programs have learnt, kept in a file for the next ones. It is a file of rules
 * (choose/rules.h) with one rule a line, for one collective, size class and shape of communicator
 * each. */
#ifndef BINE_CHOOSE_WISDOM_H
#define BINE_CHOOSE_WISDOM_H

#include "choose/candidates.h"

/* A rule that says that calls like this one, of its size class, are served best by an algorithm. */
enum { BINE_WISDOM_TEXT = 500 };
const char *bine_wisdom_line(const struct bine_question *q, const struct bine_forced *f,
                             const char *why, char text[BINE_WISDOM_TEXT]);

/* Add lines to a file, which may not be there yet: one replaces the line that speaks of the same
 * calls. All of it comes at once, or nothing. 0, or -1 and what is wrong. */
int bine_wisdom_add(const char *path, char *const *line, size_t lines, char *why, size_t size);

#endif
