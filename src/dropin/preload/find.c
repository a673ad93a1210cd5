#define _GNU_SOURCE /* dladdr, RTLD_NEXT, dl_iterate_phdr */
#include "dropin/preload/find.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

/* A function that every MPI library has and that is not intercepted here. */
#define LANDMARK "PMPI_Comm_size"

/* A symbol that only one MPI family has. Derivatives of MPICH (Intel, Cray, MVAPICH) are recognised
 * by a symbol that MPICH's mpi.h refers to, which is part of their common ABI; not by the name of
 * their file. */
static const struct {
    const char *flavour, *symbol;
} flavours[] = {
    {"openmpi", "ompi_mpi_comm_world"},
    {"mpich", "MPIR_Dup_fn"},
};

static bine_function *as_function(void *address) {
    bine_function *f;
    _Static_assert(sizeof f == sizeof address, "as POSIX has it");
    memcpy(&f, &address, sizeof f);
    return f;
}

/* The library that has the landmark at this address. */
static int describe(void *landmark, struct bine_mpi *mpi) {
    Dl_info info;
    if (landmark == NULL || dladdr(landmark, &info) == 0)
        return -1;
    *mpi = (struct bine_mpi){dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD), info.dli_fbase, NULL};
    if (mpi->handle == NULL) /* it is part of the program */
        mpi->handle = dlopen(NULL, RTLD_LAZY);
    for (size_t i = 0; i < sizeof flavours / sizeof *flavours; i++)
        if (bine_real_dlsym(mpi->handle, flavours[i].symbol) != NULL)
            mpi->flavour = flavours[i].flavour;
    return 0;
}

static void *landmark_near(const char *file) {
    void *handle = dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == NULL)
        return NULL;
    void *found = bine_real_dlsym(handle, LANDMARK);
    dlclose(handle); /* it stays: it was there before */
    return found;
}

static int look_at(struct dl_phdr_info *info, size_t size, void *found) {
    (void)size;
    void **landmark = found;
    if (info->dlpi_name != NULL && info->dlpi_name[0] != '\0')
        *landmark = landmark_near(info->dlpi_name);
    return *landmark != NULL;
}

int bine_mpi_find(const void *caller, struct bine_mpi *mpi) {
    Dl_info info;
    void *landmark = bine_real_dlsym(RTLD_NEXT, LANDMARK);
    if (landmark == NULL && dladdr(caller, &info) != 0)
        landmark = landmark_near(info.dli_fname);
    if (landmark == NULL)
        dl_iterate_phdr(look_at, &landmark);
    return describe(landmark, mpi);
}

bine_function *bine_mpi_function(const struct bine_mpi *mpi, const char *name) {
    void *next = bine_real_dlsym(RTLD_NEXT, name);
    return as_function(next != NULL ? next : bine_real_dlsym(mpi->handle, name));
}

bine_function *bine_mpi_tool(const struct bine_mpi *mpi, const char *name) {
    Dl_info info;
    void *next = bine_real_dlsym(RTLD_NEXT, name);
    if (next == NULL || dladdr(next, &info) == 0 || info.dli_fbase == mpi->base)
        return NULL;
    return as_function(next);
}

const char *bine_mpi_file(bine_function *f) {
    Dl_info info;
    void *address;
    memcpy(&address, &f, sizeof address);
    return address != NULL && dladdr(address, &info) != 0 ? info.dli_fname : NULL;
}

/* Beside this library: DIRECTORY/libbine-FLAVOUR.so.VERSION. */
static int name_library(const char *flavour, char *path, size_t size) {
    static const char here;
    Dl_info info;
    if (dladdr(&here, &info) == 0)
        return -1;
    const char *slash = strrchr(info.dli_fname, '/');
    int folder = slash == NULL ? 0 : (int)(slash - info.dli_fname) + 1;
    int n =
        snprintf(path, size, "%.*slibbine-%s.so." BINE_SOVERSION, folder, info.dli_fname, flavour);
    return n > 0 && (size_t)n < size ? 0 : -1;
}

/* The library of Bine for MPICH is linked with no MPI library by name: it takes the functions of
 * the one that is there, also where a program, such as Python, has loaded that for itself alone. */
static void let_others_see(const struct bine_mpi *mpi) {
    Dl_info info;
    void *landmark = bine_real_dlsym(mpi->handle, LANDMARK);
    if (landmark != NULL && dladdr(landmark, &info) != 0)
        dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
}

/* Whether the program speaks the standard's own ABI (MPI 5): its handles are none that a library of
 * Bine knows, whoever made the MPI library. One with an ABI of its own gives -1. May be asked
 * before MPI_Init. */
static int has_standard_abi(const struct bine_mpi *mpi, int *major, int *minor) {
    bine_function *ask = bine_mpi_function(mpi, "PMPI_Abi_get_version");
    *major = *minor = -1;
    return ask != NULL && ((int (*)(int *, int *))ask)(major, minor) == 0 && *major >= 0;
}

int bine_mpi_attach(const struct bine_mpi *mpi, struct bine_preload *bine, char *why, size_t size) {
    char path[4096];
    int major, minor;
    void (*attach)(struct bine_preload *);
    if (has_standard_abi(mpi, &major, &minor)) {
        snprintf(why, size,
                 "this program uses MPI's standard ABI (version %d.%d), which Bine does not serve",
                 major, minor);
        return -1;
    }
    let_others_see(mpi);
    if (mpi->flavour == NULL || name_library(mpi->flavour, path, sizeof path) != 0) {
        snprintf(why, size, "this MPI library is neither Open MPI nor MPICH");
        return -1;
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *address = library == NULL ? NULL : bine_real_dlsym(library, BINE_PRELOAD_ATTACH);
    if (address == NULL) {
        const char *error = dlerror();
        snprintf(why, size, "cannot load %s", error != NULL ? error : path);
        return -1;
    }
    memcpy(&attach, &address, sizeof attach);
    attach(bine);
    return 0;
}
