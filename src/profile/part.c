#include "profile/part.h"

#include "base/hash.h"
#include "schedule/catalogue.h"

#include <string.h>

uint64_t bine_part_words(void) {
    uint64_t h = BINE_HASH;
    for (size_t i = 0; i < bine_catalogue_size; i++)
        h = bine_hash(h, bine_catalogue[i].name, strlen(bine_catalogue[i].name) + 1);
    for (int c = 0; c < BINE_COLLECTIVES; c++)
        h = bine_hash(h, bine_collective_name((enum bine_collective)c), 4);
    return h;
}

const char *bine_part_site(const struct bine_part *p, unsigned site) {
    const struct bine_part_sites *s = (const void *)(p + 1);
    return site == 0 || site > p->head.sites ? "" : s->text[site - 1];
}

static int is_algorithm(unsigned n) {
    return n >= BINE_PART_BY_SEVERAL || n < bine_catalogue_size;
}

enum { RANKS_MOST = 1 << 22 };

/* Times are of this century, and so far apart that sums of them are numbers. */
enum { TIME_BITS = 58 };

static int is_time(int64_t ns) {
    return ns >= 0 && ns < INT64_C(1) << TIME_BITS;
}

static int is_alignment(const struct bine_alignment *a) {
    return a->error_ns < 0 ? a->error_ns == -1
                           : is_time(a->error_ns) && is_time(a->at_ns) &&
                                 is_time(a->ahead_ns < 0 ? -(a->ahead_ns + 1) : a->ahead_ns);
}

static int are_clocks(const struct bine_part_head *h) {
    if (!is_time(h->begin.ns) || !is_time(h->last.ns) || h->last.ns < h->begin.ns)
        return 0;
    double tick = bine_ticks_length(&h->begin, &h->last);
    return tick > 1e-6 && tick < 1e6 && is_alignment(&h->clock[0]) && is_alignment(&h->clock[1]);
}

static int is_sample(const struct bine_part *p, const struct bine_part_sample *s) {
    double tick = bine_ticks_length(&p->head.begin, &p->head.last);
    return (s->at_row & 0xff) < p->head.rows && s->took >= 0 && s->took < 1e18f &&
           tick * (double)(s->at_row >> 8) < 1e17;
}

static int is_class(unsigned class) {
    return class < 62 || class == BINE_CLASS_EMPTY || class == BINE_CLASS_NONE;
}

static int is_sound_row(const struct bine_part *p, const struct bine_part_row *r) {
    struct bine_call_kind k = bine_call_kind_of(r->key);
    return k.comm < p->head.comms && k.collective < BINE_COLLECTIVES && k.form < BINE_FORMS &&
           is_class(k.class) && k.datatype < BINE_DATATYPES && is_algorithm(k.algorithm) &&
           k.layout < BINE_LAYOUTS && k.site <= p->head.sites && r->root >= BINE_ROOT_VARIES &&
           r->bytes >= 0 && r->bytes < 1e300 && r->calls > 0 && r->longest <= r->ticks;
}

static int is_sound_comm(const struct bine_part_comm *c) {
    return c->ranks > 0 && c->rank >= -1 && c->rank < c->ranks && c->kind < BINE_PART_KINDS;
}

const char *bine_part_check_head(const struct bine_part_head *h, const char *magic,
                                 uint32_t version, size_t bytes) {
    if (memcmp(h->magic, magic, sizeof h->magic) != 0)
        return "not a part of such a file";
    if (h->version != version || h->words != bine_part_words())
        return "written by another version of Bine";
    if (h->bytes != bytes)
        return "cut off";
    if (h->ranks < 1 || h->ranks > RANKS_MOST || h->rank < 0 || h->rank >= h->ranks)
        return "its rank is none";
    if (!are_clocks(h))
        return "its clocks are none";
    return NULL;
}

static const char *check_counts(const struct bine_part *p) {
    const struct bine_part_head *h = &p->head;
    if (h->comms > BINE_PART_COMMS || h->rows > BINE_PART_ROWS || h->samples > BINE_PART_SAMPLES ||
        h->sites > BINE_PART_SITES || h->shift > 56)
        return "more in it than fits";
    for (unsigned i = 0; i < h->comms; i++)
        if (!is_sound_comm(&p->comm[i]))
            return "a communicator that is none";
    for (unsigned i = 0; i < h->rows; i++)
        if (!is_sound_row(p, &p->row[i]))
            return "a row that is none";
    for (int i = 0; i < BINE_PART_STEPS; i++)
        if (!(p->step[i].bytes >= 0 && p->step[i].bytes < 1e300))
            return "a step that is none";
    for (unsigned i = 0; i < h->samples; i++)
        if (!is_sample(p, &p->sample[i]))
            return "a sample that is none";
    return NULL;
}

static void end_texts(struct bine_part *p) {
    struct bine_part_head *h = &p->head;
    struct bine_part_sites *s = (void *)(p + 1);
    h->bine[sizeof h->bine - 1] = h->mpi[sizeof h->mpi - 1] = h->host[sizeof h->host - 1] = '\0';
    for (unsigned i = 0; i < h->sites; i++)
        s->text[i][BINE_PART_SITE_TEXT - 1] = '\0';
}

const char *bine_part_check(struct bine_part *p, size_t bytes) {
    if (bytes < sizeof *p)
        return "cut off";
    const char *why = bine_part_check_head(&p->head, BINE_PART_MAGIC, BINE_PART_VERSION, bytes);
    if (why == NULL && bytes < bine_part_bytes(p->head.sites > 0))
        why = "cut off";
    if (why == NULL)
        why = check_counts(p);
    if (why == NULL)
        end_texts(p);
    return why;
}
