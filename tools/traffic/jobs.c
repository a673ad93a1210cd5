#include "traffic/jobs.h"
#include "base/files.h"
#include "base/grow.h"

#include "cli/command.h"
#include "cli/input_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bine_job_log_free(struct bine_job_log *log) {
    for (size_t i = 0; i < log->count; i++) {
        free(log->file[i].name);
        free(log->file[i].text);
    }
    free(log->file);
    *log = (struct bine_job_log){0};
}

static char *job_name(const char *path) {
    const char *slash = strrchr(path, '/');
    char *name = strdup(slash == NULL ? path : slash + 1);
    size_t n = name == NULL ? 0 : strlen(name);
    if (n > 4 && strcmp(name + n - 4, ".txt") == 0)
        name[n - 4] = '\0';
    return name;
}

int bine_job_log_add(struct bine_job_log *log, const char *path, char *text, size_t size) {
    if (bine_grow(&log->file, &log->room, log->count + 1, sizeof *log->file) != 0) {
        free(text);
        return -1;
    }
    char *name = job_name(path);
    if (name == NULL) {
        free(text);
        return -1;
    }
    log->file[log->count++] = (struct bine_job_file){name, text, size};
    return 0;
}

static int read_folder(struct bine_job_log *log, const char *path) {
    DIR *folder = opendir(path);
    struct dirent *entry;
    int rc = 0;
    if (folder == NULL)
        return bine_complain("%s: %s", path, strerror(errno));
    while (rc == 0 && (entry = readdir(folder)) != NULL) {
        size_t length = strlen(path) + strlen(entry->d_name) + 2, size;
        char *file = malloc(length);
        if (file == NULL) {
            rc = bine_complain("out of memory");
            break;
        }
        snprintf(file, length, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.' && bine_file_is_regular(file)) {
            char *text = bine_file_read(file, &size);
            rc = text == NULL ? BINE_EXIT_USAGE : 0;
            if (text != NULL && bine_job_log_add(log, file, text, size) != 0)
                rc = bine_complain("out of memory");
        }
        free(file);
    }
    closedir(folder);
    return rc;
}

static int by_name(const void *a, const void *b) {
    const struct bine_job_file *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static int is_text(const char *bytes, size_t n) {
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)bytes[i] < ' ' && strchr("\t\r\n", bytes[i]) == NULL)
            return 0;
    return memchr(bytes, '\0', n) == NULL;
}

/* Of a log of Slurm's the first line tells; any other text is neither that nor an archive. */
static int read_file(struct bine_job_log *log, const char *path) {
    char begin[4096];
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return bine_complain("%s: %s", bine_file_shown(path), strerror(errno));
    size_t n = fread(begin, 1, sizeof begin, f);
    fclose(f);
    if (bine_job_log_is_slurm(begin, n))
        return bine_job_log_read_slurm(log, path);
    if (is_text(begin, n))
        return bine_complain("%s: no log of jobs: expected what 'sacct -P -o JobID,NodeList' "
                             "prints, header included, Slurm's log of completed jobs, or a folder "
                             "or an archive of host files",
                             path);
    return bine_job_log_read_archive(log, path);
}

int bine_job_log_read(struct bine_job_log *log, const char *path) {
    int rc = bine_file_is_folder(path) ? read_folder(log, path) : read_file(log, path);
    if (rc == 0 && log->count == 0)
        rc = bine_complain("%s: no jobs in it: expected a host file for each job", path);
    if (rc == 0)
        qsort(log->file, log->count, sizeof *log->file, by_name);
    else
        bine_job_log_free(log);
    return rc;
}
