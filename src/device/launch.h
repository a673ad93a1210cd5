/* Kernels: adding up and copying on a device, for all ranks that share it.
 *
 * Operations are done in the order in which they were begun, in a stream of Bine's own; none is
 * complete before bine_launch_wait. */
#ifndef BINE_DEVICE_LAUNCH_H
#define BINE_DEVICE_LAUNCH_H

#include "board/reduce.h"
#include "device/job.h"

#include <stdint.h>

/* Types beyond the boards' own. */
enum { BINE_DEVICE_F16 = BINE_REDUCE_TYPES, BINE_DEVICE_BF16, BINE_DEVICE_TYPES };

/* Bytes of an element of a type. */
size_t bine_device_size(int type);

/* Whether this process can have kernels run: it has them, and a driver that is complete. */
int bine_launch_is_possible(void);
/* Whether it can begin copies: it has such a driver. */
int bine_launch_can_copy(void);

/* All return 0, or -1. A context is one of the driver's.
 *
 * to[j] = from[0] op ... op from[k-1] for n elements and all j below m. */
int bine_launch_reduce(void *context, int type, int op, struct bine_job *job);
/* to[j] = from[0] for n bytes. */
int bine_launch_spread(void *context, struct bine_job *job);
/* to[j] = from[j] for n bytes and all j below m. */
int bine_launch_pairs(void *context, struct bine_job *job);
/* n bytes, between any two of the host's memory and the device's. */
int bine_launch_copy(void *context, void *to, const void *from, size_t bytes);
/* Until all of it is done. */
int bine_launch_wait(void *context);

#endif
