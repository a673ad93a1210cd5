#include "network/origin.h"

#include "network/address.h"
#include "network/slurm/slurm_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_set(const char *word) {
    return word != NULL && *word != '\0';
}

/* The topology address of this node, from Slurm. */
static void slurm_origin(const char *host, char *text, size_t size) {
    char address[BINE_ADDRESS_ROOM];
    struct bine_group_name group;
    int from_launcher;
    const char *pattern = getenv("SLURM_TOPOLOGY_ADDR_PATTERN");
    struct bine_slurm_job job;
    bine_slurm_job_find(&job);
    if (bine_slurm_own("SLURM_TOPOLOGY_ADDR", host, address, sizeof address, &from_launcher) != 0) {
        snprintf(text, size, "groups not known: BINE_GROUPS and BINE_MACHINE are not set, and %s",
                 job.nodes == NULL ? "this is no Slurm job"
                                   : "Slurm does not say (no SLURM_TOPOLOGY_ADDR)");
        return;
    }
    int known = bine_address_group(address, pattern, 1, &group) == 0;
    snprintf(text, size, "groups %s: SLURM_TOPOLOGY_ADDR=%.200s (%.100s)%s",
             known ? "by Slurm" : "not known", address,
             pattern == NULL ? "switches and the node, as it has no pattern" : pattern,
             !known          ? ", which names no switches or blocks"
             : from_launcher ? ", as the launcher has it: the program's own is another node's"
                             : "");
}

const char *bine_groups_origin(const char *groups, const char *machine, const char *host,
                               char text[BINE_GROUPS_ORIGIN]) {
    if (is_set(groups) && strcmp(groups, "off") == 0)
        snprintf(text, BINE_GROUPS_ORIGIN, "groups not known: BINE_GROUPS=off");
    else if (is_set(groups))
        snprintf(text, BINE_GROUPS_ORIGIN, "groups by BINE_GROUPS=%.200s", groups);
    else if (is_set(machine))
        snprintf(text, BINE_GROUPS_ORIGIN, "groups by the machine BINE_MACHINE=%.200s", machine);
    else
        slurm_origin(host, text, BINE_GROUPS_ORIGIN);
    return text;
}
