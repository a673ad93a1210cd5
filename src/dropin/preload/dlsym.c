/* A program may load MPI with dlopen and look its functions up with dlsym. It would find MPI's own;
 * it shall find this library's.
 *
 * For RTLD_NEXT and RTLD_DEFAULT, dlsym looks at the address that it returns to. So lookups of
 * other names are jumped to, not called. (The shim of the MPICH tests would call itself for ever
 * otherwise.) */
#define _GNU_SOURCE
#include "dropin/preload/find.h"
#include "dropin/preload/jump.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef void *dlsym_function(void *restrict handle, const char *restrict name);

/* The versions that dlsym has had in the C library, on all kinds of processors. */
static dlsym_function *look_up(void) {
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17", "GLIBC_2.27",
                                           "GLIBC_2.0"};
    dlsym_function *f = NULL;
    void *address = NULL;
    for (size_t i = 0; i < sizeof versions / sizeof *versions && address == NULL; i++)
        address = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
    memcpy(&f, &address, sizeof f);
    return f;
}

static dlsym_function *original(void) {
    static dlsym_function *_Atomic found;
    dlsym_function *f = atomic_load_explicit(&found, memory_order_relaxed);
    if (f == NULL) {
        f = look_up();
        atomic_store_explicit(&found, f, memory_order_relaxed);
    }
    return f;
}

void *bine_real_dlsym(void *handle, const char *name) {
    dlsym_function *f = original();
    return f == NULL ? NULL : f(handle, name);
}

/* Whether this was found in an MPI library: a tool's function is left to the tool. */
static int is_of_mpi(void *address) {
    Dl_info mine, its;
    struct bine_mpi mpi;
    return dladdr(address, &mine) != 0 && bine_mpi_find(address, &mpi) == 0 &&
           dladdr(bine_real_dlsym(mpi.handle, "PMPI_Comm_size"), &its) != 0 &&
           mine.dli_fbase == its.dli_fbase;
}

static void *look_up_mpi(void *handle, const char *name) {
    void *address = bine_real_dlsym(handle, name);
    bine_function *stub = bine_stub_of(name);
    if (address == NULL || stub == NULL || !is_of_mpi(address))
        return address;
    memcpy(&address, &stub, sizeof address);
    return address;
}

EXPORT void *dlsym(void *restrict handle, const char *restrict name);

JUMPS void *dlsym(void *restrict handle, const char *restrict name) {
    if (handle != RTLD_NEXT && handle != RTLD_DEFAULT &&
        (strncmp(name, "MPI", 3) == 0 || strncmp(name, "PMPI", 4) == 0))
        return look_up_mpi(handle, name);
    JUMP original()(handle, name);
}
