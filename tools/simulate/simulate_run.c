/* Everything that was asked for, cell by cell. */
#include "base/numbers.h"
#include "cli/command.h"
#include "model/time.h"
#include "schedule/walk/messages.h"
#include "simulate/simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct run {
    const struct bine_simulate_wish *w;
    struct bine_simulate_place place;
    struct bine_simgrid simgrid;
    struct bine_simulate_output *output;
    int64_t *load;
};

/* The library cuts what is added up between elements, and all else between bytes. */
static int unit_of(const struct run *x, enum bine_collective c) {
    return bine_collective_reduces(c) ? x->w->element : 1;
}

/* Larger messages come in parts of so many bytes. */
static int64_t part_of(const struct run *x, enum bine_collective c) {
    int unit = unit_of(x, c);
    if (!bine_collective_reduces(c))
        return INT64_MAX;
    return x->w->segment < unit ? unit : x->w->segment / unit * unit;
}

/* What the ranks of a sample send at most: messages, or parts of them where these are more. */
struct guess {
    int64_t bytes, part;
    size_t sends;
    struct bine_longer_blocks places;
};

static int count_sends(void *self, const struct bine_schedule *s) {
    struct guess *g = self;
    size_t sends = 0;
    for (uint32_t k = 0; k < s->nops; k++) {
        if (!bine_op_sends(&s->op[k]))
            continue;
        int64_t n = bine_op_transfers(s, &s->op[k]);
        int64_t parts = bine_bytes_of_op(s, &s->op[k], g->bytes, &g->places) / g->part;
        sends += (size_t)bine_max(n, parts);
    }
    g->sends = bine_max(g->sends, sends);
    return 0;
}

/* About how many messages there are: those that the busiest of a few ranks sends, by all ranks. */
static int guess_messages(const struct run *x, const struct bine_spec *spec, int64_t bytes,
                          size_t *messages) {
    int sample[] = {0, 1, 2, 3, spec->p / 4, spec->p / 3, spec->p / 2, spec->p - 1};
    enum { SAMPLE = sizeof sample / sizeof *sample };
    struct guess g = {.bytes = bytes, .part = part_of(x, spec->algorithm->collective)};
    for (int i = 0; i < SAMPLE; i++)
        sample[i] = sample[i] < spec->p ? sample[i] : 0;
    int rc = bine_ranks_visit_some(spec, sample, SAMPLE, count_sends, &g);
    *messages = g.sends * (size_t)spec->p;
    bine_longer_blocks_free(&g.places);
    return rc == 0 ? 0 : bine_complain("out of memory");
}

static void scale(struct bine_script *s, int element) {
    s->copied *= element;
    for (size_t i = 0; i < s->messages; i++)
        s->message[i].bytes *= element;
    for (size_t i = 0; i < s->boards; i++)
        s->board[i].bytes *= element;
    for (size_t i = 0; i < s->steps; i++) {
        s->step[i].reduced *= element;
        s->step[i].copied *= element;
    }
}

/* What crosses between groups; on a torus every node is one. */
static int64_t count_global(const struct bine_script *s, const struct bine_links *l) {
    int64_t sum = 0;
    for (size_t i = 0; i < s->messages; i++)
        if (l->group[s->message[i].from] != l->group[s->message[i].to])
            sum += s->message[i].bytes;
    return sum;
}

static int replay(struct run *x, const struct bine_spec *spec, struct bine_simulate_row *row) {
    struct bine_script script;
    struct bine_time t = {0};
    struct bine_simgrid_result result = {.load = x->load};
    int unit = unit_of(x, row->collective);
    if (bine_script_write(&script, spec, row->bytes / unit) != 0)
        return bine_complain("out of memory");
    scale(&script, unit);
    script.part = script.whole ? INT64_MAX : part_of(x, row->collective);
    if (x->load != NULL)
        memset(x->load, 0, x->place.links.count * sizeof *x->load);
    row->copied = script.copied;
    row->global = count_global(&script, &x->place.links);
    int rc = x->simgrid.replay(&script, &result);
    bine_script_free(&script);
    if (rc != 0)
        return bine_complain("%s: ranks wait for each other for ever", row->algorithm);
    row->seconds = result.seconds;
    if (x->w->predict && bine_time_of(spec, row->bytes, &x->place.links, &t) != 0)
        return bine_complain("out of memory");
    row->predicted = t.seconds;
    bine_simulate_output_row(x->output, row);
    if (x->load != NULL)
        bine_simulate_output_links(x->output, row, &x->place.links, x->load);
    return 0;
}

static int run_cell(struct run *x, enum bine_collective c, const struct bine_simulate_entries *all,
                    int64_t bytes) {
    int rc = 0;
    for (int i = 0; i < all->count && rc == 0; i++) {
        struct bine_simulate_row row = {.collective = c,
                                        .algorithm = all->entry[i].name,
                                        .ranks = x->place.known.p,
                                        .nodes = x->place.links.nodes,
                                        .bytes = bytes};
        struct bine_spec spec;
        size_t messages = 0;
        const struct bine_simulate_entry *e = &all->entry[i];
        bine_simulate_spec(x->w, &x->place.known, e->algorithm, e->layout, &spec);
        if (!e->asked)
            spec.layout = bine_algorithm_layout_at(e->algorithm, spec.p, bytes);
        spec.segments = bine_segments_for(spec.algorithm, spec.p, bytes);
        rc = guess_messages(x, &spec, bytes, &messages);
        if (rc == 0 && messages > (size_t)x->w->limit)
            bine_simulate_output_skip(x->output, &row, messages);
        else if (rc == 0)
            rc = replay(x, &spec, &row);
    }
    if (rc == 0)
        bine_simulate_output_cell(x->output);
    return rc;
}

/* The sizes of a collective: each once. Returns how many; with `action`, does them. */
static int each_size(struct run *x, enum bine_collective c, const struct bine_simulate_entries *all,
                     int *count) {
    int64_t before = -1;
    int rc = 0;
    for (int64_t wanted = x->w->least; wanted <= x->w->most && rc == 0; wanted *= x->w->step) {
        int64_t bytes = bine_simulate_size(c, x->w->element, x->place.known.p, wanted);
        if (bytes == before)
            continue;
        before = bytes;
        if (count != NULL)
            ++*count;
        else
            rc = run_cell(x, c, all, bytes);
    }
    return rc;
}

/* What will be simulated: finds mistakes before anything is, and counts the cells. */
static int plan(struct run *x, int *cells) {
    struct bine_simulate_entries all;
    int rc = 0;
    for (int i = 0; i < x->w->collectives && rc == 0; i++) {
        enum bine_collective c = x->w->collective[i];
        rc = bine_simulate_list(&all, x->w, c, &x->place.known);
        for (int k = 0; k < all.count && rc == 0 && x->w->list; k++)
            printf("%s %s\n", bine_collective_name(c), all.entry[k].name);
        if (rc == 0 && all.count > 0)
            rc = each_size(x, c, &all, cells);
    }
    if (rc == 0 && *cells == 0)
        rc = bine_complain("-a %s: none of these serves %d ranks", x->w->algorithms,
                           x->place.known.p);
    return rc;
}

static int run_all(struct run *x, int cells) {
    struct bine_simulate_entries all;
    int rc = bine_simgrid_find(&x->simgrid);
    if (rc == 0 && x->simgrid.open(&x->place.network) != 0)
        rc = bine_complain("SimGrid cannot be started");
    if (rc == 0 && x->w->links != NULL &&
        (x->load = malloc(x->place.links.count * sizeof *x->load)) == NULL)
        rc = bine_complain("out of memory");
    if (rc == 0 && (x->output = bine_simulate_output_begin(x->w, &x->place, cells)) == NULL)
        rc = BINE_EXIT_USAGE;
    for (int i = 0; i < x->w->collectives && rc == 0; i++) {
        rc = bine_simulate_list(&all, x->w, x->w->collective[i], &x->place.known);
        if (rc == 0 && all.count > 0)
            rc = each_size(x, x->w->collective[i], &all, NULL);
    }
    if (x->output != NULL && bine_simulate_output_end(x->output) != 0)
        rc = BINE_EXIT_USAGE;
    free(x->load);
    return rc;
}

int bine_simulate_run(const struct bine_simulate_wish *w) {
    struct run x = {.w = w};
    int cells = 0;
    int rc = bine_simulate_settle(&x.place, w);
    if (rc == 0)
        rc = plan(&x, &cells);
    if (rc == 0 && !w->list)
        rc = run_all(&x, cells);
    bine_simulate_leave(&x.place);
    return rc;
}
