#include "pattern/places.h"

#include "base/numbers.h"
#include "pattern/negabinary.h"

int bine_place_of(enum bine_places places, int rank, int p) {
    int bits = bine_log2_ceil(p);
    if (places == BINE_PLACE_RANK)
        return rank;
    uint32_t label = places == BINE_PLACE_NU ? bine_nu(rank, p) : (uint32_t)rank;
    return (int)bine_bits_reverse(label, bits);
}

int bine_place_rank(enum bine_places places, int place, int p) {
    int bits = bine_log2_ceil(p);
    if (places == BINE_PLACE_RANK)
        return place;
    uint32_t label = bine_bits_reverse((uint32_t)place, bits);
    return places == BINE_PLACE_NU ? bine_nu_inverse(label, p) : (int)label;
}
