/* Nonblocking MPI calls that are intercepted.
 *
 * The program gets a request of MPI's own: a receive of nothing from itself, on a private
 * communicator. At the end of the call the message is sent. So every function of MPI that takes
 * requests takes these. A call that fails midway is told of by a message that is too long. */
#ifndef BINE_DROPIN_NONBLOCKING_H
#define BINE_DROPIN_NONBLOCKING_H

#include "mpi/preload_interface.h"
#include "request/requests.h"

/* Start a call, or make a persistent one ready, unless MPI makes it: then *left. Returns an MPI
 * error code; the handler has been called. */
int bine_dropin_start(const struct bine_arguments *a, MPI_Request *request, int *forwarded);

/* A blocking call as MPI has it, with int or with large counts (S is _c): take_OWN looks first
 * whether MPI makes the call anyway, and jumps there with the arguments as they came. */
#define BINE_INTERCEPT(NAME, OWN, S, LARGE, FORMAL, ACTUAL, ...)                                   \
    static __attribute__((noinline)) int look_at_##OWN##S FORMAL {                                 \
        const struct bine_arguments a = {                                                          \
            .drop_in = 1, .large = LARGE, .entry = BINE_ENTRY_##NAME, __VA_ARGS__};                \
        return bine_call_now(&a);                                                                  \
    }                                                                                              \
    static int take_##OWN##S FORMAL {                                                              \
        const struct bine_arguments a = {                                                          \
            .drop_in = 1, .large = LARGE, .entry = BINE_ENTRY_##NAME, __VA_ARGS__};                \
        return bine_shortcut_holds(&a) ? bine_mpi->OWN##S ACTUAL : look_at_##OWN##S ACTUAL;        \
    }

/* Attach nonblocking calls; blocking calls with large counts; and the functions that make
 * communicators. */
void bine_dropin_attach(const struct bine_preload *d);
void bine_large_attach(const struct bine_preload *d);
void bine_making_attach(const struct bine_preload *d);

#endif
