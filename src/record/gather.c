#include "record/gather.h"

#include "mpi/mpi_calls.h"
#include "profile/merged.h"
#include "report/warn.h"
#include "timeline/trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 2 };

/* --- The kinds */

static int write_profile(const struct bine_parts *parts, const char *file) {
    struct bine_merged m;
    errno = ENOMEM;
    int rc = bine_merge(parts, &m);
    if (rc == 0)
        rc = bine_merged_write(file, &m);
    int error = errno;
    if (m.recorded > 0)
        bine_merged_free(&m);
    errno = error;
    return rc;
}

static int write_timeline(const struct bine_parts *parts, const char *file) {
    struct bine_trace t;
    errno = ENOMEM;
    int rc = bine_trace_make(&t, parts);
    if (rc == 0)
        rc = bine_trace_write(file, &t);
    int error = errno;
    bine_trace_free(&t);
    errno = error;
    return rc;
}

const struct bine_gathering bine_gather_profile = {"BINE_PROFILE", "bine profile", bine_part_check,
                                                   write_profile};
const struct bine_gathering bine_gather_timeline = {"BINE_TIMELINE", "bine timeline",
                                                    bine_tape_check, write_timeline};

/* --- Gathering */

/* The parts of all ranks as they come. */
struct gathered {
    MPI_Comm everyone;
    const struct bine_gathering *kind;
    size_t most;
    struct bine_parts parts;
    char *room; /* for one */
    int able;   /* there is memory */
};

/* A part is a piece of this rank's memory that others may have damaged. */
static struct bine_part *copy_of(const struct gathered *g, const struct bine_part *part,
                                 size_t bytes) {
    struct bine_part *copy = malloc(bytes);
    if (copy == NULL)
        return NULL;
    memcpy(copy, part, bytes);
    if (g->kind->check(copy, bytes) == NULL)
        return copy;
    free(copy);
    return NULL;
}

/* One rank after the other, when it is told to: so rank 0 is never sent more than it takes. */
static void receive_from(struct gathered *g, int rank) {
    MPI_Status s;
    int bytes = 0, rc = PMPI_Send(&g->able, 1, MPI_INT, rank, TAG, g->everyone);
    if (rc != MPI_SUCCESS || !g->able)
        return;
    rc = PMPI_Recv(g->room, (int)g->most, MPI_BYTE, rank, TAG, g->everyone, &s);
    if (rc == MPI_SUCCESS && PMPI_Get_count(&s, MPI_BYTE, &bytes) == MPI_SUCCESS && bytes > 0)
        g->parts.part[rank] =
            copy_of(g, (const struct bine_part *)(const void *)g->room, (size_t)bytes);
}

/* Room for a part, and for all of them. */
static void open_parts(struct gathered *g, int p) {
    g->room = malloc(g->most);
    int rc = bine_parts_new(&g->parts, p);
    g->able = rc == 0 && g->room != NULL;
}

static int write_merged(const struct gathered *g, const char *file) {
    char folder[BINE_PARTS_PATH];
    int rc = g->kind->write(&g->parts, file), error = errno;
    bine_parts_folder(file, folder);
    if (rc != 0)
        bine_warn(1, 0,
                  "%s: %s cannot be written: %s; what the ranks recorded stays in %s, which `%s` "
                  "reads",
                  g->kind->setting, file, strerror(error), folder, g->kind->reader);
    return rc == 0;
}

static int gather_at_root(struct gathered *g, const struct bine_part *part, const char *file) {
    int p = 1, written = 0;
    if (g->everyone != MPI_COMM_NULL)
        PMPI_Comm_size(g->everyone, &p);
    open_parts(g, p);
    if (g->able && part != NULL)
        g->parts.part[0] = copy_of(g, part, part->head.bytes);
    for (int r = 1; r < p; r++)
        receive_from(g, r);
    if (g->able && part != NULL)
        written = write_merged(g, file);
    bine_parts_free(&g->parts);
    free(g->room);
    return written;
}

int bine_record_gather(MPI_Comm everyone, const struct bine_gathering *kind, size_t most,
                       const struct bine_part *part, const char *file) {
    struct gathered g = {.everyone = everyone, .kind = kind, .most = most};
    int rank = 0, able = 0, written = 0;
    if (everyone != MPI_COMM_NULL)
        PMPI_Comm_rank(everyone, &rank);
    if (rank == 0)
        written = gather_at_root(&g, part, file);
    else if (PMPI_Recv(&able, 1, MPI_INT, 0, TAG, everyone, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
             able)
        PMPI_Send(part, part != NULL ? (int)part->head.bytes : 0, MPI_BYTE, 0, TAG, everyone);
    if (everyone != MPI_COMM_NULL)
        bine_mpi->bcast(&written, 1, MPI_INT, 0, everyone);
    return written;
}
