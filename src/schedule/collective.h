/* The collectives, one row each in collectives.def. */
#ifndef BINE_SCHEDULE_COLLECTIVE_H
#define BINE_SCHEDULE_COLLECTIVE_H

enum bine_collective {
#define COLLECTIVE(NAME, ...) BINE_##NAME,
#include "schedule/collectives.def"
#undef COLLECTIVE
    BINE_COLLECTIVES
};

struct bine_collective_row {
    const char *name;
    enum bine_collective kind; /* of its schedules */
    int rooted, reduces;
    int vector;   /* its blocks are parts of one vector, of no rank in particular; otherwise each
                     belongs to a rank */
    int in_place; /* MPI_IN_PLACE makes a difference (everywhere, or at the root) */
    int uneven;   /* every block has a size of its own, which may be 0 */
    int prefix;   /* each rank gets a result of its own, of the ranks up to it: scans */
    const char *alias; /* another call that is served alike, or NULL */
};

/* By enum bine_collective. */
extern const struct bine_collective_row bine_collectives[BINE_COLLECTIVES];

static inline const char *bine_collective_name(enum bine_collective c) {
    return bine_collectives[c].name;
}
static inline enum bine_collective bine_collective_kind(enum bine_collective c) {
    return bine_collectives[c].kind;
}
static inline int bine_cuts_a_vector(enum bine_collective c) {
    return bine_collectives[c].vector;
}
static inline int bine_collective_is_rooted(enum bine_collective c) {
    return bine_collectives[c].rooted;
}
static inline int bine_collective_reduces(enum bine_collective c) {
    return bine_collectives[c].reduces;
}
static inline int bine_collective_has_in_place(enum bine_collective c) {
    return bine_collectives[c].in_place;
}
static inline int bine_collective_is_uneven(enum bine_collective c) {
    return bine_collectives[c].uneven;
}

/* No barrier, no scan and no uneven blocks: the kinds that devices, staging and the model know. */
static inline int bine_collective_is_plain(enum bine_collective c) {
    return c != BINE_BARRIER && !bine_collectives[c].prefix && !bine_collective_is_uneven(c);
}

/* The number of a name or another name, or -1. */
int bine_collective_find(const char *name);

#endif
