/* How good rules are, by measurements that they were not made from. */
#include "tune/tune.h"

#include <math.h>

static const struct bine_tune_rule *rule_for(const struct bine_tune *t, const struct bine_cell *c) {
    for (size_t i = 0; i < t->rules; i++) {
        const struct bine_tune_rule *x = &t->rule[i];
        if (x->collective == c->collective && x->library == bine_tune_library(t->report, c) &&
            x->nodes == c->nodes && x->ranks <= c->ranks && c->ranks <= x->ranks_high &&
            x->from <= c->bytes && c->bytes < x->below)
            return x;
    }
    return NULL;
}

static double fastest(const struct bine_report *r, const struct bine_cell *c) {
    double best = HUGE_VAL;
    for (size_t i = c->first; i < c->first + c->count; i++)
        if (!r->measure[i].refused && r->measure[i].summary.median < best)
            best = r->measure[i].summary.median;
    return best;
}

static void judge_cell(const struct bine_tune *t, const struct bine_cell *c, double *logs,
                       struct bine_tune_score *s) {
    const struct bine_tune_rule *rule = rule_for(t, c);
    const struct bine_measure *own = bine_tune_measure(t->report, c, -1), *m;
    if (rule == NULL || own == NULL ||
        (m = bine_tune_measure(t->report, c, rule->algorithm)) == NULL)
        return;
    double gain = own->summary.median / m->summary.median,
           behind = m->summary.median / fastest(t->report, c);
    s->least = s->cells == 0 || gain < s->least ? gain : s->least;
    s->cells++;
    s->own += rule->algorithm >= 0;
    s->within5 += behind <= 1.05;
    s->within20 += behind <= 1.2;
    logs[0] += log(gain);
    logs[1] += log(gain * behind);
}

void bine_tune_judge(const struct bine_tune *t, int collective, int half,
                     struct bine_tune_score *s) {
    double logs[2] = {0, 0};
    int place = 0;
    *s = (struct bine_tune_score){0};
    for (size_t i = 0, end; i < t->cells; i = end) {
        int of_half = half < 0 || place % 2 == half;
        end = bine_tune_next(t, i, &place);
        for (size_t k = i; k < end && of_half; k++)
            if (t->cell[k]->collective == collective)
                judge_cell(t, t->cell[k], logs, s);
    }
    if (s->cells > 0) {
        s->gain = exp(logs[0] / (double)s->cells);
        s->best = exp(logs[1] / (double)s->cells);
    }
}

double bine_tune_mean(double a, size_t n, double b, size_t m) {
    if (n == 0 || m == 0)
        return n == 0 ? b : a;
    return exp((log(a) * (double)n + log(b) * (double)m) / (double)(n + m));
}
