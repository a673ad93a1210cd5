/* Is it on, what did it do, and did it help: what BINE_VERBOSE=1 prints at MPI_Finalize. */
#ifndef BINE_MPI_VERBOSE_H
#define BINE_MPI_VERBOSE_H

#include "choose/choose.h"
#include "mpi/preload_interface.h"

#include <stdatomic.h>

extern atomic_int bine_verbose_state; /* -1: not asked yet; 0: off; 1: on */

int bine_verbose_ask(void);

static inline int bine_verbose_is_on(void) {
    int state = atomic_load_explicit(&bine_verbose_state, memory_order_relaxed);
    return state >= 0 ? state : bine_verbose_ask();
}

/* Seconds, from some time on. */
double bine_verbose_now(void);
/* A call on p ranks, and how long it took here. */
void bine_verbose_add(enum bine_collective c, int p, int64_t bytes,
                      const struct bine_choice *choice, double seconds);
/* What a communicator of p ranks found out: the largest one is reported. */
void bine_verbose_place(int p, int nodes, int groups);
/* The program knows nothing of Bine; these calls of it were counted. */
void bine_verbose_attach(const struct bine_other_call *other);

/* A nonblocking or persistent call that Bine has taken, or that was left to MPI: the name of it is
 * a constant. */
void bine_verbose_started(const char *name, int taken);

/* A line to stand behind the rest; once, however often it is said. */
void bine_verbose_remark(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Print it, on rank 0 of MPI_COMM_WORLD, and forget it. */
void bine_verbose_end(void);

#endif
