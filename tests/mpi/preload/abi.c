/* Stands behind the drop-in library and makes MPI one with the standard ABI, or, with FAKE_ABI=-1,
 * one that knows the question and has an ABI of its own. */
#include <stdlib.h>

int PMPI_Abi_get_version(int *major, int *minor);

__attribute__((visibility("default"))) int PMPI_Abi_get_version(int *major, int *minor) {
    const char *version = getenv("FAKE_ABI");
    *major = version != NULL ? atoi(version) : -1;
    *minor = *major < 0 ? -1 : 0;
    return 0;
}
