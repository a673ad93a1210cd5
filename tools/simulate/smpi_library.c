/* SimGrid's MPI has no control variables: its algorithms are set for a whole run (--cfg=smpi/...).
 */
#include "bench/bench.h"

void bench_library_begin(int forcing) {
    (void)forcing;
}

void bench_library_end(void) {}

void bench_library_list(const struct bench_collective *c, struct bench_library_list *list) {
    (void)c;
    list->count = 0;
}

int bench_library_dup(const struct bench_collective *c, const struct bench_entry *e,
                      MPI_Comm *comm) {
    (void)c, (void)e;
    return MPI_Comm_dup(MPI_COMM_WORLD, comm) == MPI_SUCCESS ? 0 : -1;
}

void bench_library_set(const struct bench_collective *c, const struct bench_entry *e) {
    (void)c, (void)e;
}

void bench_library_reset(const struct bench_collective *c, const struct bench_entry *e) {
    (void)c, (void)e;
}
