/* A profile: the parts of all ranks merged (docs/profile.md explains the members). */
#ifndef BINE_PROFILE_MERGED_H
#define BINE_PROFILE_MERGED_H

#include "profile/part.h"
#include "schedule/catalogue.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { BINE_PROFILE_VERSION = 1 };

/* Words of the file. */
extern const char *const bine_form_words[BINE_FORMS];
extern const char *const bine_datatype_words[BINE_DATATYPES];
extern const char *const bine_comm_words[BINE_PART_KINDS];

struct bine_merged_node {
    int ranks, group; /* -1: not known */
    char host[64];    /* empty: not asked for */
};

struct bine_merged_run {
    int node, ranks;
};

struct bine_merged_comm {
    enum bine_part_comm_kind kind;
    int ranks;
    int64_t made;
    struct bine_merged_run *place; /* NULL: not known */
    size_t places;
};

struct bine_merged_row {
    int comm;
    enum bine_collective collective;
    enum bine_form form;
    int64_t bytes_from, bytes_below; /* negative: null */
    double bytes_mean;
    enum bine_datatype datatype;
    int root; /* or BINE_ROOT_NONE, BINE_ROOT_VARIES */
    int by_bine;
    char algorithm[48], layout[16]; /* empty: null */
    char site[BINE_PART_SITE_TEXT];
    int64_t calls;
    int recorded;
    double mean, slowest, least, longest;
    double wait_mean, wait_slowest; /* negative: null */
    int64_t samples;
    int late; /* -1: null */
    double late_share;
};

struct bine_merged_step {
    double calls, bytes, mean, slowest;
};

struct bine_merged {
    char bine[16], mpi[64];
    int off, ranks, recorded, finished;
    double seconds, mean, slowest;
    double clock_error; /* negative: null */
    struct bine_merged_node *node;
    struct bine_merged_comm *comm;
    struct bine_merged_row *row;
    size_t nodes, comms, rows;
    int64_t other_calls;
    double other_seconds;
    double step;
    struct bine_merged_step *steps;
    size_t step_count;
};

struct bine_parts;

/* Merge parts. 0, or -1: no memory. */
int bine_merge(const struct bine_parts *parts, struct bine_merged *p);
void bine_merged_free(struct bine_merged *p);

/* As JSON. */
void bine_merged_print(FILE *f, const struct bine_merged *p);
/* To a file in one piece, for this user alone: 0, or -1 and errno; then a file that was there is as
 * it was. */
int bine_merged_write(const char *path, const struct bine_merged *p);

#endif
