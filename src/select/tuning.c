#include "select/tuning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of bine_tuning.seen, behind the numbers of calls. */
enum { SESSION = BINE_LEARN_FROM, NOTHING };

enum bine_tuning_state bine_tuning_find(const struct bine_tuning *x, const struct bine_query *q,
                                        struct bine_tuning_session **session,
                                        struct bine_selection *f, const char **reason) {
    int class = bine_size_class(q->bytes), seen = x->seen[q->collective][class];
    struct bine_tuning_session *l = x->first;
    *session = NULL;
    if (seen != SESSION)
        return seen == NOTHING ? BINE_TUNING_NONE : BINE_TUNING_SEEN;
    while (l->collective != q->collective || l->class != class)
        l = l->next;
    *session = l;
    *f = l->candidate[bine_learner_candidate(&l->learner)];
    *reason = bine_learner_times(&l->learner) ? "learning: tried in turn" : l->text;
    if (bine_learner_times(&l->learner))
        return BINE_TUNING_OPEN;
    return l->learner.due && l->learner.winner == 0 ? BINE_TUNING_DUE : BINE_TUNING_DONE;
}

double bine_tuning_gain(const struct bine_tuning_session *l) {
    return bine_learner_times(&l->learner) ? 0 : l->evidence.gain;
}

int bine_tuning_count(struct bine_tuning *x, const struct bine_query *q) {
    return ++x->seen[q->collective][bine_size_class(q->bytes)] == BINE_LEARN_FROM;
}

int bine_tuning_candidates(const struct bine_query *q, const struct bine_prediction *prediction,
                           struct bine_selection f[BINE_LEARN_CANDIDATES]) {
    return prediction != NULL && prediction->count > 0 ? bine_candidates_predicted(q, prediction, f)
                                                       : bine_candidates(q, f);
}

/* The candidate that is known from wisdom comes first; it may be none of the others. */
static void take_known(struct bine_tuning_session *l, const struct bine_known_best *best) {
    int n = l->learner.candidates, i = 0;
    while (i < n && l->candidate[i].algorithm != best->algorithm)
        i++;
    i = i < BINE_LEARN_CANDIDATES ? i : BINE_LEARN_CANDIDATES - 1;
    l->candidate[i] = (struct bine_selection){best->algorithm, -1};
    l->learner.candidates = i < n ? n : i + 1;
    bine_learner_settle(&l->learner, i, best->due);
    l->evidence.gain = best->gain;
    strcpy(l->text, "learnt before (BINE_WISDOM)");
    if (best->due)
        snprintf(l->text, sizeof l->text,
                 "learnt before (BINE_WISDOM); tried again after %lld calls",
                 (long long)l->learner.next);
}

void bine_tuning_open(struct bine_tuning *x, struct bine_tuning_session *l,
                      const struct bine_query *q, int candidates,
                      const struct bine_known_best *best) {
    int class = bine_size_class(q->bytes);
    x->seen[q->collective][class] = l != NULL ? SESSION : NOTHING;
    if (l == NULL)
        return;
    l->collective = q->collective;
    l->class = class;
    bine_learner_start(&l->learner, candidates);
    if (best->algorithm != BINE_SELECTION_NONE)
        take_known(l, best);
    l->next = x->first;
    x->first = l;
}

void bine_tuning_free(struct bine_tuning *x) {
    while (x->first != NULL) {
        struct bine_tuning_session *l = x->first;
        x->first = l->next;
        free(l);
    }
}
