#include "base/files.h"

#include "base/grow.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* Nothing that is read here is nearly as large; a device file would have no end. */
enum { MOST_BYTES = 256 << 20 };

int bine_file_is_regular(const char *path) {
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

static char *read_all(FILE *file, size_t *size) {
    size_t room = 1 << 16;
    char *text = malloc(room);
    *size = 0;
    while (text != NULL) {
        *size += fread(text + *size, 1, room - *size - 1, file);
        if (*size < room - 1)
            break;
        if (room >= MOST_BYTES || bine_grow(&text, &room, room + 1, 1) != 0) {
            free(text);
            errno = room < MOST_BYTES ? ENOMEM : EFBIG;
            return NULL;
        }
    }
    if (text != NULL)
        text[*size] = '\0';
    return text;
}

char *bine_file_text(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    char *text = file == NULL ? NULL : read_all(file, size);
    if (text != NULL && ferror(file)) {
        free(text);
        text = NULL;
    }
    if (file != NULL)
        fclose(file);
    return text;
}
