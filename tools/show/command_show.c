/* bine show: the schedule of one rank or of all, step by step. */
#include "cli/command.h"
#include "cli/place.h"
#include "cli/shapes.h"
#include "show/show.h"

#include <stdio.h>

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

struct wish {
    const char *rank, *root, *segments; /* the words; NULL: not given */
    struct bine_place_words where;
    int ports;
    int layout; /* -1: not given */
    int in_place, boards;
    enum bine_format format;
};

static int take_option(struct wish *w, int letter) {
    enum bine_layout l = BINE_BLOCKS;
    switch (letter) {
    case 'n':
        w->where.ranks = optarg;
        return 0;
    case 'k':
        w->rank = optarg;
        return 0;
    case 'r':
        w->root = optarg;
        return 0;
    case 's':
        w->segments = optarg;
        return 0;
    case 'P':
        return bine_word_ports(optarg, &w->ports);
    case 'i':
        w->in_place = 1;
        return 0;
    case 'b':
        w->boards = 1;
        return 0;
    case 'f':
        return bine_word_format(optarg, &w->format);
    case 'l':
        if (bine_word_layout(optarg, &l) != 0)
            return BINE_EXIT_USAGE;
        w->layout = (int)l;
        return 0;
    default:
        return bine_place_option(&w->where, letter);
    }
}

/* 0, BINE_EXIT_USAGE, or -1 if help was asked for. */
static int read_options(int argc, char **argv, struct wish *w) {
    static const struct option options[] = {{"ranks", required_argument, NULL, 'n'},
                                            {"rank", required_argument, NULL, 'k'},
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
                                            {"boards", no_argument, NULL, 'b'},
                                            {"ranks-per-node", required_argument, NULL, 'K'},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    int letter, rc = 0;
    while (rc == 0 && (letter = bine_option_next(argc, argv, "h", options)) != -1)
        rc = letter == 'h' ? -1 : take_option(w, letter);
    return rc;
}

static int read_numbers(const struct wish *w, struct bine_request *rq) {
    long rank = 0, root = 0;
    if ((w->rank != NULL && bine_word_number("rank", w->rank, 0, rq->p - 1, &rank) != 0) ||
        (w->root != NULL && bine_word_number("root", w->root, 0, rq->p - 1, &root) != 0) ||
        (w->segments != NULL && bine_word_segments(w->segments, rq->algorithm, &rq->segments) != 0))
        return BINE_EXIT_USAGE;
    if (w->root != NULL && !bine_collective_is_rooted(rq->algorithm->collective))
        return bine_complain("--root: %s has no root",
                             bine_collective_name(rq->algorithm->collective));
    rq->rank = (int)rank;
    rq->root = (int)root;
    return 0;
}

static int make_request(const struct wish *w, char **names, struct bine_request *rq,
                        struct bine_place *place) {
    enum bine_collective c;
    if (bine_word_collective(names[0], &c) != 0 ||
        bine_word_algorithm(c, names[1], &rq->algorithm) != 0 ||
        bine_place_find(&w->where, bine_algorithm_needs(rq->algorithm), place) != 0)
        return BINE_EXIT_USAGE;
    bine_place_tell(place, rq);
    rq->ports = w->ports;
    if (read_numbers(w, rq) != 0)
        return BINE_EXIT_USAGE;
    rq->in_place = w->in_place;
    if (w->boards && bine_place_boards(rq) != 0)
        return BINE_EXIT_USAGE;
    if (w->in_place && !bine_collective_has_in_place(c))
        return bine_complain("--in-place: %s has no in-place form", names[0]);
    if (w->layout >= 0)
        rq->layout = (enum bine_layout)w->layout;
    else if (bine_algorithm_takes(rq->algorithm, rq->p))
        rq->layout = bine_algorithm_layout(rq->algorithm, rq->p);
    return bine_request_complain(rq);
}

static void print_heading(const struct bine_request *rq, const struct bine_schedule *s) {
    printf("%s %s, %d rank%s", bine_collective_name(s->collective), rq->algorithm->name, s->p,
           bine_plural(s->p));
    if (bine_collective_is_rooted(s->collective))
        printf(", root %d", s->root);
    printf(", layout %s%s: %d step%s, %d block%s\n", bine_layout_name(s->layout),
           s->in_place ? ", in place" : "", s->times, bine_plural(s->times), s->blocks,
           bine_plural(s->blocks));
}

static int show_ranks(struct bine_request *rq, int first, int last, enum bine_format format,
                      struct bine_table *t) {
    for (rq->rank = first; rq->rank <= last; rq->rank++) {
        struct bine_schedule *s = bine_schedule_build(rq);
        int rc = s == NULL ? -1 : 0;
        if (rc == 0 && format != BINE_FORMAT_TEXT)
            rc = bine_show_rows(t, s);
        else if (rc == 0) {
            if (rq->rank == first)
                print_heading(rq, s);
            bine_show_text(stdout, s);
        }
        bine_schedule_free(s);
        if (rc != 0)
            return bine_complain("out of memory");
    }
    return 0;
}

static int show(struct bine_request *rq, const struct wish *w) {
    struct bine_table t = {.column = bine_show_columns, .columns = bine_show_columns_count};
    struct bine_tree *tree = bine_request_tree(rq);
    int first = rq->rank, last = w->rank == NULL ? rq->p - 1 : rq->rank;
    rq->tree = tree;
    int rc = show_ranks(rq, first, last, w->format, &t);
    if (rc == 0 && w->format != BINE_FORMAT_TEXT)
        rc = bine_table_print(&t, w->format);
    bine_table_free(&t);
    bine_tree_free(tree);
    return rc;
}

int bine_command_show(int argc, char **argv) {
    struct wish w = {.layout = -1};
    struct bine_request rq = {0};
    struct bine_place place = {0};
    int rc = read_options(argc, argv, &w);
    if (rc == -1) {
        printf("%s", help);
        return BINE_EXIT_GOOD;
    }
    if (rc == 0)
        rc = bine_arguments_count(argc, argv, 2, 2, "COLLECTIVE ALGORITHM --ranks P");
    if (rc == 0)
        rc = make_request(&w, argv + optind, &rq, &place);
    rc = rc == 0 ? show(&rq, &w) : rc;
    bine_place_free(&place);
    return rc;
}
