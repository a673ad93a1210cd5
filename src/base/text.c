#include "base/text.h"

#include <ctype.h>
#include <string.h>

static int is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static void trim(struct bine_word *w) {
    while (w->length > 0 && is_blank(w->at[0])) {
        w->at++;
        w->length--;
    }
    while (w->length > 0 && is_blank(w->at[w->length - 1]))
        w->length--;
}

int bine_text_line(struct bine_text *t, struct bine_word *line) {
    if (t->at == t->end)
        return 0;
    const char *newline = memchr(t->at, '\n', (size_t)(t->end - t->at));
    const char *end = newline == NULL ? t->end : newline;
    *line = (struct bine_word){t->at, (size_t)(end - t->at)};
    for (size_t i = 0; i < line->length; i++)
        if (line->at[i] == '#' && (i == 0 || is_blank(line->at[i - 1])))
            line->length = i;
    trim(line);
    t->at = newline == NULL ? t->end : newline + 1;
    t->line++;
    return 1;
}

int bine_text_word(struct bine_word *line, struct bine_word *word) {
    trim(line);
    size_t n = 0;
    while (n < line->length && !is_blank(line->at[n]))
        n++;
    *word = (struct bine_word){line->at, n};
    line->at += n;
    line->length -= n;
    trim(line);
    return n > 0;
}

int bine_word_is(const struct bine_word *word, const char *text) {
    return strlen(text) == word->length && memcmp(text, word->at, word->length) == 0;
}

int bine_word_is_like(const struct bine_word *word, const char *text) {
    if (strlen(text) != word->length)
        return 0;
    for (size_t i = 0; i < word->length; i++)
        if (tolower((unsigned char)text[i]) != tolower((unsigned char)word->at[i]))
            return 0;
    return 1;
}

int bine_word_count(const struct bine_word *word, long low, long high, long *value) {
    if (word->length == 0 || word->length > 15)
        return -1;
    *value = 0;
    for (size_t i = 0; i < word->length; i++) {
        if (!isdigit((unsigned char)word->at[i]))
            return -1;
        *value = *value * 10 + (word->at[i] - '0');
    }
    return *value < low || *value > high ? -1 : 0;
}
