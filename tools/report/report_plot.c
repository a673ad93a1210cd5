/* Plots by gnuplot: a script and its data for each, to be restyled and drawn again. */
#include "report/report_page.h"

#include "base/numbers.h"
#include "cli/command.h"
#include "cli/output/bus_bandwidth.h"
#include "cli/output/gnuplot.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PLOTS_MOST = 4000, LINES_MOST = 24, COLOURS = 10 };

struct plots {
    const struct bine_report *r;
    const char *folder; /* of the plots */
    char (*name)[BINE_PLOT_NAME];
    int count;
};

void bine_plot_name(char name[BINE_PLOT_NAME], const struct bine_report *r, const char *what,
                    int system, int collective, const struct bine_report_setup *setup) {
    const char *mpi = bine_names_text(&r->systems, system);
    int n = snprintf(name, BINE_PLOT_NAME, "%s%s%.40s", what, mpi[0] == '\0' ? "" : "-", mpi);
    if (collective >= 0)
        n += snprintf(name + n, BINE_PLOT_NAME - (size_t)n, "-%s-%d-%d",
                      bine_report_collectives[collective].name, setup->ranks, setup->nodes);
    if (collective >= 0 && r->conditions.count > 1)
        snprintf(name + n, BINE_PLOT_NAME - (size_t)n, "-%d", setup->conditions + 1);
    for (char *at = name; *at != '\0'; at++)
        if (!isalnum((unsigned char)*at) && strchr("-._", *at) == NULL)
            *at = '_';
}

/* Open NAME.ending in the folder of plots. */
static FILE *create(const struct plots *p, const char *name, const char *ending) {
    char file[BINE_PLOT_NAME + 8];
    snprintf(file, sizeof file, "%s%s", name, ending);
    return bine_report_create(p->folder, file);
}

static void write_head(FILE *f, const char *name, int width, int height) {
    char id[BINE_PLOT_NAME]; /* the page holds many pictures; gnuplot takes letters, digits and _ */
    for (size_t i = 0; i <= strlen(name); i++)
        id[i] = name[i] == '\0' || isalnum((unsigned char)name[i]) ? name[i] : '_';
    fprintf(f,
            "# Run in this folder: gnuplot %s.gp\nreset\n"
            "set terminal svg size %d,%d dynamic enhanced font 'sans-serif,15' name '%s'\n"
            "set output '%s.svg'\ndata = '%s.dat'\n"
            "set border 3 lc rgb '#666666'\nset tics nomirror textcolor rgb '#333333'\n"
            "set grid ytics lc rgb '#e4e4e4' lw 1 lt 1\n",
            name, width, height, id, name, name);
}

/* The gains of a collective in cells where Bine is the fastest of all; sorted. */
static double *gains_of(const struct bine_report *r, int system, int collective, size_t *n,
                        size_t *cells) {
    double *gain = malloc((r->cells + 1) * sizeof *gain);
    struct bine_duel d;
    *n = *cells = 0;
    for (size_t i = 0; i < r->cells && gain != NULL; i++) {
        const struct bine_cell *c = &r->cell[i];
        if (c->system != system || c->collective != collective ||
            !bine_cell_duel(r, c, BINE_SIDE_OTHERS, &d))
            continue;
        ++*cells;
        if (d.verdict > 0)
            gain[(*n)++] = 100 * (d.ratio - 1);
    }
    if (gain != NULL) /* for the order only */
        bine_summary_of(gain, *n);
    return gain;
}

enum { BOX_LEAST = 4 }; /* fewer cells have no quartiles worth drawing: they are dots */

int bine_report_has_boxes(const struct bine_report *r, int system) {
    struct bine_score s = bine_report_score(r, system, -1, BINE_SIDE_OTHERS);
    return s.wins > 0 && s.cells >= BOX_LEAST;
}

/* A line of numbers for a box: the ends of the whiskers are the last values within 1.5 times the
 * box; what lies beyond is a dot, in the second part of the data. */
static void write_box(FILE *data, FILE *dots, int x, const double *gain, size_t n) {
    double low = bine_quantile(gain, n, 0.25), high = bine_quantile(gain, n, 0.75);
    double reach = 1.5 * (high - low), least = high, most = low;
    for (size_t i = 0; i < n; i++) {
        if (gain[i] < low - reach || gain[i] > high + reach) {
            fprintf(dots, "%d %.4f\n", x, gain[i]);
            continue;
        }
        least = bine_min(gain[i], least);
        most = bine_max(gain[i], most);
    }
    fprintf(data, "%d %.4f %.4f %.4f %.4f %.4f\n", x, least, low, bine_quantile(gain, n, 0.5), high,
            most);
}

/* Data of the boxes; the labels of the axis go to the script. */
static int write_boxes_data(FILE *data, FILE *script, const struct bine_report *r, int system) {
    char *text = NULL;
    size_t size, n, cells;
    FILE *dots = open_memstream(&text, &size);
    int x = 0;
    if (dots == NULL)
        return -1;
    fprintf(data,
            "# column, least, quartile, median, quartile, most (percent); then: column, gain\n");
    fprintf(script, "set xtics (");
    for (int c = 0; c < BINE_REPORT_COLLECTIVES; c++) {
        double *gain = gains_of(r, system, c, &n, &cells);
        if (gain != NULL && cells > 0) {
            fprintf(script, "%s\"%s\\n%.0f %%%%\" %d", x == 0 ? "" : ", ",
                    bine_report_collectives[c].title, 100.0 * (double)n / (double)cells, x + 1);
            x++;
            for (size_t i = 0; n < BOX_LEAST && i < n; i++)
                fprintf(dots, "%d %.4f\n", x, gain[i]);
            if (n >= BOX_LEAST)
                write_box(data, dots, x, gain, n);
        }
        free(gain);
    }
    fprintf(script, ")\nset xrange [0.4:%d.6]\n", x);
    fclose(dots);
    fprintf(data, "NaN NaN NaN NaN NaN NaN\n\n\nNaN NaN\n%s", text);
    free(text);
    return 0;
}

static int plan_boxes(struct plots *p, int system) {
    char *name = p->name[p->count];
    if (!bine_report_has_boxes(p->r, system))
        return 0;
    bine_plot_name(name, p->r, "gains", system, -1, NULL);
    FILE *data = create(p, name, ".dat"), *script = data == NULL ? NULL : create(p, name, ".gp");
    if (script == NULL)
        return BINE_EXIT_USAGE;
    write_head(script, name, 960, 430);
    int good = write_boxes_data(data, script, p->r, system) == 0;
    fprintf(
        script,
        "set ylabel 'faster than the best other (%%)'\nset key off\nset yrange [0:*]\n"
        "set xtics font ',12'\nset boxwidth 0.45\nset style fill solid 0.45 border lt -1\n"
        "plot data index 0 using 1:3:2:6:5 with candlesticks lc rgb '#0072B2' lw 1.2 whiskerbars "
        "0.5, \\\n"
        "     data index 0 using 1:4:4:4:4 with candlesticks lt -1 lw 2, \\\n"
        "     data index 1 using 1:2 with points pt 6 ps 0.6 lc rgb '#0072B2'\n");
    p->count++;
    if (bine_report_close(data, p->folder, name) != 0 ||
        bine_report_close(script, p->folder, name) != 0)
        return BINE_EXIT_USAGE;
    return good ? 0 : bine_complain("out of memory");
}

/* The lines of a curve: the fastest of each family; the library's own choice stands alone. */
struct lines {
    char title[LINES_MOST][64];
    int points[LINES_MOST];
    int count;
};

static const char *title_of(const struct bine_report *r, const struct bine_measure *m) {
    if (strcmp(bine_measure_name(r, m), "mpi") == 0)
        return "MPI's own choice";
    if (strcmp(m->family, "mpi") == 0)
        return "best inside MPI";
    return strcmp(m->family, "bine") == 0 ? "Bine" : m->family;
}

static int line_of(struct lines *l, const char *title) {
    for (int i = 0; i < l->count; i++)
        if (strcmp(l->title[i], title) == 0)
            return i;
    if (l->count == LINES_MOST)
        return -1;
    snprintf(l->title[l->count], sizeof l->title[0], "%.63s", title);
    return l->count++;
}

static int is_in(const struct bine_cell *c, int system, int collective,
                 const struct bine_report_setup *setup) {
    return c->system == system && c->collective == collective && bine_setup_has(setup, c);
}

/* The points of one line: the fastest of its algorithms at each size. */
static int write_line(FILE *data, const struct bine_report *r, int system, int collective,
                      const struct bine_report_setup *setup, const char *title) {
    double factor =
        bine_bus_bandwidth_factor(bine_report_collectives[collective].kind, setup->ranks);
    int points = 0;
    for (size_t i = 0; i < r->cells; i++) {
        const struct bine_cell *c = &r->cell[i];
        const struct bine_measure *best = NULL;
        if (!is_in(c, system, collective, setup))
            continue;
        for (size_t k = c->first; k < c->first + c->count; k++) {
            const struct bine_measure *m = &r->measure[k];
            if (!m->refused && m->summary.samples > 0 && strcmp(title_of(r, m), title) == 0 &&
                (best == NULL || m->summary.median < best->summary.median))
                best = m;
        }
        if (best != NULL && points++ == 0)
            fprintf(data, "# %s: bytes, median, low, high (us), bus bandwidth (MB/s), algorithm\n",
                    title);
        if (best != NULL)
            fprintf(data, "%lld %.6g %.6g %.6g %.6g %s\n", (long long)c->bytes,
                    1e6 * best->summary.median, 1e6 * best->summary.low, 1e6 * best->summary.high,
                    factor * (double)c->bytes / best->summary.median / 1e6,
                    bine_measure_name(r, best));
    }
    fprintf(data, "%s", points == 0 ? "" : "\n\n");
    return points;
}

/* 0 if there is nothing to draw. */
static int find_lines(const struct bine_report *r, int system, int collective,
                      const struct bine_report_setup *setup, struct lines *l) {
    int some = 0;
    line_of(l, "Bine"); /* first, and in the same colours everywhere */
    line_of(l, "binomial");
    line_of(l, "MPI's own choice");
    line_of(l, "best inside MPI");
    for (size_t i = 0; i < r->cells; i++) {
        const struct bine_cell *c = &r->cell[i];
        if (!is_in(c, system, collective, setup))
            continue;
        for (size_t k = c->first; k < c->first + c->count; k++) {
            const struct bine_measure *m = &r->measure[k];
            line_of(l, title_of(r, m));
            some = some || (!m->refused && m->summary.samples > 0);
        }
    }
    return some;
}

/* Marks at powers of two that are there: 64, 1K, 16K, ... */
static void write_sizes(FILE *f, const struct bine_report *r, int system, int collective,
                        const struct bine_report_setup *setup) {
    int64_t least = INT64_MAX, most = 0;
    const char *between = "";
    for (size_t i = 0; i < r->cells; i++)
        if (is_in(&r->cell[i], system, collective, setup)) {
            least = bine_min(r->cell[i].bytes, least);
            most = bine_max(r->cell[i].bytes, most);
        }
    least = least < 1 ? 1 : least;
    fprintf(f, "set xrange [%.1f:%.1f]\nset xtics (", 0.8 * (double)least, 1.25 * (double)most);
    int step = most / least > 65536 ? 4 : most / least > 256 ? 2 : 1; /* in doublings */
    for (int shift = 0; shift < 50; shift++) {
        int64_t size = INT64_C(1) << shift;
        if (shift % step != 0 || size < least || size > most + most / 8)
            continue;
        static const char *const units[] = {"", "K", "M", "G", "T"};
        fprintf(f, "%s\"%lld%s\" %lld", between, (long long)(size >> (shift / 10 * 10)),
                units[shift / 10], (long long)size);
        between = ", ";
    }
    fprintf(f, ")\n");
}

/* Lines without points are neither in the data nor in the plot, but keep their colour. */
static void write_curve(FILE *f, const struct lines *l, int bandwidth) {
    static const char *const colours[COLOURS] = {"#0072B2", "#D55E00", "#000000", "#777777",
                                                 "#009E73", "#CC79A7", "#E69F00", "#56B4E9",
                                                 "#8C564B", "#999933"};
    fprintf(
        f,
        "set logscale xy\nset xlabel 'bytes of the whole vector' offset 0,0.6\nset ylabel '%s'\n"
        "set key outside bottom center horizontal samplen 2 font ',13'\nplot ",
        bandwidth ? "bus bandwidth (MB/s)" : "time (microseconds)");
    const char *between = "";
    int index = 0;
    for (int i = 0; i < l->count; i++) {
        if (l->points[i] == 0)
            continue;
        fprintf(f, "%sdata index %d using 1:%s with %s lc rgb '%s' lw %s pt %d ps 0.5 title \"%s\"",
                between, index++, bandwidth ? "5" : "2:3:4",
                bandwidth ? "linespoints" : "yerrorlines", colours[i % COLOURS],
                i == 0 ? "2.5" : "1.3", 5 + i, l->title[i]);
        between = ", \\\n     ";
    }
    fprintf(f, "\n");
}

static int plan_curve(struct plots *p, int system, int collective,
                      const struct bine_report_setup *setup, int bandwidth) {
    struct lines l = {.count = 0};
    char *name = p->name[p->count];
    if (!find_lines(p->r, system, collective, setup, &l))
        return 0;
    bine_plot_name(name, p->r, bandwidth ? "bandwidth" : "time", system, collective, setup);
    FILE *data = create(p, name, ".dat"), *script = data == NULL ? NULL : create(p, name, ".gp");
    if (script == NULL)
        return BINE_EXIT_USAGE;
    for (int i = 0; i < l.count; i++)
        l.points[i] = write_line(data, p->r, system, collective, setup, l.title[i]);
    write_head(script, name, 640, 450);
    write_sizes(script, p->r, system, collective, setup);
    write_curve(script, &l, bandwidth);
    p->count++;
    return bine_report_close(data, p->folder, name) != 0 ||
                   bine_report_close(script, p->folder, name) != 0
               ? BINE_EXIT_USAGE
               : 0;
}

static int plan_system(struct plots *p, int system) {
    struct bine_report_setup setup[BINE_SETUPS_MOST];
    int rc = plan_boxes(p, system);
    for (int c = 0; c < BINE_REPORT_COLLECTIVES && rc == 0; c++) {
        int n = bine_report_setups(p->r, system, c, setup);
        for (int i = 0; i < 2 * n && rc == 0 && p->count < PLOTS_MOST; i++)
            rc = plan_curve(p, system, c, &setup[i / 2], i % 2);
    }
    return rc;
}

/* All scripts in one go: starting gnuplot takes longer than drawing. */
static int draw_all(const struct plots *p) {
    char **script = calloc((size_t)p->count, sizeof *script);
    int rc = 0;
    for (int i = 0; i < p->count && script != NULL && rc == 0; i++) {
        script[i] = malloc(BINE_PLOT_NAME + 8);
        if (script[i] == NULL)
            rc = bine_complain("out of memory");
        else
            snprintf(script[i], BINE_PLOT_NAME + 8, "%s.gp", p->name[i]);
    }
    if (rc == 0)
        rc = script == NULL ? bine_complain("out of memory")
                            : bine_gnuplot_run(p->folder, script, p->count);
    for (int i = 0; i < p->count && script != NULL; i++)
        free(script[i]);
    free(script);
    return rc;
}

int bine_plots_draw(const struct bine_report *r, const char *folder) {
    char path[4096];
    snprintf(path, sizeof path, "%s/plots", folder);
    mkdir(path, 0777);
    struct plots p = {.r = r, .folder = path, .name = calloc(PLOTS_MOST + 1, sizeof *p.name)};
    int rc = p.name == NULL ? bine_complain("out of memory") : 0;
    for (int system = 0; system < r->systems.count && rc == 0 && p.count < PLOTS_MOST; system++)
        rc = plan_system(&p, system);
    if (rc == 0 && p.count > 0)
        rc = draw_all(&p);
    free(p.name);
    return rc;
}
