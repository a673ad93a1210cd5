#include "schedule/walk/ranks.h"

#include <stdlib.h>

int bine_ranks_visit_some(const struct bine_spec *spec, const int *rank, size_t count,
                          bine_rank_visit *visit, void *self) {
    struct bine_spec one = *spec;
    struct bine_trees trees = bine_spec_plant(&one);
    int rc = 0;
    for (size_t i = 0; i < count && rc == 0; i++) {
        one.rank = rank == NULL ? (int)i : rank[i];
        struct bine_schedule *s = bine_schedule_build(&one);
        rc = s == NULL ? -1 : visit(self, s);
        bine_schedule_free(s);
    }
    bine_trees_fell(&trees);
    return rc;
}

int bine_ranks_visit(const struct bine_spec *spec, bine_rank_visit *visit, void *self) {
    return bine_ranks_visit_some(spec, NULL, (size_t)spec->p, visit, self);
}

struct bine_schedule **bine_ranks_build(const struct bine_spec *spec,
                                        int (*visit)(void *self, struct bine_schedule *s),
                                        void *self, int *rc) {
    struct bine_spec one = *spec;
    struct bine_schedule **all = calloc((size_t)spec->p, sizeof(struct bine_schedule *));
    struct bine_trees trees = bine_spec_plant(&one);
    *rc = all == NULL ? -1 : 0;
    for (one.rank = 0; one.rank < spec->p && *rc == 0; one.rank++) {
        struct bine_schedule *s = all[one.rank] = bine_schedule_build(&one);
        *rc = s == NULL ? -1 : visit != NULL ? visit(self, s) : 0;
    }
    bine_trees_fell(&trees);
    if (*rc == 0)
        return all;
    bine_ranks_free(all, spec->p);
    return NULL;
}

void bine_ranks_free(struct bine_schedule **schedule, int p) {
    for (int r = 0; r < p && schedule != NULL; r++)
        bine_schedule_free(schedule[r]);
    free(schedule);
}
