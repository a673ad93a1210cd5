/* Files of rules: whatever is in them, they are read or refused with a reason; rules that were read
 * can be asked, and never choose what cannot serve. */
#include "select/select.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(const struct bine_rules *rules, int p) {
    for (int c = 0; c < BINE_COLLECTIVES; c++) {
        struct bine_query q = {.collective = (enum bine_collective)c,
                               .p = p,
                               .bytes = (int64_t)p * 1000,
                               .commutative = p % 3 > 0,
                               .drop_in = p % 2,
                               .library = BINE_LIBRARY_OPENMPI,
                               .nodes = p / 2,
                               .per_node = 2,
                               .dims = {2, {p % 4 > 0 ? 1 : 4, p % 4 > 0 ? p : p / 4}},
                               .wired = p % 3 > 0};
        const struct bine_selector s = {
            .program = bine_selection_none(), .setting = bine_selection_none(), .rules = rules};
        struct bine_decision d;
        bine_select(&s, &q, &d);
        if (d.fails || d.choice.reason == NULL)
            abort();
        const struct bine_algorithm *a = d.choice.algorithm;
        if (a != NULL &&
            !(bine_algorithm_needs(a) == BINE_NEEDS_DIMS ? bine_algorithm_takes_dims(a, &q.dims)
                                                         : bine_algorithm_serves(a, p)))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct bine_rules rules;
    char why[300] = "", *text = malloc(size + 1);
    if (text == NULL)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    if (bine_rules_parse("rules", text, &rules, why, sizeof why) == 0) {
        ask(&rules, 12);
        ask(&rules, 16);
        ask(&rules, 31);
        bine_rules_free(&rules);
    } else if (strncmp(why, "rules:", 6) != 0) {
        abort();
    }
    return 0;
}
