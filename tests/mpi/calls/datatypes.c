/* Datatypes that are easily got wrong: those made of Fortran's kinds, which look derived but are
 * MPI's own; and those of absolute addresses. */
#include "../check.h"

#include "bine.h"

#include <stdlib.h>
#include <string.h>

static int rank, p;

/* Pairs and rows of a kind: contiguous, resized and duplicated, all of which are looked into. */
static void test_made_of(MPI_Datatype kind, size_t size, const char *what) {
    enum { TYPES = 3, TIMES = 20 };
    MPI_Datatype made[TYPES];
    char *in = malloc(2 * size), *out = malloc(2 * size * (size_t)p);
    if (in == NULL || out == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Type_contiguous(2, kind, &made[0]);
    MPI_Type_create_resized(made[0], 0, (MPI_Aint)(2 * size), &made[1]);
    MPI_Type_dup(made[0], &made[2]);
    memset(in, 'a' + rank, 2 * size);
    for (int k = 0; k < TYPES; k++) {
        MPI_Type_commit(&made[k]);
        for (int i = 0; i < TIMES; i++) { /* what is freed too often goes away after a while */
            memset(out, 0, 2 * size * (size_t)p);
            int rc = Bine_Allgather(in, 1, made[k], out, 1, made[k], MPI_COMM_WORLD);
            int right = rc == MPI_SUCCESS;
            for (size_t b = 0; b < 2 * size * (size_t)p; b++)
                right = right && out[b] == 'a' + (int)(b / (2 * size));
            check_that(right, "allgather of %s, type %d, time %d: %d", what, k, i, rc);
        }
    }
    for (int k = 0; k < TYPES; k++)
        MPI_Type_free(&made[k]);
    free(in);
    free(out);
}

/* The kinds themselves are added up like built-in types. */
static void test_sum(MPI_Datatype real) {
    double x = rank + 1, sum = 0;
    int rc = Bine_Allreduce(&x, &sum, 1, real, MPI_SUM, MPI_COMM_WORLD);
    check_that(rc == MPI_SUCCESS && sum > p * (p + 1) / 2 - 0.5 && sum < p * (p + 1) / 2 + 0.5,
               "allreduce of a Fortran kind: %d, %g", rc, sum);
}

/* In place, from MPI_BOTTOM: the blocks are counted from there, so the addresses that MPI functions
 * get are small numbers, some of which MPI has a meaning for, as 1 and 2 in the standard's ABI. */
static void test_small_addresses(void) {
    enum { MOST = 8, RANKS = 64 };
    for (int n = 1; n <= MOST && p <= RANKS; n++) {
        char blocks[RANKS * MOST];
        int one = 1, right = 1, rc;
        MPI_Aint address;
        MPI_Datatype there, type;
        MPI_Get_address(blocks, &address);
        MPI_Type_create_hindexed(1, &one, &address, MPI_CHAR, &there);
        MPI_Type_create_resized(there, address, 1, &type);
        MPI_Type_commit(&type);
        memset(blocks, 0, sizeof blocks);
        memset(blocks + rank * n, 'a' + rank, (size_t)n);
        rc =
            Bine_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, MPI_BOTTOM, n, type, MPI_COMM_WORLD);
        for (int i = 0; i < p * n; i++)
            right = right && blocks[i] == 'a' + i / n;
        check_that(rc == MPI_SUCCESS && right, "allgather from MPI_BOTTOM, %d each: %d", n, rc);
        MPI_Type_free(&type);
        MPI_Type_free(&there);
    }
}

static void add_chars(void *from, void *to, int *n, MPI_Datatype *type) {
    MPI_Aint lb, extent;
    MPI_Type_get_extent(*type, &lb, &extent);
    for (MPI_Aint i = 0; i < *n; i++)
        *((char *)to + lb + i * extent) += *((char *)from + lb + i * extent);
}

/* The same for sums, whose vectors are cut where segments end. */
static void test_sum_at_small_addresses(void) {
    enum { N = 12 };
    char sums[N];
    int one = 1, right = 1, rc;
    MPI_Aint address;
    MPI_Datatype there, type;
    MPI_Op op;
    for (int i = 0; i < N; i++)
        sums[i] = (char)(i + rank);
    MPI_Op_create(add_chars, 1, &op);
    MPI_Get_address(sums, &address);
    MPI_Type_create_hindexed(1, &one, &address, MPI_CHAR, &there);
    MPI_Type_create_resized(there, address, 1, &type);
    MPI_Type_commit(&type);
    rc = Bine_Allreduce(MPI_IN_PLACE, MPI_BOTTOM, N, type, op, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
        right = right && sums[i] == p * i + p * (p - 1) / 2;
    check_that(rc == MPI_SUCCESS && right, "allreduce at MPI_BOTTOM: %d", rc);
    MPI_Type_free(&type);
    MPI_Type_free(&there);
    MPI_Op_free(&op);
}

int main(int argc, char **argv) {
    MPI_Datatype real, complex, integer;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Type_create_f90_real(15, 307, &real);
    MPI_Type_create_f90_complex(6, 37, &complex);
    MPI_Type_create_f90_integer(9, &integer);
    test_made_of(real, 8, "Fortran reals");
    test_made_of(complex, 8, "Fortran complex numbers");
    test_made_of(integer, 4, "Fortran integers");
    test_sum(real);
    test_small_addresses();
    test_sum_at_small_addresses();
    int status = check_end();
    MPI_Finalize();
    return status;
}
