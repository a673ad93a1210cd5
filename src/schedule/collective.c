#include "schedule/collective.h"

#include <stddef.h>
#include <string.h>

const struct bine_collective_row bine_collectives[BINE_COLLECTIVES] = {
#define COLLECTIVE(NAME, WORD, ALSO, KIND, ...) {.name = WORD, .kind = BINE_##KIND, __VA_ARGS__},
#include "schedule/collectives.def"
#undef COLLECTIVE
};

int bine_collective_find(const char *name) {
    for (int c = 0; c < BINE_COLLECTIVES; c++) {
        const struct bine_collective_row *row = &bine_collectives[c];
        if (strcmp(name, row->name) == 0 || (row->alias != NULL && strcmp(name, row->alias) == 0))
            return c;
    }
    return -1;
}
