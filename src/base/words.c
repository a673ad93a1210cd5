#include "base/words.h"

#include "base/numbers.h"

#include <ctype.h>
#include <string.h>

static int same_letter(char a, char b) {
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Levenshtein's distance, for words of ordinary length; capital letters are as small ones. */
static size_t edit_distance(const char *a, const char *b) {
    size_t row[64], n = strlen(b);
    if (n >= 63)
        return 99;
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1] != '\0'; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t best = corner + !same_letter(a[i - 1], b[j - 1]);
            corner = row[j];
            best = bine_min(row[j] + 1, best);
            row[j] = bine_min(row[j - 1] + 1, best);
        }
    }
    return row[n];
}

const char *bine_nearest_word(const char *word, const char *const *words, size_t n) {
    const char *best = NULL;
    size_t least = strlen(word) / 2 + 1;
    for (size_t i = 0; i < n; i++) {
        size_t d = edit_distance(word, words[i]);
        if (d < least) {
            least = d;
            best = words[i];
        }
    }
    return best;
}
