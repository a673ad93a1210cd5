/* Profiles and timelines of programs that did not come to their end: the parts of the ranks, merged
 * here. */
#define _XOPEN_SOURCE 700 /* open_memstream */
#include "cli/parts_file.h"
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
static void tell(const struct bine_parts_kind *kind, const char *folder,
                 const struct bine_parts *parts) {
    if (parts->damaged > 0)
        fprintf(stderr, "bine %s: %d damaged part%s left aside: %s\n", kind->name, parts->damaged,
                bine_plural(parts->damaged), parts->damage);
    if (parts->others > 0)
        fprintf(stderr, "bine %s: %s: %d part%s of another run left aside\n", kind->name, folder,
                parts->others, bine_plural(parts->others));
}

static char *print(const struct bine_parts_kind *kind, const struct bine_parts *parts) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (f == NULL)
        return NULL;
    int rc = kind->print(f, parts), closed = fclose(f);
    if (rc == 0 && closed == 0)
        return text;
    free(text);
    return NULL;
}

static char *merge_folder(const char *folder, const struct bine_parts_kind *kind) {
    struct bine_parts parts;
    char *text = NULL;
    if (bine_parts_read(folder, kind->check, &parts) != 0) {
        bine_complain("%s: %s", folder, strerror(errno));
        return NULL;
    }
    tell(kind, folder, &parts);
    if (parts.found == 0)
        bine_complain("%s: no part of a %s in it (see %s)", folder, kind->name, kind->setting);
    else if ((text = print(kind, &parts)) == NULL)
        bine_complain("out of memory");
    bine_parts_free(&parts);
    return text;
}

char *bine_parts_text(const char *path, const struct bine_parts_kind *kind) {
    char folder[BINE_PARTS_PATH];
    size_t size;
    bine_parts_folder(path, folder);
    if (bine_file_is_folder(path))
        return merge_folder(path, kind);
    if (*path != '\0' && !bine_file_is_regular(path) && bine_file_is_folder(folder))
        return merge_folder(folder, kind);
    return bine_file_read(path, &size);
}

/* --- Profiles */

static int print_profile(FILE *f, const struct bine_parts *parts) {
    struct bine_merged m;
    if (bine_merge(parts, &m) != 0)
        return -1;
    bine_merged_print(f, &m);
    bine_merged_free(&m);
    return 0;
}

int bine_profile_is_there(const char *path) {
    char folder[BINE_PARTS_PATH];
    bine_parts_folder(path, folder);
    return bine_file_is_regular(path) || bine_file_is_folder(path) || bine_file_is_folder(folder);
}

char *bine_profile_text(const char *path) {
    static const struct bine_parts_kind kind = {"profile", "BINE_PROFILE", bine_part_check,
                                                print_profile};
    return bine_parts_text(path, &kind);
}
