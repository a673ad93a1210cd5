#include "profile/align.h"

/* Of clocks that were compared once only: quartz is within 50 millionths, and the system slows or
 * hurries a clock by as much again. */
#define DRIFT 1e-4

void bine_alignment_answer(struct bine_alignment *a, int64_t asked, int64_t came, int64_t there) {
    int64_t half = (came - asked) / 2;
    if (half < 0 || (bine_alignment_is_known(a) && a->error_ns <= half))
        return;
    *a = (struct bine_alignment){asked + half, there - (asked + half), half};
}

void bine_alignment_chain(struct bine_alignment *a, const struct bine_alignment *other) {
    if (!bine_alignment_is_known(a) || !bine_alignment_is_known(other)) {
        *a = bine_alignment_unknown();
        return;
    }
    a->ahead_ns += other->ahead_ns;
    a->error_ns += other->error_ns;
}

int64_t bine_alignment_apply(const struct bine_alignment *begin, const struct bine_alignment *end,
                             int64_t ns) {
    if (!bine_alignment_is_known(begin))
        return ns + (bine_alignment_is_known(end) ? end->ahead_ns : 0);
    if (!bine_alignment_is_known(end) || end->at_ns <= begin->at_ns)
        return ns + begin->ahead_ns;
    double part = (double)(ns - begin->at_ns) / (double)(end->at_ns - begin->at_ns);
    double more = part * (double)(end->ahead_ns - begin->ahead_ns);
    return ns + begin->ahead_ns + (int64_t)(more < 0 ? more - 0.5 : more + 0.5);
}

int64_t bine_alignment_error(const struct bine_alignment *begin, const struct bine_alignment *end,
                             int64_t until_ns) {
    int first = bine_alignment_is_known(begin), last = bine_alignment_is_known(end);
    if (first && last)
        return begin->error_ns > end->error_ns ? begin->error_ns : end->error_ns;
    if (!first && !last)
        return -1;
    const struct bine_alignment *only = first ? begin : end;
    int64_t away = until_ns > only->at_ns ? until_ns - only->at_ns : only->at_ns - until_ns;
    return only->error_ns + (int64_t)(DRIFT * (double)away);
}
