/* The plots, by gnuplot: a data file and a script for each, to be restyled and run again. */
#include "cli/command.h"
#include "cli/output/gnuplot.h"
#include "traffic/job_summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const suffixes[BINE_PLOTS] = {"boxes", "scatter"};

const char *bine_plot_suffix(enum bine_plot plot) {
    return suffixes[plot];
}

char *bine_job_summary_path(const struct bine_job_summary *s, const char *stem,
                            const char *suffix) {
    const char *algorithm = s->all->wish->asked.algorithm[s->algorithm]->name;
    size_t length = strlen(stem) + strlen(algorithm) + strlen(suffix) + 3;
    char *path = malloc(length);
    if (path != NULL)
        snprintf(path, length, "%s-%s-%s", stem, algorithm, suffix);
    return path;
}

/* Open a file about one algorithm for writing; NULL after complaining. */
static FILE *create(const struct bine_job_summary *s, const char *stem, const char *suffix) {
    char *path = bine_job_summary_path(s, stem, suffix);
    FILE *file = path == NULL ? NULL : fopen(path, "w");
    if (path == NULL)
        bine_complain("out of memory");
    else if (file == NULL)
        bine_complain("%s: %s", path, strerror(errno));
    free(path);
    return file;
}

static int finish(FILE *file, const char *stem) {
    int bad = ferror(file);
    if (fclose(file) != 0 || bad)
        return bine_complain("%s: the files of the report cannot be written", stem);
    return 0;
}

/* Columns: ranks, groups, saving, what the bound would save, the number of the bin from 1 on. */
static int write_data(const struct bine_job_summary *s, const char *stem) {
    FILE *file = create(s, stem, "jobs.dat");
    if (file == NULL)
        return BINE_EXIT_USAGE;
    fprintf(file, "# ranks groups saving_percent bound_saving_percent bin\n");
    for (size_t i = 0; i < s->all->log->count; i++) {
        const struct bine_job_result *r = bine_job_result_at(s->all, i, s->algorithm);
        if (r->state == BINE_JOB_GOOD)
            fprintf(file, "%d %d %.4f %.4f %d\n", r->ranks, r->groups,
                    bine_job_saving(r, r->global), bine_job_saving(r, r->bound),
                    bine_job_summary_bin(s, r->ranks) + 1);
    }
    return finish(file, stem);
}

/* The last part of a path. */
static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* Names are put between quotes in gnuplot's way: inside '...' a quote is doubled. */
static void write_quoted(FILE *file, const char *text) {
    fputc('\'', file);
    for (; *text != '\0'; text++)
        fprintf(file, *text == '\'' ? "''" : "%c", *text);
    fputc('\'', file);
}

static void write_head(FILE *file, const struct bine_job_summary *s, const char *stem,
                       enum bine_plot plot) {
    char output[64];
    char *data = bine_job_summary_path(s, base_name(stem), "jobs.dat");
    snprintf(output, sizeof output, "%s.svg", suffixes[plot]);
    char *svg = bine_job_summary_path(s, base_name(stem), output);
    fprintf(file, "# Run in this folder: gnuplot %s-%s-%s.gp\n", base_name(stem),
            s->all->wish->asked.algorithm[s->algorithm]->name, suffixes[plot]);
    fprintf(file, "set terminal svg size 960,%d dynamic enhanced font 'Helvetica,15' name '%s%d'\n",
            plot == BINE_PLOT_BOXES ? 480 : 430, suffixes[plot], s->algorithm);
    fprintf(file, "set output ");
    write_quoted(file, svg == NULL ? "plot.svg" : svg);
    fprintf(file, "\ndata = ");
    write_quoted(file, data == NULL ? "jobs.dat" : data);
    fprintf(file,
            "\nset border 3 lc rgb '#666666'\nset tics nomirror textcolor rgb '#333333'\n"
            "set grid ytics lc rgb '#e4e4e4' lw 1 lt 1\n"
            "set ylabel 'saving over %s (%%)'\n",
            s->all->wish->baseline->name);
    free(data);
    free(svg);
}

/* The mean of a bin, and its label. */
static void write_bins(FILE *file, const struct bine_job_summary *s) {
    char label[32];
    fprintf(file, "# bin, mean saving, mean saving of the bound\n$means << EOD\n");
    for (int i = 0; i < s->bins; i++)
        fprintf(file, "%d %.4f %.4f\n", i + 1, s->bin[i].mean, s->bin[i].bound);
    fprintf(file, "EOD\nset xtics (");
    for (int i = 0; i < s->bins; i++) {
        bine_job_bin_label(&s->bin[i], label);
        fprintf(file, "%s'%s' %d", i == 0 ? "" : ", ", label, i + 1);
    }
    fprintf(file, ")\nbins = %d\n", s->bins);
}

static void write_boxes(FILE *file, const struct bine_job_summary *s) {
    write_bins(file, s);
    fprintf(file,
            "set xlabel 'ranks'\nset xrange [0.4:bins + 0.6]\n"
            "# The boxes are the quartiles, the line the median; whiskers reach to 1.5 times the\n"
            "# box; jobs beyond them are left out, as in the paper's figure 4.\n"
            "set style boxplot nooutliers\nset style fill solid 0.45 border lt -1\n"
            "set key outside bottom center horizontal maxrows 1 samplen 2\n"
            "limit(x) = 33.0\n"
            "plot limit(x) with lines dt 2 lw 2 lc rgb '#D55E00' title '33 %% (the paper''s "
            "model)', \\\n"
            "     for [i=1:bins] data using (i - 0.19):($5 == i ? $3 : NaN):(0.32) with boxplot lc "
            "rgb '#0072B2' lw 1.2 notitle, \\\n"
            "     for [i=1:bins] data using (i + 0.19):($5 == i ? $4 : NaN):(0.32) with boxplot lc "
            "rgb '#999999' lw 1.2 notitle, \\\n"
            "     $means using ($1 - 0.19):2 with points pt 7 ps 0.6 lc rgb 'black' title 'mean', "
            "\\\n"
            "     $means using ($1 + 0.19):3 with points pt 7 ps 0.6 lc rgb 'black' notitle, \\\n"
            "     NaN with boxes lc rgb '#0072B2' title '%s', \\\n"
            "     NaN with boxes lc rgb '#999999' title 'the least possible'\n",
            s->all->wish->asked.algorithm[s->algorithm]->name);
}

static void write_scatter(FILE *file, const struct bine_job_summary *s) {
    fprintf(
        file,
        "set xlabel 'ranks'\nset logscale x 2\nset format x '%%.0f'\n"
        "set xrange [%g:%g]\nset cblabel 'groups'\nset key off\n"
        "set cbrange [1:*]\n"
        "set palette defined (0 '#440154', 0.25 '#3b528b', 0.5 '#21918c', 0.75 '#5ec962', 1 "
        "'#fde725')\n"
        "limit(x) = 33.0\n"
        "# A job is a dot; dots are spread sideways by up to 8 %% so that they do not hide each "
        "other.\n"
        "seed = rand(1)\nspread(x) = x * 2**(0.24 * (rand(0) - 0.5))\n"
        "plot 0 with lines lw 1 lc rgb '#888888', \\\n"
        "     limit(x) with lines dt 2 lw 2 lc rgb '#D55E00', \\\n"
        "     data using (spread($1)):3:2 with points pt 7 ps 0.45 lc palette\n",
        s->bins > 0 ? 0.8 * s->bin[0].low : 1.0,
        s->bins > 0 ? 1.25 * s->bin[s->bins - 1].high : 2.0);
}

/* Run gnuplot in the folder of the page. */
static int run_gnuplot(const char *stem, const char *script) {
    char folder[4096], name[4096], *one = name;
    size_t length = (size_t)(base_name(stem) - stem);
    snprintf(folder, sizeof folder, "%.*s", length == 0 ? 1 : (int)length,
             length == 0 ? "." : stem);
    snprintf(name, sizeof name, "%s", base_name(script));
    return bine_gnuplot_run(folder, &one, 1);
}

int bine_job_summary_plot(const struct bine_job_summary *s, const char *stem) {
    if (write_data(s, stem) != 0)
        return BINE_EXIT_USAGE;
    for (int plot = 0; plot < BINE_PLOTS; plot++) {
        char suffix[64];
        snprintf(suffix, sizeof suffix, "%s.gp", suffixes[plot]);
        FILE *file = create(s, stem, suffix);
        if (file == NULL)
            return BINE_EXIT_USAGE;
        write_head(file, s, stem, (enum bine_plot)plot);
        if (plot == BINE_PLOT_BOXES)
            write_boxes(file, s);
        else
            write_scatter(file, s);
        char *script = bine_job_summary_path(s, stem, suffix);
        int rc = finish(file, stem);
        if (rc == 0)
            rc = script == NULL ? bine_complain("out of memory") : run_gnuplot(stem, script);
        free(script);
        if (rc != 0)
            return rc;
    }
    return 0;
}
