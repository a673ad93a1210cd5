/* What the model advises for a collective and size, in words: for the library and `bine choose`. */
#ifndef BINE_MODEL_ADVISE_H
#define BINE_MODEL_ADVISE_H

#include "model/pick.h"

/* Size classes are the bytes from a power of two to the next, and stand for the first. Below the
 * least, rules know better: what small messages cost is the software's, and the model knows little
 * of it. */
enum {
    BINE_ADVISED_MOST = 3,
    BINE_ADVISED_TEXT = 160,
    BINE_ADVISED_LEAST = 4096,
    BINE_ADVISED_CLASSES = 48,
    BINE_ADVISED_RANKS = 1024 /* the most: beyond, an answer takes too long inside a program */
};

int bine_advised_class(int64_t bytes);

/* The fastest few. Plain numbers: ranks send it to each other. */
struct bine_advised {
    int32_t count;                        /* 0: nothing serves, or no memory */
    int32_t algorithm[BINE_ADVISED_MOST]; /* numbers in the catalogue */
    double seconds[BINE_ADVISED_MOST];
};

/* For the class of so many bytes, and a root. */
void bine_advise(struct bine_picker *x, enum bine_collective c, int root, int64_t bytes,
                 struct bine_advised *a);
/* The fastest few of picks in their order. */
void bine_advised_from(const struct bine_pick *pick, int n, struct bine_advised *a);
/* "model: bine-group 1.23 ms, ring 1.5 ms, bine-large 2.1 ms" */
const char *bine_advised_text(const struct bine_advised *a, char text[BINE_ADVISED_TEXT]);

#endif
