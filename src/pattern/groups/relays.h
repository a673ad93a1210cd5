/* Relays: which group sends a piece of an allgather into another group, so that no link between
 * groups carries more than it must, and the bytes between groups are the least.
 *
 * The block of every rank is cut into F equal pieces. G groups have S_1 .. S_G pieces of P in all.
 * Every piece comes into each other group once, so that P - S_g come into group g, whatever the
 * way: the link into the smallest group carries U = P - S_min. Sent directly, (G - 1) S_g pieces
 * leave group g, more than U where the group is large. So a large group leaves some of its sending
 * to smaller groups, which get these pieces first and pass them on.
 *
 * Allowances. Group g may send q(g, h) pieces to group h: U / (G - 1), rounded up for the first
 * U mod (G - 1) groups after g in a circle, and down for the others. So U pieces may leave every
 * group, and U may come into every group. What is more in a large group g, e(g, h) = S_g - q(g, h),
 * other groups k send for it, each at most what it is short of its own allowance: d(k, h) =
 * q(k, h) - S_k. That is enough, for every h: without h itself, these allowances add up to U, and
 * P - S_h = U - (S_h - S_min) pieces are to come.
 *
 * Who relays. For each h, the large groups stand in a row with e(g, h) pieces each, and share the
 * d(k, h) of all small ones in proportion: after the first a pieces of the row, group k relays a
 * d(k, h) / D of them, D the sum of all d(k, h), rounded up for those that come to the next whole
 * number first, and down for the others. (Quotas with the earliest deadline first: roundings that
 * are always possible, and never less than before.)
 *
 * Which pieces. The pieces of a large group that group k relays to anyone are the first ones of a
 * zone of them, one zone for each k, side by side from the beginning of the group's pieces: as long
 * as the most that k relays to one group. A zone is sent to its relay directly. So two hops are
 * enough, and all is well if the zones of a group are no longer than the group's pieces. In
 * fractions they are S_g - S_min at most; rounding adds less than a piece for each relay, for which
 * S_min has room if F is about G. Where it does not fit, all goes directly.
 *
 *     groups of 9, 4 and 3 ranks, F = 4: S = 36, 16, 12; P = 64, U = 52, q = 26. The first group
 *     has e = 10 pieces too many for each of the others; these have d = 10 and 14 left. So the
 *     second relays a zone of 10 pieces to the third, and the third another 10 of its zone to the
 *     second. Up: 26 + 26, 16 + 16 + 10, 12 + 12 + 10 pieces, that is 13, 10.5 and 8.5 blocks of
 *     16. Down: 28, 48 and 52 pieces: 7, 12 and 13 blocks
 *
 * (A reduce-scatter is that backwards: down 13, 10.5, 8.5 and up 7, 12, 13.)
 *
 * Between two groups at most U / (G - 1) pieces go, rounded up. F is the least multiple of G - 1
 * from 4 up, so that nothing is rounded and both bounds are met exactly; but 64 at most. */
#ifndef BINE_PATTERN_RELAYS_H
#define BINE_PATTERN_RELAYS_H

#include "pattern/groups/groups.h"

struct bine_relays {
    int groups;     /* 0: nothing is relayed */
    int cut;        /* pieces of each rank's block */
    int32_t *large; /* of each group: its number among those whose pieces are relayed, or -1 */
    int32_t *zone;  /* of each large group: where the zone of each group begins, and an end */
    int32_t *count; /* of each large group, by relay, by group that it relays to: pieces */
};

/* More groups than that would take long: all goes directly there. */
enum { BINE_RELAY_GROUPS = 128 };

/* Into how many pieces each rank's block is to be cut: F. */
int bine_relays_cut(const struct bine_groups *g);
/* 0, or -1 when out of memory. */
int bine_relays_open(struct bine_relays *r, const struct bine_groups *g, int cut);
void bine_relays_close(struct bine_relays *r);

/* How many of a group's pieces are in zones: the first ones. */
int bine_relays_zones(const struct bine_relays *r, int group);
/* Which group sends a piece of a group (counted in the group) into another one; *count: how many
 * pieces from there on are sent by that group, and in zones, or not, as the first one is. */
int bine_relays_sender(const struct bine_relays *r, int group, int piece, int into, int *count);

#endif
