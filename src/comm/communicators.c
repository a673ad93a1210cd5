#include "comm/communicators.h"

#include "base/lock.h"
#include "mpi/process.h"

struct bine_known_communicator bine_communicators[1 << BINE_TABLE_BITS][BINE_TABLE_LINE];

static _Atomic(struct bine_leaving_communicator *) leaving;

/* The place of a handle in its line, or, with 0, a free one there; or NULL. */
static struct bine_known_communicator *find(uintptr_t handle, uintptr_t content) {
    struct bine_known_communicator *line = bine_communicators_line(handle);
    for (int i = 0; i < BINE_TABLE_LINE; i++)
        if (atomic_load(&line[i].handle) == content)
            return &line[i];
    return NULL;
}

/* The handle is written last: a reader that finds it finds the rest. Where a line is full,
 * communicators are looked up as if there were no table. */
void bine_communicators_add(MPI_Comm comm, struct bine_shortcuts *s) {
    uintptr_t handle = (uintptr_t)comm;
    bine_lock();
    struct bine_known_communicator *place = find(handle, handle) == NULL ? find(handle, 0) : NULL;
    if (place != NULL && !bine_process_is_finalizing()) {
        atomic_store(&place->shortcuts, s);
        atomic_store_explicit(&place->handle, handle, memory_order_release);
    }
    bine_unlock();
}

void bine_communicators_remove(MPI_Comm comm) {
    bine_lock();
    struct bine_known_communicator *place = find((uintptr_t)comm, (uintptr_t)comm);
    if (place != NULL)
        atomic_store(&place->shortcuts, NULL);
    bine_unlock();
}

void bine_communicators_removed(MPI_Comm comm) {
    bine_lock();
    struct bine_known_communicator *place = find((uintptr_t)comm, (uintptr_t)comm);
    if (place != NULL)
        atomic_store(&place->handle, 0);
    bine_unlock();
}

void bine_communicators_leave(struct bine_leaving_communicator *l) {
    bine_communicators_remove(l->comm);
    bine_lock();
    l->next = leaving;
    leaving = l;
    bine_unlock();
}

void bine_communicators_left(struct bine_leaving_communicator *l) {
    bine_lock();
    struct bine_leaving_communicator *before = leaving;
    while (before != l && before->next != l)
        before = before->next;
    if (before == l)
        leaving = l->next;
    before->next = l->next;
    bine_unlock();
    bine_communicators_removed(l->comm);
}

int bine_communicators_is_leaving(MPI_Comm comm) {
    if (atomic_load_explicit(&leaving, memory_order_relaxed) == NULL)
        return 0;
    bine_lock();
    const struct bine_leaving_communicator *l = leaving;
    while (l != NULL && l->comm != comm)
        l = l->next;
    bine_unlock();
    return l != NULL;
}

void bine_communicators_end(void) {
    bine_lock();
    for (int i = 0; i < 1 << BINE_TABLE_BITS; i++)
        for (int k = 0; k < BINE_TABLE_LINE; k++)
            atomic_store(&bine_communicators[i][k].handle, 0);
    bine_unlock();
}
