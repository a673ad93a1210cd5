/* bine report: measurements, cells, comparisons.
 *
 * A cell is a collective on a number of ranks and nodes with a number of bytes, under one MPI
 * library and under one set of conditions. In a cell stand the algorithms that were measured there,
 * each with the summary of its samples. Everything else is made from cells. */
#ifndef BINE_TOOLS_REPORT_REPORT_H
#define BINE_TOOLS_REPORT_REPORT_H

#include "cli/output/stats.h"
#include "cli/output/table.h"
#include "network/allocation.h"
#include "schedule/catalogue.h"

#include <stdint.h>
#include <stdio.h>

/* The collectives in the order of the paper's tables. Nonblocking calls come after all others: they
 * are collectives of their own, in no cell with blocking ones. */
struct bine_report_collective {
    const char *name, *title;
    enum bine_collective kind;
    int nonblocking;
};
enum { BINE_REPORT_BLOCKING = 17, BINE_REPORT_COLLECTIVES = 2 * BINE_REPORT_BLOCKING };
extern const struct bine_report_collective bine_report_collectives[BINE_REPORT_COLLECTIVES];
/* By name, as MPI_Allreduce or Reduce-scatter too; -1 if there is none. */
int bine_report_collective_find(const char *name, size_t length);

/* Foreign algorithms: each has a family and the name that the report gives it. */
struct bine_mapping {
    struct bine_names names;  /* foreign ones */
    struct bine_names family; /* numbers of both by the foreign name's number */
    int *family_of, *name_of; /* name_of: in `names`, or -1 */
    int room;
};
/* 0, or BINE_EXIT_USAGE after complaining with the file and the line. */
int bine_mapping_read(struct bine_mapping *m, const char *path);
void bine_mapping_free(struct bine_mapping *m);
/* The name to use for a foreign one. */
const char *bine_mapping_name(const struct bine_mapping *m, const char *name);
/* The family of an algorithm, as it is called here: from the mapping, else from the catalogue, else
 * "mpi" for the library's own; "other" if nobody knows. */
const char *bine_mapping_family(const struct bine_mapping *m, enum bine_collective c,
                                const char *name);

/* One line of a file. */
struct bine_sample {
    int system, collective, ranks, nodes;
    int columns, remarks; /* what its columns say of conditions, and other words in it */
    int conditions;
    int algorithm;
    int file, line;
    int wrong; /* a note that the results were wrong; no time */
    int64_t bytes;
    double seconds;
    double low, high; /* of the median that `seconds` is; 0: it is one sample */
    long samples;
};

/* An algorithm in a cell. */
struct bine_measure {
    int algorithm;
    const char *family;
    int refused; /* its results were wrong */
    struct bine_summary summary;
};

/* Who is compared in a cell. */
enum bine_report_side {
    BINE_SIDE_BINE,     /* family bine */
    BINE_SIDE_BASELINE, /* what the report compares with */
    BINE_SIDE_OTHERS,   /* everything but family bine */
    BINE_REPORT_SIDES
};

struct bine_cell {
    int system, collective, ranks, nodes, conditions;
    int64_t bytes;
    int64_t row;         /* the size that stands for it in maps */
    int file;            /* that its first sample is from */
    size_t first, count; /* measures */
    /* against each side: traffic between groups that is saved, in percent, if it is known */
    double saving[BINE_REPORT_SIDES];
    char counted[BINE_REPORT_SIDES];
};

/* Where the ranks of a run are. */
struct bine_report_ranks {
    struct bine_allocation allocation;
    int root;
    int file; /* whose ranks they are; -1: those of all files */
};

/* What tells rows of one cell apart. A fact is part of a cell's conditions if two rows of the
 * report, equal in everything else, differ in it. */
enum bine_fact {
    BINE_FACT_COLUMNS, /* of the CSV: shape, dims, host, ...; see report_read.c */
    BINE_FACT_HOSTS,
    BINE_FACT_GROUPS,
    BINE_FACT_DIMS,
    BINE_FACT_PORTS,
    BINE_FACT_CALL, /* datatype, operator, root */
    BINE_FACT_FILE, /* where nothing else tells two measurements apart, and they cannot be pooled */
    BINE_FACTS
};

/* What a file, or one of the files that it was put together from, says of how it was made. */
struct bine_report_file {
    const char *path;
    char *head;             /* its comment lines, without '# ' */
    char *fact[BINE_FACTS]; /* NULL: it does not say */
    int root;
    int own;        /* bine-bench wrote it: what differs between two of them is in the facts */
    int incomplete; /* it says that the run ended early */
    int cut;        /* its last line is not whole */
};

struct bine_report {
    struct bine_names systems, algorithms, columns, conditions, remarks;
    int told_apart[BINE_FACTS]; /* whether a fact is part of the conditions */
    struct bine_mapping mapping;
    struct bine_report_file *file;
    size_t files;
    struct bine_sample *sample;
    size_t samples, room;
    struct bine_measure *measure;
    size_t measures;
    struct bine_cell *cell;
    size_t cells;
    struct bine_report_ranks *ranks;
    size_t runs;          /* of which the ranks' places are known */
    int foreign_ranks;    /* of files that do not say it; 0: not known */
    const char *baseline; /* binomial, best or the name of an algorithm */
    const char *command;  /* as typed */
};

/* Append a file's rows. 0, or BINE_EXIT_USAGE after complaining with the file and the line. */
int bine_report_read(struct bine_report *r, const char *path);
/* report_foreign.c: what other benchmarks print becomes a CSV, in *text; everything else stays as
 * it is. 0, or BINE_EXIT_USAGE after complaining. */
int bine_report_translate(const char *path, int ranks, char **text, size_t *size);
/* Set the conditions of all samples, and sort them by cell and algorithm. 0, or BINE_EXIT_USAGE
 * after complaining of rows that say different things about the same measurement. */
int bine_report_tell_apart(struct bine_report *r);
/* Whether two samples are of one cell, and of one algorithm in it: 0, or their order. */
int bine_sample_compare_cells(const struct bine_sample *x, const struct bine_sample *y);
int bine_sample_compare(const void *x, const void *y);
/* From samples to cells; the samples are gone then. 0, or BINE_EXIT_USAGE after complaining. */
int bine_report_gather(struct bine_report *r);
void bine_report_free(struct bine_report *r);

static inline const char *bine_measure_name(const struct bine_report *r,
                                            const struct bine_measure *m) {
    return bine_names_text(&r->algorithms, m->algorithm);
}

/* The fastest of a side in a cell, or NULL. */
const struct bine_measure *bine_cell_best(const struct bine_report *r, const struct bine_cell *c,
                                          enum bine_report_side side);

/* Bine against another side in one cell. */
struct bine_duel {
    const struct bine_measure *bine, *other;
    int verdict;  /* 1 win, -1 loss, 0 tie */
    double ratio; /* the other's time over Bine's */
};
/* 0 if one of them is missing. */
int bine_cell_duel(const struct bine_report *r, const struct bine_cell *c,
                   enum bine_report_side other, struct bine_duel *duel);

/* A line of a table: a collective on a system. Gains, drops and savings are in percent. */
struct bine_score {
    size_t cells, wins, losses, ties;
    double gain, most_gain; /* of the wins, geometric mean */
    double drop, most_drop; /* of the losses: how much longer */
    size_t counted;         /* cells with traffic */
    double saving, most_saving;
};
/* A collective of a system; collective -1: all. */
struct bine_score bine_report_score(const struct bine_report *r, int system, int collective,
                                    enum bine_report_side other);
int bine_report_has(const struct bine_report *r, int system, int collective);
/* Whether the best of all others says anything that the baseline does not: 2 sides, or 1. */
int bine_report_sides(const struct bine_report *r, int system);
/* Whether traffic is known of any of its cells. */
int bine_report_has_traffic(const struct bine_report *r, int system);

/* report_traffic.c: where ranks were, from options and from what files say. */
struct bine_report_options {
    const char *machine, *hosts, *groups, *map, *folder, *baseline;
    int ranks;
    enum bine_format format;
};
/* Finds out where the ranks were, and counts the traffic of all cells. */
int bine_report_count_traffic(struct bine_report *r, const struct bine_report_options *w);

/* report_tables.c */
int bine_report_print(const struct bine_report *r, enum bine_format format);
/* tables.csv, tables.tex and cells.csv. */
int bine_report_tables(const struct bine_report *r, const char *folder);
const char *bine_report_side_name(const struct bine_report *r, enum bine_report_side side);

/* report_page.c: report.html, with the plots beside it. */
int bine_report_page(const struct bine_report *r, const char *folder);

/* Open FOLDER/NAME for writing; NULL after complaining. Close it again: 0, or BINE_EXIT_USAGE. */
FILE *bine_report_create(const char *folder, const char *name);
int bine_report_close(FILE *f, const char *folder, const char *name);

#endif
