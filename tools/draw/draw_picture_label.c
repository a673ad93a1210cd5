/* Labels of pictures.
 *
 * Butterflies and schedules are dense: a label stands as a tag at the end of its arrow that no
 * other arrow of the step shares, below the sender's box or above the receiver's. Where there is no
 * such end, and in trees, it stands on its arrow, where it is clear of other arrows and labels;
 * shortened or left out where there is no such place. */
#include "draw/draw_picture.h"

#include <math.h>
#include <stdlib.h>

struct rectangle {
    double l, t, r, b;
};

static int overlap(const struct rectangle *a, const struct rectangle *b) {
    return a->l < b->r && b->l < a->r && a->t < b->b && b->t < a->b;
}

/* Whether a segment passes through a rectangle: clip it by the four sides. */
static int passes(const struct bine_picture_line *s, const struct rectangle *q) {
    double dx = s->x2 - s->x1, dy = s->y2 - s->y1, from = 0, to = 1;
    const double p[4] = {-dx, dx, -dy, dy};
    const double room[4] = {s->x1 - q->l, q->r - s->x1, s->y1 - q->t, q->b - s->y1};
    for (int i = 0; i < 4; i++) {
        if (fabs(p[i]) < 1e-9) {
            if (room[i] < 0)
                return 0;
        } else if (p[i] < 0) {
            from = fmax(from, room[i] / p[i]);
        } else {
            to = fmin(to, room[i] / p[i]);
        }
    }
    return from <= to;
}

/* The labels of one step, while they are placed. */
struct crowd {
    const struct bine_picture *g;
    cairo_t *cr;
    uint32_t begin, end; /* its arrows */
    struct label {
        double x, y;
        struct rectangle area;
        char text[BINE_DRAW_LABEL]; /* empty: none */
    } * label;                      /* of each arrow of the drawing */
};

static void put(struct crowd *c, uint32_t i, double x, double y, const char *text) {
    double w = bine_pen_text_width(c->cr, text, c->g->label, 0) / 2 + 2, h = c->g->label / 2 + 1;
    struct label *l = &c->label[i];
    *l = (struct label){.x = x, .y = y, .area = {x - w, y - h, x + w, y + h}};
    snprintf(l->text, sizeof l->text, "%s", text);
}

/* Whether a label of arrow i is clear of the page's edges, the boxes, the other labels and the
 * other arrows; and of lifetimes, if asked. */
static int is_clear(const struct crowd *c, uint32_t i, int lives) {
    const struct bine_picture *g = c->g;
    const struct rectangle *q = &c->label[i].area;
    const struct rectangle wide = {q->l - 2, q->t - 2, q->r + 2, q->b + 2};
    struct bine_picture_line s = bine_picture_line_of(g, &g->d->arrow[i]);
    int step = g->d->arrow[i].step;
    if (q->l < 4 || q->r > g->width - 4 || q->t < s.y1 + 3 || q->b > s.y2 - 10)
        return 0;
    for (uint32_t k = c->begin; k < c->end; k++) {
        s = bine_picture_line_of(g, &g->d->arrow[k]);
        if (k != i && ((c->label[k].text[0] != '\0' && overlap(&wide, &c->label[k].area)) ||
                       passes(&s, &wide)))
            return 0;
    }
    for (int r = 0; r < g->d->p && lives; r++) {
        struct bine_picture_line life = {bine_picture_x(g, r), bine_picture_y(g, step),
                                         bine_picture_x(g, r), bine_picture_y(g, step + 1)};
        if (bine_draw_alive(g->d, step, r) && bine_draw_alive(g->d, step + 1, r) &&
            passes(&life, q))
            return 0;
    }
    return 1;
}

/* At the clear place nearest to the middle of the arrow; returns 0 if there is none. */
static int put_on_line(struct crowd *c, uint32_t i, const char *text, int lives) {
    enum { PLACES = 41 };
    struct bine_picture_line s = bine_picture_line_of(c->g, &c->g->d->arrow[i]);
    for (int k = 0; k < PLACES && text[0] != '\0'; k++) {
        double at = 0.5 + (k % 2 == 0 ? -0.01 : 0.01) * (k + 1.0 - k % 2);
        put(c, i, s.x1 + at * (s.x2 - s.x1), s.y1 + at * (s.y2 - s.y1), text);
        if (is_clear(c, i, lives))
            return 1;
    }
    c->label[i].text[0] = '\0';
    return 0;
}

static void put_tag(struct crowd *c, uint32_t i, int end) {
    const struct bine_picture *g = c->g;
    const struct bine_arrow *a = &g->d->arrow[i];
    double off = g->box_h / 2 + g->tag / 2;
    if (end < 0)
        put(c, i, bine_picture_x(g, a->from), bine_picture_y(g, a->step) + off, a->label);
    else if (end > 0)
        put(c, i, bine_picture_x(g, a->to), bine_picture_y(g, a->step + 1) - off, a->label);
}

/* Among so many arrows of a step there is no clear place, and looking for one takes long. */
enum { CROWD = 1024 };

/* Tags have their places; the others take what is left, and are left out where nothing is. */
static int put_step(struct crowd *c) {
    const struct bine_drawing *d = c->g->d;
    int left_out = 0;
    for (uint32_t i = c->begin; i < c->end; i++)
        put_tag(c, i, bine_picture_tag_end(c->g, &d->arrow[i]));
    for (uint32_t i = c->begin; i < c->end; i++) {
        const struct bine_arrow *a = &d->arrow[i];
        char shorter[BINE_DRAW_LABEL];
        if (a->label[0] == '\0' || bine_picture_tag_end(c->g, a) != 0)
            continue;
        bine_draw_label_shorten(d, a, shorter);
        left_out += c->end - c->begin > CROWD ||
                    !(put_on_line(c, i, a->label, 1) || put_on_line(c, i, a->label, 0) ||
                      put_on_line(c, i, shorter, 1) || put_on_line(c, i, shorter, 0));
    }
    return left_out;
}

int bine_picture_labels(const struct bine_picture *g, cairo_t *cr, int paint) {
    const struct bine_drawing *d = g->d;
    struct crowd c = {.g = g, .cr = cr, .label = calloc(d->narrows + 1, sizeof *c.label)};
    int left_out = 0;
    for (; c.begin < d->narrows && c.label != NULL; c.begin = c.end) {
        for (c.end = c.begin; c.end < d->narrows && d->arrow[c.end].step == d->arrow[c.begin].step;)
            c.end++;
        left_out += put_step(&c);
    }
    for (uint32_t i = 0; i < d->narrows && c.label != NULL && paint; i++)
        if (c.label[i].text[0] != '\0')
            bine_pen_patch(cr, c.label[i].x, c.label[i].y, c.label[i].text, g->label);
    free(c.label);
    return left_out;
}
