#include "comm/tuning/tuning.h"

#include "comm/tuning/wisdom.h"
#include "mpi/mpi_calls.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of bine_tuning.heard, behind the numbers of calls. */
enum { LESSON = BINE_LEARN_FROM, NOTHING };

struct bine_tuning_session {
    struct bine_tuning_session *next;
    enum bine_collective collective;
    int class;
    struct bine_learner learner;
    struct bine_selection candidate[BINE_LEARN_CANDIDATES];
    struct bine_evidence evidence;
    char text[BINE_LEARNT_TEXT]; /* the result */
};

static const char trying[] = "learning: tried in turn";

static struct bine_tuning_session *find(const struct bine_tuning *x, const struct bine_query *q) {
    int class = bine_size_class(q->bytes);
    struct bine_tuning_session *l = x->first;
    while (l != NULL && (l->collective != q->collective || l->class != class))
        l = l->next;
    return l;
}

enum bine_tuning_state bine_tuning_find(const struct bine_tuning *x, const struct bine_query *q,
                                        struct bine_tuning_session **session,
                                        struct bine_selection *f, const char **reason) {
    int seen = x->seen[q->collective][bine_size_class(q->bytes)];
    *session = NULL;
    if (seen != LESSON)
        return seen == NOTHING ? BINE_TUNING_NONE : BINE_TUNING_SEEN;
    struct bine_tuning_session *l = find(x, q);
    *session = l;
    *f = l->candidate[bine_learner_candidate(&l->learner)];
    *reason = bine_learner_times(&l->learner) ? trying : l->text;
    if (bine_learner_times(&l->learner))
        return BINE_TUNING_OPEN;
    return l->learner.due && l->learner.winner == 0 ? BINE_LESSON_DUE : BINE_TUNING_DONE;
}

double bine_lesson_gain(const struct bine_tuning_session *l) {
    return bine_learner_times(&l->learner) ? 0 : l->evidence.gain;
}

/* No rank leaves before all have come. */
void bine_tuning_synchronize(const struct bine_tuning_session *l, MPI_Comm comm) {
    int mine = 0, all;
    if (bine_learner_times(&l->learner))
        bine_mpi.allreduce(&mine, &all, 1, MPI_INT, MPI_MAX, comm);
}

/* The facts that ranks agree on as a tuning session begins: the least of each number. Rank 0 of the
 * communicator looks into the file of wisdom, for all. */
struct known {
    double candidates, algorithm, due, gain;
};
enum { KNOWN = sizeof(struct known) / sizeof(double) };

static struct known look_up(const struct bine_query *q, int candidates, int rank) {
    struct bine_evidence e = {0};
    if (rank != 0)
        return (struct known){candidates, DBL_MAX, DBL_MAX, DBL_MAX};
    int algorithm = bine_wisdom_find(q, &e);
    return (struct known){candidates, algorithm, bine_evidence_is_due(&e, bine_day_today()),
                          e.gain};
}

/* The candidate that rank 0 knows from wisdom comes first; it may be none of the others. */
static void take_known(struct bine_tuning_session *l, const struct known *k) {
    int n = l->learner.candidates, i = 0, algorithm = (int)k->algorithm;
    while (i < n && l->candidate[i].algorithm != algorithm)
        i++;
    i = i < BINE_LEARN_CANDIDATES ? i : BINE_LEARN_CANDIDATES - 1;
    l->candidate[i] = (struct bine_selection){algorithm, -1};
    l->learner.candidates = i < n ? n : i + 1;
    bine_learner_settle(&l->learner, i, k->due > 0);
    l->evidence.gain = k->gain;
    strcpy(l->text, "learnt before (BINE_WISDOM)");
    if (k->due)
        snprintf(l->text, sizeof l->text,
                 "learnt before (BINE_WISDOM); tried again after %lld calls",
                 (long long)l->learner.next);
}

/* A rank without memory must not be the only one without a lesson. */
static void begin(struct bine_tuning *x, const struct bine_query *q,
                  const struct bine_prediction *prediction, MPI_Comm comm) {
    struct bine_tuning_session *l = calloc(1, sizeof *l);
    int rank = 0, candidates = 1;
    if (l != NULL)
        candidates = prediction->count > 0 ? bine_candidates_predicted(q, prediction, l->candidate)
                                           : bine_candidates(q, l->candidate);
    PMPI_Comm_rank(comm, &rank);
    struct known mine = look_up(q, candidates, rank), all;
    int failed = bine_mpi.allreduce(&mine, &all, KNOWN, MPI_DOUBLE, MPI_MIN, comm) != MPI_SUCCESS;
    uint8_t *seen = &x->seen[q->collective][bine_size_class(q->bytes)];
    if (failed || all.candidates < 2 || l == NULL) {
        *seen = NOTHING;
        free(l);
        return;
    }
    *seen = LESSON;
    l->collective = q->collective;
    l->class = bine_size_class(q->bytes);
    bine_learner_start(&l->learner, candidates);
    if ((int)all.algorithm != BINE_SELECTION_NONE)
        take_known(l, &all);
    l->next = x->first;
    x->first = l;
}

static void agree(struct bine_tuning_session *l, const struct bine_query *q, MPI_Comm comm) {
    struct bine_learner *x = &l->learner;
    double all[BINE_LEARN_CANDIDATES][BINE_LEARN_ROUNDS];
    int n = BINE_LEARN_CANDIDATES * BINE_LEARN_ROUNDS;
    if (bine_mpi.allreduce(x->time, all, n, MPI_DOUBLE, MPI_MAX, comm) == MPI_SUCCESS)
        memcpy(x->time, all, sizeof all);
    bine_learner_decide(x);
    if (bine_learner_times(x))
        return;
    l->evidence = bine_learner_evidence(x);
    bine_learnt_text(x, l->candidate, l->text);
    bine_wisdom_note(q, &l->candidate[x->winner], &l->evidence, l->text);
}

int bine_tuning_record(struct bine_tuning *x, struct bine_tuning_session *l,
                       const struct bine_query *q, const struct bine_prediction *prediction,
                       MPI_Comm comm, double seconds) {
    if (l == NULL) {
        if (++x->seen[q->collective][bine_size_class(q->bytes)] == BINE_LEARN_FROM)
            begin(x, q, prediction, comm);
        return 0;
    }
    int was_over = !bine_learner_times(&l->learner);
    if (bine_learner_called(&l->learner, seconds))
        agree(l, q, comm);
    return was_over && bine_learner_times(&l->learner);
}

void bine_tuning_free(struct bine_tuning *x) {
    while (x->first != NULL) {
        struct bine_tuning_session *l = x->first;
        x->first = l->next;
        free(l);
    }
}
