/* From samples to cells. */
#include "report/report.h"

#include "cli/command.h"

#include <stdlib.h>
#include <string.h>

/* The samples of one algorithm in one cell: plain ones, which count together, or one summary. One
 * note of wrong results refuses them all. */
static int measure_of(const struct bine_sample *s, size_t n, struct bine_measure *m) {
    const struct bine_sample *summary = NULL;
    double *seconds = malloc(n * sizeof *seconds);
    size_t plain = 0;
    if (seconds == NULL)
        return -1;
    for (size_t i = 0; i < n; i++) {
        m->refused = m->refused || s[i].wrong;
        if (s[i].wrong)
            continue;
        if (s[i].low <= 0)
            seconds[plain++] = s[i].seconds;
        else
            summary = &s[i];
    }
    if (plain > 0)
        m->summary = bine_summary_of(seconds, plain);
    else if (summary != NULL)
        m->summary = (struct bine_summary){.samples = (size_t)summary->samples,
                                           .median = summary->seconds,
                                           .low = summary->low,
                                           .high = summary->high};
    free(seconds);
    return 0;
}

static void open_cell(struct bine_report *r, const struct bine_sample *s) {
    r->cell[r->cells++] = (struct bine_cell){.system = s->system,
                                             .collective = s->collective,
                                             .ranks = s->ranks,
                                             .nodes = s->nodes,
                                             .conditions = s->conditions,
                                             .bytes = s->bytes,
                                             .file = s->file,
                                             .first = r->measures};
}

/* Where p is no power of two, vectors are a little smaller than asked: the nearest power of two, if
 * it is within a tenth. */
static int64_t nominal_bytes(int64_t bytes) {
    int64_t below = 1;
    while (below <= bytes / 2)
        below *= 2;
    int64_t near = bytes - below < 2 * below - bytes ? below : 2 * below;
    int64_t away = bytes > near ? bytes - near : near - bytes;
    return bytes > 0 && away <= near / 10 ? near : bytes;
}

static int is_same_column(const struct bine_cell *x, const struct bine_cell *y) {
    return x->system == y->system && x->collective == y->collective && x->ranks == y->ranks &&
           x->nodes == y->nodes && x->conditions == y->conditions;
}

/* The rows of the maps. Neighbours that would fall into one row keep their own sizes. */
static void set_rows(struct bine_report *r) {
    for (size_t i = 0; i < r->cells; i++)
        r->cell[i].row = nominal_bytes(r->cell[i].bytes);
    for (size_t i = 1; i < r->cells; i++) {
        struct bine_cell *x = &r->cell[i - 1], *y = &r->cell[i];
        if (is_same_column(x, y) && nominal_bytes(x->bytes) == nominal_bytes(y->bytes)) {
            x->row = x->bytes;
            y->row = y->bytes;
        }
    }
}

int bine_report_gather(struct bine_report *r) {
    if (r->samples == 0)
        return bine_complain("no measurements");
    if (bine_report_tell_apart(r) != 0)
        return BINE_EXIT_USAGE;
    r->cell = malloc(r->samples * sizeof *r->cell);
    r->measure = calloc(r->samples, sizeof *r->measure);
    if (r->cell == NULL || r->measure == NULL)
        return bine_complain("out of memory");
    for (size_t i = 0, n; i < r->samples; i += n) {
        const struct bine_sample *s = &r->sample[i];
        for (n = 1; i + n < r->samples && bine_sample_compare_cells(s, s + n) == 0 &&
                    s->algorithm == s[n].algorithm;
             n++) {
        }
        if (i == 0 || bine_sample_compare_cells(s - 1, s) != 0)
            open_cell(r, s);
        struct bine_measure *m = &r->measure[r->measures++];
        r->cell[r->cells - 1].count++;
        m->algorithm = s->algorithm;
        m->family = bine_mapping_family(&r->mapping, bine_report_collectives[s->collective].kind,
                                        bine_measure_name(r, m));
        if (measure_of(s, n, m) != 0)
            return bine_complain("out of memory");
    }
    set_rows(r);
    free(r->sample);
    r->sample = NULL;
    r->samples = r->room = 0;
    return 0;
}

void bine_report_free(struct bine_report *r) {
    for (size_t i = 0; i < r->files; i++) {
        free(r->file[i].head);
        for (int k = 0; k < BINE_FACTS; k++)
            free(r->file[i].fact[k]);
    }
    for (size_t i = 0; i < r->runs; i++)
        bine_allocation_free(&r->ranks[i].allocation);
    free(r->file);
    free(r->ranks);
    free(r->sample);
    free(r->cell);
    free(r->measure);
    bine_names_free(&r->systems);
    bine_names_free(&r->algorithms);
    bine_names_free(&r->columns);
    bine_names_free(&r->conditions);
    bine_names_free(&r->remarks);
    bine_mapping_free(&r->mapping);
    *r = (struct bine_report){0};
}
