#include "cli/hosts.h"
#include "base/files.h"

#include "cli/command.h"
#include "cli/files.h"

#include <stdlib.h>
#include <string.h>

int bine_word_hosts(const char *word, struct bine_hosts *h) {
    struct bine_reason why;
    size_t size;
    if (!bine_file_is_regular(word)) {
        if (strchr(word, '/') != NULL && strchr(word, '[') == NULL)
            return bine_complain("host file '%s' is not there", word);
        if (bine_hosts_add(h, word, strlen(word), BINE_HOSTS_MOST, &why) == 0)
            return 0;
        return bine_complain("host list '%s': %s", word, why.text);
    }
    char *text = bine_file_read(word, &size);
    if (text == NULL)
        return BINE_EXIT_USAGE;
    int rc = bine_hosts_read(h, text, size, word, BINE_HOSTS_MOST, &why);
    free(text);
    return rc == 0 ? 0 : bine_complain("%s", why.text);
}
