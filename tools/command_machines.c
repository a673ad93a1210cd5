/* bine machines: the machine descriptions that are known, or one in full. */
#include "cli/command.h"
#include "cli/options/machines.h"
#include "cli/options/option_table.h"
#include "cli/output/table.h"
#include "machines_merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: bine machines [NAME|FILE] [--level N] [--format text|csv|json]\n"
    "       bine machines --merge FILE FILE... -o OUT\n\n"
    "The machine descriptions that are known, or one in full: its groups and their hosts.\n"
    "Descriptions are files: those installed with the program, those in the folders of the\n"
    "environment variable BINE_MACHINES (separated by colons), and any file that you name:\n"
    "a machine file, a map (.map), Slurm's topology.conf or topology.yaml. docs/traffic.md\n"
    "describes the formats.\n\n"
    "options:\n"
    "  --level N   the groups of this level: 1 (default) the leaf switches of Slurm's files, 2 "
    "the\n"
    "              switches above them, or larger groups of a machine file, ...\n"
    "  --merge     several calibrations of one machine (bine-bench --calibrate) as one "
    "description:\n"
    "              the median of each speed\n"
    "  -o OUT      of --merge: the machine file\n"
    "  --format F  text (default), csv or json\n"
    "  --help      this page\n\n"
    "examples:\n"
    "  bine machines\n"
    "  bine machines leonardo\n"
    "  bine machines /etc/slurm/topology.conf --level 2\n";

static const struct bine_column list_columns[] = {
    {"name", BINE_COLUMN_WORDS},   {"topology", BINE_COLUMN_WORDS},
    {"nodes", BINE_COLUMN_NUMBER}, {"groups", BINE_COLUMN_NUMBER},
    {"nics", BINE_COLUMN_NUMBER},  {"nic_gbits", BINE_COLUMN_NUMBER},
    {"about", BINE_COLUMN_WORDS},
};

static const struct bine_column group_columns[] = {
    {"group", BINE_COLUMN_WORDS},
    {"nodes", BINE_COLUMN_NUMBER},
    {"hosts", BINE_COLUMN_WORDS},
};

/* By the name that finds it, whatever the file calls itself. */
static void add_machine(struct bine_table *t, const char *name, const struct bine_machine *m) {
    bine_table_add(t, "%s", name);
    bine_table_add(t, "%s", bine_topology_name(m->topology));
    bine_table_add(t, "%ld", bine_machine_nodes(m));
    bine_table_add(t, "%ld", bine_machine_groups(m));
    if (m->nics > 0)
        bine_table_add(t, "%ld", m->nics);
    else
        bine_table_add(t, "%s", "");
    if (m->nic_gbits > 0)
        bine_table_add(t, "%g", m->nic_gbits);
    else
        bine_table_add(t, "%s", "");
    bine_table_add(t, "%s", m->about == NULL ? "" : m->about);
}

static int list_all(enum bine_format format) {
    struct bine_table t = {.column = list_columns,
                           .columns = sizeof list_columns / sizeof *list_columns};
    struct bine_names names = {0};
    int rc = bine_machine_list(&names), bad = 0;
    for (int i = 0; rc == 0 && i < names.count; i++) {
        const char *name = bine_names_text(&names, i);
        struct bine_machine *m = bine_machine_load(name, 1);
        if (m == NULL) /* and it was complained of; the others can be used */
            bad = BINE_EXIT_USAGE;
        else
            add_machine(&t, name, m);
        bine_machine_free(m);
    }
    if (rc == 0)
        rc = bine_table_print(&t, format);
    rc = rc == 0 ? bad : rc;
    bine_table_free(&t);
    bine_names_free(&names);
    return rc;
}

static void print_facts(const struct bine_machine *m) {
    printf("%s: %s\n", m->name, m->about == NULL ? bine_topology_name(m->topology) : m->about);
    printf("topology          %s", bine_topology_name(m->topology));
    for (int d = 0; d < m->shape.dims; d++)
        printf("%s%d", d == 0 ? ", " : "x", m->shape.size[d]);
    printf("\nnodes             %ld\n", bine_machine_nodes(m));
    if (m->topology != BINE_TORUS)
        printf("groups            %ld\n", bine_machine_groups(m));
    for (int k = 0; k < m->wider; k++) {
        const struct bine_wider *w = &m->above[k];
        printf("level %d           %ld%s%s\n", k + 2,
               w->declared > 0 ? w->declared : (long)w->groups.count, w->name != NULL ? ", " : "",
               w->name != NULL ? w->name : "");
    }
    if (m->nics > 0 && m->nic_gbits > 0)
        printf("NICs of a node    %ld x %g Gbit/s\n", m->nics, m->nic_gbits);
    if (m->oversubscription > 0)
        printf("oversubscription  %g:1\n", m->oversubscription);
    if (m->pattern != NULL)
        printf("hosts             %s\n", m->pattern);
}

/* The hosts of one group as a list. */
static void add_group(struct bine_table *t, const struct bine_machine *m, int group,
                      int32_t *room) {
    size_t n = 0;
    for (int h = 0; h < m->hosts.count; h++)
        if (m->group == NULL || m->group[h] == group)
            room[n++] = h;
    char *list = bine_hostlist_fold(&m->hosts, room, n);
    bine_table_add(t, "%s", m->group == NULL ? "(torus)" : bine_names_text(&m->groups, group));
    bine_table_add(t, "%zu", n);
    bine_table_add(t, "%s", list == NULL ? "" : list);
    t->failed |= list == NULL;
    free(list);
}

static int print_one(const char *word, int level, enum bine_format format) {
    struct bine_table t = {.column = group_columns,
                           .columns = sizeof group_columns / sizeof *group_columns};
    struct bine_machine *m = bine_machine_load(word, level);
    if (m == NULL)
        return BINE_EXIT_USAGE;
    int32_t *room = malloc(((size_t)m->hosts.count + 1) * sizeof *room);
    /* A torus has too many groups to list: every node is one. */
    for (int g = 0; g < m->groups.count && room != NULL; g++)
        add_group(&t, m, g, room);
    t.failed |= room == NULL;
    free(room);
    if (format == BINE_FORMAT_TEXT)
        print_facts(m);
    int rc = 0;
    if (format != BINE_FORMAT_TEXT || t.cells > 0) {
        printf("%s", format == BINE_FORMAT_TEXT ? "\n" : "");
        rc = bine_table_print(&t, format);
    }
    bine_table_free(&t);
    bine_machine_free(m);
    return rc;
}

int bine_command_machines(int argc, char **argv) {
    enum bine_format format = BINE_FORMAT_TEXT;
    long level = 0;
    int merge = 0;
    const char *output = NULL;
    const struct bine_option rows[] = {
        {.name = "level", .read = bine_take_long, .to = &level, .low = 1, .high = 64},
        {.name = "merge", .read = bine_take_flag, .to = &merge},
        {.name = "output", .letter = 'o', .read = bine_take_word, .to = &output},
        {.name = "format", .read = bine_take_format, .to = &format},
        {0}};
    int rc = bine_options_read(argc, argv, rows);
    if (rc != 0)
        return rc == BINE_OPTIONS_HELP ? bine_options_help(help) : rc;
    if (merge != (output != NULL))
        return bine_complain("expected --merge and -o OUT together");
    if (merge)
        return bine_machines_merge(argc - optind, argv + optind, output);
    if (bine_arguments_count(argc, argv, 0, 1, "[NAME|FILE]") != 0)
        return BINE_EXIT_USAGE;
    return optind == argc ? list_all(format) : print_one(argv[optind], (int)level, format);
}
