/* The core in the page: what the page's script calls. Two panes, which stand beside each other;
 * text comes back as JSON in a buffer that lives until the next call. Complaints go to stderr,
 * which the page collects. */
#include "explorer/pane.h"

#include "cli/command.h"
#include "cli/options/machines.h"
#include "schedule/prove.h"

#include <stdlib.h>
#include <string.h>

#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#define EXPORT EMSCRIPTEN_KEEPALIVE
#else
#define EXPORT
#endif

enum { PANES = 2, WORDS_MOST = 64 };

static struct bine_pane pane[PANES];
static int is_open[PANES];
static char *text;
static size_t text_size;
static FILE *writer;

static FILE *begin_text(void) {
    free(text);
    text = NULL;
    return writer = open_memstream(&text, &text_size);
}

static const char *end_text(void) {
    fclose(writer);
    return text;
}

/* Options are read anew for each call. */
static void rewind_options(void) {
#ifdef __EMSCRIPTEN__
    extern int optreset;
    optreset = 1;
    optind = 1;
#else
    optind = 0;
#endif
}

/* The words of `bine explore`, a line each. */
EXPORT int explorer_open(int k, const char *lines);
int explorer_open(int k, const char *lines) {
    static char name[] = "explore";
    static char *copy[PANES]; /* the words live as long as the pane */
    char *argv[WORDS_MOST + 1] = {name};
    int argc = 1;
    struct bine_explore_options o = {0};
    if (is_open[k])
        bine_pane_close(&pane[k]);
    is_open[k] = 0;
    free(copy[k]);
    copy[k] = malloc(strlen(lines) + 1);
    if (copy[k] == NULL)
        return bine_complain("out of memory");
    strcpy(copy[k], lines);
    for (char *at = strtok(copy[k], "\n"); at != NULL && argc < WORDS_MOST; at = strtok(NULL, "\n"))
        argv[argc++] = at;
    rewind_options();
    if (bine_explore_read(argc, argv, &o) != 0)
        return BINE_EXIT_USAGE;
    is_open[k] = 1;
    return bine_pane_open(&pane[k], &o);
}

/* A file that words can name. */
EXPORT int explorer_file(const char *path, const char *contents);
int explorer_file(const char *path, const char *contents) {
    FILE *f = fopen(path, "w");
    if (f == NULL)
        return -1;
    int bad = fputs(contents, f) < 0;
    return fclose(f) != 0 || bad ? -1 : 0;
}

EXPORT const char *explorer_describe(int k);
const char *explorer_describe(int k) {
    bine_pane_describe(&pane[k], begin_text());
    return end_text();
}

EXPORT const struct bine_row *explorer_rows(int k);
const struct bine_row *explorer_rows(int k) {
    return pane[k].row;
}

EXPORT const struct bine_row_size *explorer_sizes(int k);
const struct bine_row_size *explorer_sizes(int k) {
    return pane[k].size;
}

EXPORT int explorer_count(int k);
int explorer_count(int k) {
    return (int)pane[k].rows;
}

/* How many ranks' data is in each cell of each rank, after a time. */
EXPORT const uint16_t *explorer_hold(int k, int time);
const uint16_t *explorer_hold(int k, int time) {
    if (!pane[k].holds)
        return NULL;
    bine_hold_at(&pane[k].hold, time);
    return pane[k].hold.count;
}

EXPORT const char *explorer_holds(int k, int rank, int time);
const char *explorer_holds(int k, int rank, int time) {
    bine_pane_holds(&pane[k], rank, time, begin_text());
    return end_text();
}

EXPORT const char *explorer_line(int k, int rank, int op);
const char *explorer_line(int k, int rank, int op) {
    bine_pane_line(&pane[k], rank, (uint32_t)op, begin_text());
    return end_text();
}

/* Whether a row's operation has a block among its pieces; slots have none by number. */
EXPORT int explorer_has_block(int k, int row, int block);
int explorer_has_block(int k, int row, int block) {
    const struct bine_row *r = &pane[k].row[row];
    const struct bine_schedule *s = pane[k].messages.schedule[r->rank];
    const struct bine_op *op = &s->op[r->op];
    for (uint32_t i = op->runs; i < op->runs + op->nruns; i++)
        for (uint32_t j = 0; j < s->run[i].count; j++)
            if (s->space[s->run[i].space].arrangement != BINE_SLOTS &&
                bine_schedule_block(s, s->run[i].space, s->run[i].first + (int)j) == block)
                return 1;
    return 0;
}

/* The real proof, not in place and in place. */
EXPORT const char *explorer_prove(int k);
const char *explorer_prove(int k) {
    struct bine_verdict v = {0};
    int in_place = 0, rc = bine_check_both(&pane[k].asked.request, &v, &in_place);
    FILE *to = begin_text();
    fprintf(to, "{\"proved\":%d,\"in_place\":%d,\"rank\":%d,\"time\":%d", rc == 0, in_place, v.rank,
            v.time);
    fprintf(to, ",\"messages\":%llu,\"pieces\":%llu,\"message\":", (unsigned long long)v.messages,
            (unsigned long long)v.pieces);
    bine_json_text(to, rc < 0 ? "out of memory" : v.message);
    fputc('}', to);
    return end_text();
}

/* Why an algorithm cannot run where pane 0 is; "" if it can. */
static const char *refusal(const struct bine_algorithm *a, char *why, size_t size) {
    struct bine_spec spec = pane[0].asked.request;
    const char *error;
    spec.algorithm = a;
    spec.ports = spec.segments = 0;
    spec.layout = bine_algorithm_takes(a, spec.p) ? bine_algorithm_layout(a, spec.p) : BINE_BLOCKS;
    error = bine_spec_error(&spec, why, size);
    return error == NULL ? "" : error;
}

static void put_layouts(FILE *to, const struct bine_algorithm *a, int p) {
    const char *comma = "";
    for (int l = 0; l < BINE_LAYOUTS; l++)
        if (bine_algorithm_has_layout(a, (enum bine_layout)l, p)) {
            fprintf(to, "%s\"%s\"", comma, bine_layout_name((enum bine_layout)l));
            comma = ",";
        }
}

/* All algorithms, and whether they can run where pane 0 is. */
EXPORT const char *explorer_catalogue(void);
const char *explorer_catalogue(void) {
    FILE *to = begin_text();
    char why[300];
    int p = pane[0].asked.request.p;
    fputc('[', to);
    for (size_t i = 0; i < bine_catalogue_size; i++) {
        const struct bine_algorithm *a = &bine_catalogue[i];
        fprintf(to, "%s{\"collective\":\"%s\",\"name\":\"%s\",\"family\":\"%s\"", i == 0 ? "" : ",",
                bine_collective_name(a->collective), a->name, a->family);
        fprintf(to, ",\"dims\":%d,\"steps\":%d,\"pipeline\":%d,\"order\":%d,\"about\":",
                bine_algorithm_needs(a) == BINE_NEEDS_DIMS,
                bine_algorithm_takes(a, p) ? bine_algorithm_steps(a, p, BINE_BLOCKS) : -1,
                p > 1 && bine_segments_most(a, p) > 1, (int)a->order);
        bine_json_text(to, a->about);
        fputs(",\"refused\":", to);
        bine_json_text(to, refusal(a, why, sizeof why));
        fputs(",\"layouts\":[", to);
        put_layouts(to, a, p);
        fputs("]}", to);
    }
    fputc(']', to);
    return end_text();
}

/* What does not change: collectives, kinds of operations, machines, version. */
EXPORT const char *explorer_about(void);
const char *explorer_about(void) {
    FILE *to = begin_text();
    struct bine_names machines = {0};
    fprintf(to, "{\"version\":\"%s\",\"most\":%d,\"holds\":%d,\"collectives\":[", BINE_VERSION,
            BINE_EXPLORE_MOST, BINE_HOLD_RANKS);
    for (int c = 0; c < BINE_COLLECTIVES; c++)
        fprintf(to, "%s\"%s\"", c == 0 ? "" : ",", bine_collective_name((enum bine_collective)c));
    fputs("],\"kinds\":", to);
    bine_kinds_describe(to);
    fputs(",\"machines\":[", to);
    if (bine_machine_list(&machines) == 0)
        for (int i = 0; i < machines.count; i++) {
            fputs(i == 0 ? "" : ",", to);
            bine_json_text(to, bine_names_text(&machines, i));
        }
    bine_names_free(&machines);
    fputs("]}", to);
    return end_text();
}
