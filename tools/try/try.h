/* bine try: a program without and with Bine, in turn, and whether it helps. */
#ifndef BINE_TOOLS_TRY_H
#define BINE_TOOLS_TRY_H

#include "base/files.h"
#include "cli/command.h"
#include "cli/output/progress.h"
#include "try/launcher.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum bine_try_side { BINE_TRY_WITHOUT, BINE_TRY_WITH, BINE_TRY_SIDES };
/* The exit code for a program that fails with Bine alone; any other failure has the program's. */
enum { BINE_TRY_BROKEN = 99 };
/* Chosen files; pairs of runs, of which fewer say little of the noise. */
enum { BINE_TRY_FILES = 16, BINE_TRY_LEAST_PAIRS = 4 };

/* One run of the program. */
struct bine_try_run {
    enum bine_try_side side;
    int counted; /* the library counted calls and wrote a report */
    int timed;   /* it is part of the comparison of times */
    int status;  /* exit code as shells give it: 128 + the signal */
    int hung;    /* it took far too long, and was ended */
    double seconds;
};

/* Chosen by the user. */
struct bine_try_wish {
    char **command;
    int runs;                         /* of each side; 0: until it is clear or the time is up */
    int time;                         /* seconds */
    int null;                         /* without with without */
    int compare;                      /* a difference of outputs is a failure */
    const char *file[BINE_TRY_FILES]; /* compared besides standard output */
    int files;
    double tolerance;
    const char *scratch; /* the folder for the folders of runs, or NULL */
    const char *page;
    int json;
};

struct bine_try {
    struct bine_try_wish wish;
    const struct bine_launcher *launcher;
    char preload[BINE_PATH_ROOM];
    char work[BINE_PATH_ROOM]; /* outputs and reports of the runs; goes at the end */
    struct bine_try_run *run;
    size_t runs, room;
    double began;
    int signal; /* that ended it, or 0 */
    struct bine_progress progress;
};

/* Seconds of a clock that is never set. */
double bine_try_clock(void);

/* Files of run number i in the work folder. */
enum bine_try_file { BINE_TRY_OUT, BINE_TRY_ERR, BINE_TRY_REPORT, BINE_TRY_COPY };
/* `which` counts files of the program's that were chosen: BINE_TRY_COPY. */
void bine_try_path(const struct bine_try *t, size_t i, enum bine_try_file file, int which,
                   char path[BINE_PATH_ROOM + 64]);

/* The signals that a run is waited with: its end, and those that ask this program to end. */
void bine_try_signals(sigset_t *set);

/* The work folder, with standard input in it if that is no terminal. 0 or an exit code. */
int bine_try_open(struct bine_try *t);
void bine_try_close(struct bine_try *t);

/* Run the program once, and keep what it printed. 0 or an exit code: the run itself may have
 * failed. A signal that asks this program to end goes on to the run, and is noted. */
int bine_try_once(struct bine_try *t, struct bine_try_run run);
/* The folder in which run i works: a copy of this one. 0 or an exit code. */
int bine_try_scratch(const struct bine_try *t, size_t i, char folder[BINE_PATH_ROOM + 64]);
/* Check --scratch, and the folder of --report, before anything runs. */
int bine_try_scratch_check(const struct bine_try *t);
int bine_try_page_check(const struct bine_try *t);

/* All runs. 0, or an exit code: what was measured until then is there. */
int bine_try_all(struct bine_try *t);

/* Times of both sides, and their ratio by pairs of runs. */
struct bine_try_times {
    struct bine_try_time {
        size_t runs;
        double median, least, greatest;
    } side[BINE_TRY_SIDES];
    size_t pairs;
    double ratio, low, high; /* time without over time with, 95 % interval; low 0: not known */
};
void bine_try_times(const struct bine_try *t, struct bine_try_times *x);
/* Half of the interval's width over the ratio; -1: not known. */
double bine_try_noise(const struct bine_try_times *x);
/* Whether the sides differ beyond noise. */
int bine_try_differs(const struct bine_try_times *x);

/* Calls of one collective and size, on so many ranks, in both sides: of the mean rank in the
 * counted run of median length. */
struct bine_try_call {
    int ranks;
    char collective[32], algorithm[64]; /* with Bine: the one with most calls */
    int64_t from, below;                /* bytes */
    double calls[BINE_TRY_SIDES], seconds[BINE_TRY_SIDES];
    double most; /* calls of the algorithm */
};
struct bine_try_calls {
    int reports[BINE_TRY_SIDES]; /* counted runs that wrote one */
    int counted[BINE_TRY_SIDES]; /* counted runs */
    int ranks;
    int by_bine; /* it made at least one call in the runs with it */
    char mpi[80];
    double run[BINE_TRY_SIDES], inside[BINE_TRY_SIDES]; /* seconds in all, and in collectives */
    struct bine_try_call *call;                         /* the largest difference first */
    size_t used, room;
};
int bine_try_calls(const struct bine_try *t, struct bine_try_calls *c);
/* No counted run with Bine, of those made until now, has left a report. */
int bine_try_is_unseen(const struct bine_try *t);
/* Whether Bine was in the runs with it, as far as is known. */
int bine_try_was_loaded(const struct bine_try *t, const struct bine_try_calls *c);
void bine_try_calls_free(struct bine_try_calls *c);

/* Outputs compared: of all runs with Bine, with those without. */
struct bine_try_output {
    const char *name; /* "stdout", or a file */
    int texts;        /* runs compared */
    size_t wrong;     /* lines that differ beyond the tolerance; of binary files: bytes */
    size_t close;     /* numbers that differ within it */
    double largest;   /* relative difference of these */
    size_t line;      /* the first wrong one, or 0 */
    int runs;         /* with wrong lines */
    size_t varies;    /* lines that differ from run to run without Bine, too */
    int missing;      /* the file is not there after some run */
    int sorted;       /* lines came in another order in each run */
    int binary;
};
int bine_try_compare(const struct bine_try *t, int which, struct bine_try_output *o);

/* What there is to say. */
struct bine_try_result {
    struct bine_try_times times;
    struct bine_try_calls calls;
    struct bine_try_output output[BINE_TRY_FILES + 1];
    int outputs;
};
void bine_try_print(const struct bine_try *t, const struct bine_try_result *r);
int bine_try_print_json(const struct bine_try *t, const struct bine_try_result *r);
int bine_try_write_page(const struct bine_try *t, const struct bine_try_result *r);

/* The lines for people, also for the page. */
enum { BINE_TRY_LINES = 5 };
void bine_try_lines(const struct bine_try *t, const struct bine_try_result *r,
                    char line[BINE_TRY_LINES][BINE_LINE]);

#endif
