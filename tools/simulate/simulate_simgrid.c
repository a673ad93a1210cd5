#include "cli/command.h"
#include "cli/input_file.h"
#include "cli/libraries.h"
#include "simulate/simulate.h"

#include <dlfcn.h>
#include <string.h>

/* A function of the library, without the cast from data to code that C does not have. */
static int find(void *library, const char *name, void *call, size_t size) {
    void *at = dlsym(library, name);
    memcpy(call, &at, size);
    return at == NULL ? -1 : 0;
}

int bine_simgrid_find(struct bine_simgrid *s) {
    char path[BINE_PATH_ROOM];
    if (bine_library_path("libbine-simgrid.so", path) != 0)
        return bine_complain("SimGrid was not there when Bine was built: install it "
                             "(Debian: libsimgrid-dev) and build again");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return bine_complain("SimGrid cannot be loaded: %s", dlerror());
    if (find(library, "bine_simgrid_open", &s->open, sizeof s->open) != 0 ||
        find(library, "bine_simgrid_replay", &s->replay, sizeof s->replay) != 0)
        return bine_complain("%s is not of this version", path);
    return 0;
}
