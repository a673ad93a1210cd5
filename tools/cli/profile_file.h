/* A profile of a program's collectives in memory, as docs/profile.md describes the file. */
#ifndef BINE_TOOLS_CLI_PROFILE_FILE_H
#define BINE_TOOLS_CLI_PROFILE_FILE_H

#include "base/reason.h"
#include "schedule/collective.h"
#include "select/json.h"

#include <stdint.h>

/* A number that the file leaves unknown (null) is NAN, a whole number BINE_PROFILE_UNKNOWN, a word
 * NULL. */
enum { BINE_PROFILE_UNKNOWN = -1, BINE_PROFILE_VARIES = -2 };

struct bine_profile_node {
    int64_t ranks, group;
    const char *name;
};

enum bine_profile_kind {
    BINE_PROFILE_WORLD,
    BINE_PROFILE_PART,
    BINE_PROFILE_INTER,
    BINE_PROFILE_SEVERAL,
    BINE_PROFILE_KINDS
};

/* Ranks in a row on one node. */
struct bine_profile_place {
    int64_t node, ranks;
};

struct bine_profile_communicator {
    int64_t ranks, made;
    int kind; /* enum bine_profile_kind */
    size_t places;
    struct bine_profile_place *place; /* NULL: not known */
};

enum bine_profile_form {
    BINE_PROFILE_BLOCKING,
    BINE_PROFILE_NONBLOCKING,
    BINE_PROFILE_PERSISTENT,
    BINE_PROFILE_FORMS
};
const char *bine_profile_form_name(enum bine_profile_form form);

enum bine_profile_by { BINE_PROFILE_BY_MPI, BINE_PROFILE_BY_BINE, BINE_PROFILE_BYS };

struct bine_profile_row {
    int64_t communicator; /* its place in the list */
    int collective;       /* enum bine_collective */
    int form;             /* enum bine_profile_form */
    int by;               /* enum bine_profile_by */
    int64_t bytes_from, bytes_below;
    double bytes_mean;
    const char *datatype, *algorithm, *layout, *site;
    int64_t root; /* BINE_PROFILE_UNKNOWN: none; or BINE_PROFILE_VARIES */
    int64_t calls, recorded, samples;
    double seconds_mean, seconds_slowest, seconds_least, longest, wait_mean, wait_slowest;
    int64_t late; /* the rank that came last most often, */
    double share; /* and how often */
};

struct bine_profile_step {
    double calls, bytes, mean, slowest;
};

struct bine_profile {
    struct bine_json_document document; /* words point into it */
    int64_t version, ranks, recorded, finished;
    int off;
    const char *bine, *mpi;
    double seconds, mean, slowest, clock_error;
    double others_calls, others_seconds;
    double step; /* of the timeline */
    size_t nodes, communicators, rows, steps;
    struct bine_profile_node *node;
    struct bine_profile_communicator *communicator;
    struct bine_profile_row *row;
    struct bine_profile_step *timeline;
};

/* From a text, which becomes the profile's; `name` is the file's. 0, or -1 with
 * "FILE:LINE:COLUMN: the mistake". */
int bine_profile_parse(const char *name, char *text, struct bine_profile *p,
                       struct bine_reason *why);
/* A file that is named on the command line, or the folder of the parts that a program has left, or
 * the file that these were to become: 0, or BINE_EXIT_USAGE after complaining. */
int bine_profile_read(const char *path, struct bine_profile *p);
void bine_profile_free(struct bine_profile *p);
/* Whether there is any of these. */
int bine_profile_is_there(const char *path);
/* The text of such a file, merged where it is a folder; NULL after complaining. */
char *bine_profile_text(const char *path);

#endif
