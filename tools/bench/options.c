/* The command line. */
#include "base/words.h"
#include "bench/bench.h"
#include "cli/command.h"
#include "cli/options/bytes.h"
#include "cli/options/shapes.h"
#include "network/allocation.h"
#include "pattern/torus.h"
#include "select/settings.h"

#include <stdlib.h>
#include <string.h>

int bench_is_speaker = 1;

void bench_speak(int whether) {
    bench_is_speaker = whether;
    bine_complainer = whether ? "bine-bench" : NULL;
}

static const char help[] =
    "usage: mpirun -n N bine-bench [COLLECTIVE...] [-a ALGORITHMS] [-m MIN:MAX] [OPTION...]\n\n"
    "Measures collectives: algorithms of Bine, the baselines and the MPI library's own, in one "
    "run,\n"
    "interleaved in rounds of shuffled order. A sample is one call, the time of the slowest rank.\n"
    "Shown are the median, its 95 % interval and the bus bandwidth.\n\n"
    "collectives: bcast reduce allreduce gather scatter allgather alltoall reduce_scatter\n"
    "             reduce_scatter_block barrier allgatherv alltoallv alltoallw gatherv scatterv "
    "scan\n"
    "             exscan; all of them if none is named\n\n"
    "what to measure:\n"
    "  -a LIST         names with commas between them (best): an algorithm of 'bine list', with a\n"
    "                  layout as in bine-large:pack or bine-large:all; a family (bine, binomial);\n"
    "                  all; best: what Bine chooses, and mpi; mpi: the MPI library's own choice;\n"
    "                  mpi:NAME[@SEGMENT]: an algorithm inside it; mpi:all: each of those;\n"
    "                  nccl: NCCL's, with -d cuda:DATATYPE, where best has it beside it\n"
    "  -m MIN:MAX      bytes of the whole vector, doubling (8:1M); one number: only that size\n"
    "  --step F        multiply sizes by F instead of 2\n"
    "  -d DATATYPE     int (default), unsigned, long, float, double, char; cuda:DATATYPE:\n"
    "                  vectors in the memory of a device; mpi is then staged through the host's\n"
    "  -o OP           sum (default), prod, max, min, band, bor, bxor, land, lor; first: not\n"
    "                  commutative\n"
    "  -r ROOT         the root of rooted collectives (0)\n"
    "  --in-place      with MPI_IN_PLACE\n"
    "  --nonblocking   Bine_Iallreduce against MPI_Iallreduce and so on, as IMB-NBC does: calls "
    "that "
    "are\n"
    "                  waited for at once, and calls with a computation as long between start and "
    "wait,\n"
    "                  which asks after them sixteen times; how much of the shorter one is hidden\n"
    "  --dims D        the ranks are a torus, row-major, as in 4x4x8: torus algorithms are there, "
    "as\n"
    "                  with BINE_DIMS\n"
    "  --ports N       that torus algorithms use, as with BINE_PORTS\n"
    "  --rotate BYTES  let the buffers move through so much memory, so that they are not in cache\n"
    "  --unchanged     do not write what is sent before every call; that flatters shared memory\n"
    "  --list          only say what would be measured\n\n"
    "how long:\n"
    "  -i N            exactly N samples; without it, until every 95 % interval is within 2 % of\n"
    "                  its median\n"
    "  -x N            discard N rounds first (a fifth of all)\n"
    "  -t SECONDS      at most so long for a size of a collective (2; with -i no limit)\n"
    "  --total SECONDS at most so long for everything\n"
    "  --precision P   percent, instead of 2\n"
    "  --most N        at most N rounds (2000)\n\n"
    "how:\n"
    "  --start WHEN    barrier (default): after a barrier, each rank by its own watch; clock: all\n"
    "                  at an agreed moment on synchronised clocks\n"
    "  -c              check every result; a wrong one is exit code 1\n"
    "  --seed S        of the order in the rounds (1)\n"
    "  --mpi-name NAME what the library's own is called, where its algorithm is forced from "
    "outside\n\n"
    "output:\n"
    "  --csv FILE      all samples, and as comments what is needed to repeat the run\n"
    "  --summary FILE  the same with one row for each algorithm and size: the median, low and "
    "high\n"
    "  --uplinks FILE  the bytes that one call of each sends over the uplinks of a lab, by its\n"
    "                  counters: inside 'bine lab run'\n"
    "  --timeline FILE record the steps of some calls, as BINE_TIMELINE does (docs/timeline.md)\n"
    "  --calibrate M   measure the network instead: latency, cost of a message, rates of nodes "
    "and\n"
    "                  between the groups of --groups or --machine; writes the machine file M\n"
    "  --machine D     with --calibrate: the description of the whole machine, a name or a file,\n"
    "                  Slurm's topology.conf among them: M is that with the speeds measured on "
    "the\n"
    "                  nodes of this job\n"
    "  --groups G      note the network groups of the ranks for 'bine report': sizes, as in 5,5,6\n"
    "  --format F      text (default), csv or json\n"
    "  --help, --version\n\n"
    "examples:\n"
    "  mpirun -n 8 bine-bench allreduce -a bine,binomial,mpi -m 8:1M --csv allreduce.csv\n"
    "  mpirun -n 8 bine-bench allgather -a bine-far:all,bine-near,recursive-doubling -c\n"
    "  mpirun -n 8 bine-bench bcast -a best,mpi:all -t 5 --csv bcast.csv\n"
    "  mpirun -n 8 bine-bench allreduce --dims 2x4 -a bine,bucket-torus -m 1M\n"
    "  mpirun -n 8 bine-bench allreduce --nonblocking -m 4K:1M --step 4\n";

enum {
    STEP = 256,
    IN_PLACE,
    UNCHANGED,
    NONBLOCKING,
    ROTATE,
    LIST,
    TOTAL,
    PRECISION,
    MOST,
    START,
    SEED,
    NAME,
    CSV,
    SUMMARY,
    UPLINKS,
    GROUPS,
    TIMELINE,
    CALIBRATE,
    MACHINE,
    DIMS,
    PORTS,
    FORMAT,
    VERSION
};

static const struct option longs[] = {{"step", required_argument, NULL, STEP},
                                      {"in-place", no_argument, NULL, IN_PLACE},
                                      {"unchanged", no_argument, NULL, UNCHANGED},
                                      {"nonblocking", no_argument, NULL, NONBLOCKING},
                                      {"rotate", required_argument, NULL, ROTATE},
                                      {"list", no_argument, NULL, LIST},
                                      {"total", required_argument, NULL, TOTAL},
                                      {"precision", required_argument, NULL, PRECISION},
                                      {"most", required_argument, NULL, MOST},
                                      {"start", required_argument, NULL, START},
                                      {"seed", required_argument, NULL, SEED},
                                      {"mpi-name", required_argument, NULL, NAME},
                                      {"csv", required_argument, NULL, CSV},
                                      {"summary", required_argument, NULL, SUMMARY},
                                      {"uplinks", required_argument, NULL, UPLINKS},
                                      {"groups", required_argument, NULL, GROUPS},
                                      {"timeline", required_argument, NULL, TIMELINE},
                                      {"calibrate", required_argument, NULL, CALIBRATE},
                                      {"machine", required_argument, NULL, MACHINE},
                                      {"dims", required_argument, NULL, DIMS},
                                      {"ports", required_argument, NULL, PORTS},
                                      {"format", required_argument, NULL, FORMAT},
                                      {"help", no_argument, NULL, 'h'},
                                      {"version", no_argument, NULL, VERSION},
                                      {0}};

static int read_real(const char *what, const char *word, double low, double high, double *value) {
    char *end;
    *value = strtod(word, &end);
    if (end == word || *end != '\0' || !(*value >= low && *value <= high))
        return bine_complain("%s '%s': expected a number from %g to %g", what, word, low, high);
    return 0;
}

/* One of a few names; 0, or an exit code after complaining. */
static int read_choice(const char *what, const char *word, const char *const *names, int n,
                       int *value) {
    char all[100] = "";
    for (int i = 0; i < n; i++) {
        size_t at = strlen(all);
        snprintf(all + at, sizeof all - at, "%s%s", i == 0 ? "" : ", ", names[i]);
        if (strcmp(word, names[i]) == 0) {
            *value = i;
            return 0;
        }
    }
    return bine_complain_near(bine_nearest_word(word, names, (size_t)n),
                              "%s '%s': expected one of %s", what, word, all);
}

/* Options with a name, or with a choice of few. */
static int read_manner(struct bench_wish *w, int letter) {
    static const char *const starts[] = {"barrier", "clock"};
    static const char *const formats[] = {"text", "csv", "json"};
    int choice = 0, rc = 0;
    switch (letter) {
    case START:
        rc = read_choice("--start", optarg, starts, 2, &choice);
        w->start = (enum bench_start)choice;
        break;
    case FORMAT:
        rc = read_choice("--format", optarg, formats, 3, &choice);
        w->format = (enum bench_format)choice;
        break;
    case CSV:
        w->csv = optarg;
        break;
    case SUMMARY:
        w->summary = optarg;
        break;
    case UPLINKS:
        w->uplinks = optarg;
        break;
    case GROUPS:
        w->groups = optarg;
        break;
    case TIMELINE: /* main has taken it */
        break;
    case CALIBRATE:
        w->calibrate = optarg;
        break;
    case MACHINE:
        w->machine = optarg;
        break;
    default:
        w->library_name = optarg;
        rc = strpbrk(optarg, ",\"# \n") == NULL
                 ? 0
                 : bine_complain("--mpi-name '%s': expected a name without commas and blanks",
                                 optarg);
    }
    return rc;
}

/* Options with a number. */
static int read_number(struct bench_wish *w, int letter) {
    int number = 0, rc;
    switch (letter) {
    case STEP:
        rc = bine_word_int("--step", optarg, 2, 1024, &number);
        w->step = number;
        return rc;
    case ROTATE:
        return bine_word_bytes("--rotate", optarg, INT64_C(1) << 36, &w->rotate);
    case TOTAL:
        return read_real("--total", optarg, 0.001, 1e7, &w->total);
    case PRECISION:
        rc = read_real("--precision", optarg, 0.01, 100, &w->precision);
        w->precision /= 100;
        return rc;
    case MOST:
        return bine_word_int("--most", optarg, BENCH_LEAST_ROUNDS, 1000000, &w->most_rounds);
    case PORTS:
        return bine_word_ports(optarg, &w->ports);
    case SEED:
        rc = bine_word_int("--seed", optarg, 0, 1000000000, &number);
        w->seed = (uint64_t)number;
        return rc;
    case 'i':
        return bine_word_int("-i", optarg, 1, 1000000, &w->rounds);
    case 'x':
        return bine_word_int("-x", optarg, 0, 1000000, &w->warmup);
    case 't':
        return read_real("-t", optarg, 0.001, 1e6, &w->budget);
    default:
        return bine_word_int("-r", optarg, 0, 1 << 24, &w->root);
    }
}

static int read_option(struct bench_wish *w, int letter) {
    switch (letter) {
    case 'a':
        w->algorithms = optarg;
        return 0;
    case 'm':
        return bine_word_sizes(optarg, &w->least, &w->most);
    case 'd':
        return bench_type_find(optarg, w);
    case 'o':
        return bench_operator_find(optarg, &w->op);
    case 'c':
        w->check = 1;
        return 0;
    case UNCHANGED:
        w->unchanged = 1;
        return 0;
    case IN_PLACE:
        w->in_place = 1;
        return 0;
    case NONBLOCKING:
        w->nonblocking = 1;
        return 0;
    case LIST:
        w->list = 1;
        return 0;
    case '?':
        return BINE_EXIT_USAGE;
    case START:
    case FORMAT:
    case CSV:
    case SUMMARY:
    case UPLINKS:
    case GROUPS:
    case TIMELINE:
    case CALIBRATE:
    case MACHINE:
    case NAME:
        return read_manner(w, letter);
    case DIMS:
        w->dims = optarg;
        return 0;
    default:
        return read_number(w, letter);
    }
}

static int read_collectives(struct bench_wish *w, int argc, char **argv) {
    const char *names[BENCH_COLLECTIVES];
    for (int i = 0; i < bench_collectives_count; i++)
        names[i] = bench_collectives[i].name;
    for (int i = optind; i < argc; i++) {
        const struct bench_collective *c = bench_collective_find(argv[i]);
        if (c == NULL)
            return bine_complain_near(
                bine_nearest_word(argv[i], names, (size_t)bench_collectives_count),
                "unknown collective '%s': see 'bine-bench --help'", argv[i]);
        if (w->collectives == BENCH_COLLECTIVES)
            return bine_complain("too many collectives: expected each once");
        w->collective[w->collectives++] = c;
    }
    for (int i = 0; optind == argc && i < bench_collectives_count; i++)
        w->collective[w->collectives++] = &bench_collectives[i];
    return 0;
}

/* As typed: getopt moves the words. */
static void keep_command(struct bench_wish *w, char **argv) {
    size_t at = 0;
    for (int i = 0; argv[i] != NULL && at < sizeof w->command; i++)
        at += (size_t)snprintf(w->command + at, sizeof w->command - at, "%s%s", i == 0 ? "" : " ",
                               argv[i]);
}

int bench_wish_read(struct bench_wish *w, int argc, char **argv) {
    int letter, rc = 0;
    *w = (struct bench_wish){.algorithms = "best",
                             .least = 8,
                             .most = 1 << 20,
                             .step = 2,
                             .warmup = -1,
                             .most_rounds = 2000,
                             .precision = 0.02,
                             .seed = 1};
    keep_command(w, argv);
    w->budget = -1;
    bench_type_find("int", w);
    bench_operator_find("sum", &w->op);
    while (rc == 0 && (letter = bine_option_next(argc, argv, "a:m:i:x:t:r:d:o:ch", longs)) != -1) {
        if (letter == 'h' || letter == VERSION) {
            if (bench_is_speaker)
                printf("%s", letter == 'h' ? help : "bine-bench " BINE_VERSION "\n");
            return -1;
        }
        rc = read_option(w, letter);
    }
    if (w->budget < 0)
        w->budget = w->rounds > 0 ? 0 : 2;
    if (w->rounds > 0 && w->warmup < 0) /* a fifth of all */
        w->warmup = (w->rounds + 3) / 4;
    return rc != 0 ? rc : read_collectives(w, argc, argv);
}

/* The library would reduce the ports to those that there are. Only it knows the torus of a machine.
 */
static int ports_fit(const struct bench_wish *w, const struct bine_shape *dims) {
    int most = dims->dims > 0 ? bine_torus_ports(dims) : 0;
    if (dims->dims == 0 && *bine_setting_value(BINE_SETTING_MACHINE, NULL) == '\0')
        return bine_complain("%d ports: there is no torus: see --dims", w->ports);
    if (dims->dims > 0 && w->ports > most)
        return bine_complain("%d ports: expected 1 to %d, two for each dimension", w->ports, most);
    return 0;
}

/* BINE_DIMS: the library would warn and go on, but then another torus would be measured. */
static int read_set_dims(const char *set, int p, struct bine_shape *dims) {
    if (bine_shape_parse(set, strlen(set), dims) != 0)
        return bine_complain("BINE_DIMS=%.60s: expected sizes, as in 4x4x8", set);
    if (bine_shape_nodes(dims) != p)
        return bine_complain("BINE_DIMS=%.60s: %d ranks, expected %d", set, bine_shape_nodes(dims),
                             p);
    return 0;
}

static int groups_fit(const char *word, int p) {
    struct bine_allocation a;
    struct bine_reason why;
    if (bine_allocation_sizes(&a, word, &why) != 0)
        return bine_complain("--groups '%.60s': %s", word, why.text);
    int ranks = a.p;
    bine_allocation_free(&a);
    return ranks == p
               ? 0
               : bine_complain("--groups '%.60s': %d ranks in all, expected %d", word, ranks, p);
}

/* The library reads its settings when a communicator is first used. */
static int set_torus(const struct bench_wish *w, const struct bench_world *world) {
    struct bine_shape dims = {0};
    const char *set = bine_setting_value(BINE_SETTING_DIMS, NULL);
    char ports[16];
    snprintf(ports, sizeof ports, "%d", w->ports);
    if (w->dims != NULL && bine_word_dims(w->dims, world->p, &dims) != 0)
        return BINE_EXIT_USAGE;
    if (w->dims == NULL && *set != '\0' && read_set_dims(set, world->p, &dims) != 0)
        return BINE_EXIT_USAGE;
    if (w->ports > 1 && ports_fit(w, &dims) != 0)
        return BINE_EXIT_USAGE;
    if ((w->dims != NULL && setenv("BINE_DIMS", w->dims, 1) != 0) ||
        (w->ports > 0 && setenv("BINE_PORTS", ports, 1) != 0))
        return bine_complain("out of memory");
    return 0;
}

int bench_wish_fits(const struct bench_wish *w, const struct bench_world *world) {
    if (set_torus(w, world) != 0)
        return BINE_EXIT_USAGE;
    if (w->groups != NULL && groups_fit(w->groups, world->p) != 0)
        return BINE_EXIT_USAGE;
    if (w->machine != NULL && (w->calibrate == NULL || w->groups != NULL))
        return bine_complain("--machine: expected with --calibrate and without --groups");
    if (w->nonblocking && (w->on_device || w->calibrate != NULL))
        return bine_complain("--nonblocking: expected vectors of the host and no --calibrate");
    if (w->root >= world->p)
        return bine_complain("-r %d: expected 0 to %d, with %d rank%s", w->root, world->p - 1,
                             world->p, bine_plural(world->p));
    if (w->most / (int64_t)w->type.size > INT32_MAX)
        return bine_complain("-m: expected at most %lld bytes of this datatype",
                             (long long)INT32_MAX * (long long)w->type.size);
    for (int i = 0; i < w->collectives; i++)
        if (bine_collective_reduces(w->collective[i]->kind) &&
            !bench_type_reduces(&w->type, &w->op))
            return bine_complain("%s: operator %s does not take datatype %s",
                                 w->collective[i]->name, w->op.name, w->type.name);
    return 0;
}
