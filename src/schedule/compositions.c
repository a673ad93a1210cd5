/* The table of compositions: the one file that knows both builders and promises. */
#include "schedule/build/compose/compose.h"
#include "schedule/build/compose/compose_moves.h"
#include "schedule/composition.h"
#include "schedule/volume.h"

const struct bine_composition_row bine_compositions[BINE_COMPOSITIONS] = {
#define COMPOSITION(NAME, how, ...)                                                                \
    [BINE_MAKE_##NAME] = {.name = #NAME, .compose = bine_compose_##how, __VA_ARGS__},
#include "schedule/compositions.def"
};
