/* bine simulate: the benchmark on a simulated machine. */
#include "base/numbers.h"
#include "base/words.h"
#include "cli/command.h"
#include "cli/options/bytes.h"
#include "cli/options/shapes.h"
#include "select/settings.h"
#include "simulate/simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: bine simulate --machine M [--nodes N | --hosts H | --dims D] [COLLECTIVE...]\n"
    "                     [-a ALGORITHMS] [-m MIN:MAX] [OPTION...]\n\n"
    "The benchmark of bine-bench on a simulated machine, by SimGrid: the same options, the same\n"
    "CSV, and the same times in every run. Messages share the links of the machine; copies and\n"
    "reductions take as long as its description says. All collectives if none is named.\n\n"
    "where:\n"
    "  --machine M        one of 'bine machines', or its file\n"
    "  --hosts H          the hosts of the ranks: a file (of a job, say) or a list\n"
    "  --nodes N          instead: draw N hosts of the machine\n"
    "  --placement P      how they lie: contiguous (default), fragmented as the nodes of a job on\n"
    "                     Leonardo, or random\n"
    "  --among H          draw them from these hosts only\n"
    "  --seed S           of the drawing (1)\n"
    "  --dims D           a torus, as in 8x8x8, of a machine that is one\n"
    "  --ranks-per-node K ranks on each host\n"
    "  --busy X           other jobs leave a share X of the links between groups, as in 0.05;\n"
    "                     of a torus: of all its links\n\n"
    "what:\n"
    "  -a LIST            names with commas between them (all): an algorithm of 'bine list', with "
    "a\n"
    "                     layout as in bine-large:pack; a family (bine, binomial); all\n"
    "  -m MIN:MAX         bytes of the whole vector, doubling (8:1M); one number: only that size\n"
    "  --step F           multiply sizes by F instead of 2\n"
    "  -d DATATYPE        int (default), unsigned, long, float, double, char\n"
    "  -o OP              sum (default), ...; first: not commutative\n"
    "  -r ROOT            of rooted collectives (0)\n"
    "  --in-place, --ports N\n"
    "                     as for bine-bench\n"
    "  --segment N        the parts in which reductions send large messages, as BINE_SEGMENT "
    "(256K)\n"
    "  --early            small messages arrive whether or not their receive is posted, one every\n"
    "                     message-us at each rank, as in 'bine predict'; SMPI cannot\n"
    "  --boards           the ranks of a node share memory where an algorithm can; SMPI cannot\n"
    "  -i N, -x N         write so many samples (1), after so many discarded ones (0)\n"
    "  --limit N          leave out what has more messages than that (4000000)\n"
    "  --list             only say what would be simulated\n\n"
    "how:\n"
    "  --engine replay    schedules as messages, without data (default)\n"
    "  --engine smpi      bine-bench and the real library, on SimGrid's MPI: all options of\n"
    "                     bine-bench, also -c and the algorithms best and mpi\n"
    "  --selector S       what the algorithm mpi is there: as Open MPI 4.1 chooses (ompi), as\n"
    "                     MPICH does (mpich); or one that SimGrid has, as in allreduce:rdb\n"
    "  --predict          the times of 'bine predict' beside the simulated ones\n\n"
    "output:\n"
    "  --csv FILE, --summary FILE\n"
    "                     as bine-bench writes them\n"
    "  --links FILE       the bytes on every link, and for which share of the time they keep it "
    "busy\n"
    "  --format F         text (default), csv or json\n"
    "  --help             this page\n\n"
    "examples:\n"
    "  bine simulate --machine leonardo --nodes 256 --placement fragmented allreduce -m 1M\n"
    "  bine simulate --machine lumi --hosts job.txt allgather -a bine,ring -m 1K:64M --step 8\n"
    "  bine simulate --machine fugaku --dims 8x8x8 allreduce --ports 6 -m 64M\n"
    "  bine simulate --machine leonardo --nodes 64 --engine smpi bcast -a all -c\n";

enum { STEP = 256, IN_PLACE, LIST, SEED, CSV, SUMMARY, LINKS, PORTS, FORMAT, LIMIT, PREDICT };
enum { AMONG = 300, PLACEMENT, NODES, ENGINE, LEVEL, SEGMENT, BOARDS, BUSY, SELECTOR, EARLY };

static const struct option longs[] = {{"step", required_argument, NULL, STEP},
                                      {"in-place", no_argument, NULL, IN_PLACE},
                                      {"list", no_argument, NULL, LIST},
                                      {"seed", required_argument, NULL, SEED},
                                      {"csv", required_argument, NULL, CSV},
                                      {"summary", required_argument, NULL, SUMMARY},
                                      {"links", required_argument, NULL, LINKS},
                                      {"ports", required_argument, NULL, PORTS},
                                      {"format", required_argument, NULL, FORMAT},
                                      {"limit", required_argument, NULL, LIMIT},
                                      {"predict", no_argument, NULL, PREDICT},
                                      {"among", required_argument, NULL, AMONG},
                                      {"placement", required_argument, NULL, PLACEMENT},
                                      {"nodes", required_argument, NULL, NODES},
                                      {"engine", required_argument, NULL, ENGINE},
                                      {"selector", required_argument, NULL, SELECTOR},
                                      {"segment", required_argument, NULL, SEGMENT},
                                      {"boards", no_argument, NULL, BOARDS},
                                      {"early", no_argument, NULL, EARLY},
                                      {"busy", required_argument, NULL, BUSY},
                                      {"level", required_argument, NULL, LEVEL},
                                      {"machine", required_argument, NULL, 'M'},
                                      {"hosts", required_argument, NULL, 'H'},
                                      {"dims", required_argument, NULL, 'D'},
                                      {"ranks-per-node", required_argument, NULL, 'K'},
                                      {"help", no_argument, NULL, 'h'},
                                      {0}};

static int read_type(const char *word, struct bine_simulate_wish *w) {
    static const char *const names[] = {"int", "unsigned", "long", "float", "double", "char"};
    static const int sizes[] = {4, 4, 8, 4, 8, 1};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(word, names[i]) == 0) {
            w->type = names[i];
            w->element = sizes[i];
            return 0;
        }
    return bine_complain("-d '%s': expected int, unsigned, long, float, double or char", word);
}

static int read_operator(const char *word, struct bine_simulate_wish *w) {
    static const char *const names[] = {"sum", "prod", "max",  "min", "band",
                                        "bor", "bxor", "land", "lor", "first"};
    enum { OPERATORS = sizeof names / sizeof *names };
    for (int i = 0; i < OPERATORS; i++)
        if (strcmp(word, names[i]) == 0) {
            w->commutative = i < OPERATORS - 1;
            return 0;
        }
    return bine_complain(
        "-o '%s': expected sum, prod, max, min, band, bor, bxor, land, lor or first", word);
}

static int read_number(struct bine_simulate_wish *w, int letter) {
    int number = 0, rc;
    switch (letter) {
    case STEP:
        rc = bine_word_int("--step", optarg, 2, 1024, &number);
        w->step = number;
        return rc;
    case SEED:
        return bine_word_number("--seed", optarg, 0, 1000000000, &w->draw.seed);
    case LIMIT:
        return bine_word_number("--limit", optarg, 1, 1000000000, &w->limit);
    case LEVEL:
        return bine_word_int("--level", optarg, 1, 64, &w->where.level);
    case PORTS:
        return bine_word_ports(optarg, &w->ports);
    case 'i':
        return bine_word_int("-i", optarg, 1, 1000000, &w->iterations);
    case 'x':
        return bine_word_int("-x", optarg, 0, 1000000, &w->warmup);
    default:
        return bine_word_int("-r", optarg, 0, BINE_RANKS_MOST - 1, &w->root);
    }
}

/* Options that only keep a word. */
static const char **word_of(struct bine_simulate_wish *w, int letter) {
    switch (letter) {
    case 'a':
        return &w->algorithms;
    case CSV:
        return &w->csv;
    case SUMMARY:
        return &w->summary;
    case LINKS:
        return &w->links;
    case AMONG:
        return &w->draw.among;
    case SELECTOR:
        return &w->selector;
    case NODES:
        return &w->draw.nodes;
    case 'M':
        return &w->where.machine;
    case 'H':
        return &w->where.hosts;
    case 'D':
        return &w->where.dims;
    default:
        return NULL;
    }
}

static int read_option(struct bine_simulate_wish *w, int letter) {
    const char **word = word_of(w, letter);
    int rc;
    if (word != NULL) {
        *word = optarg;
        return 0;
    }
    switch (letter) {
    case 'm':
        return bine_word_sizes(optarg, &w->least, &w->most);
    case 'd':
        return read_type(optarg, w);
    case 'o':
        return read_operator(optarg, w);
    case 'K':
        return bine_word_per_node(optarg, &w->where.per_node);
    case FORMAT:
        return bine_word_format(optarg, &w->format);
    case PLACEMENT:
        return bine_word_placement(optarg, &w->draw.how);
    case BUSY:
        return bine_word_share("--busy", optarg, &w->busy);
    case ENGINE:
        return 0;
    case SEGMENT:
        rc = bine_word_bytes("--segment", optarg, INT64_C(1) << 40, &w->segment);
        return rc == 0 && w->segment < 1 ? bine_complain("--segment '%s': expected bytes", optarg)
                                         : rc;
    case 'c':
        return bine_complain("-c: a replay has no data to check: expected --engine smpi");
    case IN_PLACE:
    case LIST:
    case PREDICT:
        *(letter == LIST ? &w->list : letter == PREDICT ? &w->predict : &w->in_place) = 1;
        return 0;
    case BOARDS:
    case EARLY:
        *(letter == BOARDS ? &w->boards : &w->early) = 1;
        return 0;
    case '?':
        return BINE_EXIT_USAGE;
    default:
        return read_number(w, letter);
    }
}

static int read_collectives(struct bine_simulate_wish *w, int argc, char **argv) {
    for (int i = optind; i < argc; i++) {
        if (w->collectives == BINE_COLLECTIVES)
            return bine_complain("too many collectives: expected each once");
        if (bine_word_collective(argv[i], &w->collective[w->collectives]) != 0)
            return BINE_EXIT_USAGE;
        w->collectives++;
    }
    for (int c = 0; optind == argc && c < BINE_COLLECTIVES; c++)
        w->collective[w->collectives++] = (enum bine_collective)c;
    return 0;
}

static int check_place(const struct bine_simulate_wish *w) {
    const struct bine_host_draw *d = &w->draw;
    if (w->where.machine == NULL)
        return bine_complain("which machine? expected --machine M: see 'bine machines'");
    if (d->nodes != NULL && (w->where.hosts != NULL || w->where.dims != NULL))
        return bine_complain("--nodes with --hosts or --dims: expected one of them");
    if (d->nodes == NULL && w->where.hosts == NULL && w->where.dims == NULL)
        return bine_complain("which nodes? expected --nodes N, --hosts H or --dims D");
    if (d->nodes == NULL && (d->among != NULL || d->how != BINE_CONTIGUOUS))
        return bine_complain("--placement and --among: expected --nodes N, how many to draw");
    if (w->where.per_node > 0 && w->where.dims != NULL)
        return bine_complain("--ranks-per-node with --dims: expected --hosts");
    return 0;
}

/* Options that are ours alone; bine-bench gets the others. */
static int is_place(int letter) {
    static const int letters[] = {AMONG,   PLACEMENT, NODES, ENGINE,   LEVEL, SEED,
                                  'M',     'H',       'D',   'K',      LIMIT, PREDICT,
                                  SEGMENT, BOARDS,    BUSY,  SELECTOR, EARLY};
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i] == letter)
            return 1;
    return 0;
}

/* The number of words that an option of ours takes, of which each is followed by a value; 0 if it
 * is none. */
static int own_words(const char *word) {
    for (const struct option *o = longs; o->name != NULL; o++) {
        size_t length = strlen(o->name);
        if (strncmp(word, "--", 2) != 0 || strncmp(word + 2, o->name, length) != 0 ||
            !is_place(o->val) || o->has_arg != required_argument)
            continue;
        if (word[2 + length] == '=')
            return 1;
        if (word[2 + length] == '\0')
            return 2;
    }
    return 0;
}

/* Whether bine-bench is to run: --engine smpi. -1 after complaining. */
static int wants_smpi(int argc, char **argv) {
    const char *word = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--engine") == 0)
            word = i + 1 < argc ? argv[i + 1] : "";
        else if (strncmp(argv[i], "--engine=", 9) == 0)
            word = argv[i] + 9;
    }
    if (word == NULL || strcmp(word, "replay") == 0)
        return 0;
    if (strcmp(word, "smpi") == 0)
        return 1;
    bine_complain("--engine '%s': expected replay or smpi", word);
    return -1;
}

/* Ours are read here, from a line of their own. */
static int run_smpi(int argc, char **argv, struct bine_simulate_wish *w) {
    char **own = calloc((size_t)argc + 1, sizeof *own),
         **bench = calloc((size_t)argc + 1, sizeof *own);
    int owns = 0, benches = 0, letter, rc = 0;
    if (own == NULL || bench == NULL)
        rc = bine_complain("out of memory");
    if (rc == 0)
        own[owns++] = argv[0];
    for (int i = 1, n; i < argc && rc == 0; i += n) {
        n = own_words(argv[i]);
        for (int k = 0; k < (n > 0 ? n : 1) && i + k < argc; k++)
            *(n > 0 ? &own[owns++] : &bench[benches++]) = argv[i + k];
        n = n > 0 ? n : 1;
    }
    while (rc == 0 && (letter = bine_option_next(owns, own, "", longs)) != -1)
        rc = letter == ENGINE ? 0 : read_option(w, letter);
    if (rc == 0)
        rc = check_place(w);
    if (rc == 0)
        rc = bine_simulate_smpi(w, bench);
    free(own);
    free(bench);
    return rc;
}

/* What the library would take. */
static int64_t usual_segment(void) {
    int64_t bytes = 0;
    if (bine_size_parse(bine_setting_value(BINE_SETTING_SEGMENT, NULL), &bytes) != 0 || bytes < 1)
        bine_size_parse(bine_setting_table[BINE_SETTING_SEGMENT].value, &bytes);
    return bytes;
}

int bine_command_simulate(int argc, char **argv) {
    struct bine_simulate_wish w = {.algorithms = "all",
                                   .least = 8,
                                   .most = 1 << 20,
                                   .step = 2,
                                   .element = 4,
                                   .type = "int",
                                   .commutative = 1,
                                   .iterations = 1,
                                   .draw = {.seed = 1},
                                   .limit = 4000000,
                                   .segment = usual_segment(),
                                   .argc = argc,
                                   .argv = argv};
    int letter, rc = 0, smpi = wants_smpi(argc, argv);
    if (smpi != 0)
        return smpi < 0 ? BINE_EXIT_USAGE : run_smpi(argc, argv, &w);
    while (rc == 0 && (letter = bine_option_next(argc, argv, "a:m:i:x:r:d:o:ch", longs)) != -1) {
        if (letter == 'h')
            return printf("%s", help) < 0 ? BINE_EXIT_USAGE : BINE_EXIT_GOOD;
        rc = read_option(&w, letter);
    }
    if (rc == 0 && w.selector != NULL)
        rc = bine_complain("--selector: a replay has no algorithm mpi: expected --engine smpi");
    if (rc == 0)
        rc = read_collectives(&w, argc, argv);
    if (rc == 0)
        rc = check_place(&w);
    return rc == 0 ? bine_simulate_run(&w) : rc;
}
