/* The table on the screen, the files and the progress line: what bine-bench writes, without its
 * intervals, as every sample is the same. */
#include "cli/command.h"
#include "cli/options/bytes.h"
#include "cli/output/bus_bandwidth.h"
#include "simulate/simulate.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
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

static void print_heading(const struct bine_simulate_place *p) {
    int groups = bine_allocation_groups(&p->allocation);
    printf("# %d rank%s on %d node%s of %s, %d group%s; simulated by SimGrid\n", p->known.p,
           bine_plural(p->known.p), p->links.nodes, bine_plural(p->links.nodes), p->machine->name,
           groups, bine_plural(groups));
}

/* What is written on a signal: to the files that the mark is for, and to the terminal. Whole lines
 * are in the files, as these are flushed line by line. */
static struct {
    int fd[3], files;
    char mark[2][80], said[2][120];
    volatile sig_atomic_t current;
} farewell;

static void put(int fd, const char *text) {
    if (write(fd, text, strlen(text)) < 0)
        return; /* there is nowhere to say so */
}

static void leave(int number) {
    for (int i = 0; i < farewell.files; i++)
        put(farewell.fd[i], farewell.mark[farewell.current]);
    put(STDERR_FILENO, farewell.said[farewell.current]);
    _exit(128 + number);
}

/* How far it has come, for a signal that ends it. */
static void tell(const struct bine_simulate_output *o) {
    int next = !farewell.current;
    snprintf(farewell.mark[next], sizeof *farewell.mark, "# incomplete: %d of %d cells\n", o->done,
             o->cells);
    snprintf(farewell.said[next], sizeof *farewell.said,
             "\nbine: simulate: interrupted: %d of %d cells are done\n", o->done, o->cells);
    farewell.current = next;
}

/* SimGrid answers SIGINT by exit code 1, which means a proof that failed. */
static void watch(const struct bine_simulate_output *o) {
    FILE *file[] = {o->csv, o->summary, o->links};
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = leave};
    farewell.files = 0;
    for (size_t i = 0; i < sizeof file / sizeof *file; i++)
        if (file[i] != NULL) {
            setvbuf(file[i], NULL, _IOLBF, BUFSIZ);
            farewell.fd[farewell.files++] = fileno(file[i]);
        }
    tell(o);
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
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
    const char *summary = w->predict ? KEY
                              ",samples,seconds,low,high,global_bytes,predicted,copied_bytes"
                                     : KEY ",samples,seconds,low,high,global_bytes,copied_bytes";
    int good = (w->csv == NULL ||
                (o->csv = create(w, p, w->csv, KEY ",iteration,seconds,copied_bytes")) != NULL) &&
               (w->summary == NULL || (o->summary = create(w, p, w->summary, summary)) != NULL) &&
               (w->links == NULL ||
                (o->links = create(w, p, w->links,
                                   "collective,algorithm,ranks,bytes,link,load,share")) != NULL);
    if (!good) {
        bine_simulate_output_end(o);
        return NULL;
    }
    if (w->format == BINE_FORMAT_CSV)
        printf("%s\n", summary);
    else if (w->format == BINE_FORMAT_JSON)
        printf("[");
    else
        print_heading(p);
    watch(o);
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
    fprintf(f, ",%" PRId64 "\n", r->copied);
}

static void print_json(struct bine_simulate_output *o, const struct bine_simulate_row *r) {
    printf("%s\n {\"collective\": \"%s\", \"algorithm\": \"%s\", \"mpi\": \"" LIBRARY
           "\", \"ranks\": %d, \"nodes\": %d, \"bytes\": %" PRId64
           ", \"samples\": %d, \"seconds\": %.5g, \"global_bytes\": %" PRId64,
           o->printed++ == 0 ? "" : ",", bine_collective_name(r->collective), r->algorithm,
           r->ranks, r->nodes, r->bytes, o->w->iterations, r->seconds, r->global);
    if (o->w->predict)
        printf(", \"predicted\": %.5g", r->predicted);
    printf(", \"copied_bytes\": %" PRId64 "}", r->copied);
}

void bine_simulate_output_row(struct bine_simulate_output *o, const struct bine_simulate_row *r) {
    o->row[o->rows++] = *r;
    for (int i = 0; o->csv != NULL && i < o->w->iterations; i++) {
        write_key(o->csv, r);
        fprintf(o->csv, ",%d,%.5g,%" PRId64 "\n", o->w->warmup + i, r->seconds, r->copied);
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
            fprintf(o->links, "%s,%s,%d,%" PRId64 ",\"%s\",%" PRId64 ",%.3f\n",
                    bine_collective_name(r->collective), r->algorithm, r->ranks, r->bytes,
                    bine_links_text(links, i, text), load[i],
                    i == links->core ? 0 : (double)load[i] * links->takes[i] / r->seconds);
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
    double least = o->row[simulated].seconds; /* of one algorithm, or of several that tie */
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
        printf("%s%s\n", r->seconds <= least * (1 + 1e-9) ? "  *" : "",
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
    tell(o);
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

static int close_file(FILE *f, const char *path, int done, int cells) {
    if (f == NULL)
        return 0;
    if (done == cells)
        fprintf(f, "# complete: %d cells\n", cells);
    else
        fprintf(f, "# incomplete: %d of %d cells\n", done, cells);
    int broken = ferror(f);
    return (fclose(f) != 0) | broken ? bine_complain("%s: not everything could be written", path)
                                     : 0;
}

int bine_simulate_output_end(struct bine_simulate_output *o) {
    int whole = o->done == o->cells;
    farewell.files = 0;
    if (o->progress && o->done > 0)
        fprintf(stderr, "\r\033[K");
    if (o->w->format == BINE_FORMAT_JSON)
        printf("\n]\n");
    if (o->w->format == BINE_FORMAT_TEXT && o->w->predict && whole)
        printf("\n# the model's pick is more than 1 %% slower than the best simulated in %d of %d "
               "cells\n",
               o->differ, o->cells);
    int rc = close_file(o->csv, o->w->csv, o->done, o->cells);
    rc |= close_file(o->summary, o->w->summary, o->done, o->cells);
    rc |= close_file(o->links, o->w->links, o->done, o->cells);
    free(o->row);
    free(o);
    return rc;
}
