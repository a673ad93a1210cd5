#include "draw/draw_pen.h"

#include <math.h>

static const double colours[][3] = {
    [BINE_COLOUR_INK] = {0.13, 0.13, 0.13},         [BINE_COLOUR_SOFT] = {0.38, 0.38, 0.38},
    [BINE_COLOUR_FAINT] = {0.74, 0.74, 0.74},       [BINE_COLOUR_WHITE] = {1, 1, 1},
    [BINE_COLOUR_BLUE] = {0, 0.447, 0.698},         [BINE_COLOUR_GREEN] = {0, 0.62, 0.451},
    [BINE_COLOUR_VERMILION] = {0.835, 0.369, 0},    [BINE_COLOUR_ORANGE] = {0.902, 0.624, 0},
    [BINE_COLOUR_PURPLE] = {0.8, 0.475, 0.655},     [BINE_COLOUR_TINT] = {0.992, 0.914, 0.784},
    [BINE_COLOUR_GROUPS] = {0.80, 0.89, 0.96},      [BINE_COLOUR_GROUPS + 1] = {0.80, 0.93, 0.86},
    [BINE_COLOUR_GROUPS + 2] = {0.99, 0.85, 0.80},  [BINE_COLOUR_GROUPS + 3] = {0.99, 0.96, 0.75},
    [BINE_COLOUR_GROUPS + 4] = {0.92, 0.83, 0.92},  [BINE_COLOUR_GROUPS + 5] = {0.86, 0.86, 0.86},
    [BINE_COLOUR_GROUPS + 6] = {0.45, 0.69, 0.88},  [BINE_COLOUR_GROUPS + 7] = {0.40, 0.76, 0.60},
    [BINE_COLOUR_GROUPS + 8] = {0.95, 0.58, 0.45},  [BINE_COLOUR_GROUPS + 9] = {0.91, 0.80, 0.25},
    [BINE_COLOUR_GROUPS + 10] = {0.75, 0.55, 0.78}, [BINE_COLOUR_GROUPS + 11] = {0.62, 0.62, 0.62},
};

void bine_pen_colour(cairo_t *cr, enum bine_colour colour) {
    cairo_set_source_rgb(cr, colours[colour][0], colours[colour][1], colours[colour][2]);
}

static void set_font(cairo_t *cr, double size, int bold) {
    cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, size);
}

double bine_pen_text_width(cairo_t *cr, const char *text, double size, int bold) {
    cairo_text_extents_t e;
    set_font(cr, size, bold);
    cairo_text_extents(cr, text, &e);
    return e.x_advance;
}

void bine_pen_text(cairo_t *cr, double x, double y, const char *text, double size, int bold,
                   enum bine_align align) {
    double width = bine_pen_text_width(cr, text, size, bold);
    double shift = align == BINE_ALIGN_LEFT ? 0 : align == BINE_ALIGN_CENTRE ? width / 2 : width;
    /* Digits are about 0.73 of the font's size high. */
    cairo_move_to(cr, x - shift, y + 0.365 * size);
    cairo_show_text(cr, text);
    cairo_new_path(cr);
}

void bine_pen_line(cairo_t *cr, double x1, double y1, double x2, double y2, double width,
                   int dashed) {
    static const double dashes[] = {4, 4};
    cairo_set_line_width(cr, width);
    cairo_set_dash(cr, dashes, dashed ? 2 : 0, 0);
    cairo_move_to(cr, x1, y1);
    cairo_line_to(cr, x2, y2);
    cairo_stroke(cr);
    cairo_set_dash(cr, dashes, 0, 0);
}

void bine_pen_arrow(cairo_t *cr, double x1, double y1, double x2, double y2, double width) {
    double dx = x2 - x1, dy = y2 - y1, length = hypot(dx, dy);
    double head = 7 + 1.6 * width, half = 2.6 + 0.8 * width;
    if (length < 1)
        return;
    dx /= length;
    dy /= length;
    double bx = x2 - head * dx, by = y2 - head * dy;
    /* The line ends inside the head, so that the tip stays sharp. */
    bine_pen_line(cr, x1, y1, x2 - 0.7 * head * dx, y2 - 0.7 * head * dy, width, 0);
    cairo_move_to(cr, x2, y2);
    cairo_line_to(cr, bx - half * dy, by + half * dx);
    cairo_line_to(cr, bx + half * dy, by - half * dx);
    cairo_close_path(cr);
    cairo_fill(cr);
}

void bine_pen_box(cairo_t *cr, double x, double y, double width, double height,
                  enum bine_colour fill, enum bine_colour edge) {
    const double radius = 4, right = 1.5707963267948966; /* angle */
    double l = x - width / 2, t = y - height / 2, r = x + width / 2, b = y + height / 2;
    cairo_new_sub_path(cr);
    cairo_arc(cr, r - radius, t + radius, radius, -right, 0);
    cairo_arc(cr, r - radius, b - radius, radius, 0, right);
    cairo_arc(cr, l + radius, b - radius, radius, right, 2 * right);
    cairo_arc(cr, l + radius, t + radius, radius, 2 * right, 3 * right);
    cairo_close_path(cr);
    bine_pen_colour(cr, fill);
    cairo_fill_preserve(cr);
    bine_pen_colour(cr, edge);
    cairo_set_line_width(cr, 1.2);
    cairo_stroke(cr);
}

void bine_pen_patch(cairo_t *cr, double x, double y, const char *text, double size) {
    double width = bine_pen_text_width(cr, text, size, 0) + 4, height = size + 1;
    bine_pen_colour(cr, BINE_COLOUR_WHITE);
    cairo_rectangle(cr, x - width / 2, y - height / 2, width, height);
    cairo_fill(cr);
    bine_pen_colour(cr, BINE_COLOUR_INK);
    bine_pen_text(cr, x, y, text, size, 0, BINE_ALIGN_CENTRE);
}
