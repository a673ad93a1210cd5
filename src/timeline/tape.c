#include "timeline/tape.h"

#include "schedule/catalogue.h"

#include <string.h>

struct bine_tape bine_tape;

uint32_t bine_tape_room(int ranks) {
    int64_t each = BINE_TAPE_EVENTS_OF_ALL / (ranks > 0 ? ranks : 1);
    if (each < BINE_TAPE_EVENTS_LEAST)
        return BINE_TAPE_EVENTS_LEAST;
    return each < BINE_TAPE_EVENTS ? (uint32_t)each : BINE_TAPE_EVENTS;
}

size_t bine_tape_bytes(int ranks) {
    return sizeof(struct bine_tape_part) + bine_tape_room(ranks) * sizeof(struct bine_tape_event);
}

void bine_tape_begin(struct bine_tape *t, struct bine_tape_part *part, int ranks, int steps) {
    struct bine_part_head *h = &part->head;
    *t = (struct bine_tape){.part = part, .steps = steps};
    part->room = bine_tape_room(ranks);
    h->version = BINE_TAPE_VERSION;
    h->bytes = (uint32_t)bine_tape_bytes(ranks);
    h->words = bine_part_words();
    h->clock[0] = h->clock[1] = bine_alignment_unknown();
    h->begin = h->last = bine_ticks_now();
    h->end = h->begin.ticks;
    memcpy(h->magic, BINE_TAPE_MAGIC, sizeof h->magic);
}

void bine_tape_add(struct bine_tape *t, const void *execution, const struct bine_tape_event *e) {
    if (t->running != execution || t->part == NULL)
        return;
    struct bine_tape_event *last = t->used > t->part->events ? &t->part->event[t->used - 1] : NULL;
    if (e->kind == BINE_TAPE_WAIT && last != NULL && last->kind == BINE_TAPE_WAIT) {
        last->end = e->end;
    } else if (t->used == t->part->room) {
        t->cut = 1;
    } else {
        t->part->event[t->used++] = *e;
    }
}

void bine_tape_keep(struct bine_tape *t, const struct bine_tape_call *c) {
    struct bine_tape_part *p = t->part;
    t->running = NULL;
    if (p->calls == BINE_TAPE_CALLS || p->events == p->room) {
        p->lost++;
        return;
    }
    p->head.last = bine_ticks_now(); /* of a program that is killed, they tell how long a tick is */
    struct bine_tape_call *to = &p->call[p->calls];
    *to = *c;
    to->first = p->events;
    to->events = t->used - p->events;
    to->cut = t->cut != 0;
    p->events = t->used;
    p->calls++;
}

/* --- As it was found */

static int is_time(const struct bine_part_head *h, uint64_t begin, uint64_t end) {
    return begin >= h->begin.ticks && end >= begin && end - h->begin.ticks < UINT64_C(1) << 57;
}

static int is_sound_call(const struct bine_tape_part *p, const struct bine_tape_call *c) {
    int known = c->algorithm >= BINE_PART_BY_SEVERAL || c->algorithm < bine_catalogue_size;
    return is_time(&p->head, c->begin, c->end) && known && c->ranks > 0 && c->rank >= 0 &&
           c->rank < c->ranks && c->root >= BINE_ROOT_NONE && c->root < c->ranks &&
           c->collective < BINE_COLLECTIVES && c->form < BINE_FORMS && c->layout < BINE_LAYOUTS &&
           c->bytes >= -1 && c->first <= p->events && c->events <= p->events - c->first;
}

static int is_sound_event(const struct bine_tape_part *p, const struct bine_tape_event *e) {
    return is_time(&p->head, e->begin, e->end) && e->kind < BINE_TAPE_KINDS && e->bytes >= 0 &&
           e->peer >= BINE_TAPE_NO_PEER;
}

const char *bine_tape_check(struct bine_part *part, size_t bytes) {
    struct bine_tape_part *p = (void *)part;
    if (bytes < sizeof *p)
        return "cut off";
    const char *why = bine_part_check_head(&p->head, BINE_TAPE_MAGIC, BINE_TAPE_VERSION, bytes);
    if (why != NULL)
        return why;
    if (bytes < bine_tape_bytes(p->head.ranks) || p->room != bine_tape_room(p->head.ranks))
        return "cut off";
    if (p->calls > BINE_TAPE_CALLS || p->events > p->room)
        return "more in it than fits";
    for (uint32_t i = 0; i < p->calls; i++)
        if (!is_sound_call(p, &p->call[i]))
            return "a call that is none";
    for (uint32_t i = 0; i < p->events; i++)
        if (!is_sound_event(p, &p->event[i]))
            return "an event that is none";
    return NULL;
}
