#include "base/grow.h"

#include "base/numbers.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ITEMS = 16 };

int bine_grow_room(void *array, size_t *room, size_t need, size_t size) {
    size_t wanted = bine_max(need, *room > SIZE_MAX / 2 ? need : 2 * *room);
    wanted = bine_max(wanted, (size_t)FIRST_ITEMS);
    if (wanted > SIZE_MAX / 2 / size)
        return -1;
    void *old, *moved; /* copied as bytes: `array` may point to a pointer of any type */
    memcpy(&old, array, sizeof old);
    moved = realloc(old, wanted * size);
    if (moved == NULL)
        return -1;
    memcpy(array, &moved, sizeof moved);
    *room = wanted;
    return 0;
}
