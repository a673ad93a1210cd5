/* The listing of one rank's moves along stretches, while they are found: what moves_stretch.c
 * (rounds inside sets, the way out from a root) and moves_crossing.c (between sets) share. */
#ifndef BINE_SCHEDULE_BUILD_MOVES_LISTING_H
#define BINE_SCHEDULE_BUILD_MOVES_LISTING_H

#include "schedule/build/moves/moves.h"
#include "schedule/build/moves/stretch_way.h"

struct bine_listed {
    int32_t time, direction, peer, turn; /* turn: how far away the peer is, so that not all ranks
                                            begin with the same one */
    struct bine_interval pieces;
};

struct bine_listing {
    const struct bine_stretch_way *way;
    const struct bine_stretches *s;
    const struct bine_groups *g;
    int rank, place; /* its place in `member` */
    int lines, base; /* the level of the smallest sets */
    int rounds;      /* of the largest of these */
    int out;         /* times that pieces need to leave a root */
    int *before;     /* of each group, with two lines: see bine_crossing_rounds_before */
    int *rounds_of;  /* of each group, with two lines; in the memory of `before` */
    int *number;     /* of each time, among those at which any rank sends */
    int times;       /* so many of these */
    struct bine_listed *entry;
    uint32_t count, room;
    int failed;
};

/* Pieces, to or from the rank at a place of `member`. */
void bine_listing_add(struct bine_listing *x, int time, enum bine_direction direction, int peer,
                      struct bine_interval pieces);
/* The pieces at some places of a line, to or from the rank at a place of `member`. */
void bine_listing_places(struct bine_listing *x, int time, enum bine_direction direction, int peer,
                         const struct bine_line *line, int a, int z);

/* Whether the ranks of a set of a level have any piece in line k that is wanted. Where groups are
 * homes of fewer pieces than there are groups, or a strand takes some pieces only, it has none. */
int bine_listing_has(const struct bine_listing *x, int k, int level, int set);

static inline int bine_listing_set(const struct bine_listing *x, int level, int place) {
    return x->g->level[level].set_of[x->g->member[place]];
}

static inline int bine_listing_first(const struct bine_listing *x, int level, int set) {
    return x->g->level[level].begin[set];
}

static inline int bine_listing_size(const struct bine_listing *x, int level, int set) {
    return bine_groups_size(x->g, level, set);
}

static inline int bine_listing_widths(const struct bine_listing *x, int n,
                                      int width[BINE_ROUNDS_MOST + 1]) {
    return bine_round_widths(n, x->s->flat ? (n > 2 ? n : 2) : x->way->radix, width);
}

/* Times that the rounds of a line take. A flat line takes one for each of its parts: what is
 * published at one time is one run. */
static inline int bine_listing_times(const struct bine_listing *x, int line) {
    return x->s->flat ? 1 << line : x->rounds;
}

/* Times that a crossing between groups takes beyond the first: relays pass on at one. */
static inline int bine_listing_relays(const struct bine_listing *x) {
    return x->way->zones == BINE_ZONES_ONLY;
}

/* Crossings. */

/* Find `before`: after how many rounds what enters a group leaves the others: with no more than so
 * many messages for each of its ranks, if that can be had. */
void bine_crossing_rounds_before(struct bine_listing *x);
/* When the rounds of a line begin, in a group. */
int bine_crossing_rounds_begin(const struct bine_listing *x, int k, int own);
/* The crossing between the sets inside this rank's set of a level. */
void bine_crossing_add(struct bine_listing *x, int level);
/* Mark the times at which any rank sends in it. */
void bine_crossing_mark(const struct bine_listing *x, int level, int *used);

/* The crossing between groups of what is in zones, directly and by relays. */
void bine_relay_add(struct bine_listing *x);

#endif
