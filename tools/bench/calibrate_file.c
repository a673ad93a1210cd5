#include "bench/calibrate.h"

#include "base/files.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/options/machines.h"
#include "cli/output/output_file.h"

#include <stdlib.h>
#include <string.h>

/* A line of the machine file. */
struct line {
    const char *key;
    double value; /* 0: not found out */
    int whole;    /* bytes, not a rate */
};
enum { LINES = 11 };

static void fill(const struct calibration *c, struct line line[LINES]) {
    long nics = c->machine != NULL && c->machine->nics > 0 ? c->machine->nics : 1;
    const struct line all[LINES] = {{"latency-node-us", 1e6 * c->latency_node, 0},
                                    {"latency-us", 1e6 * c->latency_near, 0},
                                    {"latency-global-us", 1e6 * c->latency_far, 0},
                                    {"message-us", 1e6 * c->message, 0},
                                    {"nic-gbits", 8e-9 * c->rate / (double)nics, 0},
                                    {"uplink-gbits", 8e-9 * c->uplink, 0},
                                    {"copy-gbytes", 1e-9 * c->copy, 0},
                                    {"reduce-gbytes", 1e-9 * c->reduce, 0},
                                    {"eager", c->eager, 1},
                                    {"nic-burst", c->nic_burst, 1},
                                    {"uplink-burst", c->uplink_burst, 1}};
    memcpy(line, all, sizeof all);
}

static void write_rates(FILE *f, const struct calibration *c) {
    struct line line[LINES];
    fill(c, line);
    if (c->uplink > 0 && !c->tapered)
        fprintf(f, "# groups are not slower than their nodes: uplink-gbits is at least this\n");
    for (size_t i = 0; i < LINES; i++)
        if (line[i].value > 0)
            fprintf(f, line[i].whole ? "%s %.0f\n" : "%s %.4g\n", line[i].key, line[i].value);
}

/* Groups without a machine: those of the ranks. */
static void write_own_groups(FILE *f, const struct calibration *c) {
    for (int g = 0; g < c->groups; g++) {
        const char *comma = "";
        fprintf(f, "group group%d ", g);
        for (int r = 0; r < c->p; r++)
            if (c->group[r] == g && c->node[r] == r) {
                fprintf(f, "%s%s", comma, c->host + (size_t)r * NAME);
                comma = ",";
            }
        fprintf(f, "\n");
    }
}

/* All groups of the machine, with all their hosts. 0, or -1 when out of memory. */
static int write_all_groups(FILE *f, const struct bine_machine *m) {
    int32_t *number = malloc(((size_t)m->hosts.count + 1) * sizeof *number);
    int good = number != NULL;
    for (int g = 0; g < m->groups.count && good; g++) {
        size_t n = 0;
        for (int i = 0; i < m->hosts.count; i++)
            if (m->group[i] == g)
                number[n++] = i;
        char *list = bine_hostlist_fold(&m->hosts, number, n);
        good = list != NULL;
        if (good && n > 0)
            fprintf(f, "group %s %s\n", bine_names_text(&m->groups, g), list);
        free(list);
    }
    free(number);
    return good ? 0 : -1;
}

static int is_measured(const struct calibration *c, const struct bine_word *word) {
    struct line line[LINES];
    fill(c, line);
    for (size_t i = 0; i < LINES; i++)
        if (line[i].value > 0 && bine_word_is(word, line[i].key))
            return 1;
    return 0;
}

/* Whether the description is a machine file of Bine's, which has a name; not one of Slurm's, nor a
 * map. */
static int is_machine_file(const struct calibration *c) {
    struct bine_text t = bine_text_open(c->text, c->size);
    struct bine_word line, word;
    while (bine_text_line(&t, &line))
        if (bine_text_word(&line, &word) && bine_word_is(&word, "name"))
            return 1;
    return 0;
}

/* The description as it is, without the lines that were measured anew, and these. */
static void write_merged(FILE *f, const struct calibration *c) {
    for (const char *at = c->text; *at != '\0';) {
        size_t length = strcspn(at, "\n");
        struct bine_text t = bine_text_open(at, length);
        struct bine_word line, word;
        int old =
            bine_text_line(&t, &line) && bine_text_word(&line, &word) && is_measured(c, &word);
        if (!old)
            fprintf(f, "%.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
}

static int write_text(FILE *f, const struct calibration *c) {
    const struct bine_machine *m = c->machine;
    int rc = 0, merged = m != NULL && is_machine_file(c);
    if (merged)
        write_merged(f, c);
    fprintf(f, "# measured by bine-bench --calibrate with %d ranks on %d nodes\n", c->p, c->nodes);
    if (!merged)
        fprintf(f, "name %s\ntopology fat-tree\nnodes %ld\ngroups %ld\nnics 1\n",
                m != NULL ? m->name : "calibrated", m != NULL ? bine_machine_nodes(m) : c->nodes,
                m != NULL ? bine_machine_groups(m) : c->groups);
    write_rates(f, c);
    if (m == NULL)
        write_own_groups(f, c);
    else if (!merged)
        rc = write_all_groups(f, m);
    return rc;
}

static void say(const struct calibration *c, const char *path) {
    long nodes = c->machine != NULL ? bine_machine_nodes(c->machine) : c->nodes;
    long groups = c->machine != NULL ? bine_machine_groups(c->machine) : c->groups;
    printf("measured on %d of %ld nodes, in %d of %ld groups:\n", c->nodes, nodes, c->groups,
           groups);
    write_rates(stdout, c);
    if (c->groups == 1)
        printf("not measured: latency and rate between groups, because all ranks are in one\n");
    printf("written to %s\n", path);
}

int bench_calibration_write(const struct calibration *c, const struct bench_wish *w) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    int bad = f == NULL || write_text(f, c) != 0;
    bad |= f != NULL && fclose(f) != 0;
    int error = bad ? 0 : bine_output_file_write(w->calibrate, text, size);
    free(text);
    if (bad)
        return bine_complain("out of memory");
    if (error != 0)
        return bine_complain("--calibrate %s: %s", w->calibrate, strerror(error));
    say(c, w->calibrate);
    return 0;
}

/* Groups by number, in the order in which ranks meet them. 0 or an exit code, on rank 0. */
static int find_groups(struct calibration *c) {
    struct bine_names names = {0};
    int rc = 0;
    for (int r = 0; r < c->p && rc == 0; r++) {
        const char *host = c->host + (size_t)r * NAME;
        struct bine_group_name group;
        int node;
        if (bine_machine_find(c->machine, host, &group, &node) != 0)
            rc = bine_complain("--machine: host '%.60s' is not of machine '%s'", host,
                               c->machine->name);
        else if ((c->group[r] = bine_names_add(&names, group.at, group.length)) < 0)
            rc = bine_complain("out of memory");
    }
    c->groups = names.count;
    bine_names_free(&names);
    return rc;
}

static int load(struct calibration *c, const char *machine) {
    char *known = bine_machine_path(machine);
    c->text = bine_file_text(known != NULL ? known : machine, &c->size);
    free(known);
    c->machine = bine_machine_load(machine, 1);
    if (c->machine == NULL)
        return BINE_EXIT_USAGE;
    if (c->text == NULL || c->machine->topology == BINE_TORUS ||
        c->machine->topology == BINE_ADDRESSES)
        return bine_complain("--machine %s: expected a description with groups of hosts", machine);
    return find_groups(c);
}

int bench_calibration_machine(struct calibration *c, const char *machine) {
    int rc = c->rank == 0 ? load(c, machine) : 0;
    MPI_Bcast(&rc, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&c->groups, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(c->group, c->p, MPI_INT32_T, 0, MPI_COMM_WORLD);
    return rc;
}
