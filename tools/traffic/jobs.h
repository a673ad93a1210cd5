/* Job logs: a folder or a tarball with one host file for each job, or a log of Slurm's. */
#ifndef BINE_TOOLS_JOBS_H
#define BINE_TOOLS_JOBS_H

#include <stddef.h>

struct bine_job_file {
    char *name; /* of the job: its file, without folders and the ending .txt, or its number */
    char *text;
    size_t size;
};

/* Sorted by the names of the files. All zero is an empty log. */
struct bine_job_log {
    struct bine_job_file *file;
    size_t count, room;
};

/* 0, or BINE_EXIT_USAGE after complaining. */
int bine_job_log_read(struct bine_job_log *log, const char *path);
void bine_job_log_free(struct bine_job_log *log);

/* Append a file; takes the text over, also when it fails. 0, or -1 when out of memory. */
int bine_job_log_add(struct bine_job_log *log, const char *path, char *text, size_t size);
/* A log of Slurm's, a job a line; and whether a text begins like one. */
int bine_job_log_read_slurm(struct bine_job_log *log, const char *path);
int bine_job_log_is_slurm(const char *text, size_t size);
/* The files of a tarball, or of another archive that the library can read. */
int bine_job_log_read_archive(struct bine_job_log *log, const char *path);

#endif
