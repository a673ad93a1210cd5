/* Bine against others: in a cell, and over all cells of a collective. */
#include "report/report.h"

#include "base/numbers.h"

#include <string.h>

static int is_on_side(const struct bine_report *r, const struct bine_measure *m,
                      enum bine_report_side side) {
    int is_bine = strcmp(m->family, "bine") == 0;
    if (side == BINE_SIDE_BINE)
        return is_bine;
    if (side == BINE_SIDE_OTHERS || strcmp(r->baseline, "best") == 0)
        return !is_bine;
    if (strcmp(r->baseline, "binomial") == 0)
        return strcmp(m->family, "binomial") == 0;
    return strcmp(bine_measure_name(r, m), r->baseline) == 0;
}

const struct bine_measure *bine_cell_best(const struct bine_report *r, const struct bine_cell *c,
                                          enum bine_report_side side) {
    const struct bine_measure *best = NULL;
    for (size_t i = c->first; i < c->first + c->count; i++) {
        const struct bine_measure *m = &r->measure[i];
        if (!m->refused && m->summary.samples > 0 && is_on_side(r, m, side) &&
            (best == NULL || m->summary.median < best->summary.median))
            best = m;
    }
    return best;
}

int bine_cell_duel(const struct bine_report *r, const struct bine_cell *c,
                   enum bine_report_side other, struct bine_duel *duel) {
    duel->bine = bine_cell_best(r, c, BINE_SIDE_BINE);
    duel->other = bine_cell_best(r, c, other);
    if (duel->bine == NULL || duel->other == NULL)
        return 0;
    const struct bine_summary *x = &duel->bine->summary, *y = &duel->other->summary;
    duel->ratio = y->median / x->median;
    duel->verdict = bine_summary_tie(x, y) ? 0 : duel->ratio > 1 ? 1 : -1;
    return 1;
}

struct bine_score bine_report_score(const struct bine_report *r, int system, int collective,
                                    enum bine_report_side other) {
    struct bine_score s = {0};
    struct bine_geometric gain = {0}, drop = {0};
    struct bine_duel d;
    double sum = 0;
    for (size_t i = 0; i < r->cells; i++) {
        const struct bine_cell *c = &r->cell[i];
        if (c->system != system || (collective >= 0 && c->collective != collective) ||
            !bine_cell_duel(r, c, other, &d))
            continue;
        s.cells++;
        if (d.verdict > 0) {
            bine_geometric_add(&gain, d.ratio);
            s.most_gain = bine_max(s.most_gain, 100 * (d.ratio - 1));
        } else if (d.verdict < 0) {
            bine_geometric_add(&drop, 1 / d.ratio);
            s.most_drop = bine_max(s.most_drop, 100 * (1 / d.ratio - 1));
        }
        if (c->counted[other]) {
            double saving = c->saving[other];
            s.most_saving = s.counted == 0 ? saving : bine_max(s.most_saving, saving);
            sum += saving;
            s.counted++;
        }
    }
    s.wins = gain.n;
    s.losses = drop.n;
    s.ties = s.cells - s.wins - s.losses;
    s.gain = gain.n > 0 ? 100 * (bine_geometric_mean(&gain) - 1) : 0;
    s.drop = drop.n > 0 ? 100 * (bine_geometric_mean(&drop) - 1) : 0;
    s.saving = s.counted > 0 ? sum / (double)s.counted : 0;
    return s;
}

int bine_report_has(const struct bine_report *r, int system, int collective) {
    for (size_t i = 0; i < r->cells; i++)
        if (r->cell[i].system == system && r->cell[i].collective == collective)
            return 1;
    return 0;
}

int bine_report_sides(const struct bine_report *r, int system) {
    for (int c = 0; c < BINE_REPORT_COLLECTIVES && strcmp(r->baseline, "best") != 0; c++) {
        struct bine_score x = bine_report_score(r, system, c, BINE_SIDE_BASELINE),
                          y = bine_report_score(r, system, c, BINE_SIDE_OTHERS);
        if (memcmp(&x, &y, sizeof x) != 0)
            return 2;
    }
    return 1;
}

int bine_report_has_traffic(const struct bine_report *r, int system) {
    return bine_report_score(r, system, -1, BINE_SIDE_BASELINE).counted > 0 ||
           bine_report_score(r, system, -1, BINE_SIDE_OTHERS).counted > 0;
}
