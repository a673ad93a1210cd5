/* The card of a region. */
#ifndef BINE_BOARD_ARENA_CARD_H
#define BINE_BOARD_ARENA_CARD_H

#include <stdint.h>

/* How others find a region: sent to them by message. All of it numbers of one type. */
struct bine_arena_card {
    uint64_t token[2];
    uint64_t pid, file;
    uint64_t offset, bytes; /* of the region in the file */
    uint64_t secret;        /* where in the process the token lies, outside the arena */
};

#endif
