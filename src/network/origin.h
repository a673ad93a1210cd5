/* The source of the knowledge of the network: a line for people. */
#ifndef BINE_NETWORK_ORIGIN_H
#define BINE_NETWORK_ORIGIN_H

#include "network/machine.h"

enum { BINE_GROUPS_ORIGIN = 600 };

/* In one line and in the order of precedence: BINE_GROUPS, the machine of BINE_MACHINE,
 * or Slurm; as these settings stand ("" or NULL: not set) and as the environment of this process
 * is. `host` is this one's name. Returns `text`. As in
 *
 *     groups by Slurm: SLURM_TOPOLOGY_ADDR=core.leaf1.n1 (switch.switch.node)
 *     groups not known: BINE_GROUPS and BINE_MACHINE are not set, and this is no Slurm job */
const char *bine_groups_origin(const char *groups, const char *machine, const char *host,
                               char text[BINE_GROUPS_ORIGIN]);

#endif
