/* bine export: a schedule of all ranks for other simulators and runtimes. */
#include "base/words.h"
#include "cli/bytes.h"
#include "cli/command.h"
#include "cli/machines.h"
#include "cli/place.h"
#include "cli/shapes.h"
#include "export/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: bine export COLLECTIVE ALGORITHM --format goal|ti|msccl --ranks P [OPTION...]\n\n"
    "The schedules of all ranks as other programs read them:\n"
    "  goal    GOAL, for LogGOPSim and ATLAHS\n"
    "  ti      time-independent traces, for SimGrid: smpirun -replay LIST, LIST names this file\n"
    "  msccl   MSCCL's XML, for runtimes on GPUs; a chunk is a block of the vector\n\n"
    "options:\n"
    "  --ranks P     number of ranks\n"
    "  --bytes N     of the vector (1M); msccl has no sizes\n"
    "  --root R      the root of bcast, reduce, gather and scatter (0)\n"
    "  --layout L    blocks, pack, permute or send (default: the one that would be taken)\n"
    "  --in-place    with MPI_IN_PLACE\n"
    "  --segments N  of a pipelined algorithm (as a call of that size would take)\n"
    "  --groups G, --machine M --hosts H, --ranks-per-node K, --dims D, --ports N\n"
    "                where the ranks are, as for 'bine show'; a machine's rates are taken for\n"
    "                copies and reductions\n"
    "  -o FILE       write to this file\n"
    "  --help        this page\n\n"
    "examples:\n"
    "  bine export allreduce bine-large --ranks 8 --format goal -o allreduce.goal\n"
    "  bine export bcast bine-small --ranks 16 --format ti --bytes 64K\n"
    "  bine export allgather bine-far --ranks 8 --format msccl\n";

static const struct {
    const char *name;
    bine_export_write *write;
} formats[] = {{"goal", bine_export_goal}, {"ti", bine_export_ti}, {"msccl", bine_export_msccl}};
enum { FORMATS = sizeof formats / sizeof *formats };

struct wish {
    const char *root, *segments, *file; /* the words; NULL: not given */
    struct bine_place_words where;
    int ports, in_place;
    int layout; /* -1: not given */
    int format; /* -1: not given */
    int64_t bytes;
};

static int read_format(const char *word, int *format) {
    const char *names[FORMATS];
    for (int i = 0; i < FORMATS; i++) {
        names[i] = formats[i].name;
        if (strcmp(word, names[i]) == 0) {
            *format = i;
            return 0;
        }
    }
    return bine_complain_near(bine_nearest_word(word, names, FORMATS),
                              "--format '%s': expected goal, ti or msccl", word);
}

static int take_option(struct wish *w, int letter) {
    enum bine_layout l = BINE_BLOCKS;
    int rc = 0;
    switch (letter) {
    case 'n':
        w->where.ranks = optarg;
        return 0;
    case 'b':
        return bine_word_bytes("--bytes", optarg, INT64_C(1) << 40, &w->bytes);
    case 'r':
        w->root = optarg;
        return 0;
    case 's':
        w->segments = optarg;
        return 0;
    case 'o':
        w->file = optarg;
        return 0;
    case 'i':
        w->in_place = 1;
        return 0;
    case 'P':
        return bine_word_ports(optarg, &w->ports);
    case 'f':
        return read_format(optarg, &w->format);
    case 'l':
        rc = bine_word_layout(optarg, &l);
        w->layout = (int)l;
        return rc;
    case '?':
        return BINE_EXIT_USAGE;
    default:
        return bine_place_option(&w->where, letter);
    }
}

static int read_options(int argc, char **argv, struct wish *w) {
    static const struct option options[] = {{"ranks", required_argument, NULL, 'n'},
                                            {"bytes", required_argument, NULL, 'b'},
                                            {"root", required_argument, NULL, 'r'},
                                            {"layout", required_argument, NULL, 'l'},
                                            {"in-place", no_argument, NULL, 'i'},
                                            {"format", required_argument, NULL, 'f'},
                                            {"segments", required_argument, NULL, 's'},
                                            {"groups", required_argument, NULL, 'g'},
                                            {"dims", required_argument, NULL, 'd'},
                                            {"ports", required_argument, NULL, 'P'},
                                            {"machine", required_argument, NULL, 'm'},
                                            {"hosts", required_argument, NULL, 'H'},
                                            {"ranks-per-node", required_argument, NULL, 'K'},
                                            {"output", required_argument, NULL, 'o'},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    int letter, rc = 0;
    while (rc == 0 && (letter = bine_option_next(argc, argv, "ho:", options)) != -1)
        rc = letter == 'h' ? -1 : take_option(w, letter);
    return rc;
}

static int read_numbers(const struct wish *w, struct bine_request *rq) {
    long root = 0;
    if (w->root != NULL && !bine_collective_is_rooted(rq->algorithm->collective))
        return bine_complain("--root: %s has no root",
                             bine_collective_name(rq->algorithm->collective));
    if (w->root != NULL && bine_word_number("root", w->root, 0, rq->p - 1, &root) != 0)
        return BINE_EXIT_USAGE;
    rq->root = (int)root;
    rq->segments = bine_segments_for(rq->algorithm, rq->p, w->bytes);
    return w->segments == NULL ? 0 : bine_word_segments(w->segments, rq->algorithm, &rq->segments);
}

static int make_request(const struct wish *w, char **names, struct bine_request *rq,
                        struct bine_place *place) {
    enum bine_collective c;
    if (bine_word_collective(names[0], &c) != 0 ||
        bine_word_algorithm(c, names[1], &rq->algorithm) != 0 ||
        bine_place_find(&w->where, bine_algorithm_needs(rq->algorithm), place) != 0)
        return BINE_EXIT_USAGE;
    if (bine_algorithm_needs(rq->algorithm) == BINE_NEEDS_BOARDS)
        return bine_complain("%s %s: boards cannot be exported: expected an algorithm of messages",
                             names[0], names[1]);
    bine_place_tell(place, rq);
    rq->node = NULL; /* messages only */
    rq->ports = w->ports;
    rq->in_place = w->in_place;
    if (w->in_place && !bine_collective_has_in_place(c))
        return bine_complain("--in-place: %s has no in-place form", names[0]);
    if (w->layout >= 0)
        rq->layout = (enum bine_layout)w->layout;
    else if (bine_algorithm_takes(rq->algorithm, rq->p))
        rq->layout = bine_algorithm_layout(rq->algorithm, rq->p);
    return read_numbers(w, rq) != 0 ? BINE_EXIT_USAGE : bine_request_complain(rq);
}

/* What the machine says of local work, or what is usual. */
static int find_rates(const struct wish *w, struct bine_rates *rates) {
    struct bine_machine *m = NULL;
    if (w->where.machine != NULL) {
        m = bine_machine_load(w->where.machine, w->where.level);
        if (m == NULL)
            return BINE_EXIT_USAGE;
        *rates = m->rates;
    }
    bine_machine_free(m);
    bine_rates_default(rates);
    return 0;
}

static int write_file(const struct wish *w, const struct bine_export_job *job) {
    FILE *to = w->file == NULL ? stdout : fopen(w->file, "w");
    if (to == NULL)
        return bine_complain("%s: %s", w->file, strerror(errno));
    int rc = formats[w->format].write(to, job);
    if (w->file == NULL)
        return rc;
    int broken = ferror(to);
    if ((fclose(to) != 0 || broken) && rc == 0)
        rc = bine_complain("%s: not everything could be written", w->file);
    return rc;
}

int bine_command_export(int argc, char **argv) {
    struct wish w = {.layout = -1, .format = -1, .bytes = 1 << 20};
    struct bine_export_job job = {0};
    struct bine_place place = {0};
    char command[128];
    int rc = read_options(argc, argv, &w);
    if (rc == -1)
        return printf("%s", help) < 0 ? BINE_EXIT_USAGE : BINE_EXIT_GOOD;
    if (rc == 0)
        rc = bine_arguments_count(argc, argv, 2, 2, "COLLECTIVE ALGORITHM --format F --ranks P");
    if (rc == 0 && w.format < 0)
        rc = bine_complain("which format? expected --format goal, ti or msccl");
    if (rc == 0)
        rc = make_request(&w, argv + optind, &job.request, &place);
    if (rc == 0)
        rc = find_rates(&w, &job.rates);
    if (rc == 0) {
        snprintf(command, sizeof command, "bine export %.40s %.40s, %d ranks", argv[optind],
                 argv[optind + 1], job.request.p);
        job.command = command;
        job.bytes = w.bytes;
        rc = write_file(&w, &job);
    }
    bine_place_free(&place);
    return rc;
}
