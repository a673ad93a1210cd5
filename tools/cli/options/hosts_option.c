#include "cli/options/hosts_option.h"
#include "base/files.h"

#include "cli/command.h"
#include "cli/input_file.h"
#include "network/address.h"

#include <stdlib.h>
#include <string.h>

/* A list as it was typed, or the text of a file; to be freed. */
static char *text_of(const char *word, int *is_file, size_t *size) {
    *is_file = bine_file_is_regular(word);
    if (*is_file)
        return bine_file_read(word, size);
    if (bine_file_is_folder(word)) {
        bine_complain("hosts '%s': a folder: expected a host file or a host list", word);
        return NULL;
    }
    if (strchr(word, '/') != NULL && strchr(word, '[') == NULL) {
        bine_complain("host file '%s' is not there", word);
        return NULL;
    }
    char *text = strdup(word);
    *size = text == NULL ? 0 : strlen(text);
    if (text == NULL)
        bine_complain("out of memory");
    return text;
}

static int read_hosts(const char *word, int addresses, struct bine_hosts *h) {
    struct bine_reason why;
    size_t size = 0;
    int is_file, rc;
    char *text = text_of(word, &is_file, &size);
    if (text == NULL)
        return BINE_EXIT_USAGE;
    if (addresses && bine_address_settle(text) > 0)
        bine_complain("hosts '%s': nodes below several switches: the first one counts", word);
    size = addresses ? strlen(text) : size;
    if (is_file)
        rc = bine_hosts_read(h, text, size, word, BINE_HOSTS_MOST, &why);
    else
        rc = bine_hosts_add(h, text, size, BINE_HOSTS_MOST, &why);
    free(text);
    if (rc == 0)
        return 0;
    return is_file ? bine_complain("%s", why.text)
                   : bine_complain("host list '%s': %s", word, why.text);
}

int bine_word_hosts(const char *word, struct bine_hosts *h) {
    return read_hosts(word, 0, h);
}

int bine_word_addresses(const char *word, struct bine_hosts *h) {
    return read_hosts(word, 1, h);
}
