/* A hash set of numbers that stand for things: the caller keeps the things, hashes and compares
 * them. Open addressing; at most half of the slots are taken. */
#ifndef BINE_BASE_SET_H
#define BINE_BASE_SET_H

#include <stddef.h>
#include <stdint.h>

/* A slot without a number. */
#define BINE_SET_FREE UINT32_MAX

/* All zero is an empty set. */
struct bine_set {
    struct bine_set_slot {
        uint32_t hash, number;
    } * slot;
    uint32_t slots, count; /* slots: a power of two, or 0 */
};

/* Whether the thing of a number is the one that is looked for. */
typedef int bine_set_same(const void *things, uint32_t number, const void *key);

/* Where the number of a thing stands, or NULL if it is not there. A caller may write the number of
 * an equal thing there. Inline, so that the comparison is, too. */
static inline uint32_t *bine_set_find(const struct bine_set *s, uint32_t hash, bine_set_same *same,
                                      const void *things, const void *key) {
    if (s->slots == 0)
        return NULL;
    for (uint32_t at = hash & (s->slots - 1);; at = (at + 1) & (s->slots - 1)) {
        struct bine_set_slot *slot = &s->slot[at];
        if (slot->number == BINE_SET_FREE)
            return NULL;
        if (slot->hash == hash && same(things, slot->number, key))
            return &slot->number;
    }
}

/* Adds a number whose thing is not there yet. 0, or -1 when out of memory: the set is as it was. */
int bine_set_add(struct bine_set *s, uint32_t hash, uint32_t number);
void bine_set_free(struct bine_set *s);

#endif
