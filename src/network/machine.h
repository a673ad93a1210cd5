/* Machines: which hosts there are, and which group of the network each belongs to.
 *
 * A group is a part that is joined to the rest by fewer links than it has inside: a Dragonfly or
 * Dragonfly+ group, a subtree of an oversubscribed fat tree, a leaf switch. On a torus every node
 * is a group of its own, and has coordinates. A machine is data; these formats are read:
 *
 * 1. Machine files. A line is a key and its value; # begins a comment.
 *
 *     name leonardo
 *     about One line about it
 *     topology dragonfly+              dragonfly, dragonfly+, fat-tree, torus or map
 *     nodes 4992                       how many there are; checked against the hosts listed
 *     groups 23                        how many there are, also groups without listed hosts
 *     nics 2                           network interfaces of a node
 *     nic-gbits 200                    Gbit/s of each of them
 *     oversubscription 2:1             links inside a group to links out of it
 *     group cell20 lrdn[3421-3744]     a group and its hosts; may be continued in another line
 *     split cell 180 lrdn[0001-3420]   cell1, cell2, ...: each the next 180 hosts of the list
 *     pattern as<group>r<rack>b<blade> hosts by their names: <group> is digits and names the group
 *     level pod                        the lines `group`, `split`, `groups`, `oversubscription` and
 *                                      the rates of links between groups that follow are of larger
 *                                      groups, whose members are groups of the level before; ahead
 *                                      of all groups it only names their level
 *     group pod1 leaf[1-3]             a larger group and its groups
 *     dims 24x23x24x2x3x2              torus: the sizes of its dimensions
 *     hosts n[0-158975]                torus: the hosts in row-major order of their coordinates
 *     latency-us 1.5                   and other rates: see network/rates.h
 *
 * 2. Maps: a file whose name ends in .map; a line is a host list and the name of its group.
 * 3. Slurm's topology.conf (SwitchName=... or BlockName=... lines), which may include other files,
 *    what "scontrol show topology" prints, and topology.yaml. Groups are the leaf switches (level
 *    1), and larger groups the switches above them (level 2), ...; or groups are the blocks.
 * 4. Topology addresses, as Slurm puts them into SLURM_TOPOLOGY_ADDR: top.leaf.host. There is no
 *    file; the groups are written in the host's name.
 *
 * Levels nest: level 1 is the groups, level 2 larger groups of these, and so on. Whoever asks for
 * one level gets its groups, and no larger ones. */
#ifndef BINE_NETWORK_MACHINE_H
#define BINE_NETWORK_MACHINE_H

#include "network/group_name.h"
#include "network/hostlist.h"
#include "network/rates.h"
#include "network/torus_links.h"

enum bine_topology {
    BINE_DRAGONFLY,
    BINE_DRAGONFLY_PLUS,
    BINE_FAT_TREE,
    BINE_TORUS,
    BINE_MAP,
    BINE_ADDRESSES,
    BINE_TOPOLOGIES
};

/* One level of larger groups. */
struct bine_wider {
    char *name; /* of the level, or NULL */
    struct bine_names groups;
    int32_t *of; /* each group of the level below is in this one; -1: in none yet */
    size_t room;
    long declared;           /* groups of the level; 0: as many as are listed */
    double oversubscription; /* 0: not known */
    struct bine_rates rates; /* of the links between its groups: uplink, pair and latency_far */
};

struct bine_machine {
    char *name, *about, *pattern; /* the last two may be NULL */
    enum bine_topology topology;
    int level;        /* of the groups; 1: the smallest */
    int levels;       /* that the file has */
    char *level_name; /* of the groups, or NULL */
    int wider;        /* levels above the groups; 0 too where one level was asked for */
    struct bine_wider above[BINE_WIDER_MOST];
    long nodes, declared_groups, nics;
    double nic_gbits, oversubscription; /* 0: not known */
    struct bine_rates rates;            /* as described; 0: not known */
    struct bine_names hosts, groups;
    int32_t *group; /* of each host; NULL on a torus */
    size_t group_room;
    struct bine_shape shape; /* torus */
    char *note;              /* the reading of a line that could be read in several ways, or a line
                                of what is not modelled, with its file and line; or NULL */
};

struct bine_machine_options {
    int level;   /* one level alone; 0: groups of level 1, and all larger ones */
    size_t most; /* hosts; 0 means BINE_HOSTS_MOST */
};

/* Read a machine; `file` is its name, for messages and for telling maps. NULL, and *why, on
 * failure. */
struct bine_machine *bine_machine_read(const char *text, size_t size, const char *file,
                                       const struct bine_machine_options *options,
                                       struct bine_reason *why);
/* The machine of hosts that are topology addresses of this pattern; see network/address.h. Level 0:
 * all. NULL, and *why, if they tell of no groups of this level. */
struct bine_machine *bine_machine_addresses(const char *pattern, int level,
                                            struct bine_reason *why);
void bine_machine_free(struct bine_machine *m);

const char *bine_topology_name(enum bine_topology t);
long bine_machine_nodes(const struct bine_machine *m);
long bine_machine_groups(const struct bine_machine *m);

/* The name of a host's group, in *group (it lives as long as the machine and the host's name).
 * *node is the host's number on a torus, -1 elsewhere. -1 if the host is not of this machine. */
int bine_machine_find(const struct bine_machine *m, const char *host, struct bine_group_name *group,
                      int *node);
/* The name of the larger group around the host's group, `up` levels above it, from 1. -1 if there
 * is none. */
int bine_machine_find_wider(const struct bine_machine *m, const char *host, int up,
                            struct bine_group_name *group);

#endif
