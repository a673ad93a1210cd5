/* The boards of the ranks of a node on one communicator, as the engine uses them. */
#ifndef BINE_ENGINE_NODE_H
#define BINE_ENGINE_NODE_H

#include "board/board.h"
#include "board/wait.h"

struct bine_node {
    struct bine_boards *boards;
    int32_t *seat;  /* by rank of the communicator: which rank of the node it is; -1: of another */
    int64_t *pid;   /* by seat */
    int can_expose; /* all of them can read each other's memory */
    /* The calls of the channel: numbers follow from them. NULL: boards for one persistent call. */
    const uint64_t *calls;
    uint64_t ahead; /* more numbers that calls have taken, than one stride each */
    struct bine_wait wait;
};

#endif
