/* MPI's datatypes: their facts, packing and unpacking. */
#include "engine/transport/transport.h"

#include <limits.h>

int bine_type_is_built_in(MPI_Datatype handle) {
    int ni, na, nd, combiner;
    if (PMPI_Type_get_envelope(handle, &ni, &na, &nd, &combiner) != MPI_SUCCESS)
        return 1;
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

static int is_dense(MPI_Datatype handle);

/* A contiguous, duplicated or resized type is dense if its base type is. Other constructors are
 * packed. */
static int made_of_dense(MPI_Datatype handle, int combiner, int ni, int na, int nd) {
    int ints[2], dense = 0;
    MPI_Aint addresses[2], lb, extent;
    MPI_Count size;
    MPI_Datatype inner;
    if (ni > 2 || na > 2 || nd != 1 ||
        PMPI_Type_get_contents(handle, ni, na, nd, ints, addresses, &inner) != MPI_SUCCESS)
        return 0;
    dense = is_dense(inner);
    if (combiner == MPI_COMBINER_RESIZED)
        dense = dense && PMPI_Type_get_extent(handle, &lb, &extent) == MPI_SUCCESS &&
                PMPI_Type_size_x(handle, &size) == MPI_SUCCESS && lb == 0 && extent == size;
    if (!bine_type_is_built_in(inner)) /* which must not be freed */
        PMPI_Type_free(&inner);
    return dense;
}

static int is_dense(MPI_Datatype handle) {
    int ni, na, nd, combiner;
    if (PMPI_Type_get_envelope(handle, &ni, &na, &nd, &combiner) != MPI_SUCCESS)
        return 0;
    if (bine_type_is_built_in(handle)) {
        MPI_Aint lb, extent;
        int size;
        return PMPI_Type_get_extent(handle, &lb, &extent) == MPI_SUCCESS &&
               PMPI_Type_size(handle, &size) == MPI_SUCCESS && lb == 0 && extent == size;
    }
    if (combiner == MPI_COMBINER_CONTIGUOUS || combiner == MPI_COMBINER_DUP ||
        combiner == MPI_COMBINER_RESIZED)
        return made_of_dense(handle, combiner, ni, na, nd);
    return 0;
}

int bine_mpi_describe(MPI_Datatype handle, struct bine_type *t) {
    MPI_Aint lb;
    MPI_Count size;
    int rc = PMPI_Type_size_x(handle, &size);
    if (rc == MPI_SUCCESS)
        rc = PMPI_Type_get_extent(handle, &lb, &t->extent);
    if (rc != MPI_SUCCESS)
        return rc;
    t->handle = handle;
    t->size = (MPI_Aint)size;
    t->true_lb = 0;
    t->true_extent = t->extent;
    t->dense = t->size == t->extent && lb == 0 && is_dense(handle);
    return t->dense ? MPI_SUCCESS : PMPI_Type_get_true_extent(handle, &t->true_lb, &t->true_extent);
}

/* The direction: elements to packed bytes, or back. */
enum way { PACKS, UNPACKS };

static int move(enum way way, char *elements, int n, MPI_Datatype type, char *packed, int bytes,
                MPI_Comm comm) {
    int position = 0;
    return way == PACKS ? PMPI_Pack(elements, n, type, packed, bytes, &position, comm)
                        : PMPI_Unpack(packed, bytes, &position, elements, n, type, comm);
}

/* MPICH neither packs from MPI_BOTTOM nor unpacks to it: give it another address, and a type that
 * takes this back. */
static int move_few(enum way way, const struct bine_type *t, char *elements, int n, char *packed,
                    MPI_Comm comm) {
    MPI_Datatype type;
    int bytes = (int)(n * t->size);
    if (elements != MPI_BOTTOM && !bine_mpi_is_word(elements))
        return move(way, elements, n, t->handle, packed, bytes, comm);
    int rc = bine_mpi_begin_elsewhere(t->handle, &type);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = move(way, bine_at(elements, BINE_MPI_ELSEWHERE), n, type, packed, bytes, comm);
    PMPI_Type_free(&type);
    return rc;
}

/* A type of `size` bytes in a row. */
static int make_bytes(MPI_Aint size, MPI_Datatype *type) {
    enum { CHUNK = 1 << 20 };
    int length[2] = {(int)(size / CHUNK), (int)(size % CHUNK)};
    MPI_Aint at[2] = {0, size - size % CHUNK};
    MPI_Datatype part[2] = {MPI_DATATYPE_NULL, MPI_BYTE};
    int rc = PMPI_Type_contiguous(CHUNK, MPI_BYTE, &part[0]);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = PMPI_Type_create_struct(2, length, at, part, type);
    PMPI_Type_free(&part[0]);
    return rc == MPI_SUCCESS ? PMPI_Type_commit(type) : rc;
}

/* MPI_Pack counts bytes with int, messages count elements: a huge element is packed and unpacked by
 * a message to this rank itself. */
static int move_huge(enum way way, const struct bine_type *t, char *element, char *packed,
                     MPI_Comm comm) {
    MPI_Datatype bytes;
    int self, rc = PMPI_Comm_rank(comm, &self);
    if (rc == MPI_SUCCESS)
        rc = make_bytes(t->size, &bytes);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = way == PACKS ? bine_mpi_copy(element, 1, t->handle, packed, 1, bytes, comm, self)
                      : bine_mpi_copy(packed, 1, bytes, element, 1, t->handle, comm, self);
    PMPI_Type_free(&bytes);
    return rc;
}

static int move_all(enum way way, const struct bine_type *t, char *elements, MPI_Aint n,
                    char *packed, MPI_Comm comm) {
    int rc = MPI_SUCCESS;
    for (int k; n > 0 && rc == MPI_SUCCESS; n -= k) {
        k = bine_type_batch(t, n);
        rc = t->size > INT_MAX ? move_huge(way, t, elements, packed, comm)
                               : move_few(way, t, elements, k, packed, comm);
        elements = bine_at(elements, k * t->extent);
        packed += k * t->size;
    }
    return rc;
}

int bine_mpi_pack(const struct bine_type *t, const void *from, MPI_Aint n, char *to,
                  MPI_Comm comm) {
    return move_all(PACKS, t, bine_at(from, 0), n, to, comm);
}

int bine_mpi_unpack(const struct bine_type *t, const char *from, MPI_Aint n, void *to,
                    MPI_Comm comm) {
    return move_all(UNPACKS, t, to, n, bine_at(from, 0), comm);
}
