/* The error handler of the user's communicator: never replaced, not even for a moment, and not
 * called where MPI has no communicator left to give.
 *
 * The program defines PMPI_Comm_set_errhandler, so that it sees every call of the library's. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "../check.h"

#include "bine.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static MPI_Comm watched = MPI_COMM_NULL;
static int replaced, handled;

int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
    static int (*real)(MPI_Comm, MPI_Errhandler);
    void *address = real == NULL ? dlsym(RTLD_NEXT, "PMPI_Comm_set_errhandler") : NULL;
    if (real == NULL)
        memcpy(&real, &address, sizeof real);
    replaced += comm == watched;
    return real(comm, handler);
}

static void on_error(MPI_Comm *comm, int *code, ...) {
    (void)comm;
    (void)code;
    handled++;
}

static MPI_Comm fresh(void) {
    MPI_Comm comm;
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
    return comm;
}

/* One call by an algorithm of Bine's, which needs a private communicator; what it says of itself.
 */
static void use(MPI_Comm comm, const char *expected) {
    char text[200] = "";
    int p, one = 1, sum = 0;
    MPI_Comm_size(comm, &p);
    watched = comm;
    replaced = handled = 0;
    int rc = Bine_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    watched = MPI_COMM_NULL;
    check_that(rc == MPI_SUCCESS && sum == p, "allreduce: rc %d, %d of %d", rc, sum, p);
    check_that(replaced == 0, "the error handler was replaced %d times", replaced);
    check_that(handled == 0, "the error handler was called %d times", handled);
    Bine_Last(comm, text, sizeof text);
    check_that(strstr(text, expected) != NULL, "ran \"%s\", expected \"%s\"", text, expected);
}

/* All that there are. MPI_COMM_SELF needs nobody else, so one rank alone can run out of them. */
static long take_all(MPI_Comm *taken, long most) {
    long n = 0;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    while (n < most && MPI_Comm_dup(MPI_COMM_SELF, &taken[n]) == MPI_SUCCESS)
        n++;
    return n;
}

static void test_none_left(int rank) {
    enum { MOST = 100000 };
    MPI_Comm *taken = malloc(MOST * sizeof *taken), comm = fresh();
    long n = rank == 0 && taken != NULL ? take_all(taken, MOST) : 0;
    if (rank == 0)
        check_that(n > 1000 && n < MOST, "%ld communicators", n);
    use(comm, "mpi (too many communicators)");
    while (n > 0)
        MPI_Comm_free(&taken[--n]);
    free(taken);
    use(comm, "mpi (too many communicators)"); /* once and for all */
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    setenv("BINE_ALLREDUCE", "bine-small", 1);
    MPI_Comm comm = fresh();
    use(comm, "bine-small");
    MPI_Comm_free(&comm);
    test_none_left(rank);
    comm = fresh();
    use(comm, "bine-small");
    MPI_Comm_free(&comm);
    int status = check_end();
    MPI_Finalize();
    return status;
}
