/* An MPI library that is neither Open MPI nor MPICH, for one rank: as much of one as the program of
 * tests/mpi/preload/strangers needs. Its handles are numbers of its own: a type is its size. With
 * STRANGER_ABI it claims to have that version of the standard ABI, whose MPI_INT it knows. */
#include <stdlib.h>
#include <string.h>

enum { STANDARD_INT = 0x209 };

#define BOTH(NAME, FORMAL, ...)                                                                    \
    int MPI_##NAME FORMAL;                                                                         \
    int PMPI_##NAME FORMAL;                                                                        \
    int PMPI_##NAME FORMAL __VA_ARGS__;                                                            \
    int MPI_##NAME FORMAL __VA_ARGS__

BOTH(Init, (int *argc, char ***argv), {
    (void)argc, (void)argv;
    return 0;
})
BOTH(Finalize, (void), { return 0; })
BOTH(Comm_size, (long comm, int *p), {
    (void)comm;
    *p = 1;
    return 0;
})
BOTH(Allreduce, (const void *from, void *to, int n, long type, long op, long comm), {
    (void)op, (void)comm;
    memcpy(to, from, (size_t)n * (size_t)(type == STANDARD_INT ? sizeof(int) : type));
    return 0;
})
BOTH(Get_library_version, (char *text, int *n), {
    strcpy(text, "Stranger 1.0, of the tests");
    *n = (int)strlen(text);
    return 0;
})
BOTH(Abi_get_version, (int *major, int *minor), {
    const char *claims = getenv("STRANGER_ABI");
    *major = claims != NULL ? atoi(claims) : -1;
    *minor = claims != NULL ? 0 : -1;
    return 0;
})
