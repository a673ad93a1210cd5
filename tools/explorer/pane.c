#include "explorer/pane.h"

#include "cli/command.h"

#include <stdlib.h>

/* More messages than this are not shown: the page would stand still. */
enum { MESSAGES_MOST = 1 << 20 };

/* Without groups all ranks are in one. */
static int open_allocation(struct bine_pane *x, const struct bine_explore_options *o) {
    struct bine_reason why;
    char sizes[16];
    struct bine_place_words where = o->schedule.where;
    if (where.machine == NULL && where.groups == NULL && where.dims == NULL) {
        if (where.ranks == NULL)
            snprintf(sizes, sizeof sizes, "%s", BINE_EXPLORE_GROUPS);
        else
            snprintf(sizes, sizeof sizes, "%d", x->asked.request.p);
        return bine_allocation_sizes(&x->allocation, sizes, &why) == 0
                   ? 0
                   : bine_complain("%s", why.text);
    }
    return bine_place_job(&where, &x->allocation, NULL);
}

static int count_sends(void *self, const struct bine_schedule *s) {
    for (uint32_t k = 0; k < s->nops; k++)
        *(long *)self += bine_op_sends(&s->op[k]);
    return 0;
}

/* Messages that an algorithm with so many steps can have, so that nothing is built that is not
 * shown. */
static int check_size(const struct bine_spec *spec) {
    long messages = 0;
    if (bine_ranks_visit_some(spec, &spec->root, 1, count_sends, &messages) != 0)
        return bine_complain("out of memory");
    if (messages * spec->p <= MESSAGES_MOST ||
        bine_collective_is_rooted(spec->algorithm->collective))
        return 0;
    return bine_complain("%s with %d ranks: %ld messages, and the explorer shows at most %d",
                         spec->algorithm->name, spec->p, messages * spec->p, MESSAGES_MOST);
}

/* Times come by the numbers of messages. */
static void note_time(void *self, size_t number, double left, double arrived) {
    struct bine_row_size *size = self;
    size[number].left = left;
    size[number].arrived = arrived;
}

static int predict(struct bine_pane *x, struct bine_row_size *size) {
    struct bine_links links;
    struct bine_time_watch watch = {note_time, size};
    int rc = bine_links_make(&links, &x->allocation, x->asked.place.machine);
    if (rc == 0) {
        rc = bine_time_watched(&x->asked.request, x->asked.bytes, &links, &watch, &x->time);
        bine_links_text(&links, x->time.busiest, x->bottleneck);
        bine_links_free(&links);
    }
    return rc == 0 ? 0 : bine_complain("out of memory");
}

static enum bine_role role_of(const struct bine_op *op) {
    return bine_op_sends(op)       ? BINE_ROLE_SENDS
           : bine_op_reads(op)     ? BINE_ROLE_READS
           : bine_op_publishes(op) ? BINE_ROLE_PUBLISHES
                                   : BINE_ROLE_LOCAL;
}

static void add_row(struct bine_pane *x, const struct bine_schedule *s, uint32_t strand, int time,
                    uint32_t k, const struct bine_row_size *times) {
    const struct bine_op *op = &s->op[k];
    struct bine_row *row = &x->row[x->rows];
    struct bine_row_size *size = &x->size[x->rows++];
    const int32_t *group = x->allocation.group;
    *row = (struct bine_row){s->rank,  (int)strand, time, op->kind, role_of(op),
                             op->peer, (int)k,      -1,   -1,       0};
    *size = (struct bine_row_size){0, -1, -1};
    if (op->peer >= 0)
        row->crosses = group[s->rank] != group[op->peer];
    if (row->role == BINE_ROLE_SENDS) {
        uint32_t number = x->messages.of_op[s->rank][k];
        *size = times[number];
        size->bytes = x->holds && x->hold.carried != NULL
                          ? (double)x->hold.carried[number]
                          : (double)x->messages.message[number].bytes;
        uint32_t other = x->messages.message[number].op[BINE_RECEIVER];
        row->other_op = (int)other;
        row->other_kind = x->messages.schedule[op->peer]->op[other].kind;
    } else {
        size->bytes = (double)x->messages.op_bytes[s->rank][k];
    }
}

/* Local work is done at the time of the step before it. */
static void add_rows(struct bine_pane *x, const struct bine_schedule *s,
                     const struct bine_row_size *times) {
    uint32_t strand = UINT32_MAX;
    int time = -1;
    for (struct bine_visit v = bine_visit_begin(s); bine_visit_on(&v); v.op++) {
        time = v.step->time >= 0 ? v.step->time : v.strand == strand ? time : -1;
        strand = v.strand;
        if (!bine_op_receives(&s->op[v.op]))
            add_row(x, s, v.strand, time, v.op, times);
    }
}

static int make_rows(struct bine_pane *x, const struct bine_row_size *times) {
    size_t ops = 1;
    for (int r = 0; r < x->messages.p; r++)
        ops += x->messages.schedule[r]->nops;
    x->row = malloc(ops * sizeof *x->row);
    x->size = malloc(ops * sizeof *x->size);
    if (x->row == NULL || x->size == NULL)
        return bine_complain("out of memory");
    for (int r = 0; r < x->messages.p; r++)
        add_rows(x, x->messages.schedule[r], times);
    return 0;
}

int bine_pane_open(struct bine_pane *x, const struct bine_explore_options *o) {
    struct bine_spec *spec = &x->asked.request;
    *x = (struct bine_pane){0};
    if (bine_explore_ask(o, o->algorithm, &x->asked) != 0 || open_allocation(x, o) != 0 ||
        check_size(spec) != 0)
        return BINE_EXIT_USAGE;
    if (bine_messages_collect(&x->messages, spec, x->asked.bytes) != 0)
        return bine_complain("out of memory");
    struct bine_row_size *times = malloc((x->messages.count + 1) * sizeof *times);
    for (size_t i = 0; times != NULL && i < x->messages.count; i++)
        times[i] = (struct bine_row_size){0, -1, -1};
    int rc = times == NULL ? bine_complain("out of memory") : predict(x, times);
    if (rc == 0 && spec->p <= BINE_HOLD_RANKS) {
        x->holds = 1;
        rc = bine_hold_make(&x->hold, &x->messages, x->asked.bytes) == 0
                 ? 0
                 : bine_complain("out of memory");
    }
    if (rc == 0)
        rc = make_rows(x, times);
    free(times);
    return rc;
}

void bine_pane_close(struct bine_pane *x) {
    bine_hold_free(&x->hold);
    bine_messages_free(&x->messages);
    bine_allocation_free(&x->allocation);
    bine_explore_free(&x->asked);
    free(x->row);
    free(x->size);
    *x = (struct bine_pane){0};
}
