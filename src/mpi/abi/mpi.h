/* The part of MPI's standard ABI (MPI 5.0, chapter 20 and appendix A) that Bine needs: one library
 * of Bine is compiled with it, and runs with every MPI library that has this ABI. Sizes, layouts
 * and values are as the standard prescribes; tests/mpi/abi-header compares them with the
 * header of an MPI library, where one is installed. Programs include their own mpi.h. */
#ifndef BINE_MPI_ABI_MPI_H
#define BINE_MPI_ABI_MPI_H

#include <stdint.h>

#define MPI_VERSION 5
#define MPI_SUBVERSION 0
#define MPI_ABI_VERSION 1
#define MPI_ABI_SUBVERSION 0

typedef intptr_t MPI_Aint;
typedef int64_t MPI_Offset;
typedef int64_t MPI_Count;

typedef struct {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR;
    int MPI_internal[5];
} MPI_Status;
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)

/* --- Handles: pointers; those that are predefined have small values */

typedef struct MPI_ABI_Comm *MPI_Comm;
#define MPI_COMM_NULL ((MPI_Comm)0x100)
#define MPI_COMM_WORLD ((MPI_Comm)0x101)
#define MPI_COMM_SELF ((MPI_Comm)0x102)

typedef struct MPI_ABI_Group *MPI_Group;
#define MPI_GROUP_NULL ((MPI_Group)0x108)

typedef struct MPI_ABI_Info *MPI_Info;
#define MPI_INFO_NULL ((MPI_Info)0x130)

typedef struct MPI_ABI_Errhandler *MPI_Errhandler;
#define MPI_ERRHANDLER_NULL ((MPI_Errhandler)0x140)
#define MPI_ERRORS_RETURN ((MPI_Errhandler)0x143)

typedef struct MPI_ABI_Request *MPI_Request;
#define MPI_REQUEST_NULL ((MPI_Request)0x180)

typedef struct MPI_ABI_Op *MPI_Op;
#define MPI_OP_NULL ((MPI_Op)0x20)
#define MPI_SUM ((MPI_Op)0x21)
#define MPI_MIN ((MPI_Op)0x22)
#define MPI_MAX ((MPI_Op)0x23)
#define MPI_PROD ((MPI_Op)0x24)
#define MPI_BAND ((MPI_Op)0x28)
#define MPI_BOR ((MPI_Op)0x29)
#define MPI_BXOR ((MPI_Op)0x2a)
#define MPI_LAND ((MPI_Op)0x30)
#define MPI_LOR ((MPI_Op)0x31)
#define MPI_LXOR ((MPI_Op)0x32)
#define MPI_MINLOC ((MPI_Op)0x38)
#define MPI_MAXLOC ((MPI_Op)0x39)
#define MPI_REPLACE ((MPI_Op)0x3c)
#define MPI_NO_OP ((MPI_Op)0x3d)

typedef struct MPI_ABI_Datatype *MPI_Datatype;
#define MPI_DATATYPE_NULL ((MPI_Datatype)0x200)
#define MPI_PACKED ((MPI_Datatype)0x207)
#define MPI_SHORT ((MPI_Datatype)0x208)
#define MPI_INT ((MPI_Datatype)0x209)
#define MPI_LONG ((MPI_Datatype)0x20a)
#define MPI_LONG_LONG ((MPI_Datatype)0x20b)
#define MPI_UNSIGNED_SHORT ((MPI_Datatype)0x20c)
#define MPI_UNSIGNED ((MPI_Datatype)0x20d)
#define MPI_UNSIGNED_LONG ((MPI_Datatype)0x20e)
#define MPI_UNSIGNED_LONG_LONG ((MPI_Datatype)0x20f)
#define MPI_FLOAT ((MPI_Datatype)0x210)
#define MPI_C_FLOAT_COMPLEX ((MPI_Datatype)0x212)
#define MPI_DOUBLE ((MPI_Datatype)0x214)
#define MPI_C_DOUBLE_COMPLEX ((MPI_Datatype)0x216)
#define MPI_LOGICAL ((MPI_Datatype)0x218)
#define MPI_INTEGER ((MPI_Datatype)0x219)
#define MPI_REAL ((MPI_Datatype)0x21a)
#define MPI_COMPLEX ((MPI_Datatype)0x21b)
#define MPI_DOUBLE_PRECISION ((MPI_Datatype)0x21c)
#define MPI_DOUBLE_COMPLEX ((MPI_Datatype)0x21d)
#define MPI_CHARACTER ((MPI_Datatype)0x21e)
#define MPI_LONG_DOUBLE ((MPI_Datatype)0x220)
#define MPI_C_LONG_DOUBLE_COMPLEX ((MPI_Datatype)0x224)
#define MPI_FLOAT_INT ((MPI_Datatype)0x228)
#define MPI_DOUBLE_INT ((MPI_Datatype)0x229)
#define MPI_LONG_INT ((MPI_Datatype)0x22a)
#define MPI_2INT ((MPI_Datatype)0x22b)
#define MPI_SHORT_INT ((MPI_Datatype)0x22c)
#define MPI_LONG_DOUBLE_INT ((MPI_Datatype)0x22d)
#define MPI_2REAL ((MPI_Datatype)0x230)
#define MPI_2DOUBLE_PRECISION ((MPI_Datatype)0x231)
#define MPI_2INTEGER ((MPI_Datatype)0x232)
#define MPI_C_BOOL ((MPI_Datatype)0x238)
#define MPI_INT8_T ((MPI_Datatype)0x240)
#define MPI_UINT8_T ((MPI_Datatype)0x241)
#define MPI_CHAR ((MPI_Datatype)0x243)
#define MPI_SIGNED_CHAR ((MPI_Datatype)0x244)
#define MPI_UNSIGNED_CHAR ((MPI_Datatype)0x245)
#define MPI_BYTE ((MPI_Datatype)0x247)
#define MPI_INT16_T ((MPI_Datatype)0x248)
#define MPI_UINT16_T ((MPI_Datatype)0x249)
#define MPI_INT32_T ((MPI_Datatype)0x250)
#define MPI_UINT32_T ((MPI_Datatype)0x251)
#define MPI_INT64_T ((MPI_Datatype)0x258)
#define MPI_UINT64_T ((MPI_Datatype)0x259)

/* --- Numbers */

/* clang-format off */
enum { /* error classes */
    MPI_SUCCESS = 0,
    MPI_ERR_BUFFER = 1,
    MPI_ERR_COUNT = 2,
    MPI_ERR_TYPE = 3,
    MPI_ERR_COMM = 5,
    MPI_ERR_REQUEST = 7,
    MPI_ERR_ROOT = 8,
    MPI_ERR_OP = 10,
    MPI_ERR_ARG = 13,
    MPI_ERR_TRUNCATE = 15,
    MPI_ERR_OTHER = 16,
    MPI_ERR_INTERN = 17,
    MPI_ERR_IN_STATUS = 19,
    MPI_ERR_NO_MEM = 39
};

enum { /* arguments and results */
    MPI_ANY_SOURCE = -1,
    MPI_ANY_TAG = -2,
    MPI_PROC_NULL = -3,
    MPI_ROOT = -4,
    MPI_KEYVAL_INVALID = 0,
    MPI_UNDEFINED = -32766,
    MPI_COMBINER_NAMED = 101,
    MPI_COMBINER_DUP = 102,
    MPI_COMBINER_CONTIGUOUS = 103,
    MPI_COMBINER_F90_REAL = 113,
    MPI_COMBINER_F90_COMPLEX = 114,
    MPI_COMBINER_F90_INTEGER = 115,
    MPI_COMBINER_RESIZED = 116,
    MPI_CART = 211,
    MPI_COMM_TYPE_SHARED = 221,
    MPI_TAG_UB = 501,
    MPI_THREAD_SINGLE = 0,
    MPI_THREAD_MULTIPLE = 4096
};
/* clang-format on */

#define MPI_MAX_PROCESSOR_NAME 256
#define MPI_MAX_LIBRARY_VERSION_STRING 8192

#define MPI_BOTTOM ((void *)0)
#define MPI_IN_PLACE ((void *)1)

/* --- Functions */

typedef void MPI_User_function(void *invec, void *inoutvec, int *len, MPI_Datatype *datatype);
typedef int MPI_Comm_copy_attr_function(MPI_Comm comm, int key, void *extra_state, void *value_in,
                                        void *value_out, int *flag);
typedef int MPI_Comm_delete_attr_function(MPI_Comm comm, int key, void *value, void *extra_state);
typedef int MPI_Type_copy_attr_function(MPI_Datatype type, int key, void *extra_state,
                                        void *value_in, void *value_out, int *flag);
typedef int MPI_Type_delete_attr_function(MPI_Datatype type, int key, void *value,
                                          void *extra_state);
#define MPI_COMM_NULL_COPY_FN ((MPI_Comm_copy_attr_function *)0)
#define MPI_COMM_NULL_DELETE_FN ((MPI_Comm_delete_attr_function *)0)
#define MPI_TYPE_NULL_COPY_FN ((MPI_Type_copy_attr_function *)0)

/* Collectives, from the list of them, with counts of int. */
#include "mpi/narrow.h"
#define BINE_FORMAL(...) __VA_ARGS__
#define CALL(NAME, OWN, FORMAL, ...)                                                               \
    int PMPI_##NAME FORMAL;                                                                        \
    int PMPI_I##OWN(BINE_FORMAL FORMAL, MPI_Request *request);
#include "mpi/entries.def"
#undef CALL
#undef BINE_FORMAL

int PMPI_Isend(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request *request);
int PMPI_Irecv(void *to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
               MPI_Request *request);
int PMPI_Recv_init(void *to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                   MPI_Request *request);
int PMPI_Send(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int PMPI_Recv(void *to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Status *status);
int PMPI_Sendrecv(const void *from, int count, MPI_Datatype type, int to, int tag, void *into,
                  int most, MPI_Datatype into_type, int source, int its_tag, MPI_Comm comm,
                  MPI_Status *status);
int PMPI_Iprobe(int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status);
int PMPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count);
int PMPI_Cancel(MPI_Request *request);
int PMPI_Wait(MPI_Request *request, MPI_Status *status);
int PMPI_Waitall(int n, MPI_Request request[], MPI_Status status[]);
int PMPI_Waitsome(int n, MPI_Request request[], int *done, int index[], MPI_Status status[]);
int PMPI_Test(MPI_Request *request, int *flag, MPI_Status *status);
int PMPI_Testall(int n, MPI_Request request[], int *flag, MPI_Status status[]);
int PMPI_Testsome(int n, MPI_Request request[], int *done, int index[], MPI_Status status[]);
int PMPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status);

int PMPI_Comm_rank(MPI_Comm comm, int *rank);
int PMPI_Comm_size(MPI_Comm comm, int *size);
int PMPI_Comm_remote_size(MPI_Comm comm, int *size);
int PMPI_Comm_test_inter(MPI_Comm comm, int *flag);
int PMPI_Comm_dup(MPI_Comm comm, MPI_Comm *made);
int PMPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *made);
int PMPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *made);
int PMPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made);
int PMPI_Comm_split_type(MPI_Comm comm, int kind, int key, MPI_Info info, MPI_Comm *made);
int PMPI_Comm_get_parent(MPI_Comm *parent);
int PMPI_Comm_free(MPI_Comm *comm);
int PMPI_Comm_disconnect(MPI_Comm *comm);
int PMPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *end,
                            int *key, void *extra_state);
int PMPI_Comm_free_keyval(int *key);
int PMPI_Comm_set_attr(MPI_Comm comm, int key, void *value);
int PMPI_Comm_get_attr(MPI_Comm comm, int key, void *value, int *flag);
int PMPI_Comm_delete_attr(MPI_Comm comm, int key);
int PMPI_Comm_group(MPI_Comm comm, MPI_Group *group);
int PMPI_Comm_remote_group(MPI_Comm comm, MPI_Group *group);
int PMPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *handler);
int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler);
int PMPI_Comm_call_errhandler(MPI_Comm comm, int code);
int PMPI_Errhandler_free(MPI_Errhandler *handler);
int PMPI_Error_class(int code, int *class_of);
int PMPI_Cart_create(MPI_Comm comm, int dims, const int sizes[], const int periods[], int reorder,
                     MPI_Comm *made);
int PMPI_Cart_sub(MPI_Comm comm, const int kept[], MPI_Comm *made);
int PMPI_Graph_create(MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder,
                      MPI_Comm *made);
int PMPI_Dist_graph_create(MPI_Comm comm, int n, const int sources[], const int degrees[],
                           const int destinations[], const int weights[], MPI_Info info,
                           int reorder, MPI_Comm *made);
int PMPI_Dist_graph_create_adjacent(MPI_Comm comm, int ins, const int sources[],
                                    const int in_weights[], int outs, const int destinations[],
                                    const int out_weights[], MPI_Info info, int reorder,
                                    MPI_Comm *made);
int PMPI_Cart_get(MPI_Comm comm, int most, int dims[], int periods[], int coords[]);
int PMPI_Cartdim_get(MPI_Comm comm, int *dims);
int PMPI_Topo_test(MPI_Comm comm, int *status);
int PMPI_Group_free(MPI_Group *group);
int PMPI_Group_size(MPI_Group group, int *size);
int PMPI_Group_range_incl(MPI_Group group, int n, int ranges[][3], MPI_Group *made);
int PMPI_Group_translate_ranks(MPI_Group one, int n, const int ranks[], MPI_Group two,
                               int its_ranks[]);

int PMPI_Op_create(MPI_User_function *function, int commutes, MPI_Op *op);
int PMPI_Op_free(MPI_Op *op);
int PMPI_Op_commutative(MPI_Op op, int *commutes);
int PMPI_Reduce_local(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op);

int PMPI_Type_size(MPI_Datatype type, int *size);
int PMPI_Type_size_x(MPI_Datatype type, MPI_Count *size);
int PMPI_Type_get_extent(MPI_Datatype type, MPI_Aint *low, MPI_Aint *extent);
int PMPI_Type_get_true_extent(MPI_Datatype type, MPI_Aint *low, MPI_Aint *extent);
int PMPI_Type_get_envelope(MPI_Datatype type, int *integers, int *addresses, int *types,
                           int *combiner);
int PMPI_Type_get_contents(MPI_Datatype type, int integers, int addresses, int types, int integer[],
                           MPI_Aint address[], MPI_Datatype its[]);
int PMPI_Type_contiguous(int count, MPI_Datatype type, MPI_Datatype *made);
int PMPI_Type_create_hindexed(int n, const int lengths[], const MPI_Aint places[],
                              MPI_Datatype type, MPI_Datatype *made);
int PMPI_Type_create_struct(int n, const int lengths[], const MPI_Aint places[],
                            const MPI_Datatype types[], MPI_Datatype *made);
int PMPI_Type_commit(MPI_Datatype *type);
int PMPI_Type_free(MPI_Datatype *type);
int PMPI_Type_create_keyval(MPI_Type_copy_attr_function *copy, MPI_Type_delete_attr_function *end,
                            int *key, void *extra_state);
int PMPI_Type_free_keyval(int *key);
int PMPI_Type_set_attr(MPI_Datatype type, int key, void *value);
int PMPI_Type_get_attr(MPI_Datatype type, int key, void *value, int *flag);
int PMPI_Pack(const void *from, int count, MPI_Datatype type, void *to, int size, int *position,
              MPI_Comm comm);
int PMPI_Unpack(const void *from, int size, int *position, void *to, int count, MPI_Datatype type,
                MPI_Comm comm);

int PMPI_Initialized(int *flag);
int PMPI_Finalized(int *flag);
int PMPI_Query_thread(int *level);
int PMPI_Get_library_version(char *text, int *length);
int PMPI_Get_processor_name(char *text, int *length);
double PMPI_Wtime(void);

#endif
