/* The jobs of a log, had each of them been the program of a profile: time in collectives. */
#include "cli/command.h"
#include "cli/options/machines.h"
#include "traffic/command_traffic.h"
#include "traffic/jobs.h"
#include "traffic/jobs_each.h"

#include "base/numbers.h"

#include <stdio.h>
#include <string.h>

/* Workers write it to shared memory. */
struct predicted_job {
    int failed;
    char why[200];
    int ranks, groups;
    double run[BINE_ANSWERS];
};

struct predicting_jobs {
    const struct bine_traffic_wish *wish;
    const struct bine_machine *machine;
    struct bine_what_if_wish what_if;
    struct bine_profile profile;
    struct bine_job_log log;
    struct predicted_job *job;
};

static void fail(struct predicted_job *to, const char *why) {
    to->failed = 1;
    snprintf(to->why, sizeof to->why, "%.190s", why);
}

static void predict_on(const struct predicting_jobs *all, const struct bine_allocation *a,
                       struct predicted_job *to) {
    struct bine_what_if x = {
        .profile = &all->profile, .wish = &all->what_if, .job = {a, all->machine, all->wish->busy}};
    to->ranks = a->p;
    to->groups = bine_allocation_groups(a);
    if (bine_what_if_run(&x) != 0)
        fail(to, "out of memory");
    memcpy(to->run, x.run, sizeof to->run);
    bine_what_if_free(&x);
}

static void do_job(void *self, size_t job) {
    const struct predicting_jobs *all = self;
    const struct bine_job_file *f = &all->log.file[job];
    struct predicted_job *to = &all->job[job];
    struct bine_allocation a;
    struct bine_hosts h = {0};
    struct bine_reason why;
    int each = all->wish->where.per_node;
    if (bine_hosts_read(&h, f->text, f->size, f->name, BINE_HOSTS_MOST, &why) != 0 ||
        (each > 0 && bine_hosts_fill(&h, each, BINE_HOSTS_MOST, &why) != 0) ||
        bine_allocation_place(&a, all->machine, &h, all->wish->where.reorder, &why) != 0)
        fail(to, why.text);
    else {
        predict_on(all, &a, to);
        bine_allocation_free(&a);
    }
    bine_hosts_free(&h);
}

static const struct bine_column columns[] = {
    {"job", BINE_COLUMN_WORDS},           {"ranks", BINE_COLUMN_NUMBER},
    {"groups", BINE_COLUMN_NUMBER},       {"usual_seconds", BINE_COLUMN_NUMBER},
    {"bine_seconds", BINE_COLUMN_NUMBER}, {"least_seconds", BINE_COLUMN_NUMBER},
    {"gain", BINE_COLUMN_NUMBER},
};
static const char *const titles[] = {"job", "ranks", "groups", "usual", "Bine", "least", "gain"};

static void add_times(struct bine_table *t, enum bine_format format,
                      const double run[BINE_ANSWERS]) {
    char text[BINE_SECONDS_TEXT];
    for (int s = 0; s < BINE_ANSWERS; s++)
        if (format == BINE_FORMAT_TEXT)
            bine_table_add(t, "%s", bine_seconds_text(run[s], text));
        else
            bine_table_add(t, "%.4g", run[s]);
    if (run[BINE_ANSWER_BINE] > 0)
        bine_table_add(t, "%.2f", run[BINE_ANSWER_USUAL] / run[BINE_ANSWER_BINE]);
    else
        bine_table_add(t, "%s", "");
}

/* A line for each job, and one for all; those that are left out are counted on stderr. */
static int print(const struct predicting_jobs *all) {
    struct bine_table t = {
        .column = columns, .title = titles, .columns = sizeof columns / sizeof *columns};
    double sum[BINE_ANSWERS] = {0};
    size_t skipped = 0, first = 0;
    for (size_t i = 0; i < all->log.count; i++) {
        const struct predicted_job *j = &all->job[i];
        if (j->failed) {
            first = skipped++ == 0 ? i : first;
            continue;
        }
        bine_table_add(&t, "%s", all->log.file[i].name);
        bine_table_add(&t, "%d", j->ranks);
        bine_table_add(&t, "%d", j->groups);
        add_times(&t, all->wish->format, j->run);
        for (int s = 0; s < BINE_ANSWERS; s++)
            sum[s] += j->run[s];
    }
    if (skipped > 0)
        bine_complain("skipped %zu job%s (first: %.200s, %s)", skipped,
                      bine_plural((int64_t)skipped), all->log.file[first].name,
                      all->job[first].why);
    bine_table_add(&t, "all");
    bine_table_add(&t, "%s", "");
    bine_table_add(&t, "%s", "");
    add_times(&t, all->wish->format, sum);
    int rc = skipped == all->log.count ? BINE_EXIT_USAGE : bine_table_print(&t, all->wish->format);
    bine_table_free(&t);
    return rc;
}

static int run(struct predicting_jobs *all) {
    struct bine_jobs_each each = {.jobs = all->log.count,
                                  .workers = all->wish->workers,
                                  .bytes = sizeof *all->job,
                                  .job = do_job,
                                  .self = all};
    all->job = bine_jobs_each_open(&each);
    if (all->job == NULL)
        return bine_complain("out of memory");
    int rc = bine_jobs_each_run(&each, all->job);
    if (rc == 0)
        rc = print(all);
    bine_jobs_each_close(&each, all->job);
    return rc;
}

int bine_traffic_predict(const struct bine_traffic_wish *w) {
    struct predicting_jobs all = {.wish = w, .what_if = w->what_if};
    struct bine_machine *m = NULL;
    int library;
    all.what_if.silent = 1;
    if (bine_profile_read(w->predict, &all.profile) != 0)
        return BINE_EXIT_USAGE;
    int rc = bine_what_if_library(&all.profile, &w->what_if, &library);
    if (rc == 0) {
        all.machine = m = bine_machine_load(w->where.machine, w->where.level);
        rc = m == NULL ? BINE_EXIT_USAGE : bine_job_log_read(&all.log, w->jobs);
    }
    if (rc == 0)
        rc = run(&all);
    bine_job_log_free(&all.log);
    bine_machine_free(m);
    bine_profile_free(&all.profile);
    return rc;
}
