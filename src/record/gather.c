#include "record/gather.h"

#include "mpi/mpi_calls.h"
#include "profile/folder.h"
#include "profile/merged.h"
#include "report/warn.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 2 };

/* A part is a piece of this rank's memory that others may have damaged. */
static struct bine_part *copy_of(const struct bine_part *part, size_t bytes) {
    struct bine_part *copy = malloc(bytes);
    if (copy == NULL)
        return NULL;
    memcpy(copy, part, bytes);
    if (bine_part_check(copy, bytes) == NULL)
        return copy;
    free(copy);
    return NULL;
}

/* One rank after the other, when it is told to: so rank 0 is never sent more than it takes. */
static void receive_from(MPI_Comm everyone, int rank, int able, struct bine_parts *parts,
                         char *room) {
    MPI_Status s;
    int bytes = 0;
    int rc = PMPI_Send(&able, 1, MPI_INT, rank, TAG, everyone);
    if (rc != MPI_SUCCESS || !able)
        return;
    rc = PMPI_Recv(room, (int)bine_part_bytes(1), MPI_BYTE, rank, TAG, everyone, &s);
    if (rc == MPI_SUCCESS && PMPI_Get_count(&s, MPI_BYTE, &bytes) == MPI_SUCCESS && bytes > 0)
        parts->part[rank] = copy_of((const struct bine_part *)(const void *)room, (size_t)bytes);
}

/* Room for a part, and for all of them; 0 if there is none. */
static int open_parts(int p, struct bine_parts *parts, char **room) {
    *room = malloc(bine_part_bytes(1));
    int rc = bine_parts_new(parts, p);
    return rc == 0 && *room != NULL;
}

static int write_merged(const struct bine_parts *parts, const char *file) {
    struct bine_merged m;
    char folder[BINE_PARTS_PATH];
    errno = ENOMEM;
    int rc = bine_merge(parts, &m);
    if (rc == 0)
        rc = bine_merged_write(file, &m);
    int error = errno;
    if (m.recorded > 0)
        bine_merged_free(&m);
    bine_parts_folder(file, folder);
    if (rc != 0)
        bine_warn(1, 0,
                  "BINE_PROFILE: %s cannot be written: %s; what the ranks recorded stays in %s, "
                  "which `bine profile` reads",
                  file, strerror(error), folder);
    return rc == 0;
}

static int gather_at_root(MPI_Comm everyone, const struct bine_part *part, const char *file) {
    struct bine_parts parts = {.ranks = 0};
    char *room = NULL;
    int p = 1, written = 0;
    if (everyone != MPI_COMM_NULL)
        PMPI_Comm_size(everyone, &p);
    int able = open_parts(p, &parts, &room);
    if (able && part != NULL)
        parts.part[0] = copy_of(part, part->head.bytes);
    for (int r = 1; r < p; r++)
        receive_from(everyone, r, able, &parts, room);
    if (able && part != NULL)
        written = write_merged(&parts, file);
    bine_parts_free(&parts);
    free(room);
    return written;
}

int bine_record_gather(MPI_Comm everyone, const struct bine_part *part, const char *file) {
    int rank = 0, able = 0, written = 0;
    if (everyone != MPI_COMM_NULL)
        PMPI_Comm_rank(everyone, &rank);
    if (rank == 0)
        written = gather_at_root(everyone, part, file);
    else if (PMPI_Recv(&able, 1, MPI_INT, 0, TAG, everyone, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
             able)
        PMPI_Send(part, part != NULL ? (int)part->head.bytes : 0, MPI_BYTE, 0, TAG, everyone);
    if (everyone != MPI_COMM_NULL)
        bine_mpi->bcast(&written, 1, MPI_INT, 0, everyone);
    return written;
}
