/* Choosing on a communicator: settings and rules, algorithms that the program sets, the memory of
 * the model and of tuning, and the last choice. */
#ifndef BINE_COMM_PARTS_CHOOSING_H
#define BINE_COMM_PARTS_CHOOSING_H

#include "comm/policy.h"
#include "comm/tuning/prediction.h"
#include "comm/tuning/tuning.h"

struct bine_choosing {
    struct bine_policy policy;
    struct bine_selection set[BINE_COLLECTIVES]; /* by Bine_Set */
    char next_name[80];                          /* by Bine_Next: NAME or NAME:LAYOUT, or "" */
    struct bine_predictor *predictor;            /* or NULL */
    struct bine_tuning tuning;
    struct bine_choice last; /* of Bine's algorithms, the one that ran last */
};

#endif
