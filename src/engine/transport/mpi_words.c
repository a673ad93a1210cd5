/* Data at addresses that MPI takes for words: the standard's ABI has 1 for MPI_IN_PLACE and 2 for
 * MPI_BUFFER_AUTOMATIC, and Open MPI 6 makes its own word of each in every argument. Such data has
 * a type of absolute addresses; another type and another address name it as well. */
#include "engine/transport/transport.h"

#include <stdlib.h>
#include <string.h>

/* The type whose elements begin so far before their address. */
int bine_mpi_begin_elsewhere(MPI_Datatype type, MPI_Datatype *moved) {
    int one = 1;
    MPI_Aint back = -BINE_MPI_ELSEWHERE;
    int rc = PMPI_Type_create_hindexed(1, &one, &back, type, moved);
    return rc == MPI_SUCCESS ? PMPI_Type_commit(moved) : rc;
}

static char *elsewhere(const void *address) {
    return bine_at(address, BINE_MPI_ELSEWHERE);
}

int bine_mpi_isend_word(const void *from, int n, MPI_Datatype type, int peer, int tag,
                        MPI_Comm comm, MPI_Request *request) {
    MPI_Datatype moved;
    int rc = bine_mpi_begin_elsewhere(type, &moved);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = PMPI_Isend(elsewhere(from), n, moved, peer, tag, comm, request);
    PMPI_Type_free(&moved);
    return rc;
}

int bine_mpi_irecv_word(void *to, int n, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                        MPI_Request *request) {
    MPI_Datatype moved;
    int rc = bine_mpi_begin_elsewhere(type, &moved);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = PMPI_Irecv(elsewhere(to), n, moved, peer, tag, comm, request);
    PMPI_Type_free(&moved);
    return rc;
}

int bine_mpi_send_word(const void *from, int n, MPI_Datatype type, int peer, int tag,
                       MPI_Comm comm) {
    MPI_Request request;
    int rc = bine_mpi_isend_word(from, n, type, peer, tag, comm, &request);
    return rc == MPI_SUCCESS ? PMPI_Wait(&request, MPI_STATUS_IGNORE) : rc;
}

int bine_mpi_recv_word(void *to, int n, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
    MPI_Request request;
    int rc = bine_mpi_irecv_word(to, n, type, peer, tag, comm, &request);
    return rc == MPI_SUCCESS ? PMPI_Wait(&request, MPI_STATUS_IGNORE) : rc;
}

int bine_mpi_copy_word(const void *from, int n, MPI_Datatype type, void *to, int m,
                       MPI_Datatype to_type, MPI_Comm comm, int self) {
    MPI_Datatype moved[2];
    int rc = bine_mpi_begin_elsewhere(type, &moved[0]);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = bine_mpi_begin_elsewhere(to_type, &moved[1]);
    if (rc == MPI_SUCCESS) {
        rc = PMPI_Sendrecv(elsewhere(from), n, moved[0], self, BINE_TAG_SELF, elsewhere(to), m,
                           moved[1], self, BINE_TAG_SELF, comm, MPI_STATUS_IGNORE);
        PMPI_Type_free(&moved[1]);
    }
    PMPI_Type_free(&moved[0]);
    return rc;
}

/* A user's operator gets the type of the call, so both vectors are copied, gaps and all. */
int bine_mpi_reduce_word(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op) {
    struct bine_type t;
    int rc = bine_mpi_describe(type, &t);
    if (rc != MPI_SUCCESS)
        return rc;
    ptrdiff_t first = bine_type_first(&t, n), shift = bine_type_shift(&t, n);
    size_t bytes = bine_type_reach(&t, n), room = bine_type_room(&t, n);
    char *memory = malloc(2 * room + 1);
    if (memory == NULL)
        return MPI_ERR_NO_MEM;
    char *a = memory + shift, *b = a + room;
    memcpy(a + first, bine_at(from, first), bytes);
    memcpy(b + first, bine_at(to, first), bytes);
    rc = PMPI_Reduce_local(a, b, n, type, op);
    memcpy(bine_at(to, first), b + first, bytes);
    free(memory);
    return rc;
}
