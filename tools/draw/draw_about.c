/* The catalogue's description of an algorithm, without what holds for other numbers of ranks. */
#include "draw/draw.h"
#include "pattern/bine_family.h"

#include <string.h>

static int is_power(int p, int of) {
    while (p % of == 0)
        p /= of;
    return p == 1;
}

static int is_odd(const struct bine_spec *spec) {
    return spec->p > 1 && spec->p % 2 == 1;
}

static int is_folded(const struct bine_spec *spec) {
    return !is_power(spec->p, spec->algorithm->radix > 0 ? spec->algorithm->radix : 2);
}

static int is_folded_to_rounds(const struct bine_spec *spec) {
    return bine_rounds_of(spec->p, spec->algorithm->radix).members != spec->p;
}

static int has_odd_dimension(const struct bine_spec *spec) {
    for (int d = 0; d < spec->dims->dims; d++)
        if (spec->dims->size[d] > 1 && spec->dims->size[d] % 2 == 1)
            return 1;
    return 0;
}

static int has_folded_dimension(const struct bine_spec *spec) {
    for (int d = 0; d < spec->dims->dims; d++)
        if (!is_power(spec->dims->size[d], 2))
            return 1;
    return 0;
}

/* Instead of what is before it, where p is odd. */
static const char odd_p[] = "; odd p: ";

/* How an aside begins, and for whom it holds; it ends before the next "; " or " (". */
static const struct {
    const char *begin;
    int (*holds)(const struct bine_spec *spec);
} asides[] = {{odd_p, is_odd},
              {"; rotated split trees in odd dimensions", has_odd_dimension},
              {", folded to a power of", is_folded},
              {", folded by halves", is_folded},
              {", folded to its size", is_folded_to_rounds},
              {", each dimension folded to a power of", has_folded_dimension}};

static const char *end_of(const char *aside) {
    const char *semicolon = strstr(aside, "; "), *bracket = strstr(aside, " (");
    if (semicolon != NULL && (bracket == NULL || semicolon < bracket))
        return semicolon;
    return bracket != NULL ? bracket : aside + strlen(aside);
}

void bine_draw_about(const struct bine_spec *spec, char text[BINE_DRAW_ABOUT]) {
    const char *about = spec->algorithm->about, *odd = strstr(about, odd_p);
    if (odd != NULL && is_odd(spec))
        about = odd + strlen(odd_p);
    snprintf(text, BINE_DRAW_ABOUT, "%s", about);
    for (size_t i = 0; i < sizeof asides / sizeof *asides; i++) {
        char *begin = strstr(text, asides[i].begin);
        if (begin == NULL || asides[i].holds(spec))
            continue;
        const char *end = end_of(begin + strlen(asides[i].begin));
        memmove(begin, end, strlen(end) + 1);
    }
}
