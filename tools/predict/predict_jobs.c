/* bine traffic --predict: the jobs of a log, had each of them been the program of a profile: the
 * time in collectives. */
#include "base/numbers.h"
#include "cli/command.h"
#include "cli/options/machines.h"
#include "cli/options/place.h"
#include "predict/what_if.h"
#include "traffic/jobs.h"
#include "traffic/jobs_each.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Workers write it to shared memory. */
struct predicted_job {
    int failed;
    char why[200];
    int ranks, groups;
    double run[BINE_ANSWERS];
};

struct predicting_jobs {
    struct bine_place_words where;
    const char *jobs, *file; /* the log, the profile */
    int workers;
    double busy;
    struct bine_what_if_wish what_if;
    const struct bine_machine *machine;
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
        .profile = &all->profile, .wish = &all->what_if, .job = {a, all->machine, all->busy}};
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
    int each = all->where.per_node;
    if (bine_hosts_read(&h, f->text, f->size, f->name, BINE_HOSTS_MOST, &why) != 0 ||
        (each > 0 && bine_hosts_fill(&h, each, BINE_HOSTS_MOST, &why) != 0) ||
        bine_allocation_place(&a, all->machine, &h, BINE_REORDER_OFF, &why) != 0)
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
        add_times(&t, all->what_if.format, j->run);
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
    add_times(&t, all->what_if.format, sum);
    int rc =
        skipped == all->log.count ? BINE_EXIT_USAGE : bine_table_print(&t, all->what_if.format);
    bine_table_free(&t);
    return rc;
}

static int run(struct predicting_jobs *all) {
    struct bine_jobs_each each = {.jobs = all->log.count,
                                  .workers = all->workers,
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

static int read_options(int argc, char **argv, struct predicting_jobs *all) {
    const struct bine_option rows[] = {
        {.name = "machine", .read = bine_take_word, .to = &all->where.machine},
        {.name = "ranks-per-node", .read = bine_take_per_node, .to = &all->where.per_node},
        BINE_LEVEL_OPTION(&all->where),
        {.name = "jobs", .read = bine_take_word, .to = &all->jobs},
        {.name = "predict", .read = bine_take_word, .to = &all->file},
        {.name = "workers", .read = bine_take_int, .to = &all->workers, .low = 1, .high = 1024},
        {.name = "busy", .read = bine_take_share, .to = &all->busy, .what = "--busy"},
        {.name = "format", .read = bine_take_format, .to = &all->what_if.format},
        BINE_SCALE_OPTIONS(&all->what_if),
        {0}};
    int rc = bine_options_read(argc, argv, rows);
    if (rc != 0)
        return rc;
    if (bine_arguments_count(argc, argv, 0, 0, "--predict") != 0)
        return BINE_EXIT_USAGE;
    return all->where.machine != NULL && all->jobs != NULL
               ? 0
               : bine_complain("--predict: which jobs, and where? expected --machine M --jobs J");
}

/* With the machine, the profile and the log. */
static int open_and_run(struct predicting_jobs *all) {
    struct bine_machine *m = bine_machine_load(all->where.machine, all->where.level);
    int library, rc = m == NULL ? BINE_EXIT_USAGE : 0;
    all->machine = m;
    if (rc == 0)
        rc = bine_what_if_library(&all->profile, &all->what_if, &library);
    if (rc == 0)
        rc = bine_job_log_read(&all->log, all->jobs);
    if (rc == 0)
        rc = run(all);
    bine_job_log_free(&all->log);
    bine_machine_free(m);
    return rc;
}

int bine_command_predict_jobs(int argc, char **argv) {
    struct predicting_jobs all = {.workers = (int)sysconf(_SC_NPROCESSORS_ONLN)};
    char *help[] = {argv[0], (char[]){"--help"}, NULL};
    all.what_if.silent = 1;
    int rc = read_options(argc, argv, &all);
    if (rc == BINE_OPTIONS_HELP) {
        optind = 0; /* from the start */
        return bine_command_traffic(2, help);
    }
    if (rc != 0 || bine_profile_read(all.file, &all.profile) != 0)
        return BINE_EXIT_USAGE;
    rc = open_and_run(&all);
    bine_profile_free(&all.profile);
    return rc;
}
