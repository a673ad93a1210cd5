/* Counts and displacements as the caller gives them: int, or 64 bits wide. */
#ifndef BINE_ENGINE_COUNTS_H
#define BINE_ENGINE_COUNTS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* One of the two, or neither. */
struct bine_counts {
    const int *narrow;
    const void *wide; /* MPI_Count or MPI_Aint: integers of 64 bits */
};

static inline int bine_counts_given(const struct bine_counts *c) {
    return c->narrow != NULL || c->wide != NULL;
}

static inline int64_t bine_count_at(const struct bine_counts *c, int i) {
    int64_t x;
    if (c->narrow != NULL)
        return c->narrow[i];
    memcpy(&x, (const char *)c->wide + (size_t)i * sizeof x, sizeof x);
    return x;
}

/* The largest of them. */
static inline int64_t bine_counts_most(const struct bine_counts *c, int n) {
    int64_t most = 0;
    for (int i = 0; i < n; i++) {
        int64_t x = bine_count_at(c, i);
        most = x > most ? x : most;
    }
    return most;
}

/* Their sum; -1 if one is negative, or they are not given. */
static inline int64_t bine_counts_sum(const struct bine_counts *c, int n) {
    int64_t sum = 0, negative = bine_counts_given(c) ? 0 : -1;
    for (int i = 0; i < n && negative >= 0; i++) {
        int64_t x = bine_count_at(c, i);
        sum += x;
        negative |= x;
    }
    return negative < 0 ? -1 : sum;
}

/* Whether all counts are equal. */
static inline int bine_counts_are_one(const struct bine_counts *counts, int p) {
    for (int i = 1; i < p; i++)
        if (bine_count_at(counts, i) != bine_count_at(counts, 0))
            return 0;
    return 1;
}

#endif
