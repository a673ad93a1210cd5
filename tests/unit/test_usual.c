/* The usual algorithms of MPI libraries: that every row of the tables means something; and answers
 * that were read off the libraries' own rules (Open MPI 4.1.4, coll_tuned_decision_fixed.c; MPICH
 * 4.0.2, maint/tuning/coll). */
#include "predict/usual.h"
#include "unit.h"

#include <string.h>

static void test_all_resolve(void **s) {
    static const int ranks[] = {2,   3,   5,   6,   8,   12,  16,   31,   32,   48,  64,
                                100, 128, 200, 256, 511, 512, 1000, 1024, 3000, 5000};
    (void)s;
    for (int library = BINE_LIBRARY_OPENMPI; library < BINE_LIBRARIES; library++)
        for (int c = 0; c < BINE_COLLECTIVES; c++)
            for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
                for (int64_t bytes = 0; bytes <= (INT64_C(1) << 34); bytes = 2 * bytes + 1)
                    for (int several = 0; several < 2; several++) {
                        struct bine_usual u;
                        struct bine_usual_query q = {library,  (enum bine_collective)c,
                                                     ranks[i], several && ranks[i] > 2,
                                                     bytes,    8};
                        assert_int_equal(bine_usual_find(&q, &u), 0);
                        assert_true(u.parts > 0);
                    }
}

static void test_none(void **s) {
    struct bine_usual u;
    struct bine_usual_query alone = {BINE_LIBRARY_OPENMPI, BINE_BCAST, 1, 0, 8, 8},
                            other = {BINE_LIBRARY_ANY, BINE_BCAST, 8, 0, 8, 8};
    (void)s;
    assert_int_equal(bine_usual_find(&alone, &u), -1);
    assert_int_equal(bine_usual_find(&other, &u), -1);
}

/* "rabenseifner-halves:blocks", or several with blanks between them; ranks in front unless all. */
static const char *parts_text(const struct bine_usual *u, char *text) {
    static const char *const ranks[] = {"", "leaders.", "node.", "folded.", "pair."};
    *text = '\0';
    for (int i = 0; i < u->parts; i++) {
        const struct bine_usual_part *p = &u->part[i];
        strcat(strcat(text, i > 0 ? " " : ""), ranks[p->ranks]);
        strcat(strcat(text, bine_collective_name(p->collective)), "/");
        strcat(text, p->algorithm == NULL ? "decided" : p->algorithm->name);
        if (p->algorithm != NULL)
            strcat(strcat(text, ":"), bine_layout_name(p->layout));
    }
    return text;
}

#define K 1024
#define M (1024 * K)

static void test_answers(void **s) {
    static const struct {
        struct bine_usual_query q;
        const char *name, *parts;
    } row[] = {
#define OMPI(c, p, bytes) {BINE_LIBRARY_OPENMPI, BINE_##c, p, 0, bytes, 8}
#define MPICH(c, p, several, bytes)                                                                \
    { BINE_LIBRARY_MPICH, BINE_##c, p, several, bytes, 8 }
        {OMPI(BCAST, 15, 16 * K - 1), "binary_tree", "bcast/binary:blocks"},
        {OMPI(BCAST, 15, 16 * K), "binomial", "bcast/binomial-near:blocks"},
        {OMPI(BCAST, 16, 1 * M), "scatter_allgather", "bcast/scatter-allgather:blocks"},
        {OMPI(BCAST, 15, 1 * M), "basic_linear", "bcast/linear:blocks"},
        {OMPI(BCAST, 20, 1 * M), "scatter_allgather",
         "scatter/binomial-far:pack allgather/bruck:pack"},
        {OMPI(ALLREDUCE, 16, 1 * M), "rabenseifner", "allreduce/rabenseifner-halves:blocks"},
        {OMPI(ALLREDUCE, 16, 8), "segmented_ring", "allreduce/recursive-doubling:blocks"},
        {OMPI(ALLREDUCE, 40, 128), "rabenseifner", "reduce/linear:blocks bcast/linear:blocks"},
        {OMPI(ALLREDUCE, 40, 256), "rabenseifner", "allreduce/rabenseifner-halves:blocks"},
        {OMPI(ALLREDUCE, 200, 64 * K), "nonoverlapping", "reduce/decided bcast/decided"},
        {OMPI(ALLGATHER, 16, 1 * M), "recursive_doubling", "allgather/recursive-doubling:blocks"},
        {OMPI(ALLGATHER, 17, 1 * M), "recursive_doubling", "allgather/bruck:pack"},
        /* limits are of the block of a rank: 64 KiB times 40 */
        {OMPI(ALLGATHER, 40, 64 * K * 40 - 1), "neighbor", "allgather/neighbour-exchange:blocks"},
        {OMPI(ALLGATHER, 40, 64 * K * 40), "ring", "allgather/ring:blocks"},
        {OMPI(ALLGATHER, 41, 4 * K * 41), "neighbor", "allgather/ring:blocks"},
        {OMPI(ALLTOALL, 16, 16 * 511), "modified_bruck", "alltoall/bruck:pack"},
        {OMPI(ALLTOALL, 16, 16 * 512), "linear_sync", "alltoall/linear:blocks"},
        {OMPI(REDUCE_SCATTER, 16, 256 * K), "ring", "reduce_scatter/ring:blocks"},
        {OMPI(REDUCE_SCATTER, 12, 1 * K), "recursive_halving",
         "pair.reduce/linear:blocks folded.reduce_scatter/recursive-halving:blocks"},
        {OMPI(ALLTOALLV, 64, 1 * K), "pairwise", "alltoallv/pairwise:blocks"},
        {MPICH(BCAST, 16, 0, 12 * K), "binomial", "bcast/binomial-far:blocks"},
        {MPICH(BCAST, 16, 0, 12 * K + 1), "scatter_recursive_doubling_allgather",
         "bcast/scatter-allgather:blocks"},
        {MPICH(BCAST, 17, 0, 12 * K + 1), "scatter_ring_allgather", "bcast/scatter-ring:blocks"},
        {MPICH(BCAST, 7, 0, 1 * M), "binomial", "bcast/binomial-far:blocks"},
        {MPICH(BCAST, 16, 1, 1 * K), "smp", "leaders.bcast/decided node.bcast/decided"},
        {MPICH(BCAST, 16, 1, 512 * K), "scatter_recursive_doubling_allgather",
         "bcast/scatter-allgather:blocks"},
        {MPICH(ALLREDUCE, 16, 0, 8), "recursive_doubling", "allreduce/recursive-doubling:blocks"},
        {MPICH(ALLREDUCE, 16, 0, 64), "reduce_scatter_allgather",
         "allreduce/recursive-doubling:blocks"},
        {MPICH(ALLREDUCE, 16, 0, 128), "reduce_scatter_allgather", "allreduce/rabenseifner:blocks"},
        {MPICH(ALLREDUCE, 16, 1, 1 * M), "smp",
         "node.reduce/decided leaders.allreduce/decided node.bcast/decided"},
        {MPICH(ALLGATHER, 16, 0, 512 * K - 1), "recursive_doubling",
         "allgather/recursive-doubling:blocks"},
        {MPICH(ALLGATHER, 16, 0, 512 * K), "ring", "allgather/ring:blocks"},
        {MPICH(ALLGATHER, 12, 0, 64 * K), "brucks", "allgather/bruck:pack"},
        {MPICH(ALLTOALL, 16, 0, 16 * 256), "brucks", "alltoall/bruck:pack"},
        {MPICH(ALLTOALL, 16, 0, 16 * 257), "scattered", "alltoall/linear:blocks"},
        {MPICH(REDUCE_SCATTER, 16, 0, 512 * K), "pairwise", "reduce_scatter/pairwise:blocks"},
    };
    char text[400];
    (void)s;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct bine_usual u;
        assert_int_equal(bine_usual_find(&row[i].q, &u), 0);
        assert_string_equal(u.name, row[i].name);
        assert_string_equal(parts_text(&u, text), row[i].parts);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_resolve),
                                       cmocka_unit_test(test_none), cmocka_unit_test(test_answers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
