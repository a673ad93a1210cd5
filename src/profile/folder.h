/* The files of a profile: FILE, and the parts of the ranks in the folder FILE.parts until they are
 * merged. Everything is for this user alone. */
#ifndef BINE_PROFILE_FOLDER_H
#define BINE_PROFILE_FOLDER_H

#include "profile/part.h"

enum { BINE_PARTS_PATH = 1024, BINE_PARTS_WHY = 1200 };

/* FILE with %j, %h and %% written out: the number of the batch job (0: none), the host's name. 0,
 * or -1 with the reason. */
int bine_parts_name(const char *pattern, const char *host, char path[BINE_PARTS_PATH],
                    char why[BINE_PARTS_WHY]);

/* The folder of the parts of FILE, and the part of a rank there. */
void bine_parts_folder(const char *file, char path[BINE_PARTS_PATH]);

struct bine_part_file {
    struct bine_part *part; /* NULL: there is none */
    size_t bytes;
    int file, process; /* which made it */
    char path[BINE_PARTS_PATH];
};

/* Make the part of a rank, all zeros, and map it. Its bytes are on the disk then: a disk that is
 * full later does no harm. Parts of an earlier run are replaced, parts of a program that is still
 * running are not. 0, or -1 with the reason. */
int bine_part_file_open(struct bine_part_file *f, const char *file, int rank, size_t bytes,
                        char why[BINE_PARTS_WHY]);
/* Give it back; the file stays. */
void bine_part_file_close(struct bine_part_file *f);
/* Remove the file, and the folder with the last one. */
void bine_part_file_remove(const struct bine_part_file *f);

/* The parts in a folder, by rank. */
struct bine_parts {
    struct bine_part **part;     /* or NULL where one is missing */
    int ranks;                   /* of MPI_COMM_WORLD; 0: there are none */
    int found, damaged, others;  /* others: of another run, left aside */
    char damage[BINE_PARTS_WHY]; /* of the first damaged one: its name, and why */
};

/* Read a folder: files that the checker finds sound. Of several runs the last one counts. 0, or -1
 * and errno. */
int bine_parts_read(const char *folder, bine_part_checker *check, struct bine_parts *p);
/* For parts that come otherwise: room for n. 0, or -1. */
int bine_parts_new(struct bine_parts *p, int ranks);
void bine_parts_free(struct bine_parts *p);

#endif
