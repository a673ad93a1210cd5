/* One algorithm as the page shows it: its schedules, messages, times and holdings. */
#ifndef BINE_TOOLS_EXPLORER_PANE_H
#define BINE_TOOLS_EXPLORER_PANE_H

#include "explore/explore_options.h"
#include "explorer/hold.h"
#include "model/time.h"
#include "traffic/traffic.h"

#include <stdio.h>

/* What an operation does, whatever its kind. Receives stand in the rows of their sends. */
enum bine_role { BINE_ROLE_SENDS, BINE_ROLE_READS, BINE_ROLE_PUBLISHES, BINE_ROLE_LOCAL };

/* A row that the page reads: ten numbers of 32 bits, and three of 64. */
struct bine_row {
    int32_t rank, strand, time, kind, role, peer, op;
    int32_t other_op, other_kind; /* at the peer of a message; else -1 */
    int32_t crosses;              /* whether the peer is in another group */
};
struct bine_row_size {
    double bytes;
    double left, arrived; /* by the model, in seconds; -1: it does not say */
};

struct bine_pane {
    struct bine_explore_spec asked;
    struct bine_allocation allocation;
    struct bine_messages messages;
    struct bine_time time;
    struct bine_hold hold;
    int holds; /* whether there is one */
    char bottleneck[BINE_LINK_TEXT];
    struct bine_row *row;
    struct bine_row_size *size;
    size_t rows;
};

/* 0, or BINE_EXIT_USAGE after complaining. To be closed in either case. */
int bine_pane_open(struct bine_pane *x, const struct bine_explore_options *o);
void bine_pane_close(struct bine_pane *x);

/* Everything about it that is not in rows, as JSON. */
void bine_pane_describe(const struct bine_pane *x, FILE *to);
/* The line of the schedule of one operation, as `bine show` prints it. */
void bine_pane_line(const struct bine_pane *x, int rank, uint32_t op, FILE *to);
/* What a rank holds after a time, as JSON: [cell, ranks] for each cell that has something. */
void bine_pane_holds(struct bine_pane *x, int rank, int time, FILE *to);

/* The names of the kinds of operations, as JSON. */
void bine_kinds_describe(FILE *to);

/* A string of JSON. */
void bine_json_text(FILE *to, const char *text);

#endif
