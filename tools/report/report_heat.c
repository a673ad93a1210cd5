/* Heat maps, as HTML tables: a row for each size, a column for each number of ranks, or for each
 * collective where there is only one number of ranks. */
#include "report/report_page.h"

#include "cli/command.h"
#include "cli/options/bytes.h"
#include "cli/output/html.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct column {
    int collective;
    struct bine_report_setup setup;
    char label[BINE_SETUP_TEXT];
};

struct map {
    const struct bine_report *r;
    int system;
    struct column column[BINE_SETUPS_MOST];
    int columns;
    char *letter; /* of each algorithm in the page's legend, or 0 */
    char *taken;  /* letters in use */
    void (*write)(FILE *, struct map *, const struct bine_cell *);
};

static const struct bine_cell *find(const struct map *m, const struct column *c, int64_t bytes) {
    for (size_t i = 0; i < m->r->cells; i++) {
        const struct bine_cell *cell = &m->r->cell[i];
        if (cell->system == m->system && cell->collective == c->collective &&
            bine_setup_has(&c->setup, cell) && cell->row == bytes)
            return cell;
    }
    return NULL;
}

/* The next larger size in any column; -1 if there is none. */
static int64_t next_row(const struct map *m, int64_t after) {
    int64_t best = -1;
    for (size_t i = 0; i < m->r->cells; i++) {
        const struct bine_cell *cell = &m->r->cell[i];
        int64_t bytes = cell->row;
        if (cell->system != m->system || bytes <= after || (best >= 0 && bytes >= best))
            continue;
        for (int c = 0; c < m->columns; c++)
            if (m->column[c].collective == cell->collective &&
                bine_setup_has(&m->column[c].setup, cell))
                best = bytes;
    }
    return best;
}

static void write_map(FILE *f, struct map *m) {
    char size[BINE_BYTES_TEXT];
    fprintf(f, "<div class=wide><table class=heat><thead><tr><th>bytes</th>");
    for (int c = 0; c < m->columns; c++) {
        fprintf(f, "<th>");
        bine_html_text(f, m->column[c].label);
        fprintf(f, "</th>");
    }
    fprintf(f, "</tr></thead>\n<tbody>\n");
    for (int64_t row = next_row(m, -1); row >= 0; row = next_row(m, row)) {
        fprintf(f, "<tr><th>%s</th>", bine_bytes_text(row, size));
        for (int c = 0; c < m->columns; c++) {
            const struct bine_cell *cell = find(m, &m->column[c], row);
            if (cell == NULL)
                fprintf(f, "<td class=none></td>");
            else
                m->write(f, m, cell);
        }
        fprintf(f, "</tr>\n");
    }
    fprintf(f, "</tbody></table></div>\n");
}

static void add_column(struct map *m, int collective, const struct bine_report_setup *setup,
                       const char *label) {
    if (m->columns == BINE_SETUPS_MOST)
        return;
    struct column *c = &m->column[m->columns++];
    c->collective = collective;
    c->setup = *setup;
    snprintf(c->label, sizeof c->label, "%s", label);
}

/* One map of all collectives, or one for each; `show` tells which collectives have something. */
static void write_maps(FILE *f, struct map *m,
                       int (*show)(const struct bine_report *, int system, int collective)) {
    struct bine_report_setup setup[BINE_SETUPS_MOST];
    char label[BINE_SETUP_TEXT];
    int setups = bine_report_setups(m->r, m->system, -1, setup);
    m->columns = 0;
    for (int c = 0; setups == 1 && c < BINE_REPORT_COLLECTIVES; c++)
        if (show(m->r, m->system, c))
            add_column(m, c, &setup[0], bine_report_collectives[c].title);
    if (setups == 1) {
        bine_setup_text(m->r, &setup[0], label);
        fprintf(f, "<div class=maps><div><h4>%s</h4>\n", label);
        write_map(f, m);
        fprintf(f, "</div>");
    } else {
        fprintf(f, "<div class=maps>");
    }
    for (int c = 0; setups > 1 && c < BINE_REPORT_COLLECTIVES; c++) {
        if (!show(m->r, m->system, c))
            continue;
        int n = bine_report_setups(m->r, m->system, c, setup);
        m->columns = 0;
        for (int i = 0; i < n; i++) {
            bine_setup_text(m->r, &setup[i], label);
            add_column(m, c, &setup[i], label);
        }
        fprintf(f, "<div class=map><h4>%s</h4>\n", bine_report_collectives[c].title);
        write_map(f, m);
        fprintf(f, "</div>\n");
    }
    fprintf(f, "</div>\n");
}

/* A letter for an algorithm: D for the library's own choice and N for binomial trees, as in the
 * paper; else the first free one of its name, small for those inside the library. */
static char letter_of(struct map *m, const struct bine_measure *x) {
    const char *name = bine_measure_name(m->r, x);
    int inside = strncmp(name, "mpi:", 4) == 0;
    char *letter = &m->letter[x->algorithm];
    if (*letter != 0)
        return *letter;
    if (strcmp(name, "mpi") == 0)
        return *letter = 'D';
    if (strcmp(x->family, "binomial") == 0)
        return *letter = 'N';
    char word[256];
    snprintf(word, sizeof word, "%sABCDEFGHIJKLMNOPQRSTUVWXYZ", name + (inside ? 4 : 0));
    for (const char *at = word; *at != '\0'; at++) {
        int c = inside ? tolower((unsigned char)*at) : toupper((unsigned char)*at);
        if (isalpha((unsigned char)*at) && !m->taken[c] && c != 'D' && c != 'N') {
            m->taken[c] = 1;
            return *letter = (char)c;
        }
    }
    return *letter = '?';
}

/* The text that a cell shows under the mouse pointer. */
static void write_title(FILE *f, const struct map *m, const struct bine_cell *c,
                        const struct bine_measure *a, const struct bine_measure *b) {
    char size[BINE_BYTES_TEXT];
    fprintf(f, " title=\"%s, %s, %d rank%s: ", bine_report_collectives[c->collective].title,
            bine_bytes_text(c->bytes, size), c->ranks, bine_plural(c->ranks));
    const struct bine_measure *both[] = {a, b};
    for (int i = 0; i < 2; i++)
        if (both[i] != NULL) {
            fprintf(f, "%s", i == 0 ? "" : "; ");
            bine_html_text(f, bine_measure_name(m->r, both[i]));
            fprintf(f, " %.4g us (%.4g .. %.4g)", 1e6 * both[i]->summary.median,
                    1e6 * both[i]->summary.low, 1e6 * both[i]->summary.high);
        }
    fprintf(f, "\"");
}

/* Five shades of a gain, three of a loss. */
static int shade(double ratio, int most) {
    static const double steps[] = {1.05, 1.2, 1.5, 2};
    int n = 1;
    for (int i = 0; i < 4; i++)
        n += ratio >= steps[i];
    return n < most ? n : most;
}

static void write_duel(FILE *f, struct map *m, const struct bine_cell *c) {
    struct bine_duel d;
    if (!bine_cell_duel(m->r, c, BINE_SIDE_OTHERS, &d)) {
        fprintf(f, "<td class=none>&middot;</td>");
        return;
    }
    if (d.verdict == 0)
        fprintf(f, "<td class=tie");
    else
        fprintf(f, "<td class=%c%d", d.verdict > 0 ? 'w' : 'l',
                shade(d.verdict > 0 ? d.ratio : 1 / d.ratio, d.verdict > 0 ? 5 : 3));
    write_title(f, m, c, d.bine, d.other);
    if (d.verdict > 0)
        fprintf(f, ">%.2f</td>", d.ratio);
    else
        fprintf(f, ">%c</td>", d.verdict == 0 ? '=' : letter_of(m, d.other));
}

static void write_legend(FILE *f, const struct map *m) {
    int binomial = 0;
    fprintf(f,
            "<p class=key><span class=\"sw w3\">1.50</span> Bine is fastest, that many times as "
            "fast as the best other &ensp; <span class=\"sw tie\">=</span> no difference "
            "&ensp; <span class=\"sw l2\">X</span> another algorithm is faster; the stronger the "
            "colour, the more &ensp; <span class=\"sw none\">&middot;</span> only one side was "
            "measured");
    for (int i = 0; i < m->r->algorithms.count; i++) {
        if (m->letter[i] == 0 || (m->letter[i] == 'N' && binomial++))
            continue;
        fprintf(f, " &ensp; <b>%c</b>&nbsp;", m->letter[i]);
        if (m->letter[i] == 'N')
            fprintf(f, "binomial trees");
        else if (m->letter[i] == 'D')
            fprintf(f, "the MPI library's default");
        else
            bine_html_text(f, bine_names_text(&m->r->algorithms, i));
    }
    fprintf(f, "</p>\n");
}

static int has_duel(const struct bine_report *r, int system, int collective) {
    return bine_report_score(r, system, collective, BINE_SIDE_OTHERS).cells > 0;
}

/* Writing the maps assigns the letters, but the legend stands before them: write the maps first. */
static int run(FILE *f, struct map *m, int (*show)(const struct bine_report *, int, int)) {
    char *maps = NULL;
    size_t size;
    m->letter = calloc((size_t)m->r->algorithms.count + 1, 1);
    m->taken = calloc(256, 1);
    FILE *later = open_memstream(&maps, &size);
    int good = m->letter != NULL && m->taken != NULL && later != NULL;
    if (good)
        write_maps(later, m, show);
    if (later != NULL)
        fclose(later);
    if (good && m->write == write_duel)
        write_legend(f, m);
    fprintf(f, "%s", good ? maps : "");
    free(maps);
    free(m->letter);
    free(m->taken);
    return good ? 0 : bine_complain("out of memory");
}

int bine_heat_write(FILE *f, const struct bine_report *r, int system) {
    struct map m = {.r = r, .system = system, .write = write_duel};
    return run(f, &m, has_duel);
}

/* How an algorithm of Bine puts blocks on the wire: a letter, or 0 if that is no question for it.
 * T, two transmissions, is an order in which no layout is needed. */
static char technique_of(const struct bine_report *r, const struct bine_cell *c,
                         const struct bine_measure *x) {
    static const char letters[BINE_LAYOUTS] = {'B', 'K', 'P', 'S'};
    enum bine_collective kind = bine_report_collectives[c->collective].kind;
    const char *name = bine_measure_name(r, x), *colon = strchr(name, ':');
    char bare[96];
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(name, ":"), name);
    const struct bine_algorithm *a = bine_algorithm_find(kind, bare);
    if (strcmp(x->family, "bine") != 0 || a == NULL || a->layouts[0] < 0 || a->layouts[1] < 0 ||
        strstr(bare, "paper") != NULL || x->refused || x->summary.samples == 0)
        return 0;
    if (strcmp(a->name, "bine-large-two") == 0 ||
        (kind == BINE_ALLGATHER && strcmp(a->name, "bine-near") == 0) ||
        (kind == BINE_REDUCE_SCATTER && strcmp(a->name, "bine-far") == 0))
        return 'T';
    int layout =
        colon == NULL ? (int)bine_algorithm_layout(a, c->ranks) : bine_layout_find(colon + 1);
    return layout < 0 ? 0 : letters[layout];
}

/* The fastest technique in a cell; *kinds tells how many different ones there are. */
static const struct bine_measure *
best_technique(const struct bine_report *r, const struct bine_cell *c, char *letter, int *kinds) {
    const struct bine_measure *best = NULL;
    char seen[8] = "";
    for (size_t i = c->first; i < c->first + c->count; i++) {
        const struct bine_measure *x = &r->measure[i];
        char t = technique_of(r, c, x);
        if (t == 0)
            continue;
        if (strchr(seen, t) == NULL)
            seen[strlen(seen)] = t;
        if (best == NULL || x->summary.median < best->summary.median) {
            best = x;
            *letter = t;
        }
    }
    *kinds = (int)strlen(seen);
    return best;
}

static void write_technique(FILE *f, struct map *m, const struct bine_cell *c) {
    const struct bine_measure *base = bine_cell_best(m->r, c, BINE_SIDE_BASELINE);
    char letter = 0;
    int kinds;
    const struct bine_measure *best = best_technique(m->r, c, &letter, &kinds);
    if (best == NULL || kinds < 2) {
        fprintf(f, "<td class=none>&middot;</td>");
        return;
    }
    double ratio = base == NULL ? 1 : base->summary.median / best->summary.median;
    int tie = base == NULL || bine_summary_tie(&base->summary, &best->summary);
    if (tie)
        fprintf(f, "<td class=tie");
    else
        fprintf(f, "<td class=%c%d", ratio > 1 ? 'w' : 'l',
                shade(ratio > 1 ? ratio : 1 / ratio, ratio > 1 ? 5 : 3));
    write_title(f, m, c, best, base);
    if (base == NULL)
        fprintf(f, ">%c</td>", letter);
    else
        fprintf(f, ">%c %.2f</td>", letter, ratio);
}

static int has_techniques(const struct bine_report *r, int system, int collective) {
    char letter;
    int kinds;
    for (size_t i = 0; i < r->cells; i++)
        if (r->cell[i].system == system && r->cell[i].collective == collective &&
            best_technique(r, &r->cell[i], &letter, &kinds) != NULL && kinds >= 2)
            return 1;
    return 0;
}

int bine_layouts_write(FILE *f, const struct bine_report *r, int system) {
    struct map m = {.r = r, .system = system, .write = write_technique};
    int some = 0;
    for (int c = 0; c < BINE_REPORT_COLLECTIVES; c++)
        some += has_techniques(r, system, c);
    if (some == 0)
        return 0;
    fprintf(f,
            "<h3>Layouts: how blocks that do not lie together are sent</h3>\n<p>Each cell names "
            "the fastest way and how many times as fast as the baseline it is. <b>B</b> block by "
            "block, <b>K</b> packed into one message, <b>P</b> permuted once, <b>S</b> sent as if "
            "permuted and put right at the end, <b>T</b> two transmissions (an order in which "
            "blocks do lie together).</p>\n");
    return run(f, &m, has_techniques);
}
