/* The key of a picture: samples and what they mean, in as many lines as it takes. */
#include "draw/draw_picture.h"

#include "cli/command.h"

enum { LINE = 20, SPACE = 22 };
static const double font = 11.5;

struct key {
    cairo_t *cr;
    double left, right;
    double x, y;
};

/* Go to where an entry of some width is put, on the next line if it does not fit on this one. */
static void place(struct key *k, double width) {
    if (k->x > k->left && k->x + width > k->right) {
        k->x = k->left;
        k->y += LINE;
    }
}

/* A sample of some width has been painted at the right place: its meaning. */
static void explain(struct key *k, double sample, const char *text) {
    bine_pen_colour(k->cr, BINE_COLOUR_SOFT);
    bine_pen_text(k->cr, k->x + sample, k->y, text, font, 0, BINE_ALIGN_LEFT);
    k->x += sample + bine_pen_text_width(k->cr, text, font, 0) + SPACE;
}

static void explain_arrow(struct key *k, enum bine_colour colour, const char *text) {
    place(k, 37 + bine_pen_text_width(k->cr, text, font, 0));
    bine_pen_colour(k->cr, colour);
    bine_pen_arrow(k->cr, k->x, k->y, k->x + 30, k->y, 1.8);
    explain(k, 37, text);
}

static void explain_source(struct key *k, const struct bine_drawing *d, const char *text) {
    place(k, 25 + bine_pen_text_width(k->cr, text, font, 0));
    bine_picture_box(d, k->cr, d->source, k->x + 9, k->y, 18, 13, 0);
    explain(k, 25, text);
}

/* A group by one of its ranks: its colour, and who is in it. */
static void explain_groups(struct key *k, const struct bine_drawing *d) {
    const struct bine_groups *groups = d->wish->request.groups;
    char ranks[BINE_DRAW_RANKS], text[BINE_DRAW_RANKS + 40];
    int n = groups == NULL ? 0 : bine_groups_count(groups);
    for (int i = 0; i < n && i < BINE_DRAW_GROUPS; i++) {
        const struct bine_level *l = &groups->level[1];
        snprintf(text, sizeof text, "group %d: rank%s %s", i,
                 bine_plural(l->begin[i + 1] - l->begin[i]), bine_draw_group_ranks(d, i, ranks));
        place(k, 25 + bine_pen_text_width(k->cr, text, font, 0));
        bine_picture_box(d, k->cr, groups->member[l->begin[i]], k->x + 9, k->y, 18, 13, 0);
        explain(k, 25, text);
    }
    snprintf(text, sizeof text, "and %d more groups", n - BINE_DRAW_GROUPS);
    if (n > BINE_DRAW_GROUPS) {
        place(k, bine_pen_text_width(k->cr, text, font, 0));
        explain(k, 0, text);
    }
}

static void explain_words(struct key *k, const char *text) {
    place(k, bine_pen_text_width(k->cr, text, font, 0));
    explain(k, 0, text);
}

/* Whether there are arrows inside groups that do not add up, or do; or arrows between groups. */
static int any_inside(const struct bine_drawing *d, int adds) {
    for (uint32_t i = 0; i < d->narrows; i++)
        if (!bine_draw_crosses(d, &d->arrow[i]) && d->arrow[i].adds == adds)
            return 1;
    return 0;
}

static int any_crossing(const struct bine_drawing *d) {
    for (uint32_t i = 0; i < d->narrows; i++)
        if (bine_draw_crosses(d, &d->arrow[i]))
            return 1;
    return 0;
}

static int widths_differ(const struct bine_drawing *d) {
    for (uint32_t i = 1; i < d->narrows && d->wish->kind == BINE_DRAW_SCHEDULE; i++)
        if (d->arrow[i].blocks != d->arrow[0].blocks)
            return 1;
    return 0;
}

static void explain_parts(struct key *k, int parts) {
    char text[24];
    for (int part = 0; part < parts; part++) {
        snprintf(text, sizeof text, "part %d", part);
        explain_arrow(k, bine_picture_part_colour(part), text);
    }
}

static void explain_arrows(struct key *k, const struct bine_drawing *d) {
    char way[32];
    if (d->highlight) {
        bine_draw_way_name(d, way, sizeof way);
        explain_arrow(k, BINE_COLOUR_VERMILION, way);
        explain_arrow(k, BINE_COLOUR_FAINT, "other messages");
        return;
    }
    if (bine_draw_has_parts(d->wish)) {
        explain_parts(k, d->wish->request.ports);
        return;
    }
    if (any_inside(d, 0))
        explain_arrow(k, BINE_COLOUR_BLUE, "message");
    if (any_inside(d, 1))
        explain_arrow(k, BINE_COLOUR_GREEN, "message that is added up");
    if (any_crossing(d))
        explain_arrow(k, BINE_COLOUR_VERMILION, "message between groups");
}

double bine_picture_key(const struct bine_picture *g, cairo_t *cr, double x, double y,
                        double right) {
    const struct bine_drawing *d = g->d;
    struct key k = {cr, x, x + (right - x) / g->text, x, y};
    const char *meaning = bine_draw_label_meaning(d);
    char text[64];
    cairo_save(cr);
    cairo_translate(cr, x, y);
    cairo_scale(cr, g->text, g->text);
    cairo_translate(cr, -x, -y);
    snprintf(text, sizeof text, "rank %d", d->source);
    if (d->source >= 0)
        explain_source(&k, d,
                       bine_collective_is_rooted(d->wish->request.algorithm->collective) ? "root"
                                                                                         : text);
    explain_arrows(&k, d);
    snprintf(text, sizeof text, "labels: %s%s", meaning != NULL ? meaning : "",
             g->crowded ? ", where there is room" : "");
    if (meaning != NULL)
        explain_words(&k, text);
    if (widths_differ(d))
        explain_words(&k, "line width: number of blocks");
    explain_groups(&k, d);
    cairo_restore(cr);
    return g->text * (k.y - y + LINE);
}
