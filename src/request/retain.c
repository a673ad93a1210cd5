#include "request/retain.h"

#include <stdlib.h>

/* The program may free a type as soon as the call has begun. A type that is made of it keeps it in
 * MPI until then, and no functions that the program has attached to the type are called, as for a
 * duplicate. Operators are passed the program's own handle: they may compare it with another. */
static int retain_type(MPI_Datatype *type, int reduces, MPI_Datatype *retained) {
    if (bine_type_is_common(*type) || bine_type_is_built_in(*type))
        return MPI_SUCCESS;
    int rc = PMPI_Type_contiguous(1, *type, retained);
    if (rc != MPI_SUCCESS || reduces)
        return rc;
    rc = PMPI_Type_commit(retained);
    if (rc == MPI_SUCCESS)
        *type = *retained;
    return rc;
}

/* A type for each rank, in an array of the request's own: many may be equal, and an empty block may
 * have none. */
static int retain_each(struct bine_request *r, const MPI_Datatype *types,
                       const struct bine_counts *counts, int p) {
    MPI_Datatype *type = (void *)bine_at(types, 0), given = MPI_DATATYPE_NULL, kept = given;
    for (int k = 0; types != NULL && k < p; k++) {
        if (bine_count_at(counts, k) == 0)
            continue;
        if (type[k] == given) {
            type[k] = kept;
            continue;
        }
        MPI_Datatype retained = MPI_DATATYPE_NULL;
        given = type[k];
        int rc = retain_type(&type[k], 0, &retained);
        if (retained != MPI_DATATYPE_NULL)
            r->retained[r->nretained++] = retained;
        if (rc != MPI_SUCCESS)
            return rc;
        kept = type[k];
    }
    return MPI_SUCCESS;
}

int bine_retain_each_type(struct bine_request *r, const struct bine_arguments *a, int p) {
    r->retained = r->kept != NULL ? malloc(2 * (size_t)p * sizeof *r->retained) : NULL;
    if (r->retained == NULL)
        return MPI_ERR_NO_MEM;
    int rc = retain_each(r, a->sendtypes, &a->sendcounts, p);
    return rc == MPI_SUCCESS ? retain_each(r, a->recvtypes, &a->recvcounts, p) : rc;
}

int bine_retain_types(struct bine_request *r, struct bine_call *call) {
    int reduces = bine_collective_reduces(call->collective);
    if (call->collective == BINE_BARRIER)
        return MPI_SUCCESS;
    int one = call->sendtype.handle == call->recvtype.handle;
    int rc = retain_type(&call->recvtype.handle, reduces, &r->type[0]);
    if (one)
        call->sendtype.handle = call->recvtype.handle;
    else if (rc == MPI_SUCCESS)
        rc = retain_type(&call->sendtype.handle, reduces, &r->type[1]);
    return rc;
}
