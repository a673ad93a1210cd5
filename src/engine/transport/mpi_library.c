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

/* --- What Open MPI sends with
 *
 * MPI_T has the variables of those components alone that it has kept. */

int bine_mpi_t_begin(int required, int *provided) __asm__("PMPI_T_init_thread")
    __attribute__((weak));
int bine_mpi_t_end(void) __asm__("PMPI_T_finalize") __attribute__((weak));
int bine_mpi_t_find(const char *name, int *index) __asm__("PMPI_T_cvar_get_index")
    __attribute__((weak));

static int has_variable(const char *component, const char *name, const char *variable) {
    char text[64];
    int index;
    snprintf(text, sizeof text, "%s_%s_%s", component, name, variable);
    return bine_mpi_t_find(text, &index) == MPI_SUCCESS;
}

/* The names of those that are there, behind what is written; in their order. */
static size_t write_components(const char *const *names, const char *component,
                               const char *variable, char *text, size_t size, size_t n) {
    for (; *names != NULL && n < size; names++)
        if (has_variable(component, *names, variable)) {
            const char *between = n == 0 ? "" : text[n - 1] == ':' ? " " : ", ";
            n += (size_t)snprintf(text + n, size - n, "%s%s", between, *names);
        }
    return n < size ? n : size - 1;
}

/* "ob1: self, sm, tcp", "cm: ofi" or "ucx": the layer of messages, and what this may send with.
 * From version 5 on sm has vader's name, too. */
static void find_components(char *text, size_t size) {
    static const char *const layers[] = {"ob1", "cm", "ucx", NULL};
    static const char *const below_ob1[] = {"self", "sm",   "smcuda", "tcp",    "ofi",
                                            "uct",  "ugni", "usnic",  "openib", NULL};
    static const char *const vader[] = {"vader", NULL};
    static const char *const below_cm[] = {"ofi", "psm2", "psm", "portals4", NULL};
    size_t n = write_components(layers, "pml", "priority", text, size, 0);
    int ob1 = strcmp(text, "ob1") == 0, cm = strcmp(text, "cm") == 0;
    if (!ob1 && !cm)
        return;
    n += (size_t)snprintf(text + n, size - n, ":");
    if (cm)
        write_components(below_cm, "mtl", "priority", text, size, n);
    else
        n = write_components(below_ob1, "btl", "eager_limit", text, size, n);
    if (ob1 && !has_variable("btl", "sm", "eager_limit"))
        write_components(vader, "btl", "eager_limit", text, size, n);
}

static void find_transport(const char *said, int components, char *text, size_t size) {
    const char *device = "";
    int length = find_device(said, &device), level;
    snprintf(text, size, "%.*s", length, device);
    if (length > 0 || !components || !bine_mpi_is(BINE_LIBRARY_OPENMPI) ||
        bine_mpi_t_find == NULL || bine_mpi_t_begin == NULL || bine_mpi_t_end == NULL ||
        bine_mpi_t_begin(MPI_THREAD_SINGLE, &level) != MPI_SUCCESS)
        return;
    find_components(text, size);
    bine_mpi_t_end();
}

void bine_mpi_library_text(char *text, size_t size, int components) {
    char said[MPI_MAX_LIBRARY_VERSION_STRING + 1], abi[32] = "", transport[64];
    ask(said);
    size_t n = write_words(said, text, size);
    int version = bine_mpi_abi_version();
    find_transport(said, components, transport, sizeof transport);
    if (version >= 0)
        snprintf(abi, sizeof abi, "%sstandard ABI %d", transport[0] != '\0' ? ", " : "", version);
    if (transport[0] != '\0' || version >= 0)
        snprintf(text + n, size - n, " (%s%s)", transport, abi);
}
