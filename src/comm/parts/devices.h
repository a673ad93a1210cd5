/* The devices of a communicator's ranks. */
#ifndef BINE_COMM_PARTS_DEVICES_H
#define BINE_COMM_PARTS_DEVICES_H

#include "schedule/collective.h"

struct bine_device_levels;

struct bine_devices {
    int some;                          /* some rank has a device: calls may be for devices */
    struct bine_device_levels *levels; /* between nodes; or NULL */
    enum bine_collective last; /* the last collective of devices, if devices made the last call */
};

#endif
