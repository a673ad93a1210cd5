/* A schedule in words, and as the rows of a table. */
#ifndef BINE_TOOLS_SHOW_SHOW_H
#define BINE_TOOLS_SHOW_SHOW_H

#include "cli/output/table.h"
#include "schedule/schedule.h"

#include <stdio.h>

/* Consecutive runs of a list that lie in one space. */
struct bine_segment {
    int space;
    const struct bine_run *run;
    uint32_t nruns;
};

/* The segment that begins at run `at` of a list that ends at `end`; returns where it ends. */
uint32_t bine_segment_at(const struct bine_schedule *s, uint32_t at, uint32_t end,
                         struct bine_segment *segment);
/* The numbers of the blocks or places of a segment, as in 0,3-4,7; returns how many they are. */
int bine_segment_blocks(FILE *to, const struct bine_schedule *s, const struct bine_segment *g);
int bine_segment_places(FILE *to, const struct bine_segment *g);

/* All that a rank does, a line for each operation. */
void bine_show_text(FILE *to, const struct bine_schedule *s);

/* A row for each operation. */
extern const struct bine_column bine_show_columns[];
extern const size_t bine_show_columns_count;
/* 0, or -1 when out of memory. */
int bine_show_rows(struct bine_table *t, const struct bine_schedule *s);

#endif
