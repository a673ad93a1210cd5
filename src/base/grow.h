/* Arrays that grow: room for twice as many items each time, so that appending is cheap. */
#ifndef BINE_BASE_GROW_H
#define BINE_BASE_GROW_H

#include <stddef.h>

/* The part of bine_grow that moves the array. */
int bine_grow_room(void *array, size_t *room, size_t need, size_t size);

/* Room for `need` items of `size` bytes in an array that has room for *room. `array` is the address
 * of the pointer to it; a pointer to NULL and room 0 are an array that has none yet. 0, or -1 when
 * out of memory: pointer and room are as they were. */
static inline int bine_grow(void *array, size_t *room, size_t need, size_t size) {
    return need <= *room ? 0 : bine_grow_room(array, room, need, size);
}

#endif
