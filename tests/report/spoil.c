/* A wrong algorithm: after bine-large, the last rank's result has a wrong first byte. Linked with
 * --wrap=Bine_Allreduce, into a test program only. */
#include <bine.h>
#include <string.h>

int __real_Bine_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                          MPI_Op op, MPI_Comm comm);
int __wrap_Bine_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                          MPI_Op op, MPI_Comm comm);

int __wrap_Bine_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                          MPI_Op op, MPI_Comm comm) {
    int rank, p, rc = __real_Bine_Allreduce(sendbuf, recvbuf, count, datatype, op, comm);
    char text[120];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &p);
    Bine_Last(comm, text, (int)sizeof text);
    if (rc == MPI_SUCCESS && rank == p - 1 && strstr(text, "bine-large:") != NULL)
        *(char *)recvbuf ^= 1;
    return rc;
}
