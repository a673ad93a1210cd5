#include "profile/merge.h"

#include <stdlib.h>
#include <string.h>

const char *const bine_form_words[BINE_FORMS] = {"blocking", "nonblocking", "persistent"};
const char *const bine_datatype_words[BINE_DATATYPES] = {"none",    "byte",  "integer", "float",
                                                         "complex", "other", "derived", "several"};
const char *const bine_comm_words[BINE_PART_KINDS] = {"world", "part", "inter", "several"};

void bine_merged_free(struct bine_merged *p) {
    for (size_t i = 0; p->comm != NULL && i < p->comms; i++)
        free(p->comm[i].place);
    free(p->comm);
    free(p->node);
    free(p->row);
    free(p->steps);
    *p = (struct bine_merged){.ranks = 0};
}

/* --- Nodes */

/* The number of a hash among earlier ones, which are in the order of their first ranks. */
static int number_of(const uint64_t *known, size_t n, uint64_t hash) {
    size_t i = n;
    while (i > 0 && known[i - 1] != hash) /* from the end: ranks of a node stand together */
        i--;
    return (int)i - 1;
}

static int number_node(struct bine_merge *m, const struct bine_part_head *h, uint64_t *node,
                       uint64_t *group, size_t *groups) {
    struct bine_merged *p = m->to;
    int n = number_of(node, p->nodes, h->node), g = -1;
    if (n >= 0)
        return n;
    if (h->group != 0 && (g = number_of(group, *groups, h->group)) < 0) {
        g = (int)*groups;
        group[(*groups)++] = h->group;
    }
    struct bine_merged_node *x = &p->node[p->nodes];
    *x = (struct bine_merged_node){.group = g};
    memcpy(x->host, h->host, sizeof x->host);
    node[p->nodes] = h->node;
    return (int)p->nodes++;
}

int bine_merge_nodes(struct bine_merge *m) {
    size_t ranks = (size_t)m->parts->ranks, groups = 0;
    uint64_t *known = malloc(2 * ranks * sizeof *known);
    m->node = malloc(ranks * sizeof *m->node);
    m->to->node = malloc(ranks * sizeof *m->to->node);
    for (int r = 0; r < m->parts->ranks && known != NULL && m->node != NULL && m->to->node != NULL;
         r++) {
        const struct bine_part *part = m->parts->part[r];
        m->node[r] = part == NULL ? -1 : number_node(m, &part->head, known, known + ranks, &groups);
        if (part != NULL)
            m->to->node[m->node[r]].ranks++;
    }
    int rc = known != NULL && m->node != NULL && m->to->node != NULL ? 0 : -1;
    free(known);
    return rc;
}

/* --- The timeline */

static double length_of(const struct bine_part *p) {
    return bine_part_tick(p) * 1e-9 * (double)(UINT64_C(1) << p->head.shift);
}

/* A step of a part begins somewhere in the steps of the profile, which are as long or longer. */
static void add_step(struct bine_merged *p, const struct bine_part_step *s, double from, double to,
                     double tick, double *slowest) {
    for (size_t i = (size_t)(from / p->step); i < p->step_count && (double)i * p->step < to; i++) {
        double low = (double)i * p->step, high = low + p->step;
        low = low < from ? from : low;
        high = high > to ? to : high;
        double share = (high - low) / (to - from);
        p->steps[i].calls += share * (double)s->calls;
        p->steps[i].bytes += share * s->bytes;
        p->steps[i].mean += share * (double)s->ticks * tick;
        slowest[i] += share * (double)s->ticks * tick;
    }
}

static void add_steps(struct bine_merged *p, const struct bine_part *part) {
    double mine[2 * BINE_PART_STEPS] = {0}, length = length_of(part);
    for (int i = 0; i < BINE_PART_STEPS; i++)
        if (part->step[i].ticks > 0 || part->step[i].calls > 0)
            add_step(p, &part->step[i], i * length, (i + 1) * length, bine_part_tick(part) * 1e-9,
                     mine);
    for (size_t i = 0; i < p->step_count; i++)
        p->steps[i].slowest = mine[i] > p->steps[i].slowest ? mine[i] : p->steps[i].slowest;
}

/* The number of steps of the run, with the steps that a clock error may add. */
int bine_merge_steps(struct bine_merge *m) {
    struct bine_merged *p = m->to;
    for (int r = 0; r < m->parts->ranks; r++) {
        const struct bine_part *part = m->parts->part[r];
        if (part != NULL && length_of(part) > p->step)
            p->step = length_of(part);
    }
    double steps = p->step > 0 ? p->seconds / p->step + 1 : 0;
    p->step_count = steps < 2 * BINE_PART_STEPS ? (size_t)steps : 2 * BINE_PART_STEPS;
    p->steps = calloc(p->step_count + 1, sizeof *p->steps);
    if (p->steps == NULL)
        return -1;
    for (int r = 0; r < m->parts->ranks && p->step_count > 0; r++)
        if (m->parts->part[r] != NULL)
            add_steps(p, m->parts->part[r]);
    for (size_t i = 0; i < p->step_count; i++) {
        p->steps[i].calls /= p->recorded;
        p->steps[i].bytes /= p->recorded;
        p->steps[i].mean /= p->recorded;
    }
    return 0;
}

/* --- All of it */

static double run_of(const struct bine_part_head *h, double tick) {
    if (h->finished)
        return 1e-9 * (double)(h->last.ns - h->begin.ns);
    return h->end > h->begin.ticks ? tick * 1e-9 * (double)(h->end - h->begin.ticks) : 0;
}

static void add_head(struct bine_merged *p, const struct bine_part *part) {
    const struct bine_part_head *h = &part->head;
    double tick = bine_part_tick(part), in = tick * 1e-9 * (double)h->ticks;
    if (p->recorded == 0) {
        memcpy(p->bine, h->bine, sizeof p->bine);
        memcpy(p->mpi, h->mpi, sizeof p->mpi);
        p->off = h->off != 0;
    }
    p->recorded++;
    p->finished += h->finished != 0;
    p->seconds += run_of(h, tick);
    p->mean += in;
    p->slowest = in > p->slowest ? in : p->slowest;
    p->other_calls += (int64_t)h->lost;
    p->other_seconds += tick * 1e-9 * (double)h->lost_ticks;
}

/* Of nodes apart, all must be known. */
static void find_clock_error(struct bine_merge *m) {
    struct bine_merged *p = m->to;
    int known = 1;
    for (int r = 0; r < m->parts->ranks && p->nodes > 1; r++) {
        const struct bine_part *part = m->parts->part[r];
        if (part == NULL)
            continue;
        int64_t ns =
            bine_alignment_error(&part->head.clock[0], &part->head.clock[1], part->head.last.ns);
        known &= ns >= 0;
        p->clock_error = 1e-9 * (double)ns > p->clock_error ? 1e-9 * (double)ns : p->clock_error;
    }
    if (!known)
        p->clock_error = -1;
}

int bine_merge(const struct bine_parts *parts, struct bine_merged *p) {
    struct bine_merge m = {.parts = parts, .to = p};
    *p = (struct bine_merged){.ranks = parts->ranks};
    for (int r = 0; r < parts->ranks; r++)
        if (parts->part[r] != NULL)
            add_head(p, parts->part[r]);
    if (p->recorded > 0) {
        p->seconds /= p->recorded;
        p->mean /= p->recorded;
    }
    int rc = bine_merge_nodes(&m);
    if (rc == 0)
        find_clock_error(&m);
    if (rc == 0)
        rc = bine_merge_comms(&m);
    if (rc == 0)
        rc = bine_merge_rows(&m);
    if (rc == 0)
        rc = bine_merge_steps(&m);
    free(m.comm);
    free(m.node);
    free(m.entry);
    if (rc != 0)
        bine_merged_free(p);
    return rc;
}
