/* A program that starts others and works with them in one communicator; they may be without the
 * drop-in library. */
#include <mpi.h>
#include <stdio.h>

enum { CHILDREN = 2, N = 1000 };

/* The collectives on `comm`; whether they are right. */
static int works(MPI_Comm comm) {
    int rank, p, a[N], b[N], right = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &p);
    for (int i = 0; i < N; i++)
        a[i] = rank + i;
    MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < N; i++)
        right &= b[i] == p * i + p * (p - 1) / 2;
    for (int root = 0; root < p; root++) {
        a[0] = rank;
        MPI_Bcast(a, 1, MPI_INT, root, comm);
        right &= a[0] == root;
    }
    return right;
}

int main(int argc, char **argv) {
    MPI_Comm parent, inter, all, mixed, own;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    int child = parent != MPI_COMM_NULL;
    inter = parent;
    if (!child)
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, CHILDREN, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter,
                       MPI_ERRCODES_IGNORE);
    MPI_Intercomm_merge(inter, child, &all);
    MPI_Comm_rank(all, &rank);
    MPI_Comm_split(all, rank % 2, -rank, &mixed); /* one of each */
    MPI_Comm_split(all, child, 0, &own);
    int right = works(all) && works(mixed) && works(own) && works(MPI_COMM_WORLD);
    printf("%s %d: %s\n", child ? "child" : "parent", rank, right ? "right" : "WRONG");
    MPI_Comm_free(&own);
    MPI_Comm_free(&mixed);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&inter);
    MPI_Finalize();
    return !right;
}
