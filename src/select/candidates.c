#include "select/candidates.h"

#include "base/numbers.h"

#include <stdio.h>
#include <string.h>

/* Candidates beside Bine's own choice: the fastest most often in the labs of docs/lab.md.
 * docs/choosing.md has their results (bench/candidates prints them). */
static const struct {
    enum bine_collective collective;
    const char *name;
    int steps_of_ranks; /* it takes as many steps as there are ranks: not for short blocks */
} more[] = {
    {BINE_BCAST, "chain", 1},     {BINE_BCAST, "scatter-ring", 1}, {BINE_REDUCE, "chain", 1},
    {BINE_ALLREDUCE, "ring", 1},  {BINE_SCATTER, "linear", 1},     {BINE_ALLGATHER, "ring", 1},
    {BINE_ALLTOALL, "linear", 0}, {BINE_ALLTOALL, "pairwise", 0},  {BINE_REDUCE_SCATTER, "ring", 1},
};
/* The shortest blocks for candidates that take a step for each rank; and the shortest blocks of
 * gathers and scatters for any candidate where the network is not described. */
enum { SHORTEST = 256, SHORTEST_ROOTED = 4 << 10 };
/* Bytes of the shortest allgatherv and scan: of shorter ones, the barriers between tries take
 * longer than can be saved where the network is not oversubscribed. */
enum { SHORTEST_OTHER = 16 << 10 };

/* Gathers and scatters of short blocks take as long as the barrier before each try, and in the labs
 * of docs/choosing.md nothing was faster than the MPI libraries' own, unless groups were known. */
static int is_too_short(const struct bine_query *q) {
    int64_t bytes = INT64_C(1) << bine_size_class(q->bytes);
    int rooted = q->collective == BINE_GATHER || q->collective == BINE_SCATTER;
    if (!bine_collective_is_plain(q->collective))
        return bytes < SHORTEST_OTHER;
    return rooted && q->groups == 0 && q->dims.dims == 0 && bytes < (int64_t)SHORTEST_ROOTED * q->p;
}

/* Calls whose size all ranks know. Where one block of an allgatherv is most of it, the fastest
 * algorithm depends on more than the size. Open MPI's scans go from rank to rank: one takes long by
 * itself, as it is tried, but consecutive ones overlap. Without groups, Bine's scans are MPICH's.
 */
static int can_be_learnt(const struct bine_query *q) {
    int scans = q->collective == BINE_SCAN || q->collective == BINE_EXSCAN;
    return bine_collective_is_plain(q->collective) ||
           (q->collective == BINE_ALLGATHERV && !q->uneven) ||
           (scans && q->groups > 1 && q->library == BINE_LIBRARY_MPICH);
}

int bine_may_tune(const struct bine_query *q) {
    return can_be_learnt(q) && q->drop_in && !q->always && !q->off && q->nodes > 1 && !q->crowded &&
           q->commutative && q->bytes >= BINE_ADVISED_LEAST && !is_too_short(q);
}

static int add(struct bine_selection *f, int n, int32_t algorithm, int32_t layout,
               const struct bine_query *q) {
    struct bine_selection x = {algorithm, layout};
    int known = n == BINE_LEARN_CANDIDATES || bine_selection_fails(&x, q) != NULL;
    for (int i = 0; i < n; i++)
        known |= f[i].algorithm == algorithm;
    if (!known)
        f[n++] = x;
    return n;
}

int bine_candidates(const struct bine_query *any, struct bine_selection f[BINE_LEARN_CANDIDATES]) {
    struct bine_query q = *any;
    struct bine_choice own;
    char why[200];
    int n = add(f, 0, BINE_SELECTION_MPI, -1, &q);
    q.bytes = INT64_C(1) << bine_size_class(any->bytes);
    q.always = 1;
    bine_choose(&q, &(struct bine_selection){BINE_SELECTION_NONE, -1}, NULL, &own, why, sizeof why);
    if (own.algorithm != NULL)
        n = add(f, n, (int32_t)(own.algorithm - bine_catalogue), -1, &q);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        const struct bine_algorithm *a = bine_algorithm_find(q.collective, more[i].name);
        if (more[i].collective == q.collective && a != NULL &&
            !(more[i].steps_of_ranks && q.bytes < (int64_t)SHORTEST * q.p))
            n = add(f, n, (int32_t)(a - bine_catalogue), -1, &q);
    }
    return n;
}

int bine_candidates_predicted(const struct bine_query *q, const struct bine_prediction *a,
                              struct bine_selection f[BINE_LEARN_CANDIDATES]) {
    int n = add(f, 0, BINE_SELECTION_MPI, -1, q);
    for (int i = 0; i < a->count; i++)
        n = add(f, n, a->algorithm[i], a->layout[i], q);
    return n;
}

const char *bine_selection_name(const struct bine_selection *f) {
    return f->algorithm >= 0 ? bine_catalogue[f->algorithm].name : "mpi";
}

static int append(char *text, int n, const struct bine_learner *l, const struct bine_selection *f,
                  int i) {
    char time[BINE_SECONDS_TEXT];
    if (n >= BINE_LEARNT_TEXT || bine_learner_time(l, i) < 0)
        return n;
    return n + snprintf(text + n, (size_t)(BINE_LEARNT_TEXT - n), "%s %s %s",
                        i == l->winner ? "" : ",", bine_selection_name(&f[i]),
                        bine_seconds_text(bine_learner_time(l, i), time));
}

const char *bine_learnt_text(const struct bine_learner *l,
                             const struct bine_selection f[BINE_LEARN_CANDIDATES],
                             char text[BINE_LEARNT_TEXT]) {
    int n = snprintf(text, BINE_LEARNT_TEXT, "learnt:");
    n = append(text, n, l, f, l->winner);
    for (int i = 0; i < l->candidates; i++)
        if (i != l->winner)
            n = append(text, n, l, f, i);
    return text;
}
