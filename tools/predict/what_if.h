/* What if: how long the collectives of a profile would take on another machine. */
#ifndef BINE_TOOLS_PREDICT_WHAT_IF_H
#define BINE_TOOLS_PREDICT_WHAT_IF_H

#include "cli/options/option_table.h"
#include "cli/output/progress.h"
#include "cli/output/table.h"
#include "cli/profile_file.h"
#include "predict/team.h"

/* How calls change where there are more ranks, or fewer, than in the profile. */
enum bine_scale { BINE_SCALE_STRONG, BINE_SCALE_WEAK, BINE_SCALES };
/* Communicators that are a part of the ranks: each rank of the profile stands for its neighbours,
 * too; or they have the ranks that they had. */
enum bine_parts { BINE_PARTS_GROW, BINE_PARTS_STAY, BINE_PARTS_KINDS };

struct bine_what_if_wish {
    int scale;   /* enum bine_scale */
    int parts;   /* enum bine_parts */
    int library; /* enum bine_library; BINE_LIBRARY_ANY: that of the profile */
    int first;   /* rows that are printed as text; 0: all */
    enum bine_format format;
    int silent; /* no progress: several of them at once */
};

/* Their rows in a table of options; `w` points to a struct bine_what_if_wish. */
bine_option_read bine_take_scale, bine_take_parts;
#define BINE_SCALE_OPTIONS(w)                                                                      \
    {.name = "scale", .read = bine_take_scale, .to = &(w)->scale},                                 \
        {.name = "parts", .read = bine_take_parts, .to = &(w)->parts}, {                           \
        .name = "mpi", .read = bine_take_library, .to = &(w)->library                              \
    }

/* Three answers to each row. */
enum bine_answer { BINE_ANSWER_USUAL, BINE_ANSWER_BINE, BINE_ANSWER_LEAST, BINE_ANSWERS };

/* Why a row is not in the sums. */
enum bine_left_out {
    BINE_ROW_IN,
    BINE_ROW_SIZE,    /* its bytes are not known */
    BINE_ROW_STARTED, /* nonblocking: how much of it is waited for is not known */
    BINE_ROW_GROUPS,  /* between two groups of ranks, or of communicators that are not known */
    BINE_ROW_ALONE,   /* one rank: nothing to send */
    BINE_ROW_UNKNOWN, /* neither library nor model know it */
    BINE_ROW_KINDS
};
const char *bine_left_out_text(enum bine_left_out why);

enum { BINE_WHAT_IF_NAME = 80 };
struct bine_what_if_row {
    enum bine_collective collective;
    size_t communicator;
    int form; /* enum bine_profile_form */
    int64_t root;
    int element;
    double calls, profile_bytes; /* bytes: of all calls, in the profile */
    double measured, waited;     /* seconds of the mean rank of the program, in the profile */
    int waited_known;
    int ranks; /* there */
    int64_t bytes;
    double share; /* of the ranks that are in the communicator */
    enum bine_left_out left_out;
    int boards;                   /* Bine's is on boards, whose cost is not modelled */
    double seconds[BINE_ANSWERS]; /* of a call */
    char name[BINE_ANSWERS][BINE_WHAT_IF_NAME];
};

struct bine_what_if {
    const struct bine_profile *profile;
    const struct bine_what_if_wish *wish;
    struct bine_team_job job;
    int library;
    struct bine_team **team; /* of each communicator, as far as they are open */
    struct bine_what_if_row *row;
    size_t rows;
    double run[BINE_ANSWERS], measured, waited; /* sums over the rows that are in */
    double left_out[BINE_ROW_KINDS];            /* seconds of the profile */
    int left_outs[BINE_ROW_KINDS];              /* rows */
    int boards;                                 /* rows */
    int waits_unknown;                          /* rows */
    struct bine_progress progress;
};

/* Each returns 0, or BINE_EXIT_USAGE after complaining. */

/* what_if.c: the library of the profile, if no other one is asked for; all rows. */
int bine_what_if_library(const struct bine_profile *f, const struct bine_what_if_wish *w,
                         int *library);
int bine_what_if_run(struct bine_what_if *x);
void bine_what_if_free(struct bine_what_if *x);

/* what_if_ranks.c: the ranks of a communicator among `p` ranks, to be freed: NULL when out of
 * memory; and its bytes and its root there. */
int32_t *bine_what_if_ranks(const struct bine_profile *f, size_t communicator, int p,
                            enum bine_parts parts, int *count);
int64_t bine_what_if_bytes(enum bine_collective c, enum bine_scale scale, double bytes,
                           int64_t from, int to);
int bine_what_if_root(int64_t root, int64_t from, int to);

/* what_if_choose.c: what Bine's library would take, and how long that takes. `usual` is the time of
 * the MPI library's own. */
int bine_what_if_choose(struct bine_what_if *x, struct bine_team *t, struct bine_what_if_row *row);

/* what_if_print.c */
int bine_what_if_print(const struct bine_what_if *x, const char *where);

#endif
