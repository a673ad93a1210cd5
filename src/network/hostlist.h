/* Host lists in Slurm's notation.
 *
 *     lrdn[0001-0128,0200],login1      lists and ranges; zeros in front of a range's beginning pad
 *     as[01-07]r[1-5]b[01-32]          several brackets: the last one counts fastest
 *     n[1-2,x[3-4]]                    a list in a list: n1, n2, nx3, nx4
 *
 * Hosts come in the order in which they are written. Expansion stops at a limit, so that a typo
 * such as n[1-99999999] is an error and not a full memory. */
#ifndef BINE_NETWORK_HOSTLIST_H
#define BINE_NETWORK_HOSTLIST_H

#include "base/names.h"
#include "base/reason.h"

enum {
    BINE_HOSTS_MOST = 1 << 20, /* in one machine or job */
    BINE_HOST_LENGTH = 255,    /* of a name */
};

/* Called for each host; anything but 0 ends the expansion and is returned by it. */
typedef int (*bine_host_taker)(void *self, const char *host, size_t length);

/* 0; -1 if the list is malformed or longer than `most`, and *why says where; or what `take`
 * returned. */
int bine_hostlist_expand(const char *list, size_t length, size_t most, bine_host_taker take,
                         void *self, struct bine_reason *why);

/* The comma that ends the item at `at` of a list, outside brackets; or the list's end. */
const char *bine_hostlist_item_end(const char *at, const char *end);

/* The shortest list of some names of a table in the given order, folding the last number of each:
 * to be freed; NULL when out of memory. */
char *bine_hostlist_fold(const struct bine_names *names, const int32_t *number, size_t count);

#endif
