#include "choose/choose.h"

#include "schedule/build.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* The built-in rules: the first row whose conditions hold. Small vectors want few steps, large ones
 * little volume; an operator that does not commute needs an algorithm that keeps the order of
 * ranks. */
struct rule {
    enum bine_collective collective;
    int64_t below; /* bytes; 0: any number */
    int ordered;   /* the operator does not commute */
    const char *algorithm;
    const char *reason;
};

static const struct rule rules[] = {
    {BINE_BCAST, 16384, 0, "bine-small", "below 16 KiB"},
    {BINE_BCAST, 0, 0, "bine-large", "16 KiB and more"},
    {BINE_REDUCE, 0, 1, "bine-ordered", "the operator does not commute"},
    {BINE_REDUCE, 16384, 0, "bine-small", "below 16 KiB"},
    {BINE_REDUCE, 0, 0, "bine-large", "16 KiB and more"},
    {BINE_ALLREDUCE, 0, 1, "recursive-doubling", "the operator does not commute"},
    {BINE_ALLREDUCE, 4096, 0, "bine-small", "below 4 KiB"},
    {BINE_ALLREDUCE, 0, 0, "bine-large", "4 KiB and more"},
    {BINE_GATHER, 0, 0, "bine-near", "any size"},
    {BINE_SCATTER, 0, 0, "bine-far", "any size"},
    {BINE_ALLGATHER, 0, 0, "bine-far", "any size"},
    {BINE_ALLTOALL, 8192, 0, "bine-far", "below 8 KiB"},
    {BINE_ALLTOALL, 0, 0, "linear", "8 KiB and more"},
    {BINE_REDUCE_SCATTER, 0, 1, "linear", "the operator does not commute"},
    {BINE_REDUCE_SCATTER, 0, 0, "bine-near", "any size"},
};

/* Bytes of a block from which on one transfer for each run of blocks costs less than to copy them
 * together. */
#define BIG_BLOCK 8192

/* The layout taken when none is asked for: the algorithm's first, unless it copies blocks that are
 * big enough to travel alone. (In compositions of two phases that undo each other, permute copies
 * nothing.) */
static enum bine_layout layout_for(const struct bine_algorithm *a, const struct bine_question *q) {
    enum bine_layout l = bine_algorithm_layout(a, q->p);
    int alone = a->composition == BINE_MAKE_ALLGATHER || a->composition == BINE_MAKE_REDUCE_SCATTER;
    int copies = l == BINE_PACK || (l == BINE_PERMUTE && alone);
    if (copies && q->bytes / q->p >= BIG_BLOCK && bine_algorithm_has_layout(a, BINE_BLOCKS, q->p))
        return BINE_BLOCKS;
    return l;
}

#define RULES (sizeof rules / sizeof *rules)

/* The algorithm that a rule names, looked up once: this is in the way of every small call. Threads
 * that look at the same time find the same. */
static const struct bine_algorithm *algorithm_of(const struct rule *r) {
    static const struct bine_algorithm *_Atomic found[RULES];
    const struct bine_algorithm *_Atomic *slot = &found[r - rules];
    const struct bine_algorithm *a = atomic_load_explicit(slot, memory_order_relaxed);
    if (a == NULL) {
        a = bine_algorithm_find(r->collective, r->algorithm);
        atomic_store_explicit(slot, a, memory_order_relaxed);
    }
    return a;
}

static const struct rule *find_rule(const struct bine_question *q) {
    for (size_t i = 0; i < RULES; i++) {
        const struct rule *r = &rules[i];
        if (r->collective == q->collective && (r->below == 0 || q->bytes < r->below) &&
            (!r->ordered || !q->commutative))
            return r;
    }
    return NULL;
}

static int refuse(char *why, size_t size, const struct bine_algorithm *a, const char *reason) {
    snprintf(why, size, "%s %s %s", bine_collective_name(a->collective), a->name, reason);
    return -1;
}

int bine_choose(const struct bine_question *q, const struct bine_forced *forced,
                struct bine_choice *choice, char *why, size_t size) {
    choice->algorithm = NULL;
    if (forced->algorithm == -2 || forced->layout == -2) {
        snprintf(why, size, "%s: the environment asks for something unknown",
                 bine_collective_name(q->collective));
        return -1;
    }
    if (forced->algorithm >= 0) {
        choice->algorithm = &bine_catalogue[forced->algorithm];
        choice->reason = "forced";
    } else {
        const struct rule *r = find_rule(q);
        choice->algorithm = algorithm_of(r);
        choice->reason = r->reason;
    }
    const struct bine_algorithm *a = choice->algorithm;
    choice->segments = bine_segments_for(a, q->p, q->bytes);
    if (!bine_algorithm_serves(a, q->p))
        return refuse(why, size, a, "does not take this number of ranks");
    if (a->commutative && !q->commutative)
        return refuse(why, size, a, "needs a commutative operator");
    if (forced->layout < 0 ||
        (forced->algorithm < 0 &&
         !bine_algorithm_has_layout(a, (enum bine_layout)forced->layout, q->p)))
        choice->layout = layout_for(a, q);
    else if (bine_algorithm_has_layout(a, (enum bine_layout)forced->layout, q->p))
        choice->layout = (enum bine_layout)forced->layout;
    else
        return refuse(why, size, a, "has no such layout for this number of ranks");
    return 0;
}
