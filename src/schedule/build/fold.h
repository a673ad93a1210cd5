/* Folding ranks to a power of two, as Open MPI and MPICH do it: of the first 2 e ranks, e = p -
 * 2^k, one of each pair, the even one or the odd one, stands for both. These and all others, in
 * order, are the members 0..2^k-1; a member stands for ranks in order. */
#ifndef BINE_SCHEDULE_BUILD_FOLD_H
#define BINE_SCHEDULE_BUILD_FOLD_H

#include "base/numbers.h"

struct bine_fold {
    int members, extra;
    int odd; /* the odd one of a pair is the member */
};

static inline struct bine_fold bine_fold_of(int p, int odd) {
    int members = 1 << bine_log_floor(p, 2);
    return (struct bine_fold){members, p - members, odd};
}

static inline int bine_fold_stays(const struct bine_fold *f, int r) {
    return r >= 2 * f->extra || r % 2 == f->odd;
}

static inline int bine_fold_member(const struct bine_fold *f, int r) {
    return r < 2 * f->extra ? r / 2 : r - f->extra;
}

static inline int bine_fold_rank(const struct bine_fold *f, int member) {
    return member >= f->extra ? member + f->extra : 2 * member + f->odd;
}

#endif
