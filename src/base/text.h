/* Lines and words of a text file in memory. */
#ifndef BINE_BASE_TEXT_H
#define BINE_BASE_TEXT_H

#include <stddef.h>

struct bine_text {
    const char *at, *end;
    int line; /* the number of the line read last */
};

/* A piece of the text; not terminated by a zero. */
struct bine_word {
    const char *at;
    size_t length;
};

static inline struct bine_text bine_text_open(const char *text, size_t size) {
    return (struct bine_text){text, text + size, 0};
}

/* The next line, without its end, its comment (from a # at the beginning or behind a blank) and
 * blanks around it; 0 at the end of the text. */
int bine_text_line(struct bine_text *t, struct bine_word *line);
/* Take the next word, up to a blank, off the front of a line; 0 if there is none. */
int bine_text_word(struct bine_word *line, struct bine_word *word);

int bine_word_is(const struct bine_word *word, const char *text);
/* bine_word_is without regard to upper and lower case. */
int bine_word_is_like(const struct bine_word *word, const char *text);
/* A whole number from low to high in decimal digits: 0, or -1. */
int bine_word_count(const struct bine_word *word, long low, long high, long *value);

#endif
