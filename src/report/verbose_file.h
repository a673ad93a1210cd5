/* The report of BINE_VERBOSE as a file for programs: BINE_VERBOSE_FILE. */
#ifndef BINE_REPORT_VERBOSE_FILE_H
#define BINE_REPORT_VERBOSE_FILE_H

#include "report/verbose_ranks.h"
#include "select/selection.h"

/* Calls of one kind: a row of the report. */
struct bine_verbose_row {
    int p, class; /* bytes from 2^class on; -1: none */
    enum bine_collective collective;
    const struct bine_algorithm *algorithm;
    enum bine_layout layout;
    char reason[160]; /* a copy: rules may be gone by the time that it is printed */
    int64_t calls, bytes;
    struct bine_verbose_time time;
    double gain; /* of the last call; 0: not measured */
};

struct bine_verbose_facts {
    const char *mpi; /* the library's name and version */
    int drop_in, off, world, nodes, groups;
    int of_all; /* times are of all ranks, not of rank 0 alone */
    double run; /* seconds */
    const struct bine_verbose_row *row;
    size_t rows;
};

/* Write the JSON object that docs/trying.md describes. 0, or -1 and errno: then there is no file.
 */
int bine_verbose_file_write(const char *path, const struct bine_verbose_facts *facts);

#endif
