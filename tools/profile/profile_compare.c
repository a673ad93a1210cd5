/* Two profiles beside each other: the calls that made the difference first. */
#include "profile/profile.h"

#include "base/grow.h"
#include "cli/command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A kind of calls in the first, in the second, or in both. */
struct pair {
    const struct bine_profile_call *side[2];
    double difference; /* of seconds */
};

struct pairs {
    struct pair *pair;
    size_t used, room;
};

static const struct bine_column columns[] = {
    {"collective", BINE_COLUMN_WORDS},
    {"ranks", BINE_COLUMN_NUMBER},
    {"form", BINE_COLUMN_WORDS},
    {"bytes", BINE_COLUMN_WORDS},
    {"calls_first", BINE_COLUMN_NUMBER},
    {"calls_second", BINE_COLUMN_NUMBER},
    {"seconds_first", BINE_COLUMN_NUMBER},
    {"seconds_second", BINE_COLUMN_NUMBER},
    {"seconds_difference", BINE_COLUMN_NUMBER},
    {"by_first", BINE_COLUMN_WORDS},
    {"by_second", BINE_COLUMN_WORDS},
};
static const char *const titles[] = {"collective", "ranks",    "form",     "bytes",
                                     "calls",      "calls",    "s first",  "s second",
                                     "difference", "first by", "second by"};

static int by_difference(const void *a, const void *b) {
    double x = fabs(((const struct pair *)a)->difference),
           y = fabs(((const struct pair *)b)->difference);
    return (x < y) - (x > y);
}

static int add(struct pairs *p, const struct bine_profile_call *first,
               const struct bine_profile_call *second) {
    if (bine_grow(&p->pair, &p->room, p->used + 1, sizeof *p->pair) != 0)
        return bine_complain("out of memory");
    double a = first != NULL ? first->seconds : 0, b = second != NULL ? second->seconds : 0;
    p->pair[p->used++] = (struct pair){{first, second}, b - a};
    return 0;
}

static int find_pairs(const struct bine_profile_view v[2], struct pairs *p) {
    const struct bine_profile_calls *a = &v[0].calls, *b = &v[1].calls;
    int rc = 0;
    for (size_t i = 0; i < a->used && rc == 0; i++)
        rc = add(p, &a->call[i], bine_profile_calls_find(b, &a->call[i]));
    for (size_t i = 0; i < b->used && rc == 0; i++)
        if (bine_profile_calls_find(a, &b->call[i]) == NULL)
            rc = add(p, NULL, &b->call[i]);
    if (rc == 0 && p->used > 0)
        qsort(p->pair, p->used, sizeof *p->pair, by_difference);
    return rc;
}

static void add_side(struct bine_table *t, const struct bine_profile_call *x, int what) {
    if (x == NULL)
        bine_table_add(t, "%s", "");
    else if (what == 2)
        bine_table_add(t, "%s", x->algorithm);
    else
        bine_table_add(t, what == 0 ? "%.0f" : "%.6f", what == 0 ? x->calls : x->seconds);
}

static void add_row(struct bine_table *t, const struct pair *p) {
    char sizes[BINE_PROFILE_SIZES];
    const struct bine_profile_call *x = p->side[p->side[0] == NULL];
    bine_table_add(t, "%s", bine_collective_name((enum bine_collective)x->collective));
    bine_table_add(t, "%lld", (long long)x->ranks);
    bine_table_add(t, "%s", bine_profile_form_name((enum bine_profile_form)x->form));
    bine_table_add(t, "%s", bine_profile_sizes(x->from, x->below, sizes));
    for (int what = 0; what < 3; what++) {
        if (what == 2)
            bine_table_add(t, "%+.6f", p->difference);
        add_side(t, p->side[0], what);
        add_side(t, p->side[1], what);
    }
}

static void print_head(const struct bine_profile_view v[2]) {
    static const char *const side[] = {"first", "second"};
    for (int i = 0; i < 2; i++) {
        const struct bine_profile *p = &v[i].profile;
        printf("%-7s %s: %lld rank%s on %zu node%s, %.3f s, in collectives %.3f s (%.1f %%)\n",
               side[i], v[i].name, (long long)p->ranks, bine_plural(p->ranks), p->nodes,
               bine_plural((int64_t)p->nodes), p->seconds, p->mean,
               p->seconds > 0 ? 100 * p->mean / p->seconds : 0);
    }
    printf("second minus first: run %+.3f s, in collectives %+.3f s\n\n",
           v[1].profile.seconds - v[0].profile.seconds, v[1].profile.mean - v[0].profile.mean);
}

int bine_profile_print_both(const struct bine_profile_view v[2],
                            const struct bine_profile_options *o) {
    struct bine_table t = {
        .column = columns, .title = titles, .columns = sizeof columns / sizeof *columns};
    struct pairs p = {0};
    int text = o->format == BINE_FORMAT_TEXT, rc = find_pairs(v, &p);
    size_t rows = text && o->rows > 0 && p.used > (size_t)o->rows ? (size_t)o->rows : p.used;
    if (rc == 0 && text)
        print_head(v);
    for (size_t i = 0; i < rows && rc == 0; i++)
        add_row(&t, &p.pair[i]);
    if (rc == 0)
        rc = bine_table_print(&t, o->format);
    if (rc == 0 && rows < p.used)
        printf("and %zu more kinds of calls (--rows 0)\n", p.used - rows);
    bine_table_free(&t);
    free(p.pair);
    return rc;
}
