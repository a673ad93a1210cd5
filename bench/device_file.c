/* Makes this computer look like one with a CUDA device, to a program that has not loaded CUDA: the
 * file is there that such a computer has. For bench/forwarded and tests. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

__attribute__((visibility("default"))) int access(const char *path, int mode) {
    static int (*real)(const char *, int);
    if (strcmp(path, "/dev/nvidiactl") == 0)
        return 0;
    if (real == NULL) {
        void *address = dlsym(RTLD_NEXT, "access");
        memcpy(&real, &address, sizeof real);
    }
    return real(path, mode);
}
