/* bine lab: an emulated cluster on this computer. */
#include "base/words.h"
#include "cli/command.h"
#include "lab/lab.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: bine lab up [--topology T] [--leaves 4,4,4,4 | --dims 4x4] [--rate R] [--uplink R]\n"
    "       bine lab run [OPTION...] -- PROGRAM [ARGUMENT...]\n"
    "       bine lab status [--format text|csv|json]\n"
    "       bine lab down [--all]\n\n"
    "A real network on this computer: hosts in network namespaces behind links of limited rate,\n"
    "on which MPI programs run and congest. Needs no root where the kernel allows user "
    "namespaces.\n"
    "Everything is gone after 'down', or when the lab's process ends. docs/lab.md tells more.\n\n"
    "for all:\n"
    "  --name NAME         which lab (lab); any number can be up\n\n"
    "bine lab up:\n"
    "  --topology T        tree (default): leaves below one core switch; groups: a link between\n"
    "                      each two leaves; ring, torus: a switch at each host\n"
    "  --leaves 5,5,6      tree and groups: hosts of each leaf (4,4,4,4); of a tree also in pods:\n"
    "                      '(3,2),(4)', each with a switch of its own, in brackets as deep as "
    "five\n"
    "  --dims 4x4          torus: its sizes (4x4); ring: its hosts (16)\n"
    "  --rate 100mbit      of a host's link (100mbit, less where all hosts would exceed 1.6gbit)\n"
    "  --uplink 100mbit    of a link between switches (the hosts' rate)\n"
    "  --pod-uplink R      of a pod's link to the switch above it (that of the other uplinks)\n"
    "  --mpi M             openmpi (default) or mpich: for programs that do not show it\n\n"
    "bine lab run: a rank on each host, in their order, unless told otherwise. Prints to stderr\n"
    "what crossed each link. The exit code is that of the launcher; 124: the time was up.\n"
    "  -n N                only N ranks\n"
    "  --ranks-per-host K  K ranks on each host, next to each other (1)\n"
    "  --hosts H           the hosts in rank order: h[3,1,0-2], or a file with one in each line\n"
    "  --timeout SECONDS   end it after so long\n"
    "  --mpi M             openmpi or mpich, where the program does not show it\n"
    "  --preload FILE      a library for the ranks to preload\n"
    "  --level N           bine-bench --uplinks counts the uplinks of leaves (1, the default), of\n"
    "                      pods (2), ...\n"
    "  --csv FILE          the bytes as a table: uplink,from,to,bytes,packets,payload\n\n"
    "examples:\n"
    "  bine lab up --leaves 5,5,6\n"
    "  bine lab run -- bine-bench allreduce -a bine,mpi -m 1M -i 5\n"
    "  bine traffic allreduce --machine $(bine lab status --format csv | sed -n 's/.*,//;2p') \\\n"
    "      --hosts 'h[0-15]'\n"
    "  bine lab down\n";

enum { OPTION_EACH = 256, OPTION_CSV, OPTION_LEVEL, OPTION_PODS };

static const struct option options[] = {
    {"name", required_argument, NULL, 'N'},
    {"topology", required_argument, NULL, 't'},
    {"leaves", required_argument, NULL, 'l'},
    {"dims", required_argument, NULL, 'd'},
    {"rate", required_argument, NULL, 'r'},
    {"uplink", required_argument, NULL, 'u'},
    {"pod-uplink", required_argument, NULL, OPTION_PODS},
    {"mpi", required_argument, NULL, 'm'},
    {"level", required_argument, NULL, OPTION_LEVEL},
    {"ranks-per-host", required_argument, NULL, OPTION_EACH},
    {"hosts", required_argument, NULL, 'H'},
    {"timeout", required_argument, NULL, 's'},
    {"preload", required_argument, NULL, 'p'},
    {"csv", required_argument, NULL, OPTION_CSV},
    {"all", no_argument, NULL, 'a'},
    {"format", required_argument, NULL, 'f'},
    {"help", no_argument, NULL, 'h'},
    {0},
};

/* Everything that can be asked for. */
struct lab_options {
    struct bine_lab lab;
    struct bine_lab_run run;
    const char *leaves, *dims;
    int named, all;
    enum bine_format format;
};

static int read_up(int letter, struct lab_options *w) {
    switch (letter) {
    case 't':
        return bine_lab_word_topology(optarg, &w->lab.topology);
    case 'l':
        w->leaves = optarg;
        return 0;
    case 'd':
        w->dims = optarg;
        return 0;
    case 'r':
        return bine_lab_word_rate("--rate", optarg, &w->lab.rate);
    case OPTION_PODS:
        return bine_lab_word_rate("--pod-uplink", optarg, &w->lab.pods);
    default:
        return bine_lab_word_rate("--uplink", optarg, &w->lab.uplink);
    }
}

static int read_run(int letter, struct lab_options *w) {
    switch (letter) {
    case 'n':
        return bine_word_number("-n", optarg, 1, 4096, &w->run.ranks);
    case OPTION_EACH:
        return bine_word_number("--ranks-per-host", optarg, 1, 64, &w->run.each);
    case OPTION_LEVEL:
        return bine_word_number("--level", optarg, 1, 5, &w->run.level);
    case 's':
        return bine_word_number("--timeout", optarg, 1, 1000000, &w->run.timeout);
    case 'H':
        w->run.hosts = optarg;
        return 0;
    case 'p':
        w->run.preload = optarg;
        return 0;
    default:
        w->run.csv = optarg;
        return 0;
    }
}

/* Which of the four commands takes an option. */
enum { UP = 1, RUN = 2, DOWN = 4, STATUS = 8 };
static const struct action {
    const char *name;
    int bit;
} actions[] = {{"up", UP}, {"run", RUN}, {"down", DOWN}, {"status", STATUS}};
enum { ACTIONS = sizeof actions / sizeof *actions };

static int takers_of(int letter) {
    if (letter == 'N')
        return UP | RUN | DOWN | STATUS;
    if (letter == 'm')
        return UP | RUN;
    if (letter == 'a')
        return DOWN;
    if (letter == 'f')
        return STATUS;
    return letter == OPTION_PODS || (letter < 256 && strchr("tldru", letter) != NULL) ? UP : RUN;
}

static const char *name_of(int letter) {
    for (const struct option *o = options; o->name != NULL; o++)
        if (o->val == letter)
            return o->name;
    return "n";
}

static int read_option(int letter, const struct action *action, struct lab_options *w) {
    if (letter == '?')
        return BINE_EXIT_USAGE;
    if ((takers_of(letter) & action->bit) == 0)
        return bine_complain("option %s%s: 'bine lab %s' does not take it",
                             letter == 'n' ? "-" : "--", name_of(letter), action->name);
    switch (letter) {
    case 'N':
        w->named = 1;
        return bine_lab_word_name(optarg, w->lab.name);
    case 'm':
        return bine_lab_word_mpi(optarg, &w->run.mpi);
    case 'a':
        w->all = 1;
        return 0;
    case 'f':
        return bine_word_format(optarg, &w->format);
    }
    return takers_of(letter) == UP ? read_up(letter, w) : read_run(letter, w);
}

/* Sizes and rates that were not given. */
static int complete(struct lab_options *w) {
    struct bine_lab *lab = &w->lab;
    int leaves = lab->topology == BINE_LAB_TREE || lab->topology == BINE_LAB_GROUPS;
    const char *usual = leaves ? "4,4,4,4" : lab->topology == BINE_LAB_RING ? "16" : "4x4";
    if (leaves ? w->dims != NULL : w->leaves != NULL)
        return bine_complain("%s is not for topology %s: expected %s",
                             leaves ? "--dims" : "--leaves", bine_lab_topologies[lab->topology],
                             leaves ? "--leaves" : "--dims");
    const char *given = leaves ? w->leaves : w->dims, *sizes = given == NULL ? usual : given;
    if ((leaves ? bine_lab_word_leaves(sizes, lab) : bine_lab_word_dims(sizes, lab)) != 0)
        return BINE_EXIT_USAGE;
    if (lab->rate == 0)
        lab->rate = lab->hosts <= 16 ? 100000000 : 1600000000 / lab->hosts;
    if (lab->topology == BINE_LAB_GROUPS && lab->around[0] != '\0')
        return bine_complain("--leaves '%s': pods are for topology tree", sizes);
    if (lab->pods != 0 && lab->around[0] == '\0')
        return bine_complain("--pod-uplink: expected --leaves in pods, as in '(3,2),(4)'");
    if (lab->uplink == 0)
        lab->uplink = lab->rate;
    if (lab->pods == 0)
        lab->pods = lab->uplink;
    snprintf(lab->mpi, sizeof lab->mpi, "%s", w->run.mpi == NULL ? "openmpi" : w->run.mpi);
    return 0;
}

static int run_program(struct lab_options *w, int argc, char **argv) {
    struct bine_lab lab;
    if (optind == argc)
        return bine_complain("missing argument: expected 'bine lab run [OPTION...] -- PROGRAM'");
    if (bine_lab_find(&lab, w->lab.name) != 0 || lab.keeper == 0)
        return bine_complain("lab '%s' is not up: see 'bine lab up --help'", w->lab.name);
    w->run.program = argv + optind;
    return bine_lab_run(&lab, &w->run);
}

static int perform(const struct action *action, struct lab_options *w, int argc, char **argv) {
    if (action->bit == RUN)
        return run_program(w, argc, argv);
    if (optind < argc)
        return bine_complain("extra argument '%s': expected options", argv[optind]);
    switch (action->bit) {
    case UP:
        return complete(w) != 0 ? BINE_EXIT_USAGE : bine_lab_up(&w->lab);
    case DOWN:
        if (w->all && w->named)
            return bine_complain("--all with --name: expected one of them");
        return bine_lab_down(w->all ? NULL : w->lab.name);
    default:
        return bine_lab_status(w->named ? w->lab.name : NULL, w->format);
    }
}

static const struct action *find_action(const char *word) {
    const char *names[ACTIONS];
    for (int i = 0; i < ACTIONS; i++) {
        names[i] = actions[i].name;
        if (strcmp(word, names[i]) == 0)
            return &actions[i];
    }
    bine_complain_near(bine_nearest_word(word, names, ACTIONS),
                       "unknown command 'lab %s': expected up, run, down or status", word);
    return NULL;
}

int bine_command_lab(int argc, char **argv) {
    struct lab_options w = {.lab = {.name = "lab"}, .run = {.each = 1}};
    int letter, rc = 0;
    if (argc < 2)
        return bine_complain("missing argument: expected 'bine lab up|run|down|status'");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return printf("%s", help) < 0 ? BINE_EXIT_USAGE : BINE_EXIT_GOOD;
    const struct action *action = find_action(argv[1]);
    if (action == NULL)
        return BINE_EXIT_USAGE;
    argv[1] = argv[0];
    /* '+': a program's options are its own. */
    while (rc == 0 && (letter = bine_option_next(argc - 1, argv + 1, "+n:h", options)) != -1) {
        if (letter == 'h')
            return printf("%s", help) < 0 ? BINE_EXIT_USAGE : BINE_EXIT_GOOD;
        rc = read_option(letter, action, &w);
    }
    return rc != 0 ? rc : perform(action, &w, argc - 1, argv + 1);
}
