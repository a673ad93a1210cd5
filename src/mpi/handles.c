#include "mpi/handles.h"

#include "base/lock.h"
#include "mpi/process.h"

#include <stddef.h>

_Atomic uint64_t bine_types_age = 1;

static int keyval = MPI_KEYVAL_INVALID;

int bine_type_is_common(MPI_Datatype type) {
    const MPI_Datatype common[] = {MPI_BYTE,      MPI_CHAR,   MPI_INT,           MPI_LONG,
                                   MPI_FLOAT,     MPI_DOUBLE, MPI_UNSIGNED_LONG, MPI_INT64_T,
                                   MPI_LONG_LONG, MPI_2INT};
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        if (type == common[i])
            return 1;
    return 0;
}

int bine_operator_is_built_in(MPI_Op op) {
    const MPI_Op known[] = {MPI_SUM, MPI_MAX, MPI_MIN,  MPI_PROD, MPI_LAND,   MPI_BAND,
                            MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (op == known[i])
            return 1;
    return 0;
}

static int on_type_free(MPI_Datatype type, int key, void *value, void *extra) {
    (void)type;
    (void)key;
    (void)value;
    (void)extra;
    atomic_fetch_add(&bine_types_age, 1);
    return MPI_SUCCESS;
}

/* Once; threads may come here together. */
static int key_of_types(void) {
    bine_lock();
    if (keyval == MPI_KEYVAL_INVALID && !bine_process_is_finalizing() &&
        PMPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, on_type_free, &keyval, NULL) != MPI_SUCCESS)
        keyval = MPI_KEYVAL_INVALID;
    int key = keyval;
    bine_unlock();
    return key;
}

int bine_type_watch(MPI_Datatype type) {
    int key = key_of_types(), found = 0;
    void *value;
    if (key == MPI_KEYVAL_INVALID)
        return 0;
    if (PMPI_Type_get_attr(type, key, &value, &found) == MPI_SUCCESS && found)
        return 1;
    return PMPI_Type_set_attr(type, key, NULL) == MPI_SUCCESS;
}

void bine_types_end(void) {
    bine_lock();
    if (keyval != MPI_KEYVAL_INVALID)
        PMPI_Type_free_keyval(&keyval);
    keyval = MPI_KEYVAL_INVALID;
    bine_unlock();
}
