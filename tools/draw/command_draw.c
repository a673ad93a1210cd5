/* bine draw: trees, butterflies and timelines. */
#include "base/words.h"
#include "cli/command.h"
#include "cli/input_file.h"
#include "cli/options/schedule_options.h"
#include "draw/draw.h"
#include "draw/machine_map.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: bine draw tree|butterfly|schedule|torus [COLLECTIVE ALGORITHM] --ranks P [options]\n"
    "       bine draw machine --machine M --hosts H [-o FILE]\n"
    "\n"
    "  tree        who sends to whom, and when; without names: bcast bine-small\n"
    "  butterfly   the messages of all ranks; without names: allgather bine-far\n"
    "  schedule    the messages of all ranks, with their blocks\n"
    "  torus       the messages of each step on a torus of one or two dimensions; without names:\n"
    "              allgather bine-torus\n"
    "  machine     the machine and the job's ranks on it, by group, switch and node; see\n"
    "              'bine draw machine --help'\n"
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
    "  --layout L      of the schedules: blocks (unless told, if it has it), pack, permute, send\n"
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

/* The command line before it is understood. */
struct draw_options {
    struct bine_schedule_options schedule;
    const char *block, *first, *labels, *file; /* as typed; NULL: not given */
    int distance, negabinary, ascii;
    char **name;
    int names;
};

static int read_options(int argc, char **argv, struct draw_options *o) {
    const struct bine_option rows[] = {
        BINE_SCHEDULE_OPTIONS(&o->schedule),
        {.name = "boards", .read = bine_take_flag, .to = &o->schedule.boards},
        {.name = "block", .read = bine_take_word, .to = &o->block},
        {.name = "first", .read = bine_take_word, .to = &o->first},
        {.name = "labels", .read = bine_take_word, .to = &o->labels},
        {.name = "distance", .read = bine_take_flag, .to = &o->distance},
        {.name = "negabinary", .read = bine_take_flag, .to = &o->negabinary},
        {.name = "ascii", .read = bine_take_flag, .to = &o->ascii},
        {.name = "output", .letter = 'o', .read = bine_take_word, .to = &o->file},
        {0}};
    int rc = bine_options_read(argc, argv, rows);
    if (rc == 0)
        rc = bine_arguments_count(argc, argv, 1, 3,
                                  "tree|butterfly|schedule|torus [COLLECTIVE ALGORITHM] --ranks P");
    o->name = argv + optind;
    o->names = argc - optind;
    return rc;
}

static int find_word(const char *word, const char *const *list, int n) {
    for (int i = 0; i < n; i++)
        if (strcmp(word, list[i]) == 0)
            return i;
    return -1;
}

static int read_names(const struct draw_options *o, struct bine_draw_wish *wish) {
    static const char *const kinds[] = {"tree", "butterfly", "schedule", "torus"};
    enum bine_collective c = BINE_BCAST;
    const char *algorithm = "bine-small";
    int kind = find_word(o->name[0], kinds, 4);
    if (kind < 0)
        return bine_complain_near(
            bine_nearest_word(o->name[0], kinds, 4),
            "unknown drawing '%s': expected tree, butterfly, schedule, torus or machine",
            o->name[0]);
    wish->kind = (enum bine_draw_kind)kind;
    if (o->names == 2)
        return bine_complain("draw %s %s: expected an algorithm after it", kinds[kind], o->name[1]);
    if (o->names == 1 && kind == BINE_DRAW_SCHEDULE)
        return bine_complain("draw schedule: expected COLLECTIVE ALGORITHM after it");
    if (o->names == 1 && (kind == BINE_DRAW_BUTTERFLY || kind == BINE_DRAW_TORUS)) {
        c = BINE_ALLGATHER;
        algorithm = kind == BINE_DRAW_TORUS ? "bine-torus" : "bine-far";
    } else if (o->names == 3) {
        if (bine_word_collective(o->name[1], &c) != 0)
            return BINE_EXIT_USAGE;
        algorithm = o->name[2];
    }
    return bine_word_algorithm(c, algorithm, &wish->request.algorithm);
}

/* A rank or block number, if the word is there. */
static int read_number(const char *what, const char *word, int p, int *value) {
    return word == NULL ? 0 : bine_word_int(what, word, 0, p - 1, value);
}

static int read_places(const struct draw_options *o, struct bine_draw_wish *wish) {
    int p = wish->request.p, root = -1;
    wish->first = -1;
    if (read_number("root", o->schedule.root, p, &root) != 0 ||
        read_number("first", o->first, p, &wish->first) != 0)
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
static int read_block(const struct draw_options *o, struct bine_draw_wish *wish,
                      const struct bine_draw_format *f) {
    int rooted = bine_collective_is_rooted(wish->request.algorithm->collective);
    int blocks, parts, steps;
    if (bine_draw_measure(&wish->request, &blocks, &parts, &steps) != 0)
        return bine_complain("out of memory");
    if (steps > f->most_steps)
        return bine_complain("%d steps: %s takes at most %d", steps, what_is(f), f->most_steps);
    wish->block = -1;
    if (o->block != NULL)
        return read_number("block", o->block, blocks, &wish->block);
    if (!rooted && wish->rank >= 0)
        wish->block = wish->rank * parts;
    else if (!rooted && wish->kind == BINE_DRAW_TREE)
        wish->block = 0;
    return wish->block < blocks
               ? 0
               : bine_complain("block %d: expected 0 to %d", wish->block, blocks - 1);
}

/* Complain of options that this kind of drawing does not use. */
static int check_kind(const struct draw_options *o, const struct bine_draw_wish *wish) {
    const char *option = o->distance         ? "--distance"
                         : o->labels != NULL ? "--labels"
                         : o->first != NULL  ? "--first"
                         : o->negabinary     ? "--negabinary"
                                             : NULL;
    if (wish->kind == BINE_DRAW_TORUS && option != NULL)
        return bine_complain("%s: not with draw torus", option);
    if (wish->kind != BINE_DRAW_TORUS && o->schedule.ports != NULL)
        return bine_complain("--ports: expected with draw torus only");
    if (wish->kind == BINE_DRAW_TORUS && o->schedule.where.dims == NULL &&
        o->schedule.where.machine == NULL)
        return bine_complain("missing --dims: expected the torus, as in --dims 4x4");
    return 0;
}

static int read_style(const struct draw_options *o, struct bine_draw_wish *wish) {
    static const char *const labels[] = {"auto", "none", "distance", "count", "blocks"};
    int label = o->distance         ? BINE_LABEL_DISTANCE
                : o->labels == NULL ? BINE_LABEL_AUTO
                                    : find_word(o->labels, labels, 5);
    if (label < 0)
        return bine_complain_near(
            bine_nearest_word(o->labels, labels, 5),
            "unknown labels '%s': expected auto, none, distance, count or blocks", o->labels);
    wish->labels = (enum bine_draw_labels)label;
    wish->negabinary = o->negabinary;
    wish->request.layout =
        bine_algorithm_has_layout(wish->request.algorithm, BINE_BLOCKS, wish->request.p)
            ? BINE_BLOCKS
            : BINE_PACK;
    if (o->negabinary && !bine_draw_has_notes(&wish->request))
        return bine_complain("--negabinary: expected a Bine algorithm and a power of two, not "
                             "%s %s with %d ranks",
                             bine_collective_name(wish->request.algorithm->collective),
                             wish->request.algorithm->name, wish->request.p);
    return o->schedule.layout == NULL ? 0
                                      : bine_word_layout(o->schedule.layout, &wish->request.layout);
}

/* Where the ranks are, and how many. */
static int read_ranks(const struct draw_options *o, struct bine_draw_wish *wish,
                      struct bine_place *place) {
    char text[BINE_SHAPE_TEXT];
    if (bine_schedule_ports(&o->schedule, &wish->request) != 0 ||
        bine_place_find(&o->schedule.where, bine_algorithm_needs(wish->request.algorithm), place) !=
            0)
        return BINE_EXIT_USAGE;
    bine_place_tell(place, &wish->request);
    if (wish->kind != BINE_DRAW_TORUS)
        return 0;
    if (place->dims.dims == 0)
        return bine_complain("draw torus: machine '%s' is no torus", o->schedule.where.machine);
    if (place->dims.dims > 2)
        return bine_complain("dims %s: a drawing of a torus takes one or two",
                             bine_shape_text(&place->dims, text));
    return 0;
}

static int read_wish(const struct draw_options *o, struct bine_draw_wish *wish,
                     struct bine_place *place) {
    if (read_names(o, wish) != 0 || check_kind(o, wish) != 0 || read_ranks(o, wish, place) != 0)
        return BINE_EXIT_USAGE;
    if (read_places(o, wish) != 0 || read_style(o, wish) != 0 ||
        bine_schedule_segments(&o->schedule, &wish->request) != 0)
        return BINE_EXIT_USAGE;
    if (bine_spec_complain(&wish->request) != 0)
        return BINE_EXIT_USAGE;
    return o->schedule.boards ? bine_place_boards(&wish->request) : 0;
}

/* Colour on a terminal only; box drawing where the locale has it, and always in a file. */
static void set_terminal(struct bine_draw_wish *wish, const struct draw_options *o) {
    wish->ascii = o->ascii;
    if (o->file != NULL)
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

static int run(const struct draw_options *o, struct bine_place *place) {
    struct bine_draw_wish wish = {0};
    const struct bine_draw_format *f = &bine_draw_text_format;
    if (read_wish(o, &wish, place) != 0)
        return BINE_EXIT_USAGE;
    if (o->file != NULL && (f = bine_draw_format_find(o->file)) == NULL)
        return bine_complain("%s: expected a name ending in .svg, .png, .pdf or .txt",
                             bine_file_shown(o->file));
    if (o->ascii && f != &bine_draw_text_format)
        return bine_complain("--ascii: not in a picture");
    if (wish.request.p > f->most_ranks)
        return bine_complain("%d ranks: %s takes at most %d", wish.request.p, what_is(f),
                             f->most_ranks);
    set_terminal(&wish, o);
    struct bine_tree *tree = bine_spec_tree(&wish.request);
    wish.request.tree = tree;
    int rc = read_block(o, &wish, f);
    if (rc == 0)
        rc = draw(&wish, f, o->file);
    bine_tree_free(tree);
    return rc;
}

int bine_command_draw(int argc, char **argv) {
    struct draw_options o = {0};
    struct bine_place place = {0};
    if (argc > 1 && strcmp(argv[1], "machine") == 0)
        return bine_command_draw_machine(argc, argv);
    int rc = read_options(argc, argv, &o);
    if (rc == BINE_OPTIONS_HELP)
        return bine_options_help(help);
    if (rc == 0)
        rc = run(&o, &place);
    bine_place_free(&place);
    return rc;
}
