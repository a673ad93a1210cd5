/* Wisdom: the lessons of programs, kept in a file for the next ones. It is a file of rules
 * (select/rules.h) with one rule a line, for one collective, size class and shape of communicator
 * each, and the evidence of each ("learnt"). Files of version 1 have none. */
#ifndef BINE_SELECT_WISDOM_H
#define BINE_SELECT_WISDOM_H

#include "select/candidates.h"

/* A rule that says that calls like this one, of its size class, are served best by an algorithm. */
enum { BINE_WISDOM_TEXT = 700 };
const char *bine_wisdom_line(const struct bine_query *q, const struct bine_selection *f,
                             const struct bine_evidence *e, const char *why,
                             char text[BINE_WISDOM_TEXT]);

/* The rules of a file: 1; 0 if there is none, or an empty one; -1 and the fault. */
int bine_wisdom_load(const char *path, struct bine_rules *rules, char *why, size_t size);

/* Add lines to a file, which may not be there yet: one replaces the line that speaks of its
 * calls. All of it comes at once, or nothing, and lines of other processes are kept
 * (base/shared_file.h). 0, or -1 and the fault. */
int bine_wisdom_add(const char *path, char *const *line, size_t lines, char *why, size_t size);

/* Add the lines of another file: of two that speak of equal calls the one learnt later stays, or
 * the one of more tries. *changed grows by the lines that are new or replaced. 0, or -1 and the
 * fault. */
int bine_wisdom_merge(const char *into, const char *from, size_t *changed, char *why, size_t size);

/* Take out the lines whose rules are to go; how many are gone, and left. 0, or -1 and the fault. */
typedef int bine_wisdom_goes(void *context, const struct bine_rule *r);
int bine_wisdom_forget(const char *path, bine_wisdom_goes *goes, void *context, size_t *gone,
                       size_t *left, char *why, size_t size);

#endif
