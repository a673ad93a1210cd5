/* Strokes of pictures, on cairo: colours, text, boxes, arrows. */
#ifndef BINE_TOOLS_DRAW_DRAW_PEN_H
#define BINE_TOOLS_DRAW_DRAW_PEN_H

#include <cairo.h>

/* Okabe and Ito's palette, which colour-blind people can tell apart, and greys. */
enum bine_colour {
    BINE_COLOUR_INK,
    BINE_COLOUR_SOFT, /* secondary text */
    BINE_COLOUR_FAINT,
    BINE_COLOUR_WHITE,
    BINE_COLOUR_BLUE,
    BINE_COLOUR_GREEN,
    BINE_COLOUR_VERMILION,
    BINE_COLOUR_ORANGE,
    BINE_COLOUR_PURPLE,
    BINE_COLOUR_TINT,   /* a light orange, below text */
    BINE_COLOUR_GROUPS, /* the first of several light ones, below text; then the same hues, darker
                         */
};
enum { BINE_COLOUR_GROUP_KINDS = 12 };

enum bine_align { BINE_ALIGN_LEFT, BINE_ALIGN_CENTRE, BINE_ALIGN_RIGHT };

void bine_pen_colour(cairo_t *cr, enum bine_colour colour);
double bine_pen_text_width(cairo_t *cr, const char *text, double size, int bold);
/* y is the middle of the digits' height. */
void bine_pen_text(cairo_t *cr, double x, double y, const char *text, double size, int bold,
                   enum bine_align align);
void bine_pen_line(cairo_t *cr, double x1, double y1, double x2, double y2, double width,
                   int dashed);
/* The tip of the head is at (x2, y2). */
void bine_pen_arrow(cairo_t *cr, double x1, double y1, double x2, double y2, double width);
void bine_pen_box(cairo_t *cr, double x, double y, double width, double height,
                  enum bine_colour fill, enum bine_colour edge);
/* A white patch with text on it. */
void bine_pen_patch(cairo_t *cr, double x, double y, const char *text, double size);

#endif
