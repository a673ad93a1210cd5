/* Pictures as SVG, PDF and PNG: the surfaces of cairo that they are painted on. */
#include "draw/draw_picture.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>

/* Paint on a surface that writes to a stream, and let go of it. */
static int paint_stream(const struct bine_picture *g, cairo_surface_t *s) {
    int rc = bine_picture_paint(g, s, 1);
    cairo_surface_finish(s);
    rc = rc == 0 && cairo_surface_status(s) == CAIRO_STATUS_SUCCESS ? 0 : -1;
    cairo_surface_destroy(s);
    return rc;
}

int bine_draw_svg(const struct bine_drawing *d, FILE *file) {
    struct bine_picture g = bine_picture_plan(d);
    return paint_stream(
        &g, cairo_svg_surface_create_for_stream(bine_picture_stream, file, g.width, g.height));
}

int bine_draw_pdf(const struct bine_drawing *d, FILE *file) {
    struct bine_picture g = bine_picture_plan(d);
    cairo_surface_t *s =
        cairo_pdf_surface_create_for_stream(bine_picture_stream, file, g.width, g.height);
    cairo_pdf_surface_set_metadata(s, CAIRO_PDF_METADATA_TITLE, d->title);
    return paint_stream(&g, s);
}

/* Twice the resolution of a screen: sharp on a projector. Less where the image would be larger than
 * cairo makes it (32767 pixels). */
static double choose_scale(const struct bine_picture *g) {
    double longest = fmax(g->width, g->height);
    return fmin(2, 32000 / longest);
}

int bine_draw_png(const struct bine_drawing *d, FILE *file) {
    struct bine_picture g = bine_picture_plan(d);
    double scale = choose_scale(&g);
    cairo_surface_t *s = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(scale * g.width),
                                                    (int)ceil(scale * g.height));
    int rc = bine_picture_paint(&g, s, scale);
    if (rc == 0 &&
        cairo_surface_write_to_png_stream(s, bine_picture_stream, file) != CAIRO_STATUS_SUCCESS)
        rc = -1;
    cairo_surface_destroy(s);
    return rc;
}
