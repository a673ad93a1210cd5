/* Many jobs at once: processes that take one after the other, with results in shared memory. */
#ifndef BINE_TOOLS_TRAFFIC_JOBS_EACH_H
#define BINE_TOOLS_TRAFFIC_JOBS_EACH_H

#include <stddef.h>

struct bine_jobs_each {
    size_t jobs;
    int workers;
    size_t bytes; /* of the result of a job */
    void (*job)(void *self, size_t job);
    void *self;
};

/* Room for the results of all jobs, all zero, which workers share; NULL when out of memory. */
void *bine_jobs_each_open(const struct bine_jobs_each *e);
void bine_jobs_each_close(const struct bine_jobs_each *e, void *results);
/* Does all jobs. 0, or BINE_EXIT_USAGE after complaining. */
int bine_jobs_each_run(const struct bine_jobs_each *e, void *results);

#endif
