#include "mpi/follow.h"

static void follow(const struct bine_question *q, const struct bine_forced *f, const char *reason,
                   struct bine_choice *choice) {
    char why[200];
    if (bine_forced_fails(f, q) != NULL)
        return;
    bine_choose(q, f, NULL, choice, why, sizeof why);
    choice->reason = reason;
}

/* What was learnt, or is being tried; it is more than the model can say. */
static void follow_lesson(struct bine_context *c, const struct bine_question *q,
                          struct bine_choice *choice) {
    struct bine_forced f;
    const char *reason;
    if (!c->policy.settings.learn || !bine_learns(q))
        return;
    enum bine_lesson_state s = bine_learning_look(&c->learning, q, &c->lesson, &f, &reason);
    c->undecided = s == BINE_LESSON_HEARD || s == BINE_LESSON_OPEN;
    c->hears = s == BINE_LESSON_HEARD;
    if (s == BINE_LESSON_OVER || (s == BINE_LESSON_OPEN && c->asks != MPI_COMM_NULL))
        follow(q, &f, reason, choice);
}

void bine_follow(struct bine_context *c, const struct bine_question *q,
                 struct bine_choice *choice) {
    const char *reason;
    int advised = 0;
    if (q->off || q->nonblocking || (q->crowded && q->drop_in) ||
        (c->policy.rules != NULL && bine_rules_match(c->policy.rules, q) >= 0))
        return;
    if (c->adviser != NULL && bine_collective_is_plain(q->collective))
        advised = bine_advice(c->adviser, q, c->asks, &c->advised, &reason);
    c->undecided = advised < 0;
    if (advised < 0)
        return;
    if (advised == 1)
        follow(q, &(struct bine_forced){c->advised.algorithm[0], -1}, reason, choice);
    follow_lesson(c, q, choice);
}
