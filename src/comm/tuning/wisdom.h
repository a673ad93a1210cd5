/* The wisdom of this process: the file that BINE_WISDOM names, and the additions to it. */
#ifndef BINE_COMM_WISDOM_H
#define BINE_COMM_WISDOM_H

#include "select/wisdom.h"

/* The number of an algorithm that is known to be best, BINE_SELECTION_MPI, or BINE_SELECTION_NONE,
 * and the evidence for it. */
int bine_wisdom_find(const struct bine_query *q, struct bine_evidence *e);
/* Something was learnt: rank 0 of MPI_COMM_WORLD keeps it, unless BINE_WISDOM_READONLY is set. */
void bine_wisdom_note(const struct bine_query *q, const struct bine_selection *f,
                      const struct bine_evidence *e, const char *why);
/* At MPI_Finalize: write the additions. */
void bine_wisdom_end(void);

#endif
