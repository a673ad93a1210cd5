#include "engine/channel.h"

#include "engine/workspace.h"

#include <limits.h>
#include <stdlib.h>

void bine_channel_open(struct bine_channel *ch, MPI_Comm comm) {
    int *most = NULL, found = 0, last = 32767; /* which MPI promises */
    if (PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &found) == MPI_SUCCESS && found)
        last = *most;
    ch->comm = comm;
    uint32_t all = (uint32_t)(last - BINE_TAG_FIRST) / BINE_TAGS_OF_CALL;
    ch->lasting = all / 8;
    ch->tags = all - ch->lasting;
}

/* Receive the messages that a failed call left. MPI gives the communicator's number to another one
 * later, where such messages could be met. They are longer than the empty receive, which is an
 * error without a reader. */
static void drain(MPI_Comm comm) {
    MPI_Status s;
    int found = 1;
    while (PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &found, &s) == MPI_SUCCESS && found)
        PMPI_Recv(&found, 0, MPI_BYTE, s.MPI_SOURCE, s.MPI_TAG, comm, MPI_STATUS_IGNORE);
}

/* Memory that a message may still read or write is lost rather than freed. */
void bine_channel_close(struct bine_channel *ch) {
    if (ch->tags > 0)
        drain(ch->comm);
    while (ch->left != NULL) {
        struct bine_workspace_block *b = ch->left;
        int over = 0;
        ch->left = b->next;
        if (PMPI_Testall(b->nrequests, b->request, &over, MPI_STATUSES_IGNORE) == MPI_SUCCESS &&
            over)
            free(b);
    }
    ch->comm = MPI_COMM_NULL;
    ch->tags = 0;
}
