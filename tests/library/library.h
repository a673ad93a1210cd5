/* What the comparison needs of an MPI library: to force its algorithms, and to count the messages
 * that it really sends. One file for each library. */
#ifndef BINE_TESTS_LIBRARY_H
#define BINE_TESTS_LIBRARY_H

#include <mpi.h>

#define LIBRARY_RANKS 8

/* Of messages from this rank to each rank of MPI_COMM_WORLD. */
struct counts {
    long messages[LIBRARY_RANKS], bytes[LIBRARY_RANKS];
};

/* "openmpi" or "mpich", and what the names of its control variables begin with. */
extern const char *const library_name;
extern const char *const library_prefix;

/* Set the environment; before MPI_Init. */
void library_prepare(void);
/* On all ranks, after MPI_Init: NULL, or why messages cannot be counted here. */
const char *library_start(void);
/* Everything sent by this rank so far. */
void library_count(struct counts *c);

/* Write control variables: "NAME=WORD NAME=WORD ...", each name after the prefix, each word a
 * number or as the library itself explains it. `back`: set them to 0 again, which leaves the choice
 * to the library. 0, or -1 if there is no such thing. Open MPI heeds them when a communicator is
 * made. */
int control_force(const char *settings, int back);

#endif
