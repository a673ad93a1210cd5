/* What came out of a profile on another machine: as a page for people, or as a table. */
#include "base/numbers.h"
#include "cli/command.h"
#include "cli/options/bytes.h"
#include "predict/what_if.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const struct bine_column columns[] = {
    {"collective", BINE_COLUMN_WORDS},
    {"ranks", BINE_COLUMN_NUMBER},
    {"bytes", BINE_COLUMN_NUMBER},
    {"calls", BINE_COLUMN_NUMBER},
    {"profile_seconds", BINE_COLUMN_NUMBER},
    {"wait_seconds", BINE_COLUMN_NUMBER},
    {"usual_algorithm", BINE_COLUMN_WORDS},
    {"usual_seconds", BINE_COLUMN_NUMBER},
    {"bine_algorithm", BINE_COLUMN_WORDS},
    {"bine_seconds", BINE_COLUMN_NUMBER},
    {"least_algorithm", BINE_COLUMN_WORDS},
    {"least_seconds", BINE_COLUMN_NUMBER},
    {"gain", BINE_COLUMN_NUMBER},
    {"note", BINE_COLUMN_WORDS},
};
static const char *const titles[] = {"collective", "ranks", "bytes", "calls", "profile",
                                     "waited",     "usual", "time",  "Bine",  "time",
                                     "least",      "time",  "gain"};
enum { COLUMNS = sizeof columns / sizeof *columns, NOTE = 1 }; /* text has no notes */

static void add_seconds(struct bine_table *t, enum bine_format format, double seconds) {
    char text[BINE_SECONDS_TEXT];
    if (isnan(seconds))
        bine_table_add(t, "%s", "");
    else if (format == BINE_FORMAT_TEXT)
        bine_table_add(t, "%s", bine_seconds_text(seconds, text));
    else
        bine_table_add(t, "%.4g", seconds);
}

static void add_bytes(struct bine_table *t, enum bine_format format,
                      const struct bine_what_if_row *row) {
    char size[BINE_BYTES_TEXT];
    if (row->ranks == 0 || row->left_out == BINE_ROW_SIZE)
        bine_table_add(t, "%s", "");
    else if (format == BINE_FORMAT_TEXT)
        bine_table_add(t, "%s", bine_bytes_text(row->bytes, size));
    else
        bine_table_add(t, "%" PRId64, row->bytes);
}

/* How many times as fast. */
static void add_gain(struct bine_table *t, double usual, double bine) {
    if (bine > 0)
        bine_table_add(t, "%.2f", usual / bine);
    else
        bine_table_add(t, "%s", "");
}

static void add_sides(struct bine_table *t, enum bine_format format,
                      const struct bine_what_if_row *row) {
    double scale = row->calls * row->share;
    for (int s = 0; s < BINE_ANSWERS; s++) {
        bine_table_add(t, "%s", row->left_out == BINE_ROW_IN ? row->name[s] : "");
        add_seconds(t, format, row->left_out == BINE_ROW_IN ? scale * row->seconds[s] : NAN);
    }
    if (row->left_out == BINE_ROW_IN)
        add_gain(t, row->seconds[BINE_ANSWER_USUAL], row->seconds[BINE_ANSWER_BINE]);
    else
        bine_table_add(t, "%s", "");
}

static void add_row(struct bine_table *t, enum bine_format format,
                    const struct bine_what_if_row *row) {
    bine_table_add(t, "%s", bine_collective_name(row->collective));
    if (row->ranks > 0)
        bine_table_add(t, "%d", row->ranks);
    else
        bine_table_add(t, "%s", "");
    add_bytes(t, format, row);
    bine_table_add(t, "%.0f", row->calls);
    add_seconds(t, format, row->measured);
    add_seconds(t, format, row->waited_known ? row->waited : NAN);
    add_sides(t, format, row);
    if (format == BINE_FORMAT_TEXT)
        return;
    bine_table_add(t, "%s",
                   row->left_out != BINE_ROW_IN ? bine_left_out_text(row->left_out)
                   : row->boards                ? "shared memory: not modelled"
                                                : "");
}

static void add_sums(struct bine_table *t, const struct bine_what_if *x) {
    bine_table_add(t, "all");
    for (int i = 0; i < 3; i++)
        bine_table_add(t, "%s", "");
    add_seconds(t, x->wish->format, x->measured);
    add_seconds(t, x->wish->format, x->waits_unknown > 0 ? NAN : x->waited);
    for (int s = 0; s < BINE_ANSWERS; s++) {
        bine_table_add(t, "%s", "");
        add_seconds(t, x->wish->format, x->run[s]);
    }
    add_gain(t, x->run[BINE_ANSWER_USUAL], x->run[BINE_ANSWER_BINE]);
    bine_table_add(t, "%s", "");
}

/* Whether the program has communicators of some of its ranks. */
static int has_parts(const struct bine_profile *f) {
    for (size_t i = 0; i < f->communicators; i++)
        if (f->communicator[i].ranks < f->ranks)
            return 1;
    return 0;
}

static void print_assumptions(const struct bine_what_if *x) {
    static const char *const scales[BINE_SCALES] = {
        "strong scaling: the whole stays, blocks of ranks shrink or grow",
        "weak scaling: each rank's part stays, wholes grow or shrink"};
    static const char *const parts[BINE_PARTS_KINDS] = {
        "communicators of a part grow: each rank stands for its neighbours, too",
        "communicators of a part keep their ranks"};
    if (x->profile->ranks == x->job.allocation->p)
        return;
    printf("profile of %" PRId64 " ranks; %s;\n", x->profile->ranks, scales[x->wish->scale]);
    if (has_parts(x->profile))
        printf("%s; ", parts[x->wish->parts]);
    printf("calls are as many\n");
}

static void print_head(const struct bine_what_if *x, const char *where) {
    int most, nodes = bine_allocation_nodes(x->job.allocation, &most);
    int groups = bine_allocation_groups(x->job.allocation);
    printf("%d ranks on %d nodes of %s, %d group%s; usual algorithms of %s\n", x->job.allocation->p,
           nodes, where, groups, bine_plural(groups),
           x->library == BINE_LIBRARY_OPENMPI ? "Open MPI 4.1" : "MPICH 4.0");
    print_assumptions(x);
    printf("seconds of the mean rank, all calls of a row; without waiting for late ranks\n\n");
}

/* What the run would be with everything else as in the profile: what a rank does by itself stays,
 * or, in strong scaling, is divided among the ranks. */
static void print_run(const struct bine_what_if *x) {
    double rest = x->profile->seconds - x->profile->mean, usual = x->run[BINE_ANSWER_USUAL],
           bine = x->run[BINE_ANSWER_BINE];
    char before[BINE_SECONDS_TEXT], after[BINE_SECONDS_TEXT];
    int divided = x->profile->ranks != x->job.allocation->p && x->wish->scale == BINE_SCALE_STRONG;
    if (rest <= 0)
        return;
    if (divided)
        rest *= (double)x->profile->ranks / x->job.allocation->p;
    printf("of the run:   %s usually, %s with Bine: %.1f %% less, if everything else %s\n"
           "              %s and nobody waits\n",
           bine_seconds_text(rest + usual, before), bine_seconds_text(rest + bine, after),
           100 * (usual - bine) / (rest + usual), divided ? "is divided" : "takes as long",
           divided ? "among the ranks" : "as in the profile");
}

static void print_profile(const struct bine_what_if *x) {
    char all[BINE_SECONDS_TEXT], waited[BINE_SECONDS_TEXT], run[BINE_SECONDS_TEXT];
    printf("profile:      %s of %s in these calls", bine_seconds_text(x->measured, all),
           bine_seconds_text(x->profile->seconds, run));
    if (x->waited > 0)
        printf(", of which %s waiting for late ranks", bine_seconds_text(x->waited, waited));
    if (x->waits_unknown > 0)
        printf("; waiting in %d row%s is not known", x->waits_unknown,
               bine_plural(x->waits_unknown));
    printf("\n");
}

static void print_left_out(const struct bine_what_if *x) {
    char seconds[BINE_SECONDS_TEXT];
    for (int k = 1; k < BINE_ROW_KINDS; k++)
        if (x->left_outs[k] > 0)
            printf("left out:     %d row%s, %s of the profile: %s\n", x->left_outs[k],
                   bine_plural(x->left_outs[k]), bine_seconds_text(x->left_out[k], seconds),
                   bine_left_out_text((enum bine_left_out)k));
    if (x->profile->others_calls > 0)
        printf("left out:     %.0f calls for which the profile had no row\n",
               x->profile->others_calls);
    if (x->boards > 0)
        printf("as usual:     %d row%s inside a node: what shared memory brings is not modelled\n",
               x->boards, bine_plural(x->boards));
}

static void print_sums(const struct bine_what_if *x) {
    char usual[BINE_SECONDS_TEXT], bine[BINE_SECONDS_TEXT], least[BINE_SECONDS_TEXT];
    const double *run = x->run;
    printf("\ncollectives:  %s usually, %s with Bine (%.2f times as fast), %s at least\n",
           bine_seconds_text(run[BINE_ANSWER_USUAL], usual),
           bine_seconds_text(run[BINE_ANSWER_BINE], bine),
           run[BINE_ANSWER_BINE] > 0 ? run[BINE_ANSWER_USUAL] / run[BINE_ANSWER_BINE] : 1,
           bine_seconds_text(run[BINE_ANSWER_LEAST], least));
    print_run(x);
    print_profile(x);
    print_left_out(x);
}

int bine_what_if_print(const struct bine_what_if *x, const char *where) {
    int text = x->wish->format == BINE_FORMAT_TEXT;
    struct bine_table t = {
        .column = columns, .title = titles, .columns = text ? COLUMNS - NOTE : COLUMNS};
    for (size_t i = 0; i < x->rows; i++)
        if (!text || (x->row[i].left_out == BINE_ROW_IN &&
                      (x->wish->first == 0 || i < (size_t)x->wish->first)))
            add_row(&t, x->wish->format, &x->row[i]);
    if (!text)
        add_sums(&t, x);
    else
        print_head(x, where);
    int rc = bine_table_print(&t, x->wish->format);
    bine_table_free(&t);
    if (rc == 0 && text)
        print_sums(x);
    return rc;
}
