/* Many jobs: read, count, print. */
#include "traffic/traffic_jobs.h"

#include "cli/command.h"
#include "cli/machines.h"

#include <inttypes.h>
#include <stdio.h>

static const struct bine_column columns[] = {
    {"job", BINE_COLUMN_WORDS},
    {"ranks", BINE_COLUMN_NUMBER},
    {"groups", BINE_COLUMN_NUMBER},
    {"algorithm", BINE_COLUMN_WORDS},
    {"global_bytes", BINE_COLUMN_NUMBER},
    {"baseline_global_bytes", BINE_COLUMN_NUMBER},
    {"reduction_percent", BINE_COLUMN_NUMBER},
    {"lower_bound_bytes", BINE_COLUMN_NUMBER},
};

static const char *const state_texts[BINE_JOB_STATES] = {
    [BINE_JOB_GOOD] = "good",
    [BINE_JOB_BAD_FILE] = "a host file that is empty or malformed",
    [BINE_JOB_UNKNOWN_HOST] = "a host that the machine does not have",
    [BINE_JOB_ONE_GROUP] = "in one group, so nothing crosses between groups",
    [BINE_JOB_NO_GLOBAL] = "the baseline sends nothing between groups",
    [BINE_JOB_RANKS] = "a number of ranks that an algorithm does not take",
    [BINE_JOB_ROOT] = "too few ranks for the root, or too many for so large a vector",
    [BINE_JOB_MEMORY] = "memory ran out",
};

const char *bine_job_state_text(enum bine_job_state state) {
    return state_texts[state];
}

size_t bine_job_results_count(const struct bine_job_results *all, enum bine_job_state state,
                              const struct bine_job_result **first, size_t *job) {
    size_t n = 0;
    for (size_t i = 0; i < all->log->count; i++)
        for (int k = 0; k < all->wish->algorithms; k++) {
            const struct bine_job_result *r = bine_job_result_at(all, i, k);
            if (r->state != state)
                continue;
            if (n++ == 0) {
                *first = r;
                *job = i;
            }
            if (state != BINE_JOB_RANKS && state != BINE_JOB_GOOD)
                break; /* it is the job that is skipped, not an algorithm of it */
        }
    return n;
}

static void print_skipped(const struct bine_job_results *all) {
    const struct bine_job_result *first = NULL;
    size_t job = 0;
    for (int s = BINE_JOB_GOOD + 1; s < BINE_JOB_STATES; s++) {
        size_t n = bine_job_results_count(all, (enum bine_job_state)s, &first, &job);
        if (n == 0)
            continue;
        fprintf(stderr, "bine: skipped %zu job%s: %s (first: %s%s%s)\n", n, n == 1 ? "" : "s",
                state_texts[s], all->log->file[job].name, first->why[0] == '\0' ? "" : ", ",
                first->why);
    }
}

static void add_row(struct bine_table *t, const struct bine_job_results *all, size_t job, int k) {
    const struct bine_job_result *r = bine_job_result_at(all, job, k);
    char saving[BINE_SAVING_TEXT] = "", baseline[32] = "";
    if (r->state != BINE_JOB_GOOD)
        return;
    if (r->baseline > 0) {
        bine_saving_text(bine_traffic_saving(r->global, r->baseline), saving);
        snprintf(baseline, sizeof baseline, "%" PRId64, r->baseline);
    }
    bine_table_add(t, "%s", all->log->file[job].name);
    bine_table_add(t, "%d", r->ranks);
    bine_table_add(t, "%d", r->groups);
    bine_table_add(t, "%s", all->wish->algorithm[k]->name);
    bine_table_add(t, "%" PRId64, r->global);
    bine_table_add(t, "%s", baseline);
    bine_table_add(t, "%s", saving);
    bine_table_add(t, "%" PRId64, r->bound);
}

static int print_all(const struct bine_job_results *all) {
    struct bine_table t = {.column = columns, .columns = sizeof columns / sizeof *columns};
    for (size_t i = 0; i < all->log->count; i++)
        for (int k = 0; k < all->wish->algorithms; k++)
            add_row(&t, all, i, k);
    int rc = t.cells == 0 && !t.failed ? bine_complain("%s: none of its %zu jobs could be counted",
                                                       all->wish->jobs, all->log->count)
                                       : bine_table_print(&t, all->wish->format);
    bine_table_free(&t);
    return rc;
}

/* Memory is no property of a job: what could not be counted for want of it is no result. */
static int check_memory(const struct bine_job_results *all) {
    const struct bine_job_result *first;
    size_t job;
    return bine_job_results_count(all, BINE_JOB_MEMORY, &first, &job) > 0
               ? bine_complain("out of memory: try fewer --workers")
               : 0;
}

int bine_traffic_jobs(const struct bine_traffic_wish *w) {
    struct bine_job_log log = {0};
    struct bine_job_results all = {w, &log, NULL, NULL};
    struct bine_machine *m = bine_machine_load(w->where.machine, w->where.level);
    all.machine = m;
    int rc = m == NULL ? BINE_EXIT_USAGE : bine_job_log_read(&log, w->jobs);
    if (rc == 0)
        rc = bine_job_results_run(&all);
    if (rc == 0)
        rc = check_memory(&all);
    if (rc == 0) {
        print_skipped(&all);
        rc = print_all(&all);
    }
    if (rc == 0 && w->report != NULL)
        rc = bine_traffic_report(&all, w->report);
    bine_job_results_free(&all);
    bine_job_log_free(&log);
    bine_machine_free(m);
    return rc;
}
