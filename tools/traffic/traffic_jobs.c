/* Many jobs: read, count, print. */
#include "traffic/job_summary.h"

#include "cli/command.h"
#include "cli/options/bytes.h"
#include "cli/options/machines.h"

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

/* Without a word of the algorithms that do not take some ranks, if nobody named them. */
static void print_skipped(const struct bine_job_results *all) {
    struct bine_jobs_skipped s = {0};
    char text[BINE_SKIPPED_TEXT];
    while (bine_jobs_skipped_next(all, &s))
        if (all->wish->asked.named || s.algorithm < 0 || s.state != BINE_JOB_RANKS)
            fprintf(stderr, "bine: skipped %s\n", bine_jobs_skipped_text(all, &s, text));
}

/* For people: sizes that can be read. */
static const struct bine_column text_columns[] = {
    {"job", BINE_COLUMN_WORDS},
    {"ranks", BINE_COLUMN_NUMBER},
    {"groups", BINE_COLUMN_NUMBER},
    {"algorithm", BINE_COLUMN_WORDS},
    {"between groups", BINE_COLUMN_NUMBER},
    {"baseline", BINE_COLUMN_NUMBER},
    {"saving", BINE_COLUMN_NUMBER},
    {"least possible", BINE_COLUMN_NUMBER},
};

static void add_bytes(struct bine_table *t, int64_t bytes, int readable) {
    char text[BINE_BYTES_TEXT];
    if (readable)
        bine_table_add(t, "%s", bine_bytes_text(bytes, text));
    else
        bine_table_add(t, "%" PRId64, bytes);
}

static void add_row(struct bine_table *t, const struct bine_job_results *all, size_t job, int k) {
    const struct bine_job_result *r = bine_job_result_at(all, job, k);
    int readable = all->wish->format == BINE_FORMAT_TEXT;
    char saving[BINE_SAVING_TEXT] = "";
    if (r->state != BINE_JOB_GOOD)
        return;
    bine_table_add(t, "%s", all->log->file[job].name);
    bine_table_add(t, "%d", r->ranks);
    bine_table_add(t, "%d", r->groups);
    bine_table_add(t, "%s", all->wish->asked.algorithm[k]->name);
    add_bytes(t, r->global, readable);
    if (r->baseline > 0) {
        add_bytes(t, r->baseline, readable);
        bine_saving_text(bine_traffic_saving(r->global, r->baseline), saving);
        bine_table_add(t, "%s%s", saving, readable ? " %" : "");
    } else {
        bine_table_add(t, "%s", "");
        bine_table_add(t, "%s", "");
    }
    add_bytes(t, r->bound, readable);
}

static int print_all(const struct bine_job_results *all) {
    int readable = all->wish->format == BINE_FORMAT_TEXT;
    struct bine_table t = {.column = readable ? text_columns : columns,
                           .columns = sizeof columns / sizeof *columns};
    for (size_t i = 0; i < all->log->count; i++)
        for (int k = 0; k < all->wish->asked.count; k++)
            add_row(&t, all, i, k);
    int rc = t.cells == 0 && !t.failed
                 ? bine_complain("%s: %zu job%s, of which none could be counted", all->wish->jobs,
                                 all->log->count, bine_plural((int64_t)all->log->count))
                 : bine_table_print(&t, all->wish->format);
    bine_table_free(&t);
    return rc != 0 || !readable ? rc : bine_job_summary_print(all);
}

/* A job that ran out of memory has no count, and without all counts there is no result. */
static int check_memory(const struct bine_job_results *all) {
    for (size_t i = 0; i < all->log->count; i++)
        for (int k = 0; k < all->wish->asked.count; k++)
            if (bine_job_result_at(all, i, k)->state == BINE_JOB_MEMORY)
                return bine_complain("out of memory: try fewer --workers");
    return 0;
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
