/* Calls whose buffers are in the memory of devices, on all ranks of one node.
 *
 * Every rank shows on its board where its buffers are. If all can be shared between processes, one
 * rank for each device, the *worker*, does its part of the call for all ranks: it reads all vectors
 * and writes all results, and reports when it is through. No data comes to the host, no kernel
 * waits for another process, and where several ranks share a device, their processes need not take
 * turns on it.
 *
 * Otherwise the call goes the way of any other: buffers on devices are staged through the host's
 * memory. All ranks decide that from one set of cards. */
#ifndef BINE_CALL_DEVICE_H
#define BINE_CALL_DEVICE_H

#include "comm/context.h"

/* Whether the call has been made on devices: then *rc is its result, an MPI error code. All ranks
 * come here, in every call on a communicator some rank of which has a device. */
int bine_device_call(struct bine_context *c, const struct bine_arguments *a, int *rc);

#endif
