#include "comm/device_comms.h"

#include <stdlib.h>

void bine_device_levels_free(struct bine_device_levels *l) {
    if (l == NULL)
        return;
    if (l->node != MPI_COMM_NULL)
        PMPI_Comm_free(&l->node);
    if (l->across != MPI_COMM_NULL)
        PMPI_Comm_free(&l->across);
    if (l->device != NULL)
        l->device->release(l->context, l->room);
    for (int i = 0; i < BINE_DEVICE_PIECES && l->device != NULL; i++)
        l->device->release_host(l->context, l->piece[i]);
    free(l);
}
