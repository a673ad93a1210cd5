/* Teams: ranks 0..p-1 in about sqrt(p) runs of about as many ranks each, so that no rank deals with
 * more than about 2 sqrt(p) others in two steps: one in each team, one across the teams.
 *
 *     p = 13: {0 1 2 3} {4 5 6 7} {8 9 10 11 12}
 *
 * Of n parts of `total` things in a row, part i begins at floor(i total / n): sizes differ by one
 * at most. Correctness condition: x is in part floor(((x + 1) n - 1) / total), and in no other. */
#ifndef BINE_PATTERN_TEAMS_H
#define BINE_PATTERN_TEAMS_H

#include <stdint.h>

static inline int bine_part_begin(int total, int parts, int i) {
    return (int)((int64_t)i * total / parts);
}

/* The part that x is in. */
static inline int bine_part_of(int total, int parts, int x) {
    return (int)(((int64_t)(x + 1) * parts - 1) / total);
}

/* The number of teams: floor(sqrt(p)). */
static inline int bine_teams(int p) {
    int n = 1;
    while ((int64_t)(n + 1) * (n + 1) <= p)
        n++;
    return n;
}

/* A run of ranks. */
struct bine_team {
    int first, size;
};

static inline struct bine_team bine_team_at(int p, int i) {
    int n = bine_teams(p), first = bine_part_begin(p, n, i);
    return (struct bine_team){first, bine_part_begin(p, n, i + 1) - first};
}

static inline int bine_team_of(int p, int rank) {
    return bine_part_of(p, bine_teams(p), rank);
}

#endif
