/* bine predict: what was asked for, and what came out. */
#ifndef BINE_TOOLS_PREDICT_PREDICT_H
#define BINE_TOOLS_PREDICT_PREDICT_H

#include "cli/options/algorithms.h"
#include "cli/options/place.h"
#include "cli/output/table.h"
#include "model/time.h"

enum { BINE_PREDICT_SIZES = 64 };

struct bine_predict_wish {
    struct bine_algorithms asked;
    int64_t bytes[BINE_PREDICT_SIZES];
    int sizes;
    int root, ports, first;
    double busy; /* share of the links between groups that is left; 0: as the machine says */
    struct bine_place_words where;
    const char *plot;
    enum bine_format format;
};

/* The time of one algorithm at one size. */
struct bine_prediction {
    const struct bine_algorithm *algorithm;
    enum bine_layout layout; /* its fastest */
    int64_t bytes;
    struct bine_time time;
};

/* What holds it up most: a link and the share of the time that it is busy, the processors, or
 * latency. */
enum { BINE_BOTTLENECK_TEXT = BINE_LINK_TEXT + 16 };
const char *bine_prediction_bottleneck(const struct bine_prediction *x,
                                       const struct bine_links *links,
                                       char text[BINE_BOTTLENECK_TEXT]);

/* Time over bytes, a curve for each algorithm, as FILE.svg or .png, its source beside it. 0, or
 * BINE_EXIT_USAGE after complaining. */
int bine_predict_plot(const struct bine_predict_wish *w, const struct bine_prediction *x, size_t n);

#endif
