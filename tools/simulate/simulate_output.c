/* The table on the screen, the files and the progress line: what bine-bench writes, without its
 * intervals, as every sample is the same. */
#include "cli/bus_bandwidth.h"
#include "cli/bytes.h"
#include "cli/command.h"
#include "simulate/simulate.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEY "collective,algorithm,mpi,ranks,nodes,bytes"
#define LIBRARY "simgrid"

struct bine_simulate_output {
    const struct bine_simulate_wish *w;
    FILE *csv, *summary, *links; /* or NULL */
    int cells, done, printed, progress;
    struct bine_simulate_row *row; /* of the cell at hand */
    int rows;
    int differ; /* cells in which the model picks another algorithm */
};

/* Where the ranks are, as `bine report` reads it: their hosts, "a*4,b"; the sizes of their groups,
 * if each group's ranks stand together. A torus of --dims has neither. */
static void write_ranks(FILE *f, const struct bine_simulate_place *p) {
    const struct bine_hosts *h = &p->hosts;
    const int32_t *group = p->allocation.group;
    int apart = 0, n;
    if (h->p == 0)
        return;
    fputs("# hosts: ", f);
    for (int i = 0; i < h->p; i += n) {
        for (n = 1; i + n < h->p && h->host[i + n] == h->host[i];)
            n++;
        fprintf(f, "%s%s", i > 0 ? "," : "", bine_hosts_text(h, i));
        if (n > 1)
            fprintf(f, "*%d", n);
    }
    for (int i = 1; i < h->p; i++)
        apart = apart || group[i] < group[i - 1];
    fputs(apart ? "\n" : "\n# groups: ", f);
    for (int i = 0; i < h->p && !apart; i += n) {
        for (n = 1; i + n < h->p && group[i + n] == group[i];)
            n++;
        fprintf(f, i + n < h->p ? "%d," : "%d\n", n);
    }
}

static FILE *create(const struct bine_simulate_wish *w, const struct bine_simulate_place *p,
                    const char *path, const char *columns) {
    FILE *f = fopen(path, "w");
    if (f == NULL) {
        bine_complain("%s: %s", path, strerror(errno));
        return NULL;
    }
    fprintf(f, "# bine simulate %s\n# command: bine", BINE_VERSION);
    for (int i = 0; i < w->argc; i++) {
        int quoted = w->argv[i][strcspn(w->argv[i], " []*'\"$")] != '\0';
        fprintf(f, quoted ? " '%s'" : " %s", w->argv[i]);
    }
    fprintf(f, "\n# machine: %s\n", p->machine->name);
    write_ranks(f, p);
    fprintf(f, "# datatype: %s\n%s\n", w->type, columns);
    return f;
}

struct bine_simulate_output *bine_simulate_output_begin(const struct bine_simulate_wish *w,
                                                        const struct bine_simulate_place *p,
                                                        int cells) {
    struct bine_simulate_output *o = calloc(1, sizeof *o);
    if (o != NULL)
        o->row = malloc(BINE_SIMULATE_ENTRIES * sizeof *o->row);
    if (o == NULL || o->row == NULL) {
        bine_complain("out of memory");
        free(o);
        return NULL;
    }
    o->w = w;
    o->cells = cells;
    o->progress = isatty(STDERR_FILENO);
    const char *summary = w->predict ? KEY ",samples,seconds,low,high,global_bytes,predicted"
                                     : KEY ",samples,seconds,low,high,global_bytes";
    int good =
        (w->csv == NULL || (o->csv = create(w, p, w->csv, KEY ",iteration,seconds")) != NULL) &&
        (w->summary == NULL || (o->summary = create(w, p, w->summary, summary)) != NULL) &&
        (w->links == NULL ||
         (o->links = create(w, p, w->links, "collective,algorithm,ranks,bytes,link,load")) != NULL);
    if (!good) {
        bine_simulate_output_end(o);
        return NULL;
    }
    if (w->format == BINE_FORMAT_CSV)
        printf("%s\n", summary);
    else if (w->format == BINE_FORMAT_JSON)
        printf("[");
    else
        printf("# %d ranks on %d nodes of %s, %d groups; simulated by SimGrid\n", p->known.p,
               p->links.nodes, p->machine->name, bine_allocation_groups(&p->allocation));
    return o;
}

static void write_key(FILE *f, const struct bine_simulate_row *r) {
    fprintf(f, "%s,%s," LIBRARY ",%d,%d,%" PRId64, bine_collective_name(r->collective),
            r->algorithm, r->ranks, r->nodes, r->bytes);
}

static void write_summary(FILE *f, const struct bine_simulate_wish *w,
                          const struct bine_simulate_row *r) {
    write_key(f, r);
    fprintf(f, ",%d,%.5g,%.5g,%.5g,%" PRId64, w->iterations, r->seconds, r->seconds, r->seconds,
            r->global);
    if (w->predict)
        fprintf(f, ",%.5g", r->predicted);
    fputc('\n', f);
}

static void print_json(struct bine_simulate_output *o, const struct bine_simulate_row *r) {
    printf("%s\n {\"collective\": \"%s\", \"algorithm\": \"%s\", \"mpi\": \"" LIBRARY
           "\", \"ranks\": %d, \"nodes\": %d, \"bytes\": %" PRId64
           ", \"samples\": %d, \"seconds\": %.5g, \"global_bytes\": %" PRId64,
           o->printed++ == 0 ? "" : ",", bine_collective_name(r->collective), r->algorithm,
           r->ranks, r->nodes, r->bytes, o->w->iterations, r->seconds, r->global);
    if (o->w->predict)
        printf(", \"predicted\": %.5g", r->predicted);
    printf("}");
}

void bine_simulate_output_row(struct bine_simulate_output *o, const struct bine_simulate_row *r) {
    o->row[o->rows++] = *r;
    for (int i = 0; o->csv != NULL && i < o->w->iterations; i++) {
        write_key(o->csv, r);
        fprintf(o->csv, ",%d,%.5g\n", o->w->warmup + i, r->seconds);
    }
    if (o->summary != NULL)
        write_summary(o->summary, o->w, r);
    if (o->w->format == BINE_FORMAT_CSV)
        write_summary(stdout, o->w, r);
    else if (o->w->format == BINE_FORMAT_JSON)
        print_json(o, r);
}

void bine_simulate_output_links(struct bine_simulate_output *o, const struct bine_simulate_row *r,
                                const struct bine_links *links, const int64_t *load) {
    char text[BINE_LINK_TEXT];
    for (size_t i = 0; i < links->count; i++)
        if (load[i] > 0)
            fprintf(o->links, "%s,%s,%d,%" PRId64 ",\"%s\",%" PRId64 "\n",
                    bine_collective_name(r->collective), r->algorithm, r->ranks, r->bytes,
                    bine_links_text(links, i, text), load[i]);
}

void bine_simulate_output_skip(struct bine_simulate_output *o, const struct bine_simulate_row *r,
                               size_t messages) {
    FILE *to[] = {o->csv, o->summary, o->w->format == BINE_FORMAT_TEXT ? stdout : NULL};
    for (size_t i = 0; i < sizeof to / sizeof *to; i++)
        if (to[i] != NULL)
            fprintf(to[i], "# left out: %s %s, %" PRId64 " bytes: %zu messages, more than %ld\n",
                    bine_collective_name(r->collective), r->algorithm, r->bytes, messages,
                    o->w->limit);
}

/* The rows with the least time, simulated and predicted. */
static void find_fastest(const struct bine_simulate_output *o, int *simulated, int *predicted) {
    *simulated = *predicted = 0;
    for (int i = 1; i < o->rows; i++) {
        if (o->row[i].seconds < o->row[*simulated].seconds)
            *simulated = i;
        if (o->row[i].predicted < o->row[*predicted].predicted)
            *predicted = i;
    }
}

static void print_cell(struct bine_simulate_output *o, int simulated, int predicted) {
    const struct bine_simulate_row *first = &o->row[0];
    printf("\n# %s, %" PRId64 " bytes\n# %-30s %14s %12s%s\n",
           bine_collective_name(first->collective), first->bytes, "algorithm", "us", "busbw MB/s",
           o->w->predict ? "   predicted us" : "");
    for (int i = 0; i < o->rows; i++) {
        const struct bine_simulate_row *r = &o->row[i];
        double rate = bine_bus_bandwidth_factor(r->collective, r->ranks) * (double)r->bytes / 1e6;
        printf("  %-30s %14.3f %12.2f", r->algorithm, 1e6 * r->seconds,
               r->seconds > 0 ? rate / r->seconds : 0);
        if (o->w->predict)
            printf(" %14.3f", 1e6 * r->predicted);
        printf("%s%s\n", i == simulated ? "  *" : "",
               o->w->predict && i == predicted ? "  the model's pick" : "");
    }
    fflush(stdout);
}

static void show_progress(const struct bine_simulate_output *o) {
    char size[BINE_BYTES_TEXT];
    fprintf(stderr, "\r\033[K%s %s: %d of %d cells done",
            bine_collective_name(o->row[0].collective), bine_bytes_text(o->row[0].bytes, size),
            o->done, o->cells);
    fflush(stderr);
}

void bine_simulate_output_cell(struct bine_simulate_output *o) {
    int simulated, predicted;
    o->done++;
    if (o->rows > 0) {
        find_fastest(o, &simulated, &predicted);
        o->differ += o->row[predicted].seconds > o->row[simulated].seconds * 1.01;
        if (o->w->format == BINE_FORMAT_TEXT)
            print_cell(o, simulated, predicted);
        if (o->progress)
            show_progress(o);
    }
    if (o->csv != NULL)
        fflush(o->csv);
    o->rows = 0;
}

static int close_file(FILE *f, const char *path, int complete, int cells) {
    if (f == NULL)
        return 0;
    if (complete)
        fprintf(f, "# complete: %d cells\n", cells);
    int broken = ferror(f);
    return (fclose(f) != 0) | broken ? bine_complain("%s: not everything could be written", path)
                                     : 0;
}

int bine_simulate_output_end(struct bine_simulate_output *o) {
    int whole = o->done == o->cells;
    if (o->progress && o->done > 0)
        fprintf(stderr, "\r\033[K");
    if (o->w->format == BINE_FORMAT_JSON)
        printf("\n]\n");
    if (o->w->format == BINE_FORMAT_TEXT && o->w->predict && whole)
        printf("\n# the model's pick is more than 1 %% slower than the best simulated in %d of %d "
               "cells\n",
               o->differ, o->cells);
    int rc = close_file(o->csv, o->w->csv, whole, o->cells);
    rc |= close_file(o->summary, o->w->summary, whole, o->cells);
    rc |= close_file(o->links, o->w->links, whole, o->cells);
    free(o->row);
    free(o);
    return rc;
}
