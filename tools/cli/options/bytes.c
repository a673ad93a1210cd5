#include "cli/options/bytes.h"

#include "cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char units[] = "KMGTP";

int bine_word_bytes(const char *what, const char *word, int64_t most, int64_t *bytes) {
    char *end;
    int shift = 0;
    errno = 0;
    long long value = strtoll(word, &end, 10);
    if (end != word && *end != '\0') {
        const char *unit = strchr(units, *end >= 'a' && *end <= 'z' ? *end - 32 : *end);
        shift = unit != NULL ? 10 * (int)(unit - units + 1) : 0;
        end += shift > 0;
    }
    if (word[0] < '0' || word[0] > '9' || *end != '\0')
        return bine_complain("%s '%s': expected a number of bytes, as in 4096, 64K, 1M or 2G", what,
                             word);
    if (errno == ERANGE || value > most >> shift)
        return bine_complain("%s %s: expected at most %lld bytes", what, word, (long long)most);
    *bytes = value << shift;
    return 0;
}

int bine_word_sizes(const char *word, int64_t *least, int64_t *most) {
    char low[32];
    const char *colon = strchr(word, ':');
    size_t length = colon == NULL ? strlen(word) : (size_t)(colon - word);
    if (length == 0 || length >= sizeof low)
        return bine_complain("-m '%s': expected MIN:MAX, as in 8:1M", word);
    snprintf(low, sizeof low, "%.*s", (int)length, word);
    if (bine_word_bytes("-m", low, INT64_C(1) << 40, least) != 0 ||
        bine_word_bytes("-m", colon == NULL ? low : colon + 1, INT64_C(1) << 40, most) != 0)
        return BINE_EXIT_USAGE;
    if (*least < 1 || *most < *least)
        return bine_complain("-m '%s': expected MIN:MAX with 1 <= MIN <= MAX", word);
    return 0;
}

const char *bine_bytes_text(int64_t bytes, char text[BINE_BYTES_TEXT]) {
    double value = (double)bytes;
    int unit = 0;
    while (value >= 1024 && unit < 5) {
        value /= 1024;
        unit++;
    }
    if (unit == 0)
        snprintf(text, BINE_BYTES_TEXT, "%lld B", (long long)bytes);
    else
        snprintf(text, BINE_BYTES_TEXT, value == (double)(int64_t)value ? "%.0f %ciB" : "%.2f %ciB",
                 value, units[unit - 1]);
    return text;
}
