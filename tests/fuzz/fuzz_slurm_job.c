/* What Slurm says of a job and of addresses: a line each of nodes, tasks, distribution, size of a
 * plane, pattern, and the rest addresses. */
#include "network/address.h"
#include "network/slurm/slurm_job.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Cut the next line off a text; never NULL. */
static char *next_line(char **text) {
    char *line = *text, *end = strchr(line, '\n');
    *text = end == NULL ? line + strlen(line) : end + 1;
    if (end != NULL)
        *end = '\0';
    return line;
}

/* So that an execution is short: few digits. */
static int is_small(const char *text) {
    size_t digits = 0;
    for (const char *at = text; *at != '\0'; at++)
        digits += *at >= '0' && *at <= '9';
    return digits <= 5;
}

static void try_job(const struct bine_slurm_job *job) {
    struct bine_hosts h = {0};
    struct bine_reason why = {""};
    int rc = bine_slurm_job_hosts(job, 0, &h, &why);
    if (rc == 0 ? h.p == 0 : why.text[0] == '\0')
        abort();
    for (int r = 0; r < h.p && rc == 0; r++)
        if (h.host[r] < 0 || h.host[r] >= h.names.count)
            abort();
    bine_hosts_free(&h);
}

/* A group is a part of its address, from the beginning on. */
static void try_address(const char *address, const char *pattern) {
    for (int level = 1; level < 4; level++) {
        struct bine_group_name group;
        if (bine_address_group(address, pattern, level, &group) == 0 &&
            (group.at != address || group.length == 0 || group.length >= strlen(address)))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1), *at = text;
    memcpy(text, data, size);
    text[size] = '\0';
    struct bine_slurm_job job = {.nodes_variable = "NODES", .tasks_variable = "TASKS"};
    job.nodes = next_line(&at);
    job.tasks = next_line(&at);
    job.distribution = next_line(&at);
    job.plane = next_line(&at);
    const char *pattern = next_line(&at);
    if (is_small(job.nodes) && is_small(job.tasks))
        try_job(&job);
    bine_address_settle(at);
    try_address(at, pattern);
    try_address(at, NULL);
    free(text);
    return 0;
}
