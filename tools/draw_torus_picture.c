/* Tori as pictures: a panel for each step.
 *
 * A message that goes round the edge is drawn in two pieces, out at one side and in at the other.
 * So that messages do not hide each other, those that go up or right bend to one side and the
 * others to the other, the longer the further. */
#include "draw_torus.h"

#include "draw_pen.h"

#include <stdlib.h>

enum { MARGIN = 28, HEADER = 62, PITCH = 62, EDGE = 34, GAP = 30, TITLE = 26, ACROSS = 1100 };
enum { RADIUS = 12 };

static double panel_width(const struct bine_torus_grid *t) {
    return 2 * EDGE + (t->columns - 1) * (double)PITCH;
}

static double panel_height(const struct bine_torus_grid *t) {
    return TITLE + 2 * EDGE + (t->rows - 1) * (double)PITCH;
}

/* Panels side by side. */
static int panels_across(const struct bine_drawing *d, const struct bine_torus_grid *t) {
    int n = (int)((ACROSS + GAP) / (panel_width(t) + GAP));
    n = n < 1 ? 1 : n;
    return n > d->steps && d->steps > 0 ? d->steps : n;
}

static double at_least(double value, double least) {
    return value > least ? value : least;
}

struct bine_picture bine_torus_plan(const struct bine_drawing *d) {
    struct bine_picture g = {.d = d, .number = 12, .left = MARGIN, .top = MARGIN + HEADER};
    struct bine_torus_grid t = bine_torus_grid_of(d);
    cairo_surface_t *s = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1);
    cairo_t *cr = cairo_create(s);
    int across = panels_across(d, &t), down = (d->steps + across - 1) / across;
    double title = bine_pen_text_width(cr, d->title, 18, 1);
    double about = bine_pen_text_width(cr, d->wish->request.algorithm->about, 12.5, 0);
    g.width = 2 * MARGIN + at_least(at_least(title, about),
                                    across * panel_width(&t) + (across - 1) * (double)GAP);
    g.height = g.top + down * (panel_height(&t) + GAP) - GAP + MARGIN;
    cairo_destroy(cr);
    cairo_surface_destroy(s);
    return g;
}

/* The middle of rank 0 in the panel of a step. */
static void panel_at(const struct bine_picture *g, const struct bine_torus_grid *t, int step,
                     double *x, double *y) {
    int across = panels_across(g->d, t);
    *x = g->left + EDGE + step % across * (panel_width(t) + GAP);
    *y = g->top + TITLE + EDGE + step / across * (panel_height(t) + GAP);
}

/* One leg of a message: along one axis, from a place of `size` n places on (negative: back).
 * `origin` is where the axis begins, `side` the middle of its line. */
struct leg {
    double origin, side;
    int vertical, size, from, n, last;
};

/* A point of the leg: so far along the axis, so far beside its line. */
static void point(const struct leg *l, double along, double beside, double *x, double *y) {
    *x = l->vertical ? l->side + beside : along;
    *y = l->vertical ? along : l->side + beside;
}

static void stroke(cairo_t *cr, const struct leg *l, double a, double beside_a, double b,
                   double beside_b, int head) {
    double x1, y1, x2, y2;
    point(l, a, beside_a, &x1, &y1);
    point(l, b, beside_b, &x2, &y2);
    if (head)
        bine_pen_arrow(cr, x1, y1, x2, y2, 1.4);
    else
        bine_pen_line(cr, x1, y1, x2, y2, 1.4, 0);
}

/* To the next rank: straight. Further: beside the ranks in between, so that they stay visible;
 * those that overlap beside each other. */
static void paint_leg(cairo_t *cr, const struct leg *l) {
    int far = abs(l->n), sign = l->n > 0 ? 1 : -1, to = l->from + l->n;
    int wraps = to < 0 || to >= l->size;
    double edge[2] = {l->origin - EDGE + 4, l->origin + (l->size - 1) * (double)PITCH + EDGE - 4};
    double a = l->origin + l->from * (double)PITCH;
    double b = l->origin + (to + l->size) % l->size * (double)PITCH;
    double beside = -sign * (far == 1 ? 4.0 : RADIUS + 4 + 3.0 * (l->from % (far < 5 ? far : 5)));
    double out = wraps ? edge[sign > 0] : b, in = wraps ? edge[sign < 0] : a;
    if (far == 1) {
        a += sign * RADIUS;
        b -= sign * RADIUS;
        if (wraps)
            stroke(cr, l, a, beside, out, beside, 0);
        stroke(cr, l, wraps ? in : a, beside, b, beside, l->last);
        return;
    }
    a += sign * 4; /* so that a message that leaves and one that arrives stay apart */
    b -= sign * 4;
    stroke(cr, l, a, -sign * RADIUS, a, beside, 0);
    stroke(cr, l, a, beside, wraps ? out : b, beside, 0);
    if (wraps)
        stroke(cr, l, in, beside, b, beside, 0);
    stroke(cr, l, b, beside - sign * 2, b, -sign * RADIUS, l->last);
}

static void paint_message(const struct bine_picture *g, const struct bine_torus_grid *t,
                          cairo_t *cr, const struct bine_arrow *a) {
    struct bine_torus_way w = bine_torus_way_of(t, a);
    int row = a->from / t->columns, column = a->from % t->columns, end = a->to / t->columns;
    double x, y;
    panel_at(g, t, a->step, &x, &y);
    struct leg down = {y, x + column * (double)PITCH, 1, t->rows, row, w.down, w.right == 0};
    struct leg right = {x, y + end * (double)PITCH, 0, t->columns, column, w.right, 1};
    if (w.down != 0)
        paint_leg(cr, &down);
    if (w.right != 0)
        paint_leg(cr, &right);
}

static void paint_panel(const struct bine_picture *g, const struct bine_torus_grid *t, cairo_t *cr,
                        int step) {
    const struct bine_drawing *d = g->d;
    double x, y;
    char text[24];
    panel_at(g, t, step, &x, &y);
    snprintf(text, sizeof text, "step %d", step);
    bine_pen_colour(cr, BINE_COLOUR_SOFT);
    bine_pen_text(cr, x - EDGE, y - EDGE - TITLE / 2.0, text, 12, 0, BINE_ALIGN_LEFT);
    bine_pen_colour(cr, BINE_COLOUR_FAINT);
    for (int k = 0; k < t->rows; k++)
        bine_pen_line(cr, x - EDGE + 4, y + k * (double)PITCH,
                      x + (t->columns - 1) * (double)PITCH + EDGE - 4, y + k * (double)PITCH, 0.8,
                      1);
    for (int k = 0; k < t->columns && t->rows > 1; k++)
        bine_pen_line(cr, x + k * (double)PITCH, y - EDGE + 4, x + k * (double)PITCH,
                      y + (t->rows - 1) * (double)PITCH + EDGE - 4, 0.8, 1);
    for (int r = 0; r < d->p; r++) {
        double nx = x + r % t->columns * (double)PITCH, ny = y + r / t->columns * (double)PITCH;
        snprintf(text, sizeof text, "%d", r);
        bine_pen_box(cr, nx, ny, 2 * RADIUS, 2 * RADIUS,
                     r == d->source ? BINE_COLOUR_TINT : BINE_COLOUR_WHITE,
                     r == d->source ? BINE_COLOUR_ORANGE : BINE_COLOUR_SOFT);
        bine_pen_colour(cr, BINE_COLOUR_INK);
        bine_pen_text(cr, nx, ny, text, d->p <= 100 ? g->number : 9.5, r == d->source,
                      BINE_ALIGN_CENTRE);
    }
}

void bine_torus_paint(const struct bine_picture *g, cairo_t *cr) {
    const struct bine_drawing *d = g->d;
    struct bine_torus_grid t = bine_torus_grid_of(d);
    bine_picture_heading(d, cr);
    for (int step = 0; step < d->steps; step++)
        paint_panel(g, &t, cr, step);
    for (uint32_t i = 0; i < d->narrows; i++) {
        const struct bine_arrow *a = &d->arrow[i];
        bine_pen_colour(cr, d->highlight ? a->marked ? BINE_COLOUR_VERMILION : BINE_COLOUR_FAINT
                            : a->adds    ? BINE_COLOUR_GREEN
                                         : BINE_COLOUR_BLUE);
        paint_message(g, &t, cr, a);
    }
}
