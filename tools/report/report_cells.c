/* From samples to cells. */
#include "report/report.h"

#include "cli/command.h"

#include <stdlib.h>
#include <string.h>

#define ORDER(FIELD)                                                                               \
    if (x->FIELD != y->FIELD)                                                                      \
    return x->FIELD < y->FIELD ? -1 : 1

static int by_cell(const struct bine_sample *x, const struct bine_sample *y) {
    ORDER(system);
    ORDER(collective);
    ORDER(ranks);
    ORDER(nodes);
    ORDER(bytes);
    return 0;
}

static int by_key(const void *a, const void *b) {
    const struct bine_sample *x = a, *y = b;
    int order = by_cell(x, y);
    if (order != 0)
        return order;
    ORDER(algorithm);
    return 0;
}

/* The samples of one algorithm in one cell. Plain samples count together; if there are only
 * summaries, the one of the most samples counts. One note of wrong results refuses them all. */
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
        else if (summary == NULL || s[i].samples > summary->samples)
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
                                             .bytes = s->bytes,
                                             .first = r->measures};
}

int bine_report_gather(struct bine_report *r) {
    if (r->samples == 0)
        return bine_complain("no measurements");
    qsort(r->sample, r->samples, sizeof *r->sample, by_key);
    r->cell = malloc(r->samples * sizeof *r->cell);
    r->measure = calloc(r->samples, sizeof *r->measure);
    if (r->cell == NULL || r->measure == NULL)
        return bine_complain("out of memory");
    for (size_t i = 0, n; i < r->samples; i += n) {
        const struct bine_sample *s = &r->sample[i];
        for (n = 1; i + n < r->samples && by_key(s, s + n) == 0; n++) {
        }
        if (i == 0 || by_cell(s - 1, s) != 0)
            open_cell(r, s);
        struct bine_measure *m = &r->measure[r->measures++];
        r->cell[r->cells - 1].count++;
        m->algorithm = s->algorithm;
        m->family = bine_mapping_family(&r->mapping, bine_report_collectives[s->collective].kind,
                                        bine_measure_name(r, m));
        if (measure_of(s, n, m) != 0)
            return bine_complain("out of memory");
    }
    free(r->sample);
    r->sample = NULL;
    r->samples = r->room = 0;
    return 0;
}

void bine_report_free(struct bine_report *r) {
    for (size_t i = 0; i < r->files; i++)
        free(r->file[i].head);
    for (size_t i = 0; i < r->places; i++)
        bine_allocation_free(&r->place[i].allocation);
    free(r->file);
    free(r->place);
    free(r->sample);
    free(r->cell);
    free(r->measure);
    bine_names_free(&r->systems);
    bine_names_free(&r->algorithms);
    bine_mapping_free(&r->mapping);
    *r = (struct bine_report){0};
}
