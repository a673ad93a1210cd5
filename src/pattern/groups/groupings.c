#include "pattern/groups/groupings.h"

#include <stdlib.h>

/* Ways to go on with a grouping of `left` more ranks when `used` groups have begun: the next rank
 * joins one of them or begins another. */
static int ways(int left, int used) {
    if (left == 0)
        return 1;
    return used * ways(left - 1, used) + ways(left - 1, used + 1);
}

int bine_groupings_count(int p) {
    return p <= BINE_GROUPINGS_ALL ? ways(p, 0) : 1 << 20;
}

static void find_all(int p, int number, int32_t *outer) {
    for (int r = 0, used = 0; r < p; r++) {
        int each = ways(p - r - 1, used), joined = used * each;
        outer[r] = number < joined ? number / each : used;
        number = number < joined ? number % each : number - joined;
        used += outer[r] == used;
    }
}

/* Cut at random places, then shuffle. Few groups are as likely as many. */
static void draw_one(int p, int number, int32_t *outer, int32_t *inner) {
    uint64_t state = (uint64_t)number * 4096 + (uint64_t)p;
    uint64_t groups = 1 + bine_draw(&state, 1 + bine_draw(&state, (uint64_t)p));
    uint64_t nodes = 1 + bine_draw(&state, 4);
    for (int r = 0; r < p; r++) {
        outer[r] = (int32_t)bine_draw(&state, groups);
        inner[r] = (int32_t)bine_draw(&state, nodes);
    }
    if (number % 4 == 0) { /* groups of consecutive ranks */
        for (int r = 1; r < p; r++)
            outer[r] = bine_draw(&state, (uint64_t)p) < groups ? outer[r - 1] + 1 : outer[r - 1];
    }
}

int bine_grouping_names(int p, int number, int32_t *outer, int32_t *inner) {
    if (p <= BINE_GROUPINGS_ALL) {
        find_all(p, number, outer);
        return 1;
    }
    draw_one(p, number, outer, inner);
    return 1 + number % 2;
}

struct bine_groups *bine_grouping_new(int p, int number) {
    int32_t *outer = malloc(2 * (size_t)p * sizeof *outer);
    if (outer == NULL)
        return NULL;
    const int32_t *const name[] = {outer, outer + p};
    int levels = bine_grouping_names(p, number, outer, outer + p);
    struct bine_groups *g = bine_groups_new(p, levels, name);
    free(outer);
    return g;
}
