/* Words that people type, and the known ones they may have meant. */
#ifndef BINE_BASE_WORDS_H
#define BINE_BASE_WORDS_H

#include <stddef.h>

/* The known word nearest to a misspelt one, or NULL if none is near. */
const char *bine_nearest_word(const char *word, const char *const *words, size_t n);

#endif
