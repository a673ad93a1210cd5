#include "mpi/learning.h"

#include "mpi/mpi_calls.h"
#include "mpi/wisdom.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Of bine_learning.heard, behind the numbers of calls. */
enum { LESSON = BINE_LEARN_FROM, NOTHING };

struct bine_lesson {
    struct bine_lesson *next;
    enum bine_collective collective;
    int class;
    struct bine_learner learner;
    struct bine_forced candidate[BINE_LEARN_CANDIDATES];
    char text[BINE_LEARNT_TEXT]; /* what came out */
};

static const char trying[] = "learning: tried in turn";

static struct bine_lesson *find(const struct bine_learning *x, const struct bine_question *q) {
    int class = bine_advised_class(q->bytes);
    struct bine_lesson *l = x->first;
    while (l != NULL && (l->collective != q->collective || l->class != class))
        l = l->next;
    return l;
}

enum bine_lesson_state bine_learning_look(const struct bine_learning *x,
                                          const struct bine_question *q,
                                          struct bine_lesson **lesson, struct bine_forced *f,
                                          const char **reason) {
    int heard = x->heard[q->collective][bine_advised_class(q->bytes)];
    *lesson = NULL;
    if (heard != LESSON)
        return heard == NOTHING ? BINE_LESSON_NONE : BINE_LESSON_HEARD;
    struct bine_lesson *l = find(x, q);
    *lesson = l;
    *f = l->candidate[bine_learner_candidate(&l->learner)];
    *reason = bine_learner_times(&l->learner) ? trying : l->text;
    return bine_learner_times(&l->learner) ? BINE_LESSON_OPEN : BINE_LESSON_OVER;
}

/* Nobody leaves before all have come. */
void bine_lesson_gather(const struct bine_lesson *l, MPI_Comm comm) {
    int mine = 0, all;
    if (bine_learner_times(&l->learner))
        bine_mpi.allreduce(&mine, &all, 1, MPI_INT, MPI_MAX, comm);
}

/* What rank 0 knows comes first of the candidates that are tried; it may be none of them. */
static void take_known(struct bine_lesson *l, int known) {
    int n = l->learner.candidates, i = 0;
    while (i < n && l->candidate[i].algorithm != known)
        i++;
    i = i < BINE_LEARN_CANDIDATES ? i : BINE_LEARN_CANDIDATES - 1;
    l->candidate[i] = (struct bine_forced){known, -1};
    l->learner.candidates = i < n ? n : i + 1;
    bine_learner_settle(&l->learner, i);
    strcpy(l->text, "learnt before (BINE_WISDOM)");
}

/* A rank without memory must not be the only one without a lesson. */
static void begin(struct bine_learning *x, const struct bine_question *q,
                  const struct bine_advised *advised, MPI_Comm comm) {
    struct bine_lesson *l = calloc(1, sizeof *l);
    int rank = 0, candidates = 1;
    if (l != NULL)
        candidates = advised->count > 0 ? bine_candidates_advised(q, advised, l->candidate)
                                        : bine_candidates(q, l->candidate);
    PMPI_Comm_rank(comm, &rank);
    int mine[2] = {candidates, rank == 0 ? bine_wisdom_find(q) : INT_MAX}, all[2];
    int failed = bine_mpi.allreduce(mine, all, 2, MPI_INT, MPI_MIN, comm) != MPI_SUCCESS;
    uint8_t *heard = &x->heard[q->collective][bine_advised_class(q->bytes)];
    if (failed || all[0] < 2 || l == NULL) {
        *heard = NOTHING;
        free(l);
        return;
    }
    *heard = LESSON;
    l->collective = q->collective;
    l->class = bine_advised_class(q->bytes);
    bine_learner_start(&l->learner, candidates);
    if (all[1] != BINE_FORCED_NOTHING)
        take_known(l, all[1]);
    l->next = x->first;
    x->first = l;
}

static void agree(struct bine_lesson *l, const struct bine_question *q, MPI_Comm comm) {
    struct bine_learner *x = &l->learner;
    double all[BINE_LEARN_CANDIDATES][BINE_LEARN_ROUNDS];
    int n = BINE_LEARN_CANDIDATES * BINE_LEARN_ROUNDS;
    if (bine_mpi.allreduce(x->time, all, n, MPI_DOUBLE, MPI_MAX, comm) == MPI_SUCCESS)
        memcpy(x->time, all, sizeof all);
    bine_learner_decide(x);
    if (bine_learner_times(x))
        return;
    bine_learnt_text(x, l->candidate, l->text);
    bine_wisdom_note(q, &l->candidate[x->winner], l->text);
}

int bine_learning_called(struct bine_learning *x, struct bine_lesson *l,
                         const struct bine_question *q, const struct bine_advised *advised,
                         MPI_Comm comm, double seconds) {
    if (l == NULL) {
        if (++x->heard[q->collective][bine_advised_class(q->bytes)] == BINE_LEARN_FROM)
            begin(x, q, advised, comm);
        return 0;
    }
    int was_over = !bine_learner_times(&l->learner);
    if (bine_learner_called(&l->learner, seconds))
        agree(l, q, comm);
    return was_over && bine_learner_times(&l->learner);
}

void bine_learning_free(struct bine_learning *x) {
    while (x->first != NULL) {
        struct bine_lesson *l = x->first;
        x->first = l->next;
        free(l);
    }
}
