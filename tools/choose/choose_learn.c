#include "choose/choose_learn.h"

#include "cli/command.h"
#include "select/wisdom.h"

#include <stdio.h>

int bine_choose_wisdom(struct bine_rules *wisdom) {
    const char *path = bine_setting_value(BINE_SETTING_WISDOM, NULL);
    char why[600];
    int found = *path == '\0' ? 0 : bine_wisdom_load(path, wisdom, why, sizeof why);
    if (found < 0)
        bine_complain("%s; it is neither followed nor changed (BINE_WISDOM)", why);
    return found > 0;
}

void bine_choose_print_candidates(const struct bine_query *q,
                                  const struct bine_prediction *prediction) {
    struct bine_selection f[BINE_LEARN_CANDIDATES];
    int n = bine_tuning_candidates(q, prediction, f);
    if (n < 2)
        return;
    printf("then, after %d calls, learnt in the program (BINE_LEARN) from", BINE_LEARN_FROM);
    for (int i = 0; i < n; i++)
        printf("%s %s", i == 0 ? "" : ",", bine_selection_name(&f[i]));
    printf("\n");
}
