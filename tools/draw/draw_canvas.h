/* A canvas of characters, written as UTF-8 or ASCII, with or without colour. */
#ifndef BINE_TOOLS_DRAW_DRAW_CANVAS_H
#define BINE_TOOLS_DRAW_DRAW_CANVAS_H

#include <stdio.h>

/* A cell is an ASCII character or one of these. */
enum bine_glyph {
    BINE_GLYPH_LIFE = 128,
    BINE_GLYPH_LINE,
    BINE_GLYPH_LINE_CROSS, /* a message passes over a lifetime */
    BINE_GLYPH_HEAVY,
    BINE_GLYPH_HEAVY_CROSS,
    BINE_GLYPH_SEND,
    BINE_GLYPH_RIGHT,
    BINE_GLYPH_LEFT,
    BINE_GLYPH_RIGHT_HOLLOW,
    BINE_GLYPH_LEFT_HOLLOW,
    BINE_GLYPH_ADD,
    BINE_GLYPH_DASH,
};

enum bine_ink { BINE_INK_PLAIN, BINE_INK_DIM, BINE_INK_ROOT, BINE_INK_MESSAGE, BINE_INK_WAY };

struct bine_canvas {
    int rows, columns;
    unsigned char *cell, *ink;
};

/* 0, or -1 when out of memory. */
int bine_canvas_open(struct bine_canvas *c, int rows, int columns);
void bine_canvas_close(struct bine_canvas *c);
/* Cells outside the canvas are left alone. */
void bine_canvas_put(struct bine_canvas *c, int row, int column, int glyph, enum bine_ink ink);
void bine_canvas_text(struct bine_canvas *c, int row, int column, const char *text,
                      enum bine_ink ink);
int bine_canvas_at(const struct bine_canvas *c, int row, int column);
/* One glyph, for keys outside the canvas. */
const char *bine_glyph_text(int glyph, int ascii);
void bine_canvas_write(const struct bine_canvas *c, FILE *file, int ascii, int colour);

#endif
