/* A script: what all ranks do in one collective, flat. Simulations replay it, exports write it
 * down.
 *
 * A rank's strands are runners. A runner goes from step to step: it posts the step's messages one
 * after the other, waits for all of them, and works for a while (copies, adds up). Or the step is
 * on boards: it publishes, waits for what others publish and reads that. What a schedule sends in
 * several transfers is several messages here, all of one lane. Messages of no bytes are left out,
 * but for those of barriers.
 * Plain data: the part in C++ that drives SimGrid reads it too. */
#ifndef BINE_TOOLS_SIMULATE_SCRIPT_H
#define BINE_TOOLS_SIMULATE_SCRIPT_H

#include <stddef.h>
#include <stdint.h>

struct bine_script_message {
    int32_t from, to;
    uint32_t strand;
    int64_t bytes;
};

struct bine_script_post {
    uint32_t message;
    uint32_t lane;    /* the first post of its operation */
    uint8_t receives; /* the receiver posts; else the sender */
    uint8_t reduces;  /* it is added up as soon as it has come */
    uint8_t copies;   /* it is packed before it is sent, or unpacked when it has come */
};

/* What a step does on the boards of its node. */
struct bine_script_board {
    uint32_t number; /* of the publication */
    uint8_t reads;   /* it; else publishes */
    uint8_t exposes; /* publishes it where it lies, and waits for the readers */
    uint8_t reduces; /* adds up what it reads */
    int64_t bytes;
};

struct bine_script_step {
    int32_t time;
    uint32_t first, count;  /* its posts */
    double reduced;         /* bytes that are added up, besides those of its posts, */
    double copied;          /* and copied or unpacked, when its messages are complete, */
    int32_t copies;         /* in so many copies of about one size */
    uint32_t board, boards; /* what it does on boards */
};

struct bine_script_runner {
    int32_t rank;
    uint32_t strand;
    uint32_t first, count; /* its steps */
    int32_t staggered;     /* no step begins before the runner before this one is past its time */
};

struct bine_script {
    int ranks;
    int32_t whole;                     /* no message comes in parts */
    int64_t part;                      /* larger messages come in parts of so many bytes, */
    int window;                        /* of which so many may be pending at once */
    int64_t copied;                    /* packed, unpacked and permuted by the rank with most */
    struct bine_script_runner *runner; /* of rank 0, of rank 1, ... */
    size_t runners;
    struct bine_script_step *step;
    size_t steps;
    struct bine_script_post *post;
    size_t posts;
    struct bine_script_message *message; /* by sender, receiver, strand and time */
    size_t messages;
    struct bine_script_board *board;
    size_t boards;
    uint32_t *readers; /* of each publication: how many reads there are of it */
    size_t publications;
};

struct bine_spec;

/* The spec must be valid; its rank is ignored. 0, or -1 when out of memory. */
int bine_script_write(struct bine_script *x, const struct bine_spec *spec, int64_t bytes);
void bine_script_free(struct bine_script *x);

#endif
