/* Clocks of several nodes on one scale: that of the node of rank 0.
 *
 * A node asks another for its time several times. Where an answer took the time t to come, the
 * other clock was read at the middle of it, give or take t / 2 (Cristian, "Probabilistic clock
 * synchronization", 1989): so the quickest answer counts. Both clocks drift: a straight line
 * joins the differences at the beginning of a run and at its end. */
#ifndef BINE_PROFILE_ALIGN_H
#define BINE_PROFILE_ALIGN_H

#include <stdint.h>

/* At `at_ns` of this node's clock, that of rank 0's node showed `ahead_ns` more, give or take
 * `error_ns`; a negative error: not known. */
struct bine_alignment {
    int64_t at_ns, ahead_ns, error_ns;
};

static inline struct bine_alignment bine_alignment_unknown(void) {
    return (struct bine_alignment){0, 0, -1};
}

static inline int bine_alignment_is_known(const struct bine_alignment *a) {
    return a->error_ns >= 0;
}

/* Another answer: asked at `asked`, come at `came`, both of this node's clock. Keeps the better
 * one. */
void bine_alignment_answer(struct bine_alignment *a, int64_t asked, int64_t came, int64_t there);
/* Behind another node, whose own clock is aligned. */
void bine_alignment_chain(struct bine_alignment *a, const struct bine_alignment *other);

/* A time of this node's clock on the scale of rank 0's node, by the alignments at the beginning and
 * at the end of a run; by one of them where the other is not known. */
int64_t bine_alignment_apply(const struct bine_alignment *begin, const struct bine_alignment *end,
                             int64_t ns);
/* The error of it, at most, up to this time of the node's own clock; negative: not known. */
int64_t bine_alignment_error(const struct bine_alignment *begin, const struct bine_alignment *end,
                             int64_t until_ns);

#endif
