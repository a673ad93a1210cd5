#include "traffic/copied.h"
#include "base/numbers.h"
#include "schedule/copies.h"
#include "schedule/walk/ranks.h"

struct most {
    int64_t bytes, copied;
    struct bine_longer_blocks places;
};

static int take_rank(void *self, const struct bine_schedule *s) {
    struct most *x = self;
    int64_t n = bine_schedule_copied(s, x->bytes, &x->places);
    x->copied = bine_max(x->copied, n);
    return n < 0 ? -1 : 0;
}

int64_t bine_copied_most(const struct bine_spec *spec, int64_t bytes) {
    struct most x = {.bytes = bytes};
    int rank[BINE_COPIED_ALL];
    int ranks = spec->p <= BINE_COPIED_ALL ? spec->p : BINE_COPIED_SAMPLE;
    for (int i = 0; i < ranks; i++) {
        int64_t ahead = i < 2 || ranks == spec->p ? i : (int64_t)i * spec->p / ranks;
        rank[i] = (int)((spec->root + ahead) % spec->p);
    }
    int rc = bine_ranks_visit_some(spec, rank, (size_t)ranks, take_rank, &x);
    bine_longer_blocks_free(&x.places);
    return rc == 0 ? x.copied : -1;
}
