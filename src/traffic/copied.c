#include "traffic/copied.h"
#include "schedule/copies.h"

int64_t bine_copied_most(const struct bine_spec *spec, int64_t bytes) {
    struct bine_spec one = *spec;
    struct bine_trees trees = bine_spec_plant(&one);
    struct bine_longer_blocks places = {0};
    int ranks = spec->p <= BINE_COPIED_ALL ? spec->p : BINE_COPIED_SAMPLE;
    int64_t most = 0;
    for (int i = 0; i < ranks && most >= 0; i++) {
        int64_t ahead = i < 2 || ranks == spec->p ? i : (int64_t)i * spec->p / ranks;
        one.rank = (int)((spec->root + ahead) % spec->p);
        struct bine_schedule *s = bine_schedule_build(&one);
        int64_t n = s == NULL ? -1 : bine_schedule_copied(s, bytes, &places);
        most = n < 0 || n > most ? n : most;
        bine_schedule_free(s);
    }
    bine_longer_blocks_free(&places);
    bine_trees_fell(&trees);
    return most;
}
