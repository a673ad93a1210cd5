/* Recording calls in the part of this rank. One thread at a time. */
#ifndef BINE_PROFILE_RECORDER_H
#define BINE_PROFILE_RECORDER_H

#include "base/hash.h"
#include "profile/part.h"

enum { BINE_ROW_PLACES = 256, BINE_FIRST_SHIFT = 21 /* some milliseconds a step */ };

struct bine_recorder {
    struct bine_part *part; /* NULL: nothing is recorded */
    uint64_t begin;         /* as in the part */
    unsigned shift;
    uint8_t place[BINE_ROW_PLACES]; /* of rows by their keys; 0: free; otherwise the row + 1 */
};

/* A call: its kind and root, its bytes, and when it began and returned. */
struct bine_recorded_call {
    uint64_t key;
    int root;
    double bytes;
    uint64_t begin, end;
};

/* Begin with a part that is all zeros. */
void bine_recorder_begin(struct bine_recorder *r, struct bine_part *part, int sites);
/* The slow ways of bine_record. */
struct bine_part_row *bine_recorder_add(struct bine_recorder *r, uint64_t key, int root);
void bine_recorder_sample(struct bine_recorder *r, struct bine_part_row *row,
                          const struct bine_recorded_call *c);
void bine_recorder_spread(struct bine_recorder *r, const struct bine_recorded_call *c);
void bine_recorder_lose(struct bine_recorder *r, const struct bine_recorded_call *c);

/* The place of a communicator in the part: one with this key, a new one, or the last, which is for
 * all others. Counts it as one more of its kind. */
unsigned bine_recorder_comm(struct bine_recorder *r, const struct bine_part_comm *c);
/* The number of a site by its text; 0 where there is no room left. */
unsigned bine_recorder_site(struct bine_recorder *r, const char *text);

/* The class of a size. */
static inline unsigned bine_recorded_class(int64_t bytes) {
    return bytes <= 0 ? BINE_CLASS_EMPTY : 63 - (unsigned)__builtin_clzll((uint64_t)bytes);
}

/* The row of a key, or NULL. */
static inline struct bine_part_row *bine_recorder_row(struct bine_recorder *r, uint64_t key) {
    unsigned at = bine_hash_number(key) >> 24;
    for (; r->place[at] != 0; at = (at + 1) % BINE_ROW_PLACES)
        if (r->part->row[r->place[at] - 1].key == key)
            return &r->part->row[r->place[at] - 1];
    return NULL;
}

/* Which calls of a row are sampled is alike on all ranks, since it depends on their number alone.
 */
static inline int bine_is_sampled(uint32_t thin, uint32_t call) {
    return (bine_hash_number((uint64_t)call + 1) & thin) == 0;
}

static inline void bine_record(struct bine_recorder *r, const struct bine_recorded_call *c) {
    struct bine_part *p = r->part;
    struct bine_part_row *row = bine_recorder_row(r, c->key);
    uint64_t took = c->end > c->begin ? c->end - c->begin : 0;
    if (row == NULL && (row = bine_recorder_add(r, c->key, c->root)) == NULL) {
        bine_recorder_lose(r, c);
        return;
    }
    if (row->root != c->root)
        row->root = BINE_ROOT_VARIES;
    if (bine_is_sampled(row->thin, (uint32_t)row->calls))
        bine_recorder_sample(r, row, c);
    row->calls++;
    row->bytes += c->bytes;
    row->ticks += took;
    row->longest = took > row->longest ? took : row->longest;
    p->head.calls++;
    p->head.ticks += took;
    p->head.end = c->end;
    uint64_t first = (c->begin - r->begin) >> r->shift, last = (c->end - r->begin) >> r->shift;
    if (first != last || last >= BINE_PART_STEPS) {
        bine_recorder_spread(r, c);
        return;
    }
    p->step[last].calls++;
    p->step[last].bytes += c->bytes;
    p->step[last].ticks += took;
}

#endif
