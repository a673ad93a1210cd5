/* A way along stretches: how a collective uses them. */
#ifndef BINE_SCHEDULE_BUILD_STRETCH_WAY_H
#define BINE_SCHEDULE_BUILD_STRETCH_WAY_H

#include "pattern/groups/relays.h"
#include "pattern/groups/stretches.h"

/* Which pieces of blocks of ranks: all, or those outside zones, or those in zones (relays.h), some
 * of which come to a group by a relay, a time later than the others. */
enum bine_zones { BINE_ZONES_ALL, BINE_ZONES_WITHOUT, BINE_ZONES_ONLY };

struct bine_stretch_way {
    struct bine_stretches stretches;
    int radix;     /* of the rounds inside the smallest sets */
    int few;       /* a rank takes about so many messages from other groups, if that can be had; 0:
                      any number */
    int of_class;  /* only what goes to ranks of groups of this class; -1: all */
    int root_adds; /* hung, to be run backwards: the root takes part in the sums of its smallest
                      set, so that it needs to add nothing when all come together */
    enum bine_zones zones;
    const struct bine_relays *relays; /* NULL if zones are all */
};

#endif
