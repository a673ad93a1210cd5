/* An allocation: in which group of the network each rank of a job is, and in which larger groups
 * around that. */
#ifndef BINE_NETWORK_ALLOCATION_H
#define BINE_NETWORK_ALLOCATION_H

#include "network/hosts.h"
#include "network/machine.h"
#include "pattern/groups/groups.h"

/* Larger groups: groups of groups. */
struct bine_outer {
    int32_t *group;          /* of each rank, numbered as groups are */
    struct bine_names names; /* of these groups */
    int level;               /* of the network: the groups are level 1 */
};

struct bine_allocation {
    int p;
    int32_t *group;          /* of each rank: 0, 1, ... in the order in which ranks meet them */
    struct bine_names names; /* of the groups */
    int wider;               /* levels of larger groups that there are several of, and fewer than
                                of the level below */
    struct bine_outer
        outer[BINE_WIDER_MOST]; /* from the ones directly around the groups outwards */
    int32_t *inner;             /* of each rank: its node, or another part nested in its group, by
                                number below p; NULL: every rank is alone */
    struct bine_shape shape;    /* of the torus that the ranks are on; no dims: not on a torus */
    int32_t *node;              /* of each rank, on a torus */
};

/* Which rank goes to which host: as given; sorted by the hosts' names; or group by group (each in
 * the order given). */
enum bine_reorder { BINE_REORDER_OFF, BINE_REORDER_HOSTNAME, BINE_REORDER_GROUP };

/* Each returns 0, or -1 with *why (and nothing to free). */

/* Every rank on its host of the machine. An unknown host is named. */
int bine_allocation_place(struct bine_allocation *a, const struct bine_machine *m,
                          const struct bine_hosts *h, enum bine_reorder reorder,
                          struct bine_reason *why);
/* Groups of the given sizes, in rank order: "5,5,6"; in brackets, the parts of a larger group:
 * "(3,2),(4)" or "(3,2),4". */
int bine_allocation_sizes(struct bine_allocation *a, const char *sizes, struct bine_reason *why);
/* A file with the name of a group for each rank, one a line; where there are larger groups, their
 * names before it, the largest first: "island1 pod2 leaf3". A name of a group may have a
 * nested part, as in cell3/node7. */
int bine_allocation_read(struct bine_allocation *a, const char *text, size_t size, const char *file,
                         struct bine_reason *why);
/* Either: sizes are digits, commas and brackets, anything else is the name of a file. */
int bine_allocation_is_sizes(const char *word);
int bine_allocation_load(struct bine_allocation *a, const char *word, struct bine_reason *why);
/* All nodes of a torus, rank i on node i. */
int bine_allocation_torus(struct bine_allocation *a, const struct bine_shape *shape,
                          struct bine_reason *why);
/* Group the ranks: sort them by the names of their groups. */
int bine_allocation_sort(struct bine_allocation *a, struct bine_reason *why);
/* Some ranks of another one, in the order of `rank`: the ranks of a communicator. */
int bine_allocation_part(struct bine_allocation *a, const struct bine_allocation *of,
                         const int32_t *rank, int p, struct bine_reason *why);
void bine_allocation_free(struct bine_allocation *a);
/* One level alone, counted from the groups (1) outwards: its groups become the groups. -1 if there
 * is no such level. */
int bine_allocation_keep_level(struct bine_allocation *a, int level, struct bine_reason *why);

/* The groups as algorithms know them; NULL when out of memory. */
struct bine_groups *bine_allocation_levels(const struct bine_allocation *a);
_Static_assert((int)BINE_WIDER_MOST + 2 <= (int)BINE_LEVELS_MOST, "levels of an allocation");

/* On how many nodes the ranks are, and how many at most are on one; -1 when out of memory. */
int bine_allocation_nodes(const struct bine_allocation *a, int *most);

static inline int bine_allocation_groups(const struct bine_allocation *a) {
    return a->names.count;
}

/* The groups of a level, 0 being the groups, k the larger ones outer[k - 1]: of each rank, and how
 * many there are. */
static inline const int32_t *bine_allocation_level(const struct bine_allocation *a, int level,
                                                   int *count) {
    *count = level == 0 ? a->names.count : a->outer[level - 1].names.count;
    return level == 0 ? a->group : a->outer[level - 1].group;
}

#endif
