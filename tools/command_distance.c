/* bine distance: how far the bytes travel, over binomial trees.
 *
 * A message of n blocks between ranks at modular distance d counts n d. Every tree here is that of
 * rank 0; those of the other roots are its images, with the same distances. Where a block crosses
 * every edge of its tree once (broadcast, reduce, allgather, reduce-scatter, allreduce) the sum is
 * over the edges. Where a block travels to one rank only (gather, scatter, alltoall) an edge
 * carries the blocks of all ranks below it. */
#include "cli/command.h"
#include "cli/option_table.h"
#include "cli/range.h"
#include "cli/table.h"
#include "pattern/bine_family.h"
#include "pattern/knomial.h"

#include <stdio.h>

static const char help[] =
    "usage: bine distance --ranks RANGE [--each] [--format text|csv|json]\n\n"
    "The distance that bytes travel on Bine trees, over that on binomial trees: the sum over all\n"
    "messages of their blocks times the modular distance of the two ranks, for each collective.\n"
    "Below 1, Bine is nearer.\n\n"
    "  scaled  butterflies with the scaled distances, even numbers of ranks\n"
    "  paper   butterflies with the paper's distances, even numbers of ranks\n"
    "  split   the split tree, all numbers of ranks\n\n"
    "All trees are far-first (the same backwards for reductions and gather). For a range of "
    "ranks:\n"
    "the mean of the ratios, and the least and the largest; rank_counts says of how many, and\n"
    "even_rank_counts how many of them are even.\n\n"
    "options:\n"
    "  --ranks RANGE  numbers of ranks, as in 2-64,100,128\n"
    "  --each         a row for each number of ranks instead of the mean\n"
    "  --format F     text (default), csv or json\n"
    "  --help         this page\n\n"
    "examples:\n"
    "  bine distance --ranks 1024\n"
    "  bine distance --ranks 2-512\n"
    "  bine distance --ranks 2-64 --each --format csv\n";

/* What an edge carries: each block once, or the blocks of its subtree. */
enum load { ONCE, SUBTREE, LOADS };

enum kind { SCALED, PAPER, SPLIT, KINDS };

static const struct {
    enum bine_collective collective;
    const char *size; /* of the vector */
    enum load load;
} rows[] = {
    {BINE_BCAST, "any", ONCE},       {BINE_REDUCE, "any", ONCE},
    {BINE_ALLREDUCE, "large", ONCE}, {BINE_GATHER, "any", SUBTREE},
    {BINE_SCATTER, "any", SUBTREE},  {BINE_ALLGATHER, "any", ONCE},
    {BINE_ALLTOALL, "any", SUBTREE}, {BINE_REDUCE_SCATTER, "any", ONCE},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Ratios to the binomial tree; 0 where the family does not serve p. */
struct ratios {
    double of[KINDS][LOADS];
};

struct summary {
    double sum[KINDS][LOADS], least[KINDS][LOADS], most[KINDS][LOADS];
    size_t count[KINDS];
};

static const struct bine_column mean_columns[] = {
    {"collective", BINE_COLUMN_WORDS},   {"vector", BINE_COLUMN_WORDS},
    {"rank_counts", BINE_COLUMN_NUMBER}, {"even_rank_counts", BINE_COLUMN_NUMBER},
    {"scaled", BINE_COLUMN_NUMBER},      {"scaled_min", BINE_COLUMN_NUMBER},
    {"scaled_max", BINE_COLUMN_NUMBER},  {"paper", BINE_COLUMN_NUMBER},
    {"paper_min", BINE_COLUMN_NUMBER},   {"paper_max", BINE_COLUMN_NUMBER},
    {"split", BINE_COLUMN_NUMBER},       {"split_min", BINE_COLUMN_NUMBER},
    {"split_max", BINE_COLUMN_NUMBER},
};

static const char *const mean_titles[] = {"collective", "vector", "counts", "even", "scaled",
                                          "min",        "max",    "paper",  "min",  "max",
                                          "split",      "min",    "max"};
static const char mean_legend[] =
    "\nRatios to binomial trees, mean, least and largest over the numbers of ranks (counts, and\n"
    "how many of them are even). scaled and paper: butterflies with those distances, even numbers\n"
    "of ranks; split: the split tree, all numbers of ranks. Below 1, Bine is nearer.\n";

static const struct bine_column each_columns[] = {
    {"collective", BINE_COLUMN_WORDS}, {"vector", BINE_COLUMN_WORDS}, {"ranks", BINE_COLUMN_NUMBER},
    {"scaled", BINE_COLUMN_NUMBER},    {"paper", BINE_COLUMN_NUMBER}, {"split", BINE_COLUMN_NUMBER},
};

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

static struct bine_tree *make_tree(enum kind kind, int p) {
    if (kind == SPLIT)
        return bine_split_tree(p);
    return bine_butterfly_tree(p, BINE_FAR_FIRST, kind == SCALED ? BINE_SCALED : BINE_PAPER);
}

static int compute(int p, struct ratios *r) {
    double base[LOADS], bine[LOADS];
    if (measure(bine_binomial_tree(p, BINE_FAR_FIRST), base) != 0)
        return bine_complain("out of memory");
    *r = (struct ratios){0};
    for (int kind = 0; kind < KINDS; kind++) {
        if (kind != SPLIT && p % 2 != 0)
            continue;
        if (measure(make_tree((enum kind)kind, p), bine) != 0)
            return bine_complain("out of memory");
        for (int load = 0; load < LOADS; load++)
            r->of[kind][load] = bine[load] / base[load];
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

static int list_each(const struct bine_range *ranks, struct bine_table *t) {
    t->column = each_columns;
    t->columns = sizeof each_columns / sizeof *each_columns;
    for (size_t i = 0; i < ranks->count; i++) {
        struct ratios r;
        if (compute(ranks->value[i], &r) != 0)
            return BINE_EXIT_USAGE;
        for (int row = 0; row < ROWS; row++) {
            add_names(t, row);
            bine_table_add(t, "%d", ranks->value[i]);
            for (int kind = 0; kind < KINDS; kind++)
                add_ratio(t, r.of[kind][rows[row].load], kind == SPLIT || ranks->value[i] % 2 == 0);
        }
    }
    return 0;
}

static void include(struct summary *s, const struct ratios *r) {
    for (int kind = 0; kind < KINDS; kind++) {
        int first = s->count[kind] == 0;
        if (r->of[kind][ONCE] == 0)
            continue;
        s->count[kind]++;
        for (int load = 0; load < LOADS; load++) {
            double x = r->of[kind][load];
            s->sum[kind][load] += x;
            if (first || x < s->least[kind][load])
                s->least[kind][load] = x;
            if (first || x > s->most[kind][load])
                s->most[kind][load] = x;
        }
    }
}

static int list_means(const struct bine_range *ranks, struct bine_table *t) {
    struct summary s = {0};
    t->column = mean_columns;
    t->columns = sizeof mean_columns / sizeof *mean_columns;
    t->title = mean_titles;
    for (size_t i = 0; i < ranks->count; i++) {
        struct ratios r;
        if (compute(ranks->value[i], &r) != 0)
            return BINE_EXIT_USAGE;
        include(&s, &r);
    }
    for (int row = 0; row < ROWS; row++) {
        enum load load = rows[row].load;
        add_names(t, row);
        bine_table_add(t, "%zu", s.count[SPLIT]);
        bine_table_add(t, "%zu", s.count[SCALED]);
        for (int kind = 0; kind < KINDS; kind++) {
            add_ratio(t, s.sum[kind][load] / (double)s.count[kind], s.count[kind] > 0);
            add_ratio(t, s.least[kind][load], s.count[kind] > 0);
            add_ratio(t, s.most[kind][load], s.count[kind] > 0);
        }
    }
    return 0;
}

static int print_distances(const char *word, int each, enum bine_format format) {
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
             : each || many.count == 1 ? list_each(&many, &t)
                                       : list_means(&many, &t);
    if (rc == 0)
        rc = bine_table_print(&t, format);
    if (rc == 0 && format == BINE_FORMAT_TEXT && t.title == mean_titles)
        printf("%s", mean_legend);
    bine_table_free(&t);
    bine_range_free(&ranks);
    return rc;
}

int bine_command_distance(int argc, char **argv) {
    enum bine_format format = BINE_FORMAT_TEXT;
    const char *ranks = NULL;
    int each = 0;
    const struct bine_option options[] = {
        {.name = "ranks", .read = bine_take_word, .to = &ranks},
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
    return print_distances(ranks, each, format);
}
