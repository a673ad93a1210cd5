/* bine check: prove schedules. */
#include "base/numbers.h"
#include "check/proofs.h"
#include "check/sequences.h"
#include "cli/command.h"
#include "cli/options/place.h"
#include "pattern/groups/groupings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char help[] =
    "usage: bine check [COLLECTIVE [ALGORITHM]] --ranks RANGE [--roots all|LIST] [--layout L]\n"
    "                  [--groups G] [--machine M --hosts H] [--dims D] [--ports N]\n"
    "                  [--segments N] [--random N [--seed S]] [--sequences N [--seed S]]\n"
    "                  [--jobs N]\n\n"
    "Proves schedules: those of all ranks are executed together, symbolically. Every rank must "
    "end\n"
    "with exactly the data it must have, every contribution once, with no message unmatched, no\n"
    "deadlock, and no more steps or data than promised. A schedule counts once for a collective,\n"
    "algorithm, layout, number of ranks and root: all its ranks, in place and not.\n\n"
    "options:\n"
    "  --ranks RANGE  numbers of ranks, as in 1-64,100,128\n"
    "  --roots R      roots of the rooted collectives: all, or a list as in 0,3,8-11 (default 0)\n"
    "  --groups G     the groups of the ranks: sizes, as in 5,5,6, or a file with a name for each\n"
    "                 rank. Without it, algorithms that need groups are proved for every grouping\n"
    "                 of up to 8 ranks, for 4 drawn ones of up to 16, above for one, and with\n"
    "                 --random for as many as are drawn\n"
    "  --machine M, --hosts H\n"
    "                 a machine or its file, and the hosts of the ranks on it, a file or a list: "
    "as\n"
    "                 --groups with the groups of the hosts or, if it is a torus, as --dims with\n"
    "                 theirs\n"
    "  --ranks-per-node K\n"
    "                 ranks on each host (default 1, or as the hosts say: n[1-4]*2)\n"
    "  --layout L     blocks, pack, permute or send (default: every one there is)\n"
    "  --dims D       prove algorithms that need dims, only: on these tori, as in 4x4,2x6x2, on "
    "all of\n"
    "                 up to three dimensions (all), or on those of even dimensions (even). "
    "Without\n"
    "                 it, they are proved on one torus, as near to a cube as can be; with all "
    "ports\n"
    "                 up to 128 ranks, and then of all roots at every fourth\n"
    "  --ports N      with N parts at once (default: one, and as many as there can be); more than\n"
    "                 one: prove algorithms that need dims, only\n"
    "  --segments N   prove pipelines, only: with N segments (default: with 4 and with one;\n"
    "                 of all roots of more than 64 ranks in groups, with 4 at every eighth)\n"
    "  --random N     only N of them, drawn at random\n"
    "  --sequences N  of algorithms on boards, only: N sequences of three calls, drawn at random,\n"
    "                 of each number of ranks, on one node or in nodes, on boards of two slots:\n"
    "                 blocking or not, with other roots and in rounds. Up to 3 ranks in all\n"
    "                 interleavings, above in 20\n"
    "  --seed S       the same ones again\n"
    "  --jobs N       processes at once (default: one for each core)\n"
    "  --help         this page\n\n"
    "examples:\n"
    "  bine check --ranks 1-16 --roots all\n"
    "  bine check allreduce bine-large --ranks 1000,1023,1024\n"
    "  bine check --ranks 2-300 --random 500 --seed 7\n"
    "  bine check allreduce bine-group --groups 5,3,6,2\n"
    "  bine check allreduce bine-group --machine leonardo --hosts 'lrdn[0177-0184]'\n"
    "  bine check allgather bine-torus --dims 4x6x4\n"
    "  bine check --ranks 2-128 --dims all\n"
    "  bine check all bine-group --ranks 9-64 --random 10000 --seed 1\n"
    "  bine check --ranks 2-16 --sequences 100 --seed 1\n";

/* Symbolic values are 32-bit numbers, and there are 2 p^2 of them. */
enum { RANKS_MOST = 32768 };

struct check_options {
    const struct bine_algorithm *algorithm; /* NULL: all */
    const char *name;                       /* of the algorithm, of all collectives that have it */
    int collective;                         /* -1: all */
    int layout;                             /* -1: all */
    const char *ranks_word, *roots_word, *dims_word;
    struct bine_place_words where; /* without dims, which are a list here */
    char ranks_text[16];
    char *tori_ranks; /* of the tori that were given */
    struct bine_tori tori;
    struct bine_place place; /* no ranks: not given */
    struct bine_range ranks, roots;
    int all_roots;
    long random;    /* 0: everything */
    long sequences; /* 0: single calls */
    long seed;      /* -1: from the clock */
    long segments;  /* 0: not given */
    long jobs;
};

static int take_tori(const struct bine_option *o, const char *word) {
    struct check_options *w = o->to;
    w->dims_word = word;
    return bine_word_tori(word, &w->tori);
}

static int read_options(int argc, char **argv, struct check_options *w) {
    enum { MANY = 100000000 };
    const struct bine_option rows[] = {
        {.name = "ranks", .read = bine_take_word, .to = &w->ranks_word},
        {.name = "roots", .read = bine_take_word, .to = &w->roots_word},
        {.name = "layout", .read = bine_take_layout, .to = &w->layout},
        {.name = "random", .read = bine_take_long, .to = &w->random, .low = 1, .high = MANY},
        {.name = "seed", .read = bine_take_long, .to = &w->seed, .high = 0x7fffffff},
        {.name = "jobs",
         .letter = 'j',
         .read = bine_take_long,
         .to = &w->jobs,
         .low = 1,
         .high = 4096},
        {.name = "groups", .read = bine_take_word, .to = &w->where.groups},
        {.name = "dims", .read = take_tori, .to = w},
        {.name = "ports", .read = bine_take_ports, .to = &w->tori.ports},
        {.name = "segments",
         .read = bine_take_long,
         .to = &w->segments,
         .low = 1,
         .high = BINE_SEGMENTS_MOST},
        BINE_HOST_OPTIONS(&w->where),
        {.name = "sequences", .read = bine_take_long, .to = &w->sequences, .low = 1, .high = MANY},
        {0}};
    int rc = bine_options_read(argc, argv, rows);
    return rc != 0
               ? rc
               : bine_arguments_count(argc, argv, 0, 2, "[COLLECTIVE [ALGORITHM]] --ranks RANGE");
}

/* An algorithm of whatever collectives have it. */
static int read_name(const char *name, struct check_options *w) {
    const char *near = NULL;
    for (int c = 0; c < BINE_COLLECTIVES && w->name == NULL; c++) {
        if (bine_algorithm_find((enum bine_collective)c, name) != NULL)
            w->name = name;
        else if (near == NULL)
            near = bine_algorithm_suggest((enum bine_collective)c, name);
    }
    return w->name != NULL
               ? 0
               : bine_complain_near(
                     near, "unknown algorithm '%s': expected one that 'bine list' prints", name);
}

static int read_names(int argc, char **argv, struct check_options *w) {
    enum bine_collective c;
    if (optind == argc)
        return 0;
    if (strcmp(argv[optind], "all") == 0)
        return optind + 1 == argc ? 0 : read_name(argv[optind + 1], w);
    if (bine_word_collective(argv[optind], &c) != 0)
        return BINE_EXIT_USAGE;
    w->collective = (int)c;
    if (optind + 1 == argc)
        return 0;
    return bine_word_algorithm(c, argv[optind + 1], &w->algorithm);
}

/* As many ranks as the tori have. */
static int read_tori(struct check_options *w) {
    size_t size = 12 * w->tori.count + 1, at = 0;
    char text[BINE_SHAPE_TEXT];
    for (size_t i = 0; i < w->tori.count; i++)
        if (bine_shape_nodes(&w->tori.list[i]) > RANKS_MOST)
            return bine_complain("dims %s: %d ranks, expected at most %d",
                                 bine_shape_text(&w->tori.list[i], text),
                                 bine_shape_nodes(&w->tori.list[i]), RANKS_MOST);
    if (w->ranks_word != NULL || w->tori.count == 0)
        return 0;
    w->tori_ranks = malloc(size);
    if (w->tori_ranks == NULL)
        return bine_complain("out of memory");
    for (size_t i = 0; i < w->tori.count; i++)
        at += (size_t)snprintf(w->tori_ranks + at, size - at, "%s%d", i == 0 ? "" : ",",
                               bine_shape_nodes(&w->tori.list[i]));
    w->ranks_word = w->tori_ranks;
    return 0;
}

/* The one to be proved, or the first of those of a name; NULL: all. */
static const struct bine_algorithm *one_of(const struct check_options *w) {
    for (size_t i = 0; w->name != NULL && i < bine_catalogue_size; i++)
        if (bine_algorithm_find(bine_catalogue[i].collective, w->name) == &bine_catalogue[i])
            return &bine_catalogue[i];
    return w->algorithm;
}

/* The groups that were given, or what the hosts of a machine are in: of a torus, its dims if
 * nothing says that something else is wanted. */
static int read_place(struct check_options *w) {
    char name[BINE_PLACE_NAME];
    if (bine_place_check(&w->where) != 0)
        return BINE_EXIT_USAGE;
    if (w->where.machine != NULL && w->dims_word != NULL)
        return bine_complain("--dims with --machine: expected one of them");
    if (w->where.groups == NULL && w->where.machine == NULL)
        return 0;
    const struct bine_algorithm *a = one_of(w);
    enum bine_needs needs = a == NULL ? BINE_NEEDS_DIMS : bine_algorithm_needs(a);
    if (bine_place_find(&w->where, needs, &w->place) != 0)
        return BINE_EXIT_USAGE;
    if (w->place.p > RANKS_MOST)
        return bine_complain("%s: %d ranks, expected at most %d", bine_place_name(&w->where, name),
                             w->place.p, RANKS_MOST);
    snprintf(w->ranks_text, sizeof w->ranks_text, "%d", w->place.p);
    if (w->ranks_word == NULL)
        w->ranks_word = w->ranks_text;
    return w->place.dims.dims > 0 ? bine_tori_add(&w->tori, &w->place.dims) : 0;
}

/* The tori that were given must be of these ranks, and have the ports. */
static int check_tori(const struct check_options *w) {
    char text[BINE_SHAPE_TEXT];
    for (size_t i = 0; i < w->tori.count; i++) {
        const struct bine_shape *dims = &w->tori.list[i];
        if (!bine_range_has(&w->ranks, bine_shape_nodes(dims)))
            return bine_complain("dims %s: %d ranks, expected %s", bine_shape_text(dims, text),
                                 bine_shape_nodes(dims), w->ranks_word);
        if (w->tori.ports > bine_torus_ports(dims))
            return bine_complain("%d ports: expected 1 to %d for dims %s, two for each dimension",
                                 w->tori.ports, bine_torus_ports(dims),
                                 bine_shape_text(dims, text));
    }
    return 0;
}

static int read_ranks(struct check_options *w) {
    char name[BINE_PLACE_NAME];
    if (read_place(w) != 0 || read_tori(w) != 0)
        return BINE_EXIT_USAGE;
    if (w->ranks_word == NULL)
        return bine_complain("missing --ranks: expected a range, as in 1-64,100,128");
    if (bine_word_range("ranks", w->ranks_word, 1, RANKS_MOST, &w->ranks) != 0)
        return BINE_EXIT_USAGE;
    if (w->place.p > 0 && (w->ranks.count != 1 || w->ranks.value[0] != w->place.p))
        return bine_complain("ranks %s: the %s have %d", w->ranks_word,
                             bine_place_name(&w->where, name), w->place.p);
    return check_tori(w);
}

static int read_roots(struct check_options *w) {
    const char *roots = w->roots_word == NULL ? "0" : w->roots_word;
    w->all_roots = strcmp(roots, "all") == 0;
    if (w->all_roots)
        return 0;
    if (bine_word_range("roots", roots, 0, RANKS_MOST - 1, &w->roots) != 0)
        return BINE_EXIT_USAGE;
    int most = w->ranks.value[w->ranks.count - 1], last = w->roots.value[w->roots.count - 1];
    if (last >= most)
        return bine_complain("root %d: expected 0 to %d, for at most %d ranks", last, most - 1,
                             most);
    return 0;
}

static int is_wanted(const struct check_options *w, const struct bine_algorithm *a) {
    int tori_only = w->tori.kind != BINE_TORI_ONE || w->tori.ports > 1;
    if ((tori_only && bine_algorithm_needs(a) != BINE_NEEDS_DIMS) ||
        (w->segments > 0 && a->trees == 0))
        return 0;
    if (w->name != NULL)
        return bine_algorithm_find(a->collective, w->name) == a;
    return w->algorithm != NULL ? a == w->algorithm
                                : w->collective < 0 || a->collective == (unsigned)w->collective;
}

static int list_proofs(const struct check_options *w, struct bine_proofs *all) {
    for (size_t i = 0; i < w->ranks.count; i++)
        for (size_t k = 0; k < bine_catalogue_size; k++) {
            const struct bine_algorithm *a = &bine_catalogue[k];
            int p = w->ranks.value[i];
            if (!is_wanted(w, a) || !bine_algorithm_takes(a, p))
                continue;
            for (int j = 0; a->layouts[j] >= 0; j++) {
                enum bine_layout l = (enum bine_layout)a->layouts[j];
                if ((w->layout >= 0 && w->layout != (int)l) || !bine_algorithm_has_layout(a, l, p))
                    continue;
                if (bine_proofs_add(all, a, l, p) != 0)
                    return bine_complain("out of memory");
            }
        }
    return 0;
}

/* Nothing to prove with so many ports. */
static int complain_ports(const struct check_options *w) {
    const struct bine_algorithm *a = w->algorithm;
    if (a != NULL && bine_algorithm_needs(a) != BINE_NEEDS_DIMS)
        return bine_complain("%d ports: %s %s has one", w->tori.ports,
                             bine_collective_name(a->collective), a->name);
    return bine_complain("%d ports: expected an algorithm, and a torus of %s ranks, of so many",
                         w->tori.ports, w->ranks_word);
}

/* Nothing to prove: say why, for the smallest number of ranks. */
static int complain_nothing(const struct check_options *w) {
    struct bine_spec spec = {.algorithm = one_of(w), .p = w->ranks.value[0]};
    char name[BINE_PLACE_NAME];
    if (w->tori.ports > 1)
        return complain_ports(w);
    if (w->dims_word != NULL)
        return bine_complain("dims %s: expected tori of %s ranks, and an algorithm that takes them",
                             w->dims_word, w->ranks_word);
    if (w->tori.kind == BINE_TORI_LIST)
        return bine_complain("%s: expected an algorithm that takes their torus",
                             bine_place_name(&w->where, name));
    if (w->segments > 0)
        return bine_complain("%ld segments: expected a pipeline that takes so many on %s ranks",
                             w->segments, w->ranks_word);
    if (spec.algorithm == NULL)
        return bine_complain("layout %s: expected one that an algorithm has for ranks %s",
                             bine_layout_name((enum bine_layout)w->layout), w->ranks_word);
    spec.root = w->all_roots ? 0 : w->roots.value[w->roots.count - 1];
    spec.layout = w->layout >= 0 ? (enum bine_layout)w->layout : BINE_BLOCKS;
    return bine_spec_complain(&spec);
}

/* The group of each rank, so that the proof can be repeated. */
static void print_grouping(int p, int grouping) {
    int32_t *name = grouping < 0 ? NULL : malloc(BINE_GROUPINGS_LEVELS * (size_t)p * sizeof *name);
    if (name == NULL)
        return;
    int levels = bine_grouping_names(p, grouping, name);
    printf("groups");
    for (int r = 0; r < p; r++)
        for (int l = 0; l < levels; l++)
            printf("%c%d", l == 0 ? ' ' : '/', name[l * p + r]);
    printf(": ");
    free(name);
}

static void print_torus(const struct bine_proofs *all, size_t number) {
    struct bine_torus_case torus;
    char text[BINE_SHAPE_TEXT];
    if (bine_proofs_torus(all, number, &torus))
        printf("dims %s, ports %d: ", bine_shape_text(&torus.dims, text), torus.ports);
}

static void print_failure(const struct bine_proofs *all, const struct bine_failure *f) {
    struct bine_spec spec = bine_proofs_request(all, f->number);
    printf("FAILED: %s %s, layout %s, p %d, root %d, %s: ",
           bine_collective_name(spec.algorithm->collective), spec.algorithm->name,
           bine_layout_name(spec.layout), spec.p, spec.root,
           f->in_place ? "in place" : "not in place");
    if (f->segments > 0)
        printf("segments %d: ", f->segments);
    if (f->nodes)
        printf("on boards: ");
    print_grouping(spec.p, bine_proofs_grouping(all, f->number));
    print_torus(all, f->number);
    if (f->rc < 0) {
        printf("out of memory\n");
        return;
    }
    if (f->verdict.rank >= 0)
        printf("rank %d, ", f->verdict.rank);
    else
        printf("no single rank, ");
    if (f->verdict.time >= 0)
        printf("step %d: ", f->verdict.time);
    else
        printf("no single step: ");
    printf("%s\n", f->verdict.message);
}

static int run_proofs(const struct check_options *w, const struct bine_proofs *all) {
    struct bine_failure *failures;
    size_t n, total = bine_proofs_total(all);
    size_t jobs = bine_min((size_t)w->jobs, total);
    int rc = bine_proofs_run(all, (int)jobs, &failures, &n);
    for (size_t i = 0; i < n && rc == 0; i++)
        print_failure(all, &failures[i]);
    free(failures);
    if (rc != 0)
        return rc;
    printf("%zu schedules proved, %zu failed\n", total - n, n);
    return n == 0 ? BINE_EXIT_GOOD : BINE_EXIT_FAILED;
}

static long seed_of(const struct check_options *w) {
    return w->seed >= 0 ? w->seed : (long)time(NULL) & 0x7fffffff;
}

/* All of it on one node, or inside nodes. */
static int is_on_boards(const struct bine_algorithm *a) {
    enum bine_needs needs = bine_algorithm_needs(a);
    return needs == BINE_NEEDS_BOARDS || needs == BINE_NEEDS_GROUPS;
}

/* Sequences of whatever is wanted and runs on boards. */
static int check_sequences(const struct check_options *w) {
    const struct bine_algorithm **list = malloc(bine_catalogue_size * sizeof *list);
    size_t n = 0;
    long seed = seed_of(w);
    if (list == NULL)
        return bine_complain("out of memory");
    for (size_t k = 0; k < bine_catalogue_size; k++)
        if (is_wanted(w, &bine_catalogue[k]) && is_on_boards(&bine_catalogue[k]))
            list[n++] = &bine_catalogue[k];
    int rc =
        n > 0 ? 0 : bine_complain("--sequences: expected an algorithm that needs boards or groups");
    if (rc == 0) {
        printf("%ld sequences of each number of ranks, seed %ld\n", w->sequences, seed);
        rc = bine_sequences_prove(&w->ranks, list, n, w->sequences, (uint64_t)seed);
    }
    free(list);
    return rc;
}

static int check(struct check_options *w) {
    struct bine_proofs all = {.roots = w->all_roots ? NULL : &w->roots,
                              .groups = w->place.groups,
                              .tori = &w->tori,
                              .segments = (int)w->segments,
                              .draws = w->random > 0};
    int rc = list_proofs(w, &all);
    if (rc == 0 && all.count == 0)
        rc = complain_nothing(w);
    if (rc == 0 && w->random > 0) {
        long seed = seed_of(w);
        if (bine_proofs_draw(&all, (size_t)w->random, (uint64_t)seed) != 0)
            rc = bine_complain("out of memory");
        else
            printf("%zu of %zu schedules, seed %ld\n", bine_proofs_total(&all), all.count, seed);
    }
    if (rc == 0)
        rc = run_proofs(w, &all);
    bine_proofs_free(&all);
    return rc;
}

int bine_command_check(int argc, char **argv) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct check_options w = {
        .collective = -1, .layout = -1, .seed = -1, .jobs = cores > 0 ? cores : 1};
    int rc = read_options(argc, argv, &w);
    if (rc == BINE_OPTIONS_HELP)
        return bine_options_help(help);
    if (rc == 0 && w.seed >= 0 && w.random == 0 && w.sequences == 0)
        rc = bine_complain("--seed %ld: expected with --random N or --sequences N only", w.seed);
    if (rc == 0)
        rc = read_names(argc, argv, &w);
    if (rc == 0)
        rc = read_ranks(&w);
    if (rc == 0)
        rc = read_roots(&w);
    if (rc == 0 && w.random > 0 && w.roots_word == NULL)
        w.all_roots = 1;
    if (rc == 0)
        rc = w.sequences > 0 ? check_sequences(&w) : check(&w);
    bine_place_free(&w.place);
    bine_tori_free(&w.tori);
    free(w.tori_ranks);
    bine_range_free(&w.ranks);
    bine_range_free(&w.roots);
    return rc;
}
