/* A trace that BINE_TIMELINE recorded, in memory (docs/timeline.md has the file). */
#ifndef BINE_TOOLS_TIMELINE_TIMELINE_H
#define BINE_TOOLS_TIMELINE_TIMELINE_H

#include "cli/options/place.h"
#include "cli/output/table.h"
#include "select/json.h"

#include <stdint.h>

/* A span of a rank. Times are seconds after the beginning of the trace. */
enum bine_timeline_kind {
    BINE_TIMELINE_STEP,
    BINE_TIMELINE_WAIT,
    BINE_TIMELINE_WORK, /* copies, sums, boards */
    BINE_TIMELINE_RECEIVE,
    BINE_TIMELINE_SEND,
    BINE_TIMELINE_KINDS
};
struct bine_timeline_span {
    enum bine_timeline_kind kind;
    int64_t call, rank, strand, step, peer, bytes;
    double begin, end;
};

/* A rank's part in a call. */
struct bine_timeline_part {
    int64_t rank, place; /* in the job, and in the communicator */
    double begin, end, waits, works;
};

struct bine_timeline_call {
    int64_t number, nth; /* of the trace, from 0; of its kind, from 1 */
    const char *collective, *form, *algorithm, *layout; /* algorithm: NULL: MPI's own */
    int64_t ranks, bytes, root;                         /* -1: unknown, or none */
    int cut;
    struct bine_timeline_part *part; /* of the recorded ranks */
    size_t parts, room;
};

struct bine_timeline {
    struct bine_json_document document;
    int64_t ranks, recorded, finished, lost;
    double clock_error; /* NAN: not known */
    const char *bine, *mpi;
    struct bine_timeline_call *call; /* by number */
    size_t calls, call_room;
    struct bine_timeline_span *span;
    size_t spans, span_room;
};

/* A file, or the parts of one that a killed program has left: 0, or BINE_EXIT_USAGE after
 * complaining. To be freed in either case. */
int bine_timeline_read(const char *path, struct bine_timeline *t);
void bine_timeline_free(struct bine_timeline *t);
/* Write the parts that a killed program has left as one file: 0, or BINE_EXIT_USAGE after
 * complaining. */
int bine_timeline_merge(const char *path, const char *file);

/* The time of a call: from when its last rank came to when the last one left; how long before the
 * last one the first had come; seconds of the mean rank in waits and in work. */
struct bine_timeline_sums {
    double seconds, late, waits, works, came; /* came: when the last one did */
};
struct bine_timeline_sums bine_timeline_sums(const struct bine_timeline_call *c);

struct bine_timeline_options {
    struct bine_place_words where;
    int call; /* -1: all */
    const char *output;
    enum bine_format format;
};

/* The model's view of a call. */
struct bine_timeline_model {
    double seconds; /* NAN: it does not know */
    double *step;   /* when the last message of each step has arrived, NAN: there is none */
    size_t steps;
};
/* On the job's allocation. 0, or BINE_EXIT_USAGE after complaining. To be freed. */
int bine_timeline_predict(const struct bine_timeline_call *c, const struct bine_allocation *job,
                          const struct bine_machine *machine, struct bine_timeline_model *m);
void bine_timeline_model_free(struct bine_timeline_model *m);

/* Print all calls, or the steps of one. Exit codes. */
int bine_timeline_print(const struct bine_timeline *t, const struct bine_timeline_options *o);

#endif
