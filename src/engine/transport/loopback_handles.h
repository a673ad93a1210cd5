/* The handles and error codes of the loopback: p ranks in one process, no MPI. */
#ifndef BINE_ENGINE_LOOPBACK_HANDLES_H
#define BINE_ENGINE_LOOPBACK_HANDLES_H

#include <stddef.h>

/* A datatype: the runs of bytes of an element, in order. */
struct bine_loopback_run {
    ptrdiff_t at; /* behind the element's address */
    size_t bytes;
};

struct bine_loopback_type {
    ptrdiff_t extent;
    int class; /* enum bine_reduce_type; -1: another */
    int nruns;
    const struct bine_loopback_run *run;
};

/* An operator: to = from op to, for n elements. */
struct bine_loopback_op {
    int operation; /* enum bine_reduce_operator; -1: another, `function` */
    void (*function)(const void *from, void *to, int n, const struct bine_loopback_type *type);
};

typedef struct bine_loopback_rank *bine_comm_handle; /* a communicator, as one rank sees it */
typedef const struct bine_loopback_type *bine_type_handle;
typedef const struct bine_loopback_op *bine_op_handle;
typedef struct bine_loopback_message *bine_request_handle;

extern const struct bine_loopback_type bine_loopback_byte;

#define BINE_NO_COMM NULL
#define BINE_NO_OP NULL
#define BINE_NO_REQUEST NULL
#define BINE_BYTE (&bine_loopback_byte)
#define BINE_BOTTOM NULL

enum { BINE_OK, BINE_ERR_NO_MEM, BINE_ERR_TRUNCATE, BINE_ERR_INTERN, BINE_ERR_OTHER };

#endif
