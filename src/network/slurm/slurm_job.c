#include "network/slurm/slurm_job.h"

#include "base/files.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Steps that are no programs have the last numbers: the script of a batch job, the shell of an
 * allocation, programs that ssh has started. */
static int is_in_step(void) {
    const char *id = getenv("SLURM_STEP_ID");
    return id == NULL || strtoul(id, NULL, 10) < 0xfffffff0u;
}

/* The first of some variables that is set. */
static const char *first_set(const char *const *names, size_t n, const char **name) {
    for (size_t i = 0; i < n; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && *value != '\0') {
            *name = names[i];
            return value;
        }
    }
    *name = NULL;
    return NULL;
}

void bine_slurm_job_find(struct bine_slurm_job *job) {
    static const char *const nodes[] = {"SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST",
                                        "SLURM_NODELIST"};
    static const char *const tasks[] = {"SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE"};
    size_t skip = is_in_step() ? 0 : 1;
    *job = (struct bine_slurm_job){.distribution = getenv("SLURM_DISTRIBUTION"),
                                   .plane = getenv("SLURM_DIST_PLANESIZE"),
                                   .host_file = getenv("SLURM_HOSTFILE")};
    job->nodes = first_set(nodes + skip, 3 - skip, &job->nodes_variable);
    job->tasks = first_set(tasks + skip, 2 - skip, &job->tasks_variable);
}

/* One item of the tasks, 4 or 4(x2): 0, or -1. */
static int parse_tasks(const struct bine_word *item, long *tasks, long *nodes) {
    const char *open = memchr(item->at, '(', item->length);
    struct bine_word count = {item->at, open == NULL ? item->length : (size_t)(open - item->at)};
    size_t left = item->length - count.length;
    *nodes = 1;
    if (bine_word_count(&count, 0, BINE_HOSTS_MOST, tasks) != 0)
        return -1;
    if (left == 0)
        return 0;
    struct bine_word times = {open + 2, left < 4 ? 0 : left - 3};
    return open[1] == 'x' && item->at[item->length - 1] == ')'
               ? bine_word_count(&times, 1, BINE_HOSTS_MOST, nodes)
               : -1;
}

/* How many tasks each of n nodes has: 0, or -1. */
static int read_tasks(const char *text, int n, long *tasks, long *sum) {
    int node = 0;
    *sum = 0;
    for (const char *at = text;; at++) {
        struct bine_word item = {at, strcspn(at, ",")};
        long each, nodes;
        if (parse_tasks(&item, &each, &nodes) != 0 || nodes > n - node ||
            each * nodes > BINE_HOSTS_MOST - *sum)
            return -1;
        *sum += each * nodes;
        for (; nodes > 0; nodes--)
            tasks[node++] = each;
        at += item.length;
        if (*at == '\0')
            return node == n && *sum > 0 ? 0 : -1;
    }
}

/* How many tasks in a row a node gets, before the next one has its turn; 0: not known. */
static long tasks_in_a_row(const struct bine_slurm_job *job) {
    const char *d = job->distribution == NULL ? "block" : job->distribution;
    struct bine_word kind = {d, strcspn(d, ":,=")};
    const char *size = d[kind.length] == '=' ? d + kind.length + 1 : job->plane;
    long n;
    if (bine_word_is(&kind, "block") || bine_word_is(&kind, "pack") ||
        bine_word_is(&kind, "nopack") || bine_word_is(&kind, "unknown") || bine_word_is(&kind, "*"))
        return BINE_HOSTS_MOST;
    if (bine_word_is(&kind, "cyclic"))
        return 1;
    if (!bine_word_is(&kind, "plane") || size == NULL)
        return 0;
    struct bine_word word = {size, strcspn(size, ":,")};
    return bine_word_count(&word, 1, BINE_HOSTS_MOST, &n) == 0 ? n : 0;
}

static int deal_out(struct bine_hosts *h, long *tasks, long sum, long row,
                    struct bine_reason *why) {
    int nodes = h->names.count;
    for (int i = 0; sum > 0; i = (i + 1) % nodes)
        for (long k = 0; k < row && tasks[i] > 0; k++, tasks[i]--, sum--)
            if (bine_hosts_append(h, i) != 0)
                return bine_reason_memory(why);
    return 0;
}

/* An order of one's own is in a file. */
static int read_host_file(const struct bine_slurm_job *job, struct bine_hosts *h, long sum,
                          struct bine_reason *why) {
    size_t size;
    char *text = job->host_file == NULL ? NULL : bine_file_text(job->host_file, &size);
    if (text == NULL)
        return bine_reason_set(why,
                               "SLURM_DISTRIBUTION=arbitrary: the order of ranks is in "
                               "SLURM_HOSTFILE (%.100s), which cannot be read: expected --hosts",
                               job->host_file == NULL ? "not set" : job->host_file);
    int rc = bine_hosts_read(h, text, size, job->host_file, BINE_HOSTS_MOST, why);
    free(text);
    if (rc == 0 && h->p != sum)
        rc = bine_reason_set(why, "SLURM_HOSTFILE=%.100s: %d ranks, but %s has %ld", job->host_file,
                             h->p, job->tasks_variable, sum);
    return rc;
}

/* The nodes are in the table, each with one rank: now the ranks as they are. */
static int place_tasks(const struct bine_slurm_job *job, struct bine_hosts *h,
                       struct bine_reason *why) {
    long *tasks = malloc((size_t)h->names.count * sizeof *tasks), sum;
    long row = tasks_in_a_row(job);
    int rc = 0, nodes = h->names.count;
    if (tasks == NULL)
        return bine_reason_memory(why);
    h->p = 0;
    if (read_tasks(job->tasks, nodes, tasks, &sum) != 0)
        rc = bine_reason_set(why, "%s=%.60s: expected the tasks of %d nodes, as in 4(x2),3",
                             job->tasks_variable, job->tasks, nodes);
    else if (row > 0)
        rc = deal_out(h, tasks, sum, row, why);
    else if (strncmp(job->distribution, "arbitrary", 9) == 0)
        rc = read_host_file(job, h, sum, why);
    else
        rc = bine_reason_set(why,
                             "SLURM_DISTRIBUTION=%.60s: expected block, cyclic, plane or "
                             "arbitrary; --hosts says where ranks are",
                             job->distribution);
    free(tasks);
    return rc;
}

int bine_slurm_job_hosts(const struct bine_slurm_job *job, int one_each, struct bine_hosts *h,
                         struct bine_reason *why) {
    struct bine_reason list;
    if (bine_hosts_add(h, job->nodes, strlen(job->nodes), BINE_HOSTS_MOST, &list) != 0)
        return bine_reason_set(why, "%s=%.100s: %.200s", job->nodes_variable, job->nodes,
                               list.text);
    return one_each || job->tasks == NULL ? 0 : place_tasks(job, h, why);
}
