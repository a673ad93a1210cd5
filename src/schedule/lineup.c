#include "schedule/lineup.h"

#include <stdlib.h>
#include <string.h>

struct bine_lineup *bine_lineup_new(int p, const int32_t *rank_at) {
    struct bine_lineup *o = calloc(1, sizeof *o);
    int good = o != NULL && (o->rank_at = malloc(2 * (size_t)p * sizeof *rank_at)) != NULL;
    if (good) {
        o->p = p;
        o->place_of = o->rank_at + p;
        memcpy(o->rank_at, rank_at, (size_t)p * sizeof *rank_at);
        memset(o->place_of, -1, (size_t)p * sizeof *rank_at);
    }
    for (int i = 0; i < p && good; i++) {
        good = rank_at[i] >= 0 && rank_at[i] < p && o->place_of[rank_at[i]] < 0;
        if (good)
            o->place_of[rank_at[i]] = i;
    }
    if (good)
        return o;
    bine_lineup_free(o);
    return NULL;
}

void bine_lineup_free(struct bine_lineup *o) {
    if (o != NULL)
        free(o->rank_at);
    free(o);
}
