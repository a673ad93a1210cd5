/* Slurm's topology addresses: SLURM_TOPOLOGY_ADDR of a node, as in core.leaf1.n1.
 *
 * SLURM_TOPOLOGY_ADDR_PATTERN names the parts: switch.switch.node, block.node; but also
 * ring:position.node, torus:x:y:z.node or node, which tell of no groups. The group of level 1 is
 * all parts before the node, of level 2 all but the last of these, and so on. */
#ifndef BINE_NETWORK_ADDRESS_H
#define BINE_NETWORK_ADDRESS_H

#include "network/group_name.h"

/* Room for an address or a pattern. */
enum { BINE_ADDRESS_ROOM = 1024 };

/* Does a pattern tell of groups of this level? NULL: the level is not known; switches are meant. */
int bine_address_has_groups(const char *pattern, int level);
/* How many levels of larger groups a pattern tells of, above those of level 1: at most
 * BINE_WIDER_MOST. NULL: as many as an address has. */
int bine_address_wider(const char *pattern);
/* The group in an address; it points into the address. 0, or -1 if it has none. */
int bine_address_group(const char *address, const char *pattern, int level,
                       struct bine_group_name *group);
/* A node below several switches is written core.leaf[1-2].n3. In a text of addresses, the first of
 * these switches is made to count: core.leaf1.n3. Returns how many were changed. */
int bine_address_settle(char *text);

/* The value of a variable that Slurm sets for each node, SLURM_TOPOLOGY_ADDR or SLURMD_NODENAME,
 * on this one. A launcher that runs in a job may hand its own environment to all ranks, and so
 * tell every rank where the launcher is. Then the process that it started on this node knows
 * better: an ancestor of this one, which Slurm itself has started. So unless the value ends with
 * the host's name, ancestors that have the variable are asked. 0: *from_launcher says whether that
 * was so; -1: there is none, or it is too long. */
int bine_slurm_own(const char *variable, const char *host, char *value, size_t room,
                   int *from_launcher);

#endif
