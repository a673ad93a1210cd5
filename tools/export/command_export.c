/* bine export: a schedule of all ranks for other simulators and runtimes. */
#include "base/words.h"
#include "cli/command.h"
#include "cli/options/schedule_options.h"
#include "export/export.h"

#include <errno.h>
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
    int empty; /* it has messages without data */
} formats[] = {
    {"goal", bine_export_goal, 1}, {"ti", bine_export_ti, 1}, {"msccl", bine_export_msccl, 0}};
enum { FORMATS = sizeof formats / sizeof *formats };

struct export_options {
    struct bine_schedule_options schedule;
    const char *file; /* NULL: standard output */
    int format;       /* -1: not given */
    int64_t bytes;
};

static int read_format(const struct bine_option *o, const char *word) {
    const char *names[FORMATS];
    for (int i = 0; i < FORMATS; i++) {
        names[i] = formats[i].name;
        if (strcmp(word, names[i]) == 0) {
            *(int *)o->to = i;
            return 0;
        }
    }
    return bine_complain_near(bine_nearest_word(word, names, FORMATS),
                              "--format '%s': expected goal, ti or msccl", word);
}

static int read_options(int argc, char **argv, struct export_options *o) {
    const struct bine_option rows[] = {
        {.name = "bytes",
         .read = bine_take_bytes,
         .to = &o->bytes,
         .high = INT64_C(1) << 40,
         .what = "--bytes"},
        {.name = "format", .read = read_format, .to = &o->format},
        {.name = "in-place", .read = bine_take_flag, .to = &o->schedule.in_place},
        {.name = "output", .letter = 'o', .read = bine_take_word, .to = &o->file},
        BINE_SCHEDULE_OPTIONS(&o->schedule),
        {0}};
    return bine_options_read(argc, argv, rows);
}

static int make_request(const struct export_options *o, char **names, struct bine_spec *spec,
                        struct bine_place *place) {
    if (bine_word_pair(names, &spec->algorithm) != 0)
        return BINE_EXIT_USAGE;
    if (bine_algorithm_needs(spec->algorithm) == BINE_NEEDS_BOARDS)
        return bine_complain("%s %s: boards cannot be exported: expected an algorithm of messages",
                             names[0], names[1]);
    if (spec->algorithm->exchanges_sizes)
        return bine_complain("%s %s sends sizes before blocks, and an export has one run: expected "
                             "%s",
                             names[0], names[1], BINE_ALGORITHM_DIRECT);
    if (spec->algorithm->collective == BINE_BARRIER && !formats[o->format].empty)
        return bine_complain("barrier: %s describes chunks of data, and a barrier has none: "
                             "expected --format goal or ti",
                             formats[o->format].name);
    if (bine_schedule_spec(&o->schedule, spec, place) != 0)
        return BINE_EXIT_USAGE;
    if (o->schedule.segments == NULL)
        spec->segments = bine_segments_for(spec->algorithm, spec->p, o->bytes);
    return 0;
}

/* What the machine says of local work, or what is usual. */
static struct bine_rates rates_of(const struct bine_place *place) {
    struct bine_rates rates = {0};
    if (place->machine != NULL)
        rates = place->machine->rates;
    bine_rates_default(&rates);
    return rates;
}

static int write_file(const struct export_options *o, const struct bine_export_job *job) {
    FILE *to = o->file == NULL ? stdout : fopen(o->file, "w");
    if (to == NULL)
        return bine_complain("%s: %s", o->file, strerror(errno));
    int rc = formats[o->format].write(to, job);
    if (o->file == NULL)
        return rc;
    int broken = ferror(to);
    if ((fclose(to) != 0 || broken) && rc == 0)
        rc = bine_complain("%s: not everything could be written", o->file);
    return rc;
}

int bine_command_export(int argc, char **argv) {
    struct export_options o = {.format = -1, .bytes = 1 << 20};
    struct bine_export_job job = {0};
    struct bine_place place = {0};
    char command[128];
    int rc = read_options(argc, argv, &o);
    if (rc == BINE_OPTIONS_HELP)
        return bine_options_help(help);
    if (rc == 0)
        rc = bine_arguments_count(argc, argv, 2, 2, "COLLECTIVE ALGORITHM --format F --ranks P");
    if (rc == 0 && o.format < 0)
        rc = bine_complain("which format? expected --format goal, ti or msccl");
    if (rc == 0)
        rc = make_request(&o, argv + optind, &job.request, &place);
    if (rc == 0) {
        snprintf(command, sizeof command, "bine export %.40s %.40s, %d ranks", argv[optind],
                 argv[optind + 1], job.request.p);
        job.command = command;
        job.rates = rates_of(&place);
        job.bytes = job.request.algorithm->collective == BINE_BARRIER ? 0 : o.bytes;
        rc = write_file(&o, &job);
    }
    bine_place_free(&place);
    return rc;
}
