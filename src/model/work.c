#include "model/work.h"
#include "base/grow.h"
#include "base/numbers.h"
#include "schedule/copies.h"
#include "schedule/walk/visit.h"

#include <stdlib.h>
#include <string.h>

/* Shares of the vector are counted with this many bytes. */
static const int64_t whole = (int64_t)1 << 36;
/* A sample has one rank of each group, and SAMPLE ranks at least; and as many as cost SAMPLE_COST.
 */
enum { SAMPLE = 8, SAMPLE_COST = 8000, PROBES = 4, IN_ORDER_RANKS = 256, GROUPS = 32 };
/* The cost of building a schedule, each of its operations and runs, and on a grid each block, in
 * the units of model/work.h. */
static const double schedule_cost = 10, operation_cost = 2, run_cost = 0.5, grid_cost = 1.5;
/* The cost of estimating a work item, and on a torus each link that its message passes: a quarter
 * of each dimension on average. */
static const double estimate_cost = 2, hop_cost = 0.1;

double bine_work_list_estimate_cost(const struct bine_links *links) {
    double cost = estimate_cost;
    for (int k = 0; links->torus != NULL && k < links->shape.dims; k++)
        cost += hop_cost * links->shape.size[k] / 4;
    return cost;
}

enum bine_local_work bine_op_work(const struct bine_schedule *s, const struct bine_op *op) {
    static const uint8_t work[BINE_OP_KINDS] = {
        [BINE_OP_RECV_REDUCE] = BINE_WORK_ADDS, [BINE_OP_REDUCE] = BINE_WORK_ADDS,
        [BINE_OP_READ_REDUCE] = BINE_WORK_ADDS, [BINE_OP_COPY] = BINE_WORK_COPIES,
        [BINE_OP_PERMUTE] = BINE_WORK_COPIES,   [BINE_OP_PUBLISH] = BINE_WORK_COPIES,
        [BINE_OP_READ] = BINE_WORK_COPIES,
    };
    return bine_op_is_packed(s, op) ? BINE_WORK_COPIES : (enum bine_local_work)work[op->kind];
}

double bine_work_takes(enum bine_local_work work, const struct bine_rates *r, double bytes) {
    return work == BINE_WORK_COPIES ? bine_rates_copy_takes(r, bytes)
           : work == BINE_WORK_ADDS ? bytes / r->reduce
                                    : 0;
}

int bine_work_list_add(struct bine_work_list *d, struct bine_work_item x) {
    if (bine_grow(&d->item, &d->room, d->count + 1, sizeof *d->item) != 0)
        return -1;
    d->item[d->count++] = x;
    return 0;
}

void bine_work_list_free(struct bine_work_list *d) {
    free(d->item);
    free(d->rank);
    free(d->stands);
    *d = (struct bine_work_list){0};
}

/* The items of one rank, in the order of its schedule. */
static int add_schedule(struct bine_work_list *d, const struct bine_schedule *s,
                        const struct bine_rates *rates, struct bine_longer_blocks *places) {
    for (struct bine_visit v = bine_visit_begin(s); bine_visit_on(&v); v.op++) {
        const struct bine_op *op = &s->op[v.op];
        int64_t bytes = bine_bytes_of_op(s, op, whole, places);
        double share = (double)bytes / (double)whole;
        enum bine_local_work work = bine_op_work(s, op);
        double rate = work == BINE_WORK_COPIES ? rates->copy : rates->reduce;
        struct bine_work_item item = {.rank = s->rank,
                                      .peer = bine_kind_is_message(op->kind) ? op->peer : -1,
                                      .time = v.step->time,
                                      .strand = (uint16_t)v.strand,
                                      .receives = (uint16_t)bine_op_receives(op),
                                      .transfers = bine_op_transfers(s, op),
                                      .share = (float)share,
                                      .work = work != BINE_NO_WORK ? (float)(share / rate) : 0,
                                      .copies = work == BINE_WORK_COPIES};
        if (bytes < 0 || bine_work_list_add(d, item) != 0)
            return -1;
    }
    d->strands = bine_max((int)s->nstrands, d->strands);
    d->staggered = s->staggered;
    return 0;
}

static int add_rank(struct bine_work_list *d, const struct bine_spec *spec, int rank,
                    const struct bine_rates *rates, struct bine_longer_blocks *places) {
    struct bine_spec one = *spec;
    one.rank = rank;
    struct bine_schedule *s = bine_schedule_build(&one);
    int rc = s == NULL ? -1 : add_schedule(d, s, rates, places);
    if (s != NULL)
        d->cost +=
            schedule_cost + operation_cost * s->nops + run_cost * s->nruns +
            (spec->tree != NULL && spec->tree->action == BINE_GRID ? grid_cost * s->blocks : 0);
    bine_schedule_free(s);
    return rc;
}

/* A message that wraps around the end of the vector is in one more part. */
static int same(const struct bine_work_item *a, const struct bine_work_item *b) {
    uint32_t more = a->transfers > b->transfers ? a->transfers : b->transfers,
             less = a->transfers > b->transfers ? b->transfers : a->transfers;
    return a->time == b->time && a->receives == b->receives && more - less <= 1 + more / 8 &&
           a->share > 0.999F * b->share && a->share < 1.001F * b->share + 1e-9F;
}

/* Whether another rank's work items are rank 0's, carried to it. Of very many ranks messages of one
 * time may come in another order: a step then takes longer, as its links are not free in turn, but
 * schedules of all ranks take too long. */
static int is_carried(const struct bine_work_list *zero, const struct bine_work_list *other,
                      const struct bine_tree *like, int r) {
    size_t around = like->p > IN_ORDER_RANKS ? 8 : 0;
    if (zero->count != other->count)
        return 0;
    for (size_t i = 0; i < zero->count; i++) {
        int peer = bine_work_item_carried(like, zero->item[i].peer, r), found = 0;
        size_t low = i < around ? 0 : i - around;
        for (size_t k = low; k < other->count && k <= i + around && !found; k++)
            found = other->item[k].peer == peer && same(&zero->item[i], &other->item[k]);
        if (!found)
            return 0;
    }
    return 1;
}

/* The actions by which other ranks may repeat rank 0's work: of all ranks, of a tree on a grid, and
 * of a torus whose dimensions mirror, or do not. Returns their number. */
enum { ACTIONS = 6 };
static int find_actions(const struct bine_spec *spec, struct bine_tree like[ACTIONS]) {
    unsigned even = 0;
    int n = 0, p = spec->p;
    like[n++] = (struct bine_tree){.p = p, .action = BINE_SHIFT};
    if (p % 2 == 0)
        like[n++] = (struct bine_tree){.p = p, .action = BINE_MIRROR};
    if ((p & (p - 1)) == 0)
        like[n++] = (struct bine_tree){.p = p, .action = BINE_XOR};
    if (spec->tree != NULL && spec->tree->action == BINE_GRID)
        like[n++] = (struct bine_tree){
            .p = p, .action = BINE_GRID, .grid = spec->tree->grid, .mirrors = spec->tree->mirrors};
    for (int k = 0; spec->dims != NULL && k < spec->dims->dims && k < BINE_DIMS_MOST; k++)
        even |= (unsigned)(spec->dims->size[k] % 2 == 0) << k;
    for (int k = 0; k < 2 && spec->dims != NULL; k++)
        like[n++] = (struct bine_tree){
            .p = p, .action = BINE_GRID, .grid = *spec->dims, .mirrors = k == 0 ? even : 0};
    return n;
}

/* The symmetry by which all ranks repeat rank 0's work, as far as some others show. */
static int find_symmetry(struct bine_work_list *zero, const struct bine_spec *spec,
                         const struct bine_rates *rates, struct bine_longer_blocks *places) {
    int probe[PROBES] = {1, 2, spec->p / 2 + 1, spec->p - 1};
    struct bine_tree like[ACTIONS];
    int actions = find_actions(spec, like), impossible[ACTIONS] = {0}, k = 0;
    for (int i = 0; i < PROBES; i++) {
        struct bine_work_list other = {0};
        int rc = probe[i] < spec->p ? add_rank(&other, spec, probe[i], rates, places) : 0;
        for (k = 0; k < actions && rc == 0 && probe[i] < spec->p; k++)
            impossible[k] |= !is_carried(zero, &other, &like[k], probe[i]);
        zero->cost += other.cost;
        bine_work_list_free(&other);
        if (rc != 0)
            return -1;
    }
    for (k = 0; k < actions && impossible[k];)
        k++;
    zero->symmetric = k < actions;
    if (k < actions)
        zero->like = like[k];
    return 0;
}

/* The root, which stands for itself alone, and from each group some, evenly: about n in all. Where
 * there are more groups than that, as on a torus, all ranks count as one. */
static int choose_ranks(struct bine_work_list *d, const struct bine_spec *spec,
                        const struct bine_links *links, size_t n) {
    size_t p = (size_t)spec->p, groups = (size_t)links->groups;
    int32_t *size = calloc(3 * groups, sizeof *size), *seen = size + groups, *taken = seen + groups;
    d->rank = malloc(p * sizeof *d->rank);
    d->stands = malloc(p * sizeof *d->stands);
    if (size == NULL || d->rank == NULL || d->stands == NULL) {
        free(size);
        return -1;
    }
    int many = groups > (n < GROUPS ? GROUPS : n);
    for (size_t r = 0; r < p; r++)
        size[many ? 0 : links->group[r]] += (int)r != spec->root;
    for (size_t r = 0; r < p; r++) {
        int g = many ? 0 : links->group[r];
        int64_t wanted = 1 + (int64_t)((double)n * size[g] / (double)p);
        wanted = n >= p || wanted > size[g] ? size[g] : wanted;
        int root = (int)r == spec->root, place = root ? 0 : seen[g]++;
        if (!root && (int64_t)place * wanted / size[g] < taken[g])
            continue;
        taken[g] += !root;
        d->rank[d->ranks] = (int32_t)r;
        d->stands[d->ranks++] = root ? 1 : (double)size[g] / (double)wanted;
    }
    free(size);
    return 0;
}

/* The number of ranks that cost little. `each`: the cost of a rank. */
static size_t sample_of(double each, int p) {
    size_t n = (size_t)(SAMPLE_COST / each);
    n = n < SAMPLE ? SAMPLE : n;
    return n < (size_t)p ? n : (size_t)p - 1;
}

/* The cost of making a rank's work items. A rank that is neither the root nor near it is typical of
 * most. */
static int measure(struct bine_work_list *d, const struct bine_spec *spec,
                   const struct bine_rates *rates, struct bine_longer_blocks *places, double *each,
                   double *work) {
    size_t before = d->count;
    double cost = d->cost;
    int rc = add_rank(d, spec, (spec->root + spec->p / 2 + 1) % spec->p, rates, places);
    *each = d->cost - cost;
    *work = (double)(d->count - before);
    d->count = before;
    return rc;
}

static int collect(struct bine_work_list *d, const struct bine_spec *spec,
                   const struct bine_links *links, double most) {
    struct bine_spec one = *spec;
    struct bine_trees trees = bine_spec_plant(&one);
    struct bine_longer_blocks places = {0};
    size_t ranks = (size_t)spec->p;
    int rc = add_rank(d, &one, 0, &links->rates, &places);
    if (rc == 0 && !bine_collective_is_rooted(spec->algorithm->collective) && spec->groups == NULL)
        rc = find_symmetry(d, &one, &links->rates, &places);
    double each = 0, work = (double)d->count;
    if (rc == 0 && !d->symmetric)
        rc = measure(d, &one, &links->rates, &places, &each, &work);
    d->expected = d->cost + (each + bine_work_list_estimate_cost(links) * work) * spec->p;
    if (d->expected > most)
        ranks = sample_of(each + work + 1, spec->p);
    if (rc == 0)
        rc = choose_ranks(d, spec, links, ranks);
    if (!d->symmetric)
        d->count = 0;
    for (size_t i = 0; i < d->ranks && rc == 0 && !d->symmetric; i++)
        rc = add_rank(d, &one, d->rank[i], &links->rates, &places);
    bine_longer_blocks_free(&places);
    bine_trees_fell(&trees);
    return rc;
}

int bine_work_list_make(struct bine_work_list *d, const struct bine_spec *spec,
                        const struct bine_links *links, double most) {
    int rc = 0, counted = bine_work_list_by_groups(spec);
    *d = (struct bine_work_list){0};
    if (counted)
        d->expected = bine_work_list_groups_cost(spec, bine_work_list_estimate_cost(links));
    if (counted && d->expected <= most) {
        rc = choose_ranks(d, spec, links, (size_t)spec->p);
        if (rc == 0)
            rc = bine_work_list_add_groups(d, spec, &links->rates);
    } else
        rc = collect(d, spec, links, most);
    d->complete = d->ranks == (size_t)spec->p;
    d->all = (double)d->count * (d->symmetric ? spec->p : 1);
    if (rc != 0)
        bine_work_list_free(d);
    return rc;
}
