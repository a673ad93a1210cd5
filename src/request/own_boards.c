#include "request/own_boards.h"

static int goes_to_boards(const struct bine_resolved *x) {
    return x->way != BINE_WAY_MPI && bine_algorithm_needs(x->choice.algorithm) == BINE_NEEDS_BOARDS;
}

static struct bine_node *make(struct bine_context *c, const struct bine_arguments *a, int has,
                              const struct bine_resolved *x) {
    struct bine_spec spec = bine_context_spec(c, &x->choice, a->root, x->call.in_place);
    struct bine_board_shape shape = {0, 0};
    if (has)
        shape = bine_board_wanted(&spec, &x->call, &c->channel.node->boards->shape);
    return bine_context_make_own(c, &shape);
}

int bine_own_boards_resolve(struct bine_context *c, const struct bine_arguments *a, int has,
                            struct bine_resolved *x, struct bine_node **node) {
    struct bine_arguments without = *a;
    int rc = bine_resolve(c, a, x);
    *node = NULL;
    if (!a->persistent || rc != MPI_SUCCESS || !goes_to_boards(x))
        return rc;
    *node = make(c, a, has, x);
    if (*node != NULL)
        return rc;
    without.without_boards = 1;
    return bine_resolve(c, &without, x);
}

void bine_own_boards_leave(struct bine_request *r) {
    if (r->bound.node != NULL)
        bine_boards_leave(r->bound.node->boards);
}
