#include "groups.h"

#include "command.h"
#include "files.h"

#include <stdlib.h>
#include <string.h>

int bine_word_groups(const char *word, struct bine_allocation *a) {
    struct bine_reason why;
    size_t size;
    int rc;
    if (strspn(word, "0123456789,") == strlen(word)) { /* anything else is a file */
        rc = bine_allocation_sizes(a, word, &why);
    } else if (!bine_file_is_regular(word)) {
        return bine_complain(
            "groups '%s': expected sizes, as in 5,5,6, or a file with a group name "
            "for each rank",
            word);
    } else {
        char *text = bine_file_read(word, &size);
        if (text == NULL)
            return BINE_EXIT_USAGE;
        rc = bine_allocation_read(a, text, size, word, &why);
        free(text);
    }
    return rc == 0 ? 0 : bine_complain("%s", why.text);
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
