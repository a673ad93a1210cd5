#include "cli/program_file.h"

#include "base/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *path_or_default(void) {
    const char *set = getenv("PATH");
    return set != NULL ? set : "/usr/bin:/bin";
}

int bine_program_file(const char *word, char file[BINE_PROGRAM_FILE]) {
    if (strchr(word, '/') != NULL) {
        snprintf(file, BINE_PROGRAM_FILE, "%s", word);
        if (access(file, X_OK) != 0)
            return -1;
        errno = EACCES; /* a folder */
        return bine_file_is_regular(file) ? 0 : -1;
    }
    for (const char *at = path_or_default(); *at != '\0'; at += *at == ':') {
        int length = (int)strcspn(at, ":");
        snprintf(file, BINE_PROGRAM_FILE, "%.*s/%s", length > 0 ? length : 1, length > 0 ? at : ".",
                 word);
        if (access(file, X_OK) == 0 && bine_file_is_regular(file))
            return 0;
        at += length;
    }
    errno = ENOENT;
    return -1;
}

void bine_program_path(const char *first) {
    char path[3 * BINE_PROGRAM_FILE];
    snprintf(path, sizeof path, "%s%s%.*s:/usr/sbin:/sbin", first != NULL ? first : "",
             first != NULL ? ":" : "", 2 * BINE_PROGRAM_FILE, path_or_default());
    setenv("PATH", path, 1);
}
