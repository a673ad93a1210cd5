/* Slurm's trees of switches, from either of its files. */
#ifndef BINE_NETWORK_SLURM_H
#define BINE_NETWORK_SLURM_H

#include "network/machine.h"
#include "network/machine_make.h"

/* Above a switch: none, or more than one. */
enum { BINE_SWITCH_TOP = -1, BINE_SWITCH_SEVERAL = -2 };

/* A switch, as far as it is known. */
struct bine_switch {
    int32_t parent;     /* or one of the above */
    int32_t file, line; /* where it is defined, or else mentioned first */
    int defined;
};

/* All zero is an empty tree. */
struct bine_switches {
    struct bine_names names, files;
    struct bine_switch *at;
    size_t room;
};

/* A switch or block with the hosts below it, or a switch with the switches below it: the list that
 * is not there has length 0. 0, or -1 with *why. */
int bine_switches_define(struct bine_switches *s, struct bine_reading *r,
                         const struct bine_word *name, const struct bine_word *hosts,
                         const struct bine_word *children);
/* When all are defined: take the machine's groups, which are leaves, up to its level. 0, or -1 with
 * *why, the file and line included. */
int bine_switches_finish(struct bine_switches *s, struct bine_reading *r);
void bine_switches_free(struct bine_switches *s);

#endif
