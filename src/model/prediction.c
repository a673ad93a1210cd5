#include "model/prediction.h"

#include "base/numbers.h"

#include <stdio.h>
#include <string.h>

int bine_size_class(int64_t bytes) {
    int k = 0;
    for (; bytes > 1 && k < BINE_SIZE_CLASSES - 1; bytes >>= 1)
        k++;
    return k;
}

static int knows_groups(const struct bine_pick *p) {
    return bine_algorithm_needs(p->algorithm) == BINE_NEEDS_GROUPS;
}

static void add(struct bine_prediction *a, int at, const struct bine_pick *p) {
    a->algorithm[at] = (int32_t)(p->algorithm - bine_catalogue);
    a->layout[at] = (int32_t)p->layout;
    a->seconds[at] = p->seconds;
    a->count = at < a->count ? a->count : at + 1;
}

static int has(const struct bine_prediction *a, const struct bine_pick *p) {
    for (int i = 0; i < a->count; i++)
        if (a->algorithm[i] == p->algorithm - bine_catalogue)
            return 1;
    return 0;
}

/* The fastest few of picks in their order, each algorithm in its fastest layout. Where algorithms
 * that know groups and others both serve, both are among them. */
static void take_fastest(const struct bine_pick *pick, int n, struct bine_prediction *a) {
    int kinds[2] = {0, 0};
    memset(a, 0, sizeof *a);
    for (int i = 0; i < n && a->count < BINE_PREDICTIONS; i++)
        if (!has(a, &pick[i])) {
            kinds[knows_groups(&pick[i])] = 1;
            add(a, a->count, &pick[i]);
        }
    for (int i = 0; i < n && a->count == BINE_PREDICTIONS && kinds[0] + kinds[1] == 1; i++)
        if (!kinds[knows_groups(&pick[i])]) {
            add(a, BINE_PREDICTIONS - 1, &pick[i]);
            break;
        }
}

void bine_predict(struct bine_picker *x, enum bine_collective c, int root, int64_t bytes,
                  struct bine_prediction *a) {
    struct bine_pick pick[BINE_PICKS_MOST];
    int n = bine_picker_pick(x, c, root, INT64_C(1) << bine_size_class(bytes), NULL, NULL, pick);
    take_fastest(pick, n, a);
}

const char *bine_prediction_text(const struct bine_prediction *a, char text[BINE_ADVISED_TEXT]) {
    char time[BINE_SECONDS_TEXT];
    int n = snprintf(text, BINE_ADVISED_TEXT, a->assumed ? "model, usual rates:" : "model:");
    for (int i = 0; i < a->count && n < BINE_ADVISED_TEXT; i++)
        n += snprintf(text + n, (size_t)(BINE_ADVISED_TEXT - n), "%s %s %s", i == 0 ? "" : ",",
                      bine_catalogue[a->algorithm[i]].name, bine_seconds_text(a->seconds[i], time));
    return text;
}
