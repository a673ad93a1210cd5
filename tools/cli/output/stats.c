#include "cli/output/stats.h"

#include "base/numbers.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Which sample, counted from 1 at either end, is the end of the interval: the largest k with
 * P(X < k) <= 0.025 for X ~ Binomial(n, 1/2), but at least 1. */
static size_t interval_end(size_t n) {
    if (n > 1000) { /* 2^-n would vanish; the normal distribution is exact enough there */
        double k = (double)n / 2 - 0.5 * 1.959964 * sqrt((double)n) + 0.5;
        return (size_t)k;
    }
    double mass = pow(0.5, (double)n), below = mass;
    size_t k = 0;
    while (below <= 0.025 && k < n) {
        k++;
        mass *= (double)(n - k + 1) / (double)k;
        below += mass;
    }
    return k > 0 ? k : 1;
}

struct bine_summary bine_summary_of(double *sample, size_t n) {
    struct bine_summary s = {.samples = n};
    if (n == 0)
        return s;
    qsort(sample, n, sizeof *sample, by_value);
    size_t k = interval_end(n);
    s.median = n % 2 ? sample[n / 2] : (sample[n / 2 - 1] + sample[n / 2]) / 2;
    s.low = sample[k - 1];
    s.high = sample[n - k];
    return s;
}

double bine_summary_spread(const struct bine_summary *s) {
    double above = s->high - s->median, below = s->median - s->low;
    return s->median > 0 ? (bine_max(above, below)) / s->median : 0;
}

int bine_summary_tie(const struct bine_summary *a, const struct bine_summary *b) {
    double small = bine_min(a->median, b->median);
    if (a->low <= b->high && b->low <= a->high)
        return 1;
    return fabs(a->median - b->median) < BINE_TIE * small;
}

double bine_quantile(const double *sorted, size_t n, double q) {
    double at = q * (double)(n - 1);
    size_t i = (size_t)at;
    if (i + 1 >= n)
        return sorted[n - 1];
    return sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]);
}

void bine_geometric_add(struct bine_geometric *g, double ratio) {
    g->logs += log(ratio);
    g->n++;
}

double bine_geometric_mean(const struct bine_geometric *g) {
    return g->n == 0 ? 0 : exp(g->logs / (double)g->n);
}
