/* The transport over MPI. Included by transport.h alone. */
#ifndef BINE_ENGINE_MPI_TRANSPORT_H
#define BINE_ENGINE_MPI_TRANSPORT_H

/* --- mpi_wait.c, mpi_types.c, mpi_match.c, mpi_progress.c */

int bine_mpi_some(int n, MPI_Request *request, int *index, int wait);
int bine_mpi_wait_each(int n, MPI_Request *request);
int bine_mpi_some_of_each(int n, MPI_Request *request, int wait);
int bine_mpi_wait_rest(int n, MPI_Request *request, int rc);
void bine_mpi_withdraw(MPI_Request *request, int is_send);
void bine_mpi_drain(MPI_Comm comm);
int bine_mpi_describe(MPI_Datatype handle, struct bine_type *t);
int bine_mpi_pack(const struct bine_type *t, const void *from, MPI_Aint n, char *to, MPI_Comm comm);
int bine_mpi_unpack(const struct bine_type *t, const char *from, MPI_Aint n, void *to,
                    MPI_Comm comm);
int bine_mpi_match(MPI_Datatype type, MPI_Op op, int *class, int *operation);
int bine_mpi_last_tag(void);
int bine_mpi_poll(void);
int bine_mpi_is_by_one(void);
int bine_mpi_hook(int (*function)(void), int on);
int bine_mpi_can_hook(void);

/* Whether the type is MPI's own: a named one, or one of Fortran's kinds, which have a combiner but
 * may not be freed either. */
int bine_type_is_built_in(MPI_Datatype handle);

/* --- Functions of MPI with other arguments */

/* Addresses that MPI takes for words, as MPI_IN_PLACE and MPI_BUFFER_AUTOMATIC: small numbers. What
 * is counted from MPI_BOTTOM, with a type of absolute addresses, may come upon one. */
static inline int bine_mpi_is_word(const void *address) {
    return (uintptr_t)address + 7 < 15 && address != NULL;
}

/* The same functions for data there (mpi_words.c). */
int bine_mpi_isend_word(const void *from, int n, MPI_Datatype type, int peer, int tag,
                        MPI_Comm comm, MPI_Request *request);
int bine_mpi_irecv_word(void *to, int n, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                        MPI_Request *request);
int bine_mpi_send_word(const void *from, int n, MPI_Datatype type, int peer, int tag,
                       MPI_Comm comm);
int bine_mpi_recv_word(void *to, int n, MPI_Datatype type, int peer, int tag, MPI_Comm comm);
int bine_mpi_copy_word(const void *from, int n, MPI_Datatype type, void *to, int m,
                       MPI_Datatype to_type, MPI_Comm comm, int self);
int bine_mpi_reduce_word(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op);
int bine_mpi_begin_elsewhere(MPI_Datatype type, MPI_Datatype *moved);
/* So far from its address. */
enum { BINE_MPI_ELSEWHERE = 64 };

static inline int bine_mpi_isend(const void *from, int n, MPI_Datatype type, int peer, int tag,
                                 MPI_Comm comm, MPI_Request *request) {
    return bine_mpi_is_word(from) ? bine_mpi_isend_word(from, n, type, peer, tag, comm, request)
                                  : PMPI_Isend(from, n, type, peer, tag, comm, request);
}

static inline int bine_mpi_irecv(void *to, int n, MPI_Datatype type, int peer, int tag,
                                 MPI_Comm comm, MPI_Request *request) {
    return bine_mpi_is_word(to) ? bine_mpi_irecv_word(to, n, type, peer, tag, comm, request)
                                : PMPI_Irecv(to, n, type, peer, tag, comm, request);
}

static inline int bine_mpi_send(const void *from, int n, MPI_Datatype type, int peer, int tag,
                                MPI_Comm comm) {
    return bine_mpi_is_word(from) ? bine_mpi_send_word(from, n, type, peer, tag, comm)
                                  : PMPI_Send(from, n, type, peer, tag, comm);
}

static inline int bine_mpi_recv(void *to, int n, MPI_Datatype type, int peer, int tag,
                                MPI_Comm comm) {
    return bine_mpi_is_word(to) ? bine_mpi_recv_word(to, n, type, peer, tag, comm)
                                : PMPI_Recv(to, n, type, peer, tag, comm, MPI_STATUS_IGNORE);
}

static inline int bine_mpi_wait(MPI_Request *request) {
    return PMPI_Wait(request, MPI_STATUS_IGNORE);
}

static inline int bine_mpi_wait_all(int n, MPI_Request *request) {
    return PMPI_Waitall(n, request, MPI_STATUSES_IGNORE);
}

/* Without PMPI_Test: MPICH's looks for messages even if this one is complete, as most short sends
 * soon are. */
static inline int bine_mpi_test(MPI_Request *request, int *over) {
    int rc = PMPI_Request_get_status(*request, over, MPI_STATUS_IGNORE);
    return rc == MPI_SUCCESS && *over ? PMPI_Wait(request, MPI_STATUS_IGNORE) : rc;
}

static inline int bine_mpi_test_all(int n, MPI_Request *request, int *over) {
    return PMPI_Testall(n, request, over, MPI_STATUSES_IGNORE);
}

static inline int bine_mpi_copy(const void *from, int n, MPI_Datatype type, void *to, int m,
                                MPI_Datatype to_type, MPI_Comm comm, int self) {
    if (bine_mpi_is_word(from) || bine_mpi_is_word(to))
        return bine_mpi_copy_word(from, n, type, to, m, to_type, comm, self);
    return PMPI_Sendrecv(from, n, type, self, BINE_TAG_SELF, to, m, to_type, self, BINE_TAG_SELF,
                         comm, MPI_STATUS_IGNORE);
}

static inline int bine_mpi_reduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op) {
    return bine_mpi_is_word(from) || bine_mpi_is_word(to)
               ? bine_mpi_reduce_word(from, to, n, type, op)
               : PMPI_Reduce_local(from, to, n, type, op);
}

static const struct bine_transport bine_transport = {
    .isend = bine_mpi_isend,
    .irecv = bine_mpi_irecv,
    .send = bine_mpi_send,
    .recv = bine_mpi_recv,
    .wait = bine_mpi_wait,
    .wait_all = bine_mpi_wait_all,
    .test = bine_mpi_test,
    .test_all = bine_mpi_test_all,
    .some = bine_mpi_some,
    .wait_each = bine_mpi_wait_each,
    .some_of_each = bine_mpi_some_of_each,
    .wait_rest = bine_mpi_wait_rest,
    .withdraw = bine_mpi_withdraw,
    .last_tag = bine_mpi_last_tag,
    .drain = bine_mpi_drain,
    .describe = bine_mpi_describe,
    .size = PMPI_Type_size,
    .pack = bine_mpi_pack,
    .unpack = bine_mpi_unpack,
    .copy = bine_mpi_copy,
    .reduce = bine_mpi_reduce,
    .match = bine_mpi_match,
    .poll = bine_mpi_poll,
    .is_by_one = bine_mpi_is_by_one,
    .can_hook = bine_mpi_can_hook,
    .hook = bine_mpi_hook,
};

#endif
