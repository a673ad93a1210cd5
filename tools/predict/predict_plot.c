#include "cli/command.h"
#include "cli/output/gnuplot.h"
#include "cli/output/output_file.h"
#include "predict/predict.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The points of one algorithm, ascending by bytes, as a block of inline data. */
static void write_curve(FILE *to, const struct bine_algorithm *a,
                        const struct bine_predict_result *x, size_t n, int number) {
    fprintf(to, "$curve%d << END\n", number);
    for (size_t i = 0; i < n; i++)
        if (x[i].algorithm == a)
            fprintf(to, "%" PRId64 " %.6g\n", x[i].bytes, x[i].time.seconds);
    fprintf(to, "END\n");
}

static int has(const struct bine_algorithm *a, const struct bine_predict_result *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (x[i].algorithm == a)
            return 1;
    return 0;
}

static void write_script(FILE *to, const struct bine_predict_wish *w, const char *file,
                         const struct bine_predict_result *x, size_t n) {
    int curves = 0;
    const char *ending = strrchr(file, '.');
    fprintf(to, "set terminal %s size 1000,600\nset output '%s'\n",
            ending != NULL && strcmp(ending, ".png") == 0 ? "pngcairo" : "svg dynamic", file);
    fprintf(to,
            "set title 'Predicted time of %s'\nset xlabel 'bytes'\nset ylabel 'seconds'\n"
            "set logscale x 2\nset logscale y\nset format x '%%.0b %%BB'\nset key outside\n",
            bine_collective_name(w->asked.collective));
    for (int i = 0; i < w->asked.count; i++)
        if (has(w->asked.algorithm[i], x, n))
            write_curve(to, w->asked.algorithm[i], x, n, i);
    for (int i = 0; i < w->asked.count; i++)
        if (has(w->asked.algorithm[i], x, n))
            fprintf(to, "%s$curve%d with linespoints title '%s'",
                    curves++ == 0 ? "plot " : ", \\\n  ", i, w->asked.algorithm[i]->name);
    fprintf(to, "\n");
}

int bine_predict_plot(const struct bine_predict_wish *w, const struct bine_predict_result *x,
                      size_t n) {
    const char *ending = strrchr(w->plot, '.'), *slash = strrchr(w->plot, '/');
    char *text = NULL, *script = malloc(strlen(w->plot) + 4), *folder = NULL;
    size_t size;
    if (ending == NULL || (strcmp(ending, ".svg") != 0 && strcmp(ending, ".png") != 0)) {
        free(script);
        return bine_complain("plot '%s': expected a file that ends in .svg or .png", w->plot);
    }
    FILE *to = open_memstream(&text, &size);
    folder = slash == NULL ? NULL : malloc((size_t)(slash - w->plot) + 2);
    if (to == NULL || script == NULL || (slash != NULL && folder == NULL)) {
        free(script);
        free(folder);
        if (to != NULL)
            fclose(to);
        free(text);
        return bine_complain("out of memory");
    }
    write_script(to, w, slash == NULL ? w->plot : slash + 1, x, n);
    int rc = fclose(to) == 0 ? 0 : ENOMEM;
    sprintf(script, "%.*s.gp", (int)(ending - w->plot), w->plot);
    if (folder != NULL)
        sprintf(folder, "%.*s/", (int)(slash - w->plot), w->plot);
    if (rc == 0)
        rc = bine_output_file_write(script, text, size);
    if (rc != 0)
        rc = bine_complain("%s: %s", script, strerror(rc));
    else {
        char *name = slash == NULL ? script : script + (slash - w->plot) + 1;
        rc = bine_gnuplot_run(folder == NULL ? "." : folder, &name, 1);
    }
    free(text);
    free(script);
    free(folder);
    return rc;
}
