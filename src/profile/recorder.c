#include "profile/recorder.h"

#include <string.h>

/* Rows for calls as they are; then some for classes joined, and for kinds joined. */
enum { ROWS_WHOLE = BINE_PART_ROWS - 24, ROWS_CLASSES = BINE_PART_ROWS - 12 };

void bine_recorder_begin(struct bine_recorder *r, struct bine_part *part, int sites) {
    struct bine_part_head *h = &part->head;
    *r = (struct bine_recorder){.part = part, .shift = BINE_FIRST_SHIFT};
    h->version = BINE_PART_VERSION;
    h->bytes = (uint32_t)bine_part_bytes(sites);
    h->words = bine_part_words();
    h->clock[0] = h->clock[1] = bine_alignment_unknown();
    h->shift = r->shift;
    h->begin = h->last = bine_ticks_now();
    h->end = r->begin = h->begin.ticks;
    memcpy(h->magic, BINE_PART_MAGIC, sizeof h->magic);
}

static struct bine_part_row *add_row(struct bine_recorder *r, uint64_t key, int root) {
    struct bine_part *p = r->part;
    unsigned at = bine_hash_number(key) >> 24;
    while (r->place[at] != 0)
        at = (at + 1) % BINE_ROW_PLACES;
    struct bine_part_row *row = &p->row[p->head.rows];
    *row = (struct bine_part_row){.key = key, .root = root};
    r->place[at] = (uint8_t)++p->head.rows;
    return row;
}

/* The row for a kind that is joined: it may be there already. */
static struct bine_part_row *joined(struct bine_recorder *r, const struct bine_call_kind *k,
                                    int root, unsigned most) {
    uint64_t key = bine_call_kind_pack(k);
    struct bine_part_row *row = bine_recorder_row(r, key);
    if (row == NULL && r->part->head.rows < most)
        row = add_row(r, key, root);
    return row;
}

struct bine_part_row *bine_recorder_add(struct bine_recorder *r, uint64_t key, int root) {
    struct bine_call_kind k = bine_call_kind_of(key);
    struct bine_part_row *row;
    if (r->part->head.rows < ROWS_WHOLE)
        return add_row(r, key, root);
    k.class = BINE_CLASS_NONE;
    k.site = 0;
    if ((row = joined(r, &k, root, ROWS_CLASSES)) != NULL)
        return row;
    k.datatype = BINE_DATATYPE_SEVERAL;
    if (k.algorithm != BINE_PART_BY_MPI)
        k.algorithm = BINE_PART_BY_SEVERAL;
    k.layout = 0;
    return joined(r, &k, root, BINE_PART_ROWS);
}

void bine_recorder_lose(struct bine_recorder *r, const struct bine_recorded_call *c) {
    struct bine_part_head *h = &r->part->head;
    uint64_t took = c->end > c->begin ? c->end - c->begin : 0;
    h->lost++;
    h->lost_ticks += took;
    h->calls++;
    h->ticks += took;
    h->end = c->end;
}

/* --- Samples */

static unsigned row_of(const struct bine_part_sample *s) {
    return (unsigned)(s->at_row & 0xff);
}

/* Of the row that has most samples, every other one goes. */
static void thin_out(struct bine_part *p) {
    unsigned has[BINE_PART_ROWS] = {0}, most = 0, kept = 0;
    for (unsigned i = 0; i < p->head.samples; i++)
        has[row_of(&p->sample[i])]++;
    for (unsigned i = 1; i < BINE_PART_ROWS; i++)
        most = has[i] > has[most] ? i : most;
    p->row[most].thin = p->row[most].thin << 1 | 1;
    for (unsigned i = 0; i < p->head.samples; i++)
        if (row_of(&p->sample[i]) != most || bine_is_sampled(p->row[most].thin, p->sample[i].call))
            p->sample[kept++] = p->sample[i];
    p->head.samples = kept;
}

/* With it both clocks are read: of a program that is killed, they tell how long a tick is. */
void bine_recorder_sample(struct bine_recorder *r, struct bine_part_row *row,
                          const struct bine_recorded_call *c) {
    struct bine_part *p = r->part;
    uint32_t call = (uint32_t)row->calls;
    while (p->head.samples >= BINE_PART_SAMPLES)
        thin_out(p);
    if (!bine_is_sampled(row->thin, call))
        return;
    p->head.last = bine_ticks_now();
    p->sample[p->head.samples] = (struct bine_part_sample){
        (c->begin - r->begin) << 8 | (uint64_t)(row - p->row), call, (float)(c->end - c->begin)};
    p->head.samples++;
}

/* --- Steps */

static void double_steps(struct bine_recorder *r) {
    struct bine_part_step *s = r->part->step;
    for (int i = 0; i < BINE_PART_STEPS / 2; i++)
        s[i] = (struct bine_part_step){s[2 * i].calls + s[2 * i + 1].calls,
                                       s[2 * i].ticks + s[2 * i + 1].ticks,
                                       s[2 * i].bytes + s[2 * i + 1].bytes};
    memset(s + BINE_PART_STEPS / 2, 0, BINE_PART_STEPS / 2 * sizeof *s);
    r->part->head.shift = ++r->shift;
}

/* A call that lasts through several steps, or goes beyond the last: its bytes are the last one's.
 */
void bine_recorder_spread(struct bine_recorder *r, const struct bine_recorded_call *c) {
    struct bine_part_step *s = r->part->step;
    uint64_t begin = c->begin - r->begin, end = c->end - r->begin;
    if (c->begin < r->begin || c->end < c->begin)
        return;
    while (end >> r->shift >= BINE_PART_STEPS)
        double_steps(r);
    uint64_t last = end >> r->shift;
    for (uint64_t i = begin >> r->shift; i <= last; i++) {
        uint64_t from = i << r->shift, to = (i + 1) << r->shift;
        s[i].ticks += (end < to ? end : to) - (begin > from ? begin : from);
    }
    s[last].calls++;
    s[last].bytes += c->bytes;
    r->part->head.last = bine_ticks_now();
}

/* --- Communicators and sites */

unsigned bine_recorder_comm(struct bine_recorder *r, const struct bine_part_comm *c) {
    struct bine_part *p = r->part;
    unsigned n = p->head.comms, i = 0, last = BINE_PART_COMMS - 1;
    while (i < n && i < last && p->comm[i].key != c->key)
        i++;
    if (i < n && i < last) {
        p->comm[i].made++;
        return i;
    }
    if (i == last) {
        struct bine_part_comm *all = &p->comm[last];
        int ranks = all->ranks > c->ranks ? all->ranks : c->ranks;
        *all = (struct bine_part_comm){BINE_HASH, ranks, -1, all->made + 1, BINE_PART_SEVERAL};
        p->head.comms = BINE_PART_COMMS;
        return last;
    }
    p->comm[i] = *c;
    p->comm[i].made = 1;
    p->head.comms = i + 1;
    return i;
}

unsigned bine_recorder_site(struct bine_recorder *r, const char *text) {
    struct bine_part_head *h = &r->part->head;
    struct bine_part_sites *s = (void *)(r->part + 1);
    if (h->bytes < bine_part_bytes(1))
        return 0;
    for (unsigned i = 0; i < h->sites; i++)
        if (strncmp(s->text[i], text, BINE_PART_SITE_TEXT - 1) == 0)
            return i + 1;
    if (h->sites == BINE_PART_SITES)
        return 0;
    strncpy(s->text[h->sites], text, BINE_PART_SITE_TEXT - 1);
    return ++h->sites;
}
