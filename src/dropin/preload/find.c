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

/* --- Attaching the library of Bine that fits */

/* Libraries of Bine are linked with no MPI library by name: they take the functions of the one that
 * is there, also where a program, such as Python, has loaded that for itself alone. */
static void let_others_see(const struct bine_mpi *mpi) {
    Dl_info info;
    void *landmark = bine_real_dlsym(mpi->handle, LANDMARK);
    if (landmark != NULL && dladdr(landmark, &info) != 0)
        dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
}

int bine_mpi_standard_abi(const struct bine_mpi *mpi) {
    bine_function *ask = bine_mpi_function(mpi, "PMPI_Abi_get_version");
    int major = -1, minor = -1;
    return ask != NULL && ((int (*)(int *, int *))ask)(&major, &minor) == 0 ? major : -1;
}

/* One space for each run of spaces and tabs. */
static void squeeze(char *text) {
    char *to = text;
    for (const char *c = text; *c != '\0'; c++)
        if (*c != ' ' && *c != '\t')
            *to++ = *c;
        else if (to > text && to[-1] != ' ')
            *to++ = ' ';
    *to = '\0';
}

/* The first line of the version text of the MPI library, and the first two parts of its version:
 * "Open MPI v4.1.4, package: ..." and "4.1". May be asked before MPI_Init. */
enum { SAID = 80, SHORT = 16, LONGEST = 8192 };
static void ask_version(const struct bine_mpi *mpi, char said[SAID], char version[SHORT]) {
    char text[LONGEST + 1] = "";
    int n = 0, parts = 0;
    bine_function *ask = bine_mpi_function(mpi, "PMPI_Get_library_version");
    if (ask == NULL || ((int (*)(char *, int *))ask)(text, &n) != 0)
        text[0] = '\0';
    text[strcspn(text, ",\n")] = '\0';
    squeeze(text);
    snprintf(said, SAID, "%s", text[0] != '\0' ? text : "of no name");
    const char *from = text + strcspn(text, "0123456789"), *to = from;
    for (; strchr("0123456789.", *to) != NULL && *to != '\0'; to++)
        if (*to == '.' && ++parts == 2)
            break;
    snprintf(version, SHORT, "%.*s", (int)(to - from), from);
}

/* The name that programs know a loaded library by (DT_SONAME), or its file's. */
static void find_soname(const struct bine_mpi *mpi, char *name, size_t size) {
    struct link_map *map = NULL;
    const char *strings = NULL;
    size_t at = 0;
    name[0] = '\0';
    if (dlinfo(mpi->handle, RTLD_DI_LINKMAP, &map) != 0 || map == NULL)
        return;
    for (const ElfW(Dyn) *d = map->l_ld; d->d_tag != DT_NULL; d++) {
        if (d->d_tag == DT_STRTAB) /* some kinds of processors leave it without the address */
            strings = (const char *)(d->d_un.d_ptr < map->l_addr ? d->d_un.d_ptr + map->l_addr
                                                                 : d->d_un.d_ptr);
        if (d->d_tag == DT_SONAME)
            at = d->d_un.d_val;
    }
    if (strings != NULL && at > 0)
        snprintf(name, size, "%s", strings + at);
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

/* Open it, unless it was built for another ABI than that of this MPI library. */
static void *open_library(const char *flavour, const struct bine_mpi *mpi, char *why, size_t size) {
    char path[4096], soname[256];
    if (name_library(flavour, path, sizeof path) != 0)
        return NULL;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const char *built_for =
        library != NULL ? bine_real_dlsym(library, BINE_PRELOAD_BUILT_FOR) : NULL;
    if (library == NULL || built_for == NULL) {
        const char *error = dlerror();
        snprintf(why, size, "cannot load %.200s", error != NULL ? error : path);
        return NULL;
    }
    find_soname(mpi, soname, sizeof soname);
    if (built_for[0] == '\0' || soname[0] == '\0' || strcmp(built_for, soname) == 0)
        return library;
    snprintf(why, size, "Bine's library for it was built for %s, and this is %s", built_for,
             soname);
    dlclose(library);
    return NULL;
}

/* The one for this version, where there are several of a family; or the family's. */
static void *open_one(const struct bine_mpi *mpi, const char *version, char *why, size_t size) {
    char flavour[64];
    int abi = bine_mpi_standard_abi(mpi);
    if (abi > 1) {
        snprintf(why, size, "this program uses version %d of MPI's standard ABI, and Bine knows 1",
                 abi);
        return NULL;
    }
    if (abi < 0 && mpi->flavour == NULL) {
        snprintf(why, size,
                 "this MPI library is neither Open MPI nor MPICH, nor has it MPI's "
                 "standard ABI");
        return NULL;
    }
    const char *family = abi >= 0 ? "abi" : mpi->flavour;
    snprintf(flavour, sizeof flavour, "%s-%s", family, version);
    void *library = abi < 0 ? open_library(flavour, mpi, why, size) : NULL;
    return library != NULL ? library : open_library(family, mpi, why, size);
}

const struct bine_preload_library *bine_mpi_attach(const struct bine_mpi *mpi,
                                                   const struct bine_preload *bine, char *why,
                                                   size_t size) {
    char reason[300] = "", said[SAID], version[SHORT];
    const struct bine_preload_library *(*attach)(const struct bine_preload *);
    let_others_see(mpi);
    ask_version(mpi, said, version);
    void *library = open_one(mpi, version, reason, sizeof reason);
    void *address = library == NULL ? NULL : bine_real_dlsym(library, BINE_PRELOAD_ATTACH);
    if (address == NULL) {
        snprintf(why, size, "%s (%s)",
                 reason[0] != '\0' ? reason
                                   : "Bine's library is another "
                                     "version",
                 said);
        return NULL;
    }
    memcpy(&attach, &address, sizeof attach);
    return attach(bine);
}
