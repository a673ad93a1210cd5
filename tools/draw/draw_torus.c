/* Tori: where ranks are, and text. */
#include "draw/draw_torus.h"

#include "base/numbers.h"

#include <stdlib.h>
#include <string.h>

struct bine_torus_grid bine_torus_grid_of(const struct bine_drawing *d) {
    const struct bine_shape *dims = d->wish->request.dims;
    if (dims->dims == 1)
        return (struct bine_torus_grid){1, dims->size[0]};
    return (struct bine_torus_grid){dims->size[0], dims->size[1]};
}

/* The shorter way round; upwards where both are as long, but between two places straight there, not
 * round the edge. */
static int way(int from, int to, int size) {
    if (size == 2)
        return to - from;
    int up = to >= from ? to - from : to - from + size;
    return 2 * up <= size ? up : up - size;
}

struct bine_torus_way bine_torus_way_of(const struct bine_torus_grid *g,
                                        const struct bine_arrow *a) {
    return (struct bine_torus_way){way(a->from / g->columns, a->to / g->columns, g->rows),
                                   way(a->from % g->columns, a->to % g->columns, g->columns)};
}

/* Down, up, right, left. */
static const char *const signs[][2] = {{"↓", "v"}, {"↑", "^"}, {"→", ">"}, {"←", "<"}};

/* What a rank sends in a step, as "3←0,↓7": appended to text; returns how wide it is. */
static int say_sends(const struct bine_drawing *d, const struct bine_torus_grid *g, int rank,
                     int step, char *text, size_t size) {
    int ascii = d->wish->ascii, n = 0, width;
    size_t at = (size_t)snprintf(text, size, "%d", rank);
    width = (int)at;
    for (uint32_t i = 0; i < d->narrows; i++) {
        const struct bine_arrow *a = &d->arrow[i];
        int again = i > 0 && a[-1].step == step && a[-1].from == rank && a[-1].to == a->to;
        if (a->step != step || a->from != rank || again || at + 32 > size)
            continue;
        struct bine_torus_way w = bine_torus_way_of(g, a);
        const char *down = w.down == 0 ? "" : signs[w.down < 0][ascii];
        const char *right = w.right == 0 ? "" : signs[2 + (w.right < 0)][ascii];
        int digits = snprintf(NULL, 0, "%d", a->to);
        at += (size_t)snprintf(text + at, size - at, "%s%s%s%d", n > 0 ? "," : "", down, right,
                               a->to);
        width += (n > 0) + (w.down != 0) + (w.right != 0) + digits;
        n++;
    }
    return width;
}

enum { CELL = 256 };

static int widest_cell(const struct bine_drawing *d, const struct bine_torus_grid *g) {
    char text[CELL];
    int widest = 0;
    for (int step = 0; step < d->steps; step++)
        for (int r = 0; r < d->p; r++) {
            int width = say_sends(d, g, r, step, text, sizeof text);
            widest = bine_max(width, widest);
        }
    return widest;
}

int bine_torus_text(const struct bine_drawing *d, FILE *file) {
    struct bine_torus_grid g = bine_torus_grid_of(d);
    int widest = widest_cell(d, &g);
    char text[CELL];
    fprintf(file, "%s: %s\n", d->title, d->about);
    for (int step = 0; step < d->steps; step++) {
        fprintf(file, "\nstep %d\n", step);
        for (int r = 0; r < d->p; r++) {
            int width = say_sends(d, &g, r, step, text, sizeof text);
            int last = r % g.columns == g.columns - 1;
            fprintf(file, "  %s%*s%s", text, last ? 0 : widest - width, "", last ? "\n" : "");
        }
    }
    return ferror(file) ? -1 : 0;
}
