#include "mpi/place.h"

#include "choose/settings.h"
#include "mpi/real.h"

#include <stdlib.h>

static uint64_t node_of(void) {
    char name[MPI_MAX_PROCESSOR_NAME];
    int n = 0;
    if (PMPI_Get_processor_name(name, &n) != MPI_SUCCESS)
        n = 0;
    return bine_hash(BINE_HASH, name, (size_t)n);
}

static int compare(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Equal numbers stand side by side. */
static void count(uint64_t *node, int p, struct bine_place *place) {
    int run = 0;
    qsort(node, (size_t)p, sizeof *node, compare);
    place->nodes = place->per_node = 0;
    for (int i = 0; i < p; i++) {
        run = i > 0 && node[i] == node[i - 1] ? run + 1 : 1;
        place->nodes += run == 1;
        place->per_node = run > place->per_node ? run : place->per_node;
    }
}

/* There are several. A rank without memory for it must not be the only one that does not know. */
static int count_nodes(MPI_Comm comm, int p, uint64_t mine, struct bine_place *place) {
    uint64_t *node = malloc((size_t)p * sizeof *node);
    int able = node != NULL, all = 0;
    int rc = bine_real()->allreduce(&able, &all, 1, MPI_INT, MPI_MIN, comm);
    if (rc == MPI_SUCCESS && all)
        rc = bine_real()->allgather(&mine, 1, MPI_UINT64_T, node, 1, MPI_UINT64_T, comm);
    if (rc == MPI_SUCCESS && all)
        count(node, p, place);
    free(node);
    return rc;
}

int bine_place_find(MPI_Comm comm, int p, const struct bine_say *say, struct bine_place *place) {
    uint64_t node = node_of(), hash = say->hash, all[5];
    /* The greatest of x and of ~x: all x are equal if these are each other's complement. */
    uint64_t mine[5] = {say->able ? hash : UINT64_MAX, say->able ? ~hash : UINT64_MAX, node, ~node,
                        !say->room};
    *place = (struct bine_place){say->able, say->room, 1, p};
    if (p == 1)
        return MPI_SUCCESS;
    int rc = bine_real()->allreduce(mine, all, 5, MPI_UINT64_T, MPI_MAX, comm);
    if (rc != MPI_SUCCESS)
        return rc;
    place->alike = all[0] == ~all[1];
    place->room = all[4] == 0;
    if (all[2] == ~all[3])
        return MPI_SUCCESS;
    place->nodes = place->per_node = 0;
    return count_nodes(comm, p, node, place);
}
