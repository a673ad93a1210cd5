/* The MPI library's own collectives. Reached through pointers, because the drop-in library takes
 * over their names. */
#ifndef BINE_MPI_MPI_CALLS_H
#define BINE_MPI_MPI_CALLS_H

#include "mpi/arguments.h"
#include "mpi/preload_interface.h"

/* The content of brackets, without them. */
#define BINE_LISTED(...) __VA_ARGS__

/* In the order of enum bine_entry. Persistent functions, and functions with large counts, are there
 * only with the drop-in library, where MPI has them; otherwise NULL. */
struct bine_mpi_calls {
#define CALL(NAME, OWN, FORMAL, ...) int(*OWN) FORMAL;
#include "mpi/entries.def"
#undef CALL
    int (*comm_free)(MPI_Comm *);
    int (*comm_disconnect)(MPI_Comm *);
#define CALL(NAME, OWN, FORMAL, ...) int (*i##OWN)(BINE_LISTED FORMAL, MPI_Request *);
#include "mpi/entries.def"
#undef CALL
    int (*op_free)(MPI_Op *);
#define CALL(NAME, OWN, FORMAL, ...) int (*OWN##_init)(BINE_LISTED FORMAL, MPI_Info, MPI_Request *);
#include "mpi/entries.def"
#undef CALL
    int (*start)(MPI_Request *);
    int (*startall)(int, MPI_Request *);
    int (*request_free)(MPI_Request *);
#define MAKER(NAME, OWN, FORMAL, ...) int(*OWN) FORMAL;
#include "mpi/makers.def"
#undef MAKER
#include "mpi/wide.h"
#define BINE_ONLY_COUNTED
#define CALL(NAME, OWN, FORMAL, ...) int(*OWN##_c) FORMAL;
#include "mpi/entries.def"
#undef CALL
#define CALL(NAME, OWN, FORMAL, ...) int (*i##OWN##_c)(BINE_LISTED FORMAL, MPI_Request *);
#include "mpi/entries.def"
#undef CALL
#define CALL(NAME, OWN, FORMAL, ...)                                                               \
    int (*OWN##_init_c)(BINE_LISTED FORMAL, MPI_Info, MPI_Request *);
#include "mpi/entries.def"
#undef CALL
#undef BINE_ONLY_COUNTED
#include "mpi/narrow.h"
};

/* The functions by their names, or by the table of the drop-in library, once that is attached. */
extern const struct bine_mpi_calls *bine_mpi;
/* The drop-in library; NULL: the program calls Bine by itself. */
extern const struct bine_preload *bine_drop_in;
void bine_mpi_attach(const struct bine_preload *d);

/* The call as it came, by the MPI library itself; and started. */
int bine_call_mpi(const struct bine_arguments *a);
int bine_call_mpi_start(const struct bine_arguments *a, MPI_Request *request);

#endif
