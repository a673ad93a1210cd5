/* A program that opens an MPI session and never calls MPI_Init: there is no MPI_COMM_WORLD and no
 * MPI_COMM_SELF. Needs MPI 4. */
#include "../check.h"

#include "bine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if MPI_VERSION >= 4

static int failed;

static void check(int ok, const char *what) {
    if (!ok)
        fprintf(stderr, "FAIL: %s\n", what);
    failed += !ok;
}

static void use(MPI_Comm comm, const char *algorithm) {
    int rank, p, x[8], sum[8], all[8 * 64], good = 1;
    char text[200];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &p);
    for (int i = 0; i < 8; i++)
        x[i] = rank + i;
    check(Bine_Set(comm, "allreduce", algorithm) == MPI_SUCCESS, "Bine_Set");
    check(Bine_Allreduce(x, sum, 8, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS, "allreduce");
    /* Open MPI crashes in MPI_Reduce_local there. */
    const char *ran = check_is_openmpi() ? "mpi" : algorithm;
    check(Bine_Last(comm, text, sizeof text) == MPI_SUCCESS && strstr(text, ran) != NULL, text);
    check(Bine_Allgather(x, 8, MPI_INT, all, 8, MPI_INT, comm) == MPI_SUCCESS, "allgather");
    for (int i = 0; i < 8; i++)
        good = good && sum[i] == p * (p - 1) / 2 + p * i;
    for (int i = 0; i < 8 * p; i++)
        good = good && all[i] == i / 8 + i % 8;
    check(good, "results");
}

/* Errors come back: there is no world whose handler could be asked. */
static void check_errors(MPI_Comm comm) {
    int class, x = 0;
    MPI_Error_class(Bine_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_NULL), &class);
    check(class == MPI_ERR_COMM, "no communicator");
    MPI_Error_class(Bine_Bcast(&x, -1, MPI_INT, 0, comm), &class);
    check(class == MPI_ERR_COUNT, "a negative count");
    MPI_Error_class(Bine_Plan_run(NULL), &class);
    check(class == MPI_ERR_ARG, "no plan");
}

int main(void) {
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm, copy;
    int rank, sum = 0;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "test", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Comm_rank(comm, &rank);
    check_errors(comm);
    use(comm, "bine-small");
    MPI_Comm_dup(comm, &copy);
    use(copy, "ring");
    MPI_Comm_free(&copy);
    MPI_Allreduce(&failed, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
    MPI_Session_finalize(&session);
    if (rank == 0)
        printf("%d failed\n", sum);
    return sum == 0 ? 0 : 1;
}

#else

int main(void) {
    puts("skipped: this MPI library has no sessions");
    return 0;
}

#endif
