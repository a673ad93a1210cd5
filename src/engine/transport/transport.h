/* The transport: all that the engine asks of the library that carries its messages.
 *
 * It is a struct of functions, one for each host: MPI, or the loopback, which has all ranks in one
 * process and no MPI (unit tests). The engine is compiled for one host, so that the compiler sees
 * the functions behind the struct, and a call through it costs no more than a direct one. A further
 * host needs its handles (mpi_handles.h shows which), and its struct. */
#ifndef BINE_ENGINE_TRANSPORT_H
#define BINE_ENGINE_TRANSPORT_H

#include "engine/transport/types.h"

/* Tags below BINE_TAG_FIRST (engine/channel.h). */
enum {
    BINE_TAG_SELF = 1,  /* copies of a rank to itself */
    BINE_TAG_NEVER = 2, /* no message has it */
};

/* Functions return an error code, BINE_OK or another, unless a comment says otherwise. */
struct bine_transport {
    /* Messages of n elements. Nonblocking ones leave a request; after an error there is none to
     * wait for. */
    int (*isend)(const void *from, int n, bine_type_handle type, int peer, int tag,
                 bine_comm_handle comm, bine_request_handle *request);
    int (*irecv)(void *to, int n, bine_type_handle type, int peer, int tag, bine_comm_handle comm,
                 bine_request_handle *request);
    int (*send)(const void *from, int n, bine_type_handle type, int peer, int tag,
                bine_comm_handle comm);
    int (*recv)(void *to, int n, bine_type_handle type, int peer, int tag, bine_comm_handle comm);

    /* Completed requests become BINE_NO_REQUEST, also where they failed. Arrays may contain
     * requests that are complete already. */
    int (*wait)(bine_request_handle *request);
    int (*wait_all)(int n, bine_request_handle *request);
    int (*test)(bine_request_handle *request, int *over);
    int (*test_all)(int n, bine_request_handle *request, int *over);
    /* As many as are complete, with `wait` one at least; `index` has room for n numbers. */
    int (*some)(int n, bine_request_handle *request, int *index, int wait);
    /* wait_all and some, one request at a time: the first error is returned unchanged. */
    int (*wait_each)(int n, bine_request_handle *request);
    int (*some_of_each)(int n, bine_request_handle *request, int wait);
    /* Waiting has failed with an error: wait for the requests that are still pending. Requests
     * that cannot be waited for remain. Returns the error. */
    int (*wait_rest)(int n, bine_request_handle *request, int rc);
    /* The last resort: withdraw a receive, so that nothing writes to its buffer later. A send
     * remains, because the host may go on reading. */
    void (*withdraw)(bine_request_handle *request, int is_send);

    int (*last_tag)(void); /* the largest tag */
    /* Receive and drop the messages that a failed call left on a communicator. */
    void (*drain)(bine_comm_handle comm);

    /* Datatypes: their facts; elements of types that are not dense to and from packed bytes, and
     * from one array to another, of another type perhaps. `self`: the rank in `comm`. */
    int (*describe)(bine_type_handle handle, struct bine_type *t);
    int (*size)(bine_type_handle handle, int *size);
    int (*pack)(const struct bine_type *t, const void *from, ptrdiff_t n, char *to,
                bine_comm_handle comm);
    int (*unpack)(const struct bine_type *t, const char *from, ptrdiff_t n, void *to,
                  bine_comm_handle comm);
    int (*copy)(const void *from, int n, bine_type_handle type, void *to, int m,
                bine_type_handle to_type, bine_comm_handle comm, int self);

    /* to = from op to; and the names of a type and an operator in src/board: an enum
     * bine_reduce_type and an enum bine_reduce_operator. match returns a number of the type, from
     * 0 to BINE_MATCHES - 1; -1: src/board has no such type or operator. */
    int (*reduce)(const void *from, void *to, int n, bine_type_handle type, bine_op_handle op);
    int (*match)(bine_type_handle type, bine_op_handle op, int *class, int *operation);

    /* Let the host look for messages; whether one thread at a time does. */
    int (*poll)(void);
    int (*is_by_one)(void);
    /* Whether the host can call functions whenever it looks; let it call one, or not any more.
     * hook returns whether that was done. */
    int (*can_hook)(void);
    int (*hook)(int (*function)(void), int on);
};

enum { BINE_MATCHES = 21 };

#ifdef BINE_LOOPBACK
extern const struct bine_transport bine_transport;
#else
#include "engine/transport/mpi_transport.h"
#endif

#endif
