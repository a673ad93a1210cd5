/* The calls of a profile as people ask for them: rows of communicators of one size together. */
#ifndef BINE_TOOLS_CLI_PROFILE_CALLS_H
#define BINE_TOOLS_CLI_PROFILE_CALLS_H

#include "cli/profile_file.h"

struct bine_profile_call {
    int kind, collective, form; /* kind: enum bine_profile_kind */
    int64_t ranks, from, below; /* of the communicators; bytes, -1: sizes differ */
    const char *algorithm;      /* "mpi"; that with most seconds */
    const char *site;           /* or NULL; likewise */
    double calls, bytes;        /* of the mean rank */
    double seconds, slowest;    /* of the mean rank of all; of the rank with most */
    double longest;
    double sum, ranks_with; /* seconds of all ranks that made such calls, and how many these are */
    int64_t comm;           /* the communicator of the last row, */
    double of_comm;         /* and seconds of the slowest rank there */
    double waited, of; /* seconds of the mean rank that were waiting, of these; of: 0, not known */
    int64_t samples;
    double most; /* seconds of the algorithm and the site */
};

struct bine_profile_calls {
    struct bine_profile_call *call; /* those that took longest first */
    size_t used, room;
};

/* 0, or BINE_EXIT_USAGE after complaining that memory ran out. */
int bine_profile_calls(const struct bine_profile *p, struct bine_profile_calls *c);
void bine_profile_calls_free(struct bine_profile_calls *c);

/* The slowest rank over the mean of those that made such calls. */
double bine_profile_imbalance(const struct bine_profile_call *x);

/* The same kind of calls in another profile, or NULL. */
const struct bine_profile_call *bine_profile_calls_find(const struct bine_profile_calls *c,
                                                        const struct bine_profile_call *like);

/* Make the calls of two profiles comparable: one that had no room for all rows has joined sizes of
 * a collective, and then the other's sizes of that collective are joined, too. */
void bine_profile_calls_join(struct bine_profile_calls *a, struct bine_profile_calls *b);

/* "256K-512K", "0", "differ". */
enum { BINE_PROFILE_SIZES = 32 };
const char *bine_profile_sizes(int64_t from, int64_t below, char text[BINE_PROFILE_SIZES]);

#endif
