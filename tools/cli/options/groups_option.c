#include "cli/options/groups_option.h"
#include "base/files.h"

#include "cli/command.h"
#include "cli/input_file.h"

#include <string.h>

int bine_word_groups(const char *word, struct bine_allocation *a) {
    struct bine_reason why;
    if (!bine_allocation_is_sizes(word) && !bine_file_is_regular(word))
        return bine_complain(
            "groups '%s': expected sizes, as in 5,5,6 or (3,2),(4), or a file with a group name "
            "for each rank",
            word);
    return bine_allocation_load(a, word, &why) == 0 ? 0 : bine_complain("%s", why.text);
}

int bine_word_levels(const char *word, int p, struct bine_groups **groups) {
    struct bine_allocation a;
    *groups = NULL;
    if (bine_word_groups(word, &a) != 0)
        return BINE_EXIT_USAGE;
    if (p != 0 && a.p != p) {
        int ranks = a.p;
        bine_allocation_free(&a);
        return bine_complain("groups '%s' have %d ranks: expected %d", word, ranks, p);
    }
    *groups = bine_allocation_levels(&a);
    bine_allocation_free(&a);
    return *groups == NULL ? bine_complain("out of memory") : 0;
}
