/* Proof of sequences of calls on the boards of a node: one call on empty boards proves little.
 *
 * The model. Each rank has a board of a few slots, and starts the calls of the sequence in their
 * order; one that is blocking must have ended on a rank before that rank starts the next one. A
 * call takes as many numbers as every other, from a base that all ranks count alike. A publication
 * of number n goes to slot n modulo the slots, once every rank of the node has passed its contents,
 * and n - slots if that is of its own call, and once the rank's older calls have published all of
 * theirs. A rank has passed all below the least number that it has not finished with, over all its
 * pending calls. To read takes time: it begins when the number is in the slot, and must find it
 * still there at its end, and of this call; or, where the owner has exposed its own memory, that
 * the owner is still in that step.
 *
 * A persistent call has boards of its own, where its starts alone count. A rank starts it again
 * when its last start has ended there, and starts such calls in an order of its own, among each
 * other and among the calls on the boards that all of those share.
 *
 * The claim: in every interleaving, nothing is read that was written over meanwhile, and
 * no rank waits for ever. With few ranks all interleavings are gone through, each state once; with
 * more, as many as are asked for, at random. What the data is, bine_check proves call by call. */
#ifndef BINE_SCHEDULE_CHECK_SEQUENCE_H
#define BINE_SCHEDULE_CHECK_SEQUENCE_H

#include "schedule/check/check.h"

enum { BINE_SEQUENCE_CALLS = 4 };

struct bine_sequence_call {
    struct bine_schedule *const *rank; /* of all ranks */
    int rounds;
    int blocks;  /* whether it must have ended on a rank before that starts the next one */
    int request; /* the persistent call that it is a start of, from 1 on; 0: of none */
};

/* Rules that are known to be wrong, to see that the proof finds out. */
enum bine_sequence_flaw {
    BINE_FLAW_NONE,
    BINE_FLAW_EARLY,  /* a slot is written one number too early */
    BINE_FLAW_MISSED, /* a publication does not wait for the last rank of the node */
    BINE_FLAW_PASSED, /* a rank passes a number before it has read */
    BINE_FLAW_COUNT,  /* numbers are taken when a call ends, not when it starts */
    BINE_FLAW_NEWEST, /* a rank goes on with its newest call only */
    BINE_FLAW_LEFT,   /* a rank leaves what it exposed before all have read it */
    BINE_FLAW_ORDER,  /* a younger call does not wait for what older ones publish */
    BINE_FLAW_SHARED  /* persistent calls have no boards of their own */
};

struct bine_sequence {
    int p, slots, calls;
    struct bine_sequence_call call[BINE_SEQUENCE_CALLS];
    /* By rank, the order in which it starts them: NULL, as listed. Starts of one persistent call,
     * and calls of none, are in the order listed on every rank. */
    const uint8_t (*order)[BINE_SEQUENCE_CALLS];
    enum bine_sequence_flaw flaw;
};

/* 0: proved; 1: wrong, see the verdict (its time is the number of the call); -1: out of memory, or
 * more states than `most`. *states counts the states that were met. */
int bine_sequence_check(const struct bine_sequence *q, size_t most, size_t *states,
                        struct bine_verdict *verdict);
/* Likewise, one interleaving after the other, drawn at random. */
int bine_sequence_walk(const struct bine_sequence *q, int walks, uint64_t seed,
                       struct bine_verdict *verdict);

#endif
