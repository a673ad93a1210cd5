/* Savings by size of the job. */
#include "traffic/job_summary.h"

#include "cli/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double bine_job_saving(const struct bine_job_result *r, int64_t bytes) {
    return 100.0 * (double)(r->baseline - bytes) / (double)r->baseline;
}

void bine_job_bin_label(const struct bine_job_bin *bin, char text[32]) {
    if (bin->low == bin->high)
        snprintf(text, 32, "%d", bin->low);
    else
        snprintf(text, 32, "%d-%d", bin->low, bin->high);
}

int bine_job_summary_bin(const struct bine_job_summary *s, int ranks) {
    for (int i = 0; i < s->bins; i++)
        if (ranks >= s->bin[i].low && ranks <= s->bin[i].high)
            return i;
    return -1;
}

static const struct bine_job_result *good(const struct bine_job_summary *s, size_t job) {
    const struct bine_job_result *r = bine_job_result_at(s->all, job, s->algorithm);
    return r->state == BINE_JOB_GOOD ? r : NULL;
}

/* A bin for every power of two, as in the paper's figure, and one for what is between two of them.
 */
static void power_bins(struct bine_job_summary *s, int most) {
    s->bins = 0;
    for (int power = 1; power <= most && s->bins + 2 <= BINE_BINS_MOST; power *= 2) {
        s->bin[s->bins++] = (struct bine_job_bin){.low = power, .high = power};
        if (power > 1)
            s->bin[s->bins++] = (struct bine_job_bin){.low = power + 1, .high = 2 * power - 1};
    }
}

/* A bin for every number of ranks that there is, if they are few; otherwise by powers of two. Empty
 * ones are dropped at the end. */
static void make_bins(struct bine_job_summary *s) {
    enum { FEW = 14 };
    int most = 0;
    for (size_t i = 0; i < s->all->log->count; i++)
        if (good(s, i) != NULL && good(s, i)->ranks > most)
            most = good(s, i)->ranks;
    for (size_t i = 0; i < s->all->log->count && s->bins <= FEW; i++)
        if (good(s, i) != NULL && bine_job_summary_bin(s, good(s, i)->ranks) < 0) {
            int ranks = good(s, i)->ranks, at = s->bins++;
            for (; at > 0 && s->bin[at - 1].low > ranks; at--)
                s->bin[at] = s->bin[at - 1];
            s->bin[at] = (struct bine_job_bin){.low = ranks, .high = ranks};
        }
    if (s->bins > FEW)
        power_bins(s, most);
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Fill in a bin from the jobs of its sizes. `room` has space for one number a job. */
static void summarise(const struct bine_job_summary *s, struct bine_job_bin *bin, double *room) {
    size_t n = 0, with_bound = 0;
    for (size_t i = 0; i < s->all->log->count; i++) {
        const struct bine_job_result *r = good(s, i);
        if (r == NULL || r->ranks < bin->low || r->ranks > bin->high)
            continue;
        int compared = r->baseline > 0;
        room[n++] = compared ? bine_job_saving(r, r->global) : 0;
        bin->mean += room[n - 1];
        bin->bound += compared ? bine_job_saving(r, r->bound) : 0;
        bin->worse += compared && r->global > r->baseline;
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

int bine_job_summary_make(struct bine_job_summary *s, const struct bine_job_results *all,
                          int algorithm) {
    double *room = malloc((all->log->count + 1) * sizeof *room);
    *s = (struct bine_job_summary){.all = all, .algorithm = algorithm};
    if (room == NULL)
        return -1;
    make_bins(s);
    s->whole = (struct bine_job_bin){.low = 1, .high = BINE_HOSTS_MOST};
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

const char *bine_job_summary_headline(const struct bine_job_summary *s, char text[BINE_HEADLINE]) {
    const struct bine_traffic_wish *w = s->all->wish;
    const struct bine_job_bin *b = &s->whole;
    const char *name = w->asked.algorithm[s->algorithm]->name,
               *many = bine_plural((int64_t)b->jobs);
    int n;
    if (b->jobs > 0 && w->baseline != NULL)
        n = snprintf(text, BINE_HEADLINE,
                     "%s saves %.1f %%, median %.1f %%; worse in %zu of %zu job%s", name, b->mean,
                     b->median, b->worse, b->jobs, many);
    else
        n = snprintf(text, BINE_HEADLINE, "%s: %zu job%s", name, b->jobs, many);
    if (b->ratio > 0)
        snprintf(text + n, BINE_HEADLINE - (size_t)n, "; %.2f x the bound", b->ratio);
    return text;
}

static const struct bine_column columns[] = {
    {"algorithm", BINE_COLUMN_WORDS},     {"ranks", BINE_COLUMN_NUMBER},
    {"jobs", BINE_COLUMN_NUMBER},         {"groups", BINE_COLUMN_NUMBER},
    {"of the bound", BINE_COLUMN_NUMBER}, {"saving", BINE_COLUMN_NUMBER},
    {"median", BINE_COLUMN_NUMBER},       {"least", BINE_COLUMN_NUMBER},
    {"most", BINE_COLUMN_NUMBER},         {"worse", BINE_COLUMN_NUMBER},
};
enum { COLUMNS = sizeof columns / sizeof *columns, PLAIN_COLUMNS = 5 }; /* without a baseline */

static void add_bin(struct bine_table *t, const struct bine_job_bin *b, const char *algorithm,
                    const char *ranks) {
    const double savings[] = {b->mean, b->median, b->least, b->most};
    bine_table_add(t, "%s", algorithm);
    bine_table_add(t, "%s", ranks);
    bine_table_add(t, "%zu", b->jobs);
    bine_table_add(t, "%.1f", b->groups);
    if (b->ratio > 0)
        bine_table_add(t, "%.2f x", b->ratio);
    else
        bine_table_add(t, "%s", "");
    for (size_t i = 0; t->columns == COLUMNS && i < sizeof savings / sizeof *savings; i++)
        bine_table_add(t, "%.1f %%", savings[i]);
    if (t->columns == COLUMNS)
        bine_table_add(t, "%zu", b->worse);
}

/* The table by size. */
static int print_sizes(const struct bine_job_summary *s, int n) {
    int compared = s->all->wish->baseline != NULL;
    struct bine_table t = {.column = columns, .columns = compared ? COLUMNS : PLAIN_COLUMNS};
    char ranks[32];
    printf("\nBy size. groups: mean of the jobs; of the bound: bytes between groups over the least "
           "possible, mean%s\n",
           compared ? ";\nsaving: bytes less than the baseline, mean; worse: jobs in which the "
                      "baseline sends less"
                    : "");
    for (int k = 0; k < n; k++) {
        const char *name = s->all->wish->asked.algorithm[k]->name;
        for (int i = 0; i < s[k].bins; i++) {
            bine_job_bin_label(&s[k].bin[i], ranks);
            add_bin(&t, &s[k].bin[i], name, ranks);
        }
        if (s[k].bins > 1)
            add_bin(&t, &s[k].whole, name, "all");
    }
    int rc = bine_table_print(&t, BINE_FORMAT_TEXT);
    bine_table_free(&t);
    return rc;
}

int bine_job_summary_print(const struct bine_job_results *all) {
    int n = all->wish->asked.count, rc = 0;
    struct bine_job_summary *s = calloc((size_t)n, sizeof *s);
    char headline[BINE_HEADLINE];
    for (int k = 0; k < n && rc == 0; k++)
        rc = s == NULL || bine_job_summary_make(&s[k], all, k) != 0 ? bine_complain("out of memory")
                                                                    : 0;
    rc = rc != 0 ? rc : print_sizes(s, n);
    if (rc == 0)
        printf("\nBytes between groups%s%s, %zu job%s:\n",
               all->wish->baseline == NULL ? "" : " against ",
               all->wish->baseline == NULL ? "" : all->wish->baseline->name, all->log->count,
               bine_plural((int64_t)all->log->count));
    for (int k = 0; k < n && rc == 0; k++)
        printf("%s\n", bine_job_summary_headline(&s[k], headline));
    free(s);
    return rc;
}
