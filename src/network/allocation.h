/* An allocation: in which group of the network each rank of a job is. */
#ifndef BINE_NETWORK_ALLOCATION_H
#define BINE_NETWORK_ALLOCATION_H

#include "network/hosts.h"
#include "network/machine.h"
#include "pattern/groups/groups.h"

struct bine_allocation {
    int p;
    int32_t *group;          /* of each rank: 0, 1, ... in the order in which ranks meet them */
    struct bine_names names; /* of the groups */
    int32_t *inner;          /* of each rank: its node or what else is nested in its group, by
                                number below p; NULL: every rank is alone */
    struct bine_shape shape; /* of the torus that the ranks are on; no dims: not on a torus */
    int32_t *node;           /* of each rank, on a torus */
};

/* Which rank goes to which host: as given; sorted by the hosts' names; or group by group (each in
 * the order given). */
enum bine_reorder { BINE_REORDER_OFF, BINE_REORDER_HOSTNAME, BINE_REORDER_GROUP };

/* Each returns 0, or -1 with *why (and nothing to free). */

/* Every rank on its host of the machine. An unknown host is named. */
int bine_allocation_place(struct bine_allocation *a, const struct bine_machine *m,
                          const struct bine_hosts *h, enum bine_reorder reorder,
                          struct bine_reason *why);
/* Groups of the given sizes, in rank order: "5,5,6". */
int bine_allocation_sizes(struct bine_allocation *a, const char *sizes, struct bine_reason *why);
/* A file with the name of a group for each rank, one a line. A name may say what is nested in the
 * group, as in cell3/node7. */
int bine_allocation_read(struct bine_allocation *a, const char *text, size_t size, const char *file,
                         struct bine_reason *why);
/* Either: sizes are digits and commas, anything else is the name of a file. */
int bine_allocation_load(struct bine_allocation *a, const char *word, struct bine_reason *why);
/* All nodes of a torus, rank i on node i. */
int bine_allocation_torus(struct bine_allocation *a, const struct bine_shape *shape,
                          struct bine_reason *why);
/* Group the ranks: sort them by the names of their groups. */
int bine_allocation_sort(struct bine_allocation *a, struct bine_reason *why);
void bine_allocation_free(struct bine_allocation *a);

/* The groups as algorithms know them; NULL when out of memory. */
struct bine_groups *bine_allocation_levels(const struct bine_allocation *a);

/* On how many nodes the ranks are, and how many at most are on one; -1 when out of memory. */
int bine_allocation_nodes(const struct bine_allocation *a, int *most);

static inline int bine_allocation_groups(const struct bine_allocation *a) {
    return a->names.count;
}

#endif
