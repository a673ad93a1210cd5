#include "cli/input_file.h"
#include "base/files.h"

#include "cli/command.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

int bine_file_is_folder(const char *path) {
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

const char *bine_file_shown(const char *path) {
    return path[0] == '\0' ? "''" : path;
}

char *bine_file_read(const char *path, size_t *size) {
    char *text = bine_file_text(path, size);
    if (text == NULL)
        bine_complain("%s: %s", bine_file_shown(path), strerror(errno));
    return text;
}
