/* The boards that the ranks of a communicator may make. Boards that are made belong to the channel.
 */
#ifndef BINE_COMM_PARTS_BOARDS_H
#define BINE_COMM_PARTS_BOARDS_H

#include <stdint.h>

struct bine_node_card;

struct bine_board_means {
    int untried;                  /* boards have not been tried for, and could be had */
    struct bine_node_card *cards; /* memory to make them with, until then; and on one node, those of
                                     persistent calls; or NULL */
    int32_t *node;                /* of each rank, where several have several ranks; or NULL */
};

#endif
