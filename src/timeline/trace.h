/* The trace of a job: the tapes of all ranks on one clock, as JSON that Perfetto and
 * chrome://tracing read (docs/timeline.md). */
#ifndef BINE_TIMELINE_TRACE_H
#define BINE_TIMELINE_TRACE_H

#include "profile/folder.h"
#include "timeline/tape.h"

#include <stdio.h>

enum { BINE_TRACE_VERSION = 1 };

/* A call of a rank, by its place on the tape; calls with equal numbers are one collective call. */
struct bine_trace_call {
    int32_t rank;
    uint32_t place, call;
};

/* Ranks of a communicator in MPI_COMM_WORLD; -1: not known. */
struct bine_trace_comm {
    uint64_t key;
    int32_t ranks;
    int32_t *world;
};

struct bine_trace {
    const struct bine_parts *parts; /* whose parts are tapes */
    struct bine_trace_call *call;   /* in the order of their numbers, of each by rank */
    struct bine_trace_comm *comm;
    int32_t *node; /* of each rank, in the order of their lowest ranks; -1: nothing is recorded */
    double *tick;  /* nanoseconds of each rank's ticks */
    size_t calls, comms;
    int nodes;
    int64_t begin_ns;   /* of the first call of all */
    double clock_error; /* seconds; negative: not known */
};

/* 0, or -1 when out of memory; in either case to be freed. The parts must outlive it. */
int bine_trace_make(struct bine_trace *t, const struct bine_parts *parts);
void bine_trace_free(struct bine_trace *t);

static inline const struct bine_tape_part *bine_trace_tape(const struct bine_trace *t, int rank) {
    return (const void *)t->parts->part[rank];
}
static inline const struct bine_tape_call *bine_trace_call_of(const struct bine_trace *t,
                                                              const struct bine_trace_call *c) {
    return &bine_trace_tape(t, c->rank)->call[c->place];
}
/* The number of a communicator by its key. */
size_t bine_trace_comm_of(const struct bine_trace *t, uint64_t key);
/* Ticks of a rank as microseconds after the beginning, on the clock of rank 0's node. */
double bine_trace_time(const struct bine_trace *t, int rank, uint64_t ticks);

/* A message of a call: the ends of it, by rank in the communicator, and when these were. */
struct bine_trace_flow {
    int32_t from, to; /* ranks in MPI_COMM_WORLD */
    uint8_t strand;
    double left, arrived; /* posted by the one, found complete by the other */
};
/* The messages of the calls with one number, which begin at `first`: of sends and receives between
 * two ranks the first belong together, the second, and so on. Returns how many, or -1: no memory.
 * None where events of the call are missing. */
long bine_trace_flows(const struct bine_trace *t, size_t first, struct bine_trace_flow **flow);

/* As JSON, and to a file in one piece, for this user alone: 0, or -1 and errno. */
void bine_trace_print(FILE *f, const struct bine_trace *t);
int bine_trace_write(const char *path, const struct bine_trace *t);

#endif
