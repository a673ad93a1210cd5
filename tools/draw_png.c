#include "draw_picture.h"

#include <math.h>

/* Twice the resolution of a screen: sharp on a projector. */
enum { SCALE = 2 };

int bine_draw_png(const struct bine_drawing *d, FILE *file) {
    struct bine_picture g = bine_picture_plan(d);
    cairo_surface_t *s = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(SCALE * g.width),
                                                    (int)ceil(SCALE * g.height));
    int rc = bine_picture_paint(&g, s, SCALE);
    if (rc == 0 &&
        cairo_surface_write_to_png_stream(s, bine_picture_stream, file) != CAIRO_STATUS_SUCCESS)
        rc = -1;
    cairo_surface_destroy(s);
    return rc;
}
