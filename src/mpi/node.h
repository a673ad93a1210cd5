/* The boards of a communicator: made by its ranks together, those of each node for themselves. */
#ifndef BINE_MPI_NODE_H
#define BINE_MPI_NODE_H

#include "base/reason.h"
#include "engine/node.h"

#include <mpi.h>
#include <stdint.h>

/* Bytes of a slot of a board, at most. */
enum { BINE_NODE_HOLDS = 32768 };

/* What a rank tells the others. */
struct bine_node_card;
/* Memory for those of p ranks, to be given back by free(); NULL when out of memory. */
struct bine_node_card *bine_node_cards_new(int p);

struct bine_node_place {
    int rank, p;
    const int32_t *node; /* of each rank: those of one have the same processor name. NULL: all are
                            on one */
    int cores;           /* that the ranks of any node may use; 0: not known */
};

/* Collective. `most`: bytes of shared memory of a process (BINE_SHARED). *node becomes NULL where
 * any rank cannot, on all of them alike, with the reason on all of them. Returns an MPI error code;
 * then *node is NULL. */
int bine_node_make(MPI_Comm comm, const struct bine_node_place *at, int64_t most,
                   struct bine_node_card *cards, struct bine_node **node, struct bine_reason *why);
/* Look at none of them any more. A rank can do this while others still use its board. `comm` is the
 * private communicator over the same ranks: who waits at a board lets messages go on there. */
void bine_node_free(struct bine_node *node);
void bine_node_wait_on(struct bine_node *node, MPI_Comm *comm);

/* What this process has taken. */
void bine_node_end(void);

#endif
