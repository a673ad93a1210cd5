/* The boards that the ranks of a context have, or could have. */
#include "comm/context.h"
#include "comm/node.h"
#include "mpi/verbose.h"

#include <stdlib.h>

int bine_context_has_boards(const struct bine_context *c, int64_t bytes, int *exposes) {
    const struct bine_node *node = c->channel.node;
    int64_t holds = node != NULL ? node->boards->shape.holds : BINE_NODE_HOLDS;
    int could = c->node == NULL && (node != NULL || c->boards_untried);
    *exposes = node != NULL ? node->can_expose : could;
    return could && bytes * c->p <= holds;
}

int bine_context_make_boards(struct bine_context *c, MPI_Comm comm) {
    struct bine_reason why;
    if (!c->boards_untried)
        return 0;
    c->boards_untried = 0;
    struct bine_node_place at = {c->rank, c->p, c->node, c->cores};
    int rc = bine_node_make(comm, &at, c->policy.settings.shared, c->cards, &c->channel.node, &why);
    free(c->cards);
    c->cards = NULL;
    /* Ranks may remember different calls. One that is started may go over boards from now on. */
    bine_context_forget(c);
    if (rc == MPI_SUCCESS && c->channel.node != NULL)
        bine_node_wait_on(c->channel.node, &c->comm);
    else if (rc == MPI_SUCCESS)
        bine_verbose_remark("no boards: %s", why.text);
    return 1;
}

/* Blocks of ranks that are in several segments are in no row, and do not go in rounds. */
void bine_context_node_boards(struct bine_context *c, MPI_Comm comm, int64_t block,
                              struct bine_choice *choice) {
    struct bine_choice with = *choice;
    if (c->node == NULL || bine_algorithm_needs(choice->algorithm) != BINE_NEEDS_GROUPS)
        return;
    with.boards = 1;
    if (!bine_cuts_a_vector(choice->algorithm->collective) && with.segments > 1)
        with.segments = 1;
    struct bine_spec spec = bine_context_spec(c, &with, 0, 0);
    if (!bine_spec_uses_boards(&spec))
        return;
    bine_context_make_boards(c, comm);
    const struct bine_node *node = c->channel.node;
    if (node != NULL && block * bine_spec_board_blocks(&spec) <= node->boards->shape.holds)
        *choice = with;
}
