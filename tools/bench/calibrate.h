/* What bine-bench --calibrate measured, and the machine file that it goes into. */
#ifndef BINE_TOOLS_BENCH_CALIBRATE_H
#define BINE_TOOLS_BENCH_CALIBRATE_H

#include "bench/bench.h"
#include "network/machine.h"

enum { NAME = MPI_MAX_PROCESSOR_NAME };

struct calibration {
    int rank, p, nodes, groups;
    char *host;     /* of all ranks */
    int *node;      /* of each rank: the first rank on it */
    int32_t *group; /* of each rank */
    char *send, *receive;
    double latency_node, latency_near, latency_far, message;
    double rate, uplink, eager, copy, reduce; /* 0: not found out */
    double nic_burst, uplink_burst;           /* 0: none was seen */
    int tapered;
    struct bine_machine *machine; /* of --machine, on rank 0; or NULL */
    char *text;                   /* its description */
    size_t size;
};

/* The groups of the ranks on a machine that is named: rank 0 reads its description, which stays in
 * *c. Collective: 0 or an exit code, on all ranks. */
int bench_calibration_machine(struct calibration *c, const char *machine);

/* On rank 0: write the machine file and say what was measured. With a machine, its whole
 * description stays, all hosts and groups, and the measured speeds come into it. */
int bench_calibration_write(const struct calibration *c, const struct bench_wish *w);

#endif
