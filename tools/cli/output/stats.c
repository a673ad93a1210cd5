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

/* The 97.5 % quantile of Student's t distribution. Beyond the table the expansion in 1 / freedom
 * about the normal distribution's is exact to three digits. */
static double student(size_t freedom) {
    static const double quantile[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                                      2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131};
    const double z = 1.959964;
    if (freedom <= sizeof quantile / sizeof *quantile)
        return quantile[freedom - 1];
    double f = (double)freedom;
    return z + (z * z * z + z) / (4 * f) + (5 * pow(z, 5) + 16 * z * z * z + 3 * z) / (96 * f * f);
}

struct bine_mean bine_mean_of(const double *sample, size_t n) {
    struct bine_mean m = {.samples = n};
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        sum += sample[i];
    m.mean = n > 0 ? sum / (double)n : 0;
    for (size_t i = 0; i < n; i++)
        squares += (sample[i] - m.mean) * (sample[i] - m.mean);
    if (n > 1)
        m.half = student(n - 1) * sqrt(squares / (double)(n - 1) / (double)n);
    return m;
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
