#include "engine/transport/mpi_library.h"

#include <ctype.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

atomic_int bine_mpi_library_kind;

/* The version text of the library, which is there before MPI_Init. */
static void ask(char said[MPI_MAX_LIBRARY_VERSION_STRING + 1]) {
    int n = 0;
    said[0] = '\0';
    if (PMPI_Get_library_version(said, &n) != MPI_SUCCESS)
        said[0] = '\0';
    said[MPI_MAX_LIBRARY_VERSION_STRING] = '\0';
}

enum bine_library bine_mpi_library_find(void) {
    static const char openmpi[] = "Open MPI ";
    char said[MPI_MAX_LIBRARY_VERSION_STRING + 1];
    ask(said);
    enum bine_library library =
        strncmp(said, openmpi, sizeof openmpi - 1) == 0 ? BINE_LIBRARY_OPENMPI : BINE_LIBRARY_MPICH;
    atomic_store_explicit(&bine_mpi_library_kind, (int)library, memory_order_relaxed);
    return library;
}

/* The name is that of MPI 5; older libraries have no such function. */
int bine_mpi_abi_ask(int *major, int *minor) __asm__("PMPI_Abi_get_version") __attribute__((weak));

int bine_mpi_abi_version(void) {
    int major = -1, minor = -1;
    return bine_mpi_abi_ask != NULL && bine_mpi_abi_ask(&major, &minor) == MPI_SUCCESS ? major : -1;
}

/* The first words, up to a comma or the line's end: "Open MPI v4.1.4", "MPICH Version: 4.0.2". */
static size_t write_words(const char *said, char *text, size_t size) {
    size_t k = 0;
    for (const char *c = said; *c != '\0' && *c != ',' && *c != '\n' && k + 1 < size; c++)
        if (!isspace((unsigned char)*c))
            text[k++] = *c;
        else if (k > 0 && text[k - 1] != ' ')
            text[k++] = ' ';
    text[k] = '\0';
    return k;
}

/* MPICH and its kin name the transport that they were built for: "MPICH Device: ch4:ucx". */
static int find_device(const char *said, const char **device) {
    static const char key[] = "Device:";
    const char *at = strstr(said, key);
    if (at == NULL)
        return 0;
    at += sizeof key - 1;
    at += strspn(at, " \t");
    *device = at;
    return (int)strcspn(at, " \t\n");
}

void bine_mpi_library_text(char *text, size_t size) {
    char said[MPI_MAX_LIBRARY_VERSION_STRING + 1], abi[32] = "";
    const char *device = "";
    ask(said);
    size_t n = write_words(said, text, size);
    int length = find_device(said, &device), version = bine_mpi_abi_version();
    if (version >= 0)
        snprintf(abi, sizeof abi, "%sstandard ABI %d", length > 0 ? ", " : "", version);
    if (length > 0 || version >= 0)
        snprintf(text + n, size - n, " (%.*s%s)", length, device, abi);
}
