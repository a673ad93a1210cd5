/* bine report: measurements, cells, comparisons.
 *
 * A cell is a collective on a number of ranks and nodes with a number of bytes, under one MPI
 * library. In a cell stand the algorithms that were measured there, each with the summary of its
 * samples. Everything else is made from cells. */
#ifndef BINE_TOOLS_REPORT_REPORT_H
#define BINE_TOOLS_REPORT_REPORT_H

#include "cli/stats.h"
#include "cli/table.h"
#include "network/allocation.h"
#include "schedule/catalogue.h"

#include <stdint.h>
#include <stdio.h>

/* The collectives in the order of the paper's tables. */
struct bine_report_collective {
    const char *name, *title;
    enum bine_collective kind;
};
enum { BINE_REPORT_COLLECTIVES = 9 };
extern const struct bine_report_collective bine_report_collectives[BINE_REPORT_COLLECTIVES];
/* By name, as MPI_Allreduce or Reduce-scatter too; -1 if there is none. */
int bine_report_collective_find(const char *name, size_t length);

/* What is said of foreign algorithms: a name, its family and what to call it. */
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
    int algorithm;
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
    int system, collective, ranks, nodes;
    int64_t bytes;
    size_t first, count; /* measures */
    /* against each side: traffic between groups that is saved, in percent, if it is known */
    double saving[BINE_REPORT_SIDES];
    char counted[BINE_REPORT_SIDES];
};

/* Where the ranks of a job are. */
struct bine_report_place {
    struct bine_allocation allocation;
    int root;
};

/* What a file says of how it was made. */
struct bine_report_file {
    const char *path;
    char *head; /* its comment lines, without '# ' */
    char hosts[4000], groups[1000];
    int root;
    int incomplete; /* it says that the run ended early */
    int cut;        /* its last line is not whole */
};

struct bine_report {
    struct bine_names systems, algorithms;
    struct bine_mapping mapping;
    struct bine_report_file *file;
    size_t files;
    struct bine_sample *sample;
    size_t samples, room;
    struct bine_measure *measure;
    size_t measures;
    struct bine_cell *cell;
    size_t cells;
    struct bine_report_place *place;
    size_t places;
    const char *baseline; /* binomial, best or the name of an algorithm */
    const char *command;  /* as typed */
};

/* Append a file's rows. 0, or BINE_EXIT_USAGE after complaining with the file and the line. */
int bine_report_read(struct bine_report *r, const char *path);
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

/* report_place.c: places from options and from what files say. */
struct bine_report_wish {
    const char *machine, *hosts, *groups, *map, *folder, *baseline;
    enum bine_format format;
};
/* Finds out where the ranks were, and counts the traffic of all cells. */
int bine_report_locate(struct bine_report *r, const struct bine_report_wish *w);

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
