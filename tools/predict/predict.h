/* bine predict: what was asked for, and what came out. */
#ifndef BINE_TOOLS_PREDICT_PREDICT_H
#define BINE_TOOLS_PREDICT_PREDICT_H

#include "cli/options/algorithms.h"
#include "cli/options/place.h"
#include "cli/output/table.h"
#include "model/time.h"
#include "predict/what_if.h"
#include "simulate/simulate.h"

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
    const char *profile; /* as typed, or NULL; with it: */
    struct bine_what_if_wish what_if;
    struct bine_host_draw draw;
};

/* The time of one algorithm at one size. */
struct bine_predict_result {
    const struct bine_algorithm *algorithm;
    enum bine_layout layout; /* its fastest */
    int64_t bytes;
    struct bine_time time;
};

/* What holds it up most: a link and the share of the time that it is busy, the processors, or
 * latency. */
enum { BINE_BOTTLENECK_TEXT = BINE_LINK_TEXT + 16 };
const char *bine_predict_bottleneck(const struct bine_predict_result *x,
                                    const struct bine_links *links,
                                    char text[BINE_BOTTLENECK_TEXT]);

/* Time over bytes, a curve for each algorithm, as FILE.svg or .png, its source beside it. 0, or
 * BINE_EXIT_USAGE after complaining. */
int bine_predict_plot(const struct bine_predict_wish *w, const struct bine_predict_result *x,
                      size_t n);

/* With a profile: their rows in a table of options; `w` points to a struct bine_predict_wish. */
bine_option_read bine_take_placement;
#define BINE_WHAT_IF_OPTIONS(w)                                                                    \
    {.name = "profile", .read = bine_take_word, .to = &(w)->profile},                              \
        {.name = "nodes", .read = bine_take_word, .to = &(w)->draw.nodes},                         \
        {.name = "among", .read = bine_take_word, .to = &(w)->draw.among},                         \
        {.name = "placement", .read = bine_take_placement, .to = &(w)->draw.how},                  \
        {.name = "seed", .read = bine_take_long, .to = &(w)->draw.seed, .high = 1000000000},       \
        BINE_SCALE_OPTIONS(&(w)->what_if)
/* 0 if the options go together; otherwise BINE_EXIT_USAGE after complaining. */
int bine_what_if_check(const struct bine_predict_wish *w);
int bine_predict_profile(int argc, char **argv, const struct bine_predict_wish *w);

#endif
