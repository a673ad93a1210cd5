/* The part of a script that is about boards. */
#ifndef BINE_TOOLS_SIMULATE_SCRIPT_BOARDS_H
#define BINE_TOOLS_SIMULATE_SCRIPT_BOARDS_H

#include "simulate/script.h"

struct bine_messages;
struct bine_op;

/* Numbers the publications of all ranks, and makes room. 0, or -1 when out of memory. */
int bine_script_boards_make(struct bine_script *x, const struct bine_messages *m);
/* What an operation does on boards, at the end of the list. */
void bine_script_board_add(struct bine_script *x, const struct bine_op *op, int rank,
                           uint32_t strand, int32_t time, int64_t bytes);
void bine_script_boards_free(struct bine_script *x);

#endif
