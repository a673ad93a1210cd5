/* Open MPI: messages inside its collectives do not pass through PMPI. Its monitoring component sees
 * them all, but in Open MPI 4.1 its performance variables are gone once MPI_Init is over, so the
 * function that it calls for each message is taken over here: the definition in a program comes
 * before the one in a library. */
#include "library.h"

#include <stdlib.h>
#include <string.h>

const char *const library_name = "openmpi";
const char *const library_prefix = "coll_tuned_";

void mca_common_monitoring_record_pml(int world_rank, size_t data_size, int tag);

static struct counts sent;

void mca_common_monitoring_record_pml(int world_rank, size_t data_size, int tag) {
    (void)tag;
    if (world_rank < 0 || world_rank >= LIBRARY_RANKS)
        return;
    sent.messages[world_rank]++;
    sent.bytes[world_rank] += (long)data_size;
}

void library_prepare(void) {
    setenv("OMPI_MCA_pml", "ob1,monitoring", 1);
    setenv("OMPI_MCA_pml_monitoring_enable", "1", 1);
    setenv("OMPI_MCA_coll_tuned_use_dynamic_rules", "1", 1);
}

const char *library_start(void) {
    struct counts before = sent;
    int rank, provided;
    char in, out = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Sendrecv(&out, 1, MPI_CHAR, rank ^ 1, 0, &in, 1, MPI_CHAR, rank ^ 1, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (sent.messages[rank ^ 1] != before.messages[rank ^ 1] + 1)
        return "this Open MPI has no monitoring component that counts messages";
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    return NULL;
}

void library_count(struct counts *c) {
    *c = sent;
}
