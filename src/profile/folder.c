#include "profile/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse(char why[BINE_PARTS_WHY], const char *path, const char *reason) {
    snprintf(why, BINE_PARTS_WHY, "%s: %s", path, reason);
    return -1;
}

static const char *job_number(void) {
    static const char *const names[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID",
                                        "JOB_ID"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && *value != '\0' && strchr(value, '/') == NULL)
            return value;
    }
    return "0";
}

int bine_parts_name(const char *pattern, const char *host, char path[BINE_PARTS_PATH],
                    char why[BINE_PARTS_WHY]) {
    size_t n = 0;
    for (const char *c = pattern; *c != '\0'; c++) {
        char one[2] = {*c, '\0'};
        const char *more = one;
        if (*c == '%') {
            c++;
            more = *c == 'j' ? job_number() : *c == 'h' ? host : *c == '%' ? "%" : NULL;
        }
        if (more == NULL)
            return refuse(why, pattern, "expected %j, %h or %% behind %");
        if (n + strlen(more) + sizeof ".parts/rank-2147483647" > BINE_PARTS_PATH)
            return refuse(why, pattern, "the name is too long");
        memcpy(path + n, more, strlen(more));
        n += strlen(more);
    }
    path[n] = '\0';
    return 0;
}

void bine_parts_folder(const char *file, char path[BINE_PARTS_PATH]) {
    snprintf(path, BINE_PARTS_PATH, "%.1000s.parts", file);
}

/* A lock of this process alone: a child that it forks does not keep it. Where files cannot be
 * locked, that is no reason to record nothing. */
static int is_in_use(int file) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(file, F_SETLK, &whole) != 0 && (errno == EACCES || errno == EAGAIN);
}

/* All bytes, or none: a file that is mapped must not find the disk full later. */
static int make_room(int file, size_t bytes) {
    if (ftruncate(file, 0) != 0)
        return errno;
    return posix_fallocate(file, 0, (off_t)bytes);
}

void bine_part_file_remove(const struct bine_part_file *f) {
    char folder[BINE_PARTS_PATH];
    unlink(f->path);
    snprintf(folder, sizeof folder, "%s", f->path);
    *strrchr(folder, '/') = '\0';
    rmdir(folder); /* which fails as long as there are others */
}

static int map(struct bine_part_file *f, size_t bytes, char why[BINE_PARTS_WHY]) {
    if (is_in_use(f->file))
        return refuse(why, f->path, "a program that is running writes there");
    int error = make_room(f->file, bytes);
    if (error != 0) {
        bine_part_file_remove(f);
        return refuse(why, f->path, strerror(error));
    }
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, f->file, 0);
    if (memory == MAP_FAILED)
        return refuse(why, f->path, strerror(errno));
    f->part = memory;
    f->bytes = bytes;
    return 0;
}

int bine_part_file_open(struct bine_part_file *f, const char *file, int rank, size_t bytes,
                        char why[BINE_PARTS_WHY]) {
    char folder[BINE_PARTS_PATH];
    *f = (struct bine_part_file){.file = -1, .process = (int)getpid()};
    bine_parts_folder(file, folder);
    snprintf(f->path, sizeof f->path, "%.990s/rank-%d", folder, rank);
    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
        return refuse(why, folder, strerror(errno));
    f->file = open(f->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (f->file < 0)
        return refuse(why, f->path, strerror(errno));
    if (map(f, bytes, why) == 0)
        return 0;
    bine_part_file_close(f);
    return -1;
}

void bine_part_file_close(struct bine_part_file *f) {
    if (f->part != NULL)
        munmap(f->part, f->bytes);
    if (f->file >= 0)
        close(f->file);
    f->part = NULL;
    f->file = -1;
}
