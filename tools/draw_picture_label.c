/* Labels of pictures.
 *
 * Butterflies and schedules are dense: a label stands as a tag at the end of its arrow that no
 * other arrow of the step shares, below the sender's box or above the receiver's. Trees are sparse:
 * a label stands on its arrow, where it is clear of other arrows and labels. */
#include "draw_picture.h"

#include "draw_pen.h"

#include <math.h>
#include <stdlib.h>

struct rectangle {
    double l, t, r, b;
};

static int overlap(const struct rectangle *a, const struct rectangle *b) {
    return a->l < b->r && b->l < a->r && a->t < b->b && b->t < a->b;
}

/* Whether a segment passes through a rectangle: clip it by the four sides. */
static int passes(const struct bine_segment *s, const struct rectangle *q) {
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

/* How many arrows, lifetimes and labels a rectangle is in the way of. */
static int conflicts(const struct bine_picture *g, const struct bine_arrow *a,
                     const struct rectangle *q, const struct rectangle *placed) {
    const struct bine_drawing *d = g->d;
    int n = 0;
    for (uint32_t i = 0; i < d->narrows; i++) {
        struct bine_segment s = bine_picture_segment(g, &d->arrow[i]);
        if (d->arrow[i].step != a->step || &d->arrow[i] == a)
            continue;
        n += passes(&s, q) + (&d->arrow[i] < a && overlap(&placed[i], q));
    }
    for (int r = 0; r < d->p; r++) {
        struct bine_segment s = {bine_picture_x(g, r), bine_picture_y(g, a->step),
                                 bine_picture_x(g, r), bine_picture_y(g, a->step + 1)};
        n += bine_draw_alive(d, a->step, r) && bine_draw_alive(d, a->step + 1, r) && passes(&s, q);
    }
    return n;
}

/* Among so many arrows there is no clear place, and looking for one takes long. */
enum { CROWD = 1024 };

/* The middle of the arrow, or the place nearest to it with the fewest conflicts. */
static void put_on_line(const struct bine_picture *g, cairo_t *cr, const struct bine_arrow *a,
                        struct rectangle *placed) {
    static const double places[] = {0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74};
    struct bine_segment s = bine_picture_segment(g, a);
    double w = bine_pen_text_width(cr, a->label, g->label, 0) / 2 + 2, h = g->label / 2 + 1;
    int least = -1;
    double x = 0, y = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places && least != 0; i++) {
        double px = s.x1 + places[i] * (s.x2 - s.x1), py = s.y1 + places[i] * (s.y2 - s.y1);
        struct rectangle q = {px - w, py - h, px + w, py + h};
        int n = g->d->narrows > CROWD ? 0 : conflicts(g, a, &q, placed);
        if (least >= 0 && n >= least)
            continue;
        least = n;
        x = px;
        y = py;
        placed[a - g->d->arrow] = q;
    }
    bine_pen_patch(cr, x, y, a->label, g->label);
}

void bine_picture_labels(const struct bine_picture *g, cairo_t *cr) {
    const struct bine_drawing *d = g->d;
    struct rectangle *placed = calloc(d->narrows + 1, sizeof *placed);
    for (uint32_t i = 0; i < d->narrows && placed != NULL; i++) {
        const struct bine_arrow *a = &d->arrow[i];
        int end = bine_picture_tag_end(g, a);
        double half = g->box_h / 2 + g->tag / 2;
        if (a->label[0] == '\0')
            continue;
        if (end < 0)
            bine_pen_patch(cr, bine_picture_x(g, a->from), bine_picture_y(g, a->step) + half,
                           a->label, g->label);
        else if (end > 0)
            bine_pen_patch(cr, bine_picture_x(g, a->to), bine_picture_y(g, a->step + 1) - half,
                           a->label, g->label);
        else
            put_on_line(g, cr, a, placed);
    }
    free(placed);
}
