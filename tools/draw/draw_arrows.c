/* From the schedules of all ranks to arrows. */
#include "draw/draw.h"

#include "base/grow.h"
#include "cli/command.h"
#include "pattern/teams.h"
#include "schedule/walk/messages.h"

#include <stdlib.h>
#include <string.h>

static int add_run(struct bine_drawing *d, int first, int count) {
    if (bine_grow(&d->run, &d->run_room, (size_t)d->nruns + 1, sizeof *d->run) != 0)
        return -1;
    d->run[d->nruns++] = (struct bine_draw_run){first, count};
    return 0;
}

/* Whose block lies at a place of what a rank has collected from the others of its group. */
static int collected_from(const struct bine_groups *g, int rank, int place) {
    const struct bine_level *l = &g->level[g->levels - 2];
    int first = l->begin[l->set_of[rank]], others = l->begin[l->set_of[rank] + 1] - first - 1;
    int at = first + place % others;
    return g->member[at < g->level[g->levels - 1].set_of[rank] ? at : at + 1];
}

/* The number by which a piece is known: its block. In an alltoall that changes from place to place,
 * but where a piece lies says whose it is: the sender's own in `in`, of rank k at place k of `out`,
 * and of the tree's root in the slots. */
static int piece_name(const struct bine_schedule *s, const struct bine_spec *spec, int space,
                      int place) {
    if (s->collective != BINE_ALLTOALL)
        return bine_schedule_block(s, space, place);
    if (s->parts > 1 && space == BINE_TMP) /* the slots of several trees, which are not followed */
        return 0;
    if (space == BINE_IN)
        return s->rank;
    if (space == BINE_OUT)
        return place;
    if (bine_algorithm_needs(spec->algorithm) == BINE_NEEDS_BOARDS) { /* collected in the team */
        struct bine_team team = bine_team_at(s->p, bine_team_of(s->p, s->rank));
        return team.first + place % team.size;
    }
    return bine_algorithm_needs(spec->algorithm) == BINE_NEEDS_GROUPS
               ? collected_from(spec->groups, s->rank, place)
               : bine_tree_root(spec->tree, s->rank, place);
}

/* The names that pieces can have: blocks, or ranks. */
static int names_of(const struct bine_schedule *s) {
    return s->blocks > s->p ? s->blocks : s->p;
}

/* Append the sorted runs of the names of a message's pieces; `seen` has a zero for each name,
 * before and after. */
static int read_pieces(struct bine_drawing *d, struct bine_arrow *a, const struct bine_schedule *s,
                       const struct bine_op *op, unsigned char *seen) {
    const struct bine_spec *spec = &d->wish->request;
    for (uint32_t i = op->runs; i < op->runs + op->nruns; i++)
        for (int k = 0; k < s->run[i].count; k++, a->blocks++)
            seen[piece_name(s, spec, s->run[i].space, s->run[i].first + k)] = 1;
    a->runs = d->nruns;
    for (int b = 0, n; b < names_of(s); b += n + 1) {
        for (n = 0; b + n < names_of(s) && seen[b + n]; n++)
            seen[b + n] = 0;
        if (n > 0 && add_run(d, b, n) != 0)
            return -1;
    }
    a->nruns = d->nruns - a->runs;
    return 0;
}

/* Whether the sum of a step on boards has an operation as an operand: the first one is but read. */
static int is_summed(const struct bine_schedule *s, const struct bine_step *step) {
    int sums = 0;
    for (uint32_t k = 0; k < step->nops; k++)
        sums |= s->op[step->ops + k].kind == BINE_OP_READ_REDUCE;
    return sums;
}

/* An arrow for each message and each read of a board, which is drawn as if the owner of the board
 * had sent it. A tree is drawn without its direct messages, which are in other strands. */
static int read_rank(struct bine_drawing *d, const struct bine_messages *m, int rank) {
    const struct bine_schedule *s = m->schedule[rank];
    unsigned char *seen = calloc((size_t)names_of(s), 1);
    int rc = seen == NULL ? -1 : 0;
    int tree_only = s->exchanges_sizes && d->wish->kind == BINE_DRAW_TREE;
    for (struct bine_visit v = bine_visit_begin(s); rc == 0 && bine_visit_on(&v); v.op++) {
        const struct bine_op *op = &s->op[v.op];
        int reads = bine_op_reads(op);
        if ((!bine_op_sends(op) && !reads) || op->peer == rank || (tree_only && v.strand > 0))
            continue;
        if (bine_grow(&d->arrow, &d->arrow_room, (size_t)d->narrows + 1, sizeof *d->arrow) != 0)
            rc = -1;
        const struct bine_message *g = reads ? NULL : &m->message[m->of_op[rank][v.op]];
        struct bine_arrow a = {.step = v.step->time,
                               .from = reads ? op->peer : rank,
                               .to = reads ? rank : op->peer,
                               .part = bine_draw_has_parts(d->wish) ? (int)v.strand : 0,
                               .adds = reads
                                           ? is_summed(s, v.step)
                                           : m->schedule[op->peer]->op[g->op[BINE_RECEIVER]].kind ==
                                                 BINE_OP_RECV_REDUCE};
        if (rc == 0)
            rc = read_pieces(d, &a, s, op, seen);
        if (rc == 0)
            d->arrow[d->narrows++] = a;
    }
    free(seen);
    return rc;
}

static int arrow_order(const void *a, const void *b) {
    const struct bine_arrow *x = a, *y = b;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return x->part < y->part ? -1 : x->part > y->part;
}

static int run_order(const void *a, const void *b) {
    const struct bine_draw_run *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Merge n arrows into the first of them. */
static int join(struct bine_drawing *d, struct bine_arrow *a, uint32_t n) {
    uint32_t begin = d->nruns, end = begin + 1;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = a[k].runs; i < a[k].runs + a[k].nruns; i++)
            if (add_run(d, d->run[i].first, d->run[i].count) != 0)
                return -1;
    for (uint32_t k = 1; k < n; k++) {
        a->blocks += a[k].blocks;
        a->adds |= a[k].adds;
    }
    if (d->nruns > begin)
        qsort(d->run + begin, d->nruns - begin, sizeof *d->run, run_order);
    for (uint32_t i = begin + 1; i < d->nruns; i++) {
        struct bine_draw_run *last = &d->run[end - 1], *next = &d->run[i];
        int far = next->first + next->count - last->first;
        if (next->first > last->first + last->count)
            d->run[end++] = *next;
        else if (far > last->count)
            last->count = far;
    }
    d->nruns = d->nruns > begin ? end : begin;
    a->runs = begin;
    a->nruns = d->nruns - begin;
    return 0;
}

/* One arrow for all messages of a step and a part from one rank to another. Arrows are in order. */
static int join_messages(struct bine_drawing *d) {
    uint32_t kept = 0, n;
    for (uint32_t i = 0; i < d->narrows; i += n) {
        for (n = 1; i + n < d->narrows && arrow_order(&d->arrow[i], &d->arrow[i + n]) == 0;)
            n++;
        if (n > 1 && join(d, &d->arrow[i], n) != 0)
            return -1;
        d->arrow[kept++] = d->arrow[i];
    }
    d->narrows = kept;
    return 0;
}

int bine_draw_measure(const struct bine_spec *request, int *blocks, int *parts, int *steps) {
    struct bine_schedule *s = bine_schedule_build(request);
    if (s == NULL)
        return -1;
    int of_rank = bine_draw_follows_ranks(request->algorithm);
    *blocks = of_rank ? s->p : s->blocks;
    *parts = of_rank ? 1 : s->parts;
    *steps = s->times;
    bine_schedule_free(s);
    return 0;
}

int bine_draw_read(struct bine_drawing *d) {
    struct bine_messages m;
    int rc = bine_messages_collect(&m, &d->wish->request, 0);
    if (rc != 0)
        return -1;
    d->steps = m.schedule[0]->times;
    d->parts = m.schedule[0]->parts;
    for (int r = 0; r < d->p && rc == 0; r++)
        rc = read_rank(d, &m, r);
    bine_messages_free(&m);
    if (d->narrows > 0)
        qsort(d->arrow, d->narrows, sizeof *d->arrow, arrow_order);
    return rc == 0 ? join_messages(d) : rc;
}

static void set_title(struct bine_drawing *d) {
    const struct bine_spec *spec = &d->wish->request;
    const struct bine_algorithm *a = spec->algorithm;
    char way[32], dims[BINE_SHAPE_TEXT];
    int n = snprintf(d->title, sizeof d->title, "%s %s, %d rank%s",
                     bine_collective_name(a->collective), a->name, d->p, bine_plural(d->p));
    if (spec->groups != NULL)
        n +=
            snprintf(d->title + n, sizeof d->title - (size_t)n, " in %d group%s",
                     bine_groups_count(spec->groups), bine_plural(bine_groups_count(spec->groups)));
    if (spec->dims != NULL)
        n += snprintf(d->title + n, sizeof d->title - (size_t)n, " on a torus of %s",
                      bine_shape_text(spec->dims, dims));
    if (spec->ports > 1)
        n += snprintf(d->title + n, sizeof d->title - (size_t)n, ", %d ports", spec->ports);
    if (bine_collective_is_rooted(a->collective))
        n += snprintf(d->title + n, sizeof d->title - (size_t)n, ", root %d", spec->root);
    if (spec->segments > 0)
        n += snprintf(d->title + n, sizeof d->title - (size_t)n, ", %d segment%s", spec->segments,
                      bine_plural(spec->segments));
    bine_draw_way_name(d, way, sizeof way);
    if (d->wish->block >= 0)
        snprintf(d->title + n, sizeof d->title - (size_t)n, ", %s", way);
}

int bine_drawing_make(struct bine_drawing *d, const struct bine_draw_wish *wish) {
    *d = (struct bine_drawing){.wish = wish, .p = wish->request.p, .source = -1};
    if (bine_draw_read(d) != 0 || bine_draw_mark(d) != 0 || bine_draw_live(d) != 0 ||
        bine_draw_count(d) != 0)
        return -1;
    bine_draw_order(d);
    bine_draw_label(d);
    set_title(d);
    bine_draw_about(&wish->request, d->about);
    return wish->negabinary ? bine_draw_note(d) : 0;
}

void bine_drawing_free(struct bine_drawing *d) {
    free(d->arrow);
    free(d->run);
    free(d->alive);
    free(d->box);
    free(d->note);
    *d = (struct bine_drawing){0};
}
