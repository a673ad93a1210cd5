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

/* Whether an element has more packed bytes than an int can count. */
static int is_huge(const struct bine_type *t) {
    return t->size > INT_MAX;
}

/* MPICH neither packs from MPI_BOTTOM nor unpacks to it: give it another address, and a type that
 * takes this back. */
#define NOT_BOTTOM 64

static int begin_off_bottom(const struct bine_type *t, MPI_Datatype *type) {
    int one = 1;
    MPI_Aint back = -NOT_BOTTOM;
    int rc = PMPI_Type_create_hindexed(1, &one, &back, t->handle, type);
    return rc == MPI_SUCCESS ? PMPI_Type_commit(type) : rc;
}

static int pack(const struct bine_type *t, const char *from, int n, char *to, int bytes,
                MPI_Comm comm) {
    int position = 0;
    MPI_Datatype type;
    if (from != MPI_BOTTOM)
        return PMPI_Pack(from, n, t->handle, to, bytes, &position, comm);
    int rc = begin_off_bottom(t, &type);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = PMPI_Pack((const char *)(uintptr_t)NOT_BOTTOM, n, type, to, bytes, &position, comm);
    PMPI_Type_free(&type);
    return rc;
}

static int unpack(const struct bine_type *t, const char *from, int bytes, char *to, int n,
                  MPI_Comm comm) {
    int position = 0;
    MPI_Datatype type;
    if (to != MPI_BOTTOM)
        return PMPI_Unpack(from, bytes, &position, to, n, t->handle, comm);
    int rc = begin_off_bottom(t, &type);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = PMPI_Unpack(from, bytes, &position, (char *)(uintptr_t)NOT_BOTTOM, n, type, comm);
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
static int send_to_self(const void *from, MPI_Datatype sendtype, void *to, MPI_Datatype recvtype,
                        MPI_Comm comm) {
    int self, rc = PMPI_Comm_rank(comm, &self);
    if (rc != MPI_SUCCESS)
        return rc;
    return bine_mpi_copy(from, 1, sendtype, to, 1, recvtype, comm, self);
}

static int pack_huge(const struct bine_type *t, const char *from, char *to, MPI_Comm comm) {
    MPI_Datatype bytes;
    int rc = make_bytes(t->size, &bytes);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = send_to_self(from, t->handle, to, bytes, comm);
    PMPI_Type_free(&bytes);
    return rc;
}

static int unpack_huge(const struct bine_type *t, const char *from, char *to, MPI_Comm comm) {
    MPI_Datatype bytes;
    int rc = make_bytes(t->size, &bytes);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = send_to_self(from, bytes, to, t->handle, comm);
    PMPI_Type_free(&bytes);
    return rc;
}

int bine_mpi_pack(const struct bine_type *t, const void *from, MPI_Aint n, char *to,
                  MPI_Comm comm) {
    const char *at = from;
    while (n > 0) {
        int k = bine_type_batch(t, n);
        int rc =
            is_huge(t) ? pack_huge(t, at, to, comm) : pack(t, at, k, to, (int)(k * t->size), comm);
        if (rc != MPI_SUCCESS)
            return rc;
        at = bine_at(at, k * t->extent);
        to += k * t->size;
        n -= k;
    }
    return MPI_SUCCESS;
}

int bine_mpi_unpack(const struct bine_type *t, const char *from, MPI_Aint n, void *to,
                    MPI_Comm comm) {
    char *at = to;
    while (n > 0) {
        int k = bine_type_batch(t, n);
        int rc = is_huge(t) ? unpack_huge(t, from, at, comm)
                            : unpack(t, from, (int)(k * t->size), at, k, comm);
        if (rc != MPI_SUCCESS)
            return rc;
        at = bine_at(at, k * t->extent);
        from += k * t->size;
        n -= k;
    }
    return MPI_SUCCESS;
}
