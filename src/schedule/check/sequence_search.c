/* Going through the states of a sequence: all of them, each once, or some at random. */
#include "schedule/check/sequence_state.h"

#include "base/grow.h"
#include "base/hash.h"
#include "base/set.h"

#include <stdlib.h>
#include <string.h>

/* The states that were met: a set of places in one row of them, which is also the list of the
 * states to be looked at. */
struct search {
    struct bine_sequence_shape shape;
    bine_sequence_cell *state; /* one after the other */
    size_t count, room;
    struct bine_set met; /* the numbers of these states */
};

static uint32_t hash_of(const bine_sequence_cell *state, size_t cells) {
    return bine_hash_number(bine_hash(BINE_HASH, state, cells * sizeof *state));
}

static const bine_sequence_cell *state_at(const struct search *x, size_t i) {
    return x->state + i * x->shape.cells;
}

static int same_state(const void *search, uint32_t number, const void *state) {
    const struct search *x = search;
    return memcmp(state_at(x, number), state, x->shape.cells * sizeof *x->state) == 0;
}

/* Room for one more state, behind the last. */
static int make_room(struct search *x) {
    return bine_grow(&x->state, &x->room, x->count + 1, x->shape.cells * sizeof *x->state);
}

/* The state behind the last is one more, unless it was met before. 0, or -1 when out of memory. */
static int keep(struct search *x) {
    const bine_sequence_cell *state = state_at(x, x->count);
    uint32_t hash = hash_of(state, x->shape.cells);
    if (bine_set_find(&x->met, hash, same_state, x, state) != NULL)
        return 0;
    if (x->count >= BINE_SET_FREE || bine_set_add(&x->met, hash, (uint32_t)x->count) != 0)
        return -1;
    x->count++;
    return 0;
}

/* Everything that can happen in one state. */
static int look_at(struct search *x, size_t i, struct bine_sequence_move *list,
                   struct bine_verdict *verdict) {
    size_t cells = x->shape.cells, n = bine_sequence_moves(&x->shape, state_at(x, i), list);
    if (n == 0)
        return bine_sequence_ended(&x->shape, state_at(x, i), verdict);
    for (size_t k = 0; k < n; k++) {
        if (make_room(x) != 0)
            return -1;
        bine_sequence_cell *next = x->state + x->count * cells;
        memcpy(next, state_at(x, i), cells * sizeof *next);
        if (bine_sequence_make(&x->shape, next, list[k], verdict) != 0)
            return 1;
        if (keep(x) != 0)
            return -1;
    }
    return 0;
}

int bine_sequence_check(const struct bine_sequence *q, size_t most, size_t *states,
                        struct bine_verdict *verdict) {
    struct search x = {.shape = bine_sequence_shape_of(q)};
    struct bine_sequence_move *list = malloc(bine_sequence_moves_most(&x.shape) * sizeof *list);
    int rc = list == NULL || make_room(&x) != 0 ? -1 : 0;
    *verdict = (struct bine_verdict){.rank = -1, .time = -1};
    if (rc == 0) {
        bine_sequence_begin(&x.shape, x.state);
        rc = keep(&x);
    }
    for (size_t i = 0; i < x.count && rc == 0; i++)
        rc = x.count > most ? -1 : look_at(&x, i, list, verdict);
    *states = x.count;
    free(list);
    free(x.state);
    bine_set_free(&x.met);
    return rc;
}

/* A plain generator, so that a walk can be repeated. */
static size_t draw(uint64_t *seed, size_t below) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (size_t)((*seed >> 33) % below);
}

/* One interleaving. Now and then one rank is kept back for a while: neighbours alone would hardly
 * ever be a whole call apart. */
static int walk(const struct bine_sequence_shape *x, bine_sequence_cell *state,
                struct bine_sequence_move *list, uint64_t *seed, struct bine_verdict *verdict) {
    size_t n;
    int held = -1, left = 0;
    bine_sequence_begin(x, state);
    while ((n = bine_sequence_moves(x, state, list)) > 0) {
        if (left-- <= 0) {
            held = (int)draw(seed, (size_t)x->q->p);
            left = (int)draw(seed, (size_t)x->q->p * 32);
        }
        size_t others = 0;
        for (size_t k = 0; k < n; k++)
            if (list[k].rank != held)
                list[others++] = list[k];
        if (others == 0) /* all that is left is of the one that is held: as it was */
            others = bine_sequence_moves(x, state, list);
        if (bine_sequence_make(x, state, list[draw(seed, others)], verdict) != 0)
            return 1;
    }
    return bine_sequence_ended(x, state, verdict);
}

int bine_sequence_walk(const struct bine_sequence *q, int walks, uint64_t seed,
                       struct bine_verdict *verdict) {
    struct bine_sequence_shape x = bine_sequence_shape_of(q);
    struct bine_sequence_move *list = malloc(bine_sequence_moves_most(&x) * sizeof *list);
    bine_sequence_cell *state = malloc(x.cells * sizeof *state);
    int rc = list == NULL || state == NULL ? -1 : 0;
    *verdict = (struct bine_verdict){.rank = -1, .time = -1};
    for (int i = 0; i < walks && rc == 0; i++)
        rc = walk(&x, state, list, &seed, verdict);
    free(list);
    free(state);
    return rc;
}
