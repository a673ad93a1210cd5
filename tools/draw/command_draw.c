/* bine draw: trees, butterflies and timelines. */
#include "base/words.h"
#include "cli/command.h"
#include "cli/input_file.h"
#include "cli/place.h"
#include "cli/shapes.h"
#include "draw/draw.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: bine draw tree|butterfly|schedule|torus [COLLECTIVE ALGORITHM] --ranks P [options]\n"
    "\n"
    "  tree        who sends to whom, and when; without names: bcast bine-small\n"
    "  butterfly   the messages of all ranks; without names: allgather bine-far\n"
    "  schedule    the messages of all ranks, with their blocks\n"
    "  torus       the messages of each step on a torus of one or two dimensions; without names:\n"
    "              allgather bine-torus\n"
    "\n"
    "options:\n"
    "  --ranks P       number of ranks\n"
    "  --groups G      the groups of the ranks, in colours: sizes, as in 5,5,6, or a file with a\n"
    "                  name for each rank\n"
    "  --machine M, --hosts H\n"
    "                  a machine or its file, and the hosts of the ranks on it, a file or a list:\n"
    "                  these say how many ranks there are, and their groups or their torus\n"
    "  --ranks-per-node K\n"
    "                  ranks on each host (default 1, or as the hosts say: n[1-4]*2)\n"
    "  --dims D        the torus of the ranks, row-major, as in 4x4\n"
    "  --ports N       draw torus: parts of the vector that travel at once\n"
    "  --segments N    of a pipelined algorithm (default 4)\n"
    "  --boards        the smallest groups are nodes, whose ranks share memory\n"
    "  --root R        the root; without one, the rank whose block is followed: drawn as a tree,\n"
    "                  highlighted in a butterfly or a schedule\n"
    "  --block B       follow block B on its way (where the root is not enough to say)\n"
    "  --layout L      of the schedules: blocks (unless told), pack, permute, send\n"
    "  --first K       the leftmost rank (unless told: a tree is cut where its arrows get\n"
    "                  shortest, others start with rank 0); not of a torus\n"
    "  --labels WHAT   on the arrows: none, distance, count (of blocks), blocks, or auto (unless\n"
    "                  told: in a schedule blocks where they are few, otherwise count; in others\n"
    "                  none); not of a torus\n"
    "  --distance      the same as --labels distance: the modular distance\n"
    "  --negabinary    below the ranks: rank2nb (far-first) or nu (near-first); powers of two\n"
    "  --ascii         text without box drawing characters\n"
    "  -o, --output FILE  .svg, .png, .pdf or .txt by the file's ending; otherwise the terminal\n"
    "  --help          this page\n\n"
    "examples:\n"
    "  bine draw tree --ranks 16 --distance\n"
    "  bine draw butterfly --ranks 8 --root 2\n"
    "  bine draw schedule allreduce bine-group --groups 5,5,6 -o groups.svg\n"
    "  bine draw tree bcast bine-group --machine leonardo --hosts 'lrdn[0177-0184]'\n"
    "  bine draw torus --dims 4x4 --ports 4 -o torus.png\n";

/* The words of the command line, before they are understood. */
struct words {
    const char *root, *block, *first, *layout, *labels, *file, *ports, *segments;
    struct bine_place_words where;
    const char *labels_option; /* the one that was given: --labels or --distance */
    int negabinary, ascii, boards;
    char **name;
    int names;
};

static int take_option(struct words *w, int letter) {
    switch (letter) {
    case 'n':
        w->where.ranks = optarg;
        return 0;
    case 'P':
        w->ports = optarg;
        return 0;
    case 's':
        w->segments = optarg;
        return 0;
    case 'B':
        w->boards = 1;
        return 0;
    case 'r':
        w->root = optarg;
        return 0;
    case 'b':
        w->block = optarg;
        return 0;
    case 'f':
        w->first = optarg;
        return 0;
    case 'l':
        w->layout = optarg;
        return 0;
    case 'L':
        w->labels = optarg;
        w->labels_option = "--labels";
        return 0;
    case 'D':
        w->labels = "distance";
        w->labels_option = "--distance";
        return 0;
    case 'N':
        w->negabinary = 1;
        return 0;
    case 'a':
        w->ascii = 1;
        return 0;
    case 'o':
        w->file = optarg;
        return 0;
    default:
        return bine_place_option(&w->where, letter);
    }
}

/* 0, BINE_EXIT_USAGE, or -1 if help was asked for. */
static int read_words(int argc, char **argv, struct words *w) {
    static const struct option options[] = {{"ranks", required_argument, NULL, 'n'},
                                            {"groups", required_argument, NULL, 'g'},
                                            {"dims", required_argument, NULL, 'd'},
                                            {"ports", required_argument, NULL, 'P'},
                                            {"machine", required_argument, NULL, 'm'},
                                            {"hosts", required_argument, NULL, 'H'},
                                            {"segments", required_argument, NULL, 's'},
                                            {"boards", no_argument, NULL, 'B'},
                                            {"root", required_argument, NULL, 'r'},
                                            {"block", required_argument, NULL, 'b'},
                                            {"first", required_argument, NULL, 'f'},
                                            {"layout", required_argument, NULL, 'l'},
                                            {"labels", required_argument, NULL, 'L'},
                                            {"distance", no_argument, NULL, 'D'},
                                            {"negabinary", no_argument, NULL, 'N'},
                                            {"ascii", no_argument, NULL, 'a'},
                                            {"output", required_argument, NULL, 'o'},
                                            {"ranks-per-node", required_argument, NULL, 'K'},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    int letter, rc = 0;
    while (rc == 0 && (letter = bine_option_next(argc, argv, "ho:", options)) != -1)
        rc = letter == 'h' ? -1 : take_option(w, letter);
    if (rc == 0)
        rc = bine_arguments_count(argc, argv, 1, 3,
                                  "tree|butterfly|schedule|torus [COLLECTIVE ALGORITHM] --ranks P");
    w->name = argv + optind;
    w->names = argc - optind;
    return rc;
}

static int find_word(const char *word, const char *const *list, int n) {
    for (int i = 0; i < n; i++)
        if (strcmp(word, list[i]) == 0)
            return i;
    return -1;
}

static int read_names(const struct words *w, struct bine_draw_wish *wish) {
    static const char *const kinds[] = {"tree", "butterfly", "schedule", "torus"};
    enum bine_collective c = BINE_BCAST;
    const char *algorithm = "bine-small";
    int kind = find_word(w->name[0], kinds, 4);
    if (kind < 0)
        return bine_complain_near(
            bine_nearest_word(w->name[0], kinds, 4),
            "unknown drawing '%s': expected tree, butterfly, schedule or torus", w->name[0]);
    wish->kind = (enum bine_draw_kind)kind;
    if (w->names == 2)
        return bine_complain("draw %s %s: expected an algorithm after it", kinds[kind], w->name[1]);
    if (w->names == 1 && kind == BINE_DRAW_SCHEDULE)
        return bine_complain("draw schedule: expected COLLECTIVE ALGORITHM after it");
    if (w->names == 1 && (kind == BINE_DRAW_BUTTERFLY || kind == BINE_DRAW_TORUS)) {
        c = BINE_ALLGATHER;
        algorithm = kind == BINE_DRAW_TORUS ? "bine-torus" : "bine-far";
    } else if (w->names == 3) {
        if (bine_word_collective(w->name[1], &c) != 0)
            return BINE_EXIT_USAGE;
        algorithm = w->name[2];
    }
    return bine_word_algorithm(c, algorithm, &wish->request.algorithm);
}

/* A rank or block number, if the word is there. */
static int read_number(const char *what, const char *word, int p, int *value) {
    long number;
    if (word == NULL)
        return 0;
    if (bine_word_number(what, word, 0, p - 1, &number) != 0)
        return BINE_EXIT_USAGE;
    *value = (int)number;
    return 0;
}

static int read_places(const struct words *w, struct bine_draw_wish *wish) {
    int p = wish->request.p, root = -1;
    wish->first = -1;
    if (read_number("root", w->root, p, &root) != 0 ||
        read_number("first", w->first, p, &wish->first) != 0)
        return BINE_EXIT_USAGE;
    if (bine_collective_is_rooted(wish->request.algorithm->collective))
        wish->request.root = root >= 0 ? root : 0;
    wish->rank = root;
    return 0;
}

static const char *what_is(const struct bine_draw_format *f) {
    return f == &bine_draw_text_format ? "a text drawing" : "a picture";
}

/* The block that is followed, of those that the schedules have: the one named, or without a root of
 * its own the first of the rank that is named. */
static int read_block(const struct words *w, struct bine_draw_wish *wish,
                      const struct bine_draw_format *f) {
    int rooted = bine_collective_is_rooted(wish->request.algorithm->collective);
    int blocks, parts, steps;
    if (bine_draw_measure(&wish->request, &blocks, &parts, &steps) != 0)
        return bine_complain("out of memory");
    if (steps > f->most_steps)
        return bine_complain("%d steps: %s takes at most %d", steps, what_is(f), f->most_steps);
    wish->block = -1;
    if (w->block != NULL)
        return read_number("block", w->block, blocks, &wish->block);
    if (!rooted && wish->rank >= 0)
        wish->block = wish->rank * parts;
    else if (!rooted && wish->kind == BINE_DRAW_TREE)
        wish->block = 0;
    return wish->block < blocks
               ? 0
               : bine_complain("block %d: expected 0 to %d", wish->block, blocks - 1);
}

/* What a kind of drawing has no use for. */
static int check_kind(const struct words *w, const struct bine_draw_wish *wish) {
    const char *option = w->labels != NULL  ? w->labels_option
                         : w->first != NULL ? "--first"
                         : w->negabinary    ? "--negabinary"
                                            : NULL;
    if (wish->kind == BINE_DRAW_TORUS && option != NULL)
        return bine_complain("%s: not with draw torus", option);
    if (wish->kind != BINE_DRAW_TORUS && w->ports != NULL)
        return bine_complain("--ports: expected with draw torus only");
    if (wish->kind == BINE_DRAW_TORUS && w->where.dims == NULL && w->where.machine == NULL)
        return bine_complain("missing --dims: expected the torus, as in --dims 4x4");
    return 0;
}

static int read_style(const struct words *w, struct bine_draw_wish *wish) {
    static const char *const labels[] = {"auto", "none", "distance", "count", "blocks"};
    int label = w->labels == NULL ? BINE_LABEL_AUTO : find_word(w->labels, labels, 5);
    if (label < 0)
        return bine_complain_near(
            bine_nearest_word(w->labels, labels, 5),
            "unknown labels '%s': expected auto, none, distance, count or blocks", w->labels);
    wish->labels = (enum bine_draw_labels)label;
    wish->negabinary = w->negabinary;
    wish->request.layout = BINE_BLOCKS;
    if (w->negabinary && !bine_draw_has_notes(&wish->request))
        return bine_complain("--negabinary: expected a Bine algorithm and a power of two, not "
                             "%s %s with %d ranks",
                             bine_collective_name(wish->request.algorithm->collective),
                             wish->request.algorithm->name, wish->request.p);
    return w->layout == NULL ? 0 : bine_word_layout(w->layout, &wish->request.layout);
}

/* Where the ranks are, and how many. */
static int read_ranks(const struct words *w, struct bine_draw_wish *wish,
                      struct bine_place *place) {
    char text[BINE_SHAPE_TEXT];
    if ((w->ports != NULL && bine_word_ports(w->ports, &wish->request.ports) != 0) ||
        bine_place_find(&w->where, bine_algorithm_needs(wish->request.algorithm), place) != 0)
        return BINE_EXIT_USAGE;
    bine_place_tell(place, &wish->request);
    if (wish->kind != BINE_DRAW_TORUS)
        return 0;
    if (place->dims.dims == 0)
        return bine_complain("draw torus: machine '%s' is no torus", w->where.machine);
    if (place->dims.dims > 2)
        return bine_complain("dims %s: a drawing of a torus takes one or two",
                             bine_shape_text(&place->dims, text));
    return 0;
}

static int read_wish(const struct words *w, struct bine_draw_wish *wish, struct bine_place *place) {
    if (read_names(w, wish) != 0 || check_kind(w, wish) != 0 || read_ranks(w, wish, place) != 0)
        return BINE_EXIT_USAGE;
    if (read_places(w, wish) != 0 || read_style(w, wish) != 0 ||
        (w->segments != NULL &&
         bine_word_segments(w->segments, wish->request.algorithm, &wish->request.segments) != 0))
        return BINE_EXIT_USAGE;
    if (bine_request_complain(&wish->request) != 0)
        return BINE_EXIT_USAGE;
    return w->boards ? bine_place_boards(&wish->request) : 0;
}

/* Colour on a terminal only; box drawing where the locale has it, and always in a file. */
static void set_terminal(struct bine_draw_wish *wish, const struct words *w) {
    wish->ascii = w->ascii;
    if (w->file != NULL)
        return;
    setlocale(LC_CTYPE, "");
    wish->ascii |= strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    wish->colour = isatty(STDOUT_FILENO);
}

static int draw(const struct bine_draw_wish *wish, const struct bine_draw_format *f,
                const char *file) {
    struct bine_drawing d;
    int rc = 0;
    if (bine_drawing_make(&d, wish) != 0) {
        rc = bine_complain("out of memory");
    } else if (d.narrows > (uint32_t)f->most_arrows) {
        rc = bine_complain("%u messages: a drawing takes at most %d", d.narrows, f->most_arrows);
    } else if (file != NULL) {
        if (bine_draw_save(&d, f, file) != 0)
            rc = bine_complain("cannot write %s: %s", file, strerror(errno));
    } else if (bine_draw_text(&d, stdout) != 0 || fflush(stdout) != 0) {
        rc = bine_complain("cannot write the drawing: %s", strerror(errno));
    }
    bine_drawing_free(&d);
    return rc;
}

static int run(const struct words *w, struct bine_place *place) {
    struct bine_draw_wish wish = {0};
    const struct bine_draw_format *f = &bine_draw_text_format;
    if (read_wish(w, &wish, place) != 0)
        return BINE_EXIT_USAGE;
    if (w->file != NULL && (f = bine_draw_format_find(w->file)) == NULL)
        return bine_complain("%s: expected a name ending in .svg, .png, .pdf or .txt",
                             bine_file_shown(w->file));
    if (w->ascii && f != &bine_draw_text_format)
        return bine_complain("--ascii: not in a picture");
    if (wish.request.p > f->most_ranks)
        return bine_complain("%d ranks: %s takes at most %d", wish.request.p, what_is(f),
                             f->most_ranks);
    set_terminal(&wish, w);
    struct bine_tree *tree = bine_request_tree(&wish.request);
    wish.request.tree = tree;
    int rc = read_block(w, &wish, f);
    if (rc == 0)
        rc = draw(&wish, f, w->file);
    bine_tree_free(tree);
    return rc;
}

int bine_command_draw(int argc, char **argv) {
    struct words w = {0};
    struct bine_place place = {0};
    int rc = read_words(argc, argv, &w);
    if (rc == -1) {
        printf("%s", help);
        return BINE_EXIT_GOOD;
    }
    if (rc == 0)
        rc = run(&w, &place);
    bine_place_free(&place);
    return rc;
}
