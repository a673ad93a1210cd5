/* The wisdom of this process: what BINE_WISDOM names, and what is to be added to it. */
#ifndef BINE_MPI_WISDOM_H
#define BINE_MPI_WISDOM_H

#include "choose/wisdom.h"

/* The number of an algorithm that is known to be best, BINE_FORCED_MPI, or BINE_FORCED_NOTHING. */
int bine_wisdom_find(const struct bine_question *q);
/* Something was learnt: rank 0 of MPI_COMM_WORLD keeps it. */
void bine_wisdom_note(const struct bine_question *q, const struct bine_forced *f, const char *why);
/* At MPI_Finalize: write what was kept. */
void bine_wisdom_end(void);

#endif
