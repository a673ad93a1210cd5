/* The datatypes of a call that is started, which the program may free before it completes. */
#ifndef BINE_REQUEST_RETAIN_H
#define BINE_REQUEST_RETAIN_H

#include "request/request_store.h"

/* Let the request retain the types of a call, or the type of each rank's block, which it has in
 * copies of the program's arrays. Returns an MPI error code. */
int bine_retain_types(struct bine_request *r, struct bine_call *call);
int bine_retain_each_type(struct bine_request *r, const struct bine_arguments *a, int p);

#endif
