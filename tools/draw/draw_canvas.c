#include "draw/draw_canvas.h"

#include <stdlib.h>
#include <string.h>

static const char *const glyphs[][2] = {
    {"│", "|"}, {"─", "-"}, {"┼", "|"}, {"━", "="}, {"┿", "|"}, {"●", "o"},
    {"▶", ">"}, {"◀", "<"}, {"▷", ")"}, {"◁", "("}, {"⊕", "+"}, {"┄", "."},
};

static const char *const inks[] = {"", "\033[2m", "\033[1;33m", "\033[36m", "\033[1;35m"};

int bine_canvas_open(struct bine_canvas *c, int rows, int columns) {
    size_t cells = (size_t)rows * (size_t)columns;
    *c = (struct bine_canvas){rows, columns, malloc(cells), calloc(cells, 1)};
    if (c->cell == NULL || c->ink == NULL) {
        bine_canvas_close(c);
        return -1;
    }
    memset(c->cell, ' ', cells);
    return 0;
}

void bine_canvas_close(struct bine_canvas *c) {
    free(c->cell);
    free(c->ink);
    *c = (struct bine_canvas){0};
}

void bine_canvas_put(struct bine_canvas *c, int row, int column, int glyph, enum bine_ink ink) {
    if (row < 0 || row >= c->rows || column < 0 || column >= c->columns)
        return;
    c->cell[row * c->columns + column] = (unsigned char)glyph;
    c->ink[row * c->columns + column] = (unsigned char)ink;
}

void bine_canvas_text(struct bine_canvas *c, int row, int column, const char *text,
                      enum bine_ink ink) {
    for (int i = 0; text[i] != '\0'; i++)
        bine_canvas_put(c, row, column + i, text[i], ink);
}

int bine_canvas_at(const struct bine_canvas *c, int row, int column) {
    return c->cell[row * c->columns + column];
}

const char *bine_glyph_text(int glyph, int ascii) {
    return glyphs[glyph - BINE_GLYPH_LIFE][ascii];
}

static void write_row(const struct bine_canvas *c, int row, FILE *file, int ascii, int colour) {
    const unsigned char *cell = c->cell + row * c->columns, *ink = c->ink + row * c->columns;
    int end = c->columns, now = BINE_INK_PLAIN;
    while (end > 0 && cell[end - 1] == ' ')
        end--;
    for (int i = 0; i < end; i++) {
        if (colour && ink[i] != now && cell[i] != ' ') {
            fprintf(file, "\033[0m%s", inks[ink[i]]);
            now = ink[i];
        }
        if (cell[i] < BINE_GLYPH_LIFE)
            putc(cell[i], file);
        else
            fputs(bine_glyph_text(cell[i], ascii), file);
    }
    fputs(now == BINE_INK_PLAIN ? "\n" : "\033[0m\n", file);
}

void bine_canvas_write(const struct bine_canvas *c, FILE *file, int ascii, int colour) {
    for (int row = 0; row < c->rows; row++)
        write_row(c, row, file, ascii, colour);
}
