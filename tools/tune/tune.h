/* bine tune: rules from measurements.
 *
 * Cells of one collective, library, number of ranks and of nodes are a row; its points are sizes. A
 * point may have several cells, under conditions that rules cannot tell apart (shapes of a lab,
 * hosts): an algorithm must do well in all of them. */
#ifndef BINE_TOOLS_TUNE_TUNE_H
#define BINE_TOOLS_TUNE_TUNE_H

#include "report/report.h"

enum { BINE_TUNE_POINTS = 128 };

struct bine_tune_rule {
    int collective; /* of bine_report_collectives */
    int library;    /* enum bine_library */
    int ranks, ranks_high, nodes;
    int64_t from, below; /* bytes */
    int algorithm;       /* of the report, or -1: mpi */
    int points;
    double gain, least; /* mpi's time over its: geometric mean of the cells, and the least */
};

struct bine_tune {
    struct bine_report *report;
    const struct bine_cell **cell; /* sorted by row, then by size */
    size_t cells;
    struct bine_tune_rule *rule;
    size_t rules;
    size_t undecided; /* cells in which mpi, or everything else, was not measured */
};

/* How good rules are, in the cells that they speak of. */
struct bine_tune_score {
    size_t cells;             /* that a rule speaks of */
    size_t own;               /* of them: not mpi */
    double gain, least;       /* mpi's time over that of the rules' choice */
    size_t within5, within20; /* of the fastest that was measured */
    double best;              /* mpi's time over the fastest */
};

/* Cells of the report, all of them or those with every second size (half 0 or 1; -1: all). 0, or
 * BINE_EXIT_USAGE after complaining. */
int bine_tune_make(struct bine_tune *t, struct bine_report *r, int half);
void bine_tune_free(struct bine_tune *t);
/* Judge the rules by all cells of a collective, or by those of every second size. */
void bine_tune_judge(const struct bine_tune *t, int collective, int half,
                     struct bine_tune_score *s);
/* The geometric mean of two of them. */
double bine_tune_mean(double a, size_t n, double b, size_t m);

/* The end of the cells of the same size, from the first on; `place` counts sizes in their row. */
size_t bine_tune_next(const struct bine_tune *t, size_t first, int *place);
/* The measure of an algorithm in a cell (-1: mpi), or NULL. */
const struct bine_measure *bine_tune_measure(const struct bine_report *r, const struct bine_cell *c,
                                             int algorithm);
int bine_tune_library(const struct bine_report *r, const struct bine_cell *c);

/* How to measure what is missing. */
struct bine_tune_run {
    const char *command;  /* that starts ranks, as in mpirun -n 64; NULL: nothing is measured */
    const char *mpi;      /* bine-bench of this library; NULL: bine-bench */
    const char *measured; /* the file that rows are added to */
    const char *sizes;    /* as bine-bench takes them */
    long budget;          /* seconds */
};
/* Measure each collective that the report has not. 0, or an exit code after complaining. */
int bine_tune_run(const struct bine_tune_run *x, const struct bine_report *r);

/* The file of rules. 0, or BINE_EXIT_USAGE after complaining. */
int bine_tune_write(const struct bine_tune *t, const char *path);

#endif
