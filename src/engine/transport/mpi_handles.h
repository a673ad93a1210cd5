/* The handles and error codes of the transport over MPI: MPI's own. */
#ifndef BINE_ENGINE_MPI_HANDLES_H
#define BINE_ENGINE_MPI_HANDLES_H

#include <mpi.h>

typedef MPI_Comm bine_comm_handle;
typedef MPI_Datatype bine_type_handle;
typedef MPI_Op bine_op_handle;
typedef MPI_Request bine_request_handle;

#define BINE_NO_COMM MPI_COMM_NULL
#define BINE_NO_OP MPI_OP_NULL
#define BINE_NO_REQUEST MPI_REQUEST_NULL
#define BINE_BYTE MPI_BYTE
#define BINE_BOTTOM MPI_BOTTOM /* an address that types count from */

enum {
    BINE_OK = MPI_SUCCESS,
    BINE_ERR_NO_MEM = MPI_ERR_NO_MEM,
    BINE_ERR_TRUNCATE = MPI_ERR_TRUNCATE,
    BINE_ERR_INTERN = MPI_ERR_INTERN,
    BINE_ERR_OTHER = MPI_ERR_OTHER
};

#endif
