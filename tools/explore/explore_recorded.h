/* A call that BINE_TIMELINE recorded, for the explorer to show beside the model. */
#ifndef BINE_TOOLS_EXPLORE_EXPLORE_RECORDED_H
#define BINE_TOOLS_EXPLORE_EXPLORE_RECORDED_H

#include "explore/explore_options.h"
#include "timeline/timeline.h"

#include <cjson/cJSON.h>

struct bine_explore_recorded {
    struct bine_timeline timeline;
    const struct bine_timeline_call *call;
    char ranks[24], root[24], bytes[24], segments[24];
};

/* Read it, and set the words of the options from it. 0, or BINE_EXIT_USAGE after complaining. To be
 * freed in either case, and not before the options are done with. */
int bine_explore_recorded_read(struct bine_explore_recorded *r, struct bine_explore_options *o);
void bine_explore_recorded_free(struct bine_explore_recorded *r);

/* Its seconds and messages, for the page: 0, or -1 when out of memory. */
int bine_explore_recorded_add(cJSON *to, const struct bine_explore_recorded *r);

#endif
