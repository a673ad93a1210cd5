#include "comm/shortcuts.h"

#include <string.h>

/* The first count of elements whose bytes reach a bound. */
static int64_t elements_at(int64_t bytes, int size) {
    return bytes == INT64_MAX ? bytes : bytes / size + (bytes % size != 0);
}

/* A type that the program made is watched when it comes a second time: many come once. To watch one
 * takes longer than a call, so the next one with the handle of a watched type is not watched. */
static uint64_t age_of(const struct bine_shortcut *x, MPI_Datatype type) {
    if (bine_type_is_common(type) || bine_type_is_built_in(type))
        return BINE_TYPE_LASTS;
    uint64_t age = atomic_load(&bine_types_age); /* before anybody else could free it */
    if (x->type != type)
        return BINE_TYPE_IS_NEW;
    if (x->age != BINE_TYPE_IS_NEW)
        return x->age == age ? age : BINE_TYPE_IS_REMADE;
    return bine_type_watch(type) ? age : BINE_TYPE_IS_NEW;
}

int bine_shortcut_is_due(struct bine_shortcuts *s, const struct bine_arguments *a) {
    MPI_Datatype type;
    bine_arguments_elements(a, s->rank, s->p, &type);
    if (bine_collective_reduces(a->collective) && !bine_operator_is_built_in(a->op))
        return 0;
    if (a->collective == BINE_ALLGATHERV) /* not by size alone */
        return 0;
    struct bine_shortcut *x = bine_shortcut_place(s, a->collective, type, a->op);
    uint64_t age = age_of(x, type);
    *x = (struct bine_shortcut){.type = type, .op = a->op, .age = age};
    return age != BINE_TYPE_IS_NEW && age != BINE_TYPE_IS_REMADE;
}

void bine_shortcut_add(struct bine_shortcuts *s, const struct bine_arguments *a, int size,
                       const struct bine_byte_range *range, const char *reason) {
    MPI_Datatype type;
    bine_arguments_elements(a, s->rank, s->p, &type);
    struct bine_shortcut *x = bine_shortcut_place(s, a->collective, type, a->op);
    x->reason = reason;
    x->from = size > 0 ? elements_at(range->from, size) : 0;
    x->below = size > 0 ? elements_at(range->below, size) : INT64_MAX;
}

void bine_shortcuts_forget(struct bine_shortcuts *s) {
    memset(s->every, 0, sizeof s->every);
    memset(s->some, 0, sizeof s->some); /* all of them hold for no sizes */
}
