/* bine-bench: collectives measured side by side.
 *
 * A cell is a collective at a size. An entry is one way to do it: an algorithm of Bine in a layout,
 * or the MPI library's own, left alone or made to take one of its algorithms. All entries of a cell
 * are run in turn, in rounds, each round in another order, so that whatever changes in the
 * meantime hits all alike. A sample is one call: the time of the slowest rank. */
#ifndef BINE_TOOLS_BENCH_H
#define BINE_TOOLS_BENCH_H

#include "cli/output/stats.h"
#include "schedule/catalogue.h"

#include <bine.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

#define BENCH_WARMUP 0.2      /* of the rounds are discarded: the first ones */
#define BENCH_LEAST_ROUNDS 10 /* before the spread counts */

enum bench_start { BENCH_BARRIER, BENCH_CLOCK };
enum bench_format { BENCH_TEXT, BENCH_CSV, BENCH_JSON };

struct bench_type {
    const char *name;
    MPI_Datatype type;
    size_t size;
    enum bench_kind {
        BENCH_CHAR,
        BENCH_INT,
        BENCH_UNSIGNED,
        BENCH_LONG,
        BENCH_FLOAT,
        BENCH_DOUBLE
    } kind;
};

struct bench_operator {
    const char *name;
    MPI_Op op;
    enum bench_operation {
        BENCH_SUM,
        BENCH_PROD,
        BENCH_MAX,
        BENCH_MIN,
        BENCH_BAND,
        BENCH_BOR,
        BENCH_BXOR,
        BENCH_LAND,
        BENCH_LOR,
        BENCH_FIRST
    } action;
};

/* One of the calls: MPI_Reduce_scatter and MPI_Reduce_scatter_block have the same schedules, and so
 * have MPI_Alltoallv and MPI_Alltoallw. */
struct bench_collective;

/* The most that can be asked for. */
enum { BENCH_COLLECTIVES = 32 };

/* What was asked for. */
struct bench_wish {
    const struct bench_collective *collective[BENCH_COLLECTIVES];
    int collectives;
    const char *algorithms; /* as typed */
    int64_t least, most, step;
    int rounds;      /* kept ones; 0: as many as the spread asks for */
    int warmup;      /* rounds; -1: BENCH_WARMUP of all (only with rounds = 0) */
    int most_rounds; /* with rounds = 0 */
    double budget;   /* seconds for a cell; 0: no limit */
    double total;    /* seconds for everything; 0: no limit */
    double precision;
    int root, check, in_place, list;
    int unchanged;   /* what is sent is not written before every call */
    int nonblocking; /* calls are started: waited for at once, and after a computation */
    struct bench_type type;
    int on_device; /* the vectors are in the memory of a device */
    struct bench_operator op;
    enum bench_start start;
    enum bench_format format;
    int64_t rotate; /* bytes that the buffers move through; 0: they stay */
    uint64_t seed;
    const char *csv, *summary, *uplinks; /* files, or NULL */
    const char *calibrate;               /* the machine file to write instead; or NULL */
    const char *groups, *library_name;   /* or NULL */
    const char *machine;                 /* of --calibrate, or NULL */
    const char *dims;                    /* of the torus of the ranks, or NULL */
    int ports;                           /* that torus algorithms use; 0: as set elsewhere */
    char command[4096];                  /* as typed */
};

/* The ranks. */
struct bench_world {
    int rank, p, nodes;
    char mpi[64]; /* as in the CSV: openmpi-4.1.4 */
    char *hosts;  /* on rank 0: the hosts in rank order, "a*4,b*4" */
    int crowded;  /* more ranks than cores on some node */
    double begin; /* seconds since some point */
};

/* What one call sent over the uplinks. */
struct bench_crossed {
    int64_t bytes, payload; /* with and without the headers of the network */
};

/* What a round has of each entry: the call; and where calls are started, the call with a
 * computation between start and wait, and how long that computation was. */
enum bench_figure { BENCH_CALL, BENCH_WITH, BENCH_COMPUTED, BENCH_FIGURES };

struct bench_entry {
    char name[96];
    char shown[96]; /* in the cell at hand: what Bine has chosen, for "best" */
    enum { BENCH_OWN, BENCH_CHOSEN, BENCH_LIBRARY, BENCH_NCCL } how;
    int forced;      /* the library's number for its algorithm, or -1 */
    int64_t segment; /* for the library's algorithm, or -1 */
    MPI_Comm comm;   /* its own: plans of different algorithms do not push each other out */
    /* in the cell at hand: */
    int active, wrong;
    double computes;               /* the computation of the rounds to come, in seconds */
    double *sample[BENCH_FIGURES]; /* on rank 0: all rounds */
    struct bine_summary summary;
    double with, computed, overlap; /* medians; percent of the shorter of both that is hidden */
    struct bench_crossed crossed;   /* on rank 0, with --uplinks */
    int64_t copied;                 /* by the rank that copies most, in a call; -1: not known */
};

struct bench_entries {
    struct bench_entry *entry;
    int count;
    size_t room;
};

/* A call of a collective: everything but the choice of the algorithm. */
struct bench_call {
    const struct bench_wish *wish;
    const struct bench_world *world;
    const struct bench_collective *collective;
    int64_t bytes;
    int count, block;           /* elements of the vector, of a block */
    int *counts, *displs;       /* of blocks; */
    int *bytes_at;              /* of alltoallw, in bytes, */
    MPI_Datatype *types;        /* and of each block */
    size_t in_bytes, out_bytes; /* on this rank */
    char *in_arena, *out_arena;
    size_t arena;               /* how far the buffers move */
    char *in_there, *out_there; /* the same on a device, or NULL */
    char *in, *out;             /* this round's */
    const void *send;           /* as the call gets them: MPI_IN_PLACE or one of the above */
    void *receive;
    MPI_Comm comm;
};

/* calls.c */
struct bench_collective {
    const char *name;
    enum bine_collective kind;
    int (*own)(const struct bench_call *);
    int (*library)(const struct bench_call *);
    int (*start_own)(const struct bench_call *, Bine_Request *);
    int (*start_library)(const struct bench_call *, MPI_Request *);
};
extern const struct bench_collective bench_collectives[];
extern const int bench_collectives_count;
const struct bench_collective *bench_collective_find(const char *name);
/* "allreduce", or "iallreduce" where calls are started. */
enum { BENCH_NAME = 40 };
const char *bench_collective_name(const struct bench_wish *w, const struct bench_collective *c,
                                  char text[BENCH_NAME]);
/* Cut into blocks: its vector is a whole number of elements for each rank. */
int bench_has_blocks(const struct bench_collective *c);
/* The size that is measured where `wanted` bytes were asked for. */
int64_t bench_size(const struct bench_collective *c, const struct bench_type *t, int p,
                   int64_t bytes);
/* 0, or -1 when out of memory. */
int bench_call_begin(struct bench_call *call);
/* Take the buffers of a round. */
void bench_call_aim(struct bench_call *call, uint64_t round);
void bench_call_end(struct bench_call *call);

/* options.c: reads the command line. 0, or an exit code after complaining; -1: it was help, and is
 * printed. */
int bench_wish_read(struct bench_wish *w, int argc, char **argv);
/* Checks it against the ranks, and tells the library what it says of them. */
int bench_wish_fits(const struct bench_wish *w, const struct bench_world *world);
extern int bench_is_speaker; /* whether this process prints, and complains */
void bench_speak(int whether);
int bench_type_find(const char *name, struct bench_wish *w);
int bench_operator_find(const char *name, struct bench_operator *op);
/* Whether the operator takes the type. */
int bench_type_reduces(const struct bench_type *t, const struct bench_operator *op);

/* candidates.c: the list of what is measured, then the communicators to measure it on. Each returns
 * 0, or an exit code after complaining. */
int bench_entries_list(struct bench_entries *all, const struct bench_wish *w,
                       const struct bench_collective *c, const struct bench_world *world);
int bench_entries_open(struct bench_entries *all, const struct bench_collective *c);
void bench_entries_free(struct bench_entries *all);

/* started.c: a call of an entry that is started and waited for, with a computation of so many
 * seconds between, which asks after it now and then. An MPI error code. */
int bench_started_call(const struct bench_call *call, const struct bench_entry *e, double seconds);
/* Open the entry's communicator, which only a blocking call does. */
int bench_started_open(const struct bench_call *call, const struct bench_entry *e);
/* How much of the shorter of two that long, a call and a computation, is hidden, in percent. */
double bench_started_overlap(double call, double computed, double with);

/* library.c: the algorithms inside the MPI library, through its control variables (MPI_T). */
enum { BENCH_LIBRARY_MOST = 32 };
struct bench_library_list {
    int count;
    struct {
        char name[64];
        int value;
    } item[BENCH_LIBRARY_MOST];
};
void bench_library_begin(int forcing); /* before MPI_Init */
void bench_library_end(void);
void bench_library_list(const struct bench_collective *c, struct bench_library_list *list);
/* A communicator on which the library takes the entry's algorithm. */
int bench_library_dup(const struct bench_collective *c, const struct bench_entry *e,
                      MPI_Comm *comm);
/* Around each call of an entry, for libraries that have one setting for all communicators. */
void bench_library_set(const struct bench_collective *c, const struct bench_entry *e);
void bench_library_reset(const struct bench_collective *c, const struct bench_entry *e);

/* device.c: buffers in the memory of a device. */
int bench_device_begin(const struct bench_wish *w);
int bench_device_wait(void); /* for the default stream; an MPI error code */
char *bench_device_host(size_t bytes);
void bench_device_host_free(char *memory);
char *bench_device_new(size_t bytes);
void bench_device_free(char *memory);
/* From the host's buffers to the device's, and back; MPI error codes. */
int bench_device_put(const struct bench_call *call);
int bench_device_get(const struct bench_call *call);
/* A call with the device's buffers, or with copies on the host. */
int bench_device_call(const struct bench_call *call, int (*function)(const struct bench_call *));
int bench_device_staged(const struct bench_call *call, int (*function)(const struct bench_call *));

/* nccl.c: NCCL's collectives. Why it does not make such calls, or NULL; all ranks ask together. */
const char *bench_nccl_refuses(const struct bench_wish *w, const struct bench_collective *c,
                               const struct bench_world *world);
int bench_nccl_call(const struct bench_call *call);

/* contents.c */
enum { BENCH_GUARD = 64 }; /* bytes behind what is received that must stay as they are */
/* Write what a call sends: depends on rank and round. */
void bench_write(const struct bench_call *call, uint64_t round);
/* The same, and poison what will be received. */
void bench_fill(const struct bench_call *call, uint64_t round);
/* 1 if this rank's buffers are as the call should leave them. */
int bench_verify(const struct bench_call *call, uint64_t round);

/* clock.c */
double bench_now(void);
/* Agree on a clock; collective. */
void bench_clock_begin(MPI_Comm comm);
void bench_clock_lengthen(void); /* starts have come too late: set them further ahead */
/* Wait for the common start; returns it, on this rank's clock; *late is set if it had passed. */
double bench_clock_start(enum bench_start start, MPI_Comm comm, int crowded, int *late);

struct bench_output;

/* measure.c: fills in the entries' samples (on rank 0) and summaries. 0, or -1 when out of memory
 * (on all ranks). */
struct bench_cell {
    struct bench_call *call;
    struct bench_entries *entries;
    struct bench_output *output; /* for the progress line */
    double budget;
    int rounds; /* out: that were run; discarded: the first of them */
    int discarded;
    int wrong;
};
int bench_measure(struct bench_cell *cell);

/* uplinks.c: bytes over the uplinks of a lab. */
/* Find the counters: 0, or an exit code after complaining (on rank 0 only, where they are read). */
int bench_uplinks_open(void);
/* The bytes that cross while all ranks do something together between barriers; on rank 0. */
struct bench_crossed bench_uplinks_count(int rank, void (*action)(void *), void *self);

/* output.c */
struct bench_output *bench_output_begin(const struct bench_wish *w, const struct bench_world *world,
                                        int cells);
void bench_output_section(struct bench_output *o, const struct bench_collective *c);
void bench_output_cell(struct bench_output *o, const struct bench_cell *cell);
/* 0, or an exit code after complaining that something could not be written. */
int bench_output_end(struct bench_output *o);
void bench_output_progress(struct bench_output *o, const struct bench_cell *cell, int rounds);

/* calibrate.c: measure the network, and write a machine file. 0, or an exit code after complaining.
 */
int bench_calibrate(const struct bench_wish *w, const struct bench_world *world);

/* watch.c */
void bench_watch_begin(void); /* before MPI_Init */
/* Set the message for a run that ends from now on; fd is the CSV's, or -1. */
void bench_watch_update(const char *csv, int fd, int done, int cells);
void bench_watch_end(void);

/* facts.c: what is needed to repeat the run. */
void bench_world_begin(struct bench_world *world);
void bench_world_end(struct bench_world *world);
void bench_facts_write(FILE *f, const struct bench_wish *w, const struct bench_world *world);
/* The terminal that the launcher shows errors on, or NULL. */
const char *bench_terminal(char path[64]);

#endif
