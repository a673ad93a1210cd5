/* Savings by node count. */
#include "traffic/traffic_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double bine_job_saving(const struct bine_job_result *r, int64_t bytes) {
    return 100.0 * (double)(r->baseline - bytes) / (double)r->baseline;
}

void bine_bin_label(const struct bine_bin *bin, char text[32]) {
    if (bin->low == bin->high)
        snprintf(text, 32, "%d", bin->low);
    else
        snprintf(text, 32, "%d-%d", bin->low, bin->high);
}

int bine_section_bin(const struct bine_section *s, int ranks) {
    for (int i = 0; i < s->bins; i++)
        if (ranks >= s->bin[i].low && ranks <= s->bin[i].high)
            return i;
    return -1;
}

static const struct bine_job_result *good(const struct bine_section *s, size_t job) {
    const struct bine_job_result *r = bine_job_result_at(s->all, job, s->algorithm);
    return r->state == BINE_JOB_GOOD ? r : NULL;
}

/* A bin for every power of two, as in the paper's figure, and one for what is between two of them.
 */
static void power_bins(struct bine_section *s, int most) {
    s->bins = 0;
    for (int power = 1; power <= most && s->bins + 2 <= BINE_BINS_MOST; power *= 2) {
        s->bin[s->bins++] = (struct bine_bin){.low = power, .high = power};
        if (power > 1)
            s->bin[s->bins++] = (struct bine_bin){.low = power + 1, .high = 2 * power - 1};
    }
}

/* A bin for every number of ranks that there is, if they are few; otherwise by powers of two. Empty
 * ones are dropped at the end. */
static void make_bins(struct bine_section *s) {
    enum { FEW = 14 };
    int most = 0;
    for (size_t i = 0; i < s->all->log->count; i++)
        if (good(s, i) != NULL && good(s, i)->ranks > most)
            most = good(s, i)->ranks;
    for (size_t i = 0; i < s->all->log->count && s->bins <= FEW; i++)
        if (good(s, i) != NULL && bine_section_bin(s, good(s, i)->ranks) < 0) {
            int ranks = good(s, i)->ranks, at = s->bins++;
            for (; at > 0 && s->bin[at - 1].low > ranks; at--)
                s->bin[at] = s->bin[at - 1];
            s->bin[at] = (struct bine_bin){.low = ranks, .high = ranks};
        }
    if (s->bins > FEW)
        power_bins(s, most);
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* All that is said of the jobs from low to high ranks. `room` is for one number a job. */
static void summarise(const struct bine_section *s, struct bine_bin *bin, double *room) {
    size_t n = 0, with_bound = 0;
    for (size_t i = 0; i < s->all->log->count; i++) {
        const struct bine_job_result *r = good(s, i);
        if (r == NULL || r->ranks < bin->low || r->ranks > bin->high)
            continue;
        room[n++] = bine_job_saving(r, r->global);
        bin->mean += bine_job_saving(r, r->global);
        bin->bound += bine_job_saving(r, r->bound);
        bin->groups += r->groups;
        bin->ratio += r->bound > 0 ? (double)r->global / (double)r->bound : 0;
        with_bound += r->bound > 0;
    }
    bin->jobs = n;
    if (n == 0)
        return;
    qsort(room, n, sizeof *room, by_value);
    bin->mean /= (double)n;
    bin->bound /= (double)n;
    bin->groups /= (double)n;
    bin->ratio /= with_bound > 0 ? (double)with_bound : 1;
    bin->median = (room[(n - 1) / 2] + room[n / 2]) / 2;
    bin->least = room[0];
    bin->most = room[n - 1];
}

int bine_section_make(struct bine_section *s, const struct bine_job_results *all, int algorithm) {
    double *room = malloc((all->log->count + 1) * sizeof *room);
    *s = (struct bine_section){.all = all, .algorithm = algorithm};
    if (room == NULL)
        return -1;
    make_bins(s);
    s->whole = (struct bine_bin){.low = 1, .high = BINE_HOSTS_MOST};
    summarise(s, &s->whole, room);
    int kept = 0;
    for (int i = 0; i < s->bins; i++) {
        summarise(s, &s->bin[i], room);
        if (s->bin[i].jobs > 0)
            s->bin[kept++] = s->bin[i];
    }
    s->bins = kept;
    free(room);
    return 0;
}
