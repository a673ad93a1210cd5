#include "select/learn.h"

#include <stdlib.h>

/* A candidate must beat the MPI library's own by this much, or by as much as times scatter. */
static const double margin = 0.04;
static const double hopeless[] = BINE_LEARN_DROPS;
enum { DROPS = sizeof hopeless / sizeof *hopeless, OWN_DROPS = 2 };

static void begin(struct bine_learner *l) {
    l->left = (1u << l->candidates) - 1;
    l->round = l->turn = 0;
    l->winner = l->candidates == 1 ? 0 : -1;
    for (int i = 0; i < BINE_LEARN_CANDIDATES; i++)
        for (int k = 0; k < BINE_LEARN_ROUNDS; k++)
            l->time[i][k] = -1;
}

void bine_learner_start(struct bine_learner *l, int candidates) {
    *l = (struct bine_learner){.candidates = candidates, .next = BINE_LEARN_AGAIN, .before = -1};
    begin(l);
}

void bine_learner_settle(struct bine_learner *l, int winner, int due) {
    l->winner = winner;
    l->due = due;
    if (due)
        l->next = (int64_t)BINE_LEARN_SHARE * BINE_LEARN_ROUNDS * l->candidates;
}

/* Each round begins with another candidate, so that none always follows one other. */
static int candidate_at(const struct bine_learner *l, int turn) {
    return (turn + l->round) % l->candidates;
}

int bine_learner_candidate(const struct bine_learner *l) {
    return l->winner >= 0 ? l->winner : candidate_at(l, l->turn);
}

static void skip_dropped(struct bine_learner *l) {
    while (l->turn < l->candidates && (l->left & 1u << candidate_at(l, l->turn)) == 0)
        l->turn++;
}

/* The next turn of a candidate that is left. Returns whether a round ended. */
static int next_turn(struct bine_learner *l) {
    l->turn++;
    skip_dropped(l);
    if (l->turn < l->candidates)
        return 0;
    l->turn = 0;
    l->round++;
    skip_dropped(l);
    return 1;
}

static void count_settled(struct bine_learner *l) {
    if (++l->calls == l->next && (l->winner > 0 || l->due)) {
        l->next *= BINE_LEARN_LATER;
        l->due = 0;
        l->before = l->winner;
        begin(l);
    }
}

int bine_learner_called(struct bine_learner *l, double seconds) {
    if (l->winner >= 0) {
        count_settled(l);
        return 0;
    }
    l->time[candidate_at(l, l->turn)][l->round] = seconds;
    return next_turn(l) && (l->round <= DROPS || l->round == BINE_LEARN_ROUNDS);
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The sorted times of a candidate; returns how many there are. */
static int sort(const struct bine_learner *l, int candidate, double x[BINE_LEARN_ROUNDS]) {
    int n = 0, first = l->time[candidate][1] >= 0;
    for (int k = first; k < BINE_LEARN_ROUNDS; k++)
        if (l->time[candidate][k] >= 0)
            x[n++] = l->time[candidate][k];
    qsort(x, (size_t)n, sizeof *x, ascending);
    return n;
}

double bine_learner_time(const struct bine_learner *l, int candidate) {
    double x[BINE_LEARN_ROUNDS];
    int n = sort(l, candidate, x);
    if (n == 0)
        return -1;
    return n % 2 == 1 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

/* How much the times of a candidate scatter: half of the middle half, over the median. Of one time
 * that cannot be known: all of it. */
static double scatter(const struct bine_learner *l, int candidate) {
    double x[BINE_LEARN_ROUNDS], median = bine_learner_time(l, candidate);
    int n = sort(l, candidate, x);
    if (median <= 0)
        return 0;
    return n == 1 ? 1 : (x[n - 1 - n / 4] - x[n / 4]) / 2 / median;
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

static int fastest(const struct bine_learner *l) {
    int best = -1;
    for (int i = 0; i < l->candidates; i++)
        if ((l->left & 1u << i) != 0 &&
            (best < 0 || bine_learner_time(l, i) < bine_learner_time(l, best)))
            best = i;
    return best;
}

/* Another one than the MPI library's own must be faster beyond the noise. */
static int choose(const struct bine_learner *l) {
    int best = fastest(l);
    if ((l->left & 1u) == 0)
        return best;
    double noise = larger(margin, larger(scatter(l, 0), scatter(l, best)));
    return bine_learner_time(l, best) < (1 - noise) * bine_learner_time(l, 0) ? best : 0;
}

/* The MPI library's own stays as long as the winner must be compared with it: unless it is hopeless
 * in a round that counts. */
static void drop(struct bine_learner *l, double factor) {
    double best = bine_learner_time(l, fastest(l));
    for (int i = 0; i < l->candidates; i++)
        if ((i > 0 || l->round == OWN_DROPS) && bine_learner_time(l, i) > factor * best)
            l->left &= ~(1u << i);
}

void bine_learner_decide(struct bine_learner *l) {
    if (l->round <= DROPS)
        drop(l, hopeless[l->round - 1]);
    if (l->round == BINE_LEARN_ROUNDS || (l->left & (l->left - 1)) == 0)
        l->winner = choose(l);
    else
        skip_dropped(l);
}

void bine_learner_stop(struct bine_learner *l) {
    l->winner = l->round > 2 ? choose(l) : l->before >= 0 ? l->before : 0;
}

/* The fastest of the others; -1: there is none. */
static int second(const struct bine_learner *l) {
    int best = -1;
    for (int i = 0; i < l->candidates; i++)
        if (i != l->winner && bine_learner_time(l, i) >= 0 &&
            (best < 0 || bine_learner_time(l, i) < bine_learner_time(l, best)))
            best = i;
    return best;
}

struct bine_evidence bine_learner_evidence(const struct bine_learner *l) {
    struct bine_evidence e = {.day = bine_day_today()};
    int next = second(l);
    double time = bine_learner_time(l, l->winner), own = bine_learner_time(l, 0);
    for (int i = 0; i < l->candidates; i++)
        for (int k = 0; k < BINE_LEARN_ROUNDS; k++)
            e.tries += l->time[i][k] >= 0;
    if (next >= 0 && bine_learner_time(l, next) > 0)
        e.lead = 1 - time / bine_learner_time(l, next);
    e.spread = next >= 0 ? larger(scatter(l, l->winner), scatter(l, next)) : 1;
    e.gain = time > 0 && own > 0 ? own / time : 0;
    return e;
}
