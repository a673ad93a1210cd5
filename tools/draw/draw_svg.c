#include "draw/draw_picture.h"

#include <cairo-svg.h>

int bine_draw_svg(const struct bine_drawing *d, FILE *file) {
    struct bine_picture g = bine_picture_plan(d);
    cairo_surface_t *s =
        cairo_svg_surface_create_for_stream(bine_picture_stream, file, g.width, g.height);
    int rc = bine_picture_paint(&g, s, 1);
    cairo_surface_finish(s);
    rc = rc == 0 && cairo_surface_status(s) == CAIRO_STATUS_SUCCESS ? 0 : -1;
    cairo_surface_destroy(s);
    return rc;
}
