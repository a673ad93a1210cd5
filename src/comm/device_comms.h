/* Communicators and memory for calls on devices of several nodes: communicators inside nodes and
 * between them, and buffers. device_levels.c makes and uses them. */
#ifndef BINE_COMM_DEVICE_COMMS_H
#define BINE_COMM_DEVICE_COMMS_H

#include "device/device.h"

#include <mpi.h>
#include <stddef.h>

/* Data that crosses between nodes is copied to the host in pieces: one is copied while the one
 * before it is sent. */
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
