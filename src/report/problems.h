/* Problems: mistakes in the settings, rules and machine of this process.
 *
 * Rank 0 of MPI_COMM_WORLD warns of them at once. The other ranks keep theirs: most often all ranks
 * have equal ones, and if not, the ranks of a communicator find that out when they compare
 * (comm/differences.h). In a program without MPI_COMM_WORLD, one rank of the first communicator
 * that is used warns of them. */
#ifndef BINE_REPORT_PROBLEMS_H
#define BINE_REPORT_PROBLEMS_H

#include <stdint.h>

enum { BINE_PROBLEMS = 16, BINE_PROBLEM_TEXT = 700 };

/* Problems with equal keys are one problem; NULL: the text is the key. */
void bine_problem(const char *key, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* As a bine_complaint of select/settings.h. */
void bine_problem_of(void *unused, const char *text);

/* The keys of all that were found so far, zeros behind them. Returns a number that differs where
 * they do, whatever their order. */
uint64_t bine_problems(uint64_t key[BINE_PROBLEMS]);
/* Warn of all that were found so far; `speaks` as in report/warn.h. */
void bine_problems_tell(int speaks);
/* The text of the problem in such a place. */
const char *bine_problem_text(int place);

#endif
