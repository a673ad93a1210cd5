#define _XOPEN_SOURCE 700 /* realpath */
#include "cli/libraries.h"
#include "base/files.h"
#include "base/words.h"

#include "cli/command.h"
#include "cli/input_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Rows of {name, version}, from the build. */
const struct bine_mpi_build bine_mpi_builds[] = {BINE_MPI_BUILDS{NULL, NULL}};

int bine_library_path(const char *file, char path[BINE_PATH_ROOM]) {
    static const char *const folders[] = {"../lib", BINE_LIBRARIES_FROM_PROGRAMS};
    char program[BINE_PATH_ROOM], joined[2 * BINE_PATH_ROOM];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(program, '/');
    if (slash == NULL)
        return -1;
    *slash = '\0';
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(joined, sizeof joined, "%s/%s/%s", program, folders[i], file);
        if (bine_file_is_regular(joined) && realpath(joined, path) != NULL)
            return 0;
    }
    return -1;
}

const struct bine_mpi_build *bine_word_mpi(const char *word) {
    const char *names[8] = {NULL}; /* without an MPI library there is none */
    size_t n = 0;
    for (const struct bine_mpi_build *m = bine_mpi_builds; m->name != NULL && n < 8; m++) {
        if (strcmp(word, m->name) == 0)
            return m;
        names[n++] = m->name;
    }
    bine_complain_near(bine_nearest_word(word, names, n),
                       "--mpi '%s': Bine was not built for such an MPI library", word);
    return NULL;
}
