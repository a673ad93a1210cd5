/* Settings and sizes as the report's maps and plots sort them. */
#include "report/report_page.h"

#include <stdlib.h>

static int by_ranks(const void *a, const void *b) {
    const struct bine_setting_key *x = a, *y = b;
    return x->ranks != y->ranks ? (x->ranks > y->ranks) - (x->ranks < y->ranks)
                                : (x->nodes > y->nodes) - (x->nodes < y->nodes);
}

int bine_report_settings(const struct bine_report *r, int system, int collective,
                         struct bine_setting_key key[BINE_SETTINGS_MOST]) {
    int n = 0;
    for (size_t i = 0; i < r->cells && n < BINE_SETTINGS_MOST; i++) {
        const struct bine_cell *c = &r->cell[i];
        int known = 0;
        for (int k = 0; k < n; k++)
            known = known || (key[k].ranks == c->ranks && key[k].nodes == c->nodes);
        if (c->system == system && (collective < 0 || c->collective == collective) && !known)
            key[n++] = (struct bine_setting_key){c->ranks, c->nodes};
    }
    qsort(key, (size_t)n, sizeof *key, by_ranks);
    return n;
}

int64_t bine_nominal_bytes(int64_t bytes) {
    int64_t below = 1;
    while (below <= bytes / 2)
        below *= 2;
    /* The nearest power of two, if it is within a tenth. */
    int64_t near = bytes - below < 2 * below - bytes ? below : 2 * below;
    int64_t away = bytes > near ? bytes - near : near - bytes;
    return bytes > 0 && away <= near / 10 ? near : bytes;
}

void bine_setting_text(const struct bine_setting_key *key, char text[64]) {
    if (key->nodes > 0)
        snprintf(text, 64, "%d ranks on %d node%s", key->ranks, key->nodes,
                 key->nodes == 1 ? "" : "s");
    else
        snprintf(text, 64, "%d ranks", key->ranks);
}
