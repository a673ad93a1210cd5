/* The boards of a communicator, or of one call on it. All its ranks make them together; each node
 * has its own. */
#ifndef BINE_COMM_NODE_H
#define BINE_COMM_NODE_H

#include "base/reason.h"
#include "engine/node.h"

#include <mpi.h>
#include <stdint.h>

/* Bytes of a slot of a board, at most. */
enum { BINE_NODE_HOLDS = 32768 };

/* The card by which a rank tells the others where its board is. */
struct bine_node_card;
/* Memory for the cards of p ranks, to be given back by free(); NULL when out of memory. */
struct bine_node_card *bine_node_cards_new(int p);

struct bine_node_place {
    int rank, p;
    const int32_t *node; /* of each rank: ranks with one processor name are on one node. NULL: all
                            ranks are */
    int cores;           /* that the ranks of any node may use; 0: not known */
    /* For boards of one call alone, which leave memory to those of communicators: their shape, no
     * larger than theirs; no slots: this rank does without, so all do. Else NULL. */
    const struct bine_board_shape *wanted;
};

/* Collective. `most`: bytes of shared memory of a process (BINE_SHARED). *node becomes NULL where
 * any rank cannot, on all of them alike, with the reason on all of them. Returns an MPI error code;
 * then *node is NULL. */
int bine_node_make(MPI_Comm comm, const struct bine_node_place *at, int64_t most,
                   struct bine_node_card *cards, struct bine_node **node, struct bine_reason *why);
/* Detach from all boards. A rank can do this while others still use its board. `comm` is the
 * private communicator over these ranks: a rank that waits at a board lets messages go on there. */
void bine_node_free(struct bine_node *node);
void bine_node_wait_on(struct bine_node *node, MPI_Comm *comm);

/* Free the shared memory of this process. */
void bine_node_end(void);

#endif
