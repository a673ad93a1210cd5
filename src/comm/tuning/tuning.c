#include "comm/tuning/tuning.h"

#include "comm/tuning/effort.h"
#include "comm/tuning/wisdom.h"
#include "mpi/mpi_calls.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* No rank leaves before all have come. */
void bine_tuning_synchronize(const struct bine_tuning_session *l, MPI_Comm comm) {
    int mine = 0, all;
    if (bine_learner_times(&l->learner))
        bine_mpi->allreduce(&mine, &all, 1, MPI_INT, MPI_MAX, comm);
}

/* The facts that ranks agree on as a tuning session begins: the least of each number. Rank 0 of the
 * communicator looks into the file of wisdom, for all. */
struct known {
    double candidates, algorithm, due, gain;
};
enum { KNOWN = sizeof(struct known) / sizeof(double) };

/* Wisdom is about sizes. Of collectives whose size no rank knows, each communicator learns anew. */
static int has_wisdom(const struct bine_query *q) {
    return !bine_collective_is_uneven(q->collective) || q->collective == BINE_ALLGATHERV;
}

/* Where no time is left, results are followed and no candidate is tried. */
static struct known look_up(const struct bine_query *q, int candidates, int rank,
                            const struct bine_settings *s) {
    struct bine_evidence e = {0};
    if (rank != 0)
        return (struct known){candidates, DBL_MAX, DBL_MAX, DBL_MAX};
    int algorithm = has_wisdom(q) ? bine_wisdom_find(q, &e) : BINE_SELECTION_NONE;
    int spent = bine_effort_is_spent(s);
    int due = !spent && bine_evidence_is_due(&e, bine_day_today());
    return (struct known){spent && algorithm == BINE_SELECTION_NONE ? 1 : candidates, algorithm,
                          due, e.gain};
}

/* A rank without memory must not be the only one without a session. */
static void begin(struct bine_tuning *x, const struct bine_query *q,
                  const struct bine_prediction *prediction, const struct bine_settings *s,
                  MPI_Comm comm) {
    struct bine_tuning_session *l = calloc(1, sizeof *l);
    int rank = 0, candidates = l != NULL ? bine_tuning_candidates(q, prediction, l->candidate) : 1;
    PMPI_Comm_rank(comm, &rank);
    struct known mine = look_up(q, candidates, rank, s), all;
    int failed = bine_mpi->allreduce(&mine, &all, KNOWN, MPI_DOUBLE, MPI_MIN, comm) != MPI_SUCCESS;
    if (failed || all.candidates < 2) {
        free(l);
        l = NULL;
    }
    struct bine_known_best best = {BINE_SELECTION_NONE, 0, 0};
    if (l != NULL)
        best = (struct bine_known_best){(int)all.algorithm, all.due > 0, all.gain};
    bine_tuning_open(x, l, q, candidates, &best);
}

/* The most of each time; and whether some rank has no time left for trying. */
static void agree(struct bine_tuning_session *l, const struct bine_query *q,
                  const struct bine_settings *s, MPI_Comm comm) {
    struct bine_learner *x = &l->learner;
    double mine[BINE_LEARN_CANDIDATES * BINE_LEARN_ROUNDS + 1], all[sizeof mine / sizeof *mine];
    int n = x->candidates * BINE_LEARN_ROUNDS;
    memcpy(mine, x->time, (size_t)n * sizeof *mine);
    mine[n] = all[n] = bine_effort_is_spent(s);
    if (bine_mpi->allreduce(mine, all, n + 1, MPI_DOUBLE, MPI_MAX, comm) == MPI_SUCCESS)
        memcpy(x->time, all, (size_t)n * sizeof *all);
    bine_learner_decide(x);
    if (bine_learner_times(x) && all[n] > 0)
        bine_learner_stop(x);
    if (bine_learner_times(x))
        return;
    l->evidence = bine_learner_evidence(x);
    bine_learnt_text(x, l->candidate, l->text);
    if (has_wisdom(q))
        bine_wisdom_note(q, &l->candidate[x->winner], &l->evidence, l->text);
}

int bine_tuning_record(struct bine_tuning *x, struct bine_tuning_session *l,
                       const struct bine_query *q, const struct bine_prediction *prediction,
                       const struct bine_settings *s, MPI_Comm comm, double seconds) {
    if (l == NULL) {
        if (bine_tuning_count(x, q))
            begin(x, q, prediction, s, comm);
        return 0;
    }
    int was_over = !bine_learner_times(&l->learner);
    if (!was_over)
        bine_effort_spend(seconds);
    if (bine_learner_called(&l->learner, seconds))
        agree(l, q, s, comm);
    return was_over && bine_learner_times(&l->learner);
}
