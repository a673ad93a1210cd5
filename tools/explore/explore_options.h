/* What the explorer is asked to show: the words of `bine explore`, which are also how the page asks
 * the core that is compiled into it. */
#ifndef BINE_TOOLS_EXPLORE_EXPLORE_OPTIONS_H
#define BINE_TOOLS_EXPLORE_EXPLORE_OPTIONS_H

#include "cli/options/schedule_options.h"

struct bine_explore_options {
    const char *collective, *algorithm; /* as typed; NULL: not given */
    struct bine_schedule_options schedule;
    const char *against, *bytes, *block, *view, *file;
    int negabinary;
    const char *timeline; /* the trace of a call that is shown beside the model, */
    int call;             /* and its number there */
};

/* Read the words. 0, BINE_EXIT_USAGE after complaining, or BINE_OPTIONS_HELP. */
int bine_explore_read(int argc, char **argv, struct bine_explore_options *o);

/* What becomes of them, for one of the algorithms. */
struct bine_explore_spec {
    struct bine_spec request; /* looks into `place` */
    struct bine_place place;
    int64_t bytes;
};

/* 0, or BINE_EXIT_USAGE after complaining; to be freed in either case. Without names, the
 * collective is BINE_EXPLORE_COLLECTIVE and the algorithm BINE_EXPLORE_ALGORITHM. */
int bine_explore_ask(const struct bine_explore_options *o, const char *algorithm,
                     struct bine_explore_spec *x);
void bine_explore_free(struct bine_explore_spec *x);

/* What the page opens with if nothing is asked for. */
#define BINE_EXPLORE_COLLECTIVE "allreduce"
#define BINE_EXPLORE_ALGORITHM "bine-large"
#define BINE_EXPLORE_RANKS "16"
#define BINE_EXPLORE_GROUPS "5,5,6"
#define BINE_EXPLORE_BYTES "1M"

/* The most ranks that the page shows. */
enum { BINE_EXPLORE_MOST = 1024 };

#endif
