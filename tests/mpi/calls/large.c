/* The forms with large counts: each of them, as a call, started and as a plan, gives what MPI's
 * call with int gives. With numbers that int does not have, what MPI would have to make is an
 * error.
 *
 *     large [--huge 1]      also a broadcast of more than 2^31 elements (needs 5 GiB) */
#include "../check.h"

#include "bine.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = 600, MOST = 64 };

static int rank, p;
static MPI_Comm comm;
static int in[WORDS], ours[WORDS], mpis[WORDS];
static int counts[MOST], displs[MOST];
static MPI_Count wide[MOST];
static MPI_Aint places[MOST];
static MPI_Datatype types[MOST];
static int bytes_at[MOST];
static MPI_Aint wide_bytes_at[MOST];

enum { NOW, STARTED, PLAN, FORMS };

static void fill(void) {
    for (int i = 0; i < WORDS; i++) {
        in[i] = 31 * rank + i;
        ours[i] = mpis[i] = -1;
    }
}

static void compare(const char *name, int form, int rc) {
    check_that(rc == MPI_SUCCESS, "%s, form %d: %d", name, form, rc);
    check_that(memcmp(ours, mpis, sizeof ours) == 0, "%s, form %d: other than MPI's", name, form);
}

static int wait_for(int rc, Bine_Request *r) {
    return rc == MPI_SUCCESS ? Bine_Wait(r) : rc;
}

static int run(int rc, Bine_Plan *plan) {
    if (rc == MPI_SUCCESS)
        rc = Bine_Plan_run(*plan);
    if (rc == MPI_SUCCESS)
        rc = Bine_Plan_start(*plan);
    if (rc == MPI_SUCCESS)
        rc = Bine_Plan_wait(*plan);
    Bine_Plan_free(plan);
    return rc;
}

#define BOTH(...) __VA_ARGS__
/* EACH(Name, own, (arguments of MPI), (those of Bine)) */
#define EACH(NAME, OWN, MPIS, OURS)                                                                \
    for (int form = 0; form < FORMS; form++) {                                                     \
        Bine_Request r = NULL;                                                                     \
        Bine_Plan plan = NULL;                                                                     \
        fill();                                                                                    \
        MPI_##NAME MPIS;                                                                           \
        int rc = form == NOW       ? Bine_##NAME##_c OURS                                          \
                 : form == STARTED ? wait_for(Bine_I##OWN##_c(BOTH OURS, &r), &r)                  \
                                   : run(Bine_##NAME##_init_c(BOTH OURS, &plan), &plan);           \
        compare(#NAME, form, rc);                                                                  \
    }

static void check_each(int n, int root) {
    EACH(Allreduce, allreduce, (in, mpis, n, MPI_INT, MPI_SUM, comm),
         (in, ours, n, MPI_INT, MPI_SUM, comm))
    EACH(Reduce, reduce, (in, mpis, n, MPI_INT, MPI_SUM, root, comm),
         (in, ours, n, MPI_INT, MPI_SUM, root, comm))
    EACH(Bcast, bcast, (rank == root ? in : mpis, n, MPI_INT, root, comm),
         (rank == root ? in : ours, n, MPI_INT, root, comm))
    EACH(Gather, gather, (in, n, MPI_INT, mpis, n, MPI_INT, root, comm),
         (in, n, MPI_INT, ours, n, MPI_INT, root, comm))
    EACH(Scatter, scatter, (in, n, MPI_INT, mpis, n, MPI_INT, root, comm),
         (in, n, MPI_INT, ours, n, MPI_INT, root, comm))
    EACH(Allgather, allgather, (in, n, MPI_INT, mpis, n, MPI_INT, comm),
         (in, n, MPI_INT, ours, n, MPI_INT, comm))
    EACH(Alltoall, alltoall, (in, n, MPI_INT, mpis, n, MPI_INT, comm),
         (in, n, MPI_INT, ours, n, MPI_INT, comm))
    EACH(Reduce_scatter_block, reduce_scatter_block, (in, mpis, n, MPI_INT, MPI_SUM, comm),
         (in, ours, n, MPI_INT, MPI_SUM, comm))
    EACH(Scan, scan, (in, mpis, n, MPI_INT, MPI_SUM, comm), (in, ours, n, MPI_INT, MPI_SUM, comm))
    EACH(Exscan, exscan, (in, mpis, n, MPI_INT, MPI_SUM, comm),
         (in, ours, n, MPI_INT, MPI_SUM, comm))
    EACH(Barrier, barrier, (comm), (comm))
}

/* Blocks of n elements and fewer, with a gap behind each. */
static void set_arrays(int n) {
    for (int i = 0; i < p; i++) {
        wide[i] = counts[i] = n - i % 2;
        places[i] = displs[i] = i * (n + 1);
        types[i] = MPI_INT;
        wide_bytes_at[i] = bytes_at[i] = displs[i] * (int)sizeof(int);
    }
}

static void check_uneven(int n, int root) {
    int mine, all[MOST];
    set_arrays(n);
    mine = counts[rank];
    EACH(Reduce_scatter, reduce_scatter, (in, mpis, counts, MPI_INT, MPI_SUM, comm),
         (in, ours, wide, MPI_INT, MPI_SUM, comm))
    EACH(Allgatherv, allgatherv, (in, mine, MPI_INT, mpis, counts, displs, MPI_INT, comm),
         (in, mine, MPI_INT, ours, wide, places, MPI_INT, comm))
    EACH(Gatherv, gatherv, (in, mine, MPI_INT, mpis, counts, displs, MPI_INT, root, comm),
         (in, mine, MPI_INT, ours, wide, places, MPI_INT, root, comm))
    EACH(Scatterv, scatterv, (in, counts, displs, MPI_INT, mpis, mine, MPI_INT, root, comm),
         (in, wide, places, MPI_INT, ours, mine, MPI_INT, root, comm))
    for (int i = 0; i < p; i++) /* as many to each as from it */
        wide[i] = counts[i] = all[i] = n - (i + rank) % 2;
    EACH(Alltoallv, alltoallv, (in, counts, displs, MPI_INT, mpis, all, displs, MPI_INT, comm),
         (in, wide, places, MPI_INT, ours, wide, places, MPI_INT, comm))
    EACH(Alltoallw, alltoallw, (in, counts, bytes_at, types, mpis, all, bytes_at, types, comm),
         (in, wide, wide_bytes_at, types, ours, wide, wide_bytes_at, types, comm))
}

/* What MPI would have to make: by choice, as long as the communicator has not been opened. */
static void check_beyond(void) {
    MPI_Comm c;
    Bine_Request r = NULL;
    MPI_Count n = (MPI_Count)1 << 33;
    MPI_Comm_dup(comm, &c);
    MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN);
    int rc = Bine_Iallreduce_c(in, ours, n, MPI_INT, MPI_SUM, c, &r);
    check_that(check_class(rc) == MPI_ERR_COUNT && r == NULL, "Bine_Iallreduce_c: %d", rc);
    Bine_Set(c, "bcast", "mpi");
    rc = Bine_Bcast_c(ours, n, MPI_INT, 0, c);
    check_that(check_class(rc) == MPI_ERR_COUNT, "Bine_Bcast_c: %d", rc);
    rc = Bine_Bcast_c(ours, -n, MPI_INT, 0, c);
    check_that(check_class(rc) == MPI_ERR_COUNT, "Bine_Bcast_c of less than nothing: %d", rc);
    MPI_Comm_free(&c);
}

static void check_huge(void) {
    MPI_Count n = ((MPI_Count)1 << 31) + 5;
    char *x = malloc((size_t)n);
    if (x == NULL)
        return;
    memset(x, rank == 0 ? 7 : 0, (size_t)n);
    int rc = Bine_Bcast_c(x, n, MPI_BYTE, 0, comm);
    check_that(rc == MPI_SUCCESS && x[0] == 7 && x[n - 1] == 7, "a huge broadcast: %d", rc);
    memset(x, rank == 0 ? 9 : 0, (size_t)n);
    Bine_Request r;
    rc = wait_for(Bine_Ibcast_c(x, n, MPI_BYTE, 0, comm, &r), &r);
    check_that(rc == MPI_SUCCESS && x[0] == 9 && x[n - 1] == 9, "started: %d", rc);
    free(x);
}

int main(int argc, char **argv) {
    int one = 1, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &p);
    check_each(3, 0); /* before anything has opened it: MPI makes what is started */
    Bine_Set(comm, "allreduce", "recursive-doubling");
    Bine_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    Bine_Set(comm, "allreduce", NULL);
    for (int n = 1; n < 40; n += 13) {
        check_each(n, n % p);
        check_uneven(n, n % p);
    }
    check_beyond();
    if (check_option(argc, argv, "huge", 0))
        check_huge();
    MPI_Comm_free(&comm);
    int failed = check_end();
    MPI_Finalize();
    return failed;
}
