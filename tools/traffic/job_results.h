/* The results of many jobs. */
#ifndef BINE_TOOLS_TRAFFIC_JOB_RESULTS_H
#define BINE_TOOLS_TRAFFIC_JOB_RESULTS_H

#include "traffic/command_traffic.h"
#include "traffic/jobs.h"

enum bine_job_state {
    BINE_JOB_GOOD,
    BINE_JOB_BAD_FILE, /* empty, malformed, or a host twice */
    BINE_JOB_UNKNOWN_HOST,
    BINE_JOB_ONE_GROUP, /* and a baseline: there is nothing to save */
    BINE_JOB_NO_GLOBAL, /* the baseline sends nothing between groups */
    BINE_JOB_RANKS,     /* an algorithm or the baseline does not take so many ranks */
    BINE_JOB_ROOT,      /* it has fewer ranks than the root's number, or n is too large for it */
    BINE_JOB_MEMORY,
    BINE_JOB_STATES
};

/* One job with one algorithm. Workers write it to shared memory. */
struct bine_job_result {
    enum bine_job_state state;
    int ranks, groups;
    int64_t global, baseline, bound;
    char why[200];
};

struct bine_job_results {
    const struct bine_traffic_wish *wish;
    const struct bine_job_log *log;
    const struct bine_machine *machine;
    struct bine_job_result *result; /* [job * algorithms + algorithm], shared between processes */
};

static inline struct bine_job_result *bine_job_result_at(const struct bine_job_results *all,
                                                         size_t job, int algorithm) {
    return &all->result[job * (size_t)all->wish->asked.count + (size_t)algorithm];
}

/* Count all jobs, with so many processes at once. 0, or BINE_EXIT_USAGE after complaining. */
int bine_job_results_run(struct bine_job_results *all);
void bine_job_results_free(struct bine_job_results *all);

/* Jobs that are left out for one reason. */
struct bine_jobs_skipped {
    enum bine_job_state state;
    int algorithm; /* the only one that they are left out of; -1: of all */
    size_t jobs, first;
};
/* The next after `after` (all zero: the first) of which there are any; 0 if there is none. */
int bine_jobs_skipped_next(const struct bine_job_results *all, struct bine_jobs_skipped *after);
/* "3 jobs of bine-large-two: a number of ranks ... (first: 17, ...)". */
enum { BINE_SKIPPED_TEXT = 600 };
const char *bine_jobs_skipped_text(const struct bine_job_results *all,
                                   const struct bine_jobs_skipped *s, char text[BINE_SKIPPED_TEXT]);

#endif
