/* The memory that a rank keeps for a communicator of many ranks, counted.
 *
 *     bench-footprint-count [RANKS...]
 *
 * For each number of ranks (16, 10,000 and 100,000), 16 on a node and 160 in a group: what the
 * places of the ranks take, and the plan of a rank in the middle for each collective, with and
 * without groups, for short and long vectors. CSV: what, algorithm, ranks, bytes on the heap, and
 * the messages that may be pending at once. */
#include "engine/plan.h"
#include "pattern/groups/groups.h"
#include "schedule/collective.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODE = 16, GROUP = 160 };

static volatile double live; /* bytes. The headers promise that malloc changes no variable */

/* The linker sends all allocations of this program here (--wrap). */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t n, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void __real_free(void *memory);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void __wrap_free(void *memory);

static void *count_in(void *memory) {
    live += (double)malloc_usable_size(memory);
    return memory;
}

void *__wrap_malloc(size_t bytes) {
    return count_in(__real_malloc(bytes));
}

void *__wrap_calloc(size_t n, size_t bytes) {
    return count_in(__real_calloc(n, bytes));
}

void *__wrap_realloc(void *memory, size_t bytes) {
    live -= (double)malloc_usable_size(memory);
    return count_in(__real_realloc(memory, bytes));
}

void __wrap_free(void *memory) {
    live -= (double)malloc_usable_size(memory);
    __real_free(memory);
}

/* Algorithms of a job on several nodes: of short vectors, then of long ones. */
static const struct row {
    enum bine_collective collective;
    const char *name;
} rows[] = {{BINE_BCAST, "bine-group-small"},  {BINE_BCAST, "bine-group"},
            {BINE_REDUCE, "bine-group-small"}, {BINE_REDUCE, "bine-group"},
            {BINE_ALLREDUCE, "bine-group"},    {BINE_ALLREDUCE, "bine-small"},
            {BINE_ALLREDUCE, "bine-large"},    {BINE_GATHER, "bine-group"},
            {BINE_GATHER, "bine-8"},           {BINE_SCATTER, "bine-group"},
            {BINE_SCATTER, "bine-8"},          {BINE_ALLGATHER, "bine-group"},
            {BINE_ALLGATHER, "bine-far"},      {BINE_ALLTOALL, "bine-near"},
            {BINE_ALLTOALL, "linear"},         {BINE_REDUCE_SCATTER, "bine-group"},
            {BINE_REDUCE_SCATTER, "bine-near"}};

static int count_plan(const struct row *row, int p, const struct bine_groups *groups) {
    const struct bine_algorithm *a = bine_algorithm_find(row->collective, row->name);
    if (a == NULL) {
        fprintf(stderr, "bench-footprint-count: %s has no algorithm %s\n",
                bine_collective_name(row->collective), row->name);
        return 1;
    }
    struct bine_spec spec = {.algorithm = a,
                             .layout = bine_algorithm_layout(a, p),
                             .p = p,
                             .rank = p / 3,
                             .groups = groups,
                             .segments = 1};
    double before = live;
    struct bine_plan *plan = bine_plan_new(&spec);
    if (plan == NULL) {
        fprintf(stderr, "bench-footprint-count: %s on %d ranks: out of memory\n", row->name, p);
        return 1;
    }
    printf("plan of %s,%s,%d,%.0f,%u\n", bine_collective_name(row->collective), row->name, p,
           live - before, plan->max_transfers);
    bine_plan_free(plan);
    return 0;
}

static int count(int p) {
    double before = live;
    int32_t *name[2] = {malloc((size_t)p * sizeof(int32_t)), malloc((size_t)p * sizeof(int32_t))};
    if (name[0] == NULL || name[1] == NULL) {
        fprintf(stderr, "bench-footprint-count: %d ranks: out of memory\n", p);
        return 1;
    }
    for (int r = 0; r < p; r++) {
        name[0][r] = r / GROUP;
        name[1][r] = r / NODE;
    }
    printf("node and seat of each rank,,%d,%.0f,\n", p, live - before);
    before = live;
    struct bine_groups *groups = bine_groups_new(p, 2, (const int32_t *const *)name);
    if (groups == NULL) {
        fprintf(stderr, "bench-footprint-count: groups of %d ranks: out of memory\n", p);
        return 1;
    }
    printf("levels of groups,,%d,%.0f,\n", p, live - before);
    int failed = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        failed |= count_plan(&rows[i], p, groups);
    bine_groups_free(groups);
    free(name[0]);
    free(name[1]);
    return failed;
}

int main(int argc, char **argv) {
    static const int usual[] = {16, 10000, 100000};
    int failed = 0;
    printf("what,algorithm,ranks,bytes,messages at once\n");
    for (int i = 1; i < argc; i++)
        failed |= count(atoi(argv[i]));
    for (size_t i = 0; argc == 1 && i < sizeof usual / sizeof *usual; i++)
        failed |= count(usual[i]);
    return failed;
}
