/* Drawings as text. Messages are level lines in the row of their step; messages that would overlap
 * get rows (lanes) of their own; two ranks that send each other the same share one line.
 *
 *     step 0  ┄┄┄┄┄┄●━━━━━━━━━━━▶[3]┄┄┄
 *                   │             │
 *     step 1  [7]◀━━●             ●━━▶[4]
 */
#include "base/numbers.h"
#include "draw/draw.h"
#include "draw/draw_canvas.h"
#include "draw/draw_torus.h"

#include <stdlib.h>
#include <string.h>

enum { GUTTER = 10 };

struct line {
    const struct bine_arrow *a;
    const struct bine_arrow *back; /* the way back, where it shares the line; or NULL */
    int left, right;               /* columns */
    int lane;
};

struct page {
    const struct bine_drawing *d;
    struct bine_canvas canvas;
    struct line *line; /* in the order of steps, then of left ends */
    uint32_t nlines;
    int *lanes; /* of each step */
    int *arrive,
        *depart; /* the lane in which a rank last receives and sends, in the step at hand */
    int pitch;
};

static int x_of(const struct page *g, int rank) {
    return GUTTER + 1 + bine_draw_column(g->d, rank) * g->pitch;
}

/* The message of the same step the other way round, if it looks the same. Arrows are in the order
 * of step, sender, receiver. */
static const struct bine_arrow *way_back(const struct bine_drawing *d, const struct bine_arrow *a) {
    uint32_t low = 0, high = d->narrows;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        const struct bine_arrow *x = &d->arrow[mid];
        if (x->step == a->step && x->from == a->to && x->to == a->from)
            return strcmp(x->label, a->label) == 0 && x->adds == a->adds ? x : NULL;
        if (x->step < a->step ||
            (x->step == a->step && (x->from < a->to || (x->from == a->to && x->to < a->from))))
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

static int line_order(const void *a, const void *b) {
    const struct line *x = a, *y = b;
    if (x->a->step != y->a->step)
        return x->a->step < y->a->step ? -1 : 1;
    if (x->left != y->left)
        return x->left < y->left ? -1 : 1;
    return x->right != y->right ? x->right - y->right : x->a->from - y->a->from;
}

static void make_lines(struct page *g) {
    const struct bine_drawing *d = g->d;
    for (uint32_t i = 0; i < d->narrows; i++) {
        const struct bine_arrow *a = &d->arrow[i], *back = way_back(d, a);
        int from = bine_draw_column(d, a->from), to = bine_draw_column(d, a->to);
        if (back == NULL || back > a)
            g->line[g->nlines++] =
                (struct line){a, back, bine_min(from, to), bine_max(to, from), 0};
    }
    if (g->nlines > 0)
        qsort(g->line, g->nlines, sizeof *g->line, line_order);
}

/* Each line takes the first lane that is free: no more lanes than lines over any one column. */
static void make_lanes(struct page *g) {
    int *end = g->arrive; /* scratch: the last column taken in each lane */
    for (int j = 0; j < g->d->steps; j++)
        g->lanes[j] = 0;
    for (uint32_t i = 0; i < g->nlines; i++) {
        struct line *l = &g->line[i];
        int *lanes = &g->lanes[l->a->step], k = 0;
        while (k < *lanes && end[k] >= l->left)
            k++;
        l->lane = k;
        end[k] = l->right;
        *lanes = k < *lanes ? *lanes : k + 1;
    }
}

static int digits(int number) {
    return number > 99 ? 3 : number > 9 ? 2 : 1;
}

static int measure_pitch(const struct bine_drawing *d) {
    int pitch = d->p <= 10 ? 6 : d->p <= 16 ? 5 : 4, wide = digits(d->p - 1);
    for (uint32_t i = 0; i < d->narrows; i++) {
        int need = (int)strlen(d->arrow[i].label);
        need = need > 0 ? need + wide + 3 : 0;
        pitch = bine_max(need, pitch);
    }
    for (int most = 1 << (pitch - 1); d->note != NULL && most < d->p; most *= 2)
        pitch++;
    return pitch;
}

static void put_box(struct page *g, int row, int rank) {
    char text[16];
    snprintf(text, sizeof text, "[%d]", rank);
    bine_canvas_text(&g->canvas, row, x_of(g, rank) - 1, text,
                     rank == g->d->source ? BINE_INK_ROOT : BINE_INK_PLAIN);
}

static enum bine_ink ink_of(const struct page *g, const struct line *l) {
    int marked = l->a->marked || (l->back != NULL && l->back->marked);
    return g->d->highlight && marked ? BINE_INK_WAY : BINE_INK_MESSAGE;
}

/* A line is heavy where it stands out, and in trees. */
static int is_heavy(const struct page *g, const struct line *l) {
    return g->d->wish->kind == BINE_DRAW_TREE || ink_of(g, l) == BINE_INK_WAY;
}

/* The end of a line at a rank: its head (of the message that arrives there), or the sender's mark.
 * Returns the last cell that is taken. */
static int put_end(struct page *g, int row, const struct line *l, int rank, int side) {
    const struct bine_drawing *d = g->d;
    const struct bine_arrow *in = l->a->to == rank ? l->a : l->back;
    int x = x_of(g, rank), heavy = is_heavy(g, l);
    enum bine_ink ink = ink_of(g, l);
    if (in == NULL) {
        bine_canvas_put(&g->canvas, row, x, BINE_GLYPH_SEND, ink);
        return x;
    }
    int hollow = heavy && d->highlight && !in->marked;
    int head = side > 0 ? (hollow ? BINE_GLYPH_LEFT_HOLLOW : BINE_GLYPH_LEFT)
                        : (hollow ? BINE_GLYPH_RIGHT_HOLLOW : BINE_GLYPH_RIGHT);
    int at = x + side;
    if (!bine_draw_alive(d, in->step, rank)) {
        put_box(g, row, rank);
        at = side > 0 ? x + 1 + digits(rank) : x - 2;
    } else if (in->adds) {
        bine_canvas_put(&g->canvas, row, x, BINE_GLYPH_ADD, ink);
    }
    bine_canvas_put(&g->canvas, row, at, head, ink);
    return at;
}

/* In the gap beside the sender, where no lifetime passes. */
static void put_label(struct page *g, int row, const struct line *l, int left, int right) {
    int from = l->back != NULL ? left : x_of(g, l->a->from), n = (int)strlen(l->a->label);
    int low = left + 1, high = right - 1;
    if (from <= left && high > from + g->pitch - 1)
        high = from + g->pitch - 1;
    if (from >= right && low < from - g->pitch + 1)
        low = from - g->pitch + 1;
    bine_canvas_text(&g->canvas, row, low + (high - low + 1 - n) / 2, l->a->label, BINE_INK_PLAIN);
}

static void put_line(struct page *g, int row, const struct line *l) {
    int forward = bine_draw_column(g->d, l->a->from) < bine_draw_column(g->d, l->a->to);
    int left = put_end(g, row, l, forward ? l->a->from : l->a->to, 1);
    int right = put_end(g, row, l, forward ? l->a->to : l->a->from, -1);
    int heavy = is_heavy(g, l);
    for (int x = left + 1; x < right; x++) {
        int crossing = bine_canvas_at(&g->canvas, row, x) == BINE_GLYPH_LIFE;
        int glyph = crossing ? (heavy ? BINE_GLYPH_HEAVY_CROSS : BINE_GLYPH_LINE_CROSS)
                             : (heavy ? BINE_GLYPH_HEAVY : BINE_GLYPH_LINE);
        bine_canvas_put(&g->canvas, row, x, glyph, ink_of(g, l));
    }
    if (l->a->label[0] != '\0')
        put_label(g, row, l, left, right);
}

/* Lifetimes between steps. */
static void put_lives(struct page *g, int row, int level) {
    for (int r = 0; r < g->d->p; r++)
        if (bine_draw_alive(g->d, level, r))
            bine_canvas_put(&g->canvas, row, x_of(g, r), BINE_GLYPH_LIFE, BINE_INK_DIM);
}

/* Lifetimes beside the messages of a step: from the lane of arrival, to the lane of departure. */
static void put_step_lives(struct page *g, int top, int step) {
    const struct bine_drawing *d = g->d;
    for (int r = 0; r < d->p; r++) {
        int before = bine_draw_alive(d, step, r), after = bine_draw_alive(d, step + 1, r);
        for (int k = 0; k < (g->lanes[step] > 0 ? g->lanes[step] : 1); k++)
            if ((before && after) || (after && k > g->arrive[r]) || (before && k < g->depart[r]))
                bine_canvas_put(&g->canvas, top + k, x_of(g, r), BINE_GLYPH_LIFE, BINE_INK_DIM);
    }
}

static int put_step(struct page *g, int top, int step, uint32_t *next) {
    char name[16];
    uint32_t end = *next;
    for (int r = 0; r < g->d->p; r++)
        g->arrive[r] = g->depart[r] = -1;
    for (; end < g->nlines && g->line[end].a->step == step; end++) {
        const struct line *l = &g->line[end];
        g->arrive[l->a->to] = bine_max(l->lane, g->arrive[l->a->to]);
        g->depart[l->a->from] = bine_max(l->lane, g->depart[l->a->from]);
    }
    snprintf(name, sizeof name, "step %d", step);
    bine_canvas_text(&g->canvas, top, 0, name, BINE_INK_DIM);
    for (int x = GUTTER - 1; x < g->canvas.columns - 1; x++)
        bine_canvas_put(&g->canvas, top, x, BINE_GLYPH_DASH, BINE_INK_DIM);
    put_step_lives(g, top, step);
    for (; *next < end; ++*next)
        put_line(g, top + g->line[*next].lane, &g->line[*next]);
    return top + (g->lanes[step] > 0 ? g->lanes[step] : 1);
}

static void put_notes(struct page *g, int row) {
    const struct bine_drawing *d = g->d;
    bine_canvas_text(&g->canvas, row, 0, d->note_name, BINE_INK_DIM);
    for (int r = 0; r < d->p; r++) {
        char bits[33] = "";
        int n = 0;
        for (int bit = d->p / 2; bit > 0; bit /= 2)
            bits[n++] = d->note[r] & (uint32_t)bit ? '1' : '0';
        bine_canvas_text(&g->canvas, row, x_of(g, r) - (n - 1) / 2, bits, BINE_INK_PLAIN);
    }
}

static void put_boxes(struct page *g, int row, int level) {
    for (int r = 0; r < g->d->p; r++)
        if (bine_draw_has_box(g->d, level, r))
            put_box(g, row, r);
}

static void paint(struct page *g) {
    const struct bine_drawing *d = g->d;
    int row = 0, tree = d->wish->kind == BINE_DRAW_TREE;
    uint32_t next = 0;
    put_boxes(g, row++, 0);
    for (int j = 0; j < d->steps; j++) {
        put_lives(g, row++, j);
        row = put_step(g, row, j, &next);
    }
    if (!tree && d->steps > 0) {
        put_lives(g, row++, d->steps);
        put_boxes(g, row++, d->steps);
    }
    if (d->note != NULL)
        put_notes(g, row + 1);
}

static int open_page(struct page *g, const struct bine_drawing *d) {
    size_t p = (size_t)d->p, most = bine_max(p, d->narrows);
    *g = (struct page){.d = d, .pitch = measure_pitch(d)};
    g->line = malloc((d->narrows + 1) * sizeof *g->line);
    g->lanes = malloc(((size_t)d->steps + 1) * sizeof *g->lanes);
    g->arrive = malloc(most * sizeof *g->arrive);
    g->depart = malloc(p * sizeof *g->depart);
    if (g->line == NULL || g->lanes == NULL || g->arrive == NULL || g->depart == NULL)
        return -1;
    make_lines(g);
    make_lanes(g);
    int rows = 1 + d->steps + (d->wish->kind != BINE_DRAW_TREE && d->steps > 0 ? 2 : 0);
    for (int j = 0; j < d->steps; j++)
        rows += g->lanes[j] > 0 ? g->lanes[j] : 1;
    rows += d->note != NULL ? 2 : 0;
    return bine_canvas_open(&g->canvas, rows, GUTTER + 2 + (d->p - 1) * g->pitch + 3);
}

static void close_page(struct page *g) {
    bine_canvas_close(&g->canvas);
    free(g->line);
    free(g->lanes);
    free(g->arrive);
    free(g->depart);
}

/* Which ranks are in which group: text has no colours for them. */
static void write_groups(const struct bine_drawing *d, FILE *file, const char *before) {
    char text[BINE_DRAW_RANKS];
    const struct bine_groups *groups = d->wish->request.groups;
    int n = groups == NULL ? 0 : bine_groups_count(groups);
    if (n > 0)
        fprintf(file, "%sgroups of ranks: ", before);
    for (int i = 0; i < n && i < BINE_DRAW_GROUPS; i++)
        fprintf(file, "%s%s", i == 0 ? "" : " | ", bine_draw_group_ranks(d, i, text));
    if (n > BINE_DRAW_GROUPS)
        fprintf(file, " | and %d more", n - BINE_DRAW_GROUPS);
    if (n > 0)
        putc('\n', file);
}

static void write_key(const struct bine_drawing *d, FILE *file) {
    const char *meaning = bine_draw_label_meaning(d);
    int ascii = d->wish->ascii;
    char way[32];
    if (d->highlight) {
        const char *heavy = bine_glyph_text(BINE_GLYPH_HEAVY, ascii);
        bine_draw_way_name(d, way, sizeof way);
        fprintf(file, "\n%s%s%s %s", heavy, heavy, bine_glyph_text(BINE_GLYPH_RIGHT, ascii), way);
    }
    if (bine_draw_adds(d))
        fprintf(file, "%s%s adds up", d->highlight ? "   " : "\n",
                bine_glyph_text(BINE_GLYPH_ADD, ascii));
    if (meaning != NULL)
        fprintf(file, "%son the arrows: %s", d->highlight || bine_draw_adds(d) ? "   " : "\n",
                meaning);
    int some = d->highlight || bine_draw_adds(d) || meaning != NULL;
    if (some)
        putc('\n', file);
    write_groups(d, file, some ? "" : "\n");
}

int bine_draw_text(const struct bine_drawing *d, FILE *file) {
    struct page g;
    if (d->wish->kind == BINE_DRAW_TORUS)
        return bine_torus_text(d, file);
    int rc = open_page(&g, d);
    if (rc == 0) {
        paint(&g);
        fprintf(file, "%s: %s\n\n", d->title, d->about);
        bine_canvas_write(&g.canvas, file, d->wish->ascii, d->wish->colour);
        write_key(d, file);
        rc = ferror(file) ? -1 : 0;
    }
    close_page(&g);
    return rc;
}
