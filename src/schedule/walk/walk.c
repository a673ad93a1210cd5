#include "schedule/walk/walk.h"

#include <stdlib.h>

int bine_walk_open(struct bine_walk *w, const struct bine_messages *m) {
    *w = (struct bine_walk){.messages = m};
    w->first = malloc((size_t)m->p * sizeof *w->first);
    for (int r = 0; r < m->p && w->first != NULL; r++) {
        w->first[r] = w->cursors;
        w->cursors += m->schedule[r]->nstrands;
    }
    w->cursor = calloc(w->cursors + 1, sizeof *w->cursor);
    if (w->first == NULL || w->cursor == NULL)
        return -1;
    for (int r = 0; r < m->p; r++)
        for (uint32_t x = 0; x < m->schedule[r]->nstrands; x++)
            w->cursor[w->first[r] + x] = (struct bine_cursor){.rank = r, .strand = x, .time = -1};
    return 0;
}

void bine_walk_close(struct bine_walk *w) {
    free(w->cursor);
    free(w->first);
    *w = (struct bine_walk){0};
}

static const struct bine_step *step_of(const struct bine_walk *w, const struct bine_cursor *c) {
    const struct bine_schedule *s = bine_walk_schedule(w, c);
    const struct bine_strand *strand = &s->strand[c->strand];
    return c->step == strand->nsteps ? NULL : &s->step[strand->steps + c->step];
}

const struct bine_step *bine_walk_enter(const struct bine_walk *w, struct bine_cursor *c) {
    const struct bine_schedule *s = bine_walk_schedule(w, c);
    const struct bine_step *step = step_of(w, c);
    if (step == NULL)
        return NULL;
    c->held = c->strand > 0 && bine_strand_waits(s, c->strand, c->step, c[-1].step);
    if (c->held)
        return NULL;
    c->entered = 1;
    c->time = step->time >= 0 ? step->time : c->time;
    c->pending = 0;
    for (uint32_t k = step->ops; k < step->ops + step->nops; k++)
        c->pending += (uint32_t)bine_kind_is_message(s->op[k].kind);
    return step;
}

struct bine_cursor *bine_walk_leave(const struct bine_walk *w, struct bine_cursor *c) {
    c->step++;
    c->entered = 0;
    if (c->strand + 1 == bine_walk_schedule(w, c)->nstrands || !c[1].held)
        return NULL;
    c[1].held = 0;
    return c + 1;
}

int bine_walk_is_done(const struct bine_walk *w) {
    for (size_t i = 0; i < w->cursors; i++)
        if (step_of(w, &w->cursor[i]) != NULL)
            return 0;
    return 1;
}

/* An execution without a clock. */
struct run {
    const struct bine_walk *w;
    const struct bine_walk_visitor *visitor;
    uint8_t *ends;      /* of each message: the ones that are there */
    uint8_t *published; /* of each publication */
    int rc;
};

/* One end of a message is there: the second one lets it go. */
static void post(struct run *x, uint32_t number, int time) {
    const struct bine_message *g = &x->w->messages->message[number];
    if (++x->ends[number] < BINE_ENDS)
        return;
    x->rc = x->visitor->deliver(x->visitor->self, number, time);
    for (int end = 0; end < BINE_ENDS; end++)
        bine_walk_end(x->w, g, end)->pending--;
}

static void post_step(struct run *x, struct bine_cursor *c, const struct bine_step *step) {
    const struct bine_schedule *s = bine_walk_schedule(x->w, c);
    const uint32_t *mail = x->w->messages->of_op[c->rank];
    for (uint32_t k = step->ops; k < step->ops + step->nops && x->rc == 0; k++)
        if (bine_kind_is_message(s->op[k].kind))
            post(x, mail[k], c->time);
        else if (bine_op_publishes(&s->op[k])) {
            if (x->visitor->publish != NULL)
                x->rc = x->visitor->publish(x->visitor->self, c->rank, k);
            x->published[mail[k]] = 1;
        }
}

/* Whether everything that a step reads has been published. */
static int can_read(const struct run *x, const struct bine_cursor *c,
                    const struct bine_step *step) {
    const struct bine_schedule *s = bine_walk_schedule(x->w, c);
    const uint32_t *mail = x->w->messages->of_op[c->rank];
    for (uint32_t k = step->ops; k < step->ops + step->nops; k++)
        if (bine_op_reads(&s->op[k]) && (mail[k] == BINE_NO_MAIL || !x->published[mail[k]]))
            return 0;
    return 1;
}

static void finish_step(struct run *x, struct bine_cursor *c, const struct bine_step *step) {
    const struct bine_schedule *s = bine_walk_schedule(x->w, c);
    for (int reads = 1; reads >= 0; reads--)
        for (uint32_t k = step->ops; k < step->ops + step->nops && x->rc == 0; k++)
            if (bine_op_reads(&s->op[k]) == reads)
                x->rc = x->visitor->finish(x->visitor->self, c->rank, k, c->time);
    bine_walk_leave(x->w, c);
}

/* Goes on with a strand if it can; 1 if it did. Only local work at the beginning if `first`. */
static int advance(struct run *x, struct bine_cursor *c, int first) {
    const struct bine_step *step = step_of(x->w, c);
    int entered = c->entered;
    if (step == NULL || (first && step->time >= 0))
        return 0;
    if (!entered) {
        if (bine_walk_enter(x->w, c) == NULL)
            return 0;
        post_step(x, c, step);
    }
    if (c->pending > 0 || !can_read(x, c, step))
        return !entered;
    finish_step(x, c, step);
    return 1;
}

int bine_walk_run(const struct bine_walk *w, const struct bine_walk_visitor *visitor) {
    struct run x = {.w = w, .visitor = visitor};
    x.ends = calloc(w->messages->count + 1, 1);
    x.published = calloc(w->messages->publications + 1, 1);
    if (x.ends == NULL || x.published == NULL)
        x.rc = -1;
    for (int first = 1; first >= 0; first--)
        for (int moved = 1; moved && x.rc == 0;) {
            moved = 0;
            for (size_t i = 0; i < w->cursors && x.rc == 0; i++)
                while (x.rc == 0 && advance(&x, &w->cursor[i], first))
                    moved = 1;
        }
    free(x.ends);
    free(x.published);
    return x.rc;
}
