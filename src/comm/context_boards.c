/* The boards that the ranks of a context have, or could have. */
#include "comm/context.h"
#include "comm/node.h"
#include "report/verbose.h"

#include <stdlib.h>

int bine_context_has_boards(const struct bine_context *c, int64_t bytes, int *exposes) {
    const struct bine_node *node = c->channel.node;
    int64_t holds = node != NULL ? node->boards->shape.holds : BINE_NODE_HOLDS;
    int could = c->boards.node == NULL && (node != NULL || c->boards.untried);
    *exposes = node != NULL ? node->can_expose : could;
    return could && bytes * c->id.p <= holds;
}

int bine_context_make_boards(struct bine_context *c, MPI_Comm comm) {
    struct bine_reason why;
    if (!c->boards.untried)
        return 0;
    c->boards.untried = 0;
    struct bine_node_place at = {c->id.rank, c->id.p, c->boards.node, c->place.cores, NULL};
    int rc = bine_node_make(comm, &at, c->choosing.policy.settings.shared, c->boards.cards,
                            &c->channel.node, &why);
    if (c->channel.node == NULL || c->boards.node != NULL) {
        free(c->boards.cards);
        c->boards.cards = NULL;
    }
    /* Ranks may remember different calls. One that is started may go over boards from now on. */
    bine_context_forget(c);
    if (c->channel.node != NULL)
        c->channel.node->calls = &c->channel.calls;
    if (rc == MPI_SUCCESS && c->channel.node != NULL)
        bine_node_wait_on(c->channel.node, &c->id.comm);
    else if (rc == MPI_SUCCESS)
        bine_verbose_remark("no boards: %s", why.text);
    return 1;
}

int bine_context_can_make_own(const struct bine_context *c) {
    return c->channel.node != NULL && c->boards.cards != NULL && c->pending.one_at_a_time;
}

struct bine_node *bine_context_make_own(struct bine_context *c,
                                        const struct bine_board_shape *shape) {
    struct bine_reason why;
    struct bine_node *node;
    struct bine_node_place at = {c->id.rank, c->id.p, NULL, c->place.cores, shape};
    int rc = bine_node_make(c->id.comm, &at, c->choosing.policy.settings.shared, c->boards.cards,
                            &node, &why);
    if (rc == MPI_SUCCESS && node != NULL)
        bine_node_wait_on(node, &c->id.comm);
    else if (rc == MPI_SUCCESS)
        bine_verbose_remark("no boards for a persistent call: %s", why.text);
    return node;
}

/* Blocks of ranks that are in several segments are in no row, and do not go in rounds. */
void bine_context_node_boards(struct bine_context *c, MPI_Comm comm, int64_t block,
                              struct bine_choice *choice) {
    struct bine_choice with = *choice;
    if (c->boards.node == NULL || bine_algorithm_needs(choice->algorithm) != BINE_NEEDS_GROUPS)
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
