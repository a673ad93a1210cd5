/* Drawings as pictures: layout and painting, the same for every surface that cairo has. */
#ifndef BINE_TOOLS_DRAW_DRAW_PICTURE_H
#define BINE_TOOLS_DRAW_DRAW_PICTURE_H

#include "draw/draw.h"

#include "draw/draw_pen.h"

struct bine_picture {
    const struct bine_drawing *d;
    double width, height;
    double text;                /* how much larger the words around the drawing are than usual */
    double key;                 /* height of the key */
    double left, top;           /* the middle of the leftmost box of level 0 */
    double pitch, row;          /* between columns, between levels */
    double box_w, box_h;        /* a rank's box */
    double number, label, note; /* font sizes */
    int across;                 /* panels of a torus side by side */
    double tag;  /* height of the labels at the ends of arrows; 0: they are on the lines */
    int most;    /* blocks in the largest message */
    int crowded; /* there are labels that had to be left out */
};

/* The slanted part of an arrow: it leaves the boxes straight where labels stand beside them. */
struct bine_picture_line {
    double x1, y1, x2, y2;
};

struct bine_picture bine_picture_plan(const struct bine_drawing *d);
/* A torus: for each step a picture of it (draw_torus_picture.c). */
struct bine_picture bine_torus_plan(const struct bine_drawing *d);
int bine_torus_paint(const struct bine_picture *g, cairo_t *cr); /* 0, or -1 */
/* Paint it all; 0, or -1 if the surface has failed. Destroys the surface's context, not it. */
int bine_picture_paint(const struct bine_picture *g, cairo_surface_t *surface, double scale);

double bine_picture_x(const struct bine_picture *g, int rank);
double bine_picture_y(const struct bine_picture *g, int level);
struct bine_picture_line bine_picture_line_of(const struct bine_picture *g,
                                              const struct bine_arrow *a);
/* How much larger the words around a drawing of some width are: as large as those of a smaller one
 * when both fill a slide. */
double bine_picture_text(double width);
/* The width of the title and of what the algorithm is. */
double bine_picture_heading_width(const struct bine_picture *g, cairo_t *cr);
/* White paper, the title and what the algorithm is. */
void bine_picture_heading(const struct bine_picture *g, cairo_t *cr);
/* Place the labels, and paint them if asked; returns how many have no place and are left out. */
int bine_picture_labels(const struct bine_picture *g, cairo_t *cr, int paint);
/* Which end of an arrow its label is at: -1 the sender's, 1 the receiver's, 0 neither. */
int bine_picture_tag_end(const struct bine_picture *g, const struct bine_arrow *a);
/* A rank's box, with its number unless the font's size is 0: in its group's colour, with an edge
 * that stands out if it is the source. */
void bine_picture_box(const struct bine_drawing *d, cairo_t *cr, int rank, double x, double y,
                      double width, double height, double font);
enum bine_colour bine_picture_part_colour(int part);
enum bine_colour bine_picture_arrow_colour(const struct bine_drawing *d,
                                           const struct bine_arrow *a);
/* The key below the drawing, between x and right, its first line at y; returns its height. */
double bine_picture_key(const struct bine_picture *g, cairo_t *cr, double x, double y,
                        double right);

/* For cairo's stream functions; the closure is a FILE. */
cairo_status_t bine_picture_stream(void *file, const unsigned char *data, unsigned int length);

#endif
