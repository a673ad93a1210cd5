/* Tori as pictures: a panel for each step.
 *
 * A message that goes round the edge is drawn in two pieces, out at one side and in at the other.
 * So that messages do not hide each other, those that go up or right are on one side of their line
 * and the others on the other, each in its lane. */
#include "base/numbers.h"
#include "draw/draw_picture.h"
#include "draw/draw_torus.h"

#include <math.h>
#include <stdlib.h>

enum { MARGIN = 28, HEADER = 62, GAP = 30, TITLE = 26 };
/* Lanes begin NEAR the middle of a line, or as far from the ranks as a HEAD is long. */
enum { RADIUS = 12, NEAR = 4, HEAD = 10, APART = 5 };
/* Lanes beside the ranks that are APART; more of them share the room of these. */
enum { WIDE_LANES = 10 };

/* How far the outermost of some lanes is from the ranks. */
static double lanes_room(int lanes) {
    return APART * ((bine_min(lanes, WIDE_LANES)) - 1.0);
}

/* From the outer ranks to the edge of a panel. */
static double edge(const struct bine_picture *g) {
    return g->pitch / 2 + 3;
}

/* Between panels. */
static double gap(const struct bine_picture *g) {
    return g->text * GAP;
}

static double panel_width(const struct bine_picture *g, const struct bine_torus_grid *t) {
    return 2 * edge(g) + (t->columns - 1) * g->pitch;
}

static double panel_height(const struct bine_picture *g, const struct bine_torus_grid *t) {
    return g->text * TITLE + 2 * edge(g) + (t->rows - 1) * g->pitch;
}

static int panels_down(const struct bine_picture *g, int across) {
    return (g->d->steps + across - 1) / across;
}

/* The room that panels take, so many of them side by side. */
static double panels_width(const struct bine_picture *g, const struct bine_torus_grid *t, int n) {
    return n * (panel_width(g, t) + gap(g)) - gap(g);
}

static double panels_height(const struct bine_picture *g, const struct bine_torus_grid *t, int n) {
    return panels_down(g, n) * (panel_height(g, t) + gap(g));
}

/* How badly a picture with so many panels side by side suits a slide: by its shape, which should be
 * between 4:3 and 16:9, and by the share of it that is left empty in the last row. */
static double misfit(const struct bine_picture *g, const struct bine_torus_grid *t, int n) {
    const double shape = 1.54, dislike = 1.5;
    double width = panels_width(g, t, n) + 2 * MARGIN;
    double height = g->top + panels_height(g, t, n) + 2 * MARGIN;
    double empty = 1 - (double)g->d->steps / (n * panels_down(g, n));
    return fabs(log(width / height / shape)) + dislike * empty;
}

/* Panels side by side. */
static int panels_across(const struct bine_picture *g, const struct bine_torus_grid *t) {
    int best = 1;
    for (int n = 2; n <= g->d->steps; n++)
        if (misfit(g, t, n) < misfit(g, t, best))
            best = n;
    return best;
}

/* Ranks are so far apart that the lanes between them fit. */
static double plan_pitch(const struct bine_drawing *d) {
    uint32_t n = 0;
    struct bine_torus_leg *leg = bine_torus_legs(d, &n);
    double pitch = 62;
    for (uint32_t i = 0; i < n && leg != NULL; i++)
        if (abs(leg[i].n) > 1)
            pitch = fmax(pitch, 2 * (RADIUS + HEAD + lanes_room(leg[i].lanes)) + 2 * APART);
    free(leg);
    return pitch;
}

struct bine_picture bine_torus_plan(const struct bine_drawing *d) {
    struct bine_picture g = {
        .d = d, .text = 1, .number = 12, .left = MARGIN, .top = MARGIN + HEADER};
    struct bine_torus_grid t = bine_torus_grid_of(d);
    cairo_surface_t *s = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1);
    cairo_t *cr = cairo_create(s);
    g.pitch = plan_pitch(d);
    g.across = panels_across(&g, &t);
    g.text = bine_picture_text(panels_width(&g, &t, g.across) + 2 * MARGIN);
    g.top = MARGIN + g.text * HEADER;
    g.width = 2 * MARGIN + fmax(bine_picture_heading_width(&g, cr), panels_width(&g, &t, g.across));
    g.key = bine_picture_key(&g, cr, MARGIN, 0, g.width - MARGIN);
    g.height = g.top + panels_height(&g, &t, g.across) + g.key + MARGIN;
    cairo_destroy(cr);
    cairo_surface_destroy(s);
    return g;
}

/* The middle of rank 0 in the panel of a step. */
static void panel_at(const struct bine_picture *g, const struct bine_torus_grid *t, int step,
                     double *x, double *y) {
    *x = g->left + edge(g) + step % g->across * (panel_width(g, t) + gap(g));
    *y = g->top + g->text * TITLE + edge(g) + step / g->across * (panel_height(g, t) + gap(g));
}

/* The line that a leg goes along: where it begins, and the middle across it. */
struct axis {
    int vertical;
    double origin, middle;
};

/* From so far along the line and so far beside it, to so far along and beside. */
static void stroke(cairo_t *cr, const struct axis *l, double a, double beside_a, double b,
                   double beside_b, int head) {
    double x1 = l->vertical ? l->middle + beside_a : a, y1 = l->vertical ? a : l->middle + beside_a;
    double x2 = l->vertical ? l->middle + beside_b : b, y2 = l->vertical ? b : l->middle + beside_b;
    if (head)
        bine_pen_arrow(cr, x1, y1, x2, y2, 1.4);
    else
        bine_pen_line(cr, x1, y1, x2, y2, 1.4, 0);
}

/* How far beside its line a leg is. */
static double lane_at(const struct bine_torus_leg *l) {
    int straight = abs(l->n) == 1;
    double room =
        straight ? fmin(APART * (l->lanes - 1.0), RADIUS - NEAR - 2) : lanes_room(l->lanes);
    return (straight ? NEAR : RADIUS + HEAD) + (l->lanes > 1 ? room * l->lane / (l->lanes - 1) : 0);
}

/* How far from the middle of a rank a leg leaves it or arrives, so that what leaves and what
 * arrives stay apart, and the parts of the vector do. */
static int stem_at(const struct bine_torus_leg *l) {
    return 4 + 4 * (l->a->part % 2) + 2 * (l->a->part / 2);
}

/* To the next rank: straight. Further: beside the ranks in between, so that they stay visible. */
static void paint_leg(const struct bine_picture *g, cairo_t *cr, const struct bine_torus_leg *l,
                      const struct axis *axis) {
    int far = abs(l->n), sign = l->n > 0 ? 1 : -1, to = l->from + l->n;
    int wraps = to < 0 || to >= l->size;
    double rim[2] = {axis->origin - edge(g) + 4,
                     axis->origin + (l->size - 1) * g->pitch + edge(g) - 4};
    double a = axis->origin + l->from * g->pitch;
    double b = axis->origin + (to + l->size) % l->size * g->pitch;
    double beside = -sign * lane_at(l);
    double out = wraps ? rim[sign > 0] : b, in = wraps ? rim[sign < 0] : a;
    if (far == 1) {
        a += sign * RADIUS;
        b -= sign * RADIUS;
        if (wraps)
            stroke(cr, axis, a, beside, out, beside, 0);
        stroke(cr, axis, wraps ? in : a, beside, b, beside, l->last);
        return;
    }
    a += sign * stem_at(l);
    b -= sign * stem_at(l);
    stroke(cr, axis, a, -sign * RADIUS, a, beside, 0);
    stroke(cr, axis, a, beside, wraps ? out : b, beside, 0);
    if (wraps)
        stroke(cr, axis, in, beside, b, beside, 0);
    stroke(cr, axis, b, beside, b, -sign * RADIUS, l->last);
}

static void paint_legs(const struct bine_picture *g, const struct bine_torus_grid *t, cairo_t *cr,
                       const struct bine_torus_leg *leg, uint32_t n, int marked) {
    for (uint32_t i = 0; i < n; i++) {
        double x, y;
        if (leg[i].a->marked != marked)
            continue;
        panel_at(g, t, leg[i].a->step, &x, &y);
        struct axis axis = {leg[i].vertical, leg[i].vertical ? y : x,
                            (leg[i].vertical ? x : y) + leg[i].line * g->pitch};
        bine_pen_colour(cr, bine_picture_arrow_colour(g->d, leg[i].a));
        paint_leg(g, cr, &leg[i], &axis);
    }
}

/* Where colours tell parts of the vector apart, the title says what the receivers do. */
static void say_step(const struct bine_drawing *d, int step, char text[40]) {
    int adds = 0;
    for (uint32_t i = 0; i < d->narrows && bine_draw_has_parts(d->wish); i++)
        adds |= d->arrow[i].step == step && d->arrow[i].adds;
    snprintf(text, 40, "step %d%s", step, adds ? ": added up" : "");
}

static void paint_panel(const struct bine_picture *g, const struct bine_torus_grid *t, cairo_t *cr,
                        int step) {
    const struct bine_drawing *d = g->d;
    double x, y, rim = edge(g);
    char text[40];
    panel_at(g, t, step, &x, &y);
    say_step(d, step, text);
    bine_pen_colour(cr, BINE_COLOUR_SOFT);
    bine_pen_text(cr, x - rim, y - rim - g->text * TITLE / 2, text, g->text * 12, 0,
                  BINE_ALIGN_LEFT);
    bine_pen_colour(cr, BINE_COLOUR_FAINT);
    for (int k = 0; k < t->rows; k++)
        bine_pen_line(cr, x - rim + 4, y + k * g->pitch, x + (t->columns - 1) * g->pitch + rim - 4,
                      y + k * g->pitch, 0.8, 1);
    for (int k = 0; k < t->columns && t->rows > 1; k++)
        bine_pen_line(cr, x + k * g->pitch, y - rim + 4, x + k * g->pitch,
                      y + (t->rows - 1) * g->pitch + rim - 4, 0.8, 1);
    for (int r = 0; r < d->p; r++)
        bine_picture_box(d, cr, r, x + r % t->columns * g->pitch, y + r / t->columns * g->pitch,
                         2 * RADIUS, 2 * RADIUS, d->p <= 100 ? g->number : 9.5);
}

int bine_torus_paint(const struct bine_picture *g, cairo_t *cr) {
    struct bine_torus_grid t = bine_torus_grid_of(g->d);
    uint32_t n = 0;
    struct bine_torus_leg *leg = bine_torus_legs(g->d, &n);
    if (leg == NULL)
        return -1;
    bine_picture_heading(g, cr);
    for (int step = 0; step < g->d->steps; step++)
        paint_panel(g, &t, cr, step);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
    paint_legs(g, &t, cr, leg, n, 0);
    paint_legs(g, &t, cr, leg, n, 1);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
    bine_picture_key(g, cr, MARGIN, g->height - MARGIN - g->key + g->text * 10, g->width - MARGIN);
    free(leg);
    return 0;
}
