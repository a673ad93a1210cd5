/* Setups, as the report's maps and plots sort them. */
#include "report/report_page.h"

#include "cli/command.h"

#include <stdlib.h>
#include <string.h>

static int by_ranks(const void *a, const void *b) {
    const struct bine_report_setup *x = a, *y = b;
    return x->ranks != y->ranks ? (x->ranks > y->ranks) - (x->ranks < y->ranks)
           : x->nodes != y->nodes
               ? (x->nodes > y->nodes) - (x->nodes < y->nodes)
               : (x->conditions > y->conditions) - (x->conditions < y->conditions);
}

int bine_report_setups(const struct bine_report *r, int system, int collective,
                       struct bine_report_setup setup[BINE_SETUPS_MOST]) {
    int n = 0;
    for (size_t i = 0; i < r->cells && n < BINE_SETUPS_MOST; i++) {
        const struct bine_cell *c = &r->cell[i];
        int known = 0;
        for (int k = 0; k < n; k++)
            known = known || (setup[k].ranks == c->ranks && setup[k].nodes == c->nodes &&
                              setup[k].conditions == c->conditions);
        if (c->system == system && (collective < 0 || c->collective == collective) && !known)
            setup[n++] = (struct bine_report_setup){c->ranks, c->nodes, c->conditions};
    }
    qsort(setup, (size_t)n, sizeof *setup, by_ranks);
    return n;
}

int bine_setup_has(const struct bine_report_setup *setup, const struct bine_cell *c) {
    return c->ranks == setup->ranks && c->nodes == setup->nodes &&
           c->conditions == setup->conditions;
}

void bine_conditions_text(const struct bine_report *r, int conditions,
                          char text[BINE_CONDITIONS_TEXT]) {
    const char *whole = bine_names_text(&r->conditions, conditions);
    if (strlen(whole) < BINE_CONDITIONS_TEXT)
        snprintf(text, BINE_CONDITIONS_TEXT, "%s", whole);
    else /* the page has a list of them */
        snprintf(text, BINE_CONDITIONS_TEXT, "conditions %d", conditions + 1);
}

void bine_setup_text(const struct bine_report *r, const struct bine_report_setup *setup,
                     char text[BINE_SETUP_TEXT]) {
    char conditions[BINE_CONDITIONS_TEXT];
    bine_conditions_text(r, setup->conditions, conditions);
    int n = snprintf(text, BINE_SETUP_TEXT, "%d rank%s", setup->ranks, bine_plural(setup->ranks));
    if (setup->nodes > 0)
        n += snprintf(text + n, BINE_SETUP_TEXT - (size_t)n, " on %d node%s", setup->nodes,
                      bine_plural(setup->nodes));
    if (conditions[0] != '\0')
        snprintf(text + n, BINE_SETUP_TEXT - (size_t)n, ", %s", conditions);
}
