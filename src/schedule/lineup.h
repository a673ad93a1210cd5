/* A line-up: the ranks in another order, for algorithms that know nothing of the network. */
#ifndef BINE_SCHEDULE_LINEUP_H
#define BINE_SCHEDULE_LINEUP_H

#include <stdint.h>

struct bine_lineup {
    int p;
    int32_t *rank_at;  /* the rank at each place of the order */
    int32_t *place_of; /* the place of each rank */
};

/* From the ranks in their order: NULL when out of memory, or if they are not 0..p-1, each once. */
struct bine_lineup *bine_lineup_new(int p, const int32_t *rank_at);
void bine_lineup_free(struct bine_lineup *o);

#endif
