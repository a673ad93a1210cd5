/* Ranges of whole numbers as people type them: 1-64,100,128. */
#ifndef BINE_TOOLS_CLI_RANGE_H
#define BINE_TOOLS_CLI_RANGE_H

#include <stddef.h>

/* Ascending, each number once. */
struct bine_range {
    int *value;
    size_t count;
};

/* Numbers from low to high. 0, or BINE_EXIT_USAGE after complaining; `what` names the option. */
int bine_word_range(const char *what, const char *word, int low, int high, struct bine_range *r);
int bine_range_has(const struct bine_range *r, int n);
void bine_range_free(struct bine_range *r);

#endif
