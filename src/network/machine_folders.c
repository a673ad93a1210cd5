#include "network/machine_folders.h"
#include "base/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifndef BINE_MACHINES_SOURCE
#define BINE_MACHINES_SOURCE ""
#endif

static void add_folder(struct bine_machine_folders *f, const char *base, size_t length,
                       const char *below) {
    if (f->count == BINE_MACHINE_FOLDERS || length == 0)
        return;
    int n = snprintf(f->path[f->count], BINE_PATH_ROOM, "%.*s%s", (int)length, base, below);
    f->count += n > 0 && n < BINE_PATH_ROOM;
}

void bine_machine_folders_find(struct bine_machine_folders *f, const char *own,
                               const char *beside) {
    static const char *const below[] = {"/../share/bine/machines", "/../../machines"};
    f->count = 0;
    for (size_t n; *own != '\0'; own += n + (own[n] == ':')) {
        n = strcspn(own, ":");
        add_folder(f, own, n, "");
    }
    for (int i = 0; i < 2; i++)
        add_folder(f, beside, strlen(beside), below[i]);
    add_folder(f, BINE_MACHINES_SOURCE, strlen(BINE_MACHINES_SOURCE), "");
}

char *bine_machine_locate(const char *name, const char *own, const char *beside) {
    struct bine_machine_folders *f = malloc(sizeof *f);
    size_t room = BINE_PATH_ROOM + 256;
    char *path = malloc(room);
    int found = 0;
    if (f != NULL && path != NULL)
        bine_machine_folders_find(f, own, beside);
    for (int i = 0; f != NULL && path != NULL && i < f->count && !found; i++) {
        int n = snprintf(path, room, "%s/%s%s", f->path[i], name, BINE_MACHINE_ENDING);
        found = n > 0 && (size_t)n < room && bine_file_is_regular(path);
    }
    free(f);
    if (found)
        return path;
    free(path);
    return NULL;
}
