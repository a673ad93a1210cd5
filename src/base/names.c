#include "base/names.h"

#include <stdlib.h>
#include <string.h>

static uint32_t hash(const char *name, size_t length) {
    uint32_t h = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)name[i]) * 16777619u;
    return h;
}

const char *bine_names_text(const struct bine_names *n, int number) {
    return n->text + n->at[number];
}

/* The slot of a name, or the free one where it would go. */
static uint32_t slot_of(const struct bine_names *n, const char *name, size_t length) {
    uint32_t h = hash(name, length) & (n->slots - 1);
    for (; n->slot[h] != 0; h = (h + 1) & (n->slots - 1)) {
        const char *there = bine_names_text(n, n->slot[h] - 1);
        if (strncmp(there, name, length) == 0 && there[length] == '\0')
            break;
    }
    return h;
}

int bine_names_find(const struct bine_names *n, const char *name, size_t length) {
    return n->slots == 0 ? -1 : n->slot[slot_of(n, name, length)] - 1;
}

static int grow_slots(struct bine_names *n) {
    uint32_t slots = n->slots == 0 ? 16 : 2 * n->slots;
    int32_t *slot = calloc(slots, sizeof *slot);
    if (slot == NULL)
        return -1;
    free(n->slot);
    n->slot = slot;
    n->slots = slots;
    for (int i = 0; i < n->count; i++) {
        const char *name = bine_names_text(n, i);
        n->slot[slot_of(n, name, strlen(name))] = i + 1;
    }
    return 0;
}

static int grow_text(struct bine_names *n, size_t length) {
    size_t room = n->text_room == 0 ? 256 : n->text_room;
    while (room < n->used + length + 1)
        room *= 2;
    if (room > UINT32_MAX)
        return -1;
    char *text = room == n->text_room ? n->text : realloc(n->text, room);
    if (text == NULL)
        return -1;
    n->text = text;
    n->text_room = room;
    return 0;
}

static int grow_numbers(struct bine_names *n) {
    if (n->count < n->room)
        return 0;
    int room = n->room == 0 ? 16 : 2 * n->room;
    uint32_t *at = realloc(n->at, (size_t)room * sizeof *at);
    if (at == NULL)
        return -1;
    n->at = at;
    n->room = room;
    return 0;
}

int bine_names_add(struct bine_names *n, const char *name, size_t length) {
    if (2 * (uint32_t)n->count >= n->slots && grow_slots(n) != 0)
        return -1;
    uint32_t h = slot_of(n, name, length);
    if (n->slot[h] != 0)
        return n->slot[h] - 1;
    if (grow_text(n, length) != 0 || grow_numbers(n) != 0)
        return -1;
    memcpy(n->text + n->used, name, length);
    n->text[n->used + length] = '\0';
    n->at[n->count] = (uint32_t)n->used;
    n->used += length + 1;
    n->slot[h] = ++n->count;
    return n->count - 1;
}

void bine_names_free(struct bine_names *n) {
    free(n->text);
    free(n->at);
    free(n->slot);
    *n = (struct bine_names){0};
}

static int is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Two runs of digits by value, whatever their padding; both pointers move behind them. */
static int compare_numbers(const char **a, const char **b) {
    size_t i = 0, j = 0;
    while (**a == '0')
        ++*a;
    while (**b == '0')
        ++*b;
    while (is_digit((*a)[i]))
        i++;
    while (is_digit((*b)[j]))
        j++;
    int order = i != j ? (i > j) - (i < j) : strncmp(*a, *b, i);
    *a += i;
    *b += j;
    return order;
}

int bine_names_compare(const char *a, const char *b) {
    const char *whole_a = a, *whole_b = b;
    while (*a != '\0' && *b != '\0') {
        int order;
        if (is_digit(*a) && is_digit(*b)) {
            order = compare_numbers(&a, &b);
        } else {
            order = (unsigned char)*a - (unsigned char)*b;
            a++;
            b++;
        }
        if (order != 0)
            return order;
    }
    if (*a != *b)
        return *a == '\0' ? -1 : 1;
    return strcmp(whole_a, whole_b); /* 1 and 01 differ in nothing but their padding */
}
