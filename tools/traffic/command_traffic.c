/* bine traffic: how many bytes cross group boundaries. */
#include "traffic/command_traffic.h"
#include "base/words.h"
#include "cli/command.h"
#include "cli/options/bytes.h"
#include "cli/options/shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: bine traffic COLLECTIVE [ALGORITHM...] --machine M [--hosts FILE|HOSTLIST] "
    "[OPTION...]\n"
    "       bine traffic COLLECTIVE [ALGORITHM...] --groups 5,5,6|FILE [OPTION...]\n"
    "       bine traffic COLLECTIVE [ALGORITHM...] --dims 4x4x8 [OPTION...]\n"
    "       bine traffic COLLECTIVE ALGORITHM... --machine M --jobs DIR|TARBALL [--report "
    "F.html]\n"
    "       bine traffic --machine M --jobs DIR|TARBALL --predict PROFILE\n\n"
    "The bytes that a collective sends between groups of the network: Dragonfly groups, subtrees\n"
    "of a fat tree, leaf switches. Counted from the schedules, and compared with a baseline and\n"
    "with the least that any algorithm could do with. Without ALGORITHM, or with 'all': every\n"
    "algorithm that takes this number of ranks.\n\n"
    "where the ranks are:\n"
    "  --machine M    a machine that 'bine machines' lists, or the file of one (a machine file, a\n"
    "                 map, Slurm's topology.conf or topology.yaml); 'addresses': hosts are "
    "written\n"
    "                 as in SLURM_TOPOLOGY_ADDR, switch.switch.host\n"
    "  --hosts H      a file, one host a line in the order of ranks, or a list: n[001-128,200].\n"
    "                 Several ranks on a host: n[1-4]*2, 'n1 slots=2' in a file, or the host\n"
    "                 again. Inside a Slurm job it may be left out\n"
    "  --ranks-per-node K  on each host; default 1, or what Slurm says\n"
    "  --level N      one level alone: groups are the leaf switches (1), the switches above them\n"
    "                 (2), ...; default: groups of level 1, and all larger ones\n"
    "  --groups G     sizes of groups, in rank order, those of a larger group in brackets: 5,5,6\n"
    "                 or '(3,2),(4)'; or a file with a group name for each rank\n"
    "  --dims D       a torus, ranks in row-major order; every node is a group\n"
    "  --reorder R    off (default), hostname or group: sort the ranks first\n\n"
    "what to count:\n"
    "  --bytes N      the vector: 4096, 64K, 1M, 2G; default 1G\n"
    "  --root R       default 0\n"
    "  --baseline A   the algorithm to compare with\n"
    "  --ports N      of torus algorithms: parts of the vector that travel at once; default 1\n"
    "  --layout L     default: what each algorithm prefers\n"
    "  --pairs        bytes from each group to each other one\n"
    "  --busiest      the most bytes out of or into a group, and from one to another, and the\n"
    "                 least that the busiest link must carry\n"
    "  --levels       the bytes between nodes, groups and larger groups, and the busiest uplink "
    "of\n"
    "                 each level, each with the least possible\n"
    "  --links        on a torus: hops, and the load of the busiest link\n\n"
    "many jobs:\n"
    "  --jobs J       a folder or a tarball of host files, one for each job; or what\n"
    "                 'sacct -P -o JobID,NodeList' prints, or Slurm's log of completed jobs\n"
    "  --report F     an HTML page with box plots, a scatter plot and tables; needs --baseline "
    "and\n"
    "                 gnuplot. The sources of the plots are written beside it\n"
    "  --workers N    processes; default: one for each core\n"
    "  --predict F    instead of bytes, time: had each job been the program that BINE_PROFILE\n"
    "                 recorded in F, how long would its collectives have taken? With --busy,\n"
    "                 --scale, --parts and --mpi as in 'bine predict --profile'\n\n"
    "  --format F     text (default), csv or json\n"
    "  --help         this page\n\n"
    "examples:\n"
    "  bine traffic bcast --groups 2,2,2,2 --baseline binomial-near\n"
    "  bine traffic allreduce --machine leonardo --hosts 'lrdn[0001-0100,0900-0927]'\n"
    "  bine traffic allgather bine-group --groups '(4,4,4),(4)' --levels\n"
    "  bine traffic allreduce bine-large --machine leonardo --jobs jobs.tar.gz \\\n"
    "      --baseline rabenseifner --report traffic.html\n";

static int read_reorder(const char *word, enum bine_reorder *reorder) {
    static const char *const names[] = {"off", "hostname", "group"};
    for (int i = 0; i < 3; i++)
        if (strcmp(word, names[i]) == 0) {
            *reorder = (enum bine_reorder)i;
            return 0;
        }
    return bine_complain_near(bine_nearest_word(word, names, 3),
                              "unknown order '%s': expected off, hostname or group", word);
}

static int take_reorder(const struct bine_option *o, const char *word) {
    return read_reorder(word, o->to);
}

/* The baseline's name can only be looked up when the collective is known. */
static int read_options(int argc, char **argv, struct bine_traffic_wish *w, const char **baseline) {
    const struct bine_option rows[] = {
        BINE_PLACE_OPTIONS(&w->where),
        BINE_LEVEL_OPTION(&w->where),
        {.name = "jobs", .read = bine_take_word, .to = &w->jobs},
        {.name = "report", .read = bine_take_word, .to = &w->report},
        {.name = "root", .read = bine_take_int, .to = &w->root, .high = BINE_RANKS_MOST - 1},
        {.name = "bytes", .read = bine_take_bytes, .to = &w->bytes, .high = INT64_MAX},
        {.name = "baseline", .read = bine_take_word, .to = baseline},
        {.name = "reorder", .read = take_reorder, .to = &w->where.reorder},
        {.name = "layout", .read = bine_take_layout, .to = &w->layout},
        {.name = "workers", .read = bine_take_int, .to = &w->workers, .low = 1, .high = 1024},
        {.name = "pairs", .read = bine_take_flag, .to = &w->pairs},
        {.name = "busiest", .read = bine_take_flag, .to = &w->busiest},
        {.name = "levels", .read = bine_take_flag, .to = &w->levels},
        {.name = "links", .read = bine_take_flag, .to = &w->links},
        {.name = "format", .read = bine_take_format, .to = &w->format},
        {.name = "ports", .read = bine_take_ports, .to = &w->ports},
        {0}};
    return bine_options_read(argc, argv, rows);
}

static int check(const struct bine_traffic_wish *w) {
    const struct bine_place_words *where = &w->where;
    int torus = where->machine != NULL && where->dims != NULL;
    if (where->machine == NULL && where->groups == NULL && where->dims == NULL)
        return bine_complain("where are the ranks? expected --machine, --groups or --dims");
    if (where->groups != NULL && where->dims != NULL)
        return bine_complain("--groups with --dims: expected one of them");
    if (bine_place_check(where) != 0)
        return BINE_EXIT_USAGE;
    if (w->jobs != NULL && (w->where.machine == NULL || w->where.hosts != NULL || torus))
        return bine_complain("--jobs: expected --machine, and neither --hosts nor --dims");
    if (w->jobs != NULL && (w->pairs || w->links || w->busiest || w->levels))
        return bine_complain("--pairs, --busiest, --levels and --links are for a single job");
    if (w->pairs + w->links + w->busiest + w->levels > 1)
        return bine_complain("--pairs, --busiest, --levels, --links: expected one of them");
    if (w->levels && w->baseline != NULL)
        return bine_complain("--baseline with --levels: expected one of them");
    if (w->report != NULL && (w->jobs == NULL || w->baseline == NULL))
        return bine_complain("--report: expected --jobs and --baseline with it");
    if (w->where.reorder == BINE_REORDER_HOSTNAME && w->where.machine == NULL)
        return bine_complain("--reorder hostname: expected --machine and hosts");
    if (w->root != 0 && !bine_collective_is_rooted(w->asked.collective))
        return bine_complain("--root %d: %s has no root", w->root,
                             bine_collective_name(w->asked.collective));
    return 0;
}

/* The command as it was typed, to be freed. */
static char *join(int argc, char **argv) {
    size_t length = 8;
    for (int i = 0; i < argc; i++)
        length += strlen(argv[i]) + 3;
    char *text = malloc(length);
    if (text == NULL)
        return NULL;
    strcpy(text, "bine");
    for (int i = 0; i < argc; i++) {
        int quote = strpbrk(argv[i], " []*?;&|<>()$'\"\\") != NULL;
        size_t at = strlen(text);
        snprintf(text + at, length - at, quote ? " '%s'" : " %s", argv[i]);
    }
    return text;
}

/* Time instead of bytes: that has options of its own. */
static int wants_time(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--predict") == 0 || strncmp(argv[i], "--predict=", 10) == 0)
            return 1;
    return 0;
}

static int run(int argc, char **argv, struct bine_traffic_wish *w, const char *baseline) {
    if (bine_algorithms_read(argc, argv, &w->asked) != 0 ||
        (baseline != NULL &&
         bine_word_algorithm(w->asked.collective, baseline, &w->baseline) != 0) ||
        check(w) != 0)
        return BINE_EXIT_USAGE;
    return w->jobs != NULL ? bine_traffic_jobs(w) : bine_traffic_single(w);
}

int bine_command_traffic(int argc, char **argv) {
    struct bine_traffic_wish w = {.layout = -1, .bytes = (int64_t)1 << 30};
    const char *baseline = NULL;
    if (wants_time(argc, argv))
        return bine_command_predict_jobs(argc, argv);
    char *command = join(argc, argv); /* getopt changes the order */
    w.command = command == NULL ? "" : command;
    w.workers = (int)sysconf(_SC_NPROCESSORS_ONLN);
    int rc = read_options(argc, argv, &w, &baseline);
    if (rc == BINE_OPTIONS_HELP)
        rc = bine_options_help(help);
    else if (rc == 0)
        rc = run(argc, argv, &w, baseline);
    free(command);
    return rc;
}
