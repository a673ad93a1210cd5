/* Which algorithm an MPI library takes for a call when nothing is set: Open MPI 4.1 and MPICH 4.0.
 *
 * Each library's rules are a table: collective, ranks, bytes, the library's name of an algorithm
 * (usual_openmpi.def, usual_mpich.def). Another table says of which rows of the catalogue such an
 * algorithm is made (usual_algorithms.def): mostly of one; of several in a row where the library
 * makes a collective of others. */
#ifndef BINE_TOOLS_PREDICT_USUAL_H
#define BINE_TOOLS_PREDICT_USUAL_H

#include "select/rules.h"

/* The ranks that take part in a part of it. */
enum bine_usual_ranks {
    BINE_USUAL_ALL,
    BINE_USUAL_LEADERS, /* the first rank of each node */
    BINE_USUAL_NODE,    /* those of the node that has most */
    BINE_USUAL_FOLDED,  /* a power of two of them */
    BINE_USUAL_PAIR,    /* two neighbours */
    BINE_USUAL_RANKS
};

struct bine_usual_part {
    enum bine_usual_ranks ranks;
    enum bine_collective collective;
    const struct bine_algorithm *algorithm; /* NULL: as the library decides for these ranks */
    enum bine_layout layout;
    int at_once; /* a rank sends to all of its children together, not to one after another */
};

enum { BINE_USUAL_PARTS = 3, BINE_USUAL_TEXT = 64 };
struct bine_usual {
    char name[BINE_USUAL_TEXT]; /* the library's */
    int like; /* not message by message what the library sends, but much like it */
    int parts;
    struct bine_usual_part part[BINE_USUAL_PARTS];
};

struct bine_usual_query {
    int library; /* enum bine_library */
    enum bine_collective collective;
    int p;
    int several; /* nodes, and ranks on one of them */
    int64_t bytes;
    int element; /* bytes of one of the vector */
};

/* 0, or -1 if the library has no rule: another library than these, or one rank. */
int bine_usual_find(const struct bine_usual_query *q, struct bine_usual *u);

#endif
