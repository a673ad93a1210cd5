/* Shared between the files of the proof of sequences: the states of the model. */
#ifndef BINE_SCHEDULE_CHECK_SEQUENCE_STATE_H
#define BINE_SCHEDULE_CHECK_SEQUENCE_STATE_H

#include "schedule/check/sequence.h"

/* A state is a row of numbers: for each rank how many calls it has started, the numbers in its
 * slots and whose they are, and its calls; for each call its base, its round and its strands; for
 * each strand its place. */
typedef uint16_t bine_sequence_cell;

/* Where a strand is: the step, how far it is there, and the next operation. */
struct bine_strand_position {
    bine_sequence_cell step, phase, op;
};

/* Within a step: before it; while it reads; in the middle of one reading; after all of them. A
 * step of messages is before them or has posted them. */
enum { BINE_AT_BEGIN, BINE_AT_READS, BINE_AT_READING, BINE_AT_END };

/* The next move of a rank: start its next call, or go on with a strand of a pending call. */
struct bine_sequence_move {
    int rank, call, strand; /* strand -1: start the call */
};

struct bine_sequence_shape {
    const struct bine_sequence *q;
    size_t cells;                          /* of a state */
    size_t of_rank;                        /* cells of a rank */
    size_t at_call[BINE_SEQUENCE_CALLS];   /* of a call among the calls of its rank */
    uint32_t strands[BINE_SEQUENCE_CALLS]; /* of a call */
    int boards[BINE_SEQUENCE_CALLS];       /* of a call: its request's, or 0 */
    int sets;                              /* of boards */
    int stride;                            /* numbers of a call */
};

struct bine_sequence_shape bine_sequence_shape_of(const struct bine_sequence *q);
void bine_sequence_begin(const struct bine_sequence_shape *x, bine_sequence_cell *state);
/* All moves that can be made in a state: at most bine_sequence_moves_most of them. */
size_t bine_sequence_moves(const struct bine_sequence_shape *x, const bine_sequence_cell *state,
                           struct bine_sequence_move *list);
size_t bine_sequence_moves_most(const struct bine_sequence_shape *x);
/* Make a move. 0, or 1 with the fault in the verdict. */
int bine_sequence_make(const struct bine_sequence_shape *x, bine_sequence_cell *state,
                       struct bine_sequence_move move, struct bine_verdict *verdict);
/* No move is left: 0 if all calls have ended, or 1 after naming a rank that waits. */
int bine_sequence_ended(const struct bine_sequence_shape *x, const bine_sequence_cell *state,
                        struct bine_verdict *verdict);

#endif
