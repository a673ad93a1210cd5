/* Why something cannot be done: one line for people. */
#ifndef BINE_BASE_REASON_H
#define BINE_BASE_REASON_H

#include <stddef.h>

struct bine_reason {
    char text[640];
};

/* Set it; returns -1, so that a parser can `return bine_reason_set(...)`. */
int bine_reason_set(struct bine_reason *why, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Put "file:line: " in front of it; returns -1. */
int bine_reason_at(struct bine_reason *why, const char *file, int line);
/* An unknown word, with the nearest of the known ones if one is near; returns -1. */
int bine_reason_unknown(struct bine_reason *why, const char *what, const char *word, size_t length,
                        const char *const *known, size_t n);
int bine_reason_memory(struct bine_reason *why);

/* The length of a quotation from a file in a message: at most 60 characters. */
static inline int bine_reason_cut(size_t length) {
    return length < 60 ? (int)length : 60;
}

#endif
