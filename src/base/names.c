#include "base/names.h"

#include "base/grow.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

struct name {
    const char *text;
    size_t length;
};

static uint32_t hash(const struct name *x) {
    return bine_hash_number(bine_hash(BINE_HASH, x->text, x->length));
}

const char *bine_names_text(const struct bine_names *n, int number) {
    return n->text + n->at[number];
}

static int same(const void *names, uint32_t number, const void *name) {
    const struct name *x = name;
    const char *there = bine_names_text(names, (int)number);
    return strncmp(there, x->text, x->length) == 0 && there[x->length] == '\0';
}

int bine_names_find(const struct bine_names *n, const char *name, size_t length) {
    struct name x = {name, length};
    const uint32_t *found = bine_set_find(&n->set, hash(&x), same, n, &x);
    return found == NULL ? -1 : (int)*found;
}

int bine_names_add(struct bine_names *n, const char *name, size_t length) {
    struct name x = {name, length};
    int found = bine_names_find(n, name, length);
    if (found >= 0)
        return found;
    if (n->used + length + 1 > UINT32_MAX ||
        bine_grow(&n->text, &n->text_room, n->used + length + 1, 1) != 0 ||
        bine_grow(&n->at, &n->room, (size_t)n->count + 1, sizeof *n->at) != 0 ||
        bine_set_add(&n->set, hash(&x), (uint32_t)n->count) != 0)
        return -1;
    memcpy(n->text + n->used, name, length);
    n->text[n->used + length] = '\0';
    n->at[n->count] = (uint32_t)n->used;
    n->used += length + 1;
    return n->count++;
}

void bine_names_free(struct bine_names *n) {
    free(n->text);
    free(n->at);
    bine_set_free(&n->set);
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
