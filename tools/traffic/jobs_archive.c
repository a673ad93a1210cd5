/* Jobs from an archive, by libarchive: any compression and format that it knows. */
#include "base/grow.h"
#include "cli/command.h"
#include "cli/input_file.h"
#include "traffic/jobs.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>

/* A host file is small. What is not is no host file, or an archive made to fill the memory. */
enum { MOST_BYTES = 64 << 20 };

static int complain_archive(struct archive *a, const char *path) {
    const char *why = archive_error_string(a);
    return bine_complain("%s: %s", bine_file_shown(path), why == NULL ? "not an archive" : why);
}

/* One entry's contents; NULL after complaining. */
static char *read_entry(struct archive *a, const char *path, size_t *size) {
    size_t room = 4096;
    char *text = malloc(room);
    *size = 0;
    while (text != NULL) {
        la_ssize_t n = archive_read_data(a, text + *size, room - *size);
        if (n < 0) {
            complain_archive(a, path);
            free(text);
            return NULL;
        }
        if (n == 0)
            return text;
        *size += (size_t)n;
        if (*size < room)
            continue;
        if (room >= MOST_BYTES || bine_grow(&text, &room, room + 1, 1) != 0) {
            free(text);
            text = NULL;
        }
    }
    bine_complain("%s: a file in it is too large to be a host file", path);
    return NULL;
}

static int is_job(struct archive_entry *entry) {
    const char *name = archive_entry_pathname(entry);
    const char *slash = name == NULL ? NULL : strrchr(name, '/');
    const char *base = slash == NULL ? name : slash + 1;
    return archive_entry_filetype(entry) == AE_IFREG && base != NULL && base[0] != '.';
}

static int read_entries(struct bine_job_log *log, struct archive *a, const char *path) {
    struct archive_entry *entry;
    int rc;
    while ((rc = archive_read_next_header(a, &entry)) != ARCHIVE_EOF) {
        size_t size;
        if (rc != ARCHIVE_OK && rc != ARCHIVE_WARN)
            return complain_archive(a, path);
        if (!is_job(entry))
            continue;
        char *name = strdup(archive_entry_pathname(entry));
        char *text = read_entry(a, path, &size);
        rc = text == NULL ? BINE_EXIT_USAGE : 0;
        if (text != NULL && (name == NULL || bine_job_log_add(log, name, text, size) != 0))
            rc = bine_complain("out of memory");
        free(name);
        if (rc != 0)
            return rc;
    }
    /* Read to the end of the compressed data: only that shows whether it is complete. */
    return archive_read_close(a) == ARCHIVE_OK ? 0 : complain_archive(a, path);
}

int bine_job_log_read_archive(struct bine_job_log *log, const char *path) {
    struct archive *a = archive_read_new();
    int rc;
    if (a == NULL)
        return bine_complain("out of memory");
    archive_read_support_filter_all(a);
    archive_read_support_format_tar(a);
    archive_read_support_format_zip(a);
    if (archive_read_open_filename(a, path, 1 << 16) != ARCHIVE_OK)
        rc = complain_archive(a, path);
    else
        rc = read_entries(log, a, path);
    archive_read_free(a);
    return rc;
}
