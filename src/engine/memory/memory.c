#define _GNU_SOURCE /* dl_iterate_phdr, dlinfo, RTLD_DEFAULT, RTLD_NOLOAD */
#include "engine/memory/memory.h"

#include "base/lock.h"
#include "device/cuda.h"
#include "engine/transport/types.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- CUDA: the driver's interface, which every program that uses the device has loaded */

static int cuda_recognise(const void *address) {
    unsigned type = 0;
    int rc = bine_cuda_attribute(address, BINE_CUDA_MEMORY_TYPE, &type);
    return rc == 0 && type == BINE_CUDA_TYPE_DEVICE;
}

/* In the context of the device's memory, which need not be current on this thread. A copy from the
 * host may return before it has come to the device. */
static int cuda_copy(void *to, const void *from, size_t bytes) {
    void *context = bine_cuda_context(to);
    if (context == NULL)
        context = bine_cuda_context(from);
    if (context != NULL && bine_cuda.push(context) != 0)
        return BINE_ERR_OTHER;
    int failed = bine_cuda.copy((uintptr_t)to, (uintptr_t)from, bytes) != 0 ||
                 bine_cuda.stream_wait(NULL) != 0;
    if (context != NULL)
        bine_cuda.pop(&context);
    return failed ? BINE_ERR_OTHER : BINE_OK;
}

/* Memory of a pool belongs to no context: then to the thread's own. */
static int cuda_wait(const void *address, void *stream) {
    void *context = bine_cuda_context(address);
    if (context != NULL && bine_cuda.push(context) != 0)
        return BINE_ERR_OTHER;
    int rc = bine_cuda.stream_wait(stream);
    if (context != NULL)
        bine_cuda.pop(&context);
    return rc == 0 ? BINE_OK : BINE_ERR_OTHER;
}

/* --- HIP */

static struct {
    int (*get)(void *attributes, const void *address);
    int (*copy)(void *to, const void *from, size_t bytes, int direction);
    int (*wait)(void *stream);
} hip;

static const char *const hip_names[] = {"hipPointerGetAttributes", "hipMemcpy",
                                        "hipStreamSynchronize"};

enum { HIP_ANY_DIRECTION = 4 };

/* HIP's names for types of memory change from version to version; but memory with an address on the
 * device and none on the host is the device's. */
static int hip_recognise(const void *address) {
    union {
        struct {
            int type, device;
            void *on_device, *on_host;
        };
        char room[256]; /* later versions have more */
    } x;
    memset(&x, 0, sizeof x);
    return hip.get(&x, address) == 0 && x.on_device != NULL && x.on_host == NULL;
}

static int hip_copy(void *to, const void *from, size_t bytes) {
    int failed = hip.copy(to, from, bytes, HIP_ANY_DIRECTION) != 0 || hip.wait(NULL) != 0;
    return failed ? BINE_ERR_OTHER : BINE_OK;
}

static int hip_wait(const void *address, void *stream) {
    (void)address;
    return hip.wait(stream) == 0 ? BINE_OK : BINE_ERR_OTHER;
}

/* --- The table */

enum { RUNTIMES = 2 };

static const struct runtime {
    struct bine_memory memory;
    const char *library; /* how the name of its file begins */
    const char *file;    /* a file that a computer with such a device has */
    void *functions;     /* pointers to its functions, in the order of their names */
    const char *const *name;
    int needed, count; /* functions behind the needed ones are taken all, or none of them */
} runtime[RUNTIMES] = {
    {{"cuda", cuda_recognise, cuda_copy, cuda_wait, &bine_device_cuda},
     "libcuda.so",
     "/dev/nvidiactl",
     &bine_cuda,
     bine_cuda_names,
     BINE_CUDA_NEEDED,
     BINE_CUDA_FUNCTIONS},
    {{"hip", hip_recognise, hip_copy, hip_wait, NULL},
     "libamdhip64.so",
     "/dev/kfd",
     &hip,
     hip_names,
     3,
     3},
};

/* Of each runtime: whether this computer has such a device; its functions are there. */
enum { UNKNOWN, ABSENT, POSSIBLE, LOADED };
static atomic_int state[RUNTIMES];
static _Atomic(struct link_map *) looked_up_to; /* the last object when we looked last, or NULL */
static void *kept[2];                           /* handles of that one, and of the one before */
_Atomic(struct link_map *) bine_memory_last;

/* --- Looking */

struct found {
    char last[4096];
    char library[RUNTIMES][4096];
};

static const char *file_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static int see(struct dl_phdr_info *info, size_t size, void *data) {
    struct found *f = data;
    const char *name = info->dlpi_name != NULL ? info->dlpi_name : "";
    (void)size;
    snprintf(f->last, sizeof f->last, "%s", name);
    for (int k = 0; k < RUNTIMES; k++)
        if (strncmp(file_of(name), runtime[k].library, strlen(runtime[k].library)) == 0)
            snprintf(f->library[k], sizeof f->library[k], "%s", name);
    return 0;
}

/* A handle of something that is loaded already: as long as we have it, it stays. */
static void *hold(const char *name) {
    return dlopen(name[0] != '\0' ? name : NULL, RTLD_LAZY | RTLD_NOLOAD);
}

/* Where a runtime is not known by its file, its functions may be in the program's own scope. */
static void load(int k, const char *library) {
    void *address[BINE_CUDA_FUNCTIONS];
    void *handle = library[0] != '\0' ? hold(library) : NULL;
    int found = 0;
    while (found < runtime[k].count &&
           (address[found] =
                dlsym(handle != NULL ? handle : RTLD_DEFAULT, runtime[k].name[found])) != NULL)
        found++;
    if (found < runtime[k].needed) {
        if (handle != NULL)
            dlclose(handle);
        return;
    }
    if (found < runtime[k].count)
        found = runtime[k].needed;
    bine_lock();
    if (state[k] != LOADED)
        memcpy(runtime[k].functions, address, (size_t)found * sizeof *address);
    state[k] = LOADED;
    bine_unlock();
}

/* The one kept before may be in another thread's hands still: it goes when the next one comes. */
static void keep(void *handle, struct link_map *last, int any) {
    bine_lock();
    void *old = kept[1];
    kept[1] = kept[0];
    kept[0] = handle;
    looked_up_to = last;
    bine_memory_last = any ? NULL : last;
    bine_unlock();
    if (old != NULL)
        dlclose(old);
}

/* Look for runtimes. An object that is loaded meanwhile comes behind the last one that we know of,
 * so that the next call looks again. */
static void look(void) {
    static const struct found nothing;
    struct found f = nothing;
    struct link_map *last = NULL;
    int any = 0;
    dl_iterate_phdr(see, &f);
    void *handle = hold(f.last);
    if (handle != NULL && dlinfo(handle, RTLD_DI_LINKMAP, &last) != 0)
        last = NULL;
    for (int k = 0; k < RUNTIMES; k++) {
        if (state[k] != LOADED)
            load(k, f.library[k]);
        any |= state[k] == LOADED;
    }
    keep(handle, last, any);
}

static void look_if_new(void) {
    struct link_map *last = looked_up_to;
    if (last == NULL || __atomic_load_n(&last->l_next, __ATOMIC_RELAXED) != NULL)
        look();
}

int bine_memory_has_device(void) {
    look_if_new();
    for (int k = 0; k < RUNTIMES; k++)
        if (state[k] == LOADED && runtime[k].memory.device != NULL &&
            runtime[k].memory.device->is_ready())
            return 1;
    return 0;
}

enum { NO = 1, YES };
static atomic_int mpi_aware; /* or UNKNOWN */

void bine_memory_set_mpi_aware(int yes) {
    mpi_aware = yes ? YES : NO;
}

/* Open MPI's function, and MPICH's, where the library has one. */
int bine_memory_is_mpi_aware(void) {
    int (*ask)(void), (*ask_mpich)(int kind, int *yes), yes = 0, known = mpi_aware;
    if (known != UNKNOWN)
        return known == YES;
    *(void **)&ask = dlsym(RTLD_DEFAULT, "MPIX_Query_cuda_support");
    *(void **)&ask_mpich = dlsym(RTLD_DEFAULT, "MPIX_GPU_query_support");
    if (ask != NULL)
        yes = ask() == 1;
    else if (ask_mpich != NULL && ask_mpich(0, &yes) != BINE_OK)
        yes = 0;
    mpi_aware = yes ? YES : NO;
    return yes;
}

/* Most programs load a runtime after MPI_Init, and many after their first collective. */
static int could_load(int k) {
    int known = UNKNOWN;
    if (state[k] == UNKNOWN) /* another thread may load it meanwhile */
        atomic_compare_exchange_strong(&state[k], &known,
                                       access(runtime[k].file, F_OK) == 0 ? POSSIBLE : ABSENT);
    return state[k] >= POSSIBLE;
}

int bine_memory_is_loaded(void) {
    int any = 0;
    look_if_new();
    for (int k = 0; k < RUNTIMES; k++)
        any |= state[k] == LOADED;
    return any;
}

int bine_memory_is_foreign(void) {
    int any = bine_memory_is_loaded();
    for (int k = 0; k < RUNTIMES; k++)
        any |= could_load(k);
    return any && !bine_memory_is_mpi_aware();
}

const struct bine_memory *bine_memory_ask(const void *address) {
    look_if_new();
    for (int k = 0; k < RUNTIMES; k++)
        if (state[k] == LOADED && runtime[k].memory.recognise(address))
            return &runtime[k].memory;
    return NULL;
}
