/* Where ranks are: the options --groups, --dims, --machine and --hosts of several subcommands. */
#ifndef BINE_TOOLS_CLI_PLACE_H
#define BINE_TOOLS_CLI_PLACE_H

#include "cli/options/option_table.h"
#include "network/allocation.h"
#include "schedule/build/build.h"

struct bine_place_words {
    const char *machine, *hosts, *groups, *dims; /* as typed, or NULL */
    const char *ranks;                           /* how many, where they can be counted too */
    int per_node;                                /* ranks on each host; 0: one, or as hosts say */
    int level;                                   /* one level of groups alone; 0: all of them */
    enum bine_reorder reorder;
};

/* Their rows in a table of options; `w` points to a struct bine_place_words. */
#define BINE_HOST_OPTIONS(w)                                                                       \
    {.name = "machine", .read = bine_take_word, .to = &(w)->machine},                              \
        {.name = "hosts", .read = bine_take_word, .to = &(w)->hosts}, {                            \
        .name = "ranks-per-node", .read = bine_take_per_node, .to = &(w)->per_node                 \
    }
#define BINE_PLACE_OPTIONS(w)                                                                      \
    {.name = "groups", .read = bine_take_word, .to = &(w)->groups},                                \
        {.name = "dims", .read = bine_take_word, .to = &(w)->dims}, BINE_HOST_OPTIONS(w)
#define BINE_LEVEL_OPTION(w)                                                                       \
    { .name = "level", .read = bine_take_int, .to = &(w)->level, .low = 1, .high = 64 }
bine_option_read bine_take_per_node; /* int */

/* The value of --ranks-per-node. 0, or BINE_EXIT_USAGE after complaining. */
int bine_word_per_node(const char *word, int *per_node);
/* 0 if the words go together; otherwise BINE_EXIT_USAGE after complaining. */
int bine_place_check(const struct bine_place_words *w);
/* The word that says where they are, for complaints: "groups '5,5,6'". */
enum { BINE_PLACE_NAME = 256 };
const char *bine_place_name(const struct bine_place_words *w, char text[BINE_PLACE_NAME]);
/* The ranks of a job, from the first that is given of a machine (without --hosts and --dims: on the
 * hosts that Slurm says), groups and dims. The machine, if there is one, goes to *machine, unless
 * that is NULL. 0, or BINE_EXIT_USAGE after complaining. */
int bine_place_job(const struct bine_place_words *w, struct bine_allocation *a,
                   struct bine_machine **machine);

/* The torus that the ranks form on a machine that is one, as the library finds it (no dims: none),
 * and whether they are in its row-major order. 0, or -1 when out of memory. */
int bine_place_torus(const struct bine_allocation *a, struct bine_shape *dims, int *in_order);
/* The torus that torus algorithms are told of: the one above if its ranks are in order, a single
 * rank, or the dims that were typed; no dims: none. Returns the same. */
int bine_place_dims(const struct bine_place_words *w, const struct bine_allocation *a,
                    struct bine_shape *dims);

/* What algorithms are told of the ranks. */
struct bine_place {
    int p;
    struct bine_machine *machine; /* that they are on; NULL: none was named */
    struct bine_groups *groups;   /* NULL: not known */
    struct bine_shape dims;       /* no dims: not known */
    const int32_t *node; /* of each rank, of an allocation that lives longer; NULL: not known */
};

/* From groups and dims, or from a machine: the groups of its hosts or, if it is a torus, what the
 * algorithm needs: the groups, or the torus that the hosts form. 0, or BINE_EXIT_USAGE after
 * complaining. */
int bine_place_find(const struct bine_place_words *w, enum bine_needs needs,
                    struct bine_place *place);
/* Put it into a request, which must not outlive it. */
void bine_place_tell(const struct bine_place *place, struct bine_spec *spec);
/* The option --boards: the smallest groups are nodes, whose ranks share boards. 0, or
 * BINE_EXIT_USAGE after complaining if the algorithm has none there. */
int bine_place_boards(struct bine_spec *spec);
void bine_place_free(struct bine_place *place);

#endif
