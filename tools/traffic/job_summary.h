/* The summary of many jobs: savings by job size, plots, the page. */
#ifndef BINE_TOOLS_TRAFFIC_JOB_SUMMARY_H
#define BINE_TOOLS_TRAFFIC_JOB_SUMMARY_H

#include "traffic/job_results.h"

#include <stdio.h>

enum { BINE_BINS_MOST = 48 };

/* Jobs of like size. */
struct bine_job_bin {
    int low, high; /* ranks */
    size_t jobs;
    size_t worse;                     /* jobs in which the baseline sends less */
    double mean, median, least, most; /* saving over the baseline, percent */
    double bound;                     /* what the least possible would save, mean */
    double ratio;                     /* bytes over the lower bound, mean */
    double groups;                    /* mean */
};

/* One algorithm's jobs. Without a baseline there are no savings. */
struct bine_job_summary {
    const struct bine_job_results *all;
    int algorithm;
    struct bine_job_bin bin[BINE_BINS_MOST];
    int bins;
    struct bine_job_bin whole; /* all of them */
};

/* 0, or -1 when out of memory. */
int bine_job_summary_make(struct bine_job_summary *s, const struct bine_job_results *all,
                          int algorithm);
/* The bin of so many ranks. */
int bine_job_summary_bin(const struct bine_job_summary *s, int ranks);
void bine_job_bin_label(const struct bine_job_bin *bin, char text[32]);
double bine_job_saving(const struct bine_job_result *r, int64_t bytes);

/* One sentence that sums up all jobs: the same on the terminal and on the page. */
enum { BINE_HEADLINE = 400 };
const char *bine_job_summary_headline(const struct bine_job_summary *s, char text[BINE_HEADLINE]);
/* The tables at the end of the terminal's output: 0, or BINE_EXIT_USAGE after complaining. */
int bine_job_summary_print(const struct bine_job_results *all);

/* The two plots. Each is a gnuplot script beside the page, its data and what it draws, an SVG. */
enum bine_plot { BINE_PLOT_BOXES, BINE_PLOT_SCATTER, BINE_PLOTS };
/* Write data and scripts and run gnuplot. `stem` is the page's path without its ending. 0, or
 * BINE_EXIT_USAGE after complaining. */
int bine_job_summary_plot(const struct bine_job_summary *s, const char *stem);
/* The path of a file about one algorithm, to be freed: stem-algorithm-suffix; NULL when out of
 * memory. */
char *bine_job_summary_path(const struct bine_job_summary *s, const char *stem, const char *suffix);
const char *bine_plot_suffix(enum bine_plot plot);

/* The HTML page and the plots beside it; 0, or BINE_EXIT_USAGE after complaining. */
int bine_traffic_report(const struct bine_job_results *all, const char *path);

#endif
