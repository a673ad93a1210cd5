/* The work of a call on devices: which bytes go where. */
#ifndef BINE_CALL_DEVICE_WORK_H
#define BINE_CALL_DEVICE_WORK_H

#include "engine/bind/bind.h"

struct bine_work {
    enum bine_collective collective;
    int p, root;
    int type, op;              /* of a reduction */
    int64_t size;              /* bytes of an element; 1 where nothing is added up */
    int64_t n;                 /* elements of the vector, or of a rank's block */
    struct bine_counts counts; /* of every rank's block; not given: n */
    char *in[BINE_JOB_RANKS];  /* by rank; NULL: it has none */
    char *out[BINE_JOB_RANKS]; /* likewise */
};

/* The device's names of an MPI type and operator, or of a type of halves.h: 0, or -1 if devices do
 * not reduce them. */
int bine_work_name(MPI_Datatype type, MPI_Op op, int *class, int *operation);

/* From a call as one rank made it; its own buffers alone are known then. 0, or -1 if it cannot be
 * done on devices. */
int bine_work_make(const struct bine_call *call, int rank, int p, struct bine_work *w);

/* Begin part number `share` of `shares`. All buffers are known. 0, or -1. */
int bine_work_begin(const struct bine_work *w, const struct bine_device *device, void *context,
                    int share, int shares);

#endif
