/* Sorting by small keys, by counting. */
#ifndef BINE_BASE_SORT_H
#define BINE_BASE_SORT_H

#include <stdint.h>
#include <string.h>

/* The numbers first..end-1 by key[i], which is in 0..keys-1, and ascending for each key: the
 * numbers of key k become order[begin[k]] .. order[begin[k + 1] - 1]. `begin` has room for keys +
 * 2. */
static inline void bine_sort_by(const int32_t *key, int first, int end, int keys, int32_t *begin,
                                int32_t *order) {
    memset(begin, 0, ((size_t)keys + 2) * sizeof *begin);
    for (int i = first; i < end; i++)
        begin[key[i] + 2]++;
    for (int k = 2; k <= keys + 1; k++)
        begin[k] += begin[k - 1];
    for (int i = first; i < end; i++)
        order[begin[key[i] + 1]++] = i;
}

#endif
