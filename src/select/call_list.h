/* Calls that a setting names: words with commas between them, each
 * COLLECTIVE[:BYTES[-BYTES]][@N[-M]], as in "allreduce:64K-1M,bcast@100-109"; `all` is every
 * collective. Numbers count calls from 1. Without them it is the first, second, fourth, eighth and
 * so on: few calls of a long run, the first ones and late ones alike. Equal on all ranks wherever
 * bytes and numbers are. */
#ifndef BINE_SELECT_CALL_LIST_H
#define BINE_SELECT_CALL_LIST_H

#include "base/reason.h"
#include "schedule/schedule.h"

#include <stdint.h>

enum { BINE_CALL_LIST_WORDS = 32 };

struct bine_call_list {
    int count; /* 0: all collectives, as if it were "all" */
    struct bine_call_list_word {
        int collective;       /* -1: every one */
        int64_t from, to;     /* bytes, both included; from -1: any, and calls without such */
        uint64_t first, last; /* numbers, both included; 0: the powers of two */
    } word[BINE_CALL_LIST_WORDS];
};

/* 0, or -1 with the reason; the list is then that of all. */
int bine_call_list_parse(const char *text, struct bine_call_list *l, struct bine_reason *why);
/* `bytes`: -1 where they differ from rank to rank. */
int bine_call_list_has(const struct bine_call_list *l, enum bine_collective c, int64_t bytes,
                       uint64_t number);

#endif
