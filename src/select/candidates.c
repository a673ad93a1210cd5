#include "select/candidates.h"

#include "base/numbers.h"

#include <stdio.h>

#define ONLY(c) (1u << (c))
#define SCANS (ONLY(BINE_SCAN) | ONLY(BINE_EXSCAN))
#define PLAIN                                                                                      \
    (ONLY(BINE_BCAST) | ONLY(BINE_REDUCE) | ONLY(BINE_ALLREDUCE) | ONLY(BINE_GATHER) |             \
     ONLY(BINE_SCATTER) | ONLY(BINE_ALLGATHER) | ONLY(BINE_ALLTOALL) | ONLY(BINE_REDUCE_SCATTER))
#define SEVERAL_NODES .nodes = {1, {{2, INT64_MAX}}}
enum { KIB = 1 << 10 };

/* The calls that are tuned: the first row whose condition holds says from how many bytes on, of the
 * vector and of a rank's block. Calls that no row is for are not tuned.
 *
 * Gathers and scatters of short blocks take as long as the barrier before each try, and in the labs
 * of docs/choosing.md nothing was faster than the MPI libraries' own, unless groups were known. Of
 * an allgatherv and scans, the barriers between tries take longer than can be saved where the
 * network is not oversubscribed. Where one block of an allgatherv is most of it, the fastest
 * algorithm depends on more than the size. Open MPI's scans go from rank to rank: one takes long by
 * itself, as it is tried, but consecutive ones overlap. Without groups, Bine's scans are MPICH's.
 *
 * On one node only alltoallv is tuned: whether boards are faster depends on how many blocks are
 * empty, which no rank knows of the others. All its calls are one class. */
static const struct {
    struct bine_rule condition;
    int64_t least, least_block;
} tuned[] = {
    {{.collectives = ONLY(BINE_GATHER) | ONLY(BINE_SCATTER),
      SEVERAL_NODES,
      .groups_known = BINE_IF_NO,
      .torus_known = BINE_IF_NO},
     BINE_ADVISED_LEAST,
     4 * KIB},
    {{.collectives = PLAIN, SEVERAL_NODES}, BINE_ADVISED_LEAST, 0},
    {{.collectives = ONLY(BINE_ALLGATHERV), SEVERAL_NODES, .uneven = BINE_IF_NO}, 16 * KIB, 0},
    {{.collectives = SCANS,
      SEVERAL_NODES,
      .groups_several = BINE_IF_YES,
      .library = BINE_LIBRARY_MPICH},
     16 * KIB,
     0},
    {{.collectives = ONLY(BINE_ALLTOALLV),
      .nodes = {1, {{1, 1}}},
      .ranks = {1, {{5, 64}}},
      .groups_several = BINE_IF_NO},
     0,
     0},
};

int bine_may_tune(const struct bine_query *q) {
    static const struct bine_rule any = {.drop_in = BINE_IF_YES, .commutative = BINE_IF_YES};
    int64_t bytes = INT64_C(1) << bine_size_class(q->bytes);
    if (bine_rule_misses(&any, q) != NULL || (q->nodes == 1 && !(q->boards && q->exposes)))
        return 0;
    for (size_t i = 0; i < sizeof tuned / sizeof *tuned; i++)
        if (bine_rule_misses(&tuned[i].condition, q) == NULL)
            return bytes >= tuned[i].least && bytes >= tuned[i].least_block * q->p;
    return 0;
}

/* Candidates beside Bine's own choice: the fastest most often in the labs of docs/lab.md.
 * docs/choosing.md has their results (bench/candidates prints them). Algorithms with a step for
 * each rank are not for short blocks. */
static const struct {
    enum bine_collective collective;
    const char *name;
    int64_t least_block;
} more[] = {
    {BINE_BCAST, "chain", 256},         {BINE_BCAST, "scatter-ring", 256},
    {BINE_REDUCE, "chain", 256},        {BINE_ALLREDUCE, "ring", 256},
    {BINE_SCATTER, "linear", 256},      {BINE_ALLGATHER, "ring", 256},
    {BINE_ALLTOALL, "linear", 0},       {BINE_ALLTOALL, "pairwise", 0},
    {BINE_REDUCE_SCATTER, "ring", 256},
};

static int add(struct bine_selection *f, int n, int32_t algorithm, int32_t layout,
               const struct bine_query *q) {
    struct bine_selection x = {algorithm, layout};
    int most = q->patient ? BINE_LEARN_CANDIDATES : BINE_LEARN_USUALLY;
    int known = n == most || bine_selection_fails(&x, q) != NULL;
    for (int i = 0; i < n; i++)
        known |= f[i].algorithm == algorithm;
    if (!known)
        f[n++] = x;
    return n;
}

/* Behind the n that are there: Bine's own choice, and the list above. */
static int add_usual(const struct bine_query *any, int n,
                     struct bine_selection f[BINE_LEARN_CANDIDATES]) {
    struct bine_query q = *any;
    q.bytes = INT64_C(1) << bine_size_class(any->bytes);
    q.always = 1;
    const struct bine_rules *rules = bine_rules_built_in();
    int own = bine_rule_selection(rules, bine_rules_match(rules, &q), q.collective).algorithm;
    if (own != BINE_SELECTION_MPI)
        n = add(f, n, own, -1, &q);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        const struct bine_algorithm *a = bine_algorithm_find(q.collective, more[i].name);
        if (more[i].collective == q.collective && a != NULL && q.bytes >= more[i].least_block * q.p)
            n = add(f, n, (int32_t)(a - bine_catalogue), -1, &q);
    }
    return n;
}

int bine_candidates(const struct bine_query *q, struct bine_selection f[BINE_LEARN_CANDIDATES]) {
    return add_usual(q, add(f, 0, BINE_SELECTION_MPI, -1, q), f);
}

int bine_candidates_predicted(const struct bine_query *q, const struct bine_prediction *a,
                              struct bine_selection f[BINE_LEARN_CANDIDATES]) {
    int n = add(f, 0, BINE_SELECTION_MPI, -1, q);
    for (int i = 0; i < a->count; i++)
        n = add(f, n, a->algorithm[i], a->layout[i], q);
    return q->patient ? add_usual(q, n, f) : n;
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
