/* What the ranks of a communicator agree on when it is first used: whether their settings are the
 * same, and where they are in the network. Choices depend on nothing else. */
#ifndef BINE_MPI_AGREEMENT_H
#define BINE_MPI_AGREEMENT_H

#include "mpi/policy.h"
#include "pattern/groups.h"
#include "schedule/lineup.h"

#include <mpi.h>
#include <stdint.h>

struct bine_agreement {
    int alike;                  /* all ranks have the same policy */
    int room;                   /* all ranks have room */
    int cards;                  /* all have memory for what they tell each other to make boards */
    int devices;                /* some rank has a device, and the settings permit its use */
    int foreign;                /* some rank may have buffers that MPI cannot touch */
    int speaker;                /* the rank that warns of what all know, or -1 */
    int nodes, per_node;        /* as in struct bine_question */
    int cores;                  /* the fewest that the ranks of a node may use; 0: not known */
    int crowded;                /* on some node there are more ranks than cores for them */
    int groups;                 /* of the network; 0: not known */
    int none_grouped;           /* no rank knows its group */
    struct bine_groups *levels; /* groups and nodes; NULL where neither says anything */
    int32_t *node;             /* of each rank, where some nodes of several have several; or NULL */
    struct bine_lineup *order; /* in which flat algorithms take the ranks; NULL: as they are */
    struct bine_shape dims;    /* of the machine's torus, as far as the ranks are on it */
    struct bine_lineup *seats; /* in which torus algorithms take the ranks; NULL: as they are */
};

/* What one rank has. */
struct bine_means {
    int room;  /* for a private communicator */
    int cards; /* memory, as above */
};

/* Collective. The policy is NULL on a rank without memory for one. Differences are reported. The
 * result is the same on all ranks. Where one rank has no memory for the levels or the orders, the
 * ranks are not alike. Returns an MPI error code; on an error there is nothing to free. */
int bine_agree(MPI_Comm comm, int p, const struct bine_policy *policy, struct bine_means has,
               struct bine_agreement *agreed);
void bine_agreement_free(struct bine_agreement *agreed);

#endif
