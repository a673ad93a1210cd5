/* bine traffic: how many bytes cross group boundaries. */
#include "traffic/command_traffic.h"
#include "base/words.h"
#include "cli/bytes.h"
#include "cli/command.h"
#include "cli/shapes.h"

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
    "F.html]\n\n"
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
    "  --level N      in Slurm's files and addresses: groups are the leaf switches (1, the\n"
    "                 default), the switches above them (2), ...\n"
    "  --groups G     sizes of groups, in rank order, or a file with a group name for each rank\n"
    "  --dims D       a torus, ranks in row-major order; every node is a group\n"
    "  --reorder R    off (default), hostname or group: sort the ranks first\n\n"
    "what to count:\n"
    "  --bytes N      the vector: 4096, 64K, 1M, 2G; default 1G\n"
    "  --root R       default 0\n"
    "  --baseline A   the algorithm to compare with\n"
    "  --ports N      of torus algorithms: parts of the vector that travel at once; default 1\n"
    "  --layout L     default: what each algorithm prefers\n"
    "  --pairs        bytes from each group to each other one\n"
    "  --links        on a torus: hops, and the load of the busiest link\n\n"
    "many jobs:\n"
    "  --jobs J       a folder or a tarball of host files, one for each job; or what\n"
    "                 'sacct -P -o JobID,NodeList' prints, or Slurm's log of completed jobs\n"
    "  --report F     an HTML page with box plots, a scatter plot and tables; needs --baseline "
    "and\n"
    "                 gnuplot. The sources of the plots are written beside it\n"
    "  --workers N    processes; default: one for each core\n\n"
    "  --format F     text (default), csv or json\n"
    "  --help         this page\n\n"
    "examples:\n"
    "  bine traffic bcast --groups 2,2,2,2 --baseline binomial-near\n"
    "  bine traffic allreduce --machine leonardo --hosts 'lrdn[0001-0100,0900-0927]'\n"
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

static int read_number(const char *what, long low, long high, int *value) {
    long number;
    if (bine_word_number(what, optarg, low, high, &number) != 0)
        return BINE_EXIT_USAGE;
    *value = (int)number;
    return 0;
}

static int read_layout(int *layout) {
    enum bine_layout l;
    if (bine_word_layout(optarg, &l) != 0)
        return BINE_EXIT_USAGE;
    *layout = (int)l;
    return 0;
}

/* The baseline's name can only be looked up when the collective is known. */
static int read_option(int letter, struct bine_traffic_wish *w, const char **baseline) {
    const char **text = letter == 'j'   ? &w->jobs
                        : letter == 'R' ? &w->report
                        : letter == 'b' ? baseline
                                        : NULL;
    if (text != NULL) {
        *text = optarg;
        return 0;
    }
    switch (letter) {
    case 'l':
        return read_number("level", 1, 64, &w->where.level);
    case 'r':
        return read_number("root", 0, BINE_RANKS_MOST - 1, &w->root);
    case 'w':
        return read_number("workers", 1, 1024, &w->workers);
    case 'n':
        return bine_word_bytes("bytes", optarg, INT64_MAX, &w->bytes);
    case 'o':
        return read_reorder(optarg, &w->where.reorder);
    case 'L':
        return read_layout(&w->layout);
    case 'f':
        return bine_word_format(optarg, &w->format);
    case 'P':
        return bine_word_ports(optarg, &w->ports);
    case 'p':
        w->pairs = 1;
        return 0;
    case 'k':
        w->links = 1;
        return 0;
    default:
        return bine_place_option(&w->where, letter);
    }
}

static const struct option options[] = {
    {"machine", required_argument, NULL, 'm'},
    {"hosts", required_argument, NULL, 'H'},
    {"ranks-per-node", required_argument, NULL, 'K'},
    {"groups", required_argument, NULL, 'g'},
    {"dims", required_argument, NULL, 'd'},
    {"jobs", required_argument, NULL, 'j'},
    {"report", required_argument, NULL, 'R'},
    {"level", required_argument, NULL, 'l'},
    {"root", required_argument, NULL, 'r'},
    {"bytes", required_argument, NULL, 'n'},
    {"baseline", required_argument, NULL, 'b'},
    {"reorder", required_argument, NULL, 'o'},
    {"layout", required_argument, NULL, 'L'},
    {"workers", required_argument, NULL, 'w'},
    {"pairs", no_argument, NULL, 'p'},
    {"links", no_argument, NULL, 'k'},
    {"format", required_argument, NULL, 'f'},
    {"ports", required_argument, NULL, 'P'},
    {"help", no_argument, NULL, 'h'},
    {0},
};

/* The algorithms named, or all of the collective. */
static int read_algorithms(int argc, char **argv, struct bine_traffic_wish *w) {
    w->named = optind < argc && !(optind + 1 == argc && strcmp(argv[optind], "all") == 0);
    for (int i = optind; w->named && i < argc; i++) {
        if (w->algorithms == BINE_TRAFFIC_ALGORITHMS)
            return bine_complain("more than %d algorithms", BINE_TRAFFIC_ALGORITHMS);
        if (bine_word_algorithm(w->collective, argv[i], &w->algorithm[w->algorithms++]) != 0)
            return BINE_EXIT_USAGE;
    }
    for (size_t i = 0; !w->named && i < bine_catalogue_size; i++)
        if (bine_catalogue[i].collective == w->collective &&
            w->algorithms < BINE_TRAFFIC_ALGORITHMS)
            w->algorithm[w->algorithms++] = &bine_catalogue[i];
    return 0;
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
    if (w->jobs != NULL && (w->pairs || w->links))
        return bine_complain("--pairs and --links are for a single job");
    if (w->pairs && w->links)
        return bine_complain("--pairs with --links: expected one of them");
    if (w->report != NULL && (w->jobs == NULL || w->baseline == NULL))
        return bine_complain("--report: expected --jobs and --baseline with it");
    if (w->where.reorder == BINE_REORDER_HOSTNAME && w->where.machine == NULL)
        return bine_complain("--reorder hostname: expected --machine and hosts");
    if (w->root != 0 && !bine_collective_is_rooted(w->collective))
        return bine_complain("--root %d: %s has no root", w->root,
                             bine_collective_name(w->collective));
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

static int run(int argc, char **argv, struct bine_traffic_wish *w, const char *baseline) {
    if (bine_arguments_count(argc, argv, 1, 1 + BINE_TRAFFIC_ALGORITHMS,
                             "COLLECTIVE [ALGORITHM...]") != 0 ||
        bine_word_collective(argv[optind++], &w->collective) != 0 ||
        read_algorithms(argc, argv, w) != 0 ||
        (baseline != NULL && bine_word_algorithm(w->collective, baseline, &w->baseline) != 0) ||
        check(w) != 0)
        return BINE_EXIT_USAGE;
    return w->jobs != NULL ? bine_traffic_jobs(w) : bine_traffic_single(w);
}

int bine_command_traffic(int argc, char **argv) {
    struct bine_traffic_wish w = {.layout = -1, .bytes = (int64_t)1 << 30};
    const char *baseline = NULL;
    char *command = join(argc, argv); /* getopt changes the order */
    int letter, rc = 0;
    w.command = command == NULL ? "" : command;
    w.workers = (int)sysconf(_SC_NPROCESSORS_ONLN);
    while (rc == 0 && (letter = bine_option_next(argc, argv, "h", options)) != -1) {
        if (letter == 'h') {
            free(command);
            return printf("%s", help) < 0 ? BINE_EXIT_USAGE : BINE_EXIT_GOOD;
        }
        rc = letter == '?' ? BINE_EXIT_USAGE : read_option(letter, &w, &baseline);
    }
    if (rc == 0)
        rc = run(argc, argv, &w, baseline);
    free(command);
    return rc;
}
