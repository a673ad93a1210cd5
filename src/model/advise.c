#include "model/advise.h"

#include "base/numbers.h"

#include <stdio.h>
#include <string.h>

int bine_advised_class(int64_t bytes) {
    int k = 0;
    for (; bytes > 1 && k < BINE_ADVISED_CLASSES - 1; bytes >>= 1)
        k++;
    return k;
}

void bine_advised_from(const struct bine_pick *pick, int n, struct bine_advised *a) {
    memset(a, 0, sizeof *a);
    for (; a->count < n && a->count < BINE_ADVISED_MOST; a->count++) {
        a->algorithm[a->count] = (int32_t)(pick[a->count].algorithm - bine_catalogue);
        a->seconds[a->count] = pick[a->count].seconds;
    }
}

void bine_advise(struct bine_picker *x, enum bine_collective c, int root, int64_t bytes,
                 struct bine_advised *a) {
    struct bine_pick pick[BINE_PICKS_MOST];
    int n = bine_picker_pick(x, c, root, INT64_C(1) << bine_advised_class(bytes), NULL, NULL, pick);
    bine_advised_from(pick, n, a);
}

const char *bine_advised_text(const struct bine_advised *a, char text[BINE_ADVISED_TEXT]) {
    char time[BINE_SECONDS_TEXT];
    int n = snprintf(text, BINE_ADVISED_TEXT, "model:");
    for (int i = 0; i < a->count && n < BINE_ADVISED_TEXT; i++)
        n += snprintf(text + n, (size_t)(BINE_ADVISED_TEXT - n), "%s %s %s", i == 0 ? "" : ",",
                      bine_catalogue[a->algorithm[i]].name, bine_seconds_text(a->seconds[i], time));
    return text;
}
