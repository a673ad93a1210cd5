/* Layout and painting of pictures.
 *
 * Arrows run from the lower edge of the sender's box to the upper edge of the receiver's, so that
 * they never pass behind a box on their way, however flat they are. */
#include "draw/draw_picture.h"
#include "base/numbers.h"

#include <math.h>
#include <stdlib.h>

enum { MARGIN = 28, GUTTER = 64, HEADER = 62, NOTES = 22 };

double bine_picture_x(const struct bine_picture *g, int rank) {
    return g->left + bine_draw_column(g->d, rank) * g->pitch;
}

double bine_picture_y(const struct bine_picture *g, int level) {
    return g->top + level * g->row;
}

int bine_picture_tag_end(const struct bine_picture *g, const struct bine_arrow *a) {
    if (g->tag <= 0 || a->label[0] == '\0')
        return 0;
    return a->sent == 1 ? -1 : a->received == 1 ? 1 : 0;
}

struct bine_picture_line bine_picture_line_of(const struct bine_picture *g,
                                              const struct bine_arrow *a) {
    double half = g->box_h / 2;
    struct bine_picture_line s = {
        bine_picture_x(g, a->from), bine_picture_y(g, a->step) + half + (a->below ? g->tag : 0),
        bine_picture_x(g, a->to), bine_picture_y(g, a->step + 1) - half - (a->above ? g->tag : 0)};
    /* Without a box, the arrow starts on the lifetime itself. */
    if (!bine_draw_has_box(g->d, a->step, a->from))
        s.y1 -= half;
    return s;
}

/* Flat arrows need room: the widest span decides the height of a row. */
static int widest_span(const struct bine_drawing *d) {
    int widest = 1;
    for (uint32_t i = 0; i < d->narrows; i++) {
        int span = abs(bine_draw_column(d, d->arrow[i].from) - bine_draw_column(d, d->arrow[i].to));
        widest = bine_max(span, widest);
    }
    return widest;
}

/* The widest tag, or the widest of those of one column. */
static double widest_tag(const struct bine_picture *g, cairo_t *cr, int column) {
    double widest = 0;
    for (uint32_t i = 0; i < g->d->narrows; i++) {
        const struct bine_arrow *a = &g->d->arrow[i];
        int end = bine_picture_tag_end(g, a);
        int at = bine_draw_column(g->d, end < 0 ? a->from : a->to);
        if (end != 0 && (column < 0 || at == column))
            widest = fmax(widest, bine_pen_text_width(cr, a->label, g->label, 0));
    }
    return widest;
}

static void plan_columns(struct bine_picture *g, cairo_t *cr) {
    int p = g->d->p;
    g->pitch = p <= 16 ? 56 : p <= 32 ? 44 : p <= 64 ? 34 : p <= 128 ? 29 : 27;
    g->number = p <= 16 ? 13.5 : p <= 64 ? 12 : p <= 100 ? 11 : 9.5;
    g->label = p <= 16 ? 11 : 9.5;
    g->pitch = fmax(g->pitch, widest_tag(g, cr, -1) + 10);
    /* As wide as the negabinary numbers, whose digits are about 0.64 of the font's size wide. */
    g->note = p <= 16 ? 11 : 9;
    if (g->d->note != NULL)
        g->pitch = fmax(g->pitch, 0.64 * g->note * bine_log2_ceil(p) + 8);
    g->box_w = fmin(g->pitch - 6, 32);
    g->box_h = p <= 64 ? 22 : 18;
}

/* Rows that are tall enough for the labels on arrows, or as good as it gets. */
static void plan_rows(struct bine_picture *g, cairo_t *cr) {
    enum { TALLER = 36, TRIES = 4 };
    int span = widest_span(g->d), least = -1;
    double row = 66 + 6 * (span < 20 ? span : 20) + g->tag, best = row;
    for (int k = 0; k <= TRIES && least != 0; k++) {
        g->row = row + k * TALLER;
        int left_out = bine_picture_labels(g, cr, 0);
        if (least < 0 || left_out < least) {
            least = left_out;
            best = g->row;
        }
    }
    g->row = best;
    g->crowded = least > 0;
}

double bine_picture_text(double width) {
    const double usual = 1600;
    return fmax(1, width / usual);
}

static const double title_font = 18, about_font = 12.5;

double bine_picture_heading_width(const struct bine_picture *g, cairo_t *cr) {
    double title = bine_pen_text_width(cr, g->d->title, title_font, 1);
    double about = bine_pen_text_width(cr, g->d->about, about_font, 0);
    return g->text * fmax(fmax(title, about), 272);
}

/* From the leftmost box of level 0 on. */
static void plan_width(struct bine_picture *g, cairo_t *cr) {
    double first = fmax(g->box_w, widest_tag(g, cr, 0)) / 2;
    double last = fmax(g->box_w, widest_tag(g, cr, g->d->p - 1)) / 2;
    double drawing = first + (g->d->p - 1) * g->pitch + last;
    g->text = bine_picture_text(MARGIN + GUTTER + drawing + MARGIN);
    g->left = MARGIN + g->text * GUTTER + first;
    g->width =
        MARGIN + fmax(g->text * GUTTER + drawing, bine_picture_heading_width(g, cr)) + MARGIN;
}

struct bine_picture bine_picture_plan(const struct bine_drawing *d) {
    struct bine_picture g = {.d = d};
    if (d->wish->kind == BINE_DRAW_TORUS)
        return bine_torus_plan(d);
    cairo_surface_t *s = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1);
    cairo_t *cr = cairo_create(s);
    g.tag = d->wish->kind != BINE_DRAW_TREE && d->labels != BINE_LABEL_NONE ? 15 : 0;
    plan_columns(&g, cr);
    plan_width(&g, cr);
    g.top = MARGIN + g.text * HEADER + g.box_h / 2;
    plan_rows(&g, cr);
    g.key = bine_picture_key(&g, cr, MARGIN, 0, g.width - MARGIN);
    g.height = g.top + d->steps * g.row + g.box_h / 2 + g.key + MARGIN +
               g.text * (20 + (d->note != NULL ? NOTES : 0));
    for (uint32_t i = 0; i < d->narrows; i++)
        g.most = bine_max(d->arrow[i].blocks, g.most);
    cairo_destroy(cr);
    cairo_surface_destroy(s);
    return g;
}

void bine_picture_heading(const struct bine_picture *g, cairo_t *cr) {
    bine_pen_colour(cr, BINE_COLOUR_WHITE);
    cairo_paint(cr);
    bine_pen_colour(cr, BINE_COLOUR_INK);
    bine_pen_text(cr, MARGIN, MARGIN + g->text * 8, g->d->title, g->text * title_font, 1,
                  BINE_ALIGN_LEFT);
    bine_pen_colour(cr, BINE_COLOUR_SOFT);
    bine_pen_text(cr, MARGIN, MARGIN + g->text * 32, g->d->about, g->text * about_font, 0,
                  BINE_ALIGN_LEFT);
}

static void paint_frame(const struct bine_picture *g, cairo_t *cr) {
    const struct bine_drawing *d = g->d;
    double right = g->left + (d->p - 1) * g->pitch + g->box_w / 2;
    bine_picture_heading(g, cr);
    for (int j = 0; j <= d->steps; j++) {
        char name[16];
        double y = bine_picture_y(g, j);
        bine_pen_colour(cr, BINE_COLOUR_FAINT);
        bine_pen_line(cr, g->left - g->box_w / 2 - 8, y, right + 8, y, 0.8, 1);
        snprintf(name, sizeof name, "step %d", j);
        bine_pen_colour(cr, BINE_COLOUR_SOFT);
        if (j < d->steps)
            bine_pen_text(cr, MARGIN, y + g->row / 2, name, g->text * 12, 0, BINE_ALIGN_LEFT);
    }
}

static void paint_lives(const struct bine_picture *g, cairo_t *cr) {
    const struct bine_drawing *d = g->d;
    int tree = d->wish->kind == BINE_DRAW_TREE;
    bine_pen_colour(cr, tree ? BINE_COLOUR_SOFT : BINE_COLOUR_FAINT);
    for (int j = 0; j < d->steps; j++)
        for (int r = 0; r < d->p; r++)
            if (bine_draw_alive(d, j, r) && bine_draw_alive(d, j + 1, r))
                bine_pen_line(cr, bine_picture_x(g, r), bine_picture_y(g, j), bine_picture_x(g, r),
                              bine_picture_y(g, j + 1), tree ? 1.4 : 1, 0);
}

static double arrow_width(const struct bine_picture *g, const struct bine_arrow *a) {
    double width = g->d->p <= 32 ? 1.6 : g->d->p <= 64 ? 1.2 : 0.9;
    if (g->d->wish->kind == BINE_DRAW_SCHEDULE && g->most > 1)
        width = 1 + 3.0 * (a->blocks - 1) / (g->most - 1);
    if (g->d->highlight)
        width *= a->marked ? 1.4 : 0.7;
    return width;
}

enum bine_colour bine_picture_part_colour(int part) {
    static const enum bine_colour colours[] = {BINE_COLOUR_BLUE, BINE_COLOUR_VERMILION,
                                               BINE_COLOUR_GREEN, BINE_COLOUR_PURPLE};
    return colours[part % 4];
}

enum bine_colour bine_picture_arrow_colour(const struct bine_drawing *d,
                                           const struct bine_arrow *a) {
    if (d->highlight)
        return a->marked ? BINE_COLOUR_VERMILION : BINE_COLOUR_FAINT;
    if (bine_draw_has_parts(d->wish))
        return bine_picture_part_colour(a->part);
    if (bine_draw_crosses(d, a))
        return BINE_COLOUR_VERMILION;
    return a->adds ? BINE_COLOUR_GREEN : BINE_COLOUR_BLUE;
}

/* Straight out of the sender's box and into the receiver's, past the labels of others, or from and
 * to its own label; slanted in between. */
static void paint_arrow(const struct bine_picture *g, cairo_t *cr, const struct bine_arrow *a) {
    struct bine_picture_line s = bine_picture_line_of(g, a);
    double half = g->box_h / 2, width = arrow_width(g, a);
    int end = bine_picture_tag_end(g, a);
    double top = bine_picture_y(g, a->step) + half, bottom = bine_picture_y(g, a->step + 1) - half;
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
    if (end >= 0 && s.y1 > top)
        bine_pen_line(cr, s.x1, top, s.x1, s.y1, width, 0);
    if (end <= 0 && s.y2 < bottom) {
        bine_pen_line(cr, s.x1, s.y1, s.x2, s.y2, width, 0);
        bine_pen_arrow(cr, s.x2, s.y2, s.x2, bottom, width);
    } else {
        bine_pen_arrow(cr, s.x1, s.y1, s.x2, s.y2, width);
    }
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
}

static void paint_arrows(const struct bine_picture *g, cairo_t *cr, int marked) {
    const struct bine_drawing *d = g->d;
    for (uint32_t i = 0; i < d->narrows; i++) {
        const struct bine_arrow *a = &d->arrow[i];
        struct bine_picture_line s = bine_picture_line_of(g, a);
        if (a->marked != marked)
            continue;
        bine_pen_colour(cr, bine_picture_arrow_colour(d, a));
        if (!bine_draw_has_box(d, a->step, a->from)) {
            cairo_arc(cr, s.x1, s.y1, 3, 0, 6.2831853);
            cairo_fill(cr);
        }
        paint_arrow(g, cr, a);
    }
}

static enum bine_colour box_colour(const struct bine_drawing *d, int rank) {
    int group = bine_draw_group(d, rank);
    if (group >= 0)
        return (enum bine_colour)((int)BINE_COLOUR_GROUPS + group % BINE_COLOUR_GROUP_KINDS);
    return rank == d->source ? BINE_COLOUR_TINT : BINE_COLOUR_WHITE;
}

/* The groups after those that have a colour of their own have a bar along the lower edge too. */
static void paint_bar(const struct bine_drawing *d, cairo_t *cr, int rank, double x, double y,
                      double width, double height) {
    enum { BAR = 3 };
    if (bine_draw_group(d, rank) / BINE_COLOUR_GROUP_KINDS % 2 == 0)
        return;
    bine_pen_colour(cr, BINE_COLOUR_INK);
    bine_pen_line(cr, x - width / 2 + BAR, y + (height - BAR) / 2, x + width / 2 - BAR,
                  y + (height - BAR) / 2, BAR, 0);
}

void bine_picture_box(const struct bine_drawing *d, cairo_t *cr, int rank, double x, double y,
                      double width, double height, double font) {
    int stands_out = rank == d->source;
    char text[16];
    snprintf(text, sizeof text, "%d", rank);
    bine_pen_box(cr, x, y, width, height, box_colour(d, rank),
                 stands_out ? BINE_COLOUR_ORANGE : BINE_COLOUR_SOFT);
    paint_bar(d, cr, rank, x, y, width, height);
    bine_pen_colour(cr, BINE_COLOUR_INK);
    if (font > 0)
        bine_pen_text(cr, x, y, text, font, stands_out, BINE_ALIGN_CENTRE);
}

static void paint_boxes(const struct bine_picture *g, cairo_t *cr) {
    const struct bine_drawing *d = g->d;
    for (int j = 0; j <= d->steps; j++)
        for (int r = 0; r < d->p; r++)
            if (bine_draw_has_box(d, j, r))
                bine_picture_box(d, cr, r, bine_picture_x(g, r), bine_picture_y(g, j), g->box_w,
                                 g->box_h, g->number);
}

static void paint_notes(const struct bine_picture *g, cairo_t *cr, double y) {
    const struct bine_drawing *d = g->d;
    bine_pen_colour(cr, BINE_COLOUR_SOFT);
    bine_pen_text(cr, MARGIN, y, d->note_name, g->text * 11, 0, BINE_ALIGN_LEFT);
    for (int r = 0; r < d->p; r++) {
        char bits[33] = "";
        int n = 0;
        for (int bit = d->p / 2; bit > 0; bit /= 2)
            bits[n++] = d->note[r] & (uint32_t)bit ? '1' : '0';
        bine_pen_text(cr, bine_picture_x(g, r), y, bits, g->note, 0, BINE_ALIGN_CENTRE);
    }
}

static void paint_time(const struct bine_picture *g, cairo_t *cr) {
    double bottom = bine_picture_y(g, g->d->steps) + g->box_h / 2;
    paint_frame(g, cr);
    paint_lives(g, cr);
    paint_boxes(g, cr);
    paint_arrows(g, cr, 0);
    paint_arrows(g, cr, 1);
    bine_picture_labels(g, cr, 1);
    if (g->d->note != NULL)
        paint_notes(g, cr, bottom + 16);
    bine_picture_key(g, cr, MARGIN, g->height - MARGIN - g->key + g->text * 10, g->width - MARGIN);
}

int bine_picture_paint(const struct bine_picture *g, cairo_surface_t *surface, double scale) {
    cairo_t *cr = cairo_create(surface);
    cairo_scale(cr, scale, scale);
    int rc = 0;
    if (g->d->wish->kind == BINE_DRAW_TORUS)
        rc = bine_torus_paint(g, cr);
    else
        paint_time(g, cr);
    if (cairo_status(cr) != CAIRO_STATUS_SUCCESS)
        rc = -1;
    cairo_destroy(cr);
    return rc;
}

cairo_status_t bine_picture_stream(void *file, const unsigned char *data, unsigned int length) {
    return fwrite(data, 1, length, file) == length ? CAIRO_STATUS_SUCCESS
                                                   : CAIRO_STATUS_WRITE_ERROR;
}
