/* The rows of a profile on another machine, one by one, and their sums. */
#include "predict/what_if.h"

#include "base/numbers.h"
#include "cli/command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *bine_left_out_text(enum bine_left_out why) {
    static const char *const text[BINE_ROW_KINDS] = {
        "",
        "size not known",
        "started: what is waited for is not known",
        "between groups of ranks, or communicators not known",
        "one rank",
        "no rule or model for it",
    };
    return text[why];
}

/* Bytes of an element where the profile says the datatype; of others the usual number. */
static int element_of(const char *datatype) {
    static const struct {
        const char *name;
        int bytes;
    } row[] = {{"byte", 1}, {"integer", 4}, {"float", 8}, {"complex", 16}};
    for (size_t i = 0; i < sizeof row / sizeof *row && datatype != NULL; i++)
        if (strcmp(row[i].name, datatype) == 0)
            return row[i].bytes;
    return 8;
}

/* --- From the profile: rows that differ in site or algorithm alone are one. */

static int same_row(const struct bine_profile *f, const struct bine_what_if_row *x,
                    const struct bine_profile_row *r, size_t first) {
    const struct bine_profile_row *a = &f->row[first];
    return x->communicator == (size_t)r->communicator && (int)x->collective == r->collective &&
           x->form == r->form && x->root == r->root && a->bytes_from == r->bytes_from &&
           a->bytes_below == r->bytes_below && isnan(a->bytes_mean) == isnan(r->bytes_mean);
}

static void add_row(struct bine_what_if_row *x, const struct bine_profile *f,
                    const struct bine_profile_row *r) {
    double ranks = f->recorded > 0 ? (double)f->recorded : 1, part = (double)r->recorded / ranks;
    x->calls += (double)r->calls;
    x->profile_bytes += (double)r->calls * r->bytes_mean;
    x->measured += r->seconds_mean * part;
    x->waited += isnan(r->wait_mean) ? 0 : r->wait_mean * part;
    x->waited_known &= !isnan(r->wait_mean);
}

static int collect_rows(struct bine_what_if *x) {
    const struct bine_profile *f = x->profile;
    size_t *first = calloc(f->rows + 1, sizeof *first), k;
    x->row = calloc(f->rows + 1, sizeof *x->row);
    for (size_t i = 0; i < f->rows && first != NULL && x->row != NULL; i++) {
        const struct bine_profile_row *r = &f->row[i];
        for (k = 0; k < x->rows && !same_row(f, &x->row[k], r, first[k]); k++)
            ;
        if (k == x->rows) {
            first[x->rows++] = i;
            x->row[k] = (struct bine_what_if_row){.collective = (enum bine_collective)r->collective,
                                                  .communicator = (size_t)r->communicator,
                                                  .form = r->form,
                                                  .root = r->root,
                                                  .element = element_of(r->datatype),
                                                  .waited_known = 1};
        }
        add_row(&x->row[k], f, r);
    }
    free(first);
    return first == NULL || x->row == NULL ? -1 : 0;
}

/* --- Row by row */

static struct bine_team *find_team(struct bine_what_if *x, size_t communicator) {
    struct bine_team **t = &x->team[communicator];
    int count = 0;
    if (*t == NULL) {
        int32_t *rank = bine_what_if_ranks(x->profile, communicator, x->job.allocation->p,
                                           (enum bine_parts)x->wish->parts, &count);
        *t = bine_team_open(&x->job, rank, count);
    }
    return *t;
}

static enum bine_left_out left_out(const struct bine_what_if *x,
                                   const struct bine_what_if_row *row) {
    int kind = x->profile->communicator[row->communicator].kind;
    if (kind == BINE_PROFILE_INTER || kind == BINE_PROFILE_SEVERAL)
        return BINE_ROW_GROUPS;
    if (row->form != BINE_PROFILE_BLOCKING)
        return BINE_ROW_STARTED;
    return isnan(row->profile_bytes) ? BINE_ROW_SIZE : BINE_ROW_IN;
}

static int find_least(struct bine_what_if_row *row, struct bine_team *t) {
    struct bine_team_way way;
    double *s = row->seconds;
    if (bine_team_least(t, row->collective, (int)row->root, row->bytes, &way,
                        &s[BINE_ANSWER_LEAST]) != 0)
        return -1;
    if (!isnan(s[BINE_ANSWER_LEAST]))
        snprintf(row->name[BINE_ANSWER_LEAST], BINE_WHAT_IF_NAME, "%s", way.algorithm->name);
    for (int side = 0; side < BINE_ANSWER_LEAST; side++)
        if (!(s[BINE_ANSWER_LEAST] < s[side])) {
            s[BINE_ANSWER_LEAST] = s[side];
            snprintf(row->name[BINE_ANSWER_LEAST], BINE_WHAT_IF_NAME, "%s", row->name[side]);
        }
    return 0;
}

static int find_usual(struct bine_what_if *x, struct bine_team *t, struct bine_what_if_row *row) {
    struct bine_usual u;
    struct bine_usual_query q = {.library = x->library,
                                 .collective = row->collective,
                                 .bytes = row->bytes,
                                 .element = row->element};
    if (bine_team_usual(t, &q, (int)row->root, &u, &row->seconds[BINE_ANSWER_USUAL]) != 0)
        return -1;
    snprintf(row->name[BINE_ANSWER_USUAL], BINE_WHAT_IF_NAME, "%s%s", u.like ? "~" : "", u.name);
    return 0;
}

/* Blocks of ranks are of whole elements, as programs cut them. */
static int64_t cut_to_blocks(enum bine_collective c, int64_t bytes, int p, int element) {
    int64_t unit = (int64_t)p * (element > 0 ? element : 1);
    int blocks = bine_collective_is_plain(c) && !bine_cuts_a_vector(c);
    return blocks && bytes > unit ? bytes - bytes % unit : bytes;
}

/* Where a row is on the machine: its ranks, bytes and root there. */
static void move_row(struct bine_what_if *x, struct bine_what_if_row *row, struct bine_team *t) {
    int64_t from = x->profile->communicator[row->communicator].ranks;
    row->ranks = t->p;
    row->share = (double)t->p / x->job.allocation->p;
    row->bytes =
        bine_what_if_bytes(row->collective, (enum bine_scale)x->wish->scale,
                           row->calls > 0 ? row->profile_bytes / row->calls : 0, from, t->p);
    row->bytes = cut_to_blocks(row->collective, row->bytes, t->p, row->element);
    row->root =
        bine_collective_is_rooted(row->collective) ? bine_what_if_root(row->root, from, t->p) : 0;
}

static int predict_row(struct bine_what_if *x, struct bine_what_if_row *row) {
    row->left_out = left_out(x, row);
    if (row->left_out != BINE_ROW_IN)
        return 0;
    struct bine_team *t = find_team(x, row->communicator);
    if (t == NULL)
        return -1;
    move_row(x, row, t);
    if (t->p == 1)
        row->left_out = BINE_ROW_ALONE;
    if (t->p == 1)
        return 0;
    if (find_usual(x, t, row) != 0)
        return -1;
    if (isnan(row->seconds[BINE_ANSWER_USUAL]))
        row->left_out = BINE_ROW_UNKNOWN;
    else if (bine_what_if_choose(x, t, row) != 0 || find_least(row, t) != 0)
        return -1;
    return 0;
}

/* --- Sums */

static void add_up(struct bine_what_if *x) {
    for (size_t i = 0; i < x->rows; i++) {
        const struct bine_what_if_row *row = &x->row[i];
        x->left_outs[row->left_out]++;
        if (row->left_out != BINE_ROW_IN) {
            x->left_out[row->left_out] += row->measured;
            continue;
        }
        for (int s = 0; s < BINE_ANSWERS; s++)
            x->run[s] += row->calls * row->share * row->seconds[s];
        x->measured += row->measured;
        x->waited += row->waited;
        x->waits_unknown += !row->waited_known;
        x->boards += row->boards;
    }
}

/* The row that costs most comes first. */
static int by_cost(const void *a, const void *b) {
    const struct bine_what_if_row *x = a, *y = b;
    double p = x->left_out ? -1 : x->calls * x->share * x->seconds[BINE_ANSWER_USUAL],
           q = y->left_out ? -1 : y->calls * y->share * y->seconds[BINE_ANSWER_USUAL];
    if (p > q || p < q)
        return p > q ? -1 : 1;
    return (x->measured < y->measured) - (x->measured > y->measured);
}

int bine_what_if_library(const struct bine_profile *f, const struct bine_what_if_wish *w,
                         int *library) {
    *library = w->library != BINE_LIBRARY_ANY        ? w->library
               : strncmp(f->mpi, "Open MPI", 8) == 0 ? BINE_LIBRARY_OPENMPI
               : strncmp(f->mpi, "MPICH", 5) == 0    ? BINE_LIBRARY_MPICH
                                                     : BINE_LIBRARY_ANY;
    return *library != BINE_LIBRARY_ANY
               ? 0
               : bine_complain("the profile is of '%.60s': expected --mpi openmpi or mpich, whose "
                               "usual algorithms are known",
                               f->mpi);
}

/* Between two calls of the mean rank, in the profile: links rest as long. */
static double idle_of(const struct bine_profile *f) {
    double calls = f->others_calls;
    for (size_t i = 0; i < f->rows; i++)
        calls += (double)(f->row[i].calls * f->row[i].recorded);
    double away = f->seconds - f->mean, each = calls / bine_max(1, (double)f->recorded);
    return each > 0 && away > 0 ? away / each : 0;
}

int bine_what_if_run(struct bine_what_if *x) {
    if (bine_what_if_library(x->profile, x->wish, &x->library) != 0)
        return BINE_EXIT_USAGE;
    x->team = calloc(x->profile->communicators + 1, sizeof *x->team);
    x->job.idle = idle_of(x->profile);
    int rc = x->team == NULL || collect_rows(x) != 0;
    for (size_t i = 0; i < x->rows && rc == 0; i++) {
        struct bine_what_if_row *row = &x->row[i];
        if (!x->wish->silent)
            bine_progress_show(&x->progress, (double)i / (double)x->rows, "row %zu of %zu, %s",
                               i + 1, x->rows, bine_collective_name(row->collective));
        rc = predict_row(x, row);
    }
    bine_progress_end(&x->progress);
    if (rc != 0)
        return bine_complain("out of memory");
    qsort(x->row, x->rows, sizeof *x->row, by_cost);
    add_up(x);
    return 0;
}

void bine_what_if_free(struct bine_what_if *x) {
    for (size_t i = 0; x->team != NULL && i < x->profile->communicators; i++)
        bine_team_close(x->team[i]);
    free(x->team);
    free(x->row);
    x->team = NULL;
    x->row = NULL;
}
