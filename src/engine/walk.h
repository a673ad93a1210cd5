/* The walk over an operation: its instructions (code_cache.h).
 *
 * There is one walk for each kind of operation, a row of the table in walk.c. Its instructions go
 * to a sink: code.c writes them down, for repeated calls; steps.c executes them at once, as the
 * parts of a message come in. */
#ifndef BINE_ENGINE_WALK_H
#define BINE_ENGINE_WALK_H

#include "engine/code_cache.h"
#include "engine/execution.h"

struct bine_op_walk {
    struct bine_execution *x;
    void (*take)(struct bine_op_walk *w, const struct bine_code *c); /* an instruction */
    int64_t chunk;          /* elements that are added up and copied to their place at a time */
    struct bine_code *next; /* for the writer: where the next instruction goes */
    char *base[BINE_BASES]; /* for the executor: see code_cache.h */
};

/* A walk whose instructions are done at once; errors are noted in the execution. */
struct bine_op_walk bine_op_walk_now(struct bine_execution *x,
                                     const struct bine_strand_state *strand);

/* How an operation's data goes: `packed`, all its runs in one transfer; `aside`, sent from or
 * received elsewhere than in its places. */
struct bine_manner {
    int packed, aside;
};
struct bine_manner bine_manner_of(const struct bine_plan *plan, const struct bine_op *op);

/* Before a message: copy its pieces side by side. */
void bine_op_walk_pack(struct bine_op_walk *w, const struct bine_op *op,
                       struct bine_location aside);
/* The other way round. */
void bine_op_walk_unpack(struct bine_op_walk *w, const struct bine_op *op,
                         struct bine_location aside);
/* After a message, or for a local operation: use a part of the operation's elements, which were
 * received at `aside` or (NULL) in their places. */
void bine_op_walk_use(struct bine_op_walk *w, const struct bine_op *op,
                      const struct bine_op_part *part, const struct bine_location *aside);
/* The walk over all of its elements. */
void bine_op_walk_use_all(struct bine_op_walk *w, const struct bine_op *op,
                          const struct bine_location *aside);
/* The local operations of a step. */
void bine_op_walk_local(struct bine_op_walk *w, const struct bine_step *step);

/* Where n elements may lie beside others in scratch or staging memory; moves on. */
struct bine_location bine_location_take(const struct bine_type *t, int base, size_t *used,
                                        int64_t n);
/* The place of the elements of a run, from some on. */
struct bine_location bine_location_of(const struct bine_execution *x, const struct bine_run *r,
                                      int64_t skip);

static inline struct bine_location bine_location_beyond(const struct bine_execution *x,
                                                        struct bine_location a, int64_t n) {
    return (struct bine_location){a.base, a.offset + n * x->type.extent};
}

#endif
