/* Statistics of repeated measurements: the median, its interval, ties. */
#ifndef BINE_TOOLS_CLI_STATS_H
#define BINE_TOOLS_CLI_STATS_H

#include <stddef.h>

/* The median and a 95 % interval of it, which assumes nothing about the distribution: the ends are
 * samples, counted in from both ends of the sorted list so far that the true median lies outside
 * with at most 2.5 % on each side (a binomial distribution with p = 1/2). Fewer than six samples
 * cannot give 95 %: then the ends are the least and the greatest. */
struct bine_summary {
    size_t samples;
    double median, low, high;
};

/* Sorts the samples. All zero if there are none. */
struct bine_summary bine_summary_of(double *sample, size_t n);
/* How far the ends of the interval are from the median, over the median; the larger of both. */
double bine_summary_spread(const struct bine_summary *s);

/* Medians that nobody should call different: their intervals overlap, or they differ by less than
 * 1 % of the smaller one. */
#define BINE_TIE 0.01
int bine_summary_tie(const struct bine_summary *a, const struct bine_summary *b);

/* The mean, and half the width of its 95 % interval by Student's t distribution; one sample has no
 * interval: 0. */
struct bine_mean {
    size_t samples;
    double mean, half;
};
struct bine_mean bine_mean_of(const double *sample, size_t n);

/* The q-quantile (0..1) of sorted numbers, between neighbours where it falls between them. */
double bine_quantile(const double *sorted, size_t n, double q);

/* A geometric mean in the making. All zero is empty; the mean of nothing is 0. */
struct bine_geometric {
    double logs;
    size_t n;
};
void bine_geometric_add(struct bine_geometric *g, double ratio);
double bine_geometric_mean(const struct bine_geometric *g);

#endif
