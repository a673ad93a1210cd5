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

/* Folding ranks to a power of any radix: the ranks are cut into runs, as even as can be, and the
 * first rank of each is the member that stands for it. */
struct bine_rank_runs {
    int members, size, longer; /* runs of `size` ranks, the first `longer` of them one more */
};

static inline struct bine_rank_runs bine_rank_runs_of(int p, int members) {
    return (struct bine_rank_runs){members, p / members, p % members};
}

static inline int bine_run_first(const struct bine_rank_runs *x, int member) {
    return member * x->size + (bine_min(member, x->longer));
}

static inline int bine_run_of(const struct bine_rank_runs *x, int r) {
    int m = r / (x->size + 1);
    return m < x->longer ? m : x->longer + (r - x->longer * (x->size + 1)) / x->size;
}

#endif
