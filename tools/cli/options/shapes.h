/* --dims and --ports, and the tori that proofs are made for. */
#ifndef BINE_TOOLS_CLI_SHAPES_H
#define BINE_TOOLS_CLI_SHAPES_H

#include "schedule/build/build.h"

/* "4x4x8", of p ranks unless p is 0. 0, or BINE_EXIT_USAGE after complaining. */
int bine_word_dims(const char *word, int p, struct bine_shape *dims);
int bine_word_ports(const char *word, int *ports);

enum { BINE_TORI_FEW = 128 };

/* Which tori of p ranks. */
struct bine_tori {
    enum bine_tori_kind {
        BINE_TORI_ONE,  /* as near to a cube as can be, of up to three dimensions; several ports
                           only up to BINE_TORI_FEW ranks */
        BINE_TORI_EVEN, /* every one of up to three dimensions, all even */
        BINE_TORI_ALL,  /* every one of up to three dimensions */
        BINE_TORI_LIST, /* those that were given */
    } kind;
    struct bine_shape *list;
    size_t count;
    int ports; /* 0: one port, and as many as there can be */
};

/* "all", "even" or a list, as in 4x4,2x6x2, each once. 0, or BINE_EXIT_USAGE after complaining. */
int bine_word_tori(const char *word, struct bine_tori *tori);
/* One more of a list, unless it is there. 0, or BINE_EXIT_USAGE when out of memory. */
int bine_tori_add(struct bine_tori *tori, const struct bine_shape *dims);
void bine_tori_free(struct bine_tori *tori);

/* A torus, and how many ports are used. */
struct bine_torus_case {
    struct bine_shape dims;
    int ports;
};

/* How many there are that an algorithm takes at p ranks; and number k of them. */
int bine_tori_count(const struct bine_tori *tori, const struct bine_algorithm *a, int p);
struct bine_torus_case bine_tori_case(const struct bine_tori *tori, const struct bine_algorithm *a,
                                      int p, int k);

#endif
