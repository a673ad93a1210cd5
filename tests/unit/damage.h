/* What the tests of the proof share: schedules are damaged in one place, and the verdict must say
 * where and how.
 *
 * Every test takes schedules that are proved first, so that the damage is all that can be wrong. */
#ifndef BINE_TESTS_DAMAGE_H
#define BINE_TESTS_DAMAGE_H

#include "unit.h"

#include "schedule/build/build.h"
#include "schedule/check/check.h"

enum { MOST_RANKS = 40 };

/* The schedules of all ranks. */
struct all {
    struct bine_schedule *s[MOST_RANKS];
    const struct bine_algorithm *algorithm;
    int p;
};

struct all make(enum bine_collective c, const char *name, enum bine_layout layout, int p,
                int in_place);
/* On a torus of 4 x 4, through all ports at once. */
struct all make_torus(enum bine_collective c, enum bine_layout layout, int in_place);
/* In groups of three, the last of which may be smaller. */
struct all make_groups(enum bine_collective c, enum bine_layout layout, int p);
/* The damaged schedules fail at this rank and time, for this reason. Frees them. */
void expect(struct all *x, int rank, int time, const char *reason);

/* The first of its kind; it must be there. */
struct bine_step *step_at(struct bine_schedule *s, int time);
struct bine_op *op_at(struct bine_schedule *s, enum bine_op_kind kind, int time);
struct bine_run *run_of(struct bine_schedule *s, const struct bine_op *op);

/* Take an operation out of its step. */
void drop(struct bine_schedule *s, int time, struct bine_op *op);
void swap_steps(struct bine_schedule *s, int a, int b);
/* Append a message of one piece, in a new step. */
void add_message(struct bine_schedule *s, int time, enum bine_op_kind kind, int peer, int space,
                 int place);

#endif
