/* What the drop-in library (preload/), which is the same for all MPI libraries and knows none of
 * their types, and the library of Bine for one of them tell each other. Does not include mpi.h. */
#ifndef BINE_MPI_PRELOAD_INTERFACE_H
#define BINE_MPI_PRELOAD_INTERFACE_H

#include <stdatomic.h>

/* The MPI functions that are taken over. */
enum bine_entry {
#define FORM(NAME, OWN, ...) BINE_ENTRY_##OWN,
#include "mpi/forms.def"
#undef FORM
    BINE_ENTRY_comm_free,
#define FORM(NAME, OWN, ...) BINE_ENTRY_i##OWN,
#include "mpi/forms.def"
#undef FORM
    BINE_ENTRY_op_free,
    BINE_ENTRIES
};

/* Any function; cast before it is called. */
typedef void bine_function(void);

/* A collective that Bine does not have. */
struct bine_other_call {
    const char *name;
    atomic_ulong calls;
};

struct bine_preload {
    /* From the drop-in library. */
    bine_function *mpi[BINE_ENTRIES];        /* the MPI library's own */
    void (*redirect)(int entry, int to_mpi); /* let MPI have all calls, or take them */
    const struct bine_other_call *other;     /* ending with one without a name */
    /* From the library. */
    bine_function *take[BINE_ENTRIES]; /* what to call instead */
    void (*begin)(void);               /* to be called when MPI has begun */
    int count_others;                  /* whether anybody wants to know of their calls */
    const atomic_int *under_way;       /* calls that want to go on, */
    int (*poll)(void);                 /* by this, when MPI has looked for messages */
    atomic_int *polled;                /* set it when MPI has, for the first time */
};

#define BINE_PRELOAD_ATTACH "bine_preload_attach_3" /* changes with what is above */

void bine_preload_attach_3(struct bine_preload *d);

#endif
