/* bine show: the schedule of one rank or of all, step by step. */
#include "cli/command.h"
#include "cli/options/schedule_options.h"
#include "schedule/piece_bytes.h"
#include "schedule/walk/ranks.h"
#include "show/show.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: bine show COLLECTIVE ALGORITHM --ranks P [--rank K] [--root R] [--layout L]\n"
    "                 [--groups G] [--machine M --hosts H] [--dims D] [--ports N] [--in-place]\n"
    "                 [--boards] [--segments N] [--format text|csv|json]\n\n"
    "The schedule, step by step: what each rank sends, receives and does by itself. Blocks are "
    "the\n"
    "parts of the vector. They lie in three buffers: in (the caller's data), out (the result) and\n"
    "tmp. In a step, messages are posted together; local work comes after them.\n\n"
    "options:\n"
    "  --ranks P   number of ranks\n"
    "  --rank K    this rank only (default: all)\n"
    "  --root R    the root of bcast, reduce, gather and scatter (default 0)\n"
    "  --layout L  blocks, pack, permute or send (default: the one that would be taken)\n"
    "  --groups G  the groups of the ranks: sizes, as in 5,5,6, or a file with a name for each "
    "rank\n"
    "  --machine M, --hosts H\n"
    "              a machine or its file, and the hosts of the ranks on it, a file or a list: "
    "these\n"
    "              say how many ranks there are, and their groups or their torus\n"
    "  --ranks-per-node K\n"
    "              ranks on each host (default 1, or as the hosts say: n[1-4]*2)\n"
    "  --dims D    the torus of the ranks, row-major, as in 4x4x8\n"
    "  --ports N   of a torus algorithm: parts of the vector that travel at once (default 1)\n"
    "  --in-place  with MPI_IN_PLACE\n"
    "  --boards    the smallest groups are nodes, whose ranks share memory\n"
    "  --segments N  of a pipelined algorithm (default 4)\n"
    "  --format F  text (default), csv or json: a row for each operation\n"
    "  --help      this page\n\n"
    "examples:\n"
    "  bine show bcast bine-small --ranks 8\n"
    "  bine show gather bine-near --ranks 8 --rank 0\n"
    "  bine show reduce_scatter bine-near --ranks 8 --layout permute --rank 2\n"
    "  bine show allreduce bine-large --ranks 74 --format csv\n"
    "  bine show allgather bine-group --groups 3,2\n"
    "  bine show allgather bine-group --machine leonardo --hosts 'lrdn[0177-0184]' --rank 0\n"
    "  bine show scatter bine-torus --dims 4x4 --rank 0\n";

struct show_options {
    struct bine_schedule_options schedule;
    const char *rank; /* as typed; NULL: all */
    enum bine_format format;
};

static int read_options(int argc, char **argv, struct show_options *o) {
    const struct bine_option rows[] = {
        {.name = "rank", .read = bine_take_word, .to = &o->rank},
        {.name = "format", .read = bine_take_format, .to = &o->format},
        {.name = "in-place", .read = bine_take_flag, .to = &o->schedule.in_place},
        {.name = "boards", .read = bine_take_flag, .to = &o->schedule.boards},
        BINE_SCHEDULE_OPTIONS(&o->schedule),
        {0}};
    return bine_options_read(argc, argv, rows);
}

/* "bine-near:send" names a layout, too, as in 'bine simulate' and in reports. */
static int split_layout(struct show_options *o, char *name) {
    char *colon = strchr(name, ':');
    if (colon == NULL)
        return 0;
    if (o->schedule.layout != NULL && strcmp(o->schedule.layout, colon + 1) != 0)
        return bine_complain("%s with --layout %s: expected one layout", name, o->schedule.layout);
    *colon = '\0';
    o->schedule.layout = colon + 1;
    return 0;
}

static int make_request(struct show_options *o, char **names, struct bine_spec *spec,
                        struct bine_place *place) {
    if (split_layout(o, names[1]) != 0 || bine_word_pair(names, &spec->algorithm) != 0 ||
        bine_schedule_spec(&o->schedule, spec, place) != 0)
        return BINE_EXIT_USAGE;
    return o->rank == NULL ? 0 : bine_word_int("rank", o->rank, 0, spec->p - 1, &spec->rank);
}

static void print_heading(const struct bine_spec *spec, const struct bine_schedule *s) {
    printf("%s %s, %d rank%s", bine_collective_name(spec->algorithm->collective),
           spec->algorithm->name, s->p, bine_plural(s->p));
    if (bine_collective_is_rooted(s->collective))
        printf(", root %d", s->root);
    printf(", layout %s%s: %d step%s, %d block%s\n", bine_layout_name(s->layout),
           s->in_place ? ", in place" : "", s->times, bine_plural(s->times), s->blocks,
           bine_plural(s->blocks));
    if (s->exchanges_sizes)
        printf("runs twice: first with words that say the sizes, in place of blocks with even "
               "numbers;\nthen the data of rank b is block 2b, along the tree, or block 2b+1, "
               "directly, from %d bytes on\n",
               BINE_DIRECT_BYTES);
}

struct showing {
    const struct bine_spec *spec;
    int first; /* rank */
    enum bine_format format;
    struct bine_table table;
};

static int show_rank(void *self, const struct bine_schedule *s) {
    struct showing *x = self;
    if (x->format != BINE_FORMAT_TEXT)
        return bine_show_rows(&x->table, s);
    if (s->rank == x->first)
        print_heading(x->spec, s);
    bine_show_text(stdout, s);
    return 0;
}

static int show(const struct bine_spec *spec, const struct show_options *o) {
    struct showing x = {.spec = spec, .format = o->format};
    x.table.column = bine_show_columns;
    x.table.columns = bine_show_columns_count;
    x.first = o->rank == NULL ? 0 : spec->rank;
    int rc = o->rank == NULL ? bine_ranks_visit(spec, show_rank, &x)
                             : bine_ranks_visit_some(spec, &spec->rank, 1, show_rank, &x);
    if (rc != 0)
        rc = bine_complain("out of memory");
    if (rc == 0 && o->format != BINE_FORMAT_TEXT)
        rc = bine_table_print(&x.table, o->format);
    bine_table_free(&x.table);
    return rc;
}

int bine_command_show(int argc, char **argv) {
    struct show_options o = {0};
    struct bine_spec spec = {0};
    struct bine_place place = {0};
    int rc = read_options(argc, argv, &o);
    if (rc == BINE_OPTIONS_HELP)
        return bine_options_help(help);
    if (rc == 0)
        rc = bine_arguments_count(argc, argv, 2, 2, "COLLECTIVE ALGORITHM --ranks P");
    if (rc == 0)
        rc = make_request(&o, argv + optind, &spec, &place);
    rc = rc == 0 ? show(&spec, &o) : rc;
    bine_place_free(&place);
    return rc;
}
