#include "mpi/world.h"

#include "base/hash.h"

int bine_has_world(void) {
    int begun = 0, ended = 0;
    return PMPI_Initialized(&begun) == MPI_SUCCESS && begun &&
           PMPI_Finalized(&ended) == MPI_SUCCESS && !ended;
}

int bine_world_rank(void) {
    int rank;
    return bine_has_world() && PMPI_Comm_rank(MPI_COMM_WORLD, &rank) == MPI_SUCCESS ? rank : -1;
}

int bine_world_size(void) {
    int size;
    return bine_has_world() && PMPI_Comm_size(MPI_COMM_WORLD, &size) == MPI_SUCCESS ? size : 0;
}

/* Open MPI looks for every rank from the beginning of the other group. So ranks are looked for in
 * batches, each first in a window behind where the last one was found: most communicators have
 * their ranks in order. */
enum { BATCH = 32 };

static int least(int a, int b) {
    return a < b ? a : b;
}

/* The places of some ranks in a window of the world, or MPI_UNDEFINED. */
static int find_near(MPI_Group ours, int n, const int *rank, MPI_Group world, int first, int last,
                     int *place) {
    MPI_Group window;
    int range[1][3] = {{first, last, 1}};
    int rc = PMPI_Group_range_incl(world, 1, range, &window);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = PMPI_Group_translate_ranks(ours, n, rank, window, place);
    PMPI_Group_free(&window);
    for (int i = 0; i < n && rc == MPI_SUCCESS; i++)
        if (place[i] != MPI_UNDEFINED)
            place[i] += first;
    return rc;
}

/* The places of n ranks; whether some of them are not in the world; *next: behind the last of them.
 */
static int is_batch_out(MPI_Group ours, int n, const int *rank, MPI_Group world, int size,
                        int window, int *next, int place[BATCH]) {
    int first = *next < size ? *next : 0;
    if (find_near(ours, n, rank, world, first, least(first + window, size) - 1, place) !=
        MPI_SUCCESS)
        return 1;
    for (int i = 0; i < n; i++) {
        if (place[i] == MPI_UNDEFINED)
            PMPI_Group_translate_ranks(ours, 1, &rank[i], world, &place[i]);
        if (place[i] == MPI_UNDEFINED)
            return 1;
    }
    *next = place[n - 1] + 1;
    return 0;
}

/* *hash: of the places of all ranks, if none is out. */
static int is_out(MPI_Group ours, MPI_Group world, uint64_t *hash) {
    int p, size, rank[BATCH], place[BATCH], next = 0, out = 0;
    *hash = BINE_HASH;
    if (PMPI_Group_size(ours, &p) != MPI_SUCCESS || PMPI_Group_size(world, &size) != MPI_SUCCESS ||
        p > size)
        return 1;
    for (int first = 0; first < p && !out; first += BATCH) {
        int n = least(BATCH, p - first);
        for (int i = 0; i < n; i++)
            rank[i] = first + i;
        out = is_batch_out(ours, n, rank, world, size, 2 * BATCH * (size / p), &next, place);
        *hash = out ? 0 : bine_hash(*hash, place, (size_t)n * sizeof *place);
    }
    return out;
}

uint64_t bine_world_hash(MPI_Group ours) {
    MPI_Group world;
    uint64_t hash;
    if (PMPI_Comm_group(MPI_COMM_WORLD, &world) != MPI_SUCCESS)
        return 0;
    if (is_out(ours, world, &hash))
        hash = 0;
    PMPI_Group_free(&world);
    return hash;
}

int bine_has_ranks_outside_world(MPI_Comm comm) {
    MPI_Group ours, world;
    uint64_t hash;
    int out;
    if (!bine_has_world())
        return 0;
    if (PMPI_Comm_group(comm, &ours) != MPI_SUCCESS)
        return 1;
    if (PMPI_Comm_group(MPI_COMM_WORLD, &world) != MPI_SUCCESS) {
        PMPI_Group_free(&ours);
        return 1;
    }
    out = ours != world && is_out(ours, world, &hash);
    PMPI_Group_free(&ours);
    PMPI_Group_free(&world);
    return out;
}
