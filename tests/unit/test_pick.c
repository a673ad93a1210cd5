/* How the model chooses quickly: work items against schedules, waves against events, and picks. */
#include "model/pick.h"
#include "model/time.h"
#include "schedule/walk/messages.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct job {
    struct bine_allocation allocation;
    struct bine_links links;
    struct bine_groups *levels;
};

static void open_job(struct job *j, const char *sizes) {
    struct bine_machine m = {.nics = 1, .nic_gbits = 100};
    struct bine_reason why;
    m.rates = (struct bine_rates){
        .latency_near = 2e-6, .latency_far = 3e-6, .message = 3e-7, .uplink = 25e9};
    assert_int_equal(bine_allocation_sizes(&j->allocation, sizes, &why), 0);
    assert_int_equal(bine_links_make(&j->links, &j->allocation, &m), 0);
    j->levels = bine_allocation_levels(&j->allocation);
    assert_non_null(j->levels);
}

static void close_job(struct job *j) {
    bine_groups_free(j->levels);
    bine_links_free(&j->links);
    bine_allocation_free(&j->allocation);
}

static struct bine_spec request_of(const struct job *j, const struct bine_algorithm *a, int root,
                                   int segments) {
    struct bine_spec spec = {.algorithm = a,
                             .p = j->allocation.p,
                             .root = bine_collective_is_rooted(a->collective) ? root : 0,
                             .layout = bine_algorithm_layout(a, j->allocation.p),
                             .segments = a->trees > 0 ? segments : 0};
    spec.groups = bine_algorithm_needs(a) == BINE_NEEDS_GROUPS ? j->levels : NULL;
    return spec;
}

/* The work item of a wave that a schedule's operation is; NULL: there is none. */
static const struct bine_work_item *find_item(const struct bine_work_list *d, int rank,
                                              const struct bine_op *op, uint32_t strand, int time) {
    for (size_t i = 0; i < d->count; i++) {
        const struct bine_work_item *x = &d->item[i];
        if (x->rank == rank && x->peer == op->peer && x->strand == strand && x->time == time &&
            x->receives == bine_op_receives(op))
            return x;
    }
    return NULL;
}

/* Every message of a rank is among the work items, with its bytes. Returns how many there are. */
static size_t compare_rank(const struct bine_work_list *d, const struct bine_spec *spec, int rank) {
    const int64_t bytes = (int64_t)1 << 30;
    struct bine_longer_blocks places = {0};
    struct bine_spec one = *spec;
    size_t n = 0;
    one.rank = rank;
    struct bine_schedule *s = bine_schedule_build(&one);
    assert_non_null(s);
    for (uint32_t x = 0; x < s->nstrands; x++)
        for (uint32_t i = 0; i < s->strand[x].nsteps; i++) {
            const struct bine_step *step = &s->step[s->strand[x].steps + i];
            for (uint32_t k = step->ops; k < step->ops + step->nops; k++) {
                const struct bine_op *op = &s->op[k];
                if (!bine_op_sends(op) && !bine_op_receives(op))
                    continue;
                const struct bine_work_item *item = find_item(d, rank, op, x, step->time);
                double share = (double)bine_bytes_of_op(s, op, bytes, &places) / (double)bytes;
                if (item == NULL || fabs(item->share - share) > 1e-5)
                    fail_msg("%s %s, rank %d, time %d, peer %d: %s",
                             bine_collective_name(spec->algorithm->collective),
                             spec->algorithm->name, rank, step->time, op->peer,
                             item == NULL ? "no work item" : "share");
                n++;
            }
        }
    bine_longer_blocks_free(&places);
    bine_schedule_free(s);
    return n;
}

static void test_groups_are_as_schedules(void **state) {
    static const char *const sizes[] = {"4,4", "5,1,3", "7,4,5", "1,1,1,9", "6"};
    int seen = 0;
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct job j;
        open_job(&j, sizes[k]);
        for (size_t i = 0; i < 2 * bine_catalogue_size; i++) {
            const struct bine_algorithm *a = &bine_catalogue[i / 2];
            struct bine_spec spec = request_of(&j, a, 3, i % 2 == 0 ? 1 : 4);
            struct bine_work_list d;
            size_t n = 0;
            if (!bine_work_list_by_groups(&spec))
                continue;
            assert_int_equal(bine_work_list_make(&d, &spec, &j.links, 1e9), 0);
            for (int r = 0; r < spec.p; r++)
                n += compare_rank(&d, &spec, r);
            assert_int_equal(n, d.count);
            bine_work_list_free(&d);
            seen++;
        }
        close_job(&j);
    }
    assert_true(seen >= 20); /* two algorithms, twice, in five shapes */
}

/* Barriers and scans among them: messages of no bytes, too. */
static void test_waves_are_as_events(void **state) {
    static const int64_t sizes[] = {64, 32768, 4194304};
    int cells = 0, near = 0;
    struct job j;
    (void)state;
    open_job(&j, "17,3,9,11");
    for (size_t i = 0; i < 3 * bine_catalogue_size; i++) {
        const struct bine_algorithm *a = &bine_catalogue[i / 3];
        struct bine_spec spec = request_of(&j, a, 0, 4);
        struct bine_work_list d;
        struct bine_stepwise w;
        struct bine_stepwise_time t;
        struct bine_time exact;
        char why[200];
        if (bine_algorithm_needs(a) == BINE_NEEDS_BOARDS ||
            bine_collective_is_uneven(a->collective) ||
            bine_spec_error(&spec, why, sizeof why) != NULL)
            continue;
        assert_int_equal(bine_work_list_make(&d, &spec, &j.links, 1e9), 0);
        assert_true(d.complete);
        assert_int_equal(bine_stepwise_make(&w, &d, spec.p), 0);
        assert_int_equal(bine_stepwise_run(&w, &j.links, sizes[i % 3], HUGE_VAL, &t), 0);
        assert_int_equal(bine_time_of(&spec, sizes[i % 3], &j.links, &exact), 0);
        double ratio = t.seconds / exact.seconds;
        cells++;
        near += ratio > 0.95 && ratio < 1.05;
        if (ratio < 0.6 || ratio > 1.5 || t.least > 1.001 * t.seconds)
            fail_msg("%s %s: %g s, least %g, by events %g", bine_collective_name(a->collective),
                     a->name, t.seconds, t.least, exact.seconds);
        bine_stepwise_free(&w);
    }
    if (near < 0.85 * cells)
        fail_msg("%d of %d are near", near, cells);
    close_job(&j);
}

/* On a torus one rank stands for all, as the tree of an algorithm is carried along its dimensions;
 * and what takes longer than a limit is not followed to its end, in waves nor by events. */
static void test_waves_on_a_torus(void **state) {
    const struct bine_shape dims = {.dims = 3, .size = {4, 3, 2}};
    struct bine_machine m = {.nics = 1, .nic_gbits = 100, .rates = {.link = 6e9}};
    struct bine_allocation a;
    struct bine_links links;
    struct bine_reason why;
    int seen = 0;
    (void)state;
    assert_int_equal(bine_allocation_torus(&a, &dims, &why), 0);
    assert_int_equal(bine_links_make(&links, &a, &m), 0);
    for (size_t i = 0; i < bine_catalogue_size; i++) {
        struct bine_spec spec = {.algorithm = &bine_catalogue[i], .p = a.p, .dims = &dims};
        struct bine_work_list d;
        struct bine_stepwise w;
        struct bine_stepwise_time t, cut;
        struct bine_time exact, within;
        if (bine_algorithm_needs(spec.algorithm) != BINE_NEEDS_DIMS ||
            bine_collective_is_rooted(spec.algorithm->collective) ||
            bine_collective_is_uneven(spec.algorithm->collective))
            continue;
        spec.layout = bine_algorithm_layout(spec.algorithm, spec.p);
        spec.segments = spec.algorithm->trees > 0 ? 1 : 0;
        if (bine_spec_error(&spec, why.text, sizeof why.text) != NULL)
            continue;
        assert_int_equal(bine_work_list_make(&d, &spec, &links, 1e9), 0);
        seen += d.symmetric;
        assert_int_equal(bine_stepwise_make(&w, &d, spec.p), 0);
        assert_int_equal(bine_stepwise_run(&w, &links, 1 << 20, HUGE_VAL, &t), 0);
        assert_int_equal(bine_stepwise_run(&w, &links, 1 << 20, t.seconds / 2, &cut), 0);
        assert_int_equal(bine_time_of(&spec, 1 << 20, &links, &exact), 0);
        assert_int_equal(bine_time_within(&spec, 1 << 20, &links, exact.seconds / 2, &within), 0);
        if (t.seconds < 0.8 * exact.seconds || t.seconds > 1.25 * exact.seconds)
            fail_msg("%s %s: %g s, by events %g", bine_collective_name(spec.algorithm->collective),
                     spec.algorithm->name, t.seconds, exact.seconds);
        assert_true(cut.seconds > t.seconds / 2 && cut.seconds <= t.seconds);
        assert_true(within.seconds > exact.seconds / 2 && within.seconds < exact.seconds);
        bine_stepwise_free(&w);
    }
    assert_true(seen >= 4);
    bine_links_free(&links);
    bine_allocation_free(&a);
}

/* What an answer costs is limited, also where there are as many groups as ranks; and it does not
 * depend on what was asked before. */
static void test_costs_are_limited(void **state) {
    const struct bine_shape dims = {.dims = 2, .size = {16, 32}};
    struct bine_machine m = {.nics = 1, .nic_gbits = 100, .rates = {.link = 6e9}};
    struct bine_pick pick[BINE_PICKS_MOST], again[BINE_PICKS_MOST];
    struct bine_allocation a;
    struct bine_links links;
    struct bine_picker x, fresh;
    struct bine_reason why;
    (void)state;
    assert_int_equal(bine_allocation_torus(&a, &dims, &why), 0);
    assert_int_equal(bine_links_make(&links, &a, &m), 0);
    assert_int_equal(bine_picker_open(&x, &links, NULL, &dims), 0);
    for (int c = 0; c < BINE_COLLECTIVES; c++)
        for (int64_t bytes = 4096; bytes <= 16 << 20 && bine_collective_is_plain(c); bytes *= 64) {
            int n = bine_picker_pick(&x, (enum bine_collective)c, 0, bytes, NULL, NULL, pick);
            assert_true(n > 3);
            assert_true(x.left > -1e5);
            assert_int_equal(bine_picker_open(&fresh, &links, NULL, &dims), 0);
            assert_int_equal(
                bine_picker_pick(&fresh, (enum bine_collective)c, 0, bytes, NULL, NULL, again), n);
            for (int i = 0; i < BINE_PICKS_FIRST; i++)
                if (pick[i].algorithm != again[i].algorithm || pick[i].layout != again[i].layout)
                    fail_msg("%s %s of %ld: %s when asked alone", bine_collective_name(c),
                             pick[i].algorithm->name, (long)bytes, again[i].algorithm->name);
            bine_picker_close(&fresh);
        }
    bine_picker_close(&x);
    bine_links_free(&links);
    bine_allocation_free(&a);
}

/* Also with a sample of ranks: nobody is left out who has a group for himself. */
static void test_samples(void **state) {
    struct job j;
    (void)state;
    open_job(&j, "60,1,30,9");
    for (size_t i = 0; i < bine_catalogue_size; i++) {
        const struct bine_algorithm *a = &bine_catalogue[i];
        struct bine_spec spec = request_of(&j, a, 5, 1);
        struct bine_work_list d;
        struct bine_analytic q;
        char why[200];
        if (bine_algorithm_needs(a) == BINE_NEEDS_BOARDS ||
            bine_collective_is_uneven(a->collective) ||
            bine_spec_error(&spec, why, sizeof why) != NULL)
            continue;
        assert_int_equal(bine_work_list_make(&d, &spec, &j.links, 0), 0);
        double sum = 0;
        for (size_t k = 0; k < d.ranks; k++)
            sum += d.stands[k];
        assert_true(fabs(sum - spec.p) < 1e-6);
        assert_int_equal(bine_analytic_make(&q, &d, &j.links), 0);
        assert_true(bine_analytic_time(&q, &j.links, 65536) > 0);
        bine_analytic_free(&q);
        bine_work_list_free(&d);
    }
    close_job(&j);
}

/* What is picked is near the best by the events of all ranks; sizes in any order make no
 * difference. */
static void test_picks(void **state) {
    static const int64_t sizes[] = {16 << 20, 4096, 2 << 20, 262144, 16 << 20};
    struct bine_pick pick[BINE_PICKS_MOST], first[BINE_PICKS_MOST];
    struct bine_picker x;
    struct job j;
    (void)state;
    open_job(&j, "20,3,14,3");
    assert_int_equal(bine_picker_open(&x, &j.links, j.levels, NULL), 0);
    for (int k = 0; k < 5; k++) {
        int n = bine_picker_pick(&x, BINE_BCAST, 7, sizes[k], NULL, NULL, pick);
        double best = 0, taken = 0;
        assert_true(n > 10);
        for (int i = 0; i < n; i++) {
            struct bine_time t;
            struct bine_spec spec =
                request_of(&j, pick[i].algorithm, 7,
                           bine_segments_for(pick[i].algorithm, j.allocation.p, sizes[k]));
            spec.layout = pick[i].layout;
            assert_int_equal(bine_time_of(&spec, sizes[k], &j.links, &t), 0);
            taken = i == 0 ? t.seconds : taken;
            best = i == 0 || t.seconds < best ? t.seconds : best;
            assert_true(pick[i].seconds > 0);
        }
        if (taken > 1.2 * best)
            fail_msg("%s for %ld bytes: %g s, the best has %g", pick[0].algorithm->name,
                     (long)sizes[k], taken, best);
        if (k == 0)
            memcpy(first, pick, sizeof first);
        if (k == 4)
            for (int i = 0; i < n; i++)
                assert_true(first[i].algorithm == pick[i].algorithm &&
                            first[i].layout == pick[i].layout &&
                            fabs(first[i].seconds - pick[i].seconds) < 1e-15);
    }
    bine_picker_close(&x);
    close_job(&j);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups_are_as_schedules),
        cmocka_unit_test(test_waves_are_as_events),
        cmocka_unit_test(test_waves_on_a_torus),
        cmocka_unit_test(test_costs_are_limited),
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_picks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
