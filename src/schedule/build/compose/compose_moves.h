/* Which moves a composition is made of: by closed form where there is one, otherwise from the
 * tree. */
#ifndef BINE_SCHEDULE_BUILD_COMPOSE_MOVES_H
#define BINE_SCHEDULE_BUILD_COMPOSE_MOVES_H

#include "schedule/build/moves/moves.h"
#include "schedule/build/moves/moves_stretch.h"
#include "schedule/spec.h"

extern const struct bine_moves_maker bine_moves_of_root, /* one block from the root to everyone */
    bine_moves_of_listed_root,                           /* a root's, always from the tree */
    bine_moves_of_parts,                                 /* block b from the root to rank b */
    bine_moves_of_every,                                 /* block b from rank b to everyone */
    bine_moves_of_hung,         /* block b from the root to everyone along the tree of b */
    bine_moves_of_pipeline,     /* segments along one or two trees of the root */
    bine_moves_of_split_binary, /* in two halves, which are exchanged */
    bine_moves_of_circulant,    /* segments on the circulant graph */
    bine_moves_of_ring,         /* block b from rank b round the ring */
    bine_moves_of_group_root,   /* with groups: one block from the root to everyone */
    bine_moves_of_group_parts,  /* block b from the root to rank b */
    bine_moves_of_group_hung,   /* parts of the vector from the root to everyone */
    bine_moves_of_group_every,  /* block b from rank b to everyone */
    bine_moves_of_group_all,    /* parts of the vector, each from its owner to everyone */
    bine_moves_of_up_down,      /* as listed_root, and down another tree */
    bine_moves_of_around,       /* the composition asks for a tree and makes the moves itself */
    bine_moves_of_slots,        /* an alltoall: it asks for the tree, and for no moves */
    bine_moves_of_its_own;      /* the composition asks for neither */

/* The k-th tree that a composition plants for itself, from the request if that has it. What is not
 * from there is put into *own, to be freed. NULL when out of memory. */
const struct bine_tree *bine_spec_planted(const struct bine_spec *spec, int k,
                                          struct bine_tree **own);

/* How an algorithm that knows groups goes along stretches. */
struct bine_stretch_way bine_request_way(const struct bine_spec *spec, enum bine_stretch_kind kind);

/* The moves of a request; 0, or -1 when out of memory. */
int bine_spec_moves(struct bine_moves *m, const struct bine_spec *spec);
/* The second half of an allreduce along stretches, which adds nothing up: from the homes to all. 0,
 * or -1 when out of memory. */
int bine_request_moves_back(struct bine_moves *m, const struct bine_spec *spec);
/* The first half of the hung broadcast: each block from the root to its owner, along the tree of
 * the owner. 0, or -1 when out of memory. */
int bine_request_moves_to_owners(struct bine_moves *m, const struct bine_spec *spec);

#endif
