/* What ran, how often and why: the table that BINE_VERBOSE=1 prints at MPI_Finalize. */
#ifndef BINE_MPI_TALLY_H
#define BINE_MPI_TALLY_H

#include "choose/choose.h"

#include <stdatomic.h>

extern atomic_int bine_tally_state; /* -1: not asked yet; 0: off; 1: on */

int bine_tally_ask(void);

static inline int bine_tally_is_on(void) {
    int state = atomic_load_explicit(&bine_tally_state, memory_order_relaxed);
    return state >= 0 ? state : bine_tally_ask();
}

void bine_tally_add(const struct bine_question *q, const struct bine_choice *choice);

/* A line to stand behind the table; once, however often it is said. */
void bine_tally_remark(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Print it, on rank 0 of MPI_COMM_WORLD, and forget it. */
void bine_tally_end(void);

#endif
