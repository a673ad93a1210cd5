/* The layouts of allgather and reduce_scatter, each in turn on 8 ranks: not in place and in place,
 * with whole elements and with a datatype that has gaps, which must stay as they are. The
 * randomized test (conform.c) draws these too; here none is left to chance. */
#include "../check.h"

#include "bine.h"

#include <stdio.h>
#include <stdlib.h>

enum { RANKS = 8, BLOCK = 37, GAP = -99 };

static const char *const layouts[] = {"blocks", "pack", "permute", "send"};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

/* Element i of rank r's block. */
static int value(int r, int i) {
    return 1000 * r + i;
}

/* Every second int of an element of two is a gap. */
static MPI_Datatype make_type(int gaps) {
    MPI_Datatype one = MPI_INT, type;
    if (!gaps)
        return MPI_INT;
    MPI_Type_create_resized(one, 0, 2 * sizeof(int), &type);
    MPI_Type_commit(&type);
    return type;
}

static void try_allgather(MPI_Comm comm, int rank, int p, const char *layout, int in_place,
                          int gaps) {
    int step = gaps ? 2 : 1, bad = 0, own[2 * BLOCK], all[2 * BLOCK * RANKS];
    char name[40], ran[200];
    MPI_Datatype type = make_type(gaps);
    for (int i = 0; i < step * BLOCK * p; i++)
        all[i] = GAP;
    for (int i = 0; i < 2 * BLOCK; i++)
        own[i] = GAP;
    for (int i = 0; i < BLOCK; i++)
        *(in_place ? &all[step * (rank * BLOCK + i)] : &own[step * i]) = value(rank, i);
    snprintf(name, sizeof name, "bine-far:%s", layout);
    int rc = Bine_Next(comm, name);
    if (rc == MPI_SUCCESS)
        rc = Bine_Allgather(in_place ? MPI_IN_PLACE : own, BLOCK, type, all, BLOCK, type, comm);
    Bine_Last(comm, ran, sizeof ran);
    for (int i = 0; i < step * BLOCK * p; i++)
        bad += all[i] != (i % step != 0 ? GAP : value(i / step / BLOCK, i / step % BLOCK));
    check_that(rc == MPI_SUCCESS && bad == 0, "allgather %s, %d ranks%s%s: %d are wrong (%s)", name,
               p, in_place ? ", in place" : "", gaps ? ", gaps" : "", bad, ran);
    if (gaps)
        MPI_Type_free(&type);
}

/* Sums of the ints of an element, whose gaps nobody touches. */
static void add(void *in, void *inout, int *n, MPI_Datatype *type) {
    MPI_Aint low, extent;
    MPI_Type_get_extent(*type, &low, &extent);
    int step = (int)(extent / (MPI_Aint)sizeof(int));
    for (int i = 0; i < *n; i++)
        ((int *)inout)[step * i] += ((int *)in)[step * i];
}

static void try_reduce_scatter(MPI_Comm comm, int rank, int p, const char *layout, int in_place,
                               int gaps) {
    int step = gaps ? 2 : 1, bad = 0, counts[RANKS], own[2 * BLOCK * RANKS],
        sums[2 * BLOCK * RANKS];
    char name[40], ran[200];
    MPI_Datatype type = make_type(gaps);
    MPI_Op op;
    MPI_Op_create(add, 1, &op);
    for (int i = 0; i < step * BLOCK * p; i++) {
        own[i] = i % step != 0 ? GAP : value(rank, i / step);
        sums[i] = in_place ? own[i] : GAP;
    }
    for (int r = 0; r < p; r++)
        counts[r] = BLOCK;
    snprintf(name, sizeof name, "bine-near:%s", layout);
    int rc = Bine_Next(comm, name);
    if (rc == MPI_SUCCESS)
        rc = Bine_Reduce_scatter(in_place ? MPI_IN_PLACE : own, sums, counts, type, op, comm);
    Bine_Last(comm, ran, sizeof ran);
    for (int i = 0; i < step * BLOCK; i++)
        bad += sums[i] !=
               (i % step != 0 ? GAP : 1000 * (p * (p - 1) / 2) + p * (rank * BLOCK + i / step));
    check_that(rc == MPI_SUCCESS && bad == 0, "reduce_scatter %s, %d ranks%s%s: %d are wrong (%s)",
               name, p, in_place ? ", in place" : "", gaps ? ", gaps" : "", bad, ran);
    MPI_Op_free(&op);
    if (gaps)
        MPI_Type_free(&type);
}

int main(int argc, char **argv) {
    int rank, p;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &p);
    if (p > RANKS)
        abort();
    for (int l = 0; l < LAYOUTS; l++)
        for (int k = 0; k < 4; k++) {
            try_allgather(comm, rank, p, layouts[l], k % 2, k / 2);
            try_reduce_scatter(comm, rank, p, layouts[l], k % 2, k / 2);
        }
    MPI_Comm_free(&comm);
    int failed = check_end();
    MPI_Finalize();
    return failed;
}
