/* Sizes in bytes as people type and read them. */
#ifndef BINE_TOOLS_CLI_BYTES_H
#define BINE_TOOLS_CLI_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* 4096, 64K, 1M, 2G (powers of 1024), from 0 to most: 0, or BINE_EXIT_USAGE after complaining. */
int bine_word_bytes(const char *what, const char *word, int64_t most, int64_t *bytes);
/* Sizes of bine-bench's -m: MIN:MAX, or one size. The same results. */
int bine_word_sizes(const char *word, int64_t *least, int64_t *most);
/* "1.50 GiB", "17 B": into text, which is returned. */
enum { BINE_BYTES_TEXT = 32 };
const char *bine_bytes_text(int64_t bytes, char text[BINE_BYTES_TEXT]);

#endif
