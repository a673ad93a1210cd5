#include "base/reason.h"
#include "base/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Files can hold anything; a message is one printable line. */
static void make_printable(char *text) {
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ' || (unsigned char)*text > '~')
            *text = '?';
}

int bine_reason_set(struct bine_reason *why, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(why->text, sizeof why->text, format, args);
    va_end(args);
    make_printable(why->text);
    return -1;
}

int bine_reason_at(struct bine_reason *why, const char *file, int line) {
    char rest[sizeof why->text];
    memcpy(rest, why->text, sizeof rest);
    if (line > 0)
        snprintf(why->text, sizeof why->text, "%.100s:%d: %.500s", file, line, rest);
    else
        snprintf(why->text, sizeof why->text, "%.100s: %.510s", file, rest);
    return -1;
}

int bine_reason_unknown(struct bine_reason *why, const char *what, const char *word, size_t length,
                        const char *const *known, size_t n) {
    char text[64], all[480] = "";
    size_t at = 0;
    snprintf(text, sizeof text, "%.*s", bine_reason_cut(length), word);
    const char *nearest = bine_nearest_word(text, known, n);
    if (nearest != NULL)
        return bine_reason_set(why, "unknown %s '%s': did you mean '%s'?", what, text, nearest);
    for (size_t i = 0; i < n && at < sizeof all; i++)
        at += (size_t)snprintf(all + at, sizeof all - at, "%s%s", i == 0 ? "" : ", ", known[i]);
    return bine_reason_set(why, "unknown %s '%s': expected one of %s", what, text, all);
}

int bine_reason_memory(struct bine_reason *why) {
    return bine_reason_set(why, "out of memory");
}
