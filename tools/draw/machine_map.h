/* The machine and a job's ranks on it: nodes by switch and by group. */
#ifndef BINE_TOOLS_DRAW_MACHINE_MAP_H
#define BINE_TOOLS_DRAW_MACHINE_MAP_H

#include "network/hosts.h"
#include "network/machine.h"

#include <stdio.h>

enum { BINE_MAP_RANKS = 24, BINE_MAP_NODES = 4096 };

/* A node of the job. */
struct bine_map_node {
    const char *host;
    char ranks[BINE_MAP_RANKS]; /* "0-3,8", cut with "..." */
    int first;                  /* rank */
    int part;                   /* of the map */
};

/* A group of the network, or a switch: a part of the machine with nodes of the job. */
struct bine_map_part {
    char name[64];
    int above; /* the part of the level above that it is in; -1: there is none */
    int nodes, ranks;
    long all; /* nodes that it has in the machine; 0: not known */
};

struct bine_map {
    const char *machine;
    int ranks;
    long groups; /* of the machine: leaf parts; 0: not known */
    struct bine_map_node *node;
    int nodes;
    struct bine_map_part *part, *above; /* in the order in which ranks meet them */
    int parts, aboves;
};

/* `upper` is the machine by the level above, or NULL. The hosts must outlive the map. 0, or -1 with
 * *why. */
int bine_map_make(struct bine_map *m, const struct bine_machine *machine,
                  const struct bine_machine *upper, const struct bine_hosts *h,
                  struct bine_reason *why);
void bine_map_free(struct bine_map *m);

/* "leonardo: 16 ranks on 16 nodes, in 3 of 23 groups". */
enum { BINE_MAP_TITLE = 200 };
void bine_map_title(const struct bine_map *m, char text[BINE_MAP_TITLE]);
void bine_map_part_title(const struct bine_map_part *p, char text[BINE_MAP_TITLE]);

void bine_map_text(const struct bine_map *m, FILE *f);
/* As .svg, .png or .pdf, by the ending of the name; 0, or -1 with errno; -2: none of these. */
int bine_map_save(const struct bine_map *m, const char *file);

/* The subcommand: bine draw machine. */
int bine_command_draw_machine(int argc, char **argv);

#endif
