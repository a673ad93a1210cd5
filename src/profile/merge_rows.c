/* Rows of all ranks that are alike become one. */
#include "profile/merge.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static int compare(const unsigned *a, const unsigned *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* All but the datatype: a call may have different ones at different ranks. */
static int by_call(const struct bine_merge_entry *x, const struct bine_merge_entry *y) {
    const unsigned a[] = {(unsigned)x->comm, x->kind.collective, x->kind.form,
                          x->kind.class,     x->kind.algorithm,  x->kind.layout},
                   b[] = {(unsigned)y->comm, y->kind.collective, y->kind.form,
                          y->kind.class,     y->kind.algorithm,  y->kind.layout};
    int order = compare(a, b, sizeof a / sizeof *a);
    return order != 0 ? order : (x->site > y->site) - (x->site < y->site);
}

static int by_all(const void *a, const void *b) {
    const struct bine_merge_entry *x = a, *y = b;
    int order = by_call(x, y);
    if (order == 0)
        order = compare(&x->kind.datatype, &y->kind.datatype, 1);
    return order != 0 ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

static void list_entries(struct bine_merge *m) {
    for (int r = 0; r < m->parts->ranks; r++) {
        const struct bine_part *p = m->parts->part[r];
        for (unsigned i = 0; p != NULL && i < p->head.rows; i++) {
            struct bine_call_kind k = bine_call_kind_of(p->row[i].key);
            const char *site = bine_part_site(p, k.site);
            m->entry[m->entries++] = (struct bine_merge_entry){
                r, (int32_t)i, m->comm[(size_t)r * BINE_PART_COMMS + k.comm], k,
                *site != '\0' ? bine_hash(BINE_HASH, site, strlen(site)) : 0};
        }
    }
}

static const struct bine_part_row *row_of(const struct bine_merge *m,
                                          const struct bine_merge_entry *e) {
    return &m->parts->part[e->rank]->row[e->row];
}

static void name_kind(const struct bine_merge *m, const struct bine_merge_entry *e,
                      struct bine_merged_row *row) {
    const struct bine_call_kind *k = &e->kind;
    row->comm = e->comm;
    row->collective = (enum bine_collective)k->collective;
    row->form = (enum bine_form)k->form;
    row->datatype = (enum bine_datatype)k->datatype;
    row->bytes_from = k->class == BINE_CLASS_NONE ? -1
                      : k->class >= 63            ? 0
                                                  : INT64_C(1) << k->class;
    row->bytes_below = k->class == BINE_CLASS_NONE ? -1
                       : k->class >= 63            ? 1
                                                   : INT64_C(2) << k->class;
    row->by_bine = k->algorithm != BINE_PART_BY_MPI;
    if (k->algorithm == BINE_PART_BY_SEVERAL)
        strcpy(row->algorithm, "several");
    else if (k->algorithm < bine_catalogue_size) {
        snprintf(row->algorithm, sizeof row->algorithm, "%s", bine_catalogue[k->algorithm].name);
        snprintf(row->layout, sizeof row->layout, "%s",
                 bine_layout_name((enum bine_layout)k->layout));
    }
    strcpy(row->site, bine_part_site(m->parts->part[e->rank], k->site));
}

/* The rank of a row in its communicator. */
static void add_entry(const struct bine_merge *m, const struct bine_merge_entry *e,
                      struct bine_merged_row *row, double *bytes, double *calls) {
    const struct bine_part *p = m->parts->part[e->rank];
    const struct bine_part_row *r = row_of(m, e);
    double tick = 1e-9 * bine_part_tick(p), seconds = tick * (double)r->ticks;
    row->calls = (int64_t)r->calls > row->calls ? (int64_t)r->calls : row->calls;
    if (row->recorded == 0)
        row->root = r->root;
    else if (row->root != r->root)
        row->root = BINE_ROOT_VARIES;
    row->mean += seconds;
    row->least = row->recorded == 0 || seconds < row->least ? seconds : row->least;
    row->slowest = seconds > row->slowest ? seconds : row->slowest;
    row->longest =
        tick * (double)r->longest > row->longest ? tick * (double)r->longest : row->longest;
    row->recorded++;
    if (e->kind.datatype != row->datatype)
        row->datatype = BINE_DATATYPE_SEVERAL;
    *bytes += r->bytes;
    *calls += (double)r->calls;
}

static int make_row(const struct bine_merge *m, const struct bine_merge_entry *e, size_t n,
                    struct bine_merged_row *row) {
    double bytes = 0, calls = 0;
    *row = (struct bine_merged_row){.wait_mean = -1, .wait_slowest = -1, .late = -1};
    name_kind(m, e, row);
    for (size_t i = 0; i < n; i++)
        add_entry(m, &e[i], row, &bytes, &calls);
    row->mean /= row->recorded;
    int shares = row->collective == BINE_GATHERV || row->collective == BINE_SCATTERV;
    row->bytes_mean = bytes / (shares ? (double)row->calls : calls);
    return bine_merge_waits(m, e, n, row);
}

/* Whether some rank has the call with several datatypes. `seen` tells the last run for each rank.
 */
static int has_rank_twice(const struct bine_merge_entry *e, size_t n, size_t run, size_t *seen) {
    int twice = 0;
    for (size_t i = 0; i < n; i++) {
        twice |= seen[e[i].rank] == run;
        seen[e[i].rank] = run;
    }
    return twice;
}

/* The end of the entries of one row, which begins at `at`, in a run of one call. */
static size_t end_of_row(const struct bine_merge *m, size_t at, size_t end, int apart) {
    size_t i = at + 1;
    while (i < end && (!apart || m->entry[i].kind.datatype == m->entry[at].kind.datatype))
        i++;
    return i;
}

static int make_rows(struct bine_merge *m, size_t *seen) {
    int rc = 0;
    for (size_t at = 0, run = 1, end; at < m->entries && rc == 0; run++) {
        for (end = at + 1; end < m->entries && by_call(&m->entry[at], &m->entry[end]) == 0;)
            end++;
        int apart = has_rank_twice(&m->entry[at], end - at, run, seen);
        while (at < end && rc == 0) {
            size_t next = end_of_row(m, at, end, apart);
            rc = make_row(m, &m->entry[at], next - at, &m->to->row[m->to->rows]);
            m->to->rows++;
            at = next;
        }
    }
    return rc;
}

int bine_merge_rows(struct bine_merge *m) {
    size_t ranks = (size_t)m->parts->ranks, most = 1;
    for (size_t r = 0; r < ranks; r++)
        most += m->parts->part[r] != NULL ? m->parts->part[r]->head.rows : 0;
    size_t *seen = calloc(ranks, sizeof *seen);
    m->entry = malloc(most * sizeof *m->entry);
    if (seen == NULL || m->entry == NULL) {
        free(seen);
        return -1;
    }
    list_entries(m);
    qsort(m->entry, m->entries, sizeof *m->entry, by_all);
    m->to->row = malloc((m->entries + 1) * sizeof *m->to->row);
    int rc = m->to->row != NULL ? make_rows(m, seen) : -1;
    free(seen);
    return rc;
}
