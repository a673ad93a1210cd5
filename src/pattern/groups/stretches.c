#include "pattern/groups/stretches.h"

/* What is left out of a set: the smaller set that the root is in. */
struct apart {
    int first, size;
};

int bine_stretch_has_root(const struct bine_stretches *s, int level, int set) {
    return s->kind == BINE_STRETCH_HUNG && s->groups->level[level].set_of[s->root] == set;
}

static struct apart apart_of(const struct bine_stretches *s, int level, int set) {
    const struct bine_groups *g = s->groups;
    struct apart a = {g->level[level].begin[set], 0};
    if (!bine_stretch_has_root(s, level, set))
        return a;
    int inner = g->level[level + 1].set_of[s->root];
    a.first = g->level[level + 1].begin[inner];
    a.size = g->level[level + 1].begin[inner + 1] - a.first;
    return a;
}

int bine_line_owners(const struct bine_stretches *s, int level, int set) {
    return bine_groups_size(s->groups, level, set) - apart_of(s, level, set).size;
}

/* How many of the ranks before place x, from `first` on, are not apart. */
static int64_t counted(int first, int x, struct apart a) {
    int inside = x - a.first < 0 ? 0 : x - a.first < a.size ? x - a.first : a.size;
    return x - first - inside;
}

/* The share of the first `count` of `all` ranks in a length, if so many lanes have any. */
static int64_t share(int64_t length, int64_t count, int64_t all, int lanes) {
    int64_t n = lanes > 0 && lanes < all ? lanes : all;
    return all == 0 ? 0 : length * (count * n / all) / n;
}

/* Line 0 of parts: every group has as much, the root's none. */
static int home_begin(const struct bine_stretches *s, int x) {
    const struct bine_groups *g = s->groups;
    const struct bine_level *l = &g->level[1];
    int hung = s->kind == BINE_STRETCH_HUNG, root = hung ? l->set_of[s->root] : l->sets;
    int64_t all = l->sets - hung;
    if (x == g->p)
        return s->pieces;
    int set = l->set_of[g->member[x]], number = set - (set > root);
    int64_t low = number * (int64_t)s->pieces / all,
            high = (number + (set != root)) * (int64_t)s->pieces / all;
    struct apart none = {x, 0};
    int lanes = s->lanes > 0 ? (int)((s->lanes + all - 1) / all) : 0;
    return (int)(low + share(high - low, counted(l->begin[set], x, none),
                             bine_groups_size(g, 1, set), lanes));
}

int bine_stretch_begin(const struct bine_stretches *s, const struct bine_line *line, int x) {
    const struct bine_level *l = &s->groups->level[line->level];
    if (line->level == 0 && s->kind == BINE_STRETCH_RANKS)
        return x * bine_stretch_each(s);
    if (line->level == 0 && s->groups->levels > 2 && s->even)
        return home_begin(s, x);
    struct apart a = apart_of(s, line->level, line->set);
    int first = l->begin[line->set];
    return (int)share(line->length, counted(first, x, a), l->begin[line->set + 1] - first - a.size,
                      s->lanes);
}

int bine_stretch_owner(const struct bine_stretches *s, const struct bine_line *line, int place,
                       int low, int high) {
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (bine_stretch_begin(s, line, middle) <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int bine_line_pieces(const struct bine_line *line, int a, int z, struct bine_interval *out) {
    int n = 0, before = 0;
    for (int i = 0; i < line->parts && before < z; before += line->part[i++].count) {
        int low = a > before ? a : before, end = before + line->part[i].count;
        int high = z < end ? z : end;
        if (low < high)
            out[n++] = (struct bine_interval){line->part[i].first + low - before, high - low};
    }
    return n;
}

int bine_line_places(const struct bine_line *line, struct bine_interval x,
                     struct bine_interval *out) {
    int n = 0, before = 0;
    for (int i = 0; i < line->parts; before += line->part[i++].count) {
        const struct bine_interval *y = &line->part[i];
        int low = x.first > y->first ? x.first : y->first;
        int end = x.first + x.count, other = y->first + y->count, high = end < other ? end : other;
        if (low < high)
            out[n++] = (struct bine_interval){before + low - y->first, high - low};
    }
    return n;
}

/* Put an interval in its place among ascending ones. */
static int put_sorted(struct bine_interval *x, int n, struct bine_interval one) {
    int i = n;
    for (; i > 0 && x[i - 1].first > one.first; i--)
        x[i] = x[i - 1];
    x[i] = one;
    return n + 1;
}

void bine_line_make(const struct bine_stretches *s, int level, int set, struct bine_line *line) {
    const struct bine_groups *g = s->groups;
    struct bine_interval held[2 * BINE_LINE_PARTS], some[BINE_LINE_PARTS];
    int n = 0, low = g->level[level].begin[set], high = g->level[level].begin[set + 1], at = 0;
    *line = (struct bine_line){.level = level, .set = set};
    for (int k = 0; k < level; k++) {
        struct bine_line above;
        bine_line_make(s, k, g->level[k].set_of[g->member[low]], &above);
        int count = bine_line_pieces(&above, bine_stretch_begin(s, &above, low),
                                     bine_stretch_begin(s, &above, high), some);
        for (int i = 0; i < count; i++)
            n = put_sorted(held, n, some[i]);
    }
    for (int i = 0; i <= n; i++) {
        int end = i < n ? held[i].first : s->pieces;
        if (end > at)
            line->part[line->parts++] = (struct bine_interval){at, end - at};
        line->length += end > at ? end - at : 0;
        at = i < n ? held[i].first + held[i].count : at;
    }
}

int bine_round_widths(int n, int radix, int width[BINE_ROUNDS_MOST + 1]) {
    int rounds = 0;
    for (int w = n; w > 1; w = (w + radix - 1) / radix)
        rounds++;
    width[rounds] = n;
    for (int t = rounds; t > 0; t--)
        width[t - 1] = (width[t] + radix - 1) / radix;
    return rounds;
}
