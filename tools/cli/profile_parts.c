/* Profiles of programs that did not come to their end: the parts of the ranks, merged here. */
#define _XOPEN_SOURCE 700 /* open_memstream */
#include "cli/profile_file.h"

#include "base/files.h"
#include "cli/command.h"
#include "cli/input_file.h"
#include "profile/folder.h"
#include "profile/merged.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What was left aside is said, and is no reason to stop. */
static void tell(const char *folder, const struct bine_parts *parts) {
    if (parts->damaged > 0)
        fprintf(stderr, "bine profile: %d damaged part%s left aside: %s\n", parts->damaged,
                bine_plural(parts->damaged), parts->damage);
    if (parts->others > 0)
        fprintf(stderr, "bine profile: %s: %d part%s of another run left aside\n", folder,
                parts->others, bine_plural(parts->others));
}

static char *print(const struct bine_merged *m) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (f == NULL)
        return NULL;
    bine_merged_print(f, m);
    return fclose(f) == 0 ? text : NULL;
}

static char *merge_folder(const char *folder) {
    struct bine_parts parts;
    struct bine_merged m;
    char *text = NULL;
    if (bine_parts_read(folder, &parts) != 0) {
        bine_complain("%s: %s", folder, strerror(errno));
        return NULL;
    }
    tell(folder, &parts);
    if (parts.found == 0) {
        bine_complain("%s: no part of a profile in it (see BINE_PROFILE)", folder);
    } else if (bine_merge(&parts, &m) != 0) {
        bine_complain("out of memory");
    } else {
        text = print(&m);
        bine_merged_free(&m);
        if (text == NULL)
            bine_complain("out of memory");
    }
    bine_parts_free(&parts);
    return text;
}

int bine_profile_is_there(const char *path) {
    char folder[BINE_PARTS_PATH];
    bine_parts_folder(path, folder);
    return bine_file_is_regular(path) || bine_file_is_folder(path) || bine_file_is_folder(folder);
}

char *bine_profile_text(const char *path) {
    char folder[BINE_PARTS_PATH];
    size_t size;
    bine_parts_folder(path, folder);
    if (bine_file_is_folder(path))
        return merge_folder(path);
    if (*path != '\0' && !bine_file_is_regular(path) && bine_file_is_folder(folder))
        return merge_folder(folder);
    return bine_file_read(path, &size);
}
