#include "record/kinds.h"

#include "base/hash.h"
#include "engine/transport/transport.h"
#include "mpi/operators.h"
#include "mpi/world.h"

/* --- Communicators: in a small table by handle, and by an attribute */

enum { KNOWN = 64 };
static struct bine_recorded_comm known[KNOWN];
static int key = MPI_KEYVAL_INVALID; /* on communicators: their place and one */

static struct bine_recorded_comm *place_of(MPI_Comm comm) {
    return &known[bine_hash_number((uint64_t)(uintptr_t)comm) % KNOWN];
}

/* Its handle may be given to another. */
static int on_free(MPI_Comm comm, int k, void *value, void *extra) {
    (void)k;
    (void)value;
    (void)extra;
    struct bine_recorded_comm *c = place_of(comm);
    if (c->comm == comm)
        c->used = 0;
    return MPI_SUCCESS;
}

static int key_of_comms(void) {
    if (key == MPI_KEYVAL_INVALID &&
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_free, &key, NULL) != MPI_SUCCESS)
        key = MPI_KEYVAL_INVALID;
    return key;
}

void bine_recorded_comms_end(void) {
    for (int i = 0; i < KNOWN; i++)
        known[i].used = 0;
    if (key != MPI_KEYVAL_INVALID)
        PMPI_Comm_free_keyval(&key);
    key = MPI_KEYVAL_INVALID;
}

static uint64_t hash_of(int (*group_of)(MPI_Comm, MPI_Group *), MPI_Comm comm) {
    MPI_Group group;
    if (group_of(comm, &group) != MPI_SUCCESS)
        return 0;
    uint64_t hash = bine_world_hash(group);
    PMPI_Group_free(&group);
    return hash;
}

/* Of processes that are not in MPI_COMM_WORLD nothing is known but how many they are. */
static struct bine_part_comm describe(const struct bine_recorded_comm *c) {
    int local = c->local, all = local == bine_world_size();
    struct bine_part_comm x = {.key = hash_of(PMPI_Comm_group, c->comm),
                               .ranks = local,
                               .rank = c->rank,
                               .kind = all ? BINE_PART_WORLD : BINE_PART_PART};
    if (x.key == 0) {
        x.key = bine_hash(BINE_HASH, &local, sizeof local);
        x.rank = -1;
        x.kind = BINE_PART_PART;
    }
    if (c->inter) {
        uint64_t remote = hash_of(PMPI_Comm_remote_group, c->comm);
        x.key = bine_hash(x.key, &remote, sizeof remote);
        x.kind = BINE_PART_INTER;
    }
    return x;
}

static const struct bine_recorded_comm *look_up(struct bine_recorder *r, MPI_Comm comm) {
    struct bine_recorded_comm c = {.comm = comm, .used = 1}, *place = place_of(comm);
    void *value = NULL;
    int found = 0, k = key_of_comms();
    if (k == MPI_KEYVAL_INVALID || PMPI_Comm_get_attr(comm, k, &value, &found) != MPI_SUCCESS ||
        PMPI_Comm_rank(comm, &c.rank) != MPI_SUCCESS ||
        PMPI_Comm_size(comm, &c.local) != MPI_SUCCESS ||
        PMPI_Comm_test_inter(comm, &c.inter) != MPI_SUCCESS)
        return NULL;
    c.p = c.local;
    if (c.inter)
        PMPI_Comm_remote_size(comm, &c.p);
    if (found) {
        c.place = (unsigned)(uintptr_t)value - 1;
    } else {
        struct bine_part_comm x = describe(&c);
        c.place = bine_recorder_comm(r, &x);
        if (PMPI_Comm_set_attr(comm, k, (void *)(uintptr_t)(c.place + 1)) != MPI_SUCCESS)
            return NULL;
    }
    *place = c;
    return place;
}

const struct bine_recorded_comm *bine_recorded_comm_of(struct bine_recorder *r, MPI_Comm comm) {
    const struct bine_recorded_comm *c = place_of(comm);
    return c->used && c->comm == comm ? c : look_up(r, comm);
}

/* --- Datatypes: built-in ones are kept by handle */

struct type {
    MPI_Datatype handle;
    int size, used;
    enum bine_datatype kind;
};

static enum bine_datatype kind_of(MPI_Datatype handle) {
    static const enum bine_datatype kinds[] = {[BINE_TYPE_INTEGER] = BINE_DATATYPE_INTEGER,
                                               [BINE_TYPE_FLOATING] = BINE_DATATYPE_FLOAT,
                                               [BINE_TYPE_COMPLEX] = BINE_DATATYPE_COMPLEX,
                                               [BINE_TYPE_PAIR] = BINE_DATATYPE_OTHER,
                                               [BINE_TYPE_BYTE] = BINE_DATATYPE_BYTE};
    if (handle == MPI_CHAR || handle == MPI_CHARACTER)
        return BINE_DATATYPE_BYTE;
    if (handle == MPI_C_BOOL || handle == MPI_LOGICAL)
        return BINE_DATATYPE_OTHER;
    return kinds[bine_type_class_of(handle)];
}

static struct type describe_type(MPI_Datatype handle) {
    struct type t = {.handle = handle, .kind = BINE_DATATYPE_DERIVED};
    MPI_Count size = 0;
    t.used = bine_type_is_built_in(handle);
    PMPI_Type_size_x(handle, &size);
    t.size = size > 0 && size <= INT_MAX ? (int)size : 0;
    if (t.used)
        t.kind = kind_of(handle);
    return t;
}

static int64_t size_of(MPI_Datatype handle, enum bine_datatype *kind) {
    enum { TYPES = 32 };
    static struct type types[TYPES];
    struct type *t = &types[bine_hash_number((uint64_t)(uintptr_t)handle) % TYPES], new;
    if (!t->used || t->handle != handle) {
        new = describe_type(handle);
        if (new.used)
            *t = new;
        else
            t = &new;
    }
    *kind = t->kind;
    return t->size;
}

/* --- Bytes */

/* The bytes that this rank sends to all others in alltoallv and alltoallw. */
static int64_t sent_to_all(const struct bine_arguments *a, int p, enum bine_datatype *kind) {
    int in_place = a->sendbuf == MPI_IN_PLACE;
    const struct bine_counts *counts = in_place ? &a->recvcounts : &a->sendcounts;
    const MPI_Datatype *types = in_place ? a->recvtypes : a->sendtypes;
    int64_t bytes = 0;
    if (!a->by_types)
        return bine_counts_sum(counts, p) * size_of(in_place ? a->recvtype : a->sendtype, kind);
    for (int i = 0; i < p; i++)
        bytes +=
            bine_count_at(counts, i) > 0 ? bine_count_at(counts, i) * size_of(types[i], kind) : 0;
    *kind = BINE_DATATYPE_SEVERAL;
    return bytes;
}

/* The block of this rank, of gatherv and scatterv. */
static int64_t own_block(const struct bine_arguments *a, int rank, enum bine_datatype *kind) {
    int gathers = a->collective == BINE_GATHERV;
    if (gathers && rank == a->root && a->sendbuf == MPI_IN_PLACE)
        return bine_count_at(&a->recvcounts, rank) * size_of(a->recvtype, kind);
    if (!gathers && rank == a->root && a->recvbuf == MPI_IN_PLACE)
        return bine_count_at(&a->sendcounts, rank) * size_of(a->sendtype, kind);
    return gathers ? a->sendcount * size_of(a->sendtype, kind)
                   : a->recvcount * size_of(a->recvtype, kind);
}

static int counts_by_send(enum bine_collective c, int at_root) {
    if (c == BINE_GATHER || c == BINE_GATHERV)
        return !at_root;
    if (c == BINE_SCATTER || c == BINE_SCATTERV)
        return at_root;
    return c == BINE_ALLTOALL || c == BINE_ALLGATHERV;
}

/* Between two groups, the root passes MPI_ROOT and the others of its group MPI_PROC_NULL, whose
 * further arguments mean nothing. */
static int64_t between_groups(const struct bine_arguments *a, const struct bine_recorded_comm *c,
                              enum bine_datatype *kind) {
    int rooted = bine_collective_is_rooted(a->collective);
    int at_root = rooted && a->root == MPI_ROOT, uneven = bine_collective_is_uneven(a->collective);
    int by_send = counts_by_send(a->collective, at_root);
    if ((rooted && a->root == MPI_PROC_NULL) || (at_root && uneven))
        return 0;
    if (a->collective == BINE_ALLTOALLV)
        return sent_to_all(a, c->p, kind);
    int64_t n = a->by_counts ? bine_counts_sum(&a->recvcounts, c->local)
                : by_send    ? a->sendcount
                             : a->recvcount;
    int64_t blocks = a->by_counts || uneven || bine_cuts_a_vector(a->collective) ? 1
                     : a->collective == BINE_REDUCE_SCATTER                      ? c->local
                                                                                 : c->p;
    return n * blocks * size_of(by_send ? a->sendtype : a->recvtype, kind);
}

int64_t bine_recorded_bytes(const struct bine_arguments *a, const struct bine_recorded_comm *c,
                            enum bine_datatype *kind) {
    MPI_Datatype type;
    *kind = BINE_DATATYPE_NONE;
    if (a->collective == BINE_BARRIER)
        return 0;
    if (c->inter)
        return between_groups(a, c, kind);
    if (a->collective == BINE_ALLTOALLV)
        return sent_to_all(a, c->p, kind);
    if (a->collective == BINE_GATHERV || a->collective == BINE_SCATTERV)
        return own_block(a, c->rank, kind);
    int64_t n = bine_arguments_elements(a, c->rank, c->p, &type);
    return n * size_of(type, kind);
}
