/* bine info: what this is, and every setting. */
#include "base/files.h"
#include "cli/command.h"
#include "cli/libraries.h"
#include "cli/options/option_table.h"
#include "cli/output/table.h"
#include "network/origin.h"
#include "network/slurm/slurm_job.h"
#include "select/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

static const char help[] =
    "usage: bine info [--markdown|--conf] [--format text|csv|json]\n\n"
    "The version, the MPI libraries it was built for, where its libraries are, and every setting\n"
    "with its value and where that comes from: the environment, a file and line, or built in.\n"
    "In a Slurm job: what Slurm has told of it, and where the groups come from.\n"
    "Unknown settings get a complaint, as in MPI programs.\n\n"
    "options:\n"
    "  --markdown  the settings as a page: docs/settings.md\n"
    "  --conf      a bine.conf to begin with: every setting as a comment, with its meaning\n"
    "  --format F  text (default), csv or json\n"
    "  --help      this page\n\n"
    "examples:\n"
    "  bine info\n"
    "  BINE_ALLREDUCE=ring bine info --format csv\n"
    "  bine info --conf > /etc/bine/bine.conf\n";

static const struct bine_column columns[] = {
    {"what", BINE_COLUMN_WORDS},
    {"name", BINE_COLUMN_WORDS},
    {"value", BINE_COLUMN_WORDS},
    {"from", BINE_COLUMN_WORDS},
};

static void add(struct bine_table *t, const char *what, const char *name, const char *value,
                const char *from) {
    bine_table_add(t, "%s", what);
    bine_table_add(t, "%s", name);
    bine_table_add(t, "%s", value);
    bine_table_add(t, "%s", from);
}

static void add_library(struct bine_table *t, const char *what, const char *name,
                        const char *version, const char *file) {
    char path[BINE_PATH_ROOM];
    int found = bine_library_path(file, path) == 0;
    add(t, what, name, version, found ? path : "not found");
}

static void add_build(struct bine_table *t) {
    char file[64];
    add(t, "version", "bine", BINE_VERSION, "built in");
    for (const struct bine_mpi_build *m = bine_mpi_builds; m->name != NULL; m++) {
        snprintf(file, sizeof file, "libbine-%s.so", m->name);
        add_library(t, "mpi", m->name, m->version, file);
    }
    add_library(t, "feature", "drop-in", "yes", "libbine-preload.so");
#ifdef __SANITIZE_ADDRESS__
    add(t, "feature", "sanitizers", "yes", "built in");
#else
    add(t, "feature", "sanitizers", "no", "built in");
#endif
}

/* What a variable of Slurm's says, if it is there. */
static void add_variable(struct bine_table *t, const char *name, const char *value,
                         const char *variable) {
    if (value != NULL)
        add(t, "slurm", name, value, variable);
}

/* The ranks of the job or step, as the tools take them: "8 ranks on 4 nodes: n1*2,n2*2". */
static void add_ranks(struct bine_table *t, const struct bine_slurm_job *job) {
    struct bine_hosts h = {0};
    struct bine_reason why;
    char text[64];
    if (bine_slurm_job_hosts(job, 0, &h, &why) != 0) {
        add(t, "slurm", "ranks", "not known", why.text);
    } else {
        snprintf(text, sizeof text, "%d on %d node%s", h.p, h.names.count,
                 h.names.count == 1 ? "" : "s");
        add(t, "slurm", "ranks", text, job->nodes_variable);
    }
    bine_hosts_free(&h);
}

/* What Slurm has told of the job that this runs in, and what is made of it. */
static void add_slurm(struct bine_table *t) {
    struct bine_slurm_job job;
    struct utsname here = {0};
    char origin[BINE_GROUPS_ORIGIN];
    bine_slurm_job_find(&job);
    if (job.nodes == NULL && getenv("SLURM_TOPOLOGY_ADDR") == NULL)
        return;
    add_variable(t, "nodes", job.nodes, job.nodes_variable);
    add_variable(t, "tasks of each node", job.tasks, job.tasks_variable);
    add_variable(t, "distribution", job.distribution, "SLURM_DISTRIBUTION");
    if (job.nodes != NULL)
        add_ranks(t, &job);
    add_variable(t, "this node", getenv("SLURMD_NODENAME"), "SLURMD_NODENAME");
    add_variable(t, "its address", getenv("SLURM_TOPOLOGY_ADDR"), "SLURM_TOPOLOGY_ADDR");
    add_variable(t, "parts of addresses", getenv("SLURM_TOPOLOGY_ADDR_PATTERN"),
                 "SLURM_TOPOLOGY_ADDR_PATTERN");
    uname(&here);
    add(t, "slurm", "groups",
        bine_groups_origin(bine_setting_value(BINE_SETTING_GROUPS, NULL),
                           bine_setting_value(BINE_SETTING_MACHINE, NULL), here.nodename, origin),
        "");
}

static int print_info(enum bine_format format) {
    struct bine_table t = {.column = columns, .columns = sizeof columns / sizeof *columns};
    char origin[BINE_ORIGIN_TEXT];
    add_build(&t);
    add_slurm(&t);
    for (int k = 0; k < BINE_SETTINGS; k++) {
        const char *value = bine_setting_value(k, origin);
        add(&t, "setting", bine_setting_table[k].name, value, origin);
    }
    int rc = bine_table_print(&t, format);
    bine_table_free(&t);
    return rc;
}

static int print_markdown(void) {
    printf("# Settings\n"
           "\n"
           "`bine info` prints every setting with its value and where it comes from. In the order "
           "of precedence: the environment;\n"
           "the file that `BINE_CONFIG` names; `~/.config/bine/bine.conf`; the system's "
           "`etc/bine/bine.conf` under the prefix; built\n"
           "in. In files, a line is `NAME = VALUE`, empty, or a comment (`#`).\n"
           "\n"
           "A setting that cannot be followed (a wrong value, a name that does not exist, an "
           "algorithm that does not serve a call)\n"
           "counts as not set, and one line on stderr says so. Rank 0 of `MPI_COMM_WORLD` prints "
           "it, or rank 0 of the communicator\n"
           "if the other is not in it. The ranks of a communicator compare their settings when it "
           "is first used: a mistake that only\n"
           "some of them make is printed with the rank and the host of one of them.\n"
           "\n"
           "All ranks of a communicator must have the same settings. If they differ, its calls are "
           "forwarded to MPI, and a warning\n"
           "names one rank and one setting. If some ranks do not know their group, no rank uses "
           "groups, "
           "and a warning says so.\n"
           "\n"
           "This page is what `bine info --markdown` prints.\n\n"
           "| setting | takes | built in | meaning |\n|---|---|---|---|\n");
    for (int k = 0; k < BINE_SETTINGS; k++) {
        const struct bine_setting *s = &bine_setting_table[k];
        int none = s->value[0] == '\0';
        printf("| `%s` | %s | %s%s%s | %s |\n", s->name, s->takes, none ? "" : "`", s->value,
               none ? "" : "`", s->meaning);
    }
    return BINE_EXIT_GOOD;
}

/* Text as comments of at most this many columns. */
enum { CONF_COLUMNS = 100 };
static void print_comment(const char *text) {
    int column = 0;
    while (*text != '\0') {
        int length = (int)strcspn(text, " ");
        if (column > 0 && column + length + 1 > CONF_COLUMNS) {
            printf("\n");
            column = 0;
        }
        column += printf(column == 0 ? "# %.*s" : " %.*s", length, text);
        text += length + (text[length] == ' ');
    }
    printf("\n");
}

/* The settings of a file; BINE_CONFIG names it and is none of them. */
static int print_conf(void) {
    printf("# Settings of Bine %s: NAME = VALUE. The environment goes before this file.\n"
           "# Take the # away from a line to set it; the value shown is the built-in one.\n",
           BINE_VERSION);
    for (int k = 0; k < BINE_SETTINGS; k++) {
        const struct bine_setting *s = &bine_setting_table[k];
        if (k == BINE_SETTING_CONFIG)
            continue;
        printf("\n");
        print_comment(s->meaning);
        printf("# (%s)\n#%s = %s\n", s->takes, s->name, s->value);
    }
    return BINE_EXIT_GOOD;
}

static void complain(void *unused, const char *text) {
    (void)unused;
    bine_complain("%s", text);
}

static int run(enum bine_format format, int markdown) {
    struct bine_settings s;
    if (markdown)
        return print_markdown();
    bine_settings_check_names(complain, NULL);
    bine_settings_read(&s, complain, NULL);
    return print_info(format);
}

int bine_command_info(int argc, char **argv) {
    enum bine_format format = BINE_FORMAT_TEXT;
    int markdown = 0, conf = 0;
    const struct bine_option rows[] = {
        {.name = "markdown", .read = bine_take_flag, .to = &markdown},
        {.name = "conf", .read = bine_take_flag, .to = &conf},
        {.name = "format", .read = bine_take_format, .to = &format},
        {0}};
    int rc = bine_options_read(argc, argv, rows);
    if (rc != 0)
        return rc == BINE_OPTIONS_HELP ? bine_options_help(help) : rc;
    if (bine_arguments_count(argc, argv, 0, 0, "[--markdown|--conf]") != 0)
        return BINE_EXIT_USAGE;
    if (conf && markdown)
        return bine_complain("--conf with --markdown: expected one of them");
    return conf ? print_conf() : run(format, markdown);
}
