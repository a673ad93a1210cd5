#include "draw/draw_picture.h"

#include <math.h>

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
