/* The interface between the drop-in library (dropin/preload/), which serves all MPI libraries and
 * knows none of their types, and the library of Bine for one of them. Does not include mpi.h. */
#ifndef BINE_MPI_PRELOAD_INTERFACE_H
#define BINE_MPI_PRELOAD_INTERFACE_H

#include <stdatomic.h>

enum bine_entry {
#define ENTRY(M, NAME, S, SHAPE) BINE_ENTRY_##NAME##S,
#include "mpi/intercepted.def"
#undef ENTRY
    BINE_ENTRIES
};

/* Any function; cast before it is called. */
typedef void bine_function(void);

/* A collective that Bine does not have. */
struct bine_other_call {
    const char *name;
    atomic_ulong calls;
};

/* Where the calls of an entry go: to Bine; to MPI; or to MPI as long as no program object has been
 * loaded since Bine looked for devices' runtimes last, and to Bine otherwise. */
enum bine_direction { BINE_TO_BINE, BINE_TO_MPI, BINE_TO_MPI_FROM_HOST };

struct link_map;

/* The drop-in library. It is not changed. */
struct bine_preload {
    bine_function *const *mpi; /* of each entry, the MPI library's own; NULL: it has none */
    bine_function **take; /* and the function to call instead: the library of Bine fills these in */
    void (*redirect)(int entry, enum bine_direction to);
    const char *(*tool)(int entry);      /* the file of a tool that gets the calls first, or NULL */
    const struct bine_other_call *other; /* ending with one without a name */
};

/* The library of Bine behind it. It is not changed. */
struct bine_preload_library {
    void (*begin)(void);              /* to be called when MPI has begun */
    int (*counts_others)(void);       /* whether calls that Bine does not have are to be counted */
    int (*has_ended)(void);           /* the lines for the end have been printed */
    _Atomic(struct link_map *) *last; /* the last object, if there is no runtime; else NULL */
    const atomic_int *pending;        /* calls that want to go on, */
    int (*poll)(void);                /* by this, when MPI has looked for messages */
    atomic_int *polled;               /* set it when MPI has, for the first time */
};

/* The name of the MPI library that a library of Bine was built for, where the name stands for the
 * ABI, as Open MPI's does; otherwise empty. */
#define BINE_PRELOAD_BUILT_FOR "bine_preload_built_for"
extern const char bine_preload_built_for[];

#define BINE_PRELOAD_ATTACH "bine_preload_attach_8" /* changes with these structs */

const struct bine_preload_library *bine_preload_attach_8(const struct bine_preload *d);

#endif
