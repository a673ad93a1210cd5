/* The report on many jobs: numbers by node count, plots, the page. */
#ifndef BINE_TOOLS_TRAFFIC_TRAFFIC_REPORT_H
#define BINE_TOOLS_TRAFFIC_TRAFFIC_REPORT_H

#include "traffic/traffic_jobs.h"

#include <stdio.h>

enum { BINE_BINS_MOST = 48 };

/* Jobs of like size. */
struct bine_bin {
    int low, high; /* ranks */
    size_t jobs;
    double mean, median, least, most; /* saving, percent */
    double bound;                     /* what the lower bound would save, mean */
    double ratio;                     /* bytes over the lower bound, mean */
    double groups;                    /* mean */
};

/* One algorithm's jobs. */
struct bine_section {
    const struct bine_job_results *all;
    int algorithm;
    struct bine_bin bin[BINE_BINS_MOST];
    int bins;
    struct bine_bin whole; /* all of them */
};

/* 0, or -1 when out of memory. */
int bine_section_make(struct bine_section *s, const struct bine_job_results *all, int algorithm);
/* The bin of so many ranks. */
int bine_section_bin(const struct bine_section *s, int ranks);
void bine_bin_label(const struct bine_bin *bin, char text[32]);
double bine_job_saving(const struct bine_job_result *r, int64_t bytes);

/* The two plots. Each is a gnuplot script beside the page, its data and what it draws, an SVG. */
enum bine_plot { BINE_PLOT_BOXES, BINE_PLOT_SCATTER, BINE_PLOTS };
/* Write data and scripts and run gnuplot. `stem` is the page's path without its ending. 0, or
 * BINE_EXIT_USAGE after complaining. */
int bine_section_plot(const struct bine_section *s, const char *stem);
/* The path of a file of a section, to be freed: stem-algorithm-suffix; NULL when out of memory. */
char *bine_section_path(const struct bine_section *s, const char *stem, const char *suffix);
const char *bine_plot_suffix(enum bine_plot plot);

#endif
