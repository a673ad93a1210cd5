/* Calls that are forwarded to MPI come to it as if nothing were preloaded, also on a computer with
 * devices; until a runtime for devices is loaded, unless Bine is switched off. Behind the drop-in
 * library stand witness.c and, for a computer with devices, bench/device_file.c.
 *
 *     forwarded [RUNTIME]    RUNTIME: the fake runtime, which the program loads after some calls */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "../check.h"
#include "../devices/fake_device.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

static int rank, p, counts[MOST], displs[MOST], bytes[MOST];
static MPI_Datatype types[MOST];
static void (*witness)(int *, int *);

/* Every rank gets, or sends, its number and that of the call. */
static void check(const int *out, int n, int base, const char *name) {
    int bad = 0;
    for (int i = 0; i < n; i++)
        bad += out[i] != base + i;
    check_that(bad == 0, "%s: %d numbers wrong", name, bad);
}

static void gather_all(int call, int *in, int *out) {
    int found[MOST], mine = 100 * call + rank;
    MPI_Request request;
    *in = mine;
    MPI_Gatherv(in, 1, MPI_INT, out, counts, displs, MPI_INT, 0, MPI_COMM_WORLD);
    check(out, rank == 0 ? p : 0, 100 * call, "gatherv");
    MPI_Igatherv(in, 1, MPI_INT, found, counts, displs, MPI_INT, p - 1, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(found, rank == p - 1 ? p : 0, 100 * call, "igatherv");
    memset(found, 0, sizeof found);
    MPI_Scatterv(out, counts, displs, MPI_INT, found, 1, MPI_INT, 0, MPI_COMM_WORLD);
    check(found, 1, mine, "scatterv");
    for (int i = 0; i < p; i++)
        out[i] = 100 * call + 10 * rank;
    MPI_Alltoallw(out, counts, bytes, types, found, counts, bytes, types, MPI_COMM_WORLD);
    for (int i = 0; i < p; i++)
        found[i] -= 9 * i;
    check(found, p, 100 * call, "alltoallw");
}

/* After the first round, no call of the next ones makes a detour. */
static void check_straight(const char *when, int first) {
    int in, out[MOST], all[2], others[2];
    gather_all(first, &in, out);
    witness(&all[0], &others[0]);
    for (int call = first + 1; call < first + 5; call++)
        gather_all(call, &in, out);
    witness(&all[1], &others[1]);
    check_that(all[1] - all[0] == 16 && others[1] == others[0], "%s: %d calls of %d through Bine",
               when, others[1] - others[0], all[1] - all[0]);
}

/* Buffers of the device, which MPI does not take. */
static void check_device(void *library) {
    void *(*new)(size_t);
    void (*copy)(void *, const void *, size_t);
    int out[MOST];
    *(void **)&new = dlsym(library, "fake_device_new");
    *(void **)&copy = dlsym(library, "fake_device_copy");
    int *there = new (sizeof out), mine = 1000 + rank;
    copy(there, &mine, sizeof mine);
    MPI_Gatherv(there, 1, MPI_INT, out, counts, displs, MPI_INT, 0, MPI_COMM_WORLD);
    check(out, rank == 0 ? p : 0, 1000, "gatherv from the device");
    MPI_Request request;
    MPI_Igatherv(there, 1, MPI_INT, out, counts, displs, MPI_INT, p - 1, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(out, rank == p - 1 ? p : 0, 1000, "igatherv from the device");
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    *(void **)&witness = dlsym(RTLD_DEFAULT, "witness_counts");
    if (witness == NULL || p > MOST) {
        fprintf(stderr, "forwarded: without its witness, or with more than %d ranks\n", MOST);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; i < p; i++) {
        counts[i] = 1;
        displs[i] = i;
        bytes[i] = i * (int)sizeof(int);
        types[i] = MPI_INT;
    }
    const char *off = getenv("BINE_OFF");
    check_straight("at first", 1);
    dlopen("libm.so.6", RTLD_NOW);
    dlopen("libanl.so.1", RTLD_NOW);
    check_straight("after another library was loaded", 7);
    if (argc > 1) {
        void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (check_that(library != NULL, "%s is not loaded", argv[1]) && off == NULL)
            check_device(library);
        if (off != NULL)
            check_straight("switched off, after a runtime was loaded", 13);
    }
    int status = check_end();
    MPI_Finalize();
    return status;
}
