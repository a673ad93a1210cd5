/* The report of BINE_VERBOSE=1 at MPI_Finalize: is Bine on, which calls did it make, and did it
 * help. */
#ifndef BINE_REPORT_VERBOSE_H
#define BINE_REPORT_VERBOSE_H

#include "mpi/preload_interface.h"
#include "select/selection.h"

#include <stdatomic.h>

extern atomic_int bine_verbose_state; /* -1: not asked yet; 0: off; 1: on */

int bine_verbose_ask(void);

static inline int bine_verbose_is_on(void) {
    int state = atomic_load_explicit(&bine_verbose_state, memory_order_relaxed);
    return state >= 0 ? state : bine_verbose_ask();
}

/* Seconds, from some time on. */
double bine_verbose_now(void);
/* How long a call took here, and how many times as fast as the MPI library's own its algorithm was
 * measured to be; 0: that was not measured. */
struct bine_verbose_call {
    double seconds, gain;
};

/* A call on p ranks. */
void bine_verbose_add(enum bine_collective c, int p, int64_t bytes,
                      const struct bine_choice *choice, struct bine_verbose_call call);
/* The place of a communicator of p ranks: the largest one is reported. */
void bine_verbose_place(int p, int nodes, int groups);
/* Whether a blocking call of a collective was counted. */
int bine_verbose_saw(enum bine_collective c);

/* A nonblocking or persistent call that Bine has intercepted or forwarded to MPI: its name is a
 * constant. */
void bine_verbose_started(const char *name, int intercepted, const char *reason);

/* A line to stand behind the rest; once, however often it is said. */
void bine_verbose_remark(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Print it, on rank 0 of MPI_COMM_WORLD, and forget it. Collective where all ranks agreed to it
 * (report/verbose_ranks.h). */
void bine_verbose_end(void);

#endif
