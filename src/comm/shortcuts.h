/* MPI calls that end in the MPI library's own function, known by a few comparisons.
 *
 * Most calls of most programs do, and finding that out is all that the drop-in library costs them.
 * So each communicator keeps, for each collective, the last few kinds of forwarded calls: a
 * datatype, an operator, and a range of sizes over which no rule changes. */
#ifndef BINE_COMM_SHORTCUTS_H
#define BINE_COMM_SHORTCUTS_H

#include "comm/communicators.h"
#include "engine/memory/memory.h"
#include "mpi/arguments.h"
#include "mpi/handles.h"
#include "select/selection.h"

enum { BINE_SHORTCUTS = 4 }; /* for each collective */

/* As ages: of a type that is never freed; of one that was seen once; and of a handle whose type was
 * freed after it had been watched, so that the program makes it again and again. */
#define BINE_TYPE_LASTS UINT64_C(0)
#define BINE_TYPE_IS_NEW UINT64_MAX
#define BINE_TYPE_IS_REMADE (UINT64_MAX - 1)

struct bine_shortcut {
    MPI_Datatype type;
    MPI_Op op;
    int64_t from, below; /* elements; nothing lies between if they are equal */
    uint64_t age;        /* bine_types_age when it was made, or one of the above */
    const char *reason;
};

struct bine_shortcuts {
    struct bine_context *context; /* whose they are */
    int rank, p;
    int may_have_device_buffers; /* buffers may come to be in memory that MPI cannot touch */
    const char *every[BINE_COLLECTIVES]; /* why MPI makes all calls of a collective, or NULL */
    struct bine_shortcut some[BINE_COLLECTIVES][BINE_SHORTCUTS];
    const char *last_reason; /* why MPI made the last call; NULL: it did not */
    enum bine_collective last_collective;
};

static inline struct bine_shortcut *bine_shortcut_place(struct bine_shortcuts *s,
                                                        enum bine_collective c, MPI_Datatype type,
                                                        MPI_Op op) {
    uintptr_t mix = (uintptr_t)type ^ (uintptr_t)op; /* addresses or numbers */
    return &s->some[c][(mix ^ mix >> 6 ^ mix >> 9) & (BINE_SHORTCUTS - 1)];
}

static inline void bine_shortcuts_note(struct bine_shortcuts *s, enum bine_collective c,
                                       const char *reason) {
    s->last_reason = reason;
    s->last_collective = c;
}

/* Whether MPI makes this call, without further ado. Inlined in any case: of the arguments only the
 * few that are looked at are then ever put together. */
static inline __attribute__((always_inline)) int
bine_shortcut_holds(const struct bine_arguments *a) {
    struct bine_shortcuts *s = bine_shortcuts_of(a->comm);
    MPI_Datatype type;
    if (s == NULL || (s->may_have_device_buffers && !bine_memory_is_host_only()))
        return 0;
    if (s->every[a->collective] != NULL) {
        bine_shortcuts_note(s, a->collective, s->every[a->collective]);
        return 1;
    }
    int64_t n = bine_arguments_elements(a, s->rank, s->p, &type);
    const struct bine_shortcut *x = bine_shortcut_place(s, a->collective, type, a->op);
    if (x->type != type || x->op != a->op || n < x->from || n >= x->below ||
        (x->age != BINE_TYPE_LASTS &&
         x->age != atomic_load_explicit(&bine_types_age, memory_order_relaxed)))
        return 0;
    bine_shortcuts_note(s, a->collective, x->reason);
    return 1;
}

/* Whether calls like this one should get a shortcut now; else its type is noted. The datatype is
 * valid. Then remember that they are forwarded, for elements of `size` bytes, for a reason that
 * holds for the bytes in this range. */
int bine_shortcut_is_due(struct bine_shortcuts *s, const struct bine_arguments *a);
void bine_shortcut_add(struct bine_shortcuts *s, const struct bine_arguments *a, int size,
                       const struct bine_byte_range *range, const char *reason);
/* Forget all of that. */
void bine_shortcuts_forget(struct bine_shortcuts *s);

#endif
