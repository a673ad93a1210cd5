/* bine predict: how long each algorithm would take on a network. */
#include "base/numbers.h"
#include "cli/command.h"
#include "cli/options/bytes.h"
#include "cli/output/progress.h"
#include "predict/predict.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: bine predict COLLECTIVE [ALGORITHM...] --machine M [--hosts H] [--bytes SIZES]\n"
    "       bine predict COLLECTIVE [ALGORITHM...] --groups 5,5,6|FILE [--bytes SIZES]\n"
    "       bine predict COLLECTIVE [ALGORITHM...] --dims 4x4x8 [--bytes SIZES]\n"
    "       bine predict --profile FILE --machine M --nodes N|--hosts H [--scale strong|weak]\n\n"
    "The time that each algorithm would take on this allocation, fastest first, by a model that\n"
    "executes the schedules of all ranks and lets their messages queue at the links. It is for\n"
    "choosing between algorithms; measure before you claim. Without ALGORITHM, or with 'all':\n"
    "every algorithm that takes these ranks.\n\n"
    "where the ranks are: --machine, --hosts, --ranks-per-node, --level, --groups, --dims as in\n"
    "'bine traffic'.\n"
    "At most 3.5 million messages are executed for a time: of a pipeline that has more, the first\n"
    "segments, and the others follow at their pace. What has more even so is left out, and said.\n"
    "Rates and latencies are those of the machine's description; what it does not say, and\n"
    "--groups and --dims, get what is usual for a network of 100 Gbit/s. Where it says no rate at\n"
    "all, and with --groups, the links out of a group have half the rate of its nodes together.\n\n"
    "options:\n"
    "  --bytes S      sizes of the vector: 64K, 1K-8M (doubling), or several with commas;\n"
    "                 default 1K-16M, every fourth power\n"
    "  --root R       default 0\n"
    "  --ports N      of torus algorithms; default 1\n"
    "  --busy X       other jobs leave a share X of the links between groups, as in 0.05;\n"
    "                 of a torus: of all its links\n"
    "  --first N      only the N fastest at each size\n"
    "  --plot F       draw time over bytes into F, .svg or .png; needs gnuplot\n"
    "  --format F     text (default), csv or json\n"
    "  --help         this page\n\n"
    "what if: with --profile, the time in collectives of a program there, call by call summed, "
    "from\n"
    "what BINE_PROFILE recorded of it: with the algorithms that its MPI library usually takes, "
    "with\n"
    "Bine's choices, and with the fastest of all. docs/profile.md has what is assumed.\n"
    "  --profile F    the file that BINE_PROFILE wrote\n"
    "  --nodes N      draw N hosts of the machine instead of --hosts\n"
    "  --placement P  how they lie: contiguous (default), fragmented or random\n"
    "  --among H      draw them from these hosts only\n"
    "  --seed S       of the drawing (1)\n"
    "  --ranks-per-node K  default: as in the profile, if that is of several nodes; else 1\n"
    "  --scale S      with other numbers of ranks than in the profile: strong (default), the "
    "whole\n"
    "                 of gathers, alltoalls and reduce-scatters stays and blocks shrink; or weak,\n"
    "                 each rank's part stays. Vectors of the other collectives stay\n"
    "  --parts P      then communicators of a part of the ranks grow with them (grow, default), "
    "or\n"
    "                 have the ranks that they had (stay)\n"
    "  --mpi M        openmpi (4.1) or mpich (4.0): whose usual algorithms; default: as the "
    "profile\n"
    "                 says\n\n"
    "columns: collective,algorithm,ranks,bytes,seconds,bottleneck,layout. The bottleneck is the\n"
    "link that is busy longest and its share of the time; 'processor' where copying and adding up\n"
    "take longer; or 'latency' where neither is busy for longer: messages are pending, or ranks\n"
    "wait for each other. The layout is the fastest one. Text has times with their units, csv and\n"
    "json have seconds.\n\n"
    "examples:\n"
    "  bine predict allreduce --machine leonardo --hosts 'lrdn[0001-0100,0900-0927]' --bytes 1M\n"
    "  bine predict bcast bine-large ring --groups 9,4,3 --bytes 16K-8M --plot bcast.svg\n"
    "  bine predict --profile run.json --machine leonardo --nodes 256 --placement fragmented\n";

static int add_size(struct bine_predict_wish *w, int64_t bytes) {
    if (w->sizes == BINE_PREDICT_SIZES)
        return bine_complain("--bytes: more than %d sizes", BINE_PREDICT_SIZES);
    w->bytes[w->sizes++] = bytes;
    return 0;
}

/* "64K", or "1K-8M". */
static int read_size(struct bine_predict_wish *w, char *word) {
    char *dash = strchr(word + (*word == '-'), '-'); /* not that of a number below 0 */
    int64_t low, high;
    if (dash != NULL)
        *dash = '\0';
    if (bine_word_bytes("bytes", word, (int64_t)1 << 40, &low) != 0 ||
        (dash != NULL && bine_word_bytes("bytes", dash + 1, (int64_t)1 << 40, &high) != 0))
        return BINE_EXIT_USAGE;
    if (dash == NULL)
        return add_size(w, low);
    if (low < 1 || high < low)
        return bine_complain("bytes '%s-%s': expected sizes from small to large, as in 1K-8M", word,
                             dash + 1);
    int rc = 0;
    for (; low <= high && rc == 0; low *= 2)
        rc = add_size(w, low);
    return rc;
}

static int read_sizes(struct bine_predict_wish *w, const char *text) {
    char *copy = malloc(strlen(text) + 1), *next = copy, *rest;
    int rc = copy == NULL ? bine_complain("out of memory") : 0;
    if (copy != NULL)
        strcpy(copy, text);
    w->sizes = 0;
    for (; rc == 0 && next != NULL; next = rest) {
        rest = strchr(next, ',');
        if (rest != NULL)
            *rest++ = '\0';
        rc = read_size(w, next);
    }
    free(copy);
    return rc;
}

static int take_sizes(const struct bine_option *o, const char *word) {
    return read_sizes(o->to, word);
}

static int read_options(int argc, char **argv, struct bine_predict_wish *w) {
    const struct bine_option rows[] = {
        BINE_PLACE_OPTIONS(&w->where),
        BINE_LEVEL_OPTION(&w->where),
        {.name = "bytes", .read = take_sizes, .to = w},
        {.name = "root", .read = bine_take_int, .to = &w->root, .high = BINE_RANKS_MOST - 1},
        {.name = "ports", .read = bine_take_ports, .to = &w->ports},
        {.name = "first",
         .read = bine_take_int,
         .to = &w->first,
         .low = 1,
         .high = BINE_ALGORITHMS_MOST},
        {.name = "busy", .read = bine_take_share, .to = &w->busy, .what = "--busy"},
        {.name = "plot", .read = bine_take_word, .to = &w->plot},
        {.name = "format", .read = bine_take_format, .to = &w->format},
        BINE_WHAT_IF_OPTIONS(w),
        {0}};
    return bine_options_read(argc, argv, rows);
}

static int compare(const void *a, const void *b) {
    const struct bine_predict_result *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    if (x->time.seconds < y->time.seconds || x->time.seconds > y->time.seconds)
        return x->time.seconds < y->time.seconds ? -1 : 1;
    return x->algorithm < y->algorithm ? -1 : x->algorithm > y->algorithm;
}

const char *bine_predict_bottleneck(const struct bine_predict_result *x,
                                    const struct bine_links *links,
                                    char text[BINE_BOTTLENECK_TEXT]) {
    char link[BINE_LINK_TEXT];
    const struct bine_time *t = &x->time;
    double rest = t->seconds - t->busy - t->work, share;
    if (t->seconds <= 0)
        return strcpy(text, "nothing");
    if (t->busy >= t->work && t->busy >= rest) {
        bine_links_text(links, t->busiest, link);
        share = t->busy;
    } else {
        strcpy(link, t->work >= rest ? "processor" : "latency");
        share = t->work >= rest ? t->work : rest;
    }
    snprintf(text, BINE_BOTTLENECK_TEXT, "%s %.0f %%", link, 100 * share / t->seconds);
    return text;
}

/* What came out, and on the way to it. */
struct predicting {
    const struct bine_predict_wish *w;
    const struct bine_place *place;
    const struct bine_links *links;
    struct bine_predict_result *x;
    size_t n;
    char large[1000]; /* the algorithms that were left out, with commas between them */
    int sizes_done;
    struct bine_progress progress;
};

/* An algorithm whose messages are too many is left out, or refused if it was asked for. */
static int leave_out(struct predicting *k, const struct bine_algorithm *a) {
    size_t used = strlen(k->large);
    if (k->w->asked.named) {
        bine_progress_end(&k->progress);
        return bine_complain(
            "%s %s on %d ranks: more than the %d messages that are executed at most",
            bine_collective_name(a->collective), a->name, k->place->p, BINE_TIME_MESSAGES);
    }
    snprintf(k->large + used, sizeof k->large - used, "%s%s", used > 0 ? ", " : "", a->name);
    return 0;
}

/* The time of one algorithm at one size, in the layout in which it is fastest: 0; -1 when out of
 * memory; 1 if it has too many messages. */
static int predict_size(struct bine_spec spec, int64_t bytes, const struct bine_links *links,
                        struct bine_predict_result *x) {
    char why[200];
    int found = 0;
    spec.segments = bine_segments_for(spec.algorithm, spec.p, bytes);
    for (int l = 0; l < BINE_LAYOUTS; l++) {
        struct bine_time t;
        spec.layout = (enum bine_layout)l;
        if (!bine_algorithm_has_layout(spec.algorithm, spec.layout, spec.p) ||
            bine_spec_error(&spec, why, sizeof why) != NULL)
            continue;
        struct bine_time_bound bound = {.messages = BINE_TIME_MESSAGES};
        int rc = bine_time_bounded(&spec, bytes, links, &bound, &t);
        if (rc != 0)
            return rc;
        if (!found || t.seconds < x->time.seconds)
            *x = (struct bine_predict_result){spec.algorithm, spec.layout, bytes, t};
        found = 1;
    }
    return 0;
}

/* The times of one algorithm at all sizes, behind those that are there. */
static int predict(struct predicting *k, const struct bine_algorithm *a) {
    const struct bine_predict_wish *w = k->w;
    struct bine_spec spec = {.algorithm = a,
                             .layout = bine_algorithm_layout_at(a, k->place->p, w->bytes[0]),
                             .root = w->root,
                             .ports = bine_algorithm_needs(a) == BINE_NEEDS_DIMS ? w->ports : 0};
    char why[200], size[BINE_BYTES_TEXT];
    int rc = 0;
    bine_place_tell(k->place, &spec);
    if (bine_spec_error(&spec, why, sizeof why) != NULL)
        return w->asked.named ? bine_spec_complain(&spec) : 0;
    for (int i = 0; i < w->sizes && rc == 0; i++, k->sizes_done++) {
        struct bine_predict_result *x = &k->x[k->n];
        bine_progress_show(&k->progress, (double)k->sizes_done / (w->asked.count * w->sizes),
                           "%s %s", a->name, bine_bytes_text(w->bytes[i], size));
        rc = predict_size(spec, w->bytes[i], k->links, x);
        k->n += rc == 0;
    }
    return rc < 0 ? bine_complain("out of memory") : rc > 0 ? leave_out(k, a) : 0;
}

static const struct bine_column columns[] = {
    {"collective", BINE_COLUMN_WORDS}, {"algorithm", BINE_COLUMN_WORDS},
    {"ranks", BINE_COLUMN_NUMBER},     {"bytes", BINE_COLUMN_NUMBER},
    {"seconds", BINE_COLUMN_NUMBER},   {"bottleneck", BINE_COLUMN_WORDS},
    {"layout", BINE_COLUMN_WORDS},
};

static const char *const titles[] = {"collective", "algorithm",  "ranks", "bytes",
                                     "time",       "bottleneck", "layout"};

static int print(const struct bine_predict_wish *w, const struct bine_predict_result *x, size_t n,
                 const struct bine_links *links) {
    struct bine_table t = {
        .column = columns, .title = titles, .columns = sizeof columns / sizeof *columns};
    char text[BINE_BOTTLENECK_TEXT], seconds[BINE_SECONDS_TEXT];
    int place = 0;
    for (size_t i = 0; i < n; i++) {
        place = i > 0 && x[i].bytes == x[i - 1].bytes ? place + 1 : 1;
        if (w->first > 0 && place > w->first)
            continue;
        bine_table_add(&t, "%s", bine_collective_name(w->asked.collective));
        bine_table_add(&t, "%s", x[i].algorithm->name);
        bine_table_add(&t, "%d", links->p);
        bine_table_add(&t, "%" PRId64, x[i].bytes);
        if (w->format == BINE_FORMAT_TEXT)
            bine_table_add(&t, "%s", bine_seconds_text(x[i].time.seconds, seconds));
        else
            bine_table_add(&t, "%.4g", x[i].time.seconds);
        bine_table_add(&t, "%s", bine_predict_bottleneck(&x[i], links, text));
        bine_table_add(&t, "%s", bine_layout_name(x[i].layout));
    }
    int rc = bine_table_print(&t, w->format);
    bine_table_free(&t);
    return rc;
}

static int predict_all(const struct bine_predict_wish *w, const struct bine_place *place,
                       const struct bine_links *links) {
    struct predicting k = {.w = w, .place = place, .links = links};
    int count = w->asked.count;
    k.x = malloc(((size_t)count * (size_t)w->sizes + 1) * sizeof *k.x);
    int rc = k.x == NULL ? bine_complain("out of memory") : 0;
    for (int i = 0; i < count && rc == 0; i++) {
        k.sizes_done = i * w->sizes;
        rc = predict(&k, w->asked.algorithm[i]);
    }
    bine_progress_end(&k.progress);
    if (rc == 0 && k.large[0] != '\0') {
        bine_complain("left out, as they have more than %d messages on %d ranks: %s",
                      BINE_TIME_MESSAGES, place->p, k.large);
        rc = k.n == 0 ? BINE_EXIT_USAGE : 0;
    }
    if (rc == 0) {
        qsort(k.x, k.n, sizeof *k.x, compare);
        rc = w->plot != NULL ? bine_predict_plot(w, k.x, k.n) : 0;
    }
    if (rc == 0)
        rc = print(w, k.x, k.n, links);
    free(k.x);
    return rc;
}

/* What the algorithms and the model know of the ranks. */
static int predict_on(const struct bine_predict_wish *w, const struct bine_allocation *a,
                      const struct bine_machine *m) {
    struct bine_place place = {.p = a->p};
    struct bine_links links;
    int rc = 0;
    if (w->root >= a->p)
        return bine_complain("root %d: expected 0 to %d", w->root, a->p - 1);
    place.groups = bine_allocation_levels(a);
    if (place.groups == NULL || bine_place_dims(&w->where, a, &place.dims) != 0 ||
        bine_links_make(&links, a, m) != 0)
        rc = bine_complain("out of memory");
    else {
        if (w->busy > 0)
            bine_links_set_busy(&links, w->busy);
        rc = predict_all(w, &place, &links);
        bine_links_free(&links);
    }
    bine_place_free(&place);
    return rc;
}

static int run(int argc, char **argv, struct bine_predict_wish *w) {
    struct bine_allocation a;
    struct bine_machine *m;
    if (bine_algorithms_read(argc, argv, &w->asked) != 0)
        return BINE_EXIT_USAGE;
    for (int64_t bytes = w->sizes == 0 ? 1024 : INT64_MAX; bytes <= 16 << 20; bytes *= 16)
        add_size(w, bytes);
    if (w->where.machine == NULL && w->where.groups == NULL && w->where.dims == NULL)
        return bine_complain("where are the ranks? expected --machine, --groups or --dims");
    if (bine_place_check(&w->where) != 0 || bine_place_job(&w->where, &a, &m) != 0)
        return BINE_EXIT_USAGE;
    int rc = predict_on(w, &a, m);
    bine_machine_free(m);
    bine_allocation_free(&a);
    return rc;
}

int bine_command_predict(int argc, char **argv) {
    struct bine_predict_wish w = {.draw = {.seed = 1}};
    int rc = read_options(argc, argv, &w);
    if (rc == BINE_OPTIONS_HELP)
        return bine_options_help(help);
    if (rc == 0)
        rc = bine_what_if_check(&w);
    if (rc == 0 && w.profile != NULL)
        return bine_predict_profile(argc, argv, &w);
    return rc == 0 ? run(argc, argv, &w) : rc;
}
