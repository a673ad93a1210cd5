#include "call/refine.h"

static void follow(const struct bine_query *q, const struct bine_selection *f, const char *reason,
                   struct bine_choice *choice) {
    char why[200];
    if (bine_selection_fails(f, q) != NULL)
        return;
    bine_choose(q, f, NULL, choice, why, sizeof why);
    choice->reason = reason;
}

/* The learnt algorithm, or the next candidate; measurements come before the model. */
static void select_tuned(struct bine_context *c, const struct bine_query *q,
                         struct bine_choice *choice) {
    struct bine_selection f;
    const char *reason;
    if (!c->policy.settings.learn || !bine_may_tune(q))
        return;
    enum bine_tuning_state s = bine_tuning_find(&c->learning, q, &c->session, &f, &reason);
    c->undecided = s == BINE_TUNING_SEEN || s == BINE_TUNING_OPEN || s == BINE_LESSON_DUE;
    c->may_tune = s == BINE_TUNING_SEEN;
    if (s == BINE_TUNING_DONE || s == BINE_LESSON_DUE ||
        (s == BINE_TUNING_OPEN && c->prediction_comm != MPI_COMM_NULL))
        follow(q, &f, reason, choice);
}

void bine_select_refined(struct bine_context *c, const struct bine_query *q,
                         struct bine_choice *choice) {
    const char *reason;
    int prediction = 0;
    if (q->off || q->nonblocking || (q->crowded && q->drop_in) ||
        (c->policy.rules != NULL && bine_rules_match(c->policy.rules, q) >= 0))
        return;
    if (c->predictor != NULL && bine_collective_is_plain(q->collective))
        prediction =
            bine_predictor_ask(c->predictor, q, c->prediction_comm, &c->prediction, &reason);
    c->undecided = prediction < 0;
    if (prediction < 0)
        return;
    if (prediction == 1)
        follow(q, &(struct bine_selection){c->prediction.algorithm[0], c->prediction.layout[0]},
               reason, choice);
    select_tuned(c, q, choice);
}
