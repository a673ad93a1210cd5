/* The table on the screen, the files and the progress line.
 *
 * Cells are written whole, by one write each, when they are finished. So a file is a valid CSV at
 * every moment, however the run ends. Only rank 0 writes; other ranks have no output. */
#include "bench/bench.h"
#include "cli/command.h"
#include "cli/options/bytes.h"
#include "cli/output/bus_bandwidth.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct bench_output {
    const struct bench_wish *w;
    const struct bench_world *world;
    int csv, summary, uplinks; /* file descriptors, or -1 */
    int failed;                /* a file could not be written */
    int cells, done;
    int rows;
    FILE *terminal; /* for the progress line, or NULL */
    double shown;   /* when it was drawn last */
};

/* Write what a stream in memory has gathered. */
static void flush_to(struct bench_output *o, int fd, FILE *f, char **text, size_t *size) {
    if (f == NULL || fclose(f) != 0)
        o->failed = 1;
    else if (fd >= 0 && write(fd, *text, *size) != (ssize_t)*size)
        o->failed = 1;
    free(*text);
}

static int create(struct bench_output *o, const char *path, const char *columns) {
    char *text = NULL;
    size_t size = 0;
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0) {
        bine_complain("%s: %s", path, strerror(errno));
        return -1;
    }
    FILE *f = open_memstream(&text, &size);
    if (f != NULL) {
        bench_facts_write(f, o->w, o->world);
        fprintf(f, "%s\n", columns);
    }
    flush_to(o, fd, f, &text, &size);
    return fd;
}

#define KEY "collective,algorithm,mpi,ranks,nodes,bytes"
#define COPIED ",copied_bytes"

/* Columns of the samples and of the summary; more where calls are started. */
static const char *const sample_columns[] = {KEY ",iteration,seconds" COPIED,
                                             KEY ",iteration,seconds,computed,with" COPIED};
static const char *const summary_columns[] = {
    KEY ",samples,seconds,low,high" COPIED,
    KEY ",samples,seconds,low,high,computed,with,overlap" COPIED};

struct bench_output *bench_output_begin(const struct bench_wish *w, const struct bench_world *world,
                                        int cells) {
    char path[64];
    struct bench_output *o = calloc(1, sizeof *o);
    if (o == NULL)
        return NULL;
    *o = (struct bench_output){
        .w = w, .world = world, .csv = -1, .summary = -1, .uplinks = -1, .cells = cells};
    const char *columns = summary_columns[w->nonblocking];
    if ((w->csv != NULL && (o->csv = create(o, w->csv, sample_columns[w->nonblocking])) < 0) ||
        (w->summary != NULL && (o->summary = create(o, w->summary, columns)) < 0) ||
        (w->uplinks != NULL &&
         (o->uplinks = create(o, w->uplinks, KEY ",uplink_bytes,uplink_payload")) < 0)) {
        free(o);
        return NULL;
    }
    const char *terminal = bench_terminal(path);
    o->terminal = terminal == NULL ? NULL : fopen(terminal, "w");
    if (w->format == BENCH_CSV)
        printf("%s\n", columns);
    else if (w->format == BENCH_JSON)
        printf("[");
    bench_watch_update(w->csv, o->csv, 0, cells);
    return o;
}

void bench_output_section(struct bench_output *o, const struct bench_collective *c) {
    const struct bench_wish *w = o->w;
    char name[BENCH_NAME];
    if (w->format != BENCH_TEXT)
        return;
    printf("\n# %s: %s%s%s, %d rank%s on %d node%s, %s; start: %s%s\n"
           "# time of the slowest rank; * the fastest, = no slower than it (a tie)\n",
           bench_collective_name(w, c, name), w->type.name,
           bine_collective_reduces(c->kind) ? ", " : "",
           bine_collective_reduces(c->kind) ? w->op.name : "", o->world->p,
           bine_plural(o->world->p), o->world->nodes, bine_plural(o->world->nodes), o->world->mpi,
           w->start == BENCH_CLOCK ? "synchronised clocks" : "barrier",
           w->check ? "; every result checked" : "");
    if (w->nonblocking)
        printf(
            "# with: the time with a computation of the median's length between start and wait;\n"
            "# overlap: how much of the shorter of both is hidden\n");
    printf("# %8s  %-30s %11s %22s %11s %8s%s\n", "bytes", "algorithm", "median us",
           "95 % interval us", w->nonblocking ? "with us" : "busbw MB/s", "samples",
           w->nonblocking ? "  overlap" : "");
    fflush(stdout);
}

static const struct bench_entry *fastest_of(const struct bench_cell *cell) {
    const struct bench_entry *best = NULL;
    for (int i = 0; i < cell->entries->count; i++) {
        const struct bench_entry *e = &cell->entries->entry[i];
        if (e->active && e->wrong == 0 && e->summary.samples > 0 &&
            (best == NULL || e->summary.median < best->summary.median))
            best = e;
    }
    return best;
}

static void print_row(const struct bench_output *o, const struct bench_cell *cell,
                      const struct bench_entry *e, const struct bench_entry *fastest) {
    const struct bench_call *call = cell->call;
    const struct bine_summary *s = &e->summary;
    double rate =
        bine_bus_bandwidth_factor(call->collective->kind, o->world->p) * (double)call->bytes / 1e6;
    const char *mark = e->wrong > 0                                                ? "  WRONG"
                       : e == fastest                                              ? "  *"
                       : fastest != NULL && bine_summary_tie(s, &fastest->summary) ? "  ="
                                                                                   : "";
    char interval[64];
    snprintf(interval, sizeof interval, "%.2f .. %.2f", 1e6 * s->low, 1e6 * s->high);
    printf("%10lld  %-30s %11.2f %22s %11.2f %8zu", (long long)call->bytes, e->shown,
           1e6 * s->median, interval,
           o->w->nonblocking ? 1e6 * e->with
           : s->median > 0   ? rate / s->median
                             : 0,
           s->samples);
    if (o->w->nonblocking)
        printf("  %5.0f %%", e->overlap);
    printf("%s\n", mark);
}

static void write_key(FILE *f, const struct bench_output *o, const struct bench_cell *cell,
                      const struct bench_entry *e) {
    char name[BENCH_NAME];
    fprintf(f, "%s,%s,%s,%d,%d,%lld", bench_collective_name(o->w, cell->call->collective, name),
            e->shown, o->world->mpi, o->world->p, o->world->nodes, (long long)cell->call->bytes);
}

/* The last field and the end of a row: empty where it is not known. */
static void write_copied(FILE *f, const struct bench_entry *e) {
    if (e->copied < 0)
        fprintf(f, ",\n");
    else
        fprintf(f, ",%lld\n", (long long)e->copied);
}

/* A wrong result has no time: only a note that 'bine report' heeds. */
static void write_wrong(FILE *f, const struct bench_output *o, const struct bench_cell *cell,
                        const struct bench_entry *e) {
    fprintf(f, "# wrong: ");
    write_key(f, o, cell, e);
    fputc('\n', f);
}

static void write_samples(FILE *f, const struct bench_output *o, const struct bench_cell *cell,
                          const struct bench_entry *e) {
    for (int i = cell->discarded; i < cell->rounds; i++) {
        if (e->sample[BENCH_CALL][i] >= 1e9) /* a rank missed the start */
            continue;
        write_key(f, o, cell, e);
        fprintf(f, ",%d,%.5g", i, e->sample[BENCH_CALL][i]);
        if (o->w->nonblocking)
            fprintf(f, ",%.5g,%.5g", e->sample[BENCH_COMPUTED][i], e->sample[BENCH_WITH][i]);
        write_copied(f, e);
    }
}

static void write_summary(FILE *f, const struct bench_output *o, const struct bench_cell *cell,
                          const struct bench_entry *e) {
    write_key(f, o, cell, e);
    fprintf(f, ",%zu,%.5g,%.5g,%.5g", e->summary.samples, e->summary.median, e->summary.low,
            e->summary.high);
    if (o->w->nonblocking)
        fprintf(f, ",%.5g,%.5g,%.1f", e->computed, e->with, e->overlap);
    write_copied(f, e);
}

static void write_crossed(FILE *f, const struct bench_output *o, const struct bench_cell *cell,
                          const struct bench_entry *e) {
    write_key(f, o, cell, e);
    fprintf(f, ",%lld,%lld\n", (long long)e->crossed.bytes, (long long)e->crossed.payload);
}

static void print_json(struct bench_output *o, const struct bench_cell *cell,
                       const struct bench_entry *e) {
    char name[BENCH_NAME];
    printf("%s\n {\"collective\": \"%s\", \"algorithm\": \"%s\", \"mpi\": \"%s\", \"ranks\": %d, "
           "\"nodes\": %d, \"bytes\": %lld, \"samples\": %zu, \"seconds\": %.5g, \"low\": %.5g, "
           "\"high\": %.5g, \"wrong\": %s",
           o->rows++ == 0 ? "" : ",", bench_collective_name(o->w, cell->call->collective, name),
           e->shown, o->world->mpi, o->world->p, o->world->nodes, (long long)cell->call->bytes,
           e->summary.samples, e->summary.median, e->summary.low, e->summary.high,
           e->wrong > 0 ? "true" : "false");
    if (o->w->nonblocking)
        printf(", \"computed\": %.5g, \"with\": %.5g, \"overlap\": %.1f", e->computed, e->with,
               e->overlap);
    if (e->copied >= 0)
        printf(", \"copied_bytes\": %lld", (long long)e->copied);
    printf("}");
}

/* All entries of a cell to a file, at once. */
static void write_cell(struct bench_output *o, int fd, const struct bench_cell *cell,
                       void (*write_entry)(FILE *, const struct bench_output *,
                                           const struct bench_cell *, const struct bench_entry *)) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    for (int i = 0; f != NULL && i < cell->entries->count; i++) {
        const struct bench_entry *e = &cell->entries->entry[i];
        if (e->active && e->wrong > 0)
            write_wrong(f, o, cell, e);
        else if (e->active)
            write_entry(f, o, cell, e);
    }
    flush_to(o, fd, f, &text, &size);
}

void bench_output_cell(struct bench_output *o, const struct bench_cell *cell) {
    const struct bench_entry *fastest = fastest_of(cell);
    if (o->terminal != NULL)
        fprintf(o->terminal, "\r\033[K"), fflush(o->terminal);
    if (o->csv >= 0)
        write_cell(o, o->csv, cell, write_samples);
    if (o->summary >= 0)
        write_cell(o, o->summary, cell, write_summary);
    if (o->uplinks >= 0)
        write_cell(o, o->uplinks, cell, write_crossed);
    for (int i = 0; i < cell->entries->count; i++) {
        const struct bench_entry *e = &cell->entries->entry[i];
        if (!e->active)
            continue;
        if (o->w->format == BENCH_TEXT)
            print_row(o, cell, e, fastest);
        else if (o->w->format == BENCH_JSON)
            print_json(o, cell, e);
        else if (e->wrong == 0)
            write_summary(stdout, o, cell, e);
    }
    if (o->w->format == BENCH_TEXT && cell->entries->count > 1)
        printf("\n");
    fflush(stdout);
    o->done++;
    bench_watch_update(o->w->csv, o->csv, o->done, o->cells);
}

void bench_output_progress(struct bench_output *o, const struct bench_cell *cell, int rounds) {
    char size[BINE_BYTES_TEXT];
    if (o == NULL || o->terminal == NULL || bench_now() - o->shown < 0.2)
        return;
    o->shown = bench_now();
    double spent = o->shown - o->world->begin;
    fprintf(o->terminal, "\r\033[K%s %s: %d of %d cells done, %d rounds",
            cell->call->collective->name, bine_bytes_text(cell->call->bytes, size), o->done,
            o->cells, rounds);
    if (o->done > 0) {
        int left = (int)(spent / o->done * (o->cells - o->done));
        fprintf(o->terminal, ", about %d:%02d left", left / 60, left % 60);
    }
    fflush(o->terminal);
}

int bench_output_end(struct bench_output *o) {
    char line[100];
    int n = o->done == o->cells
                ? snprintf(line, sizeof line, "# complete: %d cells\n", o->done)
                : snprintf(line, sizeof line, "# incomplete: %d of %d cells\n", o->done, o->cells);
    if (o->w->total > 0 && o->done < o->cells)
        fprintf(stderr, "bine-bench: %d of %d cells were measured: the time was used up\n", o->done,
                o->cells);
    if (o->w->format == BENCH_JSON)
        printf("\n]\n");
    if (o->csv >= 0)
        o->failed |= write(o->csv, line, (size_t)n) != n || close(o->csv) != 0;
    if (o->summary >= 0)
        o->failed |= write(o->summary, line, (size_t)n) != n || close(o->summary) != 0;
    if (o->uplinks >= 0)
        o->failed |= write(o->uplinks, line, (size_t)n) != n || close(o->uplinks) != 0;
    if (o->terminal != NULL)
        fclose(o->terminal);
    bench_watch_end();
    int failed = o->failed;
    free(o);
    return failed ? bine_complain("not everything could be written: is the disk full?") : 0;
}
