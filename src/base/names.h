/* Names and their numbers: a table that grows, each name once. */
#ifndef BINE_BASE_NAMES_H
#define BINE_BASE_NAMES_H

#include "base/set.h"

#include <stddef.h>
#include <stdint.h>

/* All zero is an empty table. */
struct bine_names {
    char *text; /* the names, each with a zero behind it */
    size_t used, text_room;
    uint32_t *at; /* where name i begins */
    int count;
    size_t room;
    struct bine_set set; /* of the numbers, by their names */
};

/* The number of a name, which is added if it is new; -1 when out of memory. */
int bine_names_add(struct bine_names *n, const char *name, size_t length);
/* The number of a name, or -1 if it is not there. */
int bine_names_find(const struct bine_names *n, const char *name, size_t length);
const char *bine_names_text(const struct bine_names *n, int number);
void bine_names_free(struct bine_names *n);

/* As people sort: runs of digits by their value, everything else by character. */
int bine_names_compare(const char *a, const char *b);

#endif
