/* Evidence for a choice that programs learnt (select/learn.h), and whether it is still good. */
#ifndef BINE_SELECT_EVIDENCE_H
#define BINE_SELECT_EVIDENCE_H

#include <stdint.h>

/* All zero: nothing is known, as of a rule that a user wrote. */
struct bine_evidence {
    int64_t day;   /* on which it was learnt, from 1970 on */
    double tries;  /* calls that were timed */
    double lead;   /* the share of the next best candidate's time that the winner saves */
    double spread; /* how much their times scatter, as a share of the median: the larger one */
    double gain;   /* times as fast as the MPI library's own; 0: that was not measured */
};

/* A result learnt longer ago is tried again: networks, their load and MPI libraries change. */
enum { BINE_EVIDENCE_DAYS = 30 };

/* Whether it is to be tried again: it is old, or of a day to come, or the winner leads by less than
 * the times scatter. */
int bine_evidence_is_due(const struct bine_evidence *e, int64_t today);

/* By the clock of this host, in UTC. */
int64_t bine_day_today(void);
/* "2026-11-17": 0, or -1 if that is no day. */
int bine_day_parse(const char *text, int64_t *day);
enum { BINE_DAY_TEXT = 24 };
const char *bine_day_text(int64_t day, char text[BINE_DAY_TEXT]);

#endif
