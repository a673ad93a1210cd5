/* The machine as a picture: a box for each part with ranks, in it a cell for each node of the job
 * and a dot for each other node. */
#define _XOPEN_SOURCE 700 /* open_memstream */
#include "cli/output/output_file.h"
#include "draw/draw_picture.h"
#include "draw/machine_map.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 1000, MARGIN = 16, CELL_HEIGHT = 34, ACROSS = 8, DOT = 5, DOT_PITCH = 8, DOTS = 600 };
static const double small = 9, normal = 11, large = 15;

/* A box with its place, relative to the one around it. */
struct box {
    double x, y, width, height;
};

struct picture {
    const struct bine_map *m;
    double cell; /* width of a node's cell */
    struct box *part, *above;
    double width, height;
};

static long dots_of(const struct bine_map_part *p) {
    long n = p->all - p->nodes;
    return n < 0 ? 0 : n > DOTS ? DOTS : n;
}

static int across(const struct bine_map_part *p) {
    return p->nodes < ACROSS ? p->nodes : ACROSS;
}

static int dots_across(const struct picture *g, const struct bine_map_part *p) {
    int cells = (int)(across(p) * g->cell / DOT_PITCH);
    return cells > 30 ? cells : 30;
}

/* Text is measured roughly: places must not depend on the fonts of a computer. */
static double text_width(const char *text, double size) {
    return 0.62 * size * (double)strlen(text);
}

static void size_part(const struct picture *g, const struct bine_map_part *p, struct box *b) {
    char title[BINE_MAP_TITLE];
    long dots = dots_of(p);
    int columns = dots_across(g, p);
    bine_map_part_title(p, title);
    b->width = fmax(across(p) * g->cell, text_width(title, normal));
    b->width = fmax(b->width, (double)(dots < columns ? dots : columns) * DOT_PITCH) + 2 * 8;
    b->height = 24 + ceil((double)p->nodes / ACROSS) * CELL_HEIGHT +
                ceil((double)dots / columns) * DOT_PITCH + 10;
}

/* Put boxes side by side, and below each other where the width is used up. */
struct shelf {
    double x, y, height, left, right, widest;
};

static void put(struct shelf *s, struct box *b) {
    if (s->x > s->left && s->x + b->width > s->right) {
        s->x = s->left;
        s->y += s->height + 10;
        s->height = 0;
    }
    b->x = s->x;
    b->y = s->y;
    s->x += b->width + 10;
    s->height = fmax(s->height, b->height);
    s->widest = fmax(s->widest, s->x - 10);
}

static void plan_above(struct picture *g, int a, struct shelf *page) {
    struct shelf inside = {.x = 10, .y = 28, .left = 10, .right = PAGE - 2 * MARGIN};
    for (int i = 0; i < g->m->parts; i++)
        if (g->m->part[i].above == a)
            put(&inside, &g->part[i]);
    g->above[a].width = inside.widest + 10;
    g->above[a].height = inside.y + inside.height + 10;
    put(page, &g->above[a]);
}

static int plan(struct picture *g, const struct bine_map *m) {
    struct shelf page = {.x = MARGIN, .y = 46, .left = MARGIN, .right = PAGE};
    size_t longest = 4;
    *g = (struct picture){.m = m,
                          .part = calloc((size_t)m->parts + 1, sizeof *g->part),
                          .above = calloc((size_t)m->aboves + 1, sizeof *g->above)};
    if (g->part == NULL || g->above == NULL)
        return -1;
    for (int i = 0; i < m->nodes; i++) {
        size_t host = strlen(m->node[i].host), ranks = strlen(m->node[i].ranks);
        longest = host > longest ? host : longest;
        longest = ranks > longest ? ranks : longest;
    }
    g->cell = 0.62 * normal * (double)(longest < 20 ? longest : 20) + 10;
    for (int i = 0; i < m->parts; i++)
        size_part(g, &m->part[i], &g->part[i]);
    for (int a = 0; a < m->aboves; a++)
        plan_above(g, a, &page);
    for (int i = 0; i < m->parts && m->aboves == 0; i++)
        put(&page, &g->part[i]);
    g->width = fmax(page.widest + MARGIN, 420);
    g->height = page.y + page.height + MARGIN;
    return 0;
}

static enum bine_colour light(int part) {
    return (enum bine_colour)(BINE_COLOUR_GROUPS + part % BINE_COLOUR_GROUP_KINDS);
}

/* A box by its upper left corner. */
static void box_at(cairo_t *cr, double x, double y, double width, double height,
                   enum bine_colour fill, enum bine_colour edge) {
    bine_pen_box(cr, x + width / 2, y + height / 2, width, height, fill, edge);
}

static void paint_dots(const struct picture *g, cairo_t *cr, const struct bine_map_part *p,
                       double x, double y) {
    int columns = dots_across(g, p);
    bine_pen_colour(cr, BINE_COLOUR_FAINT);
    for (long k = 0; k < dots_of(p); k++) {
        cairo_rectangle(cr, x + (double)(k % columns) * DOT_PITCH,
                        y + (double)(k / columns) * DOT_PITCH, DOT, DOT);
        cairo_fill(cr);
    }
}

static void paint_part(const struct picture *g, cairo_t *cr, int part, double x, double y) {
    const struct bine_map_part *p = &g->m->part[part];
    const struct box *b = &g->part[part];
    char title[BINE_MAP_TITLE];
    int k = 0;
    bine_map_part_title(p, title);
    box_at(cr, x, y, b->width, b->height, BINE_COLOUR_WHITE, BINE_COLOUR_SOFT);
    bine_pen_colour(cr, BINE_COLOUR_INK);
    bine_pen_text(cr, x + 8, y + 13, title, normal, 1, BINE_ALIGN_LEFT);
    for (int i = 0; i < g->m->nodes; i++) {
        const struct bine_map_node *n = &g->m->node[i];
        if (n->part != part)
            continue;
        double left = x + 8 + (k % ACROSS) * g->cell,
               top = y + 24 + (double)(k / ACROSS) * CELL_HEIGHT;
        box_at(cr, left, top, g->cell - 4, CELL_HEIGHT - 4, light(part), BINE_COLOUR_FAINT);
        bine_pen_colour(cr, BINE_COLOUR_SOFT);
        bine_pen_text(cr, left + (g->cell - 4) / 2, top + 8, n->host, small, 0, BINE_ALIGN_CENTRE);
        bine_pen_colour(cr, BINE_COLOUR_INK);
        bine_pen_text(cr, left + (g->cell - 4) / 2, top + 21, n->ranks, normal, 1,
                      BINE_ALIGN_CENTRE);
        k++;
    }
    paint_dots(g, cr, p, x + 8, y + 26 + ceil((double)k / ACROSS) * CELL_HEIGHT);
}

static void paint_above(const struct picture *g, cairo_t *cr, int a) {
    char title[BINE_MAP_TITLE];
    const struct box *b = &g->above[a];
    bine_map_part_title(&g->m->above[a], title);
    box_at(cr, b->x, b->y, b->width, b->height, BINE_COLOUR_WHITE, BINE_COLOUR_INK);
    bine_pen_colour(cr, BINE_COLOUR_INK);
    bine_pen_text(cr, b->x + 10, b->y + 15, title, normal, 1, BINE_ALIGN_LEFT);
}

static int paint(const struct picture *g, cairo_surface_t *surface, double scale) {
    char title[BINE_MAP_TITLE];
    cairo_t *cr = cairo_create(surface);
    cairo_scale(cr, scale, scale);
    bine_pen_colour(cr, BINE_COLOUR_WHITE);
    cairo_paint(cr);
    bine_map_title(g->m, title);
    bine_pen_colour(cr, BINE_COLOUR_INK);
    bine_pen_text(cr, MARGIN, 22, title, large, 1, BINE_ALIGN_LEFT);
    for (int a = 0; a < g->m->aboves; a++)
        paint_above(g, cr, a);
    for (int i = 0; i < g->m->parts; i++) {
        int a = g->m->part[i].above;
        paint_part(g, cr, i, g->part[i].x + (a >= 0 ? g->above[a].x : 0),
                   g->part[i].y + (a >= 0 ? g->above[a].y : 0));
    }
    int rc = cairo_status(cr) == CAIRO_STATUS_SUCCESS ? 0 : -1;
    cairo_destroy(cr);
    return rc;
}

static int write_vector(const struct picture *g, cairo_surface_t *s) {
    int rc = paint(g, s, 1);
    cairo_surface_finish(s);
    rc = rc == 0 && cairo_surface_status(s) == CAIRO_STATUS_SUCCESS ? 0 : -1;
    cairo_surface_destroy(s);
    return rc;
}

static int write_svg(const struct picture *g, FILE *f) {
    return write_vector(
        g, cairo_svg_surface_create_for_stream(bine_picture_stream, f, g->width, g->height));
}

static int write_pdf(const struct picture *g, FILE *f) {
    return write_vector(
        g, cairo_pdf_surface_create_for_stream(bine_picture_stream, f, g->width, g->height));
}

static int write_png(const struct picture *g, FILE *f) {
    double scale = fmin(2, 32000 / fmax(g->width, g->height));
    cairo_surface_t *s = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(scale * g->width),
                                                    (int)ceil(scale * g->height));
    int rc = paint(g, s, scale);
    if (rc == 0 &&
        cairo_surface_write_to_png_stream(s, bine_picture_stream, f) != CAIRO_STATUS_SUCCESS)
        rc = -1;
    cairo_surface_destroy(s);
    return rc;
}

static int write_text(const struct picture *g, FILE *f) {
    bine_map_text(g->m, f);
    return 0;
}

static const struct {
    const char *ending;
    int (*write)(const struct picture *g, FILE *f);
} formats[] = {{".svg", write_svg}, {".png", write_png}, {".pdf", write_pdf}, {".txt", write_text}};

int bine_map_save(const struct bine_map *m, const char *file) {
    struct picture g;
    char *text = NULL;
    size_t size = 0, length = strlen(file), k = 0, kinds = sizeof formats / sizeof *formats;
    while (k < kinds && (length < 5 || strcmp(file + length - 4, formats[k].ending) != 0))
        k++;
    if (k == kinds)
        return -2;
    FILE *f = open_memstream(&text, &size);
    int failed = f == NULL || plan(&g, m) != 0 || formats[k].write(&g, f) != 0;
    failed |= f != NULL && fclose(f) != 0;
    free(g.part);
    free(g.above);
    int why = failed ? ENOMEM : bine_output_file_write(file, text, size);
    free(text);
    errno = why;
    return why == 0 ? 0 : -1;
}
