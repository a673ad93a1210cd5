/* What is counted is what is sent: every algorithm runs on 2 to 17 ranks with made-up groups, and
 * the bytes that the engine hands to MPI are compared with the counts of `bine traffic`.
 *
 *     traffic [--most P] [--all 1]
 *
 * Beyond 8 ranks, of every four numbers of ranks two, unless all are asked for.
 *
 * The program defines PMPI_Isend, PMPI_Send and PMPI_Waitsome itself, so that the library's calls
 * come here first. */
#define _GNU_SOURCE /* RTLD_NEXT */

#include "../check.h"

#include "api/last_copied.h"
#include "bine.h"
#include "traffic/copied.h"
#include "traffic/traffic.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Up to FEW ranks every layout is run; with more, the one that each algorithm prefers. */
enum { MOST_RANKS = 64, MOST_BYTES = 140001, FEW = 8 };

static int64_t sent[MOST_RANKS]; /* to each rank of the communicator in use */
static int listening;

static void note(int count, MPI_Datatype type, int to) {
    int size;
    PMPI_Type_size(type, &size);
    if (listening)
        sent[to] += (int64_t)count * size;
}

int PMPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request *request) {
    static int (*real)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Isend");
    note(count, type, to);
    return real(buffer, count, type, to, tag, comm, request);
}

int PMPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    static int (*real)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Send");
    note(count, type, to);
    return real(buffer, count, type, to, tag, comm);
}

/* MPICH polls the network for requests that are none, too: it must not be shown any. */
int PMPI_Waitsome(int count, MPI_Request *request, int *done, int *index, MPI_Status *status) {
    static int (*real)(int, MPI_Request *, int *, int *, MPI_Status *);
    int none = 0;
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Waitsome");
    for (int i = 0; i < count; i++)
        none += request[i] == MPI_REQUEST_NULL;
    if (listening)
        check_that(none == 0, "%d of %d requests to wait for are none", none, count);
    return real(count, request, done, index, status);
}

/* Uneven groups that ranks are dealt to in no order, in larger ones if p is odd. */
static size_t write_groups(char text[MOST_RANKS * 8], int p, int ranks) {
    size_t n = 0;
    for (int r = 0; r < ranks; r++) {
        int group = (r * r + p) % 7 / 2;
        if (p % 2 == 1)
            n += (size_t)snprintf(text + n, MOST_RANKS * 8 - n, "p%d ", group % 2);
        n += (size_t)snprintf(text + n, MOST_RANKS * 8 - n, "g%d\n", group);
    }
    return n;
}

/* Of the p ranks, and in a file of all ranks for the library. */
static void make_groups(struct bine_allocation *a, int p, const char *file) {
    struct bine_reason why;
    char text[MOST_RANKS * 8];
    int world;
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    size_t n = write_groups(text, p, world);
    FILE *f = fopen(file, "w");
    check_that(f != NULL && fwrite(text, 1, n, f) == n, "%s cannot be written", file);
    if (f != NULL)
        fclose(f);
    setenv("BINE_GROUPS", file, 1);
    n = write_groups(text, p, p);
    check_that(bine_allocation_read(a, text, n, "groups", &why) == 0, "%s", why.text);
}

/* One call of so many bytes in all. */
static int run(const struct bine_spec *spec, int bytes, char *in, char *out, MPI_Comm comm) {
    int counts[MOST_RANKS], displs[MOST_RANKS], block = bytes / spec->p;
    for (int b = 0; b < spec->p; b++) {
        counts[b] = block;
        displs[b] = b * block;
    }
    switch (spec->algorithm->collective) {
    case BINE_BCAST:
        return Bine_Bcast(out, bytes, MPI_BYTE, spec->root, comm);
    case BINE_REDUCE:
        return Bine_Reduce(in, out, bytes, MPI_BYTE, MPI_BOR, spec->root, comm);
    case BINE_ALLREDUCE:
        return Bine_Allreduce(in, out, bytes, MPI_BYTE, MPI_BOR, comm);
    case BINE_GATHER:
        return Bine_Gather(in, block, MPI_BYTE, out, block, MPI_BYTE, spec->root, comm);
    case BINE_SCATTER:
        return Bine_Scatter(in, block, MPI_BYTE, out, block, MPI_BYTE, spec->root, comm);
    case BINE_ALLGATHER:
        return Bine_Allgather(in, block, MPI_BYTE, out, block, MPI_BYTE, comm);
    case BINE_ALLTOALL:
        return Bine_Alltoall(in, block, MPI_BYTE, out, block, MPI_BYTE, comm);
    case BINE_BARRIER:
        return Bine_Barrier(comm);
    case BINE_ALLGATHERV:
        return Bine_Allgatherv(in, block, MPI_BYTE, out, counts, displs, MPI_BYTE, comm);
    case BINE_ALLTOALLV:
        return Bine_Alltoallv(in, counts, displs, MPI_BYTE, out, counts, displs, MPI_BYTE, comm);
    case BINE_GATHERV:
        return Bine_Gatherv(in, block, MPI_BYTE, out, counts, displs, MPI_BYTE, spec->root, comm);
    case BINE_SCATTERV:
        return Bine_Scatterv(in, counts, displs, MPI_BYTE, out, block, MPI_BYTE, spec->root, comm);
    case BINE_SCAN:
        return Bine_Scan(in, out, bytes, MPI_BYTE, MPI_BOR, comm);
    case BINE_EXSCAN:
        return Bine_Exscan(in, out, bytes, MPI_BYTE, MPI_BOR, comm);
    default:
        for (int b = 0; b < spec->p; b++)
            counts[b] = block + (b < bytes % spec->p);
        return Bine_Reduce_scatter(in, out, counts, MPI_BYTE, MPI_BOR, comm);
    }
}

/* The blocks of these calls are all of one size. */
static int needs_equal(enum bine_collective c) {
    return !bine_cuts_a_vector(c) && !bine_collective_reduces(c);
}

/* What the engine has bound to buffers packs and permutes as much as `bine traffic` counts. */
static void compare_copies(const struct bine_spec *spec, int bytes, const char *name,
                           MPI_Comm comm) {
    int64_t mine = bine_last_copied(comm), most, expected = bine_copied_most(spec, bytes);
    MPI_Allreduce(&mine, &most, 1, MPI_INT64_T, MPI_MAX, comm);
    check_that(most < 0 || most == expected,
               "%s %s, %d ranks, root %d, %d bytes: copied %lld, counted %lld",
               bine_collective_name(spec->algorithm->collective), name, spec->p, spec->root, bytes,
               (long long)most, (long long)expected);
}

static void compare(const struct bine_spec *spec, int bytes, const struct bine_allocation *a,
                    MPI_Comm comm) {
    static char in[MOST_BYTES], out[MOST_BYTES];
    struct bine_traffic_options options = {BINE_FLOWS_BEST, 0, 0};
    struct bine_traffic t;
    int64_t mine[2] = {0, 0}, all[2];
    char name[80], text[200] = "";
    snprintf(name, sizeof name, "%s:%s", spec->algorithm->name, bine_layout_name(spec->layout));
    int rc = Bine_Next(comm, name);
    memset(sent, 0, sizeof sent);
    listening = 1;
    rc = rc == MPI_SUCCESS ? run(spec, bytes, in, out, comm) : rc;
    listening = 0;
    for (int r = 0; r < spec->p; r++) {
        mine[0] += sent[r];
        mine[1] += a->group[r] != a->group[spec->rank] ? sent[r] : 0;
    }
    MPI_Allreduce(mine, all, 2, MPI_INT64_T, MPI_SUM, comm);
    int counted = bine_traffic_count(&t, spec, bytes, a, &options);
    Bine_Last(comm, text, (int)sizeof text);
    /* With boards inside nodes there are no messages there, and fewer in all. */
    int inside = strstr(text, "boards inside nodes") != NULL;
    check_that(rc == MPI_SUCCESS && counted == BINE_FLOWS_GOOD &&
                   (inside ? t.total >= all[0] : t.total == all[0]) && t.global == all[1],
               "%s %s, %d ranks, root %d, %d bytes: sent %lld, %lld between groups; counted %lld, "
               "%lld",
               bine_collective_name(spec->algorithm->collective), name, spec->p, spec->root, bytes,
               (long long)all[0], (long long)all[1], (long long)t.total, (long long)t.global);
    if (counted == BINE_FLOWS_GOOD)
        bine_traffic_free(&t);
    compare_copies(spec, bytes, name, comm);
}

/* An algorithm in a layout, with few bytes, some, and so many that pipelines have segments. */
static void compare_row(struct bine_spec *spec, const struct bine_allocation *a, int row,
                        MPI_Comm comm) {
    static const int sizes[] = {5, 1003, MOST_BYTES};
    char why[200];
    if (bine_spec_error(spec, why, sizeof why) != NULL)
        return;
    if (bine_collective_is_rooted(spec->algorithm->collective))
        spec->root = (7 * spec->p + row) % spec->p;
    for (int i = spec->p > FEW ? 1 : 0; i < 3; i++) {
        int bytes = sizes[i];
        if (needs_equal(spec->algorithm->collective))
            bytes -= bytes % spec->p;
        spec->segments = bine_segments_for(spec->algorithm, spec->p, bytes);
        compare(spec, bytes, a, comm);
    }
}

static void compare_all(int p, MPI_Comm comm) {
    struct bine_allocation a;
    struct bine_groups *groups = NULL;
    char file[64];
    int rank;
    MPI_Comm_rank(comm, &rank);
    snprintf(file, sizeof file, "/tmp/bine-traffic.%ld.%d", (long)getpid(), p);
    make_groups(&a, p, file);
    if (bine_allocation_groups(&a) > 1)
        groups = bine_allocation_levels(&a);
    for (size_t i = 0; i < bine_catalogue_size; i++)
        for (int l = 0; l < BINE_LAYOUTS; l++) {
            struct bine_spec spec = {.algorithm = &bine_catalogue[i],
                                     .layout = (enum bine_layout)l,
                                     .p = p,
                                     .rank = rank,
                                     .groups = groups};
            if (p <= FEW || spec.layout == bine_algorithm_layout(spec.algorithm, p))
                compare_row(&spec, &a, (int)i, comm);
        }
    unlink(file);
    bine_groups_free(groups);
    bine_allocation_free(&a);
}

int main(int argc, char **argv) {
    int world, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int most = (int)check_option(argc, argv, "most", 17);
    int all = (int)check_option(argc, argv, "all", 0);
    for (int p = 2; p <= most && p <= world && p <= MOST_RANKS; p++) {
        MPI_Comm comm;
        if (p > FEW && p % 4 > 1 && !all)
            continue;
        MPI_Comm_split(MPI_COMM_WORLD, rank < p ? 0 : MPI_UNDEFINED, rank, &comm);
        if (comm != MPI_COMM_NULL) {
            compare_all(p, comm);
            MPI_Comm_free(&comm);
        }
    }
    int status = check_end();
    MPI_Finalize();
    return status;
}
