/* The bytes of many jobs. */
#include "traffic/job_results.h"
#include "cli/command.h"
#include "traffic/jobs_each.h"

#include <stdio.h>

static void set_state(struct bine_job_result *r, enum bine_job_state state, const char *why) {
    r->state = state;
    snprintf(r->why, sizeof r->why, "%.190s", why);
}

/* The bytes between groups of one algorithm; the state says why not. */
static int64_t count(const struct bine_job_results *all, const struct bine_algorithm *g,
                     const struct bine_allocation *a, const struct bine_place *place,
                     struct bine_job_result *r) {
    struct bine_traffic_options options = {BINE_FLOWS_BEST, 0, 0};
    struct bine_spec spec = bine_traffic_spec(all->wish, g, place);
    struct bine_traffic t;
    char why[200];
    if (bine_spec_error(&spec, why, sizeof why) != NULL) {
        set_state(r, BINE_JOB_RANKS, why);
        return -1;
    }
    enum bine_flow_result rc = bine_traffic_count(&t, &spec, all->wish->bytes, a, &options);
    if (rc == BINE_FLOWS_GOOD) {
        bine_traffic_free(&t);
        return t.global;
    }
    set_state(r, rc == BINE_FLOWS_TOO_LARGE ? BINE_JOB_RANKS : BINE_JOB_MEMORY,
              rc == BINE_FLOWS_TOO_LARGE ? "too many ranks for blocks of different sizes"
                                         : "out of memory");
    return -1;
}

static void count_algorithm(const struct bine_job_results *all, const struct bine_allocation *a,
                            const struct bine_place *place, const struct bine_algorithm *g,
                            struct bine_job_result *r) {
    const struct bine_traffic_wish *w = all->wish;
    r->ranks = a->p;
    r->groups = bine_allocation_groups(a);
    r->baseline = -1;
    r->state = BINE_JOB_GOOD;
    if (w->root >= a->p || w->bytes > bine_traffic_most_bytes(a->p))
        set_state(r, BINE_JOB_ROOT, "the root or the number of bytes is too large for it");
    else if (w->baseline != NULL && r->groups == 1)
        set_state(r, BINE_JOB_ONE_GROUP, "");
    else if (w->baseline != NULL)
        r->baseline = count(all, w->baseline, a, place, r);
    if (r->state == BINE_JOB_GOOD && r->baseline == 0)
        set_state(r, BINE_JOB_NO_GLOBAL, "");
    if (r->state == BINE_JOB_GOOD)
        r->global = count(all, g, a, place, r);
    r->bound = r->state == BINE_JOB_GOOD
                   ? bine_traffic_bound(w->asked.collective, w->bytes, w->root, a)
                   : 0;
    if (r->bound < 0)
        set_state(r, BINE_JOB_MEMORY, "out of memory");
}

static void set_all(const struct bine_job_results *all, size_t job, enum bine_job_state state,
                    const char *why) {
    for (int i = 0; i < all->wish->asked.count; i++)
        set_state(bine_job_result_at(all, job, i), state, why);
}

static void do_job(const struct bine_job_results *all, size_t job) {
    const struct bine_job_file *f = &all->log->file[job];
    struct bine_hosts h = {0};
    struct bine_allocation a;
    struct bine_place place;
    struct bine_reason why;
    int each = all->wish->where.per_node;
    if (bine_hosts_read(&h, f->text, f->size, f->name, BINE_HOSTS_MOST, &why) != 0 ||
        (each > 0 && bine_hosts_fill(&h, each, BINE_HOSTS_MOST, &why) != 0))
        set_all(all, job, BINE_JOB_BAD_FILE, why.text);
    else if (bine_allocation_place(&a, all->machine, &h, all->wish->where.reorder, &why) != 0)
        set_all(all, job, BINE_JOB_UNKNOWN_HOST, why.text);
    else {
        if (bine_traffic_place(all->wish, &a, &place) != 0)
            set_all(all, job, BINE_JOB_MEMORY, "out of memory");
        else
            for (int i = 0; i < all->wish->asked.count; i++)
                count_algorithm(all, &a, &place, all->wish->asked.algorithm[i],
                                bine_job_result_at(all, job, i));
        bine_place_free(&place);
        bine_allocation_free(&a);
    }
    bine_hosts_free(&h);
}

static void do_each(void *self, size_t job) {
    do_job(self, job);
}

static struct bine_jobs_each each_of(struct bine_job_results *all) {
    return (struct bine_jobs_each){.jobs = all->log->count,
                                   .workers = all->wish->workers,
                                   .bytes = (size_t)all->wish->asked.count * sizeof *all->result,
                                   .job = do_each,
                                   .self = all};
}

int bine_job_results_run(struct bine_job_results *all) {
    struct bine_jobs_each each = each_of(all);
    all->result = bine_jobs_each_open(&each);
    return all->result == NULL ? bine_complain("out of memory")
                               : bine_jobs_each_run(&each, all->result);
}

void bine_job_results_free(struct bine_job_results *all) {
    struct bine_jobs_each each = each_of(all);
    bine_jobs_each_close(&each, all->result);
    all->result = NULL;
}

static const char *const state_texts[BINE_JOB_STATES] = {
    [BINE_JOB_GOOD] = "good",
    [BINE_JOB_BAD_FILE] = "without hosts, or with malformed ones",
    [BINE_JOB_UNKNOWN_HOST] = "a host that the machine does not have",
    [BINE_JOB_ONE_GROUP] = "in one group, so nothing crosses between groups",
    [BINE_JOB_NO_GLOBAL] = "the baseline sends nothing between groups",
    [BINE_JOB_RANKS] = "ranks that an algorithm does not take",
    [BINE_JOB_ROOT] = "too few ranks for the root, or too many for so large a vector",
    [BINE_JOB_MEMORY] = "memory ran out",
};

/* Whether no algorithm of a job was counted, for the same reason. */
static int is_skipped(const struct bine_job_results *all, size_t job, enum bine_job_state state) {
    for (int k = 0; k < all->wish->asked.count; k++)
        if (bine_job_result_at(all, job, k)->state != state)
            return 0;
    return 1;
}

/* Count each job once: as left out of everything, or as left out of one algorithm. */
static void count_skipped(const struct bine_job_results *all, struct bine_jobs_skipped *s) {
    s->jobs = 0;
    for (size_t i = 0; i < all->log->count; i++) {
        int whole = is_skipped(all, i, s->state);
        if (s->algorithm < 0 ? !whole
                             : whole || bine_job_result_at(all, i, s->algorithm)->state != s->state)
            continue;
        if (s->jobs++ == 0)
            s->first = i;
    }
}

int bine_jobs_skipped_next(const struct bine_job_results *all, struct bine_jobs_skipped *after) {
    do {
        if (after->state == BINE_JOB_GOOD || ++after->algorithm == all->wish->asked.count) {
            after->state++;
            after->algorithm = -1;
        }
        if (after->state >= BINE_JOB_STATES)
            return 0;
        count_skipped(all, after);
    } while (after->jobs == 0);
    return 1;
}

const char *bine_jobs_skipped_text(const struct bine_job_results *all,
                                   const struct bine_jobs_skipped *s,
                                   char text[BINE_SKIPPED_TEXT]) {
    const struct bine_job_result *r =
        bine_job_result_at(all, s->first, s->algorithm < 0 ? 0 : s->algorithm);
    snprintf(text, BINE_SKIPPED_TEXT, "%zu job%s%s%s: %s (first: %.200s%s%s)", s->jobs,
             bine_plural((int64_t)s->jobs), s->algorithm < 0 ? "" : " for ",
             s->algorithm < 0 ? "" : all->wish->asked.algorithm[s->algorithm]->name,
             state_texts[s->state], all->log->file[s->first].name, r->why[0] == '\0' ? "" : ", ",
             r->why);
    return text;
}
