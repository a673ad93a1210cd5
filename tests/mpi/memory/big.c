/* Vectors of more than 2^31 bytes, on two ranks: counts and offsets that do not fit an int.
 *
 *     big [--gigabytes N]   of memory for both ranks together (10) */
#include "../check.h"

#include "bine.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, p;
static double begin;
static long memory; /* bytes for each rank */

/* A value for every place, so that a wrong offset shows. */
static uint32_t value(int owner, size_t i) {
    return (uint32_t)i * 2654435761u + (uint32_t)(i >> 32) + (uint32_t)owner * 40503u;
}

static uint32_t *need(size_t words) {
    uint32_t *x = malloc(words * sizeof *x);
    if (x == NULL) {
        fprintf(stderr, "no memory for %zu words\n", words);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return x;
}

static void fill(uint32_t *x, size_t words, int owner, size_t first) {
    for (size_t i = 0; i < words; i++)
        x[i] = value(owner, first + i);
}

static size_t wrong(const uint32_t *x, size_t words, int owner, size_t first) {
    size_t n = 0;
    for (size_t i = 0; i < words; i++)
        n += x[i] != value(owner, first + i);
    return n;
}

/* Also says how far the test has come: it takes minutes. */
static void choose(const char *collective, const char *name) {
    if (rank == 0)
        printf("%6.1f s  %s %s\n", MPI_Wtime() - begin, collective, name);
    fflush(stdout);
    check_that(Bine_Next(MPI_COMM_WORLD, name) == MPI_SUCCESS, "%s", name);
}

static void test_bcast(size_t words, const char *name) {
    uint32_t *x = need(words);
    if (rank == 1)
        fill(x, words, 7, 0);
    choose("bcast", name);
    int rc = Bine_Bcast(x, (int)words, MPI_UINT32_T, 1, MPI_COMM_WORLD);
    check_that(rc == MPI_SUCCESS && wrong(x, words, 7, 0) == 0, "bcast %s of %zu bytes", name,
               4 * words);
    free(x);
}

/* The words of all blocks together are as given. */
static void test_allgather(size_t words, const char *name) {
    size_t block = words / (size_t)p;
    uint32_t *all = need(block * (size_t)p);
    fill(all + block * (size_t)rank, block, rank, 0);
    choose("allgather", name);
    int rc = Bine_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, (int)block, MPI_UINT32_T,
                            MPI_COMM_WORLD);
    size_t bad = 0;
    for (int i = 0; i < p; i++)
        bad += wrong(all + block * (size_t)i, block, i, 0);
    check_that(rc == MPI_SUCCESS && bad == 0, "allgather %s of %zu bytes: %zu wrong", name,
               4 * words, bad);
    free(all);
}

static void test_allreduce(size_t words, const char *name) {
    uint32_t *x = need(words);
    size_t bad = 0;
    fill(x, words, rank, 0);
    choose("allreduce", name);
    int rc = Bine_Allreduce(MPI_IN_PLACE, x, (int)words, MPI_UINT32_T, MPI_BXOR, MPI_COMM_WORLD);
    for (size_t i = 0; i < words; i++) {
        uint32_t expected = 0;
        for (int k = 0; k < p; k++)
            expected ^= value(k, i);
        bad += x[i] != expected;
    }
    check_that(rc == MPI_SUCCESS && bad == 0, "allreduce %s of %zu bytes: %zu wrong", name,
               4 * words, bad);
    free(x);
}

static void test_alltoall(size_t words, const char *name) {
    size_t block = words / (size_t)p, bad = 0;
    uint32_t *x = need(block * (size_t)p), *y = need(block * (size_t)p);
    fill(x, block * (size_t)p, rank, 0);
    choose("alltoall", name);
    int rc =
        Bine_Alltoall(x, (int)block, MPI_UINT32_T, y, (int)block, MPI_UINT32_T, MPI_COMM_WORLD);
    for (int i = 0; i < p; i++)
        bad += wrong(y + block * (size_t)i, block, i, block * (size_t)rank);
    check_that(rc == MPI_SUCCESS && bad == 0, "alltoall %s of %zu bytes: %zu wrong", name,
               4 * words, bad);
    free(x);
    free(y);
}

static void test_reduce_scatter(size_t words, const char *name) {
    int counts[64];
    size_t first = 0, bad = 0;
    for (int i = 0; i < p; i++) /* unequal */
        counts[i] = (int)(words / (size_t)p) + (i % 2 == 0 ? 1000 : -1000);
    for (int i = 0; i < rank; i++)
        first += (size_t)counts[i];
    uint32_t *x = need(words + 1000), *y = need((size_t)counts[rank]);
    fill(x, words, rank, 0);
    choose("reduce_scatter", name);
    int rc = Bine_Reduce_scatter(x, y, counts, MPI_UINT32_T, MPI_BXOR, MPI_COMM_WORLD);
    for (size_t i = 0; i < (size_t)counts[rank]; i++) {
        uint32_t expected = 0;
        for (int k = 0; k < p; k++)
            expected ^= value(k, first + i);
        bad += y[i] != expected;
    }
    check_that(rc == MPI_SUCCESS && bad == 0, "reduce_scatter %s of %zu bytes: %zu wrong", name,
               4 * words, bad);
    free(x);
    free(y);
}

/* Elements of a kilobyte with a gap: bytes beyond an int also where the count is small. */
static void test_strided(size_t words) {
    MPI_Datatype row;
    size_t rows = words / 256;
    MPI_Type_vector(2, 120, 128, MPI_UINT32_T, &row);
    MPI_Type_create_resized(row, 0, 1024, &row);
    MPI_Type_commit(&row);
    uint32_t *x = need(words);
    fill(x, words, rank, 0);
    choose("bcast with gaps", "bine-small");
    int rc = Bine_Bcast(x, (int)rows, row, 0, MPI_COMM_WORLD);
    size_t bad = 0;
    for (size_t i = 0; i < rows * 256; i++)
        bad += x[i] != value(i % 128 < 120 ? 0 : rank, i);
    check_that(rc == MPI_SUCCESS && bad == 0, "rows with gaps: %zu wrong", bad);
    free(x);
    MPI_Type_free(&row);
}

/* One element of more than 2^31 bytes at the root, packed on its way, and bytes in a row elsewhere.
 * The element is the same piece of memory again and again. */
static void test_element(size_t words) {
    enum { PIECE = 1 << 18 }; /* words */
    MPI_Datatype type, row;
    size_t pieces = words / PIECE;
    MPI_Type_contiguous(PIECE, MPI_UINT32_T, &row);
    MPI_Type_commit(&row);
    MPI_Type_create_hvector((int)pieces, 1, rank == 0 ? 0 : 4 * (MPI_Aint)PIECE, row, &type);
    MPI_Type_commit(&type);
    uint32_t *x = need(rank == 0 ? PIECE : pieces * PIECE);
    fill(x, PIECE, 3, 0);
    choose("bcast of one element", "bine-small");
    int rc = rank == 0 ? Bine_Bcast(x, 1, type, 0, MPI_COMM_WORLD)
                       : Bine_Bcast(x, (int)pieces, row, 0, MPI_COMM_WORLD);
    size_t bad = 0;
    for (size_t i = 0; i < pieces && rank != 0; i++)
        bad += wrong(x + i * PIECE, PIECE, 3, 0);
    check_that(rc == MPI_SUCCESS && bad == 0, "one element of %zu bytes: %d, %zu wrong",
               4 * PIECE * pieces, rc, bad);
    free(x);
    MPI_Type_free(&type);
    MPI_Type_free(&row);
}

/* One such element of pieces with gaps, added up by an operator of the program's. */
enum { ROW = 1 << 18, ROW_GAP = 1 << 10 }; /* words */
static size_t element_rows;

static void add_rows(void *in, void *inout, int *n, MPI_Datatype *type) {
    (void)type;
    for (size_t k = 0; k < (size_t)*n * element_rows; k++)
        for (size_t i = 0; i < ROW; i++)
            ((uint32_t *)inout)[k * (ROW + ROW_GAP) + i] ^=
                ((uint32_t *)in)[k * (ROW + ROW_GAP) + i];
}

static void test_reduced_element(size_t words) {
    MPI_Datatype type;
    MPI_Op op;
    size_t bad = 0;
    element_rows = words / (ROW + ROW_GAP);
    MPI_Type_vector((int)element_rows, ROW, ROW + ROW_GAP, MPI_UINT32_T, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(add_rows, 1, &op);
    uint32_t *x = need(words);
    fill(x, words, rank, 0);
    choose("allreduce of one element", "bine-small");
    int rc = Bine_Allreduce(MPI_IN_PLACE, x, 1, type, op, MPI_COMM_WORLD);
    for (size_t i = 0; i < element_rows * (ROW + ROW_GAP); i++) {
        uint32_t expected = value(rank, i);
        for (int k = 0; k < p && i % (ROW + ROW_GAP) < ROW; k++)
            expected ^= k == rank ? 0 : value(k, i);
        bad += x[i] != expected;
    }
    check_that(rc == MPI_SUCCESS && bad == 0, "one element of %zu rows: %d, %zu wrong",
               element_rows, rc, bad);
    free(x);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
}

/* Fits the memory: a call that needs `copies` of the vector. */
static size_t words_for(int copies) {
    size_t most = ((size_t)5 << 29) / 4; /* 2.5 GiB */
    size_t room = (size_t)memory / (size_t)copies / 4;
    return room < most ? room : most;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    begin = MPI_Wtime();
    memory = (check_option(argc, argv, "gigabytes", 10) << 30) / p;
    test_bcast(words_for(1), "bine-small");
    test_bcast(words_for(1), "bine-large:blocks");
    test_allgather(words_for(1), "bine-far:blocks");
    test_allreduce(words_for(2), "bine-small");
    test_allreduce(words_for(2), "bine-large:blocks");
    test_alltoall(words_for(2), "linear:blocks");
    test_reduce_scatter(words_for(2), "bine-near:blocks");
    test_strided(words_for(2));
    test_element(words_for(1));
    test_reduced_element(words_for(2));
    int status = check_end();
    MPI_Finalize();
    return status;
}
