/* What a communicator on several nodes keeps for calls on devices: communicators of its nodes and
 * between them, and memory. device_levels.c makes and uses it. */
#ifndef BINE_MPI_DEVICE_ROOMS_H
#define BINE_MPI_DEVICE_ROOMS_H

#include "device/device.h"

#include <mpi.h>
#include <stddef.h>

/* What crosses between nodes is copied to the host in such pieces: one is copied while the one
 * before it is under way. */
enum { BINE_DEVICE_PIECE = 4 << 20, BINE_DEVICE_PIECES = 2 };

struct bine_device_levels {
    MPI_Comm node, across; /* this rank's node; the ranks of its place in all nodes */
    int ranks, place;      /* of the node; which of them this is */
    const struct bine_device *device;
    void *context;
    char *room; /* on the device */
    size_t bytes;
    char *piece[BINE_DEVICE_PIECES]; /* in memory of the host that the device reaches, or NULL */
};

void bine_device_levels_free(struct bine_device_levels *l);

#endif
