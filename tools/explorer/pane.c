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

/* Messages that an algorithm with so many steps can have, so that nothing is built that is not
 * shown. */
static int check_size(const struct bine_spec *spec) {
    struct bine_spec one = *spec;
    long messages = 0;
    one.rank = spec->root;
    struct bine_schedule *s = bine_schedule_build(&one);
    if (s == NULL)
        return bine_complain("out of memory");
    for (uint32_t k = 0; k < s->nops; k++)
        messages += bine_op_sends(&s->op[k]);
    bine_schedule_free(s);
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
                    uint32_t k, const uint32_t *recv_op, const struct bine_row_size *times) {
    const struct bine_op *op = &s->op[k];
    struct bine_row *row = &x->row[x->rows];
    struct bine_row_size *size = &x->size[x->rows++];
    struct bine_longer_blocks places = {0};
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
        row->other_op = (int)recv_op[number];
        row->other_kind = x->messages.schedule[op->peer]->op[recv_op[number]].kind;
    } else {
        size->bytes = (double)bine_bytes_of_op(s, op, x->asked.bytes, &places);
        bine_longer_blocks_free(&places);
    }
}

static void add_rows(struct bine_pane *x, const uint32_t *recv_op,
                     const struct bine_row_size *times) {
    for (int r = 0; r < x->messages.p; r++) {
        const struct bine_schedule *s = x->messages.schedule[r];
        for (uint32_t i = 0; i < s->nstrands; i++)
            for (uint32_t j = 0, time = 0; j < s->strand[i].nsteps; j++) {
                const struct bine_step *step = &s->step[s->strand[i].steps + j];
                time = (uint32_t)bine_step_when(step, j == 0 ? -1 : (int)time);
                for (uint32_t k = step->ops; k < step->ops + step->nops; k++)
                    if (!bine_op_receives(&s->op[k]) && s->op[k].kind < BINE_OP_KINDS)
                        add_row(x, s, i, (int)time, k, recv_op, times);
            }
    }
}

static int make_rows(struct bine_pane *x, const struct bine_row_size *times) {
    size_t ops = 1;
    uint32_t *recv_op = calloc(x->messages.count + 1, sizeof *recv_op);
    for (int r = 0; r < x->messages.p && recv_op != NULL; r++) {
        const struct bine_schedule *s = x->messages.schedule[r];
        for (uint32_t k = 0; k < s->nops; k++)
            if (bine_op_receives(&s->op[k]))
                recv_op[x->messages.of_op[r][k]] = k;
            else
                ops++;
    }
    x->row = malloc(ops * sizeof *x->row);
    x->size = malloc(ops * sizeof *x->size);
    int good = recv_op != NULL && x->row != NULL && x->size != NULL;
    if (good)
        add_rows(x, recv_op, times);
    free(recv_op);
    return good ? 0 : bine_complain("out of memory");
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
