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

/* Names of one level, in any order: few groups are as likely as many. */
static void draw_level(int p, uint64_t groups, int in_rows, uint64_t *state, int32_t *name) {
    for (int r = 0; r < p; r++)
        name[r] = (int32_t)bine_draw(state, groups);
    for (int r = 1; r < p && in_rows; r++) /* groups of consecutive ranks */
        name[r] = bine_draw(state, (uint64_t)p) < groups ? name[r - 1] + 1 : name[r - 1];
}

static int draw_levels(int p, int number, int32_t *name) {
    uint64_t state = (uint64_t)number * 4096 + (uint64_t)p;
    int levels = 1 + number % BINE_GROUPINGS_LEVELS;
    int in_rows = number / BINE_GROUPINGS_LEVELS % 4 == 0;
    uint64_t groups = 1 + bine_draw(&state, 1 + bine_draw(&state, (uint64_t)p));
    for (int l = 0; l < levels; l++) {
        draw_level(p, groups, in_rows, &state, name + (size_t)l * (size_t)p);
        groups = 1 + bine_draw(&state, 4); /* in each of those before */
    }
    return levels;
}

int bine_grouping_names(int p, int number, int32_t *name) {
    if (p > BINE_GROUPINGS_ALL)
        return draw_levels(p, number, name);
    find_all(p, number, name);
    return 1;
}

struct bine_groups *bine_grouping_new(int p, int number) {
    int32_t *memory = malloc(BINE_GROUPINGS_LEVELS * (size_t)p * sizeof *memory);
    const int32_t *name[BINE_GROUPINGS_LEVELS];
    if (memory == NULL)
        return NULL;
    for (int l = 0; l < BINE_GROUPINGS_LEVELS; l++)
        name[l] = memory + (size_t)l * (size_t)p;
    int levels = bine_grouping_names(p, number, memory);
    struct bine_groups *g = bine_groups_new(p, levels, name);
    free(memory);
    return g;
}
