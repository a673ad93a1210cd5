/* bine distance: how far the bytes travel, over binomial and k-nomial trees.
 *
 * A message of n blocks between ranks at modular distance d counts n d. Every tree here is that of
 * rank 0; those of the other roots are its images, with the same distances. Where a block crosses
 * every edge of its tree once (broadcast, reduce, allgather, reduce-scatter, allreduce) the sum is
 * over the edges. Where a block travels to one rank only (gather, scatter, alltoall) an edge
 * carries the blocks of all ranks below it. */
#include "cli/command.h"
#include "cli/options/option_table.h"
#include "cli/options/range.h"
#include "cli/output/table.h"
#include "pattern/bine_family.h"
#include "pattern/knomial.h"

#include <stdio.h>

static const char help[] =
    "usage: bine distance --ranks RANGE [--radix R] [--each] [--format text|csv|json]\n\n"
    "The distance that bytes travel on Bine trees, over that on binomial trees: the sum over all\n"
    "messages of their blocks times the modular distance of the two ranks, for each collective.\n"
    "Below 1, Bine is nearer.\n\n"
    "  scaled  butterflies with the scaled distances, even numbers of ranks\n"
    "  paper   butterflies with the paper's distances, even numbers of ranks\n"
    "  split   the split tree, all numbers of ranks\n\n"
    "With --radix: trees of base -R, over k-nomial trees of radix R, all numbers of ranks.\n\n"
    "  split   the split tree of that radix (bcast, reduce)\n"
    "  ends    the same with the roots of parts at their near ends (gather, scatter)\n"
    "  digits  the near-first tree by digits, over the near-first k-nomial tree (allgather,\n"
    "          alltoall)\n\n"
    "All trees are far-first (the same backwards for reductions and gather). For a range of "
    "ranks:\n"
    "the mean of the ratios, and the least and the largest; rank_counts says of how many, and\n"
    "even_rank_counts how many of them are even.\n\n"
    "options:\n"
    "  --ranks RANGE  numbers of ranks, as in 2-64,100,128\n"
    "  --radix R      base -R, 2 to 64\n"
    "  --each         a row for each number of ranks instead of the mean\n"
    "  --format F     text (default), csv or json\n"
    "  --help         this page\n\n"
    "examples:\n"
    "  bine distance --ranks 1024\n"
    "  bine distance --ranks 2-512\n"
    "  bine distance --ranks 64-1024 --radix 8\n"
    "  bine distance --ranks 2-64 --each --format csv\n";

/* What an edge carries: each block once, or the blocks of its subtree. */
enum load { ONCE, SUBTREE, LOADS };

static struct bine_tree *make_scaled(int p, int radix) {
    (void)radix;
    return bine_butterfly_tree(p, BINE_FAR_FIRST, BINE_SCALED);
}

static struct bine_tree *make_paper(int p, int radix) {
    (void)radix;
    return bine_butterfly_tree(p, BINE_FAR_FIRST, BINE_PAPER);
}

static struct bine_tree *make_split(int p, int radix) {
    return bine_radix_tree(p, BINE_FAR_FIRST, radix);
}

static struct bine_tree *make_ends(int p, int radix) {
    return bine_ends_tree(p, BINE_FAR_FIRST, radix);
}

static struct bine_tree *make_digits(int p, int radix) {
    return bine_radix_tree(p, BINE_NEAR_FIRST, radix);
}

/* The trees that are compared with binomial ones, and those of a radix. */
enum { KINDS = 3 };
struct kind {
    struct bine_tree *(*make)(int p, int radix);
    enum bine_order order; /* of the k-nomial tree that it is compared with */
    int even;              /* for even numbers of ranks only */
};
static const struct kind plain[KINDS] = {{make_scaled, BINE_FAR_FIRST, 1},
                                         {make_paper, BINE_FAR_FIRST, 1},
                                         {make_split, BINE_FAR_FIRST, 0}};
static const struct kind of_radix[KINDS] = {{make_split, BINE_FAR_FIRST, 0},
                                            {make_ends, BINE_FAR_FIRST, 0},
                                            {make_digits, BINE_NEAR_FIRST, 0}};

static const struct {
    enum bine_collective collective;
    const char *size; /* of the vector */
    enum load load;
    int radix; /* there are algorithms of every radix on such trees */
} rows[] = {
    {BINE_BCAST, "any", ONCE, 1},       {BINE_REDUCE, "any", ONCE, 1},
    {BINE_ALLREDUCE, "large", ONCE, 0}, {BINE_GATHER, "any", SUBTREE, 1},
    {BINE_SCATTER, "any", SUBTREE, 1},  {BINE_ALLGATHER, "any", ONCE, 1},
    {BINE_ALLTOALL, "any", SUBTREE, 1}, {BINE_REDUCE_SCATTER, "any", ONCE, 0},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* What is asked for. */
struct question {
    const struct kind *kind;
    int radix, has_radix;
};

/* Ratios to the binomial tree; 0 where the family does not serve p. */
struct ratios {
    double of[KINDS][LOADS];
};

struct summary {
    double sum[KINDS][LOADS], least[KINDS][LOADS], most[KINDS][LOADS];
    size_t count[KINDS];
};

#define NUMBER(name)                                                                               \
    { name, BINE_COLUMN_NUMBER }
#define NAMES                                                                                      \
    {"collective", BINE_COLUMN_WORDS}, {                                                           \
        "vector", BINE_COLUMN_WORDS                                                                \
    }
#define MEAN(name) NUMBER(name), NUMBER(name "_min"), NUMBER(name "_max")
#define MEANS NAMES, NUMBER("rank_counts"), NUMBER("even_rank_counts")

static const struct bine_column plain_means[] = {MEANS, MEAN("scaled"), MEAN("paper"),
                                                 MEAN("split")};
static const struct bine_column radix_means[] = {MEANS, MEAN("split"), MEAN("ends"),
                                                 MEAN("digits")};
static const struct bine_column plain_each[] = {NAMES, NUMBER("ranks"), NUMBER("scaled"),
                                                NUMBER("paper"), NUMBER("split")};
static const struct bine_column radix_each[] = {NAMES, NUMBER("ranks"), NUMBER("split"),
                                                NUMBER("ends"), NUMBER("digits")};

#define TITLES(a, b, c)                                                                            \
    { "collective", "vector", "counts", "even", a, "min", "max", b, "min", "max", c, "min", "max" }
static const char *const plain_titles[] = TITLES("scaled", "paper", "split");
static const char *const radix_titles[] = TITLES("split", "ends", "digits");
static const char plain_legend[] =
    "\nRatios to binomial trees, mean, least and largest over the numbers of ranks (counts, and\n"
    "how many of them are even). scaled and paper: butterflies with those distances, even numbers\n"
    "of ranks; split: the split tree, all numbers of ranks. Below 1, Bine is nearer.\n";
static const char radix_legend[] =
    "\nRatios to k-nomial trees of the same radix, mean, least and largest over the numbers of\n"
    "ranks (counts, and how many of them are even). Below 1, Bine is nearer.\n";

/* The distances of a tree, which is freed; -1 when there was no memory for it. */
static int measure(struct bine_tree *t, double distance[LOADS]) {
    if (t == NULL)
        return -1;
    distance[ONCE] = distance[SUBTREE] = 0;
    for (int v = 1; v < t->p; v++) {
        double d = bine_mod_distance(v, t->parent[v], t->p);
        distance[ONCE] += d;
        distance[SUBTREE] += d * (t->leave[v] - t->enter[v]);
    }
    bine_tree_free(t);
    return 0;
}

static int compute(int p, const struct question *q, struct ratios *r) {
    double base[LOADS], bine[LOADS];
    *r = (struct ratios){0};
    for (int k = 0; k < KINDS; k++) {
        const struct kind *kind = &q->kind[k];
        if (kind->even && p % 2 != 0)
            continue;
        if (measure(bine_knomial_tree(p, kind->order, q->radix), base) != 0 ||
            measure(kind->make(p, q->radix), bine) != 0)
            return bine_complain("out of memory");
        for (int load = 0; load < LOADS; load++)
            r->of[k][load] = bine[load] / base[load];
    }
    return 0;
}

static void add_ratio(struct bine_table *t, double x, int known) {
    if (known)
        bine_table_add(t, "%.4f", x);
    else
        bine_table_add(t, "%s", "");
}

static void add_names(struct bine_table *t, int row) {
    bine_table_add(t, "%s", bine_collective_name(rows[row].collective));
    bine_table_add(t, "%s", rows[row].size);
}

static int is_listed(const struct question *q, int row) {
    return !q->has_radix || rows[row].radix;
}

static int list_each(const struct bine_range *ranks, const struct question *q,
                     struct bine_table *t) {
    t->column = q->has_radix ? radix_each : plain_each;
    t->columns = sizeof plain_each / sizeof *plain_each;
    for (size_t i = 0; i < ranks->count; i++) {
        struct ratios r;
        if (compute(ranks->value[i], q, &r) != 0)
            return BINE_EXIT_USAGE;
        for (int row = 0; row < ROWS; row++) {
            if (!is_listed(q, row))
                continue;
            add_names(t, row);
            bine_table_add(t, "%d", ranks->value[i]);
            for (int k = 0; k < KINDS; k++)
                add_ratio(t, r.of[k][rows[row].load], r.of[k][ONCE] != 0);
        }
    }
    return 0;
}

static void include(struct summary *s, const struct ratios *r) {
    for (int k = 0; k < KINDS; k++) {
        int first = s->count[k] == 0;
        if (r->of[k][ONCE] == 0)
            continue;
        s->count[k]++;
        for (int load = 0; load < LOADS; load++) {
            double x = r->of[k][load];
            s->sum[k][load] += x;
            if (first || x < s->least[k][load])
                s->least[k][load] = x;
            if (first || x > s->most[k][load])
                s->most[k][load] = x;
        }
    }
}

static int list_means(const struct bine_range *ranks, const struct question *q,
                      struct bine_table *t) {
    struct summary s = {0};
    size_t even = 0;
    t->column = q->has_radix ? radix_means : plain_means;
    t->columns = sizeof plain_means / sizeof *plain_means;
    t->title = q->has_radix ? radix_titles : plain_titles;
    for (size_t i = 0; i < ranks->count; i++) {
        struct ratios r;
        if (compute(ranks->value[i], q, &r) != 0)
            return BINE_EXIT_USAGE;
        include(&s, &r);
        even += ranks->value[i] % 2 == 0;
    }
    for (int row = 0; row < ROWS; row++) {
        enum load load = rows[row].load;
        if (!is_listed(q, row))
            continue;
        add_names(t, row);
        bine_table_add(t, "%zu", ranks->count);
        bine_table_add(t, "%zu", even);
        for (int k = 0; k < KINDS; k++) {
            add_ratio(t, s.sum[k][load] / (double)s.count[k], s.count[k] > 0);
            add_ratio(t, s.least[k][load], s.count[k] > 0);
            add_ratio(t, s.most[k][load], s.count[k] > 0);
        }
    }
    return 0;
}

static int print_distances(const char *word, const struct question *q, int each,
                           enum bine_format format) {
    struct bine_range ranks = {0};
    struct bine_table t = {0};
    if (bine_word_range("ranks", word, 1, BINE_RANKS_MOST, &ranks) != 0)
        return BINE_EXIT_USAGE;
    /* A single rank sends nothing: there is no ratio. */
    struct bine_range many = {ranks.value, ranks.count};
    if (many.value[0] == 1) {
        many.value++;
        many.count--;
    }
    int rc = many.count == 0           ? bine_complain("ranks '%s': expected 2 or more", word)
             : each || many.count == 1 ? list_each(&many, q, &t)
                                       : list_means(&many, q, &t);
    if (rc == 0)
        rc = bine_table_print(&t, format);
    if (rc == 0 && format == BINE_FORMAT_TEXT && t.title != NULL)
        printf("%s", q->has_radix ? radix_legend : plain_legend);
    bine_table_free(&t);
    bine_range_free(&ranks);
    return rc;
}

int bine_command_distance(int argc, char **argv) {
    enum bine_format format = BINE_FORMAT_TEXT;
    const char *ranks = NULL;
    int each = 0, radix = 0;
    const struct bine_option options[] = {
        {.name = "ranks", .read = bine_take_word, .to = &ranks},
        {.name = "radix", .read = bine_take_int, .to = &radix, .low = 2, .high = 64},
        {.name = "each", .read = bine_take_flag, .to = &each},
        {.name = "format", .read = bine_take_format, .to = &format},
        {0}};
    int rc = bine_options_read(argc, argv, options);
    if (rc != 0)
        return rc == BINE_OPTIONS_HELP ? bine_options_help(help) : rc;
    if (bine_arguments_count(argc, argv, 0, 0, "--ranks RANGE") != 0)
        return BINE_EXIT_USAGE;
    if (ranks == NULL)
        return bine_complain("missing --ranks: expected a range, as in 2-64,100,128");
    struct question q = {radix > 0 ? of_radix : plain, radix > 0 ? radix : 2, radix > 0};
    return print_distances(ranks, &q, each, format);
}
