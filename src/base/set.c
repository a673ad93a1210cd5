#include "base/set.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 32 };

static void put(struct bine_set *s, struct bine_set_slot x) {
    uint32_t at = x.hash & (s->slots - 1);
    while (s->slot[at].number != BINE_SET_FREE)
        at = (at + 1) & (s->slots - 1);
    s->slot[at] = x;
}

static int grow(struct bine_set *s) {
    struct bine_set wider = {NULL, s->slots == 0 ? FIRST_SLOTS : 2 * s->slots, s->count};
    if (wider.slots == 0) /* no number of 32 bits has twice as many */
        return -1;
    wider.slot = malloc(wider.slots * sizeof *wider.slot);
    if (wider.slot == NULL)
        return -1;
    memset(wider.slot, 0xff, wider.slots * sizeof *wider.slot); /* BINE_SET_FREE in all of them */
    for (uint32_t i = 0; i < s->slots; i++)
        if (s->slot[i].number != BINE_SET_FREE)
            put(&wider, s->slot[i]);
    free(s->slot);
    *s = wider;
    return 0;
}

int bine_set_add(struct bine_set *s, uint32_t hash, uint32_t number) {
    if (s->count >= s->slots / 2 && grow(s) != 0)
        return -1;
    put(s, (struct bine_set_slot){hash, number});
    s->count++;
    return 0;
}

void bine_set_free(struct bine_set *s) {
    free(s->slot);
    *s = (struct bine_set){0};
}
