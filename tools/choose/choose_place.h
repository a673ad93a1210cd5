/* Where the ranks of a call are, for 'bine choose'. */
#ifndef BINE_TOOLS_CHOOSE_CHOOSE_PLACE_H
#define BINE_TOOLS_CHOOSE_CHOOSE_PLACE_H

#include "network/allocation.h"
#include "select/selection.h"

/* As typed, or NULL. */
struct bine_choose_where {
    const char *dims, *machine, *hosts, *groups;
    int cartesian;
    int per_node; /* 0: not said */
    double busy;  /* share of the links between groups that is left; 0: as the machine says */
};

/* Fill in what was left out of the question, and find what does not fit together. 0, or
 * BINE_EXIT_USAGE after complaining. */
int bine_choose_place(struct bine_query *q, const struct bine_choose_where *w);
/* What an allocation on a machine says of the ranks. 0, or -1 when out of memory. */
int bine_choose_ranks(struct bine_query *q, const struct bine_allocation *a);
/* What the settings say of it; `w` may be NULL: on a machine. */
void bine_choose_settings(struct bine_query *q, const struct bine_choose_where *w,
                          const struct bine_settings *settings);

#endif
