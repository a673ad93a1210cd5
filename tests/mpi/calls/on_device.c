#include "on_device.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
    void *(*new)(size_t);
    void (*free)(void *);
    void (*copy)(void *, const void *, size_t);
    long (*launches)(void);
} device;

static void *find(void *library, const char *name) {
    void *found = dlsym(library, name);
    if (found == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        abort();
    }
    return found;
}

int on_device_begin(void) {
    const char *path = getenv("BINE_TEST_DEVICE");
    if (path == NULL)
        return 0;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        abort();
    }
    *(void **)&device.new = find(library, "fake_device_new");
    *(void **)&device.free = find(library, "fake_device_free");
    *(void **)&device.copy = find(library, "fake_device_copy");
    *(void **)&device.launches = find(library, "fake_device_launches");
    return 1;
}

int on_device_is_there(void) {
    return device.new != NULL;
}

char *on_device_copy(const char *memory, size_t bytes) {
    char *there = device.new != NULL ? device.new(bytes) : NULL;
    if (there != NULL)
        device.copy(there, memory, bytes);
    return there;
}

void on_device_write(char *there, const char *memory, size_t bytes) {
    device.copy(there, memory, bytes);
}

void on_device_read(char *memory, const char *there, size_t bytes) {
    device.copy(memory, there, bytes);
}

void on_device_free(char *there) {
    if (there != NULL)
        device.free(there);
}

long on_device_launches(void) {
    return device.launches != NULL ? device.launches() : -1;
}
