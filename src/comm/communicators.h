/* The communicators that have a context, found by handle without asking MPI, and their shortcuts.
 *
 * The table is read without a lock. A handle keeps its place until its communicator is freed: no
 * other takes the place meanwhile, so the handle of a communicator that exists leads to its own
 * shortcuts. Functions that the program attached to a communicator may use it while it is
 * freed, after it was taken out of the table. So the handle stays there, marked, until
 * MPI_Comm_free has returned: nothing can add it again meanwhile.
 *
 * The drop-in library sees MPI_Comm_free and MPI_Comm_disconnect begin. Calls of such functions
 * then go to MPI: the communicator's attributes are being deleted, and MPICH must not be asked
 * for them. */
#ifndef BINE_COMM_COMMUNICATORS_H
#define BINE_COMM_COMMUNICATORS_H

#include <mpi.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct bine_shortcuts;

/* The table has 2^bits lines of BINE_TABLE_LINE places: as much as processors load at once. */
enum { BINE_TABLE_BITS = 8, BINE_TABLE_LINE = 4 };

struct bine_known_communicator {
    _Atomic uintptr_t handle;                   /* 0: a free place */
    _Atomic(struct bine_shortcuts *) shortcuts; /* NULL: marked */
};

extern struct bine_known_communicator bine_communicators[1 << BINE_TABLE_BITS][BINE_TABLE_LINE];

static inline struct bine_known_communicator *bine_communicators_line(uintptr_t handle) {
    return bine_communicators[(uint64_t)handle * UINT64_C(0x9e3779b97f4a7c15) >>
                              (64 - BINE_TABLE_BITS)];
}

/* Of a communicator, or NULL. */
static inline struct bine_shortcuts *bine_shortcuts_of(MPI_Comm comm) {
    uintptr_t handle = (uintptr_t)comm;
    struct bine_known_communicator *line = bine_communicators_line(handle);
    for (int i = 0; i < BINE_TABLE_LINE; i++)
        if (atomic_load_explicit(&line[i].handle, memory_order_acquire) == handle)
            return atomic_load_explicit(&line[i].shortcuts, memory_order_relaxed);
    return NULL;
}

/* Add a communicator. */
void bine_communicators_add(MPI_Comm comm, struct bine_shortcuts *s);
/* It is being freed; and now it has been. */
void bine_communicators_remove(MPI_Comm comm);
void bine_communicators_removed(MPI_Comm comm);
/* Likewise, where the beginning and the end of freeing are seen; whether a communicator is between
 * the two. It is not known after that. */
struct bine_leaving_communicator {
    struct bine_leaving_communicator *next;
    MPI_Comm comm;
};
void bine_communicators_leave(struct bine_leaving_communicator *l);
void bine_communicators_left(struct bine_leaving_communicator *l);
int bine_communicators_is_leaving(MPI_Comm comm);
/* At MPI_Finalize: nothing is known any more, or will be. */
void bine_communicators_end(void);

#endif
