/* The agreement of a communicator's ranks at its first use: whether their settings are equal, and
 * where the ranks are in the network. Selection depends on nothing else. */
#ifndef BINE_COMM_AGREEMENT_H
#define BINE_COMM_AGREEMENT_H

#include "comm/policy.h"
#include "network/machine.h"
#include "pattern/groups/groups.h"
#include "schedule/lineup.h"

#include <mpi.h>
#include <stdint.h>

struct bine_agreement {
    int alike;                  /* all ranks have equal policies */
    int room;                   /* all ranks have room */
    int cards;                  /* all ranks have memory for the cards from which boards are made */
    int devices;                /* some rank has a device, and the settings permit its use */
    int reduces;                /* all ranks have MPI_Reduce_local */
    int foreign;                /* some rank may have buffers that MPI cannot touch */
    int verbose;                /* all ranks can report their calls: all have BINE_VERBOSE, and
                                   come to communicators over all ranks in one order */
    int recorded;               /* likewise: all record a profile */
    int speaker;                /* the rank that reports warnings which all ranks share, or -1 */
    int nodes, per_node;        /* as in struct bine_query */
    int hosts;                  /* nodes, where one in several groups counts once */
    int cores;                  /* the fewest that the ranks of a node may use; 0: not known */
    int crowded;                /* on some node there are more ranks than cores for them */
    int groups;                 /* of the network; 0: not known */
    int none_grouped;           /* no rank knows its group */
    struct bine_groups *levels; /* larger groups, groups and nodes; NULL where none of them says
                                   anything */
    int wider;                  /* levels of larger groups: the outermost ones of `levels` */
    int wider_level[BINE_WIDER_MOST]; /* of the network, from those around the groups outwards */
    int32_t *node;             /* of each rank, where some nodes of several have several; or NULL */
    struct bine_lineup *order; /* in which flat algorithms take the ranks; NULL: as they are */
    struct bine_shape dims;    /* of the machine's torus, as far as the ranks are on it */
    struct bine_lineup *seats; /* in which torus algorithms take the ranks; NULL: as they are */
};

/* The resources of one rank. */
struct bine_means {
    int room;     /* for a private communicator */
    int cards;    /* memory, as above */
    int recorder; /* of a profile */
};

/* Collective. The policy is NULL on a rank without memory for one. Differences are reported. All
 * ranks get one result. Where one rank has no memory for the levels or the orders, the ranks are
 * not alike. Returns an MPI error code; on an error there is nothing to free. */
int bine_agree(MPI_Comm comm, int p, const struct bine_policy *policy, struct bine_means has,
               struct bine_agreement *agreed);
void bine_agreement_free(struct bine_agreement *agreed);

#endif
