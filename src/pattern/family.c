#include "pattern/family.h"

#include <stddef.h>

/* Exactly one of the functions, or none on a torus. */
static const struct {
    struct bine_tree *(*by_ranks)(int p);
    struct bine_tree *(*by_order)(int p, enum bine_order order);
    struct bine_tree *(*by_radix)(int p, enum bine_order order, int radix);
    int on_torus;
    enum bine_torus_kind kind;
} families[BINE_FAMILIES] = {
#define BY_RANKS(NAME, function) [BINE_FAMILY_##NAME] = {.by_ranks = function},
#define BY_ORDER(NAME, function) [BINE_FAMILY_##NAME] = {.by_order = function},
#define BY_RADIX(NAME, function) [BINE_FAMILY_##NAME] = {.by_radix = function},
#define ON_TORUS(NAME, torus_kind) [BINE_FAMILY_##NAME] = {.on_torus = 1, .kind = torus_kind},
#include "pattern/families.def"
};

struct bine_tree *bine_family_tree(enum bine_family family, int p, enum bine_order order,
                                   int radix) {
    if (families[family].by_ranks != NULL)
        return families[family].by_ranks(p);
    if (families[family].by_order != NULL)
        return families[family].by_order(p, order);
    if (families[family].by_radix != NULL)
        return families[family].by_radix(p, order, radix);
    return NULL;
}

int bine_family_is_on_torus(enum bine_family family) {
    return families[family].on_torus;
}

enum bine_torus_kind bine_family_torus_kind(enum bine_family family) {
    return families[family].kind;
}
