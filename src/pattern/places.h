/* Places, powers of two: where the block of each rank lies so that every message is one run.
 *
 * Give every rank a place such that the partner at step s lies in the sibling of the aligned run of
 * 2^s places around one's own; then the blocks of every message, taken by place, are one aligned
 * run. Tested for every power of two up to 2^8 against the trees.
 *
 * Worked example, p = 8, far-first Bine: nu of the ranks 0..7 is 000 001 011 100 110 111 101 010
 * (pattern/negabinary.h), so their places are 0 4 6 1 3 7 5 2: at step 0 rank 0 meets rank 3, at
 * place 1; then {0, 3} meet {7, 4}, at places 2 and 3. */
#ifndef BINE_PATTERN_PLACES_H
#define BINE_PATTERN_PLACES_H

enum bine_places {
    BINE_PLACE_RANK,    /* place = rank: near-first hypercube */
    BINE_PLACE_REVERSE, /* place = reverse(rank): far-first hypercube */
    BINE_PLACE_NU,      /* place = reverse(nu(rank)): far-first Bine */
    BINE_PLACE_TORUS,   /* of pattern/torus.h, which has its own functions: far-first Bine there */
};

/* The place of a rank's block, and the rank whose block is at a place; not on a torus. */
int bine_place_of(enum bine_places places, int rank, int p);
int bine_place_rank(enum bine_places places, int place, int p);

#endif
