#include "mpi/halves.h"

#include "base/halves.h"
#include "base/lock.h"
#include "device/launch.h"

#include <stdint.h>

enum { OPERATORS = 4 };

/* x[i] = in[i] OP x[i], as operators of MPI do it. */
#define DEFINE(NAME, READ, WRITE, OF)                                                              \
    static void NAME(void *in, void *inout, int *n, MPI_Datatype *type) {                          \
        const uint16_t *a = in;                                                                    \
        uint16_t *x = inout;                                                                       \
        (void)type;                                                                                \
        for (int i = 0; i < *n; i++)                                                               \
            x[i] = WRITE(OF(READ(a[i]), READ(x[i])));                                              \
    }
#define BOTH(NAME, OF)                                                                             \
    DEFINE(half_##NAME, bine_half_read, bine_half_write, OF)                                       \
    DEFINE(bfloat16_##NAME, bine_bfloat16_read, bine_bfloat16_write, OF)
#define SUM(A, B) ((A) + (B))
#define PROD(A, B) ((A) * (B))
#define MIN(A, B) ((B) < (A) ? (B) : (A))
#define MAX(A, B) ((A) < (B) ? (B) : (A))
BOTH(sum, SUM)
BOTH(prod, PROD)
BOTH(min, MIN)
BOTH(max, MAX)

static MPI_User_function *const functions[BINE_HALF_KINDS][OPERATORS] = {
    {half_sum, half_prod, half_min, half_max},
    {bfloat16_sum, bfloat16_prod, bfloat16_min, bfloat16_max}};

static struct half {
    MPI_Datatype type; /* MPI_DATATYPE_NULL: it is not made */
    MPI_Op operator[OPERATORS];
} halves[BINE_HALF_KINDS] = {{.type = MPI_DATATYPE_NULL}, {.type = MPI_DATATYPE_NULL}};

static int make_one(enum bine_half_kind kind) {
    struct half *h = &halves[kind];
    MPI_Datatype type;
    int rc = PMPI_Type_contiguous(2, MPI_BYTE, &type);
    if (rc == MPI_SUCCESS)
        rc = PMPI_Type_commit(&type);
    for (int k = 0; k < OPERATORS && rc == MPI_SUCCESS; k++)
        rc = PMPI_Op_create(functions[kind][k], 1, &h->operator[k]);
    h->type = rc == MPI_SUCCESS ? type : MPI_DATATYPE_NULL;
    return rc;
}

static int make(enum bine_half_kind kind) {
    bine_lock();
    int rc = halves[kind].type != MPI_DATATYPE_NULL ? MPI_SUCCESS : make_one(kind);
    bine_unlock();
    return rc;
}

int bine_halves_type(enum bine_half_kind kind, MPI_Datatype *type) {
    int rc = make(kind);
    if (rc == MPI_SUCCESS)
        *type = halves[kind].type;
    return rc;
}

int bine_halves_operator(enum bine_half_kind kind, MPI_Op like, MPI_Op *op) {
    const MPI_Op known[OPERATORS] = {MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX};
    int k = 0, rc = make(kind);
    while (k < OPERATORS && known[k] != like)
        k++;
    if (rc == MPI_SUCCESS && k == OPERATORS)
        return MPI_ERR_OP;
    if (rc == MPI_SUCCESS)
        *op = halves[kind].operator[k];
    return rc;
}

int bine_halves_name(MPI_Datatype type, MPI_Op op, int *class, int *operation) {
    static const int classes[BINE_HALF_KINDS] = {BINE_DEVICE_F16, BINE_DEVICE_BF16};
    static const int operations[OPERATORS] = {BINE_REDUCE_SUM, BINE_REDUCE_PROD, BINE_REDUCE_MIN,
                                              BINE_REDUCE_MAX};
    for (int kind = 0; kind < BINE_HALF_KINDS; kind++)
        for (int k = 0; halves[kind].type != MPI_DATATYPE_NULL && k < OPERATORS; k++)
            if (halves[kind].type == type && halves[kind].operator[k] == op) {
                *class = classes[kind];
                *operation = operations[k];
                return 0;
            }
    return -1;
}

void bine_halves_end(void) {
    for (int kind = 0; kind < BINE_HALF_KINDS; kind++) {
        struct half *h = &halves[kind];
        if (h->type == MPI_DATATYPE_NULL)
            continue;
        PMPI_Type_free(&h->type);
        for (int k = 0; k < OPERATORS; k++)
            PMPI_Op_free(&h->operator[k]);
    }
}
